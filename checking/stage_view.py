"""What a viewer sees of a stage at rest, as arrays. It knows shapes and colours, no meaning.

Lengths are scene units. A box is (left, bottom, right, top). `order` is the place in the drawing
order: what comes later is drawn over what came before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from operator import is_
from typing import NamedTuple, TypeAlias

import numpy as np
from manim import Mobject, VGroup, VMobject
from numpy.typing import NDArray

from scenes.camera import WHOLE, FilmCamera, View, is_pinned
from scenes.expressions import is_passing
from scenes.film import Film
from scenes.mobjects.text import Formula, Glyphs

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

UNSEEN = 0.05  # an opacity at which a viewer no longer notices a thing
OPAQUE = 0.95  # an opacity that hides what is behind it
ROUNDING = 1e-6  # of lengths and opacities, which nobody sees
SAMPLES = 7  # points on each cubic curve, both ends included
PROBES = 24  # points on a text's outlines at which its surroundings are looked at
LINE_WIDTH = 0.01  # scene units for one of manim's units of stroke width


class Part(NamedTuple):  # of which there are thousands: it is made much faster than a dataclass
    """A path that is drawn: the mobject, the text or shape that it belongs to, and its name."""

    mobject: VMobject
    whole: Mobject
    name: str
    view: View = WHOLE  # through which it is seen

    @property
    def em(self) -> float:
        """How large the letters of a text are seen."""
        assert isinstance(self.mobject, Glyphs)
        return self.mobject.em * self.view.zoom

    def __str__(self) -> str:
        if isinstance(self.mobject, Glyphs):
            return f"'{self.mobject.text}'"
        return f"A shape ({self.name})"


class StageView:
    """The paths on a stage in drawing order, with their outlines, boxes and colours.

    The `curves` of part i are `curves[starts[i]:starts[i + 1]]`. `fills` and `strokes` are
    (parts, 4), RGBA from 0 to 1, what is a gradient by its mean; `widths` are of strokes.
    """

    def __init__(self, parts: Sequence[Part], frame: tuple[float, float]) -> None:
        self.parts = parts
        self.frame = np.array([-frame[0], -frame[1], frame[0], frame[1]]) / 2
        points = [part.mobject.points for part in parts]
        counts = [len(each) // 4 for each in points]
        self.starts = np.concatenate([[0], np.cumsum(counts)]).astype(int)
        whole = (each[: 4 * count] for each, count in zip(points, counts, strict=True))
        self._handles = _seen(np.concatenate([np.zeros((0, 3)), *whole]), parts, counts)
        self.fills = _colors([part.mobject.fill_rgbas for part in parts])
        self.strokes = _colors([part.mobject.stroke_rgbas for part in parts])
        widths = [part.mobject.stroke_width for part in parts]
        self.widths = LINE_WIDTH * np.array(widths, dtype=float).clip(0)

    @classmethod
    def of(cls, film: Film) -> StageView:
        """Take in a film's stage as it stands."""
        camera, wholes = film.camera, _wholes(film)
        assert isinstance(camera, FilmCamera)
        parts = [
            Part(each, *wholes[id(each)], WHOLE if is_pinned(each) else camera.view)
            for each in film.seen()
            if len(each.points) >= 4
        ]
        return cls(parts, (camera.frame_width, camera.frame_height))

    @cached_property
    def curves(self) -> Floats:
        """Points on every cubic curve, both ends included, shape (curves, SAMPLES, 2)."""
        t = np.linspace(0, 1, SAMPLES)[:, None]
        weights = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
        samples: Floats = self._handles.transpose(0, 2, 1).reshape(-1, 4) @ weights.T
        return np.ascontiguousarray(samples.reshape(-1, 2, SAMPLES).transpose(0, 2, 1))

    @cached_property
    def boxes(self) -> Floats:
        """The tight box of every part, shape (parts, 4)."""
        return _boxes(self.curves, self.starts[:-1])

    def looks_like(self, other: StageView) -> bool:
        """Whether a viewer could not tell the two apart, and their texts say the same."""
        mine, theirs = ([part.mobject for part in each.parts] for each in (self, other))
        return (
            len(mine) == len(theirs)
            and all(map(is_, mine, theirs))
            and all(
                are_alike(getattr(self, name), getattr(other, name))
                for name in ("starts", "_handles", "fills", "strokes", "widths")
            )
        )

    @cached_property
    def is_text(self) -> Flags:
        """Which parts are read, shape (parts,)."""
        return np.array([isinstance(part.mobject, Glyphs) for part in self.parts], dtype=bool)

    @cached_property
    def is_filled(self) -> Flags:
        """Which shapes have a fill that a viewer sees."""
        return ~self.is_text & (self.fills[:, 3] > UNSEEN / 5) & self.in_frame

    @cached_property
    def is_lined(self) -> Flags:
        """Which shapes have a line that a viewer sees."""
        seen = (self.strokes[:, 3] > UNSEEN) & (self.widths > 0)
        return ~self.is_text & seen & self.in_frame

    @property
    def shows_world(self) -> bool:
        """Whether a part of the world, not of the frame, has a fill or a line that is seen."""
        seen = (self.fills[:, 3] > UNSEEN) | ((self.strokes[:, 3] > UNSEEN) & (self.widths > 0))
        return any(
            not is_pinned(self.parts[order].mobject) for order in np.flatnonzero(seen).tolist()
        )

    @property
    def picture(self) -> Floats:
        """The boxes of what is seen of the world, shape (parts, 4): not of what is pinned."""
        seen = self.is_filled | self.is_lined
        seen[self.texts] = True
        stands_in_frame = np.array([is_pinned(part.mobject) for part in self.parts], dtype=bool)
        boxes: Floats = self.boxes[seen & ~stands_in_frame]
        return boxes

    @cached_property
    def in_frame(self) -> Flags:
        """Which parts stand in the frame, at least with an edge."""
        return meet(self.boxes, self.frame)

    @cached_property
    def covered(self) -> dict[int, float]:
        """Of every text that is drawn, by its order, the share that opaque fills cover."""
        drawn = self.is_text & (self.fills[:, 3] > UNSEEN) & self.in_frame
        orders = np.flatnonzero(drawn)
        points = self.probes(orders).reshape(-1, 2)
        hidden = self.hidden(points, np.repeat(orders, PROBES)).reshape(-1, PROBES)
        return dict(zip(orders.tolist(), hidden.mean(axis=1).tolist(), strict=True))

    @cached_property
    def texts(self) -> NDArray[np.int_]:
        """The orders of the texts that a viewer sees, if only in part."""
        return np.array([text for text, share in self.covered.items() if share < 1], dtype=int)

    @property
    def readable(self) -> list[tuple[Glyphs, Mobject]]:
        """The texts that a viewer sees, each with the formula that it is part of, or itself."""
        parts = [self.parts[order] for order in self.texts.tolist()]
        return [(part.mobject, part.whole) for part in parts if isinstance(part.mobject, Glyphs)]

    @property
    def standing_numbers(self) -> Iterator[tuple[Glyphs, Floats]]:
        """The texts with numbers that are no mixtures of two, each with its outline.

        Each stands still, or travels, if its outline is the same a while later.
        """
        for part, fill in zip(self.parts, self.fills, strict=True):
            if isinstance(part.mobject, Glyphs) and fill[3] > UNSEEN:
                origins = [numeral.value.origin for numeral in part.mobject.numerals]
                if origins and not any(map(is_passing, origins)):
                    yield part.mobject, part.mobject.points - part.mobject.points[0]

    def probes(self, orders: NDArray[np.int_]) -> Floats:
        """Return points spread over the outlines of parts, shape (parts, PROBES, 2)."""
        first, last = self.starts[orders], self.starts[orders + 1] - 1
        spread = np.linspace(first, last, PROBES).round().astype(int).T
        probes: Floats = self.curves[spread, SAMPLES // 2]
        return probes

    def outline(self, order: int) -> Floats:
        """Return the points on the curves of a part, shape (curves, SAMPLES, 2)."""
        return self.curves[self.starts[order] : self.starts[order + 1]]

    def inside(self, order: int, points: Floats) -> Flags:
        """Return which points, shape (points, 2), lie inside a part's fill."""
        within = (points >= self.boxes[order, :2]) & (points <= self.boxes[order, 2:])
        found: Flags = np.all(within, axis=-1)
        if found.any():
            found[found] = _winding(_closed(self.outline(order)), points[found]) != 0
        return found

    def hidden(self, points: Floats, orders: NDArray[np.int_]) -> Flags:
        """Return which points, drawn at the given orders, an opaque fill drawn later covers."""
        found = np.zeros(len(points), dtype=bool)
        for order in np.flatnonzero(self.is_filled & (self.fills[:, 3] >= OPAQUE)).tolist():
            open_to_it = ~found & (orders < order)
            found[open_to_it] = self.inside(order, points[open_to_it])
        return found

    def glyph_boxes(self, order: int) -> Floats:
        """Return the box of every closed outline of a text, shape (outlines, 4)."""
        outline = self.outline(order)
        return _boxes(outline, _contours(outline))


def meet(boxes: Floats, box: Floats, room: float | Floats = 0.0) -> Flags:
    """Return which boxes come nearer than `room` to a box; a negative room is a depth."""
    one, other = boxes[..., :2] - box[..., 2:], box[..., :2] - boxes[..., 2:]
    near: Flags = np.all(np.maximum(one, other) < np.expand_dims(room, -1), axis=-1)
    return near


@lru_cache(maxsize=1)
def _wholes(film: Film) -> dict[int, tuple[Mobject, str]]:
    """Return, for every mobject on a film's stage, the text or shape it is part of and its name."""
    return dict(pair for top in film.mobjects for pair in _below(top, None, ""))


def _below(
    mobject: Mobject, whole: Mobject | None, holder: str
) -> Iterator[tuple[int, tuple[Mobject, str]]]:
    if whole is None and isinstance(mobject, Formula):
        whole = mobject
    kind = _kind(mobject)
    name = f"{kind} of {holder}" if holder and kind != holder else kind
    yield id(mobject), (whole or mobject, name)
    named = type(mobject) not in {VGroup, VMobject, Mobject}
    for each in mobject.submobjects:
        yield from _below(each, whole, kind if named else holder)


def are_alike(one: Floats, other: Floats) -> bool:
    """Whether nobody sees a difference."""
    return one.shape == other.shape and bool(np.allclose(one, other, rtol=0, atol=ROUNDING))


def _kind(mobject: Mobject) -> str:
    return "shape" if type(mobject) is VMobject else type(mobject).__name__


def _seen(points: Floats, parts: Sequence[Part], counts: Sequence[int]) -> Floats:
    """Return where the points of curves are seen, (curves, 4, 2); parts have `counts` of them."""
    found, end = points[:, :2].copy(), 0
    for view, run in groupby(zip(parts, counts, strict=True), key=lambda each: each[0].view):
        start, end = end, end + 4 * sum(count for _, count in run)
        if view is not WHOLE:
            found[start:end] = view.seen(points[start:end])[:, :2]
    return found.reshape(-1, 4, 2)


def _boxes(curves: Floats, starts: NDArray[np.int_]) -> Floats:
    """Return the box of each run of curves that begins at one of `starts`."""
    if not len(starts):
        return np.zeros((0, 4))
    x, y = np.ascontiguousarray(curves.reshape(-1, 2).T)
    first = SAMPLES * starts
    low = [np.minimum.reduceat(along, first) for along in (x, y)]
    high = [np.maximum.reduceat(along, first) for along in (x, y)]
    return np.stack([*low, *high], axis=1)


def _colors(rgbas: Sequence[Floats]) -> Floats:
    """Return the mean of each part's colours, of which most have one: (parts, 4)."""
    lengths = np.array([*map(len, rgbas)], dtype=int)
    every = np.concatenate([np.zeros((0, 4)), *rgbas])
    if len(every) > len(lengths):
        every = np.add.reduceat(every, np.cumsum(lengths) - lengths) / lengths[:, None]
    return every


def _contours(outline: Floats) -> NDArray[np.int_]:
    """Return the curves with which a new outline begins."""
    breaks = np.abs(outline[1:, 0] - outline[:-1, -1]).max(axis=-1) > 1e-6
    return np.concatenate([[0], np.flatnonzero(breaks) + 1])


def _closed(outline: Floats) -> Floats:
    """Return the edges of a part's outlines, each one closed: shape (edges, 2, 2)."""
    edges = np.stack([outline[:, :-1], outline[:, 1:]], axis=2).reshape(-1, 2, 2)
    first = _contours(outline)
    last = np.append(first[1:], len(outline)) - 1
    return np.concatenate([edges, np.stack([outline[last, -1], outline[first, 0]], axis=1)])


def _winding(edges: Floats, points: Floats) -> NDArray[np.int_]:
    """Return how often closed outlines run round each point, as a fill counts it."""
    (x0, y0), (x1, y1) = edges[:, 0].T, edges[:, 1].T
    x, y = points[:, :1], points[:, 1:]
    rises = (y0 <= y) & (y < y1)
    falls = (y1 <= y) & (y < y0)
    rise = np.where(y1 == y0, 1.0, y1 - y0)
    right = x0 + (y - y0) / rise * (x1 - x0) > x
    return np.asarray((rises & right).sum(axis=1) - (falls & right).sum(axis=1))
