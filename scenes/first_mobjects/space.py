"""Vectors of one space as arrows in its principal plane, and how many dimensions it has.

It knows vectors and their names, and no model; the picture is a `plane`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from manim import Animation, Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, UP
from numpy.typing import NDArray

from scenes.analysis.principal_plane import principal_plane
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear, Fly
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.plane import NOTE_ROOM, Arrow, PlaneView, plane_note, units_that_fit
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, Value, count, stacked
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, LABEL_SIZE, QUIET, Role

Floats = NDArray[np.float64]

LOW = 3.0  # scene units; in a region that is lower, all that is said stands beside the plane
LEAST_NOTE = 4.9  # scene units, so that the small print stays legible
ARROWS_SHARE = 0.8  # of the largest size at which arrows fit: the rest is for their names


@dataclass(frozen=True)
class Named:
    """A vector (n,), what it is called, and its role."""

    vector: Tensor
    name: str
    role: Role


class Space(VGroup):
    """Vectors of one space as arrows in their principal plane, with the space's dimensions.

    `elsewhere` is the same space's size in another model, and `where` that model's name.
    """

    def __init__(
        self, vectors: Sequence[Named], elsewhere: Value, where: str, region: Region
    ) -> None:
        size = count(len(vectors[0].vector), "entries of a vector")
        self.title = Words("{} dimensions", size, size=BODY_SIZE)
        self.elsewhere = Words("{}: {:,.0f}", where, elsewhere, size=LABEL_SIZE, role=QUIET)
        self.elsewhere.next_to(self.title, DOWN, buff=HAIR)
        head = VGroup(self.title, self.elsewhere)
        rows = stacked([each.vector for each in vectors])
        plane = principal_plane(rows)
        ends = _turned(plane.projected(rows))
        if region.height < LOW:
            self.elsewhere.align_to(self.title, LEFT)
            head.move_to((region.left, region.top, 0), aligned_edge=LEFT + UP)
            lines = _note_on_two_lines(plane.share)
            left = region.left + max(head.width, lines.width)
            self.plane = _view(vectors, ends, lines, replace(region, left=left).raised(-NOTE_ROOM))
            lines.next_to(head, DOWN, buff=GAP, aligned_edge=LEFT)
        else:
            head.move_to((region.center[0], region.top, 0), aligned_edge=UP)
            note = plane_note(len(vectors[0].vector), plane.share)
            note.width = min(note.width, max(region.width - 2 * GAP, LEAST_NOTE))
            self.plane = _view(vectors, ends, note, region.below(head, HAIR))
        super().__init__(self.title, self.elsewhere, self.plane)

    def reveal(self, sources: Sequence[Mobject]) -> Animation:
        """Let the space's size come in, and each arrow fly from where its vector stands."""
        flights = map(Fly, self.plane.arrows, sources)
        return Together([Appear(self.title), one_after_another(flights)])

    def reveal_names(self) -> Animation:
        """Let the names of the arrows come in, and what the plane shows of the whole."""
        names = [name for name in self.plane.names if name is not None]
        return Together(map(Appear, (*names, self.plane.note)))


def _note_on_two_lines(share: Value) -> VGroup:
    """Return what a plane shows of the whole, for beside it."""
    lines = SmallPrint("the plane shows {:.1%}", share), SmallPrint("of the squared lengths")
    return VGroup(*lines).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)


def _view(vectors: Sequence[Named], ends: Floats, note: VMobject, region: Region) -> PlaneView:
    arrows = [
        Arrow(
            np.zeros(2),
            end,
            each.role,
            Words("{}", each.name, size=LABEL_SIZE, role=each.role),
        )
        for each, end in zip(vectors, ends, strict=True)
    ]
    units = ARROWS_SHARE * units_that_fit(arrows, region)
    return PlaneView(arrows, note, region, units)


def _turned(arrows: Floats) -> Floats:
    """Turn arrows (n, 2) together so that the first points right and most others point up."""
    length = float(np.linalg.norm(arrows[0])) or 1.0
    across = np.array([-arrows[0, 1], arrows[0, 0]])
    turned = arrows @ np.stack([arrows[0], across], axis=1) / length
    return np.asarray(turned * (1, -1 if turned[:, 1].sum() < 0 else 1))
