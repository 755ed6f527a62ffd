"""The same steps in two columns: for one token, and for all of them. It knows only formulas."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import LEFT, ORIGIN

from scenes.animations import Settle, Together, one_after_another
from scenes.arrivals import Appear, Fade
from scenes.mobjects.text import Formula, Words, em_of
from scenes.presence import hide
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import BODY_SIZE, LABEL_SIZE, OUT_OF_PLAY, QUICK, QUIET, SMALL_SIZE

EM_BY_LINE = 0.75  # a formula's em, as a share of its line, at most
TALLEST_LINE = 0.6  # scene units
BETWEEN = 0.4  # the columns, in scene units
VERDICT_ROOM = 2.4  # scene units for the third column
LARGEST = 1.45  # how much the list may grow when it stands alone


class Equations(VGroup):
    """Pairs of Typst formulas, the one for a token beside the one for all, fitted to a region.

    `lines[i]` is a pair. All of it is unseen until it is revealed; from then on the current lines
    are bright, and the others recede. `drops` says how far below the top the baselines are, that of
    the headings first.
    """

    def __init__(
        self, pairs: Sequence[tuple[str, str]], titles: tuple[str, str], region: Region
    ) -> None:
        pitch = min(TALLEST_LINE, region.height / (len(pairs) + 1))
        self.headings = VGroup(
            *(Words("{}", title, size=SMALL_SIZE, role=QUIET) for title in titles)
        )
        columns = [[Formula(pair[side], BODY_SIZE) for pair in pairs] for side in (0, 1)]
        longest = sum(max(each.width for each in column) for column in columns)
        shrink = min(1.0, (region.width - BETWEEN) / longest, EM_BY_LINE * pitch / em_of(BODY_SIZE))
        x = 0.0
        for heading, column in zip(self.headings, columns, strict=True):
            for place, line in enumerate((heading, *column)):  # set with its baseline at nought
                line.scale(shrink if place else 1.0, about_point=ORIGIN)
                line.shift((x - line.get_left()[0], -place * pitch, 0))
            x += max(each.width for each in (heading, *column)) + BETWEEN
        self.pairs = list(zip(*columns, strict=True))
        self.lines = [VGroup(*pair) for pair in self.pairs]
        super().__init__(self.headings, *self.lines)
        self.drops = [float(self.get_top()[1]) + place * pitch for place in range(len(pairs) + 1)]
        self.move_to(region.center)
        self.seen: dict[tuple[int, int], Formula] = {}
        hide(self)

    def reveal(self, side: int, *lines: int) -> Animation:
        """Let formulas of a column come in from the top, with its heading if it is the first."""
        first = [] if any(key[0] == side for key in self.seen) else [self.headings[side]]
        formulas = [self.pairs[i][side] for i in lines]
        self.seen |= {(side, i): formula for i, formula in zip(lines, formulas, strict=True)}
        return one_after_another(map(Appear, (*first, *formulas)))

    def focus(self, *current: int) -> Animation:
        """Let some lines be bright and all others recede, as far as they have been revealed."""
        return Together(
            Fade(formula, 1.0 if line in current else OUT_OF_PLAY, QUICK)
            for (_, line), formula in self.seen.items()
        )


class Verdicts(VGroup):
    """A third column for equations: how far the two sides of each line are apart.

    The list goes to `place`, as large as `region` allows with the numbers beside it.
    """

    def __init__(self, equations: Equations, gaps: Sequence[Value], region: Region) -> None:
        room = region.width - VERDICT_ROOM - BETWEEN
        grown = min(LARGEST, room / equations.width, region.height / equations.height)
        self.equations = equations
        self.place = equations.copy().scale(grown)
        whole = self.place.width + BETWEEN + VERDICT_ROOM
        left = region.center[0] - whole / 2
        self.place.move_to((left, region.center[1], 0), aligned_edge=LEFT)
        x, top = left + self.place.width + BETWEEN, float(self.place.get_top()[1])
        title = Words("largest difference", size=SMALL_SIZE, role=QUIET)
        title.scale(min(grown, VERDICT_ROOM / title.width), about_point=ORIGIN)
        numbers = [
            Words("{:.0e}" if gap.number else "{:.0f}", gap, size=LABEL_SIZE) for gap in gaps
        ]
        super().__init__(title, *numbers)
        for words, drop in zip(self, equations.drops, strict=True):
            words.shift((x - words.get_left()[0], top - grown * drop, 0))

    def make_room(self) -> Animation:
        """Let the list of equations go to its place."""
        return Settle(self.equations, self.place)

    def reveal(self) -> Animation:
        """Let the numbers come in, from the top."""
        return one_after_another(map(Appear, self))
