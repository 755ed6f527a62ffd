"""How a column is compared with those of words: a chance for each. It knows no model.

readout = Readout([(" forest", share), ...], rest, columns, read, region, largest=2.0)
yield readout.come(), readout.meet(column, bow)  # a twin of what is read comes to a word
yield readout.pass_on()
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Mobject, VGroup
from manim.constants import LEFT
from manim.typing import Point3D, Vector3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import percentage
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import TokenText, Words
from scenes.mobjects.vector import Heat
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, HAIR, QUIET, SPOKEN_SIZE, STEADY, TITLE_SIZE
from scenes.verbs import Appear, ComeFrom, Disappear, Flow, Hold, MoveTo, Then, Together, Verb

EACH = 1.15  # scene units from bar to bar, at most
THICK, TALL = 0.4, 0.86  # of a bar's height and of that distance: a bar; a word's own column
WIDE = 0.5  # of its height, a word's own column
HOP = 0.4  # seconds from a word to the next
NAMES = 0.34  # of the room, words at most


class Readout(VGroup):
    """Bars of chances, the last of them for all other words, and each word's own column beside it.

    `columns` (words, entries) are what of these columns is drawn, `read` (entries,) what of the one
    that is compared, as strong as its share of `largest`. Parts: the `gauges`, the words' `own`
    columns, and the `twin` of the one that is read.
    """

    def __init__(
        self,
        bets: Sequence[tuple[str, Value]],
        rest: Value,
        columns: NDArray[np.floating],
        read: NDArray[np.floating],
        room: Region,
        *,
        largest: float,
    ) -> None:
        size = text_size([piece for piece, _ in bets], NAMES * room.width, TITLE_SIZE)
        others = Words("all others", size=SPOKEN_SIZE, role=QUIET)
        names = [*(TokenText(piece, size) for piece, _ in bets), others]
        pitch = pitch_in(room.height, len(names), EACH)
        box = WIDE * TALL * pitch, TALL * pitch
        values = [*(value for _, value in bets), rest]
        told = GAP + max(percentage(value, SPOKEN_SIZE).width for value in values)
        left = room.left + max(name.width for name in names) + 2 * box[0] + 4 * GAP
        most = float(np.abs(columns).max())
        self.own = [Heat(each[:, None], box, None, most) for each in columns]
        self.twin = Heat(read[:, None], box, None, largest)
        self.twin.add(Ring(self.twin, HAIR / 2))
        self.gauges = []
        for place, (name, value) in enumerate(zip(names, values, strict=True)):
            y = room.center[1] + ((len(names) - 1) / 2 - place) * pitch
            half = THICK * pitch / 2
            track = Region(left, room.right - told, y - half, y + half)
            self.gauges.append(Gauge(name, value, track, SPOKEN_SIZE))
        for own, gauge in zip(self.own, self.gauges, strict=False):
            own.move_to((room.left + 1.5 * box[0] + 2 * GAP, gauge.track.get_y(), 0))
        self.gauges[-1].bar.set_fill(theme.color(QUIET))
        super().__init__(*self.gauges, *self.own, self.twin)

    def come(self) -> Verb:
        """Return how words come, each with its own column and an empty track."""
        empty = (VGroup(gauge.word, gauge.track) for gauge in self.gauges)
        return Together(Flow(map(Appear, empty), STEADY), Flow(map(Appear, self.own), STEADY))

    def meet(self, source: Mobject, bow: Vector3D) -> Verb:
        """Return how a twin of what is read comes from it, to the first word's column.

        The middle of its way lies aside by `bow`.
        """
        self.twin.move_to(self._beside(0))
        return Then(ComeFrom(self.twin, source, bow=bow), self.gauges[0].tell())

    def pass_on(self) -> Verb:
        """Return how it passes the others, and each of them gets its chance."""
        moves = [
            MoveTo(self.twin, self._beside(at), run_time=HOP) for at in range(1, len(self.own))
        ]
        told = (Then(Hold(HOP * at), each.tell()) for at, each in enumerate(self.gauges[1:], 1))
        return Together(Then(*moves, Disappear(self.twin)), *told)

    def _beside(self, place: int) -> Point3D:
        own = self.own[place]
        return np.asarray(own.get_center() + (own.width + GAP) * LEFT)
