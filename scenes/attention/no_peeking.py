"""No peeking: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
from manim import CubicBezier, VGroup, VMobject
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.softmax import exponentials, past, shares, softmax
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.bars import Remeasure, Stack, percentage, said_percentage
from scenes.mobjects.fit import text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, Points, in_space, polygons
from scenes.mobjects.text import Formula, Glyphs, Number, TokenText, Words, called, em_of
from scenes.mobjects.tokens import Chip
from scenes.provenance import Value, total
from scenes.region import Region
from scenes.study import SHIPPED
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    LEAST_SIZE,
    NAMED_SIZE,
    QUICK,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import Appear, Become, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Verb

EM = em_of(1)
COPIED = "copied"
GRID_SHARE, SQUARE_SHARE = 0.66, 0.74  # of the stage, for the grid; the rest tells of it
WHOLE = 0.8  # scene units, how wide the stack of a row is
SUMS = 1.0  # scene units beside the grid, for the sums of its rows
NAMES, BOWS = (0.2, 0.3), (0.28, 0.36)  # of an exam's width and the rest's, upright frames second
SIZES, BEFORE = (30, 24), (0.5, 0.25)  # of guesses, and scene units before their tracks
RIVALS = 5  # other next words that are shown, at most
FAITHFUL = 0.9  # who keeps more of every row hardly looks ahead
SURE = 0.5  # a guess with a larger chance
LIKELY = 0.25  # where no word has a larger chance, almost anything could come
CHIPS, LINE, STACKED = 0.55, 0.75, 0.27  # of the distance between rows, for ems: two beside, above
SPECK, AT_ONCE = 0.2, 1e-3  # of its size, by a dot that begins to grow; seconds
HEAD = np.array([(0, 0), (0.24, 0.11), (0.24, -0.11)])  # of an arrow to the left


class NoPeeking(Film):
    """Future cells become minus infinity so that training stays honest."""

    title = "No peeking"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 89
    poster_beat = "minus-infinity"
    needs = (THREE_TOKENS,)

    def observe(self) -> None:
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
        guessed = before_words(self.tokens) or range(len(self.chances))
        self.hardest = min(guessed, key=lambda pos: self.chances[pos].number)
        likely = np.argsort(-probs.array[self.hardest])[: 4 * RIVALS].tolist()
        answer, pieces = ids[self.hardest + 1], self.vocabulary(likely)
        words = (i for i in likely if i != answer and is_word(pieces.get(i, "")))
        self.likeliest = [(called(pieces[i]), probs[self.hardest, i].value) for i in words][:RIVALS]
        self.surest = probs[self.hardest, likely[0]].value
        self.poorest = 1 + int(np.argmin([left.number for left in self.left[1:]]))  # of two or more

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.hardest),
            "answer": self.name_of(self.hardest + 1),
            "percent": said_percentage(self.chances[self.hardest]),
            "poorest": self.name_of(self.poorest),
            "left": f"{self.left[self.poorest].number:.2f}",
            "exams": f"{len(self.chances)} honest guesses",
        }

    def circumstances(self) -> Mapping[str, bool]:
        is_ours, text = self.request.checkpoint == SHIPPED, self.trace.text
        return {
            **super().circumstances(),
            "foreseen": self.surest.number > LIKELY,
            "faithful": self.left[self.poorest].number > FAITHFUL,
            "read_before": is_ours and self.is_read(text),
        }

    def cast(self) -> None:
        is_squat = self.stage.is_narrow and self.stage.height < self.stage.width
        area, beside = self.stage.inset(HAIR).split(SQUARE_SHARE if is_squat else GRID_SHARE)
        self.board = board = AttentionGrid(self.tokens, area, beside=SUMS)
        self.exam = exam = Exam(self, self.under_title)
        self.guess = exam.guesses[self.hardest]
        self.weights, self.zeros = board.weights(self.open), board.weights(self.zeroed)
        self.shared, self.final = board.weights(self.repaired), board.weights(self.pattern)
        self.fills, self.hidden = board.fills(self.scores), board.numbers(self.masked)
        self.numbers = board.numbers(self.scores, on_fills=True)
        self.hatching = board.hatching(self.hidden)
        self.sums = board.sums([total(row) for row in self.open])
        named = board.queries[self.poorest], board.row(self.poorest), self.sums[self.poorest]
        self.ring = Ring(VGroup(*named), HAIR / 2)
        self.ring.stretch_to_fit_width(self.ring.width + HAIR)
        self.zero = Number(exponentials(self.masked)[0, 1].value, 0, HEADING_SIZE)
        self.power = Formula("$e^(-infinity) =$", HEADING_SIZE)
        self.divided = Words("\N{DIVISION SIGN} {:.2f}", self.left[self.poorest], size=TITLE_SIZE)
        self.afterwards = told("weights", "after softmax")
        self.before = told("scores", "before softmax")
        nothing = VGroup(self.power, self.zero).arrange(RIGHT, buff=GAP)
        over, under = self._beside(beside)
        for note in (nothing, self.afterwards, self.before):
            over.fit(note)
            note.align_to((over.left, 0, 0), LEFT)
            if not self.stage.is_narrow:
                under = replace(under, top=min(under.top, float(note.get_bottom()[1]) - GAP))
        weights, kept = self.open[self.poorest].values, self.pattern[self.poorest].values
        written = max(Number(weight, 2, NAMED_SIZE).width for weight in weights)
        room = under.width - 2 * WHOLE - written - 3 * GAP
        names = [
            TokenText(piece, text_size(self.tokens, room, SPOKEN_SIZE)) for piece in self.tokens
        ]
        self.whole = Stack(weights, under, names, width=WHOLE)
        ends = self.whole.column.right + max(name.width for name in names) + written + 3 * GAP
        self.again = Stack(kept, replace(under, left=min(ends, under.right - WHOLE)), width=WHOLE)
        self.divided.move_to((self.again.column.left, self.again.column.center[1], 0), LEFT)
        self.stage.hold(self.divided)
        self.lens = Ring(board.cell(0, len(self.tokens) - 1))
        layers = self.weights, self.zeros, self.shared, self.numbers, self.hidden, self.final
        self.stand(self.fills, board.faces, board.keys, self.hatching, *layers, *self.sums)
        self.stand(self.ring, self.lens, exam, self.power, self.zero, self.divided)
        self.stand(self.afterwards, self.before, self.whole, self.again)

    @beat(
        "What comes after {asker}? | Almost anything could. | The model gives {answer} {percent}.",
        foreseen="What comes after {asker}? | Some words are likelier than others. "
        "| The model gives {answer} {percent}.",
    )
    def the_next_word(self) -> Shown:
        exam, at = self.exam, self.hardest
        tracks = Flow(Fade(each.track, to=1.0) for each in (self.guess, *exam.rivals))
        yield Appear(*exam.chips[: at + 1], exam.mark), tracks
        rivals = (Together(each.open(), each.tell()) for each in exam.rivals)
        yield Pulse(exam.mark, run_time=STEADY), Flow(rivals, STEADY)
        yield self.guess.open(), self.guess.tell(), verbs.Dim(*exam.rivals)

    @beat(
        "But in training it reads the whole text at once: | the answer is there. | "
        "It needn't guess: | it only has to copy."
    )
    def the_answer_is_there(self) -> Shown:
        exam, guess, at = self.exam, self.guess, self.hardest
        answered = Then(Disappear(exam.mark), Appear(exam.chips[at + 1]))
        yield answered, Flow(map(Appear, exam.chips[at + 2 :]))
        yield Appear(exam.ring), Pulse(exam.chips[at + 1], run_time=STEADY)
        yield Disappear(guess.number, *exam.rivals), guess.fill(guess.value.number, 0)
        yield Then(Disappear(guess.word, run_time=HAIR), exam.copy_to(at))

    @beat(
        "Every word could cheat like that, | helped by all that follow. | "
        "A perfect score, and nothing learned: | these arrows must go."
    )
    def every_word_could_cheat(self) -> Shown:
        exam, others = self.exam, [row for row in self._rows()[:-1] if row != self.hardest]
        yield Disappear(exam.ring), Flow(map(exam.copy_to, others), SLOW)
        rest = ([exam.arcs[row, key] for key in self._rows()[row + 2 :]] for row in self._rows())
        first, *fans = (verbs.Draw(*fan) for fan in rest if fan)
        yield Then(first, Flow(fans, STEADY))
        yield verbs.Dim(exam.peeks, exam.heads), Flow(map(Pulse, exam.copied), STEADY)
        yield verbs.Undim(exam.peeks, exam.heads), Flow(map(Pulse, exam.heads), STEADY)

    @beat(
        "In the grid of weights, | each arrow is a cell right of the diagonal, | "
        "and each row adds up to one."
    )
    def arrows_are_cells(self) -> Shown:
        board, exam = self.board, self.exam
        named = map(
            Become, (chip.label for chip in exam.chips), (name[0] for name in board.queries)
        )
        plates = Disappear(*(chip.plate for chip in exam.chips), *exam.guesses, *exam.copied)
        moved = (Become(arc, self._at_grid(*at)) for at, arc in exam.arcs.items())
        grid = Fade(board.faces, board.keys, to=1.0, run_time=STEADY)
        note = Appear(self.afterwards)
        yield Disappear(exam.heads), plates, *named, *moved, grid, Then(Hold(), note)
        alone, *others = (self._enter(q, k) for q, k in self._future())
        yield Then(alone, Flow(others, SLOW))
        past = [each for query in self._rows() for each in self.weights.past(query)]
        grown = Flow((Appear(each, scale=SPECK) for each in past), STEADY)
        yield Then(grown, Flow(map(Appear, self.sums)))

    @beat(
        "Cut them here, after softmax: | set them to zero, one by one. | "
        "Now the rows fall short of one: | that of {poorest} keeps {left}.",
        faithful="Cut them here, after softmax: | set them to zero, one by one. | "
        "This head hardly looks ahead, so its rows lose little: | that of {poorest} keeps {left}.",
    )
    def set_the_future_to_zero(self) -> Shown:
        yield (
            Appear(self.ring, scale=1.0),
            Pulse(self.afterwards),
            Then(Hold(), self._stack_up(self.whole, self.weights), Appear(*self._labels(0))),
        )
        yield Flow((self._cut(row) for row in self._rows()), 2 * SLOW)
        yield Flow((Pulse(number) for number in self.sums), STEADY)
        yield Pulse(self.sums[self.poorest], *self._labels(0), run_time=STEADY)

    @beat(
        "Dividing by what is left, | here by {left}, | repairs every row. "
        "| But it's a second step, | and with nothing left, it would divide by zero."
    )
    def share_out_again(self) -> Shown:
        others = [row for row in self._rows() if row != self.poorest]
        yield Flow(map(Pulse, self.sums), STEADY)
        yield Appear(self.divided), Pulse(self.sums[self.poorest], run_time=STEADY)
        shared = self.repaired[self.poorest].values
        filled = Together(Remeasure(self.whole, shared), self._repair(self.poorest))
        yield Then(filled, Flow(map(self._repair, others), STEADY))
        yield Pulse(self.divided, run_time=STEADY)
        zeros = (Pulse(self.zeros.future(row)) for row in self._rows()[:-1])
        yield Flow(zeros, STEADY), Then(Hold(SLOW), Disappear(self.divided))

    @beat(
        "Better go back to the scores, | before softmax, | "
        "and wherever the key comes later, write minus infinity. | This is the causal mask."
    )
    def minus_infinity(self) -> Shown:
        back = (self._go_back(row) for row in self._rows())
        gone = Disappear(self.ring, *self.sums, self.afterwards)
        yield gone, verbs.Dim(self.whole), Flow(back, SLOW)
        yield Appear(self.before, run_time=STEADY)
        yield Flow((self._hide(q, k) for q, k in self._future()), 2 * SLOW)
        yield Flow((Pulse(self.hidden.future(row)) for row in self._rows()[:-1]), STEADY)

    @beat(
        "E to the minus infinity is zero, | so one softmax does it all: "
        "| the same shares as before, | in one step that never divides by zero."
    )
    def softmax_makes_zeros(self) -> Shown:
        taken, given = (each.cell(0, len(self.tokens) - 1) for each in (self.hidden, self.final))
        seen = Together(Disappear(self.before), Appear(self.lens))
        worked = Together(Appear(self.power), Pulse(taken)), Appear(self.zero)
        yield Then(seen, *worked, Disappear(taken, run_time=HAIR), Appear(given))
        sums = zip(self.sums, map(total, self.pattern), strict=True)
        full = [verbs.Count(number, value, AT_ONCE) for number, value in sums]
        summed = Then(Hold(STEADY), Flow((Fade(each, to=1.0) for each in self.sums), SLOW))
        yield Disappear(self.lens), Flow(map(self._weigh, self._rows()), SLOW), *full, summed
        again = self._stack_up(self.again, self.final)
        yield Fade(self.ring, to=1.0), verbs.Undim(self.whole), Then(Hold(), again)
        labels = Pulse(*self._labels(0)[: 2 * self.poorest + 2], run_time=STEADY)
        yield labels, Then(Hold(STEADY), Flow(map(Pulse, self.sums), STEADY))

    @beat(
        "Back in the sentence, | nobody can copy: | every guess is the model's own. "
        "| {asker} gives {answer} {percent} again: | {exams}, in a single pass.",
        read_before="Back in the sentence, | nobody can copy. | Some guesses are fairly sure: "
        "it read this very text in training. | But {asker} gives {answer} {percent} again: "
        "| {exams}, in a single pass.",
    )
    def honest_guesses(self) -> Shown:
        exam, board, guess, at = self.exam, self.board, self.guess, self.hardest
        others = [each for each in exam.guesses if each is not guess]
        said = self.power, self.zero, *self.sums, self.ring, self.whole, self.again
        left = (self.final.rows[row][row:] for row in self._rows())
        places = [look.copy() for look in exam.looks.values()]
        rows = map(self._leave, self._rows()[1:])
        yield Disappear(*said, self.hatching, *left), Then(Hold(), Flow(rows, STEADY))
        home = map(Become, (chip.label for chip in exam.chips), exam.labels)
        moved = map(Become, exam.looks.values(), places)
        there = Appear(*(chip.plate for chip in exam.chips), exam.note, exam.feet, scale=1)
        yield Disappear(board.faces, board.keys), *home, *moved, Then(Hold(STEADY), there)
        blue = (verbs.Recolor(each.bar, role=theme.POSITIVE) for each in exam.guesses)
        opened = Together(*blue, Flow((each.open() for each in exam.guesses), QUICK))
        sure = [each.number for each in others if each.value.number > SURE]
        own = Flow((each.tell() for each in others), STEADY)
        yield opened, Then(Hold(), own, Flow(map(Pulse, sure)))
        aside = [*others, exam.feet, *(look for (_, row), look in exam.looks.items() if row != at)]
        yield Then(guess.tell(), Together(Appear(exam.answer), verbs.Dim(*aside)))
        yield verbs.Undim(*aside), Flow((Pulse(each.number) for each in exam.guesses), STEADY)

    def _beside(self, region: Region) -> tuple[Region, Region]:
        """Return where the grid's name stands beside the grid, and where the stack of a row."""
        if self.stage.is_narrow:
            return region.lowered(GAP).columns(0.44)
        faces = self.board.faces
        room = replace(region, left=float(self.ring.get_right()[0]) + GAP)
        top, low = float(faces.get_top()[1]), float(faces.get_bottom()[1])
        return replace(room, bottom=top), replace(room, top=top, bottom=low)

    # The grid, row by row

    def _rows(self) -> range:
        return range(len(self.tokens))

    def _future(self) -> list[tuple[int, int]]:
        """Return the (query, key) of every cell whose key comes later, row by row."""
        return [(query, key) for query in self._rows() for key in self._rows() if key > query]

    def _at_grid(self, query: int, key: int, weight: float = -1.0) -> VMobject:
        """Return the arrow from a key to a query where their rows begin."""
        edges = [(self.board.origin[0], self.board.center_of(row, 0)[1]) for row in self._rows()]
        return arrow(np.array(edges), query, key, self.exam.reach, weight)

    def _lying(self, arrow: VMobject, query: int, key: int) -> VMobject:
        """Return an arrow that lies along a row, from the cell of a key to the row's beginning."""
        lying, start = arrow.copy(), self.board.center_of(query, -1) + self.board.side / 2 * RIGHT
        lying.points = np.linspace(self.board.center_of(query, key), start, len(arrow.points))
        return lying

    def _enter(self, query: int, key: int) -> Verb:
        """Return how an arrow lies down along its row up to its column, and becomes the weight."""
        arc, weight = self.exam.arcs[query, key], self.weights.cell(query, key)
        gone = Together(Disappear(arc), Appear(weight, scale=SPECK))
        return Then(Become(arc, self._lying(arc, query, key)), gone)

    def _leave(self, query: int) -> Verb:
        """Return how a row's weights become arrows along it, which rise to where rows begin."""
        arcs = [self.exam.looks[query, key] for key in range(query)]
        lain = [Become(arc, self._lying(arc, query, key), AT_ONCE) for key, arc in enumerate(arcs)]
        gone = Disappear(*self.final.past(query)), Fade(*arcs, to=1)
        weights = self.pattern.array[query]
        up = [Become(arc, self._at_grid(query, i, weights[i])) for i, arc in enumerate(arcs)]
        return Then(Together(lain), Together(gone), Together(up))

    def _cut(self, row: int) -> Verb:
        """Return how the weights of later keys become zero, and what is left of the row's sum."""
        old, new = self.weights.future(row), self.zeros.future(row)
        fallen = Then(Hold(QUICK), verbs.Count(self.sums[row], self.left[row], QUICK))
        cut = [*self.whole.shapes[row + 1 :], *self._labels(row + 1)] if row == self.poorest else []
        return Together(Disappear(*old, *cut), Flow(Appear(each) for each in new), fallen)

    def _labels(self, start: int) -> list[Glyphs]:
        """Return the names and numerals of the stack from a place on, where they are legible."""
        return [each for place in self._rows()[start:] for each in self.whole.labels(place)]

    def _stack_up(self, stack: Stack, weights: Entries) -> Verb:
        """Return how the weights of the row that loses most stack up to one."""
        row = weights.row(self.poorest)
        come = (
            Together(Pulse(weight), Appear(share, scale=1.0))
            for weight, share in zip(row, stack.shapes, strict=True)
        )
        return Together(Appear(stack.whole, scale=1.0), Flow(come, STEADY))

    def _go_back(self, row: int) -> Verb:
        """Return how the weights of a row give way to the scores that they were made of."""
        fills = (Appear(fill, scale=SPECK, run_time=STEADY) for fill in self.fills.row(row))
        gone = Together(map(shrink, self.weights.past(row)), Disappear(*self.zeros.future(row)))
        return Together(gone, *fills, Then(Hold(QUICK), Appear(*self.numbers.row(row))))

    def _repair(self, row: int) -> Verb:
        """Return the animation in which what is left of a row is shared out."""
        grown = [
            Become(old, new) if len(old.points) == len(new.points) else Disappear(old)
            for old, new in zip(self.weights.past(row), self.shared.past(row), strict=True)
        ]
        return Together(*grown, verbs.Count(self.sums[row], total(self.repaired[row])))

    def _hide(self, query: int, key: int) -> Verb:
        """Return the animation in which minus infinity takes the place of a score."""
        old = self.numbers.cell(query, key), self.fills.cell(query, key)
        new = self.hidden.cell(query, key), self.hatching.cell(query, key)
        return Then(Disappear(*old), Fade(*new, to=1.0))

    def _weigh(self, row: int) -> Verb:
        """Return the animation in which softmax makes weights of a row."""
        gone = Disappear(*self.numbers.past(row), *self.hidden.future(row))
        weights = (Appear(each, scale=SPECK) for each in self.final.row(row))
        return Together(gone, *map(shrink, self.fills.past(row)), Then(Hold(), Together(weights)))


