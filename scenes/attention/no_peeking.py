"""No peeking: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from manim import ArcBetweenPoints, Rectangle, VGroup, VMobject
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.analysis.softmax import exponentials, past, shares, softmax
from scenes.camera import WHOLE
from scenes.film import SHIPPED, THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Number, Words, em_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import Value, total
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    LEAST_SIZE,
    POSITIVE,
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
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Recolor,
    Then,
    Together,
    Vary,
    Verb,
)

GRID_SHARE = 0.64  # of the stage, for the grid; the guesses stand beside or under it
SUMS = 1.0  # scene units beside the grid, for the sums of its rows
FAITHFUL = 0.9  # who keeps more of every row hardly looks ahead
SURE = 0.5  # a guess with a larger chance
LINE = 0.75  # of the distance between guesses, for their em
SPECK = 0.2  # of its size, by a dot that begins to grow


class NoPeeking(Film):
    """Future cells become minus infinity so that training stays honest.

    It begins with a guess that could be copied and ends with the model's own attention pattern.
    """

    title = "No peeking"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 80
    poster_beat = "minus-infinity"
    needs = (THREE_TOKENS,)

    def observe(self) -> None:
        """Find the hardest guess, what the head would look at, and who has least left without."""
        where = self.layer, self.head
        self.scores, self.masked = self.tensor("scores")[where], self.tensor("masked")[where]
        self.pattern = self.tensor("pattern")[where]
        self.open = softmax(self.scores)
        self.zeroed = past(self.open)
        self.left = [total(row) for row in self.zeroed]
        if not all(left.number for left in self.left):
            self.refuse(
                "In this head a token's weight is on later tokens alone, to the last digit that a "
                "computer has, and nothing is left to share out: choose another head."
            )
        self.repaired = shares(self.zeroed)
        probs, ids = self.tensor("probs"), self.trace.ids
        self.chances = [probs[pos, after].value for pos, after in enumerate(ids[1:])]
        self.after = range(1, len(self.tokens))  # the place of the answer to each prefix
        self.hardest = int(np.argmin([chance.number for chance in self.chances]))
        self.poorest = int(np.argmin([left.number for left in self.left]))

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say how sure the model is and what is left."""
        return {
            "asker": self.name_of(self.hardest),
            "answer": self.name_of(self.hardest + 1),
            "percent": f"{percent(self.chances[self.hardest])[:-1]} percent",
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
        self.cheats = [Guess(self, place, near) for place in range(len(self.chances))]
        self.guesses = [Guess(self, place, beside) for place in range(len(self.chances))]
        self.view = WHOLE.into(VGroup(exam, *self.cheats), self.under_title, 1.0)
        self.weights, self.zeros = board.weights(self.open), board.weights(self.zeroed)
        self.shared, self.final = board.weights(self.repaired), board.weights(self.pattern)
        self.fills, self.hidden = board.fills(self.scores), board.numbers(self.masked)
        self.numbers = board.numbers(self.scores, on_fills=True)
        self.hatching = board.hatching(self.hidden)
        self.sums = board.sums([total(row) for row in self.open])
        self.ring = Ring(self.sums[self.poorest], HAIR)
        zero = Number(exponentials(self.masked)[0, 1].value, 0, HEADING_SIZE)
        self.nothing = VGroup(Formula("$e^(-infinity) =$", HEADING_SIZE), zero)
        self.nothing.arrange(RIGHT, buff=GAP)
        self.afterwards = Words("weights, after softmax", size=HEADING_SIZE)
        self.before = Words("scores, before softmax", size=HEADING_SIZE)
        notes = self.nothing, self.afterwards, self.before
        for note in notes:
            beside.fit(note)
        layers = self.weights, self.zeros, self.shared, self.numbers, self.hidden, self.final
        self.stand(self.fills, board, self.hatching, *layers, *self.sums, self.ring, exam, *notes)
        self.stand(*self.cheats, *self.guesses)

    @beat(
        "What comes after {asker}? | Almost anything could. | The model gives {answer} {percent}."
    )
    def the_next_word(self) -> Shown:
        exam, guess, at = self.exam, self.cheats[self.hardest], self.hardest
        plates = Flow(Appear(chip.plate) for chip in exam.chips)
        seen = [chip.label for chip in exam.chips[: at + 1]]
        yield Together(plates, Then(Hold(QUICK), Flow(map(Appear, seen)), Appear(exam.mark)))
        yield Pulse(exam.mark, run_time=STEADY), Fade(guess.track, to=1.0)
        chance = self.chances[at].number
        yield guess.fill(0, chance), Appear(guess.answer, guess.number)

    @beat(
        "But in training it reads the whole text at once: | the answer is there. | "
        "It needn't guess: | it only has to copy."
    )
    def the_answer_is_there(self) -> Shown:
        exam, guess, at = self.exam, self.cheats[self.hardest], self.hardest
        yield Disappear(exam.mark), Flow(Appear(chip.label) for chip in exam.chips[at + 1 :])
        yield Appear(exam.ring), Pulse(exam.chips[at + 1], run_time=STEADY)
        yield Draw(exam.arc(at, at + 1))
        chance = self.chances[at].number
        yield guess.fill(chance, 1), Disappear(guess.number), Appear(guess.copied)

    @beat(
        "Every word could cheat like that, | from all that comes after it. | "
        "A perfect score, and nothing learned: | these arrows must go."
    )
    def every_word_could_cheat(self) -> Shown:
        exam, first = self.exam, self.exam.arc(self.hardest, self.hardest + 1)
        others = [guess for place, guess in enumerate(self.cheats) if place != self.hardest]
        words = Flow((Pulse(chip) for chip in exam.chips), SLOW)
        yield Disappear(exam.ring), words, Flow((each.cheat() for each in others), SLOW)
        arcs = (Draw(arc) for arc in exam.arcs if arc is not first)
        yield Pulse(first, run_time=STEADY), Flow(arcs, SLOW, gathering=True)
        yield Flow((Pulse(guess.copied) for guess in self.cheats), STEADY)
        yield Recolor(*exam.arcs, role=ACCENT, run_time=STEADY)

    @beat(
        "In the grid of weights, | each arrow is a cell right of the diagonal, | "
        "and each row adds up to one."
    )
    def arrows_are_cells(self) -> Shown:
        board, exam = self.board, self.exam
        yield (
            Together(Disappear(*self.cheats, *exam.chips), self.pull_back(STEADY)),
            Fade(board, to=1.0, run_time=STEADY),
            Then(Hold(STEADY), Appear(self.afterwards)),
        )
        yield Flow((self._enter(q, k) for q, k in self._future()), SLOW)
        past = [each for query in self._rows() for each in self.weights.past(query)]
        yield (
            Flow((Appear(each, scale=SPECK) for each in past), STEADY),
            Appear(*self.sums, run_time=STEADY),
        )

    @beat(
        "Cut them here, after softmax: | set them to zero, one by one. | "
        "Now the rows fall short of one: | {poorest} keeps {left}.",
        faithful="Cut them here, after softmax: | set them to zero, one by one. | "
        "This head hardly looks ahead, so its rows lose little: | {poorest} keeps {left}.",
    )
    def set_the_future_to_zero(self) -> Shown:
        yield Pulse(self.afterwards, run_time=STEADY)
        cells = [(self.weights.cell(q, k), self.zeros.cell(q, k)) for q, k in self._future()]
        cuts = (Together(Disappear(old), Appear(new, run_time=STEADY)) for old, new in cells)
        yield Flow(cuts, 2 * SLOW, gathering=True)
        counts = (Count(number, self.left[row]) for row, number in enumerate(self.sums))
        yield Flow(counts, STEADY)
        yield Appear(self.ring, run_time=STEADY)

    @beat(
        "Dividing by what is left repairs it: | a second step, | "
        "and where nearly all lay ahead, a division by almost nothing.",
        faithful="Dividing by what is left repairs it: | but that is a second step, | "
        "and a head that looked further ahead would divide by almost nothing.",
    )
    def share_out_again(self) -> Shown:
        others = [row for row in self._rows() if row != self.poorest]
        named = Flow((Pulse(number) for number in self.sums), STEADY)
        yield Then(named, Flow((self._repair(row) for row in others), STEADY))
        yield Pulse(self.ring, run_time=STEADY)
        yield self._repair(self.poorest)

    @beat(
        "Better go back to the scores, | before softmax, | "
        "and wherever the key comes later, write minus infinity."
    )
    def minus_infinity(self) -> Shown:
        gone = self.ring, *self.sums, self.weights, self.zeros, self.shared, self.afterwards
        come = (Fade(self.fills.row(q), self.numbers.row(q), to=1.0) for q in self._rows())
        yield Disappear(*gone), Then(Hold(QUICK), Flow(come, STEADY))
        yield Appear(self.before, run_time=STEADY)
        yield Flow((self._hide(q, k) for q, k in self._future()), 2 * SLOW)

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
        yield Disappear(self.nothing, *self.sums), opened
        sure = [guess.number for guess in others if guess.chance.number > SURE]
        own = Flow((guess.guess() for guess in others), STEADY)
        yield Then(own, Flow(map(Pulse, sure)))
        yield hardest.guess(), Pulse(hardest.answer)
        yield Flow((Pulse(guess.number) for guess in self.guesses), STEADY)

    # The grid, row by row

    def _rows(self) -> range:
        return range(len(self.tokens))

    def _future(self) -> list[tuple[int, int]]:
        """Return the (query, key) of every cell whose key comes later, row by row."""
        return [(query, key) for query in self._rows() for key in self._rows() if key > query]

    def _enter(self, query: int, key: int) -> Verb:
        """Return the animation in which an arrow becomes the weight in its cell."""
        arc, weight = self.exam.arc(query, key), self.weights.cell(query, key)
        cell = self.board.cell(query, key)
        return Together(GoInto(arc, cell), Then(Hold(STEADY / 2), Appear(weight, scale=SPECK)))

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


class Guess(VGroup):
    """How likely the model finds the true next token, as a bar beside the row of its prefix."""

    def __init__(self, film: NoPeeking, place: int, region: Region) -> None:
        self.chance = film.chances[place]
        pitch = region.height / len(film.chances) if film.stage.is_narrow else film.board.side
        size = float(np.clip(LINE * pitch / em_of(1), LEAST_SIZE, SPOKEN_SIZE))
        answers = [Words("{}", film.name_of(after), size=size) for after in film.after]
        numbers = [Words(f"{{:.{_decimals(each)}%}}", each, size=size) for each in film.chances]
        self.copied = Words("copied", size=size, role=ACCENT)
        self.answer, self.number = answers[place], numbers[place]
        wide = min(region.width / 3, max(each.width for each in answers))
        room = max(each.width for each in (self.copied, *numbers))
        y = region.top - (place + 0.5) * pitch
        if not film.stage.is_narrow:
            y = float(film.board.center_of(place, 0)[1])
        self.start = np.array((region.left + wide + GAP, y, 0.0))
        self.long, self.high = region.width - wide - room - 2 * GAP, 0.5 * pitch
        self.answer.shrink_to(wide).next_to(self.start, LEFT, buff=GAP)
        self.track, self.bar = Rectangle(), Rectangle()
        self.track.set_stroke(theme.color(QUIET), THIN_LINE)
        self.bar.set_stroke(width=0).set_fill(theme.color(POSITIVE), 1)
        super().__init__(self.answer, self.track, self.bar, self.number, self.copied)
        self.fill_to(1)
        self.track.points = self.bar.points.copy()
        for text in (self.number, self.copied):
            text.next_to(self.track, RIGHT, buff=GAP)

    def fill_to(self, share: float) -> None:
        """Let the bar fill a share of its track."""
        up, along = np.array((0.0, self.high / 2, 0.0)), self.long * max(share, 1e-3) * RIGHT
        foot = self.start - up
        corners = [foot, foot + along, foot + along + 2 * up, foot + 2 * up, foot]
        self.bar.set_points_as_corners(corners)

    def fill(self, start: float, end: float) -> Verb:
        """Return the animation in which the bar goes from one share to another."""
        return Together(Fade(self.bar, to=1.0, run_time=QUICK), Vary(self.fill_to, start, end))

    def open(self) -> Verb:
        """Return the animation in which the empty track comes in with its answer."""
        return Fade(self.answer, self.track, to=1.0)

    def cheat(self) -> Verb:
        """Return the animation in which the answer is copied."""
        return Together(self.open(), self.fill(0, 1), Then(Hold(QUICK), Appear(self.copied)))

    def guess(self) -> Verb:
        """Return the animation in which the model gives its own chance of the answer."""
        return Together(self.fill(0, self.chance.number), Appear(self.number))


def _arc(source: VMobject, goal: VMobject, edge: float, weight: float) -> ArcBetweenPoints:
    """Make an arc from a chip to one above it, bolder for a larger weight."""
    start, end = (np.array((edge, chip.get_center()[1], 0.0)) for chip in (source, goal))
    width = THIN_LINE + BOLD_LINE * float(weight) ** 0.5
    return ArcBetweenPoints(
        start, end, angle=np.pi, stroke_width=width, stroke_color=theme.color(VALUE)
    )


def _decimals(chance: Value) -> int:
    """Return how many decimals of a percentage show a first figure."""
    return int(np.clip(-np.floor(np.log10(max(100 * chance.number, 1e-9))), 0, 5))


def percent(chance: Value) -> str:
    """Return a chance as it is written: `3%`, `0.04%`."""
    return f"{chance.number:.{_decimals(chance)}%}"
