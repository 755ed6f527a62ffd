"""No peeking: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

import numpy as np
from manim import ArcBetweenPoints, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT

from scenes import theme
from scenes.analysis.softmax import exponentials, past, shares, softmax
from scenes.camera import WHOLE
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import percentage
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Number, Words, called, em_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import Value, total
from scenes.region import Region
from scenes.study import SHIPPED
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    LEAST_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Verb,
)

Entry: TypeAlias = tuple[int, str, Value]  # the row, a word that may come next, its chance

COPIED = "copied"
GRID_SHARE = 0.64  # of the stage, for the grid; the guesses stand beside or under it
SUMS = 1.0  # scene units beside the grid, for the sums of its rows
RIVALS = 5  # other next words that are shown, at most
FAITHFUL = 0.9  # who keeps more of every row hardly looks ahead
SURE = 0.5  # a guess with a larger chance
LINE = 0.75  # of the distance between guesses, for their em
SPECK = 0.2  # of its size, by a dot that begins to grow


class NoPeeking(Film):
    """Future cells become minus infinity so that training stays honest."""

    title = "No peeking"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 82
    poster_beat = "minus-infinity"
    needs = (THREE_TOKENS,)

    def observe(self) -> None:
        """Find the hardest guess, what the head would look at, and who has least left without."""
        where = self.layer, self.head
        self.scores, self.masked = self.tensor("scores")[where], self.tensor("masked")[where]
        self.pattern, self.open = self.tensor("pattern")[where], softmax(self.scores)
        self.zeroed = past(self.open)
        self.left = list(map(total, self.zeroed))
        if not all(left.number for left in self.left):
            self.refuse(
                "In this head a token's weight is on later tokens alone, to the last digit that a "
                "computer has, and nothing is left to share out: choose another head."
            )
        self.repaired = shares(self.zeroed)
        probs, ids = self.tensor("probs"), self.trace.ids
        self.chances = [probs[pos, after].value for pos, after in enumerate(ids[1:])]
        self.hardest = int(np.argmin([chance.number for chance in self.chances]))
        likely = np.argsort(-probs.array[self.hardest])[: RIVALS + 1].tolist()
        answer, pieces = ids[self.hardest + 1], self.vocabulary(likely)
        others = (i for i in likely if i != answer and pieces.get(i, "").strip().isalpha())
        self.likeliest = [(called(pieces[i]), probs[self.hardest, i].value) for i in others]
        self.poorest = int(np.argmin([left.number for left in self.left]))

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say how sure the model is and what is left."""
        return {
            "asker": self.name_of(self.hardest),
            "answer": self.name_of(self.hardest + 1),
            "percent": percentage(self.chances[self.hardest]).text.replace("%", " percent"),
            "poorest": self.name_of(self.poorest),
            "left": f"{self.left[self.poorest].number:.2f}",
            "exams": f"{len(self.chances)} honest guesses",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the head looks ahead here, and whether the model has read this text."""
        is_ours, text = self.request.checkpoint == SHIPPED, self.trace.text
        return {
            **super().circumstances(),
            "faithful": self.left[self.poorest].number > FAITHFUL,
            "read_before": is_ours and self.is_read(text),
        }

    def cast(self) -> None:
        """Make the exam with its guesses, and the grid with all that its cells hold."""
        area, beside = self.stage.inset(HAIR).split(GRID_SHARE)
        beside = beside.apart(area, 2 * GAP)
        self.board = board = AttentionGrid(self.tokens, area, beside=SUMS)
        self.exam = exam = Exam(self)
        near = beside if self.stage.is_narrow else exam.beside(self.under_title)
        rows = range(len(self.chances))
        own = [(row, self.name_of(row + 1), self.chances[row]) for row in rows]
        others = (row for row in rows if row != self.hardest)
        rivals = [(row, *rival) for row, rival in zip(others, self.likeliest, strict=False)]
        self.guesses, both = gauges(self, beside, own), gauges(self, near, [*own, *rivals])
        self.cheats, self.rivals = both[: len(own)], both[len(own) :]
        self.copied = [Words(COPIED, size=each.size, role=ACCENT) for each in self.cheats]
        for word, cheat in zip(self.copied, self.cheats, strict=True):
            word.next_to(cheat.track, RIGHT, buff=GAP)
        self.view = WHOLE.into(VGroup(exam, *self.cheats, *self.copied), self.under_title, 1.0)
        self.weights, self.zeros = board.weights(self.open), board.weights(self.zeroed)
        self.shared, self.final = board.weights(self.repaired), board.weights(self.pattern)
        self.fills, self.hidden = board.fills(self.scores), board.numbers(self.masked)
        self.numbers = board.numbers(self.scores, on_fills=True)
        self.hatching = board.hatching(self.hidden)
        self.sums = board.sums([total(row) for row in self.open])
        self.ring = Ring(VGroup(board.row(self.poorest), self.sums[self.poorest]), HAIR / 2)
        self.ring.stretch_to_fit_width(self.ring.width + HAIR)
        zero = Number(exponentials(self.masked)[0, 1].value, 0, HEADING_SIZE)
        power = Formula("$e^(-infinity) =$", HEADING_SIZE)
        self.nothing = VGroup(power, zero).arrange(RIGHT, buff=GAP)
        self.afterwards = told("weights", "after softmax")
        self.before = told("scores", "before softmax")
        notes = self.nothing, self.afterwards, self.before
        for note in notes:
            beside.fit(note)
            if not self.stage.is_narrow:
                note.align_to((beside.left, 0, 0), LEFT).match_y(board.faces)
        shown = VGroup(board, *self.sums, *notes)
        self.middle = WHOLE if self.stage.is_narrow else WHOLE.into(shown, self.stage, 0.98)
        layers = self.weights, self.zeros, self.shared, self.numbers, self.hidden, self.final
        self.stand(self.fills, board, self.hatching, *layers, *self.sums, self.ring, exam, *notes)
        self.stand(*self.cheats, *self.guesses, *self.rivals, *self.copied)

    @beat(
        "What comes after {asker}? | Almost anything could. | The model gives {answer} {percent}."
    )
    def the_next_word(self) -> Shown:
        exam, guess, at = self.exam, self.cheats[self.hardest], self.hardest
        plates = Flow(Appear(chip.plate) for chip in exam.chips)
        seen = [chip.label for chip in exam.chips[: at + 1]]
        yield Together(plates, Then(Hold(QUICK), Flow(map(Appear, seen)), Appear(exam.mark)))
        rivals = (Together(each.open(), each.tell()) for each in self.rivals)
        yield Pulse(exam.mark, run_time=STEADY), Flow(rivals, STEADY)
        yield guess.open(), guess.tell(), Dim(*self.rivals)

    @beat(
        "But in training it reads the whole text at once: | the answer is there. | "
        "It needn't guess: | it only has to copy."
    )
    def the_answer_is_there(self) -> Shown:
        exam, guess, at = self.exam, self.cheats[self.hardest], self.hardest
        text = Flow(Appear(chip.label) for chip in exam.chips[at + 1 :])
        yield Disappear(exam.mark, *self.rivals), text
        yield Appear(exam.ring), Pulse(exam.chips[at + 1], run_time=STEADY)
        yield Draw(exam.arc(at, at + 1))
        yield (
            guess.fill(self.chances[at].number, 1),
            Disappear(guess.number),
            Appear(self.copied[at]),
        )

    @beat(
        "Every word could cheat like that, | from all that comes after it. | "
        "A perfect score, and nothing learned: | these arrows must go."
    )
    def every_word_could_cheat(self) -> Shown:
        exam, first = self.exam, self.exam.arc(self.hardest, self.hardest + 1)
        arcs = (Draw(arc) for arc in exam.arcs if arc is not first)
        yield Disappear(exam.ring), Flow(map(Pulse, exam.chips), SLOW), Flow(arcs, SLOW)
        copying = [
            Together(guess.open(), guess.fill(0, 1), Then(Hold(QUICK), Appear(word)))
            for guess, word in zip(self.cheats, self.copied, strict=True)
        ]
        del copying[self.hardest]
        yield Pulse(first, run_time=STEADY), Flow(copying, SLOW)
        yield Flow(map(Pulse, self.copied), STEADY)
        yield Recolor(*exam.arcs, role=ACCENT, run_time=STEADY)

    @beat(
        "In the grid of weights, | each arrow is a cell right of the diagonal, | "
        "and each row adds up to one."
    )
    def arrows_are_cells(self) -> Shown:
        board, exam = self.board, self.exam
        yield (
            Together(
                Disappear(*self.cheats, *self.copied, *exam.chips), self.travel_to(self.middle)
            ),
            Fade(board, to=1.0, run_time=STEADY),
            Then(Hold(STEADY), Appear(self.afterwards)),
        )
        alone, *others = (self._enter(q, k) for q, k in self._future())
        yield Then(alone, Flow(others, SLOW))
        past = [each for query in self._rows() for each in self.weights.past(query)]
        yield (
            Flow((Appear(each, scale=SPECK) for each in past), STEADY),
            Appear(*self.sums, run_time=STEADY),
        )

    @beat(
        "Cut them here, after softmax: | set them to zero, one by one. | "
        "Now the rows fall short of one: | that of {poorest} keeps {left}.",
        faithful="Cut them here, after softmax: | set them to zero, one by one. | "
        "This head hardly looks ahead, so its rows lose little: | that of {poorest} keeps {left}.",
    )
    def set_the_future_to_zero(self) -> Shown:
        yield Pulse(self.afterwards, run_time=STEADY)
        yield Flow((self._cut(row) for row in self._rows()), 2 * SLOW)
        yield Flow((Pulse(number) for number in self.sums), STEADY)
        yield Appear(self.ring, run_time=STEADY)

    @beat(
        "Dividing by what is left repairs it: | but that's a second step, | "
        "and in the row of {poorest}, a division by almost nothing.",
        faithful="Dividing by what is left repairs it: | but that is a second step, | "
        "and a head that looked further ahead would divide by almost nothing.",
    )
    def share_out_again(self) -> Shown:
        others = [row for row in self._rows() if row != self.poorest]
        yield Then(Flow(map(Pulse, self.sums), STEADY), Flow(map(self._repair, others), STEADY))
        yield Pulse(self.ring, run_time=STEADY)
        yield self._repair(self.poorest)

    @beat(
        "Better go back to the scores, | before softmax, | "
        "and wherever the key comes later, write minus infinity. | This is the causal mask."
    )
    def minus_infinity(self) -> Shown:
        back = (self._go_back(row) for row in self._rows())
        yield Disappear(self.ring, *self.sums, self.afterwards), Flow(back, SLOW)
        yield Appear(self.before, run_time=STEADY)
        yield Flow((self._hide(q, k) for q, k in self._future()), 2 * SLOW)
        yield Flow((Pulse(self.hatching.future(row)) for row in self._rows()[:-1]), STEADY)

    @beat("E to the minus infinity is zero, | so one softmax does it: | every row adds up to one.")
    def softmax_makes_zeros(self) -> Shown:
        yield Disappear(self.before), Then(Hold(QUICK), Appear(self.nothing))
        yield Flow((self._weigh(row) for row in self._rows()), SLOW)
        full = [Count(self.sums[row], total(self.pattern[row]), QUICK) for row in self._rows()]
        yield Together(*full), Flow((Fade(each, to=1.0) for each in self.sums), STEADY)

    @beat(
        "Now nobody can copy: | every guess is the model's own. | {asker} gives {answer} "
        "{percent} again: | {exams}, in a single pass.",
        read_before="Now nobody can copy. | Some guesses are sure: the model read this very text "
        "in training. | But {asker} gives {answer} {percent} again: | {exams}, in a single pass.",
    )
    def honest_guesses(self) -> Shown:
        hardest = self.guesses[self.hardest]
        others = [guess for guess in self.guesses if guess is not hardest]
        opened = Flow((guess.open() for guess in self.guesses), STEADY)
        yield (
            Disappear(self.nothing, *self.sums),
            self.pull_back(STEADY),
            Then(Hold(STEADY), opened),
        )
        sure = [guess.number for guess in others if guess.value.number > SURE]
        own = Flow((guess.tell() for guess in others), STEADY)
        yield Then(own, Flow(map(Pulse, sure)))
        yield hardest.tell(), Pulse(hardest.word)
        yield Flow((Pulse(guess.number) for guess in self.guesses), STEADY)

    # The grid, row by row

    def _rows(self) -> range:
        return range(len(self.tokens))

    def _future(self) -> list[tuple[int, int]]:
        """Return the (query, key) of every cell whose key comes later, row by row."""
        return [(query, key) for query in self._rows() for key in self._rows() if key > query]

    def _enter(self, query: int, key: int) -> Verb:
        """Return how an arrow lies down along its row up to its column, and becomes the weight."""
        arc, weight = self.exam.arc(query, key), self.weights.cell(query, key)
        cell, lying = self.board.center_of(query, key), arc.copy()
        lying.set_points_as_corners(np.linspace(cell, arc.get_end(), len(arc.points) // 4 + 1))
        return Then(Become(arc, lying), Together(Disappear(arc), Appear(weight, scale=SPECK)))

    def _cut(self, row: int) -> Verb:
        """Return how the weights of later keys become zero, and what is left of the row's sum."""
        old, new = self.weights.future(row), self.zeros.future(row)
        fallen = Then(Hold(QUICK), Count(self.sums[row], self.left[row], QUICK))
        return Together(Disappear(*old), Flow(Appear(each) for each in new), fallen)

    def _go_back(self, row: int) -> Verb:
        """Return how the weights of a row give way to the scores that they were made of."""
        weights = (layer.row(row) for layer in (self.weights, self.zeros, self.shared))
        return Then(Disappear(*weights), Fade(self.fills.row(row), self.numbers.row(row), to=1.0))

    def _repair(self, row: int) -> Verb:
        """Return the animation in which what is left of a row is shared out."""
        grown = [
            Become(old, new) if len(old.points) == len(new.points) else Disappear(old)
            for old, new in zip(self.weights.past(row), self.shared.past(row), strict=True)
        ]
        return Together(*grown, Count(self.sums[row], total(self.repaired[row])))

    def _hide(self, query: int, key: int) -> Verb:
        """Return the animation in which minus infinity takes the place of a score."""
        old = self.numbers.cell(query, key), self.fills.cell(query, key)
        new = self.hidden.cell(query, key), self.hatching.cell(query, key)
        return Together(Disappear(*old, run_time=STEADY), Fade(*new, to=1.0, run_time=STEADY))

    def _weigh(self, row: int) -> Verb:
        """Return the animation in which softmax makes weights of a row."""
        old = [*self.numbers.past(row), *self.fills.past(row), *self.hidden.future(row)]
        new = (Appear(each, run_time=STEADY) for each in self.final.row(row))
        return Together(Disappear(*old, run_time=STEADY), *new)


class Exam(VGroup):
    """The tokens as chips beside the grid's rows, and an arc from every later one to a query."""

    def __init__(self, film: NoPeeking) -> None:
        board = film.board
        size = board.layout.size
        chips = [Chip(piece, size) for piece in film.tokens]
        for chip, label in zip(chips, board.queries, strict=True):
            chip.shift(label.get_center() - chip.label.get_center())
        self.chips = chips
        edge = max(float(chip.get_right()[0]) for chip in chips) + HAIR
        self.mark = Words("?", size=HEADING_SIZE).move_to(chips[film.hardest + 1])
        self.ring = Ring(chips[film.hardest + 1])
        self._arcs = {
            (query, key): _arc(chips[key], chips[query], edge, film.open.array[query, key])
            for query in range(len(chips))
            for key in range(query + 1, len(chips))
        }
        self.arcs = VGroup(*self._arcs.values())
        super().__init__(self.arcs, *chips, self.mark, self.ring)

    def beside(self, stage: Region) -> Region:
        """Return what is free beside the arcs once the camera has made the chips fill a stage."""
        left, end = self.get_right()[0] + 2 * GAP, self.get_left()[0]
        end += stage.width * self.height / stage.height
        return Region(left, end, float(self.get_bottom()[1]), float(self.get_top()[1]))

    def arc(self, query: int, key: int) -> ArcBetweenPoints:
        """Return the arc from a key to a query that stands before it."""
        return self._arcs[query, key]


def gauges(film: NoPeeking, region: Region, entries: Sequence[Entry]) -> list[Gauge]:
    """Return the chance of each next word as a bar beside its row, or in a frame that is high."""
    narrow, board = film.stage.is_narrow, film.board
    pitch = region.height / len(film.chances) if narrow else board.side
    size = float(np.clip(LINE * pitch / em_of(1), LEAST_SIZE, SPOKEN_SIZE))
    names = [Words("{}", name, size=size) for _, name, _ in entries]
    room = max(percentage(each, size).width for *_, each in entries)
    room = max(room, Words(COPIED, size=size).width)
    wide = min(region.width / 3, max(name.width for name in names))
    left, right = region.left + wide + GAP, region.right - room - GAP
    made = []
    for (row, _, chance), name in zip(entries, names, strict=True):
        middle = board.center_of(row, 0)[1]
        y = region.top - (row + 0.5) * pitch if narrow else float(middle)
        track = Region(left, right, y - pitch / 4, y + pitch / 4)
        made.append(Gauge(name.shrink_to(wide), chance, track, size))
    return made


def _arc(source: VMobject, goal: VMobject, edge: float, weight: float) -> ArcBetweenPoints:
    """Make an arc from a chip to one above it, bolder for a larger weight."""
    start, end = (np.array((edge, chip.get_center()[1], 0.0)) for chip in (source, goal))
    width = THIN_LINE + BOLD_LINE * float(weight) ** 0.5
    return ArcBetweenPoints(
        start, end, angle=np.pi, stroke_width=width, stroke_color=theme.color(VALUE)
    )


def told(what: str, when: str) -> VGroup:
    """Return what stands in the grid's cells, and when in the making."""
    lines = Words(what, size=HEADING_SIZE), Words(when, size=SPOKEN_SIZE, role=QUIET)
    return VGroup(*lines).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
