"""The dot-product grid: every query meets every key, and each pair leaves one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
from manim import Circle, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.selection import compared, contrasting_keys
from scenes.camera import place_inside
from scenes.figures.dot_product import Inside, Meeting
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import WIDE_CELL, AttentionGrid
from scenes.mobjects.marks import Ring, ways
from scenes.mobjects.text import Number, Words, label_of
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, QUICK, REST, SLOW, SPOKEN_SIZE, STEADY, VALUE
from scenes.verbs import Appear, Dim, Disappear, Draw, Fade, Flow, Hold, Pulse, Then, Together, Verb

LONG = 1.5 * SLOW  # in which all entries are multiplied, faster and faster
WIDE = 0.7  # of the stage's width, a sentence that fills it
ROOM, LARGER = 0.8, 1.25  # of a cell, for a numeral; than in other films, at most
SPECK, SLIGHTLY = 0.2, 1.05  # of its size, by a dot that begins to grow; what swells
OWN_ADJECTIVE = (" verdant", " forest")  # of the course's own sentence


class DotProductGrid(Film):
    """Every query meets every key, and each pair leaves one number.

    The numbers are raw dot products: nothing is scaled, hidden or made into weights yet.
    """

    title = "The dot-product grid"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 107
    poster_beat = "read-one-row"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Follow the last query, the key that fits it best, and who else likes that key best."""
        where = self.layer, self.head
        self.q, self.k = self.tensor("q")[where], self.tensor("k")[where]
        self.dots = self.tensor("dot_products")[where]
        self.asker = len(self.tokens) - 1
        self.telling = contrasting_keys(self.dots[self.asker].array)
        self.answer = self.telling[0]
        self.best = self.dots.array.argmax(axis=-1).tolist()
        self.admirers = [query for query, key in enumerate(self.best) if key == self.answer]
        self.compared = compared(self.dots.array, self.asker)
        self.pattern = self.tensor("pattern")[where]
        self.receiver = int(self.pattern.array[self.asker].argmax())

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and count its pairs."""
        tokens = len(self.tokens)
        earlier = any(each < self.answer for each in self.admirers)
        return self._signs() | {
            "asker": self.name_of(self.asker),
            "answer": self.name_of(self.answer),
            "asks": f"has a query, what it looks for: {len(self.q[self.asker])} numbers, one arrow",
            "tokens": str(tokens),
            "pairs": f"{tokens**2} pairs",
            "numbers": f"{tokens**2} numbers",
            "admirers": str(len(self.admirers)),
            "even": ", even those before it" if earlier else "",
            "receiver": "itself" if self.receiver == self.asker else self.name_of(self.receiver),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what the row of this prompt is like."""
        row = [self.dots[self.asker, key].value.number for key in self.telling]
        return {
            **super().circumstances(),
            "all_agree": min(row) >= 0,
            "none_agrees": max(row) < 0,
            "own_adjective": (self.tokens[self.answer], self.tokens[self.asker]) == OWN_ADJECTIVE,
            "itself": self.asker == self.answer,
            "picky": len(self.admirers) == 1,
        }

    def cast(self) -> None:
        """Make the two arrows, the grid with what its cells hold, and the inside of one cell."""
        self.board = board = AttentionGrid(self.tokens, self.stage, widest=WIDE_CELL)
        broad = max(key.width for key in board.keys)
        for key in () if board.layout.slant else board.keys:  # none touches the one beside it
            key.scale(min(1.0, (board.wide - GAP) / broad), about_edge=DOWN)
        (self.asking, self.answering), self.crossings = board.rays(), board.crossings()
        self.fills, self.dot = board.fills(self.dots), board.dots(self.dots)
        for fill in self.fills.all():  # so faint that a numeral reads on each in the one ink
            fill.set_fill(opacity=(theme.FAINTEST_FILL + fill.get_fill_opacity()) / 2)
        self.numbers = board.numbers(self.dots)
        VGroup(*self.crossings.all()).set_fill(theme.color(theme.QUIET))  # places, not sizes
        self._enlarge()
        self.cell = board.cell(self.asker, self.answer)
        self.meeting = LabelledMeeting(self, self.stage.lowered(GAP))
        names = self.tokens[self.asker], self.tokens[self.answer]
        self.inside = Inside(names, self.q[self.asker], self.k[self.answer], self.stage)
        place_inside(self.inside, self.cell, self.stage)
        self.sentence = TokenRow(self.tokens, self.stage, largest=HEADING_SIZE)
        self.ways = ways(self.sentence.chips, self.asker, self.pattern.array[self.asker])
        VGroup(self.sentence, *self.ways).shift(bool(self.ways) * DOWN)
        self.homes = [chip.get_center() for chip in self.sentence.chips]
        self.ring = Ring(board.cell(self.asker, 0))
        self.frame = Ring(board.column(self.answer))
        say = count(len(self.admirers), "queries that fit it best"), count(len(self.tokens), "all")
        self.told = Words("{} of {}", *say, size=SPOKEN_SIZE, role=theme.ACCENT)
        end = min(board.cell(0, 0).get_left()[0], board.keys[0].get_left()[0]) - GAP
        self.told.shrink_to(end - self.stage.left)  # it heads the queries' names
        self.told.next_to(board.keys[0], LEFT).set_x(end, RIGHT)
        share = self.pattern[self.asker, self.receiver].value
        self.share = Words("{:share} of its attention", share, size=SPOKEN_SIZE, role=VALUE)
        self.weights = board.weights(self.pattern).row(self.asker)
        VGroup(*(x for x in self.weights if isinstance(x, Circle))).set_fill(theme.color(VALUE))
        pairs = self.fills, board, self.asking, self.answering, self.crossings, self.numbers
        self.stand(*pairs, self.dot, self.meeting, self.sentence, self.inside, self.ring)
        self.stand(self.frame, self.told, *self.ways, self.share, self.weights)

    @beat(
        "How well does one word fit another? It takes most from what fits best. | "
        "{asker} {asks}. | {answer} has a key: what it answers to.",
        itself="How well does one word fit another? It takes most from what fits best. | "
        "{asker} {asks}. | And it has a key: what it answers to.",
    )
    def two_arrows_meet(self) -> Shown:
        meet, chips = self.meeting, self.sentence.chips
        asker, answer = chips[self.asker], chips[self.answer]
        others = self.sentence.others(self.asker, self.answer)
        found = Together(Dim(*others), Pulse(asker, answer, scale=SLIGHTLY))
        yield Then(Flow(map(Appear, chips), QUICK), Flow(map(Draw, self.ways)), found)
        waits = [verbs.MoveTo(answer, meet.key_names[0])] if answer is not asker else []
        moved = Together(verbs.MoveTo(asker, meet.query_name), *waits)
        named = Then(Disappear(asker, run_time=REST), Appear(meet.query_name))
        sent = Together(named, *meet.send_query())
        yield Then(Disappear(*others, *self.ways), moved, sent)
        named = Then(Disappear(answer, run_time=REST), Appear(meet.key_names[0]))
        yield named, *meet.hold_out_key()

    @beat(
        "The key casts a shadow on the query: how far the two agree. | "
        "Shadow times the query's length is an area: | their dot product."
    )
    def the_key_casts_a_shadow(self) -> Shown:
        drawn = self.meeting.drawn
        yield Fade(drawn.shadow, drawn.drop, to=1.0), verbs.Vary(drawn.fall, 0, 1, SLOW)
        yield Fade(drawn.area, to=1.0), verbs.Vary(drawn.open, 0, 1, SLOW)
        yield Appear(self.meeting.number)

    @beat(
        "Another key, another shadow: | it shrinks as the key turns away, | "
        "and past the right angle the number is negative.",
        all_agree="Another key, another shadow: | it shrinks as the key turns away, | "
        "though here no number is negative.",
        none_agrees="Here even the best key points away, | and others further: | "
        "every number is negative.",
    )
    def the_key_turns_away(self) -> Shown:
        last = len(self.telling) - 1
        yield Pulse(self.meeting.key_names[0])
        yield self.meeting.turn(0, min(1, last))
        yield self.meeting.turn(min(1, last), last)

    @beat("Back to {answer}: one pair leaves one number, | a dot of that area, | in its own place.")
    def one_number_one_place(self) -> Shown:
        meet, place = self.meeting, self.dot.cell(self.asker, self.answer)
        query, key = self.board.queries[self.asker], self.board.keys[self.answer]
        yield meet.turn(len(self.telling) - 1, 0)
        yield meet.put_aside(), verbs.Vary(meet.drawn.round_off, 0, 1, STEADY)
        faces = self._outward(lambda q, k: Appear(self.board.cell(q, k)))
        names = (
            Together(
                Disappear(old, run_time=REST), Then(Hold(), verbs.ComeFrom(new, old, fit=False))
            )
            for old, new in ((meet.query_name, query), (meet.key_names[0], key))
        )
        home = verbs.MoveTo(meet.drawn.area, place, fit=True), Disappear(meet.number)
        yield *home, *names, Flow(faces, SLOW, gathering=True)

    @beat(
        "Every word asks, in a row. | Every word answers, in a column. | "
        "{tokens} times {tokens}: {pairs}."
    )
    def queries_meet_keys(self) -> Shown:
        board = self.board
        for names, rays, at in (
            (board.queries, self.asking, self.asker),
            (board.keys, self.answering, self.answer),
        ):
            nearest = np.argsort(abs(np.arange(len(names)) - at), kind="stable").tolist()
            yield Flow((self._call(names[i], rays[i], stays=i == at) for i in nearest), SLOW)
        meet = self._outward(lambda q, k: Appear(self.crossings.cell(q, k), scale=SPECK))
        yield Disappear(self.asking, self.answering), Flow(meet[1:], SLOW, gathering=True)

    @beat(
        "Inside one, a sum: | multiply entry by entry. | Where signs agree, it gains, | "
        "where they differ, it loses. | Step back, and add up: the same number."
    )
    def look_into_one_cell(self) -> Shown:
        inside, work, swell = self.inside, self.inside.work, partial(Pulse, scale=SLIGHTLY)
        gone = Disappear(self.crossings, self.board)
        opened = Then(Together(gone, *self._open()), Appear(*inside.names))
        yield self.zoom_into(self.cell), Then(Hold(STEADY), opened)
        pairs = (swell(*pair) for pair in zip(work.query.cells, work.key.cells, strict=True))
        grow = verbs.Vary(work.multiply, 0, 1, LONG, np.square)
        met = Flow(pairs, LONG - QUICK, gathering=True)
        yield Fade(work.bars, work.level, to=1.0), grow, met
        yield Dim(*work.losses), Flow(map(swell, work.gains), SLOW)
        yield verbs.Undim(*work.losses), Dim(*work.gains), Flow(map(swell, work.losses), SLOW)
        added = Fade(work.sum, to=1.0), verbs.Vary(work.add_up, 0, 1, SLOW)
        yield verbs.Undim(*work.gains), Then(verbs.Vary(work.sink, 0, 1, QUICK), Together(*added))

    @beat(
        "That is one number of the grid. | The same sum along the row, | then in every cell: "
        "{numbers}, blue above zero, orange below."
    )
    def numbers_fill_the_grid(self) -> Shown:
        yield self.pull_back(), Fade(self.board, to=1.0), self._land()
        keys = (key for key in range(len(self.tokens)) if key != self.answer)
        yield Flow(map(self._work_out, keys), SLOW, gathering=True)
        yield Flow(map(self._fill_row, reversed(range(self.asker))), 2 * SLOW)

    @beat(
        "A large number becomes a large {mark}, | a smaller one a smaller {mark}: the area is "
        "the size. | {other} | So the whole grid is seen at once."
    )
    def numbers_become_dots(self) -> Shown:
        (first, *same), other = self._told()
        both = [self.dot.cell(*place) for place in self.compared[:2]]
        large = Pulse(self.numbers.cell(*first)), self._round_off(*first)
        above = [*self.fills.rows[: self.asker], *self.numbers.rows[: self.asker]]
        yield Dim(*above), Then(*large)
        small = Flow((self._round_off(*place) for place in same), STEADY)
        yield Then(small, Pulse(both[0]), Pulse(both[1]))
        yield Flow((self._round_off(*place) for place in other), STEADY) if other else Pulse(*both)
        every = [place for row in reversed(self._by_rows()) for place in row]
        rest = (place for place in every if place not in (first, *same, *other))
        yield Flow((self._round_off(*place) for place in rest), 2 * SLOW)

    @beat(
        "Read the last row. | {asker} fits best with {answer}.",
        own_adjective="Read the last row. | {asker} fits best with {answer}, its own adjective.",
        itself="Read the last row. | {asker} fits best with itself.",
    )
    def read_one_row(self) -> Shown:
        board, row = self.board, list(self.board.row(self.asker))
        yield Dim(*self.dot.rows[:-1], *board.queries[: self.asker], *board.keys), Appear(self.ring)
        found = Pulse(self.dot.cell(self.asker, self.answer))
        told = Together(verbs.Undim(board.keys[self.answer]), found)
        yield Then(verbs.Visit(self.ring, [*row[1:], self.cell], SLOW), told)

    @beat(
        "Is that what {asker} seeks? | Ask every query which key fits best: | {admirers} of "
        "{tokens} say {answer}{even}. | So one grid can't prove what a word seeks.",
        picky="Is that what {asker} seeks? | Ask every query which key fits best: | of {tokens}, "
        "only {asker} says {answer}. | Even so, one grid can't prove it.",
        own_adjective="So does a noun seek its adjective? | Ask every query which key fits best: "
        "| {admirers} of {tokens} say {answer}{even}. | So the grid alone can't prove that.",
    )
    def look_down_the_column(self) -> Shown:
        board, names = self.board, self.board.queries
        own = self.dot.cell(self.asker, self.answer)
        yield Then(Pulse(names[self.asker]), Pulse(board.keys[self.answer]), Pulse(own))
        odd = [query for query in range(self.asker)[::-1] if query not in self.admirers]
        asked, pace = [*self.admirers[-2::-1], *odd], 2 * SLOW / self.asker
        way = [board.cell(query, self.best[query]) for query in asked]
        rest = [dot for dot in self.dot.row(self.asker) if dot is not own]
        looked = Then(*(self._choose(query, pace) for query in asked))
        yield Dim(*rest), verbs.Visit(self.ring, way, 2 * SLOW), looked
        yield self._agree(odd)
        both = Then(Pulse(self.told), Pulse(self.frame, scale=SLIGHTLY))
        yield verbs.Undim(*(names[query] for query in self.admirers)), both

    @beat(
        "It says how well queries fit keys. | By that, {asker} shares out its attention. | "
        "The largest share goes to {receiver}."
    )
    def attention_is_shared_out(self) -> Shown:
        yield from self._over_words() if self._is_wide() else self._in_the_row()

    # How a change spreads over the grid

    def _is_wide(self) -> bool:
        """Say whether the sentence, on a single line, fills the stage with its arcs."""
        across = self.homes[-1][0] - self.homes[0][0]
        across += (self.sentence.chips[0].width + self.sentence.chips[-1].width) / 2
        return bool(self.ways) and across > WIDE * self.stage.width

    def _over_words(self) -> Shown:
        """Show the last row's dots under their words, and its attention as arcs over them."""
        chips, dots, rows = self.sentence.chips, self.dot.row(self.asker), self.dot.rows[:-1]
        low = ((chips[0].height + self.board.side) / 2 + HAIR) * DOWN
        homes = [
            np.maximum(home, (self.stage.left + max(dot.width, share.width) / 2, -np.inf, 0.0))
            for dot, share, home in zip(dots, self.weights, self.homes, strict=True)
        ]
        under = (verbs.MoveTo(dot, home + low) for dot, home in zip(dots, homes, strict=True))
        home = (verbs.MoveTo(*each, run_time=HAIR) for each in zip(chips, self.homes, strict=True))
        words = Then(Together(*home), Hold(), Flow(map(Appear, chips), QUICK))
        one_row = Dim(*rows, *self.board.queries[:-1]), self._back(), Flow(map(Pulse, dots))
        yield Then(Together(*one_row), Together(Disappear(self.board, *rows), *under, words))
        for weight, dot_home in zip(self.weights, homes, strict=True):
            weight.move_to(dot_home + low)
        yield Flow((verbs.TurnInto(*each) for each in zip(dots, self.weights, strict=True)), SLOW)
        below = self.board.side / 2 + GAP
        self.share.next_to(homes[self.receiver] + low, DOWN, buff=below)
        self.stage.hold(self.share)
        told = Pulse(chips[self.receiver], self.weights[self.receiver], scale=SLIGHTLY)
        yield Flow(map(Draw, self.ways)), Then(Hold(STEADY), Together(told, Appear(self.share)))

    def _in_the_row(self) -> Shown:
        """Show the last row's dots in the grid, and turn them into its attention."""
        dots, rest = self.dot.row(self.asker), (*self.dot.rows[:-1], *self.board.queries[:-1])
        yield Dim(*rest), self._back(), Flow(map(Pulse, dots), SLOW)
        yield Flow((verbs.TurnInto(*each) for each in zip(dots, self.weights, strict=True)), SLOW)
        told = Pulse(self.board.keys[self.receiver], self.weights[self.receiver])
        there = self.board.cell(self.asker, self.receiver)
        yield Together(Then(verbs.MoveTo(self.ring, there, run_time=HAIR), Appear(self.ring)), told)

    def _back(self) -> Verb:
        """Return how the last row is in focus again, and no column is framed."""
        seen = *self.dot.row(self.asker), self.board.queries[self.asker], *self.board.keys
        return Together(verbs.Undim(*seen), Disappear(self.frame, self.ring, self.told))

    def _land(self) -> Verb:
        """Return how the sum becomes the number in its cell."""
        work, number = self.inside.work, self.numbers.cell(self.asker, self.answer)
        rest = work.query, work.key, work.bars, work.level, *self.inside.names
        fill = Fade(self.fills.cell(self.asker, self.answer), to=1.0)
        landed = verbs.TurnInto(work.sum, number), Then(Hold(QUICK), fill)
        return Together(Disappear(*rest, run_time=QUICK), Then(Hold(STEADY), Together(*landed)))

    def _signs(self) -> dict[str, str]:
        """Return what most numbers are drawn as, and what is said of those of the other sign."""
        is_ring = bool(self.dots.array[self.compared[0]] < 0)
        side, other = ("above", "a full dot") if is_ring else ("below", "a ring")
        yes = f"{side.title()} zero, it is {other}."
        return {
            "mark": "ring" if is_ring else "dot",
            "other": yes if self.compared[2:] else f"No number here is {side} zero.",
        }

    def _open(self) -> tuple[Verb, ...]:
        """Return how the dot of the cell shrinks, and both vectors come out of it."""
        work, area = self.inside.work, self.meeting.drawn.area
        ends = (LEFT, RIGHT) if work.upright else (UP, DOWN)
        starts = zip((work.query, work.key), map(area.get_edge_center, ends), strict=True)
        come = (verbs.ComeFrom(row, start) for row, start in starts)
        return verbs.GoInto(area, area.get_center(), QUICK), *come

    def _call(self, name: VMobject, ray: VMobject, *, stays: bool) -> Verb:
        """Return how a name comes, and its ray goes through all cells; it `stays`, or leaves."""
        return Together(Appear(name), Then(Draw(ray), *[Disappear(ray)] * (not stays)))

    def _by_rows(self) -> list[list[tuple[int, int]]]:
        """Return the places of all cells, row by row."""
        tokens = range(len(self.tokens))
        return [[(query, key) for key in tokens] for query in tokens]

    def _agree(self, odd: Sequence[int]) -> Verb:
        """Return how the column is framed, those named that chose it, then those before its key.

        The ring stays on a single `odd` query's choice.
        """
        names, column = self.board.queries, self.dot.column(self.answer)
        gone = [Appear(self.told), *[Disappear(self.ring)] * (len(odd) != 1)]
        framed = Together(Draw(self.frame), Dim(*(names[query] for query in odd)), *gone)
        before = [query for query in self.admirers if query < self.answer]
        later = Dim(*(names[query] for query in self.admirers if query not in before))
        named, again = (
            Flow((Pulse(names[query], column[query]) for query in queries), SLOW)
            for queries in (self.admirers[::-1], before)
        )
        return Then(framed, named, *([Together(later, again)] if before else []))

    def _outward(self, change: Callable[[int, int], Verb]) -> list[Verb]:
        """Return a change of every cell, those nearest to the one that was looked into first."""
        places = [place for row in self._by_rows() for place in row]
        here = np.array((self.asker, self.answer))
        return [change(*each) for each in sorted(places, key=lambda at: np.hypot(*(at - here)))]

    def _choose(self, query: int, pace: float) -> Verb:
        """Return how a row is looked at, and only what is largest in it stays in focus."""
        row, best = self.dot.row(query), self.dot.cell(query, self.best[query])
        seen = verbs.Undim(*row, self.board.queries[query], run_time=pace / 2)
        return Then(seen, Dim(*(dot for dot in row if dot is not best), run_time=pace / 2))

    def _enlarge(self) -> None:
        """Write all numbers as large as their cells allow."""
        every = [*self.numbers.all()]
        most = [max(each.width for each in every), max(each.height for each in every)]
        room = ROOM * np.array((self.board.wide, self.board.side))
        growth = np.clip((room / most).min(), 1.0, LARGER)
        for number in every:
            number.scale(growth)

    def _work_out(self, key: int) -> Verb:
        """Return how a cell of the asker's row gets its number."""
        number, fill = (each.cell(self.asker, key) for each in (self.numbers, self.fills))
        return Together(Fade(number, fill, to=1.0), Pulse(self.board.keys[key]))

    def _fill_row(self, query: int) -> Verb:
        """Return how a whole row gets its numbers, and their colours."""
        return Together(Appear(*self.numbers.row(query)), Fade(*self.fills.row(query), to=1.0))

    def _told(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the places with numerals: the largest and all of its sign, and the others."""
        row = [(self.asker, key) for key in range(len(self.tokens))]
        told, dots = list(dict.fromkeys([*self.compared, *row])), self.dots.array
        same = [place for place in told if (dots[place] < 0) == (dots[told[0]] < 0)]
        return same, sorted({*told} - {*same})

    def _round_off(self, query: int, key: int) -> Verb:
        """Return how a cell's number goes, and its colour gathers into a dot."""
        layers = self.numbers, self.fills, self.dot
        number, fill, dot = (layer.cell(query, key) for layer in layers)
        gone = Disappear(number, run_time=QUICK / 2), verbs.GoInto(fill, dot, QUICK)
        return Together(*gone, Then(Hold(QUICK / 2), Appear(dot)))


class LabelledMeeting(VGroup):
    """A query's arrow and those of some keys, with their names, and the dot product as a number."""

    def __init__(self, film: DotProductGrid, region: Region) -> None:
        asker, keys = film.asker, film.telling
        self.products = [film.dots[asker, key].value for key in keys]
        self.query_name = _name("query of {}", label_of(film.tokens[asker]), theme.QUERY, region)
        self.key_names = VGroup(
            *(_name("key of {}", label_of(film.tokens[key]), theme.KEY, region) for key in keys)
        )
        self.number = Number(self.products[0], 2, HEADING_SIZE)
        self.in_the_way = [self.number] if region.is_narrow else []
        tall = self.query_name.height + GAP
        wide = 0.0 if region.is_narrow else self.query_name.width + GAP
        foot = tall + self.number.height + GAP if region.is_narrow else 0.0
        room = Region(region.left, region.right - wide, region.bottom + foot, region.top - tall)
        self.drawn = Meeting(film.q[asker], [film.k[key] for key in keys], room)
        for place, name in enumerate(self.key_names):
            name.next_to(self.drawn.tip_of(place), UP, buff=GAP / 2)
            region.hold(name)
        if region.is_narrow:
            below = (region.center[0], self.drawn.foot, 0)
            self.query_name.next_to(below, DOWN, buff=GAP)
            self.number.next_to(self.query_name, DOWN, buff=GAP)
        else:
            self.query_name.next_to(self.drawn.line.get_right(), RIGHT, buff=GAP)
            too_low = max(region.bottom - float(self.query_name.get_bottom()[1]), 0.0)
            self.query_name.shift(too_low * UP)
            is_low = self.drawn.start[1] - self.drawn.foot < 3 * self.number.height
            self.number.next_to(self.query_name, UP if is_low else DOWN, buff=2 * GAP)
            self.number.align_to(self.query_name, LEFT)  # by the area that it tells
            widest = max(Number(each, 2, HEADING_SIZE).width for each in self.products)
            self.number.shift((widest - self.number.width) * RIGHT)  # its right edge stays
        super().__init__(self.drawn, self.query_name, self.key_names, self.number)

    def put_aside(self) -> Verb:
        """Return how only the area is left, and the two names over it and under it."""
        arrows = (part for part in self.drawn if part is not self.drawn.area)
        aside = (self.drawn.radius + GAP + self.query_name.height / 2) * UP
        over, under = (self.drawn.region.center + each for each in (aside, -aside))
        name = self.query_name  # the area would lie on its way
        down = Disappear(name), verbs.MoveTo(name, under, run_time=HAIR), Appear(name)
        gone = Disappear(*arrows, *self.in_the_way)
        return Together(gone, verbs.MoveTo(self.key_names[0], over), Then(*down))

    def send_query(self) -> tuple[Verb, ...]:
        """Return the animations in which the query grows."""
        seen = Fade(self.drawn.line, self.drawn.query, to=1.0)
        return seen, verbs.Vary(self.drawn.grow_query, 0, 1)

    def hold_out_key(self) -> tuple[Verb, ...]:
        """Return the animations in which the first key grows."""
        return Fade(self.drawn.key, to=1.0), verbs.Vary(self.drawn.grow_key, 0, 1)

    def turn(self, start: int, end: int) -> Verb:
        """Return the animation in which another key takes its turn, and the number follows."""
        if start == end:
            return Pulse(self.number)
        step = 1 if end > start else -1
        pace = SLOW / abs(end - start)
        legs = (
            Together(
                verbs.Vary(self.drawn.turn_to, place - step, place, pace),
                verbs.Count(self.number, self.products[place], pace),
            )
            for place in range(start + step, end + step, step)
        )
        return Then(
            Together(Disappear(self.key_names[start]), Then(*legs)), Appear(self.key_names[end])
        )


def _name(template: str, token: str, role: theme.Role, region: Region) -> Words:
    """Make the name of an arrow, as large as it may be."""
    name = Words(template, token, size=theme.TITLE_SIZE, role=role)
    return name.shrink_to(region.width / (2 if region.is_narrow else 4))
