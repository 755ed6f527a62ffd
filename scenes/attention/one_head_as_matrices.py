"""What one word goes through, all words go through at once, as matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from manim import Mobject, Rectangle, VGroup
from manim.constants import LEFT, RIGHT, UL, UP, UR
from manim.typing import Point3D
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.scaling import Scaling
from scenes.camera import WHOLE, View, pin
from scenes.figures.matrix_product import MULTIPLIED, NEXT, Mixing, Scoring, Terms
from scenes.figures.sheet import LETTER, LETTERS, MOST, Figures, Named, hatched_future
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import adding_decimals
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Number, TokenText, Words, em_of
from scenes.mobjects.tokens import cut_to
from scenes.mobjects.typesetting import set_markup
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import QUICK, REST, SLOW, STEADY
from scenes.verbs import Appear, Dim, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary

STEPS = "q", "k", "scores", "pattern", "v", "z"  # of a head, as the trace names them
SLIGHTLY = 1.04  # times as large: what swells
LEAST_GAP = 1.4 * em_of(theme.LEAST_SIZE)  # scene units, for a letter
FORMULA = 2 * theme.TITLE_SIZE
INSTANT = 1e-3  # seconds, for what is drawn by itself

# In sides of an entry:
EM, WIDEST = 0.85, 4.6  # of a word beside its row; of those words, at most
FEW = 4  # words, too few for a score to be written beside its cell
NAMED = 1.9, 3.9  # a letter with its name, in a narrow and a wide frame
OVER = 1.0  # from a matrix to the one over it
IN_LINE = 1.2  # between matrices that stand side by side
APART = 0.9  # from weights to words beside what they mix
BESIDE = 2.6, 4.2  # from weights to what they mix, at least, in a narrow and a wide frame


class OneHeadAsMatrices(Film):
    """What one word goes through in a head, all words go through at once, as rows of matrices."""

    title = "One head as matrices"
    prompt = "a fluffy blue creature roamed"
    seconds = 96
    poster_beat = "one-line"

    def observe(self) -> None:
        self.model = {name: self.tensor(name)[self.layer, self.head] for name in STEPS}
        self.scaling = Scaling.of(self.traits, self.layer)
        self.asker = self.followed()
        self.query = self.model["q"][self.asker]

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.asker),
            "scaled": self.scaling.sentence(self.query),
            "others": "the other words" if len(self.tokens) > 1 else "more words",
            "add": "add up, and scale" if self.scaling.divides else "and add up",
            "scale": ", and scaled" if self.scaling.divides else "",
        }

    def circumstances(self) -> Mapping[str, bool]:
        return {**super().circumstances(), "last": self.asker == len(self.tokens) - 1}

    @beat(
        "Row by row, each word scores all words: must they take turns? "
        "| Take one row, that of {asker}.",
        alone="Row by row, each word scores all words: must they take turns? "
        "| Take the one row that's here.",
    )
    def one_word_alone(self) -> Shown:
        board, scoring, letters = self.board, self.scoring, self.board.letters
        count = len(self.tokens)
        waiting = Fade(*board.words, to=theme.OUT_OF_FOCUS), Appear(scoring.s, letters["s"])
        ringed = Appear(scoring.ring, scale=1)
        turns = map(self.turn_of, range(count))
        yield Then(Together(*waiting, ringed), *turns)
        away = Disappear(scoring.ring), Dim(*board.others), Vary(scoring.come, 1, 0)
        yield Then(Together(*away), self.ringed(scoring.ring, board.near_lane(self.asker)))

    @beat(
        "Its query is a row of numbers. | Keys are rows, too, | and stand up as columns, "
        "to meet it.",
        alone="Its query is a row of numbers. | Its key is a row, too, | and stands up, "
        "to meet it.",
    )
    def keys_stand_up(self) -> Shown:
        board, scoring, letters = self.board, self.scoring, self.board.letters
        query = Together(self.to_lane(scoring.lane), Vary(scoring.write, 0, 1, SLOW))
        near = Together(Vary(scoring.clear, 0, 1, QUICK), self.travel_to(self.near, STEADY))
        yield Then(near, Appear(scoring.q, letters["q"], scale=1), query)
        rows = Flow(Appear(row, scale=1) for row in scoring.lying)
        yield rows, Flow(map(Appear, board.keys)), Appear(letters["lying"])
        named = Disappear(letters["lying"], *board.keys), Then(Hold(STEADY), Appear(letters["k"]))
        standing = Together(Vary(scoring.stand_up, 0, 1, SLOW), *named)
        yield Then(standing, Together(Appear(scoring.k, scale=1), Disappear(*scoring.lying)))

    @beat(
        "Stand its query up, by the first key: | multiply entry by entry, | "
        "{add}: one score, how well they match. | Then key by key, | until the row is full."
        "{scaled}",
        alone="Stand its query up, by its key: | multiply entry by entry, | "
        "{add}: one score, how well they match. | With no other key, | the row is full.{scaled}",
    )
    def key_by_key(self) -> Shown:
        scoring, last = self.scoring, len(self.tokens)
        turned = Appear(scoring.strip, scoring.drops, scale=1, run_time=INSTANT)
        yield turned, Then(Vary(scoring.swing, 0, 1, SLOW), Appear(scoring.column, scale=1))
        terms = self.terms
        multiplied = Vary(scoring.meet, 0, MULTIPLIED, SLOW)
        yield multiplied, Then(Hold(QUICK / 2), Flow(map(Appear, terms.products), SLOW))
        yield Then(terms.add_up(), Vary(scoring.meet, MULTIPLIED, 1, SLOW))
        half = 1 + (last - 1) / 2
        no_other = Pulse(scoring.k, scoring.strip, scale=SLIGHTLY, run_time=STEADY)
        others = Vary(scoring.go_on, NEXT, half, SLOW, linear) if last > 1 else no_other
        left = Disappear(terms) if self.notes else Dim(terms)
        yield Then(left, others)
        pulses = (Pulse(note, scale=SLIGHTLY, run_time=SLOW) for note in 3 * self.notes)
        told = Then(Appear(*self.notes), *pulses)
        full = Vary(scoring.go_on, half, last, SLOW, linear)
        yield Then(Together(full, told), Disappear(scoring.strip, scoring.drops, scoring.column))

    @beat(
        "One score for each word. | Later words, which it must guess, are hidden. "
        "| Softmax makes shares of what is left: | together, they're one, "
        "| a row of the attention pattern.",
        last="One score for each word. "
        "| Later words would be hidden; after this one, none come. "
        "| Softmax makes shares of the scores: | together, they're one, "
        "| a row of the attention pattern.",
    )
    def row_of_weights(self) -> Shown:
        scoring, row = self.scoring, self.figures
        gone = Disappear(*self.notes, self.terms)
        yield gone, Then(self.to_square(), Flow(map(Appear, row.scores)))
        hatched = Vary(scoring.hide_row, 0, 1), Appear(self.hatching[self.asker])
        none = [Pulse(scoring.ring, scale=SLIGHTLY, run_time=SLOW)] * self.circumstances()["last"]
        yield *hatched, Disappear(*row.hidden), *none
        turned = zip(row.kept, row.weights, strict=True)
        weights = Flow(Then(Disappear(old), Appear(new)) for old, new in turned)
        yield Vary(scoring.soften_row, 0, 1, SLOW), weights, Disappear(self.board.letters["s"])
        pairs = zip(row.weights, row.twins, strict=True)
        apart = (verbs.MoveTo(*pair, fit=True, run_time=QUICK) for pair in pairs)
        lit = [verbs.Recolor(*row.weights, role=theme.INK)] * bool(row.sum)  # off their cells
        yield Then(Together(*apart, *lit), Flow(map(Appear, row.sum), gathering=True))
        yield Then(Appear(self.board.letters["a"]), Pulse(scoring.ring, scale=SLIGHTLY))

    @beat(
        "Each word's value is a row, too. | Stand the shares up, beside them. "
        "| Times its share, each value joins one row: | {asker}'s mixture.",
        alone="Its value is a row, too. | Stand the share up, beside it. "
        "| Times its share, the value makes one row: | {asker}'s mixture.",
    )
    def row_of_values(self) -> Shown:
        mixing, row, board = self.mixing, self.figures, self.board
        gone = Disappear(*row.weights, *row.sum, *board.others)
        yield gone, Then(self.to_values(*board.handed), Flow(map(Appear, board.values)))
        s, ring, lift = self.scoring.s, self.scoring.ring, Vary(mixing.swing, 0, 1, SLOW)
        away = Disappear(s, ring, self.hatching, *board.words, board.letters["top"])
        lifted = Appear(mixing.strip, scale=1, run_time=INSTANT)
        off = Together(lifted, Disappear(s.shades, run_time=INSTANT))
        turned = Then(off, Together(lift, away))
        yield Then(turned, self.travel_to(self.aside, STEADY), Flow(map(Appear, board.shares)))
        mixed = Vary(mixing.mix, 0, self.asker + 1, 2 * SLOW, linear)
        own, z = board.lines[self.asker :][:1], board.letters["z"][0]
        come = Appear(*board.mixed, *own, scale=1), self.ringed(mixing.row, mixing.v.band(0))
        taken = (Pulse(each, run_time=2 * SLOW / (self.asker + 1)) for each in board.shares)
        yield Then(*come, self.first_value(), Together(mixed, Then(*taken)))
        there = self.ringed(mixing.row, mixing.z.band(self.asker)), Pulse(z, *own)
        yield Then(Disappear(mixing.falls, mixing.row), *there)

    @beat(
        "And {others}? | A row needs only its own query, and the keys. "
        "| None has to wait: all queries make one matrix, | and all rows of scores come at once.",
    )
    def all_queries(self) -> Shown:
        board, scoring, letters = self.board, self.scoring, self.board.letters
        gone = Disappear(*board.right, self.mixing.strip, *board.shares, self.mixing.row)
        cleared = Vary(scoring.soften_row, 1, 0), Vary(self.mixing.clear, 0, 1), gone
        back = Appear(scoring.s, scoring.k, scoring.q, *(letters[name] for name in "qks"), scale=1)
        words = Then(Hold(QUICK / 2), Flow(map(Appear, [scoring.s.outline, *board.words])))
        near = Together(*cleared, self.travel_to(self.near, STEADY), words)
        yield Then(near, Together(Vary(scoring.hide_row, 1, 0), back))
        own = self.ringed(scoring.ring, scoring.q.band(self.asker))
        yield Then(own, Pulse(scoring.k, letters["k"], scale=SLIGHTLY))
        yield Disappear(scoring.ring), Vary(scoring.write_all, 0, 1, SLOW)
        yield Vary(scoring.come, 0, 1, SLOW), *self.alone()

    @beat("All rows hide what comes later, | and softmax makes the whole attention pattern.")
    def all_weights(self) -> Shown:
        scoring, letters = self.scoring, self.board.letters
        hiding = Vary(scoring.hide, 0, 1), Flow(map(Appear, self.hatching))
        yield self.to_square(), Then(Hold(QUICK), Together(*hiding))
        swap = Then(Disappear(letters["s"]), Appear(letters["a"]))
        pattern = Pulse(scoring.s, self.hatching, scale=SLIGHTLY)
        yield Then(Together(Vary(scoring.soften, 0, 1, SLOW), swap), pattern)

    @beat(
        "{asker}'s row of shares mixes the values to one row. | All other rows do so, at once: "
        "| a mixture for every word.",
        alone="The row of shares mixes all values to one row; | here, there's only one value: "
        "| that's the word's mixture.",
    )
    def all_mixtures(self) -> Shown:
        mixing, board, count = self.mixing, self.board, len(self.tokens)
        one = Vary(mixing.mix, 0, self.asker + 1, SLOW, linear)
        ring, shares = self.scoring.ring, self.scoring.s
        own = self.ringed(ring, shares.band(self.asker))
        yield Then(self.to_values(*board.right), own, self.first_value(), one)
        taken = (Pulse(each, run_time=SLOW / count) for each in board.values)
        others = Vary(mixing.mix_others, 0, count, SLOW, linear), Then(*taken)
        every = Then(Disappear(ring, run_time=REST), self.ringed(ring, shares))
        yield Disappear(mixing.falls), every, *others, *self.alone()
        yield Disappear(ring), Pulse(mixing.z, board.letters["z"][0], scale=SLIGHTLY)

    @beat(
        "Now write it as a formula. | All queries, times all keys{scale}: these are the scores. "
        "| Later words are masked, | and softmax makes shares."
    )
    def one_line(self) -> Shown:
        line, scoring, board = self.line, self.scoring, self.board
        gone = Disappear(*board.right, self.hatching, board.letters["top"])
        yield gone, Then(self.travel_to(self.scored), Vary(scoring.renew, -1, 0, QUICK))
        whole = Together(Appear(line.over), Vary(scoring.renew, 0, 1, SLOW))
        yield Then(Appear(line.queries), Appear(line.keys), whole, Appear(board.letters["s"]))
        yield Vary(scoring.hide, 0, 1), Flow(map(Appear, self.hatching))
        around = Appear(line.softmax, line.opening, line.closing, line.mask)
        swap = Then(Disappear(board.letters["s"]), Appear(board.letters["a"]))
        yield Then(around, Together(Vary(scoring.soften, 0, 1, SLOW), swap))

    @beat("Shares times values | are the mixtures. | No word takes turns: every row at once.")
    def every_row_at_once(self) -> Shown:
        line, board, mixing, count = self.line, self.board, self.mixing, len(self.tokens)
        ways = zip((board.handed, board.mixed), board.ways(), strict=True)
        level = (verbs.Shift(*each, by=way, run_time=INSTANT) for each, way in ways)
        near = Together(verbs.Shift(line, by=line.back), self.travel_to(self.mixed, STEADY))
        values = Appear(line.values, *board.handed, scale=1)
        there = Together(*level), Vary(mixing.mix_all, count, 0, INSTANT)
        yield Then(*there, Together(near, self.name_over()), values)
        yield Appear(line.mixtures, *board.mixed, scale=1)
        at_once = Vary(mixing.mix_all, 0, count, SLOW, linear), *self.alone()
        yield Then(Together(*at_once), Pulse(mixing.z, scale=SLIGHTLY))

    def cast(self) -> None:
        """Make the board on which one row and all rows are worked out, and the formula."""
        stage, head = self.stage, self.model
        self.board = board = Board(head, self.asker, self.scaling, self.tokens, stage)
        self.scoring, self.mixing = board.scoring, board.mixing
        views = board.views(stage, self.under_title)
        self.view, self.near, self.nearest, self.beside, self.aside = views
        self.hatching = hatched_future(self.scoring.s)
        divisor = self.scaling.divisor(self.query) if self.scaling.divides else None
        meeting = self.query, head["k"][0], head["scores"][self.asker, 0].value, divisor
        edges = np.array([(stage.left, 0.0, 0.0), (stage.right, 0.0, 0.0)])
        left = float(self.near.behind(edges)[0, 0])
        wide = 2 * np.abs(self.nearest.behind(edges)[:, 0] - self.scoring.s.get_x()).min()
        self.terms = Terms(meeting, self.scoring, board.letters["k"], self.near.zoom, left)
        self.figures = Figures(head, self.asker, self.scoring.s, self.nearest.zoom, wide)
        template, numbers = self.scaling.note(self.query)
        self.notes = [Words(template, *numbers, size=theme.PLAIN_SIZE)] if template else []
        for note in self.notes:  # left of the keys, once the terms have gone, or over them
            note.shrink_to(stage.width * (1.0 if stage.height > stage.width else 0.4))
            pin(note.move_to((stage.left, stage.top, 0), aligned_edge=UL))
        self.line = OneLine(self.scaling.markup, stage)
        room = replace(stage, top=float(self.line.get_bottom()[1]) - 2 * theme.GAP)
        self.scored, self.mixed = board.last_views(room)
        self.stand(board, self.hatching, self.terms, self.figures, self.line)
        self.stand(*self.notes)

    def alone(self) -> list[verbs.Verb]:
        """Return what moves instead, where a word has no others."""
        return [Pulse(self.scoring.s, scale=SLIGHTLY, run_time=SLOW)] * (len(self.tokens) == 1)

    def turn_of(self, row: int) -> verbs.Verb:
        """Return how one word has its turn: the ring comes to it, and its scores come."""
        each, words = SLOW / len(self.tokens), self.board.words[row : row + 1]
        come = verbs.Visit(self.scoring.ring, [self.board.near_lane(row)], each / 2)
        filled = Vary(self.scoring.take_turns, row, row + 1, each, linear)
        swelling = Pulse(*words, run_time=each, scale=SLIGHTLY)
        return Then(
            Together(come, verbs.Undim(*words, run_time=each / 2)), Together(swelling, filled)
        )

    def to_lane(self, lane: Callable[[int], VGroup], run_time: float = SLOW) -> verbs.Verb:
        """Return how the ring comes to lie around as much of the asker's row."""
        return verbs.Visit(self.scoring.ring, [lane(self.asker)], run_time)

    def to_square(self) -> verbs.Verb:
        """Return how one comes near scores and shares, and the ring, where it is seen, too."""
        board, is_seen = self.board, presence(self.scoring.ring) > 0
        gone = Disappear(*board.left, *board.right)
        ringed = [self.to_lane(board.near_lane, STEADY)] * is_seen
        return Together(self.travel_to(self.nearest, STEADY), gone, *ringed)

    def first_value(self) -> verbs.Verb:
        """Return how the first value is there, which will fall."""
        return Then(Vary(self.mixing.mix, 0, 0, INSTANT), Appear(self.mixing.falls, scale=1))

    @staticmethod
    def ringed(ring: Mobject, place: Mobject) -> verbs.Verb:
        """Return how a ring that is not seen comes to be seen around a place."""
        gone = Disappear(ring, run_time=INSTANT)
        return Then(verbs.Visit(ring, [place], INSTANT), gone, Appear(ring, scale=1))

    def to_values(self, *seen: Mobject) -> verbs.Verb:
        """Return how one comes to see where shares meet values, of which so much is seen."""
        come = Then(Hold(STEADY), Appear(*seen, scale=1))
        return Together(self.travel_to(self.beside, STEADY), self.name_over(), come)

    def name_over(self) -> verbs.Verb:
        """Return how the name of the shares goes over them, off what stands on their right."""
        return verbs.TurnInto(self.board.letters["a"], self.board.letters["top"])


