"""No peeking: what comes later is hidden before softmax."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.selection import is_whole_word
from scenes.analysis.softmax import exponentials, past, shares, softmax
from scenes.figures.exam import Exam, arrow
from scenes.film import THREE_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import WIDE_CELL, AttentionGrid, Entries, shrink
from scenes.mobjects.bars import said_percentage
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Number, Words, label_of
from scenes.narration import counted
from scenes.provenance import Tensor, Value, total
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, QUICK, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Become, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Verb


class NoPeeking(Film):
    """Future cells become minus infinity so that training stays honest."""

    title = "No peeking"
    prompt = "a creature roamed the verdant forest"
    seconds = 104
    poster_beat = "minus-infinity"
    needs = (THREE_TOKENS,)
    shows_windows = True

    def observe(self) -> None:
        where = self.layer, self.head
        self.scores, self.masked = self.tensor("scores")[where], self.tensor("masked")[where]
        self.pattern, self.open = self.tensor("pattern")[where], softmax(self.scores)
        self.zeroed = past(self.open)
        self.left = list(map(total, self.zeroed))
        if not all(left.number for left in self.left):
            self.refuse(
                "In this head a token's shares are on later tokens alone, to the last digit that a "
                "computer has, and nothing is left to share out: choose another head."
            )
        self.repaired = shares(self.zeroed)
        probs, ids = self.tensor("probs"), self.trace.ids
        self.chances = [probs[pos, after].value for pos, after in enumerate(ids[1:])]
        parts = [not is_whole_word(self.tokens, at) for at in range(1, len(ids))]  # of words
        self.hardest = min(range(len(parts)), key=lambda at: (parts[at], self.chances[at].number))
        likely = np.argsort(-probs.array[self.hardest])[: 8 * RIVALS].tolist()
        answer, pieces = ids[self.hardest + 1], self.vocabulary(likely)
        words = (i for i in likely if i != answer and is_whole_word(["", pieces.get(i, "")], 1))
        shown = list(words)[: min(RIVALS, len(ids) - 2)]
        named = [(label_of(pieces[i]), probs[self.hardest, i].value) for i in shown]
        self.likeliest = [*named, (REST, total(probs[self.hardest]))]
        self.surest = probs[self.hardest, likely[0]].value
        self.window = self.traits.window or len(ids)
        self.poorest = 1 + int(np.argmin([each.number for each in self.left[1 : self.window]]))
        self.form = ".2f" if self.left[self.poorest].number >= 0.01 else ".2g"

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.hardest),
            "answer": self.name_of(self.hardest + 1),
            "percent": said_percentage(self.chances[self.hardest]),
            "poorest": self.name_of(self.poorest),
            "left": format(self.left[self.poorest].number, self.form),
            "exams": f"{len(self.chances)} honest guesses",
            "window": f"a window of {counted(self.window, 'token')}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        return {
            **super().circumstances(),
            "foreseen": self.surest.number > LIKELY,
            "faithful": self.left[self.poorest].number > FAITHFUL,
            "windowed": self.window < len(self.tokens),
        }

    def cast(self) -> None:
        is_squat = self.stage.is_narrow and self.stage.height < self.stage.width
        area, beside = self.stage.inset(HAIR).split(SQUARE_SHARE if is_squat else GRID_SHARE)
        self.board = board = AttentionGrid(
            self.tokens, area, beside=SUMS, widest=WIDE_CELL, least_cell=CELLS
        )
        answers = [(label_of(self.tokens[row + 1]), each) for row, each in enumerate(self.chances)]
        bets = answers, self.likeliest
        self.exam = exam = Exam(self.tokens, *bets, self.under_title, hardest=self.hardest)
        exam.head(self.stage)
        self.guess, at = exam.guesses[self.hardest], self.poorest
        tables = self.open, self.zeroed, self.repaired, self.pattern
        self.weights, self.zeros, self.shared, self.final = map(self._dots, tables)
        for row in self._rows():
            self.weights.future(row).set_fill(theme.color(theme.ACCENT))
        self.stairs = board.stairs()
        self.numbers, self.hidden = board.numbers(self.scores), board.numbers(self.masked)
        for query, key in self._closed():
            large = self.hidden.cell(query, key).set_role(theme.ACCENT)
            large.scale(min(LARGER, ROOMY * board.wide / large.width))
        self.sums = board.sums([total(row) for row in self.open])
        self.ring = Ring(board.queries[at], HAIR)
        asked, asks = board.column(self.hardest + 1), board.row(self.hardest)
        self.look = Ring(asks, role=theme.QUERY), Ring(asked, role=theme.KEY)
        self.lens = Ring(VGroup(*board.row(at)[at + 1 :]), role=theme.INK)
        self.zero = Number(exponentials(self.masked)[at, at + 1].value, 0, HEADING_SIZE)
        self.power = Formula("$e^(-infinity) =$", HEADING_SIZE)
        self.afterwards = told("shares", "after softmax")
        self.before = told("scores", "before softmax")
        nothing = VGroup(self.power, self.zero).arrange(RIGHT, buff=GAP)
        over, under = self._beside(beside)
        nothing.next_to(board.row(at), UP, buff=2 * GAP)
        for note in (self.afterwards, self.before):
            over.fit(note)
            note.align_to((over.left, 0, 0), LEFT)
            if not self.stage.is_narrow:
                under = replace(under, top=min(under.top, float(note.get_bottom()[1]) - GAP))
        self.mask = Words("causal mask", size=theme.TITLE_SIZE, role=theme.ACCENT)
        self.mask.move_to(self.before[1], LEFT)
        self._tell_of_row(under)
        layers = self.weights, self.zeros, self.shared, self.numbers, self.hidden, self.final
        self.stand(board.faces, board.keys, *layers)
        self.stand(self.stairs, *self.look, *self.sums, self.ring, self.lens, exam, *nothing)
        self.stand(self.afterwards, self.before, self.mask, self.divided)

    @beat(
        "How do you keep a model from peeking? | Let it guess what comes after {asker}. "
        "Almost anything could. | And {answer}, which does come next, gets {percent}.",
        foreseen="How do you keep a model from peeking? | Let it guess what comes after {asker}. "
        "Some words are likelier. | And {answer}, which does come next, gets {percent}.",
    )
    def the_next_word(self) -> Shown:
        exam, guess = self.exam, self.guess
        bets = (each.open() for each in (guess, *exam.rivals))
        names = Flow(map(Together, bets, map(verbs.Draw, exam.ways)))
        yield Appear(*exam.chips[: self.hardest + 1], exam.mark), names
        told = Flow((each.tell() for each in exam.rivals), STEADY)
        yield Pulse(exam.mark, run_time=STEADY), Appear(exam.next), told
        asked = Together(verbs.Dim(*exam.rivals, *exam.ways[1:]), Pulse(guess.word))
        yield Then(asked, guess.tell(), Pulse(guess.number))

    @beat(
        "But training reads the whole text at once, | guessing each word: the answer is there. "
        "| It only has to copy, and is never wrong."
    )
    def the_answer_is_there(self) -> Shown:
        exam, guess, at = self.exam, self.guess, self.hardest
        cleared = Disappear(exam.mark, *exam.ways, *exam.rivals)
        yield Then(cleared, Flow(map(Appear, exam.chips[at + 1 :]), STEADY))
        yield Appear(exam.ring), Pulse(exam.chips[at + 1], run_time=STEADY)
        gone = Disappear(guess.number, guess.word), guess.fill(guess.value.number, 0)
        yield Then(Together(*gone, Appear(exam.supposed)), exam.copy_to(at))

    @beat(
        "Every word could cheat like that: | every guess right, | and nothing learned. "
        "| So no word may look ahead."
    )
    def every_word_could_cheat(self) -> Shown:
        exam = self.exam
        yield Disappear(exam.ring), exam.help()
        yield exam.compare()
        yield verbs.Dim(*exam.guesses, *exam.copied, exam.next, exam.supposed)
        yield Flow(map(Appear, exam.stops), SLOW)

    @beat(
        "Rows take, columns give: | this arrow is this cell, and the dot, the share it takes. | "
        "All that's taken from ahead lies right of the diagonal."
    )
    def arrows_are_cells(self) -> Shown:
        point, follow, back = self._follow()
        yield Then(self._lay_on_grid(), *point)
        yield follow
        others = Then(*map(self._enter, self._rows()[:-1])).within(ROWS)
        yield back, Appear(self.afterwards), Then(others, verbs.Draw(self.stairs))

    @beat(
        "But looking back takes shares, too, in blue: | softmax makes each row, blue and pink, "
        "| add up to one."
    )
    def each_row_adds_up(self) -> Shown:
        past = [each for query in self._rows() for each in self.weights.past(query)]
        grown = Flow((Appear(each, scale=SPECK) for each in past), STEADY)
        yield grown
        aside = [each for row in self._others() for each in self.weights.row(row)]
        yield verbs.Dim(*aside), self._add_slowly()
        yield verbs.Undim(*aside), Flow((Appear(self.sums[i]) for i in self._others()), STEADY)

    @beat(
        "Cut them here, after softmax, | to zero, one by one. | "
        "Rows lose what later words had: | that of {poorest} keeps {left}.",
        faithful="Cut them here, after softmax, | to zero, one by one. | "
        "This head hardly looks ahead, so its rows lose little: | that of {poorest} keeps {left}.",
    )
    def set_the_future_to_zero(self) -> Shown:
        yield Appear(self.ring, scale=1.0), Then(Hold(), Pulse(self.afterwards))
        yield self._cut_slowly()
        yield Flow(map(self._cut, self._others()), SLOW)
        own = self.sums[self.poorest]
        yield verbs.Dim(*(each for each in self.sums if each is not own)), Then(Hold(), Pulse(own))

    @beat(
        "Divide each share by what is left: | all that stay stretch to one. | And so in every row. "
        "| But why give later words a share, only to take it back?"
    )
    def share_out_again(self) -> Shown:
        rows, kept = self._rows(), self.weights.past(self.poorest)
        yield Then(Disappear(self.afterwards), Appear(self.divided), Pulse(self.divided, *kept))
        yield self._repair(self.poorest, SLOW)
        others = Flow((self._repair(row) for row in self._others()), STEADY)
        gone = Disappear(self.divided, self.ring)
        yield Then(Together(gone, verbs.Undim(*self.sums)), others)
        aside = *map(self.weights.past, rows), *map(self.shared.past, rows), *self.sums
        later = map(self.zeros.future, rows[:-1])
        lit = (Together(Pulse(*each), verbs.Recolor(*each, role=theme.ACCENT)) for each in later)
        yield verbs.Dim(*aside), Flow(lit, SLOW)

    @beat(
        "Better go back to the scores | that softmax makes shares of. | For every later word, "
        "write minus infinity, | row by row. | This is the causal mask.",
        windowed="Better go back to the scores | that softmax makes shares of. | For later words, "
        "write minus infinity, | and for what {window} leaves behind. | This is the causal mask, "
        "here a band.",
    )
    def minus_infinity(self) -> Shown:
        zeros = (zero for row in self._rows() for zero in self.zeros.future(row))
        gone = Disappear(*zeros, *self.sums, self.ring)
        yield gone, Then(Hold(QUICK), Appear(self.before), Pulse(self.before))
        yield Flow(map(self._go_back, self._rows()), SLOW)
        closed = [self._hide(*at) for at in self._closed()]
        recolored = verbs.Recolor(self.stairs, role=theme.ACCENT)
        yield recolored, Flow(closed[: len(self.tokens) - 1], SLOW)
        yield Flow(closed[len(self.tokens) - 1 :], SLOW)
        yield Disappear(self.before[1]), Then(Hold(QUICK), Appear(self.mask), Pulse(self.mask))

    @beat(
        "E to the minus infinity is zero, | so later words get none. "
        "| One softmax does it all, in every row: | the same shares, in one step.",
        windowed="E to the minus infinity is zero, | so what is hidden gets nothing. "
        "| One softmax does it all, in every row: | all shares, in one step.",
    )
    def softmax_makes_zeros(self) -> Shown:
        at, board = self.poorest, self.board
        others = self._scored(self._others(), masked=True)
        away = Disappear(self.before[0], self.mask, self.stairs, board.keys, *others)
        closer = self.zoom_into(VGroup(board.queries[at], board.row(at)), run_time=STEADY)
        asked = Together(Appear(self.power), Pulse(*self.hidden.future(at)))
        yield Then(away, closer, Appear(self.lens), asked, Appear(self.zero))
        both = zip(self.hidden.future(at), self.final.future(at), strict=True)
        taken = (Then(Disappear(old), Together(Fade(new, to=1.0), Pulse(new))) for old, new in both)
        yield Pulse(self.zero), Then(Flow(taken, SLOW), self._weigh(at, at + 1))
        back = Appear(board.keys, self.stairs, *others, scale=1.0)
        sums = zip(self.sums, map(total, self.pattern), strict=True)
        full = [verbs.Count(number, value, AT_ONCE) for number, value in sums]
        left = Disappear(self.lens, self.power, self.zero, run_time=QUICK / 2)
        gone = Then(left, self.pull_back(STEADY), Together(back, *full))
        summed = Flow((Fade(each, to=1.0) for each in self.sums), STEADY)
        yield Then(gone, Flow(map(self._weigh, self._others()), SLOW), summed)
        same = Flow((Pulse(each) for each in (*self.final.past(at), self.sums[at])), STEADY)
        yield Fade(self.ring, to=1.0), Then(Hold(), same, Appear(self.afterwards))

    @beat(
        "Back in the sentence, nobody peeks: | {asker} gives {answer} {percent} again. | "
        "Every other guess is the model's own, too: | {exams}, in one reading."
    )
    def honest_guesses(self) -> Shown:
        exam, board = self.exam, self.board
        said = *self.sums, self.ring, self.stairs, self.afterwards
        home = map(Become, (chip.label for chip in exam.chips), exam.labels)
        there = *(chip.plate for chip in exam.chips), exam.next
        left = Disappear(*said, self.final, board.faces, board.keys)
        yield Then(left, Together(*home), Appear(*there, scale=1.0))
        own = Together(Pulse(exam.chips[self.hardest]), self.guess.open())
        yield Then(own, self.guess.tell(), Pulse(self.guess.number))
        yield exam.guess_honestly()
        yield exam.compare()

    def _tell_of_row(self, region: Region) -> None:
        """Say what the row that loses most is divided by, beside its sum."""
        left = self.left[self.poorest]
        self.divided = Words(f"each divided by {{:{self.form}}}", left, size=HEADING_SIZE)
        region.fit(self.divided)
        if not self.stage.is_narrow:
            self.divided.align_to((region.left, 0, 0), LEFT).match_y(self.sums[self.poorest])

    def _beside(self, region: Region) -> tuple[Region, Region]:
        """Return where the grid's name stands beside the grid, and where a row is told of."""
        if self.stage.is_narrow:
            return region.lowered(GAP).columns(0.44)
        faces = self.board.faces
        room = replace(region, left=float(VGroup(*self.sums).get_right()[0]) + 2 * GAP)
        top, low = float(faces.get_top()[1]), float(faces.get_bottom()[1])
        over = replace(room, bottom=min(top, room.top - self.afterwards.height))
        return over, replace(room, top=top, bottom=low)

    def _rows(self) -> range:
        return range(len(self.tokens))

    def _others(self) -> list[int]:
        return [row for row in self._rows() if row != self.poorest]

    def _closed(self) -> list[list[int]]:
        """Return the query and key of every cell that the mask closes, row by row."""
        return np.argwhere(np.isinf(self.masked.array)).tolist()

    def _scored(self, rows: Sequence[int], *, masked: bool = False) -> list[VMobject]:
        """Return all that stands in some rows of scores, before the mask comes or after that."""
        closed = self._closed() * masked
        found: list[VMobject] = [self.exam.chips[row].label for row in rows]
        found += map(self.board.row, rows)
        for at in ([row, key] for row in rows for key in self._rows()):
            found.append((self.hidden if at in closed else self.numbers).cell(*at))
        return found

    def _at_grid(self, query: int) -> VMobject:
        """Return the arrow from the next token to a query where their rows begin."""
        edges = [(self.board.origin[0], self.board.center_of(row, 0)[1]) for row in self._rows()]
        return arrow(np.array(edges), query, query + 1, self.exam.reach)

    def _lying(self, arrow: VMobject, query: int, key: int) -> VMobject:
        """Return an arrow that lies along a row, from the cell of a key to the row's beginning."""
        lying, start = arrow.copy(), self.board.center_of(query, -0.5)
        lying.points = np.linspace(self.board.center_of(query, key), start, len(arrow.points))
        return lying

    def _lay_on_grid(self) -> Verb:
        """Return how words and arrows come to a grid, of which the words become rows."""
        board, exam = self.board, self.exam
        labels = [chip.label for chip in exam.chips], [name[0] for name in board.queries]
        plates = (chip.plate for chip in exam.chips)
        said = *exam.guesses, *exam.copied, *exam.stops, exam.next, exam.supposed
        moved = (Become(arc, self._at_grid(row)) for row, arc in enumerate(exam.arcs))
        heads = enumerate(exam.heads)
        ways = ((board.center_of(row, -0.5) - head.get_left(), head) for row, head in heads)
        pointed = (verbs.Shift(head, by=way) for way, head in ways)
        grid = Fade(board.faces, board.keys, to=1.0, run_time=STEADY)
        left = Disappear(*plates, *said)
        return Then(left, Together(*map(Become, *labels), *moved, *pointed, grid, exam.empty()))

    def _follow(self) -> tuple[list[Verb], Verb, Verb]:
        """Return how a row and a column are ringed, an arrow becomes their cell, all is back."""
        arcs, at = self.exam.arcs, (self.hardest, self.hardest + 1)
        head = self.exam.heads[at[0]]
        rows, columns = [chip.label for chip in self.exam.chips], [*self.board.keys]
        who, whom = rows.pop(at[0]), columns.pop(at[1])
        others = [part for part in (*arcs, *self.exam.heads) if part not in (arcs[at[0]], head)]
        row = Together(verbs.Dim(*rows), Disappear(*others), Pulse(who), Appear(self.look[0]))
        column = Together(verbs.Dim(*columns), Pulse(whom), Appear(self.look[1]))
        grown = Appear(self.weights.cell(*at), scale=SPECK, run_time=STEADY)
        down = Become(arcs[at[0]], self._lying(arcs[at[0]], *at))
        gone = arcs[at[0]], head, *self.look
        back = Disappear(*gone), verbs.Undim(*rows, *columns)
        return [row, column], Then(down, Together(grown, Pulse(who, whom))), Together(back)

    def _enter(self, query: int) -> Verb:
        """Return how a row's arrow lies down along it up to its cell; its weights come."""
        arc, head = self.exam.arcs[query], self.exam.heads[query]
        near, *others = self.weights.future(query)
        come = [Appear(each, scale=SPECK) for each in others]
        if query == self.hardest:
            return Flow(come, QUICK)
        seen = Fade(arc, head, to=1.0, run_time=QUICK / 2)
        down = Become(arc, self._lying(arc, query, query + 1))
        gone = Disappear(arc, head, run_time=QUICK / 2), Appear(near, scale=SPECK)
        return Then(seen, down, Together(*gone, Flow(come, QUICK)))

    def _dots(self, weights: Tensor) -> Entries:
        """Return the dots of weights, blue as patterns are; zeros of later keys stay numerals."""
        made = self.board.weights(weights)
        for row in self._rows():
            made.past(row).set_fill(theme.color(theme.POSITIVE))
            for zero in (each for each in made.future(row) if isinstance(each, Number)):
                zero.set_role(theme.INK).scale(LARGER ** (not self.stage.is_narrow))
        return made

    def _add_slowly(self) -> Verb:
        """Return how all weights of the row that loses most are added up, one by one."""
        row, own = self.weights.row(self.poorest), self.sums[self.poorest]
        so_far = [*accumulate(self.open[self.poorest].values)][:-1]
        begun = [verbs.Count(own, so_far[0], AT_ONCE), Appear(own, run_time=QUICK)]
        ends = [*so_far[1:], total(self.open[self.poorest])]
        added = (verbs.Count(own, end, QUICK) for end in ends)
        first, *others = map(Pulse, row)
        steps = map(Together, others, added)
        return Then(Together(first, Then(*begun)), *steps).within(2 * SLOW)

    def _cut(self, row: int) -> Verb:
        """Return how the weights of later keys become zero, and what is left of the row's sum."""
        fallen = verbs.Count(self.sums[row], self.left[row], QUICK)
        new = Flow(Appear(each) for each in self.zeros.future(row))
        return Together(Disappear(*self.weights.future(row)), new, fallen)

    def _cut_slowly(self) -> Verb:
        """Return how later weights of the row that loses most go one by one."""
        row, left = self.poorest, total(self.open[self.poorest])
        steps = []
        for key in self._rows()[row + 1 :]:
            left = left - self.open[row, key].value
            gone = Disappear(self.weights.cell(row, key)), Appear(self.zeros.cell(row, key))
            steps.append(Then(*gone, verbs.Count(self.sums[row], left, QUICK)))
        rest = verbs.Count(self.sums[row], self.left[row], AT_ONCE)
        return Then(*steps, rest).within(2 * SLOW)

    def _go_back(self, row: int) -> Verb:
        """Return how the weights of a row give way to the scores that they were made of."""
        numbers = Then(Hold(QUICK), Appear(*self.numbers.row(row)))
        return Together(map(shrink, self.weights.row(row)), numbers)

    def _repair(self, row: int, time: float = STEADY) -> Verb:
        """Return the animation in which what is left of a row is shared out."""
        both = zip(self.weights.past(row), self.shared.past(row), strict=True)
        grown = (
            Become(a, b, time) if len(a.points) == len(b.points) else Disappear(a) for a, b in both
        )
        return Together(*grown, verbs.Count(self.sums[row], total(self.repaired[row]), time))

    def _hide(self, query: int, key: int) -> Verb:
        """Return the animation in which minus infinity takes the place of a score."""
        old, new = self.numbers.cell(query, key), self.hidden.cell(query, key)
        return Then(Disappear(old), Appear(new))

    def _weigh(self, row: int, end: int | None = None) -> Verb:
        """Return the animation in which softmax makes weights of a row."""
        gone = Disappear(*self.numbers.past(row), *self.hidden.row(row))
        weights = (Appear(each, scale=SPECK) for each in self.final.row(row)[:end])
        return Together(gone, Then(Hold(), Together(weights)))


def told(what: str, when: str, *values: Value) -> VGroup:
    """Return what stands in the grid's cells, and when in the making."""
    lines = Words(what, *values, size=HEADING_SIZE), Words(when, size=SPOKEN_SIZE, role=theme.QUIET)
    return VGroup(*lines).arrange(DOWN, buff=GAP, aligned_edge=LEFT)


REST = "all others"
GRID_SHARE, SQUARE_SHARE = 0.7, 0.74  # of the stage, for the grid; the rest tells of it
CELLS = 0.77  # of what the grid's cells could be with the smallest names: names are large
SUMS, RIVALS = 1.0, 3  # scene units beside the grid, for sums of rows; other next words, at most
FAITHFUL = 0.9  # who keeps more of every row hardly looks ahead
LIKELY = 0.25  # where no word has a larger chance, almost anything could come
LARGER, ROOMY = 1.3, 0.72  # times as large, zeros and infinities; of a cell's width, at most
SPECK, AT_ONCE, ROWS = 0.2, 1e-3, 3.6  # of a dot's size as it begins; seconds; the same, for rows
