"""Every text is an exam for each of its prefixes: tokens, what each copies, and its guess.

exam = Exam(tokens, answers, others, region, hardest=0)
yield exam.copy_to(0)                       # the next word goes along its arrow into a guess
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import sub
from typing import TypeAlias

import numpy as np
from manim import Cross, CubicBezier, VGroup, VMobject
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP

from scenes import theme, verbs
from scenes.mobjects.bars import percentage
from scenes.mobjects.fit import adding_decimals, text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, Points, in_space, polygons
from scenes.mobjects.text import Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    LEAST_SIZE,
    NAMED_SIZE,
    QUICK,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Fade, Flow, Hold, Pulse, Then, Together, Verb

Bet: TypeAlias = tuple[str, Value]
Row: TypeAlias = tuple[int, str, Value, int | None]  # its place, a bet, decimals if given

EM = em_of(1)
COPIED = "copied"
HELPING, HONEST = 5.0, 3.0  # seconds in which all words are helped, and guess by themselves
NAMES, BOWS = (0.2, 0.3), (0.28, 0.36)  # of an exam's width and the rest's, upright frames second
SIZES, BEFORE = (34, 24), (0.5, 0.25)  # of guesses, and scene units before their tracks
CHIPS, LINE, STACKED = 0.55, 0.75, 0.27  # of the distance between rows, for ems: two beside, above
APART = 0.17  # of the same, from a row's middle to where arrows begin and end
HEAD = np.array([(0, 0), (0.24, 0.11), (0.24, -0.11)])  # of an arrow to the left


class Exam(VGroup):
    """Tokens as chips, one under the other, what each copies, and its guess of the next one.

    Parts: `chips`; `mark`, a question mark for the answer of the hardest guess, and `ring` around
    it; `arcs`, an arrow to each token but the last from the next one, with `heads`, and `stops`,
    which cross them; `guesses`,
    `rivals` of the hardest one, the last one quiet, and `copied`, words beside guesses; `ways`,
    from the mark to its answer and to rivals; `next` is over guesses, `supposed` says that guesses
    which copy are. `answers` are those of all tokens but the last, `others` what else the hardest
    one bets on, and as the last one the whole: its bar is what the others and the answer leave.
    """

    def __init__(
        self,
        pieces: Sequence[str],
        answers: Sequence[Bet],
        others: Sequence[Bet],
        region: Region,
        *,
        hardest: int,
    ) -> None:
        bows, right = self._make_chips(pieces, hardest, region)
        self._make_arrows(bows)
        every = self._make_guesses(answers, others, hardest, right)
        self.ways = [self._way(each.word) for each in (self.hardest, *self.rivals)]
        self.supposed = Words("(supposed)", size=NAMED_SIZE, role=theme.QUIET)
        self.next = Words("next word", size=NAMED_SIZE, role=theme.QUIET)
        super().__init__(
            *self.arcs, self.heads, *self.stops, *self.chips, *self.ways, self.mark, self.ring
        )
        self.add(*every, *self.copied, self.next, self.supposed)

    def head(self, stage: Region) -> None:
        """Set what the guesses are called over them, at the top of the stage."""
        self.next.move_to((self.guesses[0].track.get_left()[0], stage.top, 0), LEFT + UP)
        self.supposed.next_to(self.next, RIGHT)
        stage.hold(self.supposed)
        if self.supposed.get_left()[0] < self.next.get_right()[0] + GAP:
            self.supposed.shrink_to(self.next.get_left()[0] - stage.left - GAP)
            self.supposed.next_to(self.next, LEFT, buff=GAP)
        names = self.next, self.supposed
        level = min(each.align_to((0, stage.top, 0), UP).baseline for each in names)
        for each in names:
            each.shift((level - each.baseline) * UP)

    def copy_to(self, row: int) -> Verb:
        """Return how the next word goes along its arrow into a guess, which is sure then."""
        guess = self.guesses[row]
        arc = self.arcs[row]
        come = Then(Hold(), verbs.ComeFrom(guess.word, arc.point_from_proportion(0.5)))
        head = Appear(self.heads[row], run_time=QUICK / 2)
        drawn = Then(verbs.Draw(arc, run_time=QUICK), head)
        told = verbs.Recolor(guess.bar, role=theme.ACCENT), Appear(self.copied[row])
        full = Together(Fade(guess.track, to=1), guess.fill(0, 1), *told)
        return Together(drawn, come, Then(Hold(QUICK), full))

    def help(self) -> Verb:
        """Return how the next word helps each word in turn, which copies it."""
        rows = enumerate(self.guesses)
        helped = (self.copy_to(row) for row, guess in rows if guess is not self.hardest)
        return Then(helped).within(HELPING)

    def empty(self) -> Verb:
        """Return how guesses that were but copied are emptied, unseen, for honest ones."""
        emptied = (guess.fill(1, 0) for guess in self.guesses)
        blue = verbs.Recolor(*(guess.bar for guess in self.guesses), role=theme.POSITIVE)
        return Then(Together(emptied), blue.within(HAIR))

    def guess_honestly(self) -> Verb:
        """Return how all words but the hardest guess, from top to bottom."""
        rest = (each for each in self.guesses if each is not self.hardest)
        return Then(Then(each.open(), each.tell()) for each in rest).within(HONEST)

    def compare(self) -> Verb:
        """Return how each guess is pointed at together with the word that comes next."""
        pairs = zip(self.guesses, self.chips[1:], strict=True)
        return Flow((Pulse(guess.word, chip) for guess, chip in pairs), STEADY)

    def _make_chips(
        self, pieces: Sequence[str], hardest: int, region: Region
    ) -> tuple[Region, Region]:
        """Make the tokens and the mark; return the rooms of arrows and of guesses."""
        self.is_upright, lanes = region.height > region.width, region.rows(len(pieces))
        small = self.is_small = region.is_narrow
        self.levels, pitch = [float(lane.center[1]) for lane in lanes], lanes[0].height
        wide, most = NAMES[small] * region.width, min(TITLE_SIZE, CHIPS * pitch / EM)
        size = text_size(pieces, wide - 2 * GAP, most)
        self.chips = [Chip(piece, max(size, LEAST_SIZE)) for piece in pieces]
        self.edge = region.left + max(chip.width for chip in self.chips) + 2 * HAIR
        for chip, level in zip(self.chips, self.levels, strict=True):
            chip.shift((self.edge - HAIR - chip.plate.get_right()[0], level, 0))
        self.labels = [chip.label.copy() for chip in self.chips]
        self.mark = Words("?", size=HEADING_SIZE).move_to(self.chips[hardest + 1])
        self.mark.match_x(self.chips[hardest])
        self.ring = Ring(self.chips[hardest + 1])
        bows, right = replace(region, left=self.edge).columns(BOWS[self.is_upright])
        return bows, right

    def _make_arrows(self, bows: Region) -> None:
        """Make an arrow to each token from the next one."""
        self.reach = bows.width - 3 * HAIR - GAP * self.is_small
        places = np.array([(self.edge, level) for level in self.levels])
        rows, apart = range(len(places) - 1), APART * (self.levels[0] - self.levels[1])
        self.arcs = [arrow(places, row, row + 1, self.reach, apart) for row in rows]
        heads = (polygons((places[row] + HEAD - (0, apart))[None]) for row in rows)
        self.heads = VGroup(*(Filled(head, theme.ACCENT) for head in heads))
        stop = Cross(stroke_color=theme.color(theme.INK), stroke_width=theme.BOLD_LINE)
        stop.scale_to_fit_width(min(3 * apart, 2 * GAP))
        self.stops = [stop.copy().move_to(arc.point_from_proportion(0.5)) for arc in self.arcs]

    def _way(self, word: VMobject) -> VMobject:
        """Return the way from the mark to a word that may be its answer."""
        start, end = np.array((self.edge, self.mark.get_y(), 0)), word.get_left() + HAIR * LEFT
        aside = (end - start)[0] / 2 * RIGHT
        way = CubicBezier(start, start + aside, end - aside, end)
        return way.set_stroke(theme.color(theme.QUIET), theme.THIN_LINE)

    def _make_guesses(
        self, answers: Sequence[Bet], others: Sequence[Bet], hardest: int, right: Region
    ) -> list[Gauge]:
        """Make the guesses and the rivals of the hardest one, and return all of them."""
        told = [answers[hardest][1], *(chance for _, chance in others[:-1])]
        rest = reduce(sub, told, others[-1][1])
        digits = adding_places([*told, rest])
        own_bets = enumerate(answers)
        bets = [(row, *bet, digits if row == hardest else None) for row, bet in own_bets]
        free = (row for row in range(len(self.levels)) if row != hardest)
        rivals = [*others[:-1], (others[-1][0], rest)]
        bets += [(row, *rival, digits) for row, rival in zip(free, rivals, strict=False)]
        every = self._gauges(bets, right, stacked=self.is_upright)
        self.guesses, self.rivals = every[: len(answers)], every[len(answers) :]
        self.rivals[-1].bar.set_fill(theme.color(theme.QUIET))
        self.copied = [Words(COPIED, size=each.size, role=theme.ACCENT) for each in self.guesses]
        beside = (DOWN, HAIR, LEFT) if self.is_upright else (RIGHT, GAP, ORIGIN)
        for word, each in zip(self.copied, self.guesses, strict=True):
            word.next_to(each.track, *beside)
        self.hardest = self.guesses[hardest]
        return every

    def _gauges(
        self,
        entries: Sequence[Row],
        region: Region,
        *,
        stacked: bool,
    ) -> list[Gauge]:
        """Return bars in rows, each of a word that may come next and of its chance."""
        pitch = self.levels[0] - self.levels[1]
        most, line = SIZES[self.is_small and not stacked], STACKED if stacked else LINE
        size = float(np.clip(line * pitch / EM, LEAST_SIZE, most))
        names = [Words("{}", name, size=size) for _, name, *_ in entries]
        room = max(percentage(each, size, places).width for *_, each, places in entries)
        room = max(room, Words(COPIED, size=size).width)
        wide = min(region.width / 3, max(name.width for name in names))
        left, right = region.left + wide + BEFORE[self.is_small], region.right - room - GAP - HAIR
        if stacked:
            left, right, wide = region.left, region.right - HAIR, region.width
        made, high = [], pitch / (10 if stacked else 4)
        for (row, _, chance, places), name in zip(entries, names, strict=True):
            track = Region(left, right, self.levels[row] - high, self.levels[row] + high)
            name.shrink_to(wide)
            made.append(Gauge(name, chance, track, size, stacked=stacked, places=places))
        return made


def adding_places(bets: Sequence[Value]) -> int | None:
    """Return with how many decimals percentages add up to 100; None if as is."""
    places = adding_decimals(bets, 1.0)
    is_seen = all(round(bet.number, places) for bet in bets)
    return places - 2 if places > 2 and is_seen else None


def arrow(places: Points, query: int, key: int, reach: float, apart: float = 0.0) -> VMobject:
    """Return an arrow without its head from a key to a query, the farther the wider it bows.

    It stands beside places (n, 2), and begins and ends so far from their middles, within them.
    """
    far = reach * np.sqrt(abs(key - query) / (len(places) - 1)) * 4 / 3 * RIGHT
    within = apart * np.array((DOWN, UP))
    end, start = in_space(places[[query, key]]) + HEAD[1, 0] * RIGHT + within  # free of heads
    curve = CubicBezier(start, start + far, end + far, end)
    return curve.set_stroke(theme.color(theme.ACCENT), theme.BOLD_LINE)