class OneLine(VGroup):
    """The formula of a head, in parts, over a region; it stands in the frame.

    Over softmax stands which: the `mask` belongs to it alone. Up to there, the line stands in the
    middle, and goes `back` for the rest.
    """

    def __init__(self, divisor: str, region: Region) -> None:
        over = rf"\/ {divisor}" if divisor else ""
        begun = r'"softmax"', r"\(", "query(Q)", "key(K^top)", over, r"\)"
        markups = [f"${each}$" for each in (*begun, "value(V)", "= value(Z)")]
        parts = [Formula(each, FORMULA) for each in markups]
        self.softmax, self.opening, self.queries, self.keys = parts[:4]
        self.over, self.closing, self.values, self.mixtures = parts[4:]
        x = 0.0
        for part, markup in zip(parts, markups, strict=True):
            part.shift(x * RIGHT)
            x += set_markup(markup).width * em_of(FORMULA) + theme.HAIR
        self.mask = Words("masked", size=theme.TITLE_SIZE)
        self.mask.next_to(self.softmax, UP, buff=theme.GAP)
        super().__init__(*parts, self.mask)
        self.scale(min(1.0, region.width / self.width))
        self.move_to((region.center[0], region.top, 0), UP)
        self.back = (VGroup(*parts[: len(begun)]).get_x() - region.center[0]) * RIGHT
        pin(self.shift(-self.back))