class Exam(VGroup):
    """Tokens as chips, one under the other, what each looks at, and its guess of the next one.

    Parts: `chips`; `mark`, a question mark for the answer of the hardest guess, and `ring` around
    it; `peeks`, arrows from every later token to an earlier one, by (query, key) in `arcs`, with
    `heads`, one for each query; `looks`, as wide as the pattern's weights, from every earlier one,
    with `feet`; `guesses`, `rivals` of the hardest one, `copied`, words beside
    them, and `answer`, a ring around the hardest one; `note` says what the looks are.
    """

    def __init__(self, film: NoPeeking, region: Region) -> None:
        narrow, lanes = region.height > region.width, region.rows(len(film.tokens))
        small = self.is_small = region.is_narrow
        self.levels, pitch = [float(lane.center[1]) for lane in lanes], lanes[0].height
        wide, most = NAMES[small] * region.width, min(TITLE_SIZE, CHIPS * pitch / EM)
        size = text_size(film.tokens, wide - 2 * GAP, most)
        self.chips = [Chip(piece, max(size, LEAST_SIZE)) for piece in film.tokens]
        self.edge = region.left + max(chip.width for chip in self.chips) + HAIR
        for chip, level in zip(self.chips, self.levels, strict=True):
            chip.shift((self.edge - HAIR - chip.plate.get_right()[0], level, 0))
        bows, right = replace(region, left=self.edge).columns(BOWS[narrow])
        self.labels = [chip.label.copy() for chip in self.chips]
        self.reach = bows.width - 3 * HAIR
        self.mark = Words("?", size=HEADING_SIZE).move_to(self.chips[film.hardest + 1])
        self.ring = Ring(self.chips[film.hardest + 1])
        places = np.array([(self.edge, level) for level in self.levels])
        pairs, weights = list(combinations(range(len(places)), 2)), film.pattern.array
        self.arcs = {at: arrow(places, *at, self.reach) for at in pairs}
        self.looks = {(k, q): arrow(places, k, q, self.reach, weights[k, q]) for q, k in pairs}
        heads = [polygons((place + HEAD)[None]) for place in places]
        self.peeks = VGroup(*self.arcs.values())
        self.heads = VGroup(*(Filled(head, theme.VALUE) for head in heads[:-1]))
        self.feet = VGroup(*(Filled(head, theme.INK) for head in heads[1:]))
        own = [(row, film.name_of(row + 1), each) for row, each in enumerate(film.chances)]
        others = (row for row, *_ in own if row != film.hardest)
        rivals = [(row, *each) for row, each in zip(others, film.likeliest, strict=False)]
        every = self._gauges([*own, *rivals], right, stacked=narrow)
        self.guesses, self.rivals = every[: len(own)], every[len(own) :]
        self.copied = [Words(COPIED, size=each.size, role=theme.ACCENT) for each in self.guesses]
        for word, each in zip(self.copied, self.guesses, strict=True):
            word.next_to(each.track, *((DOWN, HAIR, LEFT) if narrow else (RIGHT, GAP, ORIGIN)))
        hardest = self.guesses[film.hardest]
        self.answer = Ring(VGroup(hardest.word, hardest.track, hardest.number), HAIR)
        self.note = Words("what this head looks at", size=NAMED_SIZE, role=theme.QUIET)
        self.note.move_to((self.edge, film.stage.top, 0), LEFT + UP)
        super().__init__(self.peeks, *self.looks.values(), self.heads, self.feet, *self.chips)
        self.add(self.mark, self.ring, *every, *self.copied, self.answer, self.note)

    def copy_to(self, row: int) -> Verb:
        """Return how the next word goes along its arrow into a guess, which is sure then."""
        guess = self.guesses[row]
        arc = self.arcs[row, row + 1]
        come = Then(Hold(), verbs.ComeFrom(guess.word, arc.point_from_proportion(0.5)))
        drawn = verbs.Draw(arc, self.heads[row], run_time=QUICK)
        told = verbs.Recolor(guess.bar, role=theme.ACCENT), Appear(self.copied[row])
        full = Together(Fade(guess.track, to=1), guess.fill(0, 1), *told)
        return Together(drawn, come, Then(Hold(QUICK), full))

    def _gauges(
        self, entries: Sequence[tuple[int, str, Value]], region: Region, *, stacked: bool
    ) -> list[Gauge]:
        """Return bars in rows, each of a word that may come next and of its chance."""
        pitch = self.levels[0] - self.levels[1]
        most, line = SIZES[self.is_small], STACKED if stacked else LINE
        size = float(np.clip(line * pitch / EM, LEAST_SIZE, most))
        names = [Words("{}", name, size=size) for _, name, _ in entries]
        room = max(percentage(each, size).width for *_, each in entries)
        room = max(room, Words(COPIED, size=size).width)
        wide = min(region.width / 3, max(name.width for name in names))
        left, right = region.left + wide + BEFORE[self.is_small], region.right - room - GAP - HAIR
        if stacked:
            left, right, wide = region.left, region.right - HAIR, region.width
        made, high = [], pitch / (10 if stacked else 4)
        for (row, _, chance), name in zip(entries, names, strict=True):
            track = Region(left, right, self.levels[row] - high, self.levels[row] + high)
            made.append(Gauge(name.shrink_to(wide), chance, track, size, stacked=stacked))
        return made


