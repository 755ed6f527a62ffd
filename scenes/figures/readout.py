"""How a column is compared with those of words: a score and a chance for each. It knows no model.

readout = Readout([" forest", ...], [share, ..., rest], begun, scores=..., room=..., ...)
yield readout.come(), readout.meet(start)  # a twin of what is read comes to a word
yield readout.pass_on()
yield readout.share()
yield Vary(readout.train, 1, 0)             # columns and chances as the model began
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.bars import percentage
from scenes.mobjects.fit import pitch_in, text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Ring
from scenes.mobjects.shades import Shades
from scenes.mobjects.text import Number, TokenText, Words
from scenes.mobjects.vector import ellipsis
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    FAINTEST_FILL,
    GAP,
    HAIR,
    QUICK,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Disappear, Flow, MoveTo, Pulse, Then, Together, Verb

EACH = 1.5  # scene units from bar to bar, at most
THICK, TALL = 0.32, 0.74  # of a bar's height and of that distance: a bar; a word's own column
MORE = 0.08  # of that distance, from it to the dots that stand for its further numbers
WIDE = 0.8  # of its height, a word's own column
CELL = 0.96, 0.9  # of an entry's room, its box
HOP = 0.6  # seconds from a word to the next
NAMES = 0.34  # of the room, words at most


class Readout(VGroup):
    """Bars of chances, the last of them for all other words, and each word's own column beside it.

    `shares` and `begun`, the same before any training, end with that of all other words.
    `columns` are what of these columns is drawn, (words, entries), before any training and now,
    each as strong as its share of the largest then; `read` (entries,) is what of the one that is
    compared, as strong as its share of `largest`. Parts: the `gauges`, the words' `own` columns,
    their `scores` and the `next` one's, which stand where bars begin, and the `twin` of what is
    read.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        shares: Sequence[Value],
        begun: Sequence[Value],
        *,
        scores: Sequence[Value],
        columns: tuple[NDArray[np.float64], NDArray[np.float64]],
        read: NDArray[np.float64],
        room: Region,
        largest: float,
    ) -> None:
        size = text_size(pieces, NAMES * room.width, TITLE_SIZE)
        others = Words("all others", size=SPOKEN_SIZE, role=QUIET)
        names = [*(TokenText(piece, size) for piece in pieces), others]
        pitch = pitch_in(room.height, len(names), EACH)
        box = WIDE * TALL * pitch, TALL * pitch
        self.begun = [percentage(value, SPOKEN_SIZE) for value in begun]
        every = *self.begun, *(percentage(value, SPOKEN_SIZE) for value in shares)
        told = GAP + max(number.width for number in every)
        left = room.left + max(name.width for name in names) + 2 * box[0] + 4 * GAP
        self._columns = [each / (np.abs(each).max() or 1.0) for each in columns]
        self.own = [Shades(box, 1.0, FAINTEST_FILL, CELL) for _ in self._columns[1]]
        self.twin = Shades(box, largest, FAINTEST_FILL, CELL)
        self.twin.paint(read[:, None])
        self.twin.add(Ring(self.twin, HAIR / 2))
        self.gauges = []
        for place, (name, value) in enumerate(zip(names, shares, strict=True)):
            y = room.center[1] + ((len(names) - 1) / 2 - place) * pitch
            half = THICK * pitch / 2
            track = Region(left, room.right - told, y - half, y + half)
            self.gauges.append(Gauge(name, value, track, SPOKEN_SIZE))
        for own, gauge in zip(self.own, self.gauges, strict=False):
            own.move_to((room.left + 1.5 * box[0] + 2 * GAP, gauge.track.get_y(), 0))
        *first, after = scores
        self.scores = [Number(score, 1, TITLE_SIZE) for score in first]
        self.next = Words("{:.1f} at most", after, size=SPOKEN_SIZE, role=QUIET)
        for score, gauge in zip((*self.scores, self.next), self.gauges, strict=True):
            score.next_to(gauge.track.get_left(), RIGHT, buff=GAP)
        for number, gauge in zip(self.begun, self.gauges, strict=True):
            number.next_to(gauge.track, RIGHT, buff=GAP)
        self._ways = [(one.number, other.number) for one, other in zip(shares, begun, strict=True)]
        self.gauges[-1].bar.set_fill(theme.color(QUIET))
        for own, column in zip(self.own, self._columns[1], strict=True):
            own.paint(column[:, None])
        for each in (*self.own, self.twin):
            under = each.get_bottom() + MORE * pitch * DOWN
            each.add(ellipsis(under, 2 * MORE * pitch * DOWN))
        super().__init__(*self.gauges, *self.begun, *self.own, *self.scores, self.next, self.twin)

    def come(self) -> Verb:
        """Return how words come, each with its own column."""
        words = (gauge.word for gauge in self.gauges)
        return Together(Flow(map(Appear, words), STEADY), Flow(map(Appear, self.own), STEADY))

    def meet(self, start: Point3D) -> Verb:
        """Return how a twin of what is read comes in, and goes to the first word's own column."""
        self.twin.move_to(start)
        go = MoveTo(self.twin, self._beside(0))
        return Then(Appear(self.twin, run_time=QUICK), go, self._score(0))

    def pass_on(self) -> Verb:
        """Return how it passes the others, and each of them gets its score."""
        hops = (
            Then(MoveTo(self.twin, self._beside(at), run_time=HOP), self._score(at))
            for at in range(1, len(self.own))
        )
        return Then(*hops, Together(Disappear(self.twin), Appear(self.next)))

    def share(self) -> Verb:
        """Return how scores go beside bars, and become chances; what is not listed has the rest."""
        pairs = zip(self.scores, self.gauges, strict=False)
        places = (gauge.number.get_left() + score.width / 2 * RIGHT for score, gauge in pairs)
        left = Together(Disappear(self.next, run_time=QUICK), *map(MoveTo, self.scores, places))
        empty = Appear(*(gauge.track for gauge in self.gauges))
        full = Together(gauge.fill(0, gauge.value.number) for gauge in self.gauges)
        spent = Disappear(*self.scores, run_time=QUICK / 2)
        return Then(left, empty, full, spent, Appear(*(gauge.number for gauge in self.gauges)))

    def train(self, share: float) -> None:
        """Let columns and chances be as they began (0), as they are now (1), or on the way."""
        for own, begun, now in zip(self.own, *self._columns, strict=True):
            own.paint(((1 - share) * begun + share * now)[:, None])
        for gauge, (one, other) in zip(self.gauges, self._ways, strict=True):
            gauge.fill_to((1 - share) * other + share * one)

    def _score(self, place: int) -> Verb:
        """Return how a word gets its score once both columns have met."""
        met = Pulse(self.own[place], self.twin, run_time=HOP / 2)
        return Then(met, Appear(self.scores[place], run_time=QUICK))

    def _beside(self, place: int) -> Point3D:
        own = self.own[place]
        return np.asarray(own.get_center() + (own.width + GAP) * LEFT)