class Board(VGroup):
    """A head's matrices where products put them: rows level with rows, columns under columns.

    Parts: `scoring` and `mixing`; `words` beside the rows, of which `others` are not the asker's;
    `keys` beside keys that lie, `values` beside the values, `lines` beside mixtures; `letters`, by
    matrix; the `shares` of the asker, beside the values, too.
    """

    def __init__(
        self,
        head: Mapping[str, Tensor],
        asker: int,
        scaling: Scaling,
        pieces: Sequence[str],
        region: Region,
    ) -> None:
        count, entries = len(head["q"]), min(head["q"].shape[1], MOST)
        self.is_wide = is_wide = region.width > region.height
        widest = max(TokenText(piece, EM / em_of(1)).width for piece in pieces)
        side = min(WIDEST, widest) + 0.4
        unit = self._unit(region, count, entries, side)
        if not unit:
            side, unit = 0.0, self._unit(region, count, entries, 0.0)
        divisor = scaling.divisor(head["q"][asker]).number if scaling.divides else 1.0
        over = OVER if is_wide else LETTER + 0.7  # from queries to keys that lie over them
        self.scoring = scoring = Scoring(
            (head["q"], head["k"], head["scores"], head["pattern"]), asker, divisor, unit, over
        )
        q, k, s = scoring.q, scoring.k, scoring.s
        s.next_to(q, RIGHT, buff=(side + 0.4) * unit)
        k.next_to(s, UP, buff=OVER * unit)
        self.mixing = mixing = Mixing((head["pattern"], head["v"], head["z"]), asker, s, unit)
        gap = max(max(side + APART, BESIDE[is_wide]) * unit, LEAST_GAP)
        mixing.z.next_to(s, RIGHT, buff=gap)
        mixing.v.next_to(mixing.z, UP, buff=OVER * unit)
        size = EM * unit / em_of(1)
        made = [[cut_to(each, size, WIDEST * unit) for each in pieces] for _ in range(4)]
        self.words, self.keys, self.values, self.lines = made if side else ([], [], [], [])
        named = zip(self.words, self.lines, self.keys, self.values, strict=True)
        for i, (word, line, key, value) in enumerate(named):
            for each, sheet in ((word, s), (line, mixing.z)):
                each.next_to(sheet.band(i), LEFT, buff=0.4 * unit).set_y(sheet.at(i, 0)[1])
            value.next_to(mixing.v.band(i), RIGHT, buff=0.4 * unit).set_y(mixing.v.at(i, 0)[1])
            key.move_to(scoring.lies(i) + (entries / 2 + 0.4) * unit * RIGHT, LEFT)
        self.letters = self._named(gap, side, is_wide=is_wide)
        self.others = [word for i, word in enumerate(self.words) if i != asker]
        self.asker = asker
        self.left = [q, k, self.letters["q"], self.letters["k"]]
        self.handed, self.mixed = [mixing.v, self.letters["v"]], [mixing.z, self.letters["z"]]
        self.right = [*self.handed, *self.values, *self.mixed, *self.lines]
        super().__init__(scoring, mixing, *self.words, *self.keys, *self.letters.values())
        self.add(*self.values, *self.lines)
        scoring.settle()
        mixing.settle()
        for sheet in (q, mixing.z):
            sheet.put(0 * sheet.numbers)
        given = head["pattern"][asker].values[: asker + 1]
        form = min(adding_decimals(given, 1.0), 2), size
        self.shares = [Number(each, *form) for each in given[: len(self.values)]]
        for place, number in enumerate(self.shares):
            number.move_to(mixing.v.at(place, -2.0), RIGHT)  # beside what stands up there
        self.add(*self.shares).move_to(region.center)
        scoring.ring.points = Ring(self.near_lane(0)).points

    def _named(self, gap: float, side: float, *, is_wide: bool) -> dict[str, Named]:
        """Return letters, each at its matrix, `gap` between shares and values."""
        scoring, mixing = self.scoring, self.mixing
        (count, entries), unit = scoring.q.numbers.shape, scoring.q.unit
        is_free = entries > count + LETTER or is_wide  # of a query, right of the keys
        rooms = dict.fromkeys(LETTERS, gap - 0.8 * unit) | {"v": entries * unit}
        rooms |= {"q": NAMED[1] * unit} if is_wide else {"q": entries * unit}
        rooms |= {"z": max(side, NAMED[is_wide]) * unit, "k": rooms["k"] * is_free}
        level = "v" if is_wide else "qv"
        letters = {
            name: Named(name, unit, rooms[name] * (side > 0), is_level=name in level)
            for name in LETTERS
        }
        for name, sheet in {"s": scoring.s, "a": scoring.s, "z": mixing.z}.items():
            letters[name].next_to(sheet, RIGHT, buff=0.4 * unit)
        letters["q"].next_to(scoring.q, LEFT if is_wide else UP, buff=0.5 * unit)
        letters["v"].next_to(mixing.v, UP, buff=0.6 * unit)
        letters["top"] = Named("a", unit, count * unit * (side > 0), is_level=True)
        letters["top"].next_to(scoring.s, UP, buff=0.6 * unit)
        side_of_k, off = (RIGHT, 0.6) if is_free else (LEFT, 1.6)
        letters["k"].next_to(scoring.k, side_of_k, buff=off * unit).align_to(scoring.k, UP)
        if is_wide:
            lying = scoring.lies((count - 1) / 2) + (entries / 2 + 0.4) * unit * LEFT
            letters["lying"].move_to(lying, RIGHT)
        else:
            lying = scoring.lies(0) + (entries / 2 + 0.6 + side) * unit * RIGHT
            letters["lying"].next_to(lying, RIGHT, buff=0.0)
        return letters

    @staticmethod
    def _unit(region: Region, count: int, entries: int, side: float) -> float:
        """Return the side of an entry; with words of a width beside rows, 0 if none can be read."""
        is_wide = region.width > region.height
        gap, after = max(side + APART, BESIDE[is_wide]), max(side, NAMED[is_wide])
        near = entries + count + side + (BESIDE[0] + NAMED[1] if is_wide else 2 * BESIDE[0])
        across = max(near, count + entries + 2 * side + gap + after)
        down = max(entries, count + LETTER * (not is_wide)) + 0.5 + OVER + count
        spare = LEAST_GAP * (not side)
        unit = min((region.width - 2 * spare) / across, (region.height - spare) / down)
        legible = EM * unit >= em_of(theme.LEAST_SIZE) * 0.95
        return unit if legible or not side else 0.0

    def near_lane(self, row: int) -> VGroup:
        """Return the box of a word and its scores, a place that is on no stage."""
        scores, unit = self.scoring.s.band(row), self.scoring.s.unit
        word = [word.get_left() + 0.3 * unit * LEFT for word in self.words[row : row + 1]]
        ends = (Rectangle(width=unit, height=unit).move_to(left, LEFT) for left in word)
        return VGroup(*(end.match_y(scores) for end in ends), scores)

    def views(self, stage: Region, opening: Region) -> tuple[View, ...]:
        """Return the opening, then where scores come about, shares, mixtures, and these alone."""
        scoring, letters, count = self.scoring, self.letters, len(self.scoring.lying)
        words = *self.words, self.near_lane(self.asker), letters["s"], letters["a"]
        square, figures = VGroup(scoring.s, *words), scoring.s.band(count)  # under the matrix
        keys = scoring.k, *scoring.lying, *self.keys, letters["k"], letters["lying"]
        scores = VGroup(scoring.q, letters["q"], *keys, square, *[figures][: count < FEW])
        return (
            WHOLE.into(square, opening, 0.97),
            WHOLE.into(scores, stage, 0.99),
            WHOLE.into(VGroup(square, figures), stage.narrowed(theme.GAP, theme.GAP), 0.98),
            WHOLE.into(self._mixed(), stage, 0.97),
            WHOLE.into(VGroup(*self.right, self.mixing.strip, *self.shares), stage, 0.97),
        )

    def last_views(self, room: Region) -> tuple[View, View]:
        """Return where scores become shares, under a formula, and then values are beside them."""
        letters, count = self.letters, len(self.scoring.lying)
        lanes = VGroup(*map(self.near_lane, range(count)))
        square = VGroup(self.scoring.s, lanes, letters["s"], letters["a"])
        v, z = self.ways()
        level = VGroup(*(each.copy().shift(v) for each in self.handed))
        level.add(*(each.copy().shift(z) for each in self.mixed), letters["top"], *lanes)
        return WHOLE.into(square, room, 0.98), WHOLE.into(level, room, 0.98)

    def ways(self) -> tuple[Point3D, Point3D]:
        """Return the ways of values and of mixtures to right of the shares, in line or stacked."""
        v, z, gap = self.mixing.v, self.mixing.z, IN_LINE * self.scoring.s.unit * RIGHT
        corner = self.scoring.s.get_corner(UR) + gap
        near: Point3D = corner - z.get_corner(UL)
        in_line = corner - v.get_corner(UL), near + gap + v.width * RIGHT
        return in_line if self.is_wide else (near, near)

    def _mixed(self) -> VGroup:
        """Return all that is seen where shares meet values."""
        lanes = map(self.near_lane, range(len(self.scoring.lying)))  # they end with the shares
        return VGroup(*lanes, self.letters["top"], *self.right)