def arrow(places: Points, query: int, key: int, reach: float, weight: float = -1.0) -> VMobject:
    """Return an arrow without its head from a key to a query, the farther the wider it bows.

    It stands beside places (n, 2). With a weight it is as thick as that says.
    """
    far = reach * np.sqrt(abs(key - query) / (len(places) - 1)) * 4 / 3 * RIGHT
    end, start = in_space(places[[query, key]]) + HEAD[1, 0] * RIGHT  # free of heads
    curve = CubicBezier(start, start + far, end + far, end)
    thick = theme.THIN_LINE if weight < 0 else theme.THIN_LINE / 2 + 3 * theme.BOLD_LINE * weight
    return curve.set_stroke(theme.color(theme.VALUE if weight < 0 else theme.INK), thick)


def is_word(piece: str) -> bool:
    """Whether a token may be a whole word: a space and letters."""
    return piece.startswith(" ") and piece.strip().isalpha()


def before_words(pieces: Sequence[str]) -> list[int]:
    """Return the places of the tokens after which a whole word comes."""
    pairs = zip(pieces[1:], [*pieces[2:], ""], strict=True)
    return [at for at, (word, more) in enumerate(pairs) if is_word(word) and not more[:1].isalpha()]


def shrink(mobject: VMobject) -> Verb:
    """Let something shrink into its own middle."""
    return verbs.GoInto(mobject, mobject.get_center(), QUICK)


def told(what: str, when: str) -> VGroup:
    """Return what stands in the grid's cells, and when in the making."""
    lines = Words(what, size=HEADING_SIZE), Words(when, size=SPOKEN_SIZE, role=theme.QUIET)
    return VGroup(*lines).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
