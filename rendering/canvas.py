"""A camera that draws only what has changed since it last drew, and knows what that was.

Each frame it compares every shape with what it drew of it before. Where something has changed,
it draws all that stands there again, in order, and nothing elsewhere.
"""

from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from manim import VMobject
from manim.typing import PixelArray

from rendering.figures import Figure, Rectangle, look_of, prepare
from rendering.paths import Pen
from rendering.tiles import TILE, Tiles
from scenes.camera import FilmCamera

Places: TypeAlias = npt.NDArray[np.int_]  # (figures, 4), each row a `Rectangle`
Whole: TypeAlias = npt.NDArray[np.uint32]  # (height, width), a number a pixel


class Canvas(FilmCamera):
    """A camera with a memory. Its pixels stay where they are; only it may draw on them."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - manim's signature
        super().__init__(**settings)
        self._figures: dict[int, Figure] = {}  # what stands in the pixels, in order, by identity
        self._rows: dict[int, int] = {}  # where each of them stands in that order
        self._places: Places = np.zeros((0, 4), dtype=int)  # theirs, in the same order
        self._ground = self._wanted_ground()
        self._old = Tiles(self.pixel_width, self.pixel_height)  # to be drawn again
        self._new = Tiles(self.pixel_width, self.pixel_height)  # drawn, and not yet taken
        self._old.mark_all()
        self._new.mark_all()
        self._context = self.get_cairo_context(self.pixel_array)
        self._pen = Pen(self._context)
        self._scene_to_pixels = self._context.get_matrix()
        self._whole_pixels = _whole(self.pixel_array)
        self._before = self._whole_pixels.copy()

    def show(self, mobjects: Sequence[VMobject], changing: Collection[int] | None = None) -> None:
        """Make the pixels show these shapes themselves, lowest first, and nothing else.

        `changing` has the identities of all that may look otherwise than before; None: any may.
        """
        self._take_in(mobjects, changing)
        if self._wanted_ground() is not self._ground:
            self._ground = self._wanted_ground()
            self._old.mark_all()
        rectangles = self._old.take()
        if not rectangles:
            return
        figures = [*self._figures.values()]
        for rectangle in rectangles:
            self._redraw(rectangle, figures)

    @property
    def pixels(self) -> npt.NDArray[np.uint8]:
        """The pixels as RGBA, shape (height, width, 4)."""
        return np.asarray(self.pixel_array, dtype=np.uint8)

    @property
    def whole(self) -> Rectangle:
        """All of the frame."""
        return 0, 0, self.pixel_width, self.pixel_height

    def forget(self) -> None:
        """Draw everything again next time, so that the past leaves no trace in the pixels."""
        self._old.mark_all()

    def take_changes(self) -> list[Rectangle]:
        """Return where pixels have changed since the last call, even corners, none twice."""
        return self._new.take()

    def _wanted_ground(self) -> PixelArray:
        assert self.background is not None
        return self.background

    def _take_in(self, mobjects: Sequence[VMobject], changing: Collection[int] | None) -> None:
        """Compare mobjects with what was drawn, and mark where they differ."""
        known, new = self._figures, dict[int, Figure]()
        asked = {id(mobject): mobject for mobject in mobjects}
        stay = list(asked) == list(known)
        for key in asked if changing is None or not stay else self._rows.keys() & changing:
            if changing is None or key in changing or key not in known:
                look, before = look_of(asked[key], self.view), known.get(key)
                if before is None or before.look != look:
                    new[key] = Figure(asked[key], look)
        prepare([*new.values()], known, self)
        for key, figure in new.items():
            self._old.mark(figure.rectangle)
            if key in known:
                self._old.mark(known[key].rectangle)
        if stay:
            known |= new
            for key, figure in new.items():
                self._places[self._rows[key]] = figure.rectangle
            return
        self._mark_order(asked)
        self._figures = {key: new.get(key) or known[key] for key in asked}
        self._rows = {key: row for row, key in enumerate(asked)}
        self._places = np.array([each.rectangle for each in self._figures.values()]).reshape(-1, 4)

    def _mark_order(self, asked: Collection[int]) -> None:
        """Mark where figures go, or all if they change their order."""
        known = self._figures
        for key in known.keys() - asked:
            self._old.mark(known[key].rectangle)
        if [key for key in known if key in asked] != [key for key in asked if key in known]:
            self._old.mark_all()

    def _redraw(self, rectangle: Rectangle, figures: list[Figure]) -> None:
        """Draw all that stands in a part of the frame."""
        left, top, right, bottom = rectangle
        here = np.s_[top:bottom, left:right]
        before, now = self._before[here], self._whole_pixels[here]
        np.copyto(before, now)
        np.copyto(now, _whole(self._ground)[here])
        context = self._context
        context.save()
        context.identity_matrix()
        context.new_path()
        context.rectangle(left, top, right - left, bottom - top)
        context.clip()
        context.set_matrix(self._scene_to_pixels)
        for number in _touching(self._places, rectangle):
            figures[number].draw(self, context, self._pen)
        context.restore()
        if _differ(before, now):
            self._new.mark(rectangle)


def _whole(pixels: PixelArray) -> Whole:
    """Return RGBA pixels as one number each, in the same memory."""
    return pixels.view(np.uint32)[..., 0]


def _differ(one: Whole, other: Whole) -> bool:
    """Return whether any pixels differ; if so, it mostly shows in the first rows."""
    return any(
        not np.array_equal(one[row : row + TILE], other[row : row + TILE])
        for row in range(0, len(one), TILE)
    )


def _touching(places: Places, rectangle: Rectangle) -> list[int]:
    """Return the numbers of the figures that may touch a rectangle."""
    left, top, right, bottom = rectangle
    inside = (places[:, 0] < right) & (places[:, 2] > left)
    inside &= (places[:, 1] < bottom) & (places[:, 3] > top)
    return np.flatnonzero(inside).tolist()
