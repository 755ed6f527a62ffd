"""The dot-product grid: every query meets every key, and each pair leaves one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.analysis.selection import contrasting_keys
from scenes.camera import place_inside
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import WIDE_CELL, AttentionGrid
from scenes.mobjects.dot_product import EntryByEntry, Meeting
from scenes.mobjects.marks import Ring, arch
from scenes.mobjects.text import Number, Words, label_of
from scenes.mobjects.tokens import TokenRow
from scenes.region import Region
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    KEY,
    QUERY,
    QUICK,
    REST,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    Role,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
    Visit,
)

HIGH, WIDEST = 0.28, 12.0  # of its length, an arc over words; its width for all attention
SPECK, SLIGHTLY = 0.2, 1.05  # of its size, by a dot that begins to grow; a word that swells
OWN_ADJECTIVE = (" verdant", " forest")  # of the course's own sentence


class DotProductGrid(Film):
    """Every query meets every key, and each pair leaves one number.

    The numbers are raw dot products: nothing is scaled, hidden or made into weights yet.
    """

    title = "The dot-product grid"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
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

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and count its pairs."""
        tokens = len(self.tokens)
        earlier = any(each < self.answer for each in self.admirers)
        return {
            "asker": self.name_of(self.asker),
            "answer": self.name_of(self.answer),
            "tokens": str(tokens),
            "pairs": f"{tokens**2} pairs",
            "numbers": f"{tokens**2} numbers",
            "admirers": str(len(self.admirers)),
            "even": ", even those before it" if earlier else "",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what the row of this prompt is like."""
        row = [self.dots[self.asker, key].value.number for key in self.telling]
        itself = self.asker == self.answer
        return {
            **super().circumstances(),
            "all_agree": min(row) >= 0,
            "none_agrees": max(row) < 0,
            "own_adjective": (self.tokens[self.answer], self.tokens[self.asker]) == OWN_ADJECTIVE,
            "itself": itself,
            "picky": len(self.admirers) == 1,
        }

    def cast(self) -> None:
        """Make the two arrows, the grid with what its cells hold, and the inside of one cell."""
        self.board = board = AttentionGrid(self.tokens, self.stage, widest=WIDE_CELL)
        (self.asking, self.answering), self.crossings = board.rays(), board.crossings()
        self.fills, self.dot = board.fills(self.dots), board.dots(self.dots)
        self.numbers = board.numbers(self.dots, on_fills=True)
        self.cell = board.cell(self.asker, self.answer)
        self.meeting = LabelledMeeting(self, self.stage.lowered(GAP))
        self.inside = Inside(self, self.stage)
        place_inside(self.inside, self.cell, self.stage)
        self.sentence = TokenRow(self.tokens, self.stage, largest=HEADING_SIZE)
        self.ways = ways(self)
        VGroup(self.sentence, *self.ways).shift(bool(self.ways) * DOWN)
        self.homes = [chip.get_center() for chip in self.sentence.chips]
        self.ring = Ring(board.cell(self.asker, 0))
        self.rings = VGroup(*(Ring(board.cell(*each)) for each in enumerate(self.best)))
        pairs = self.asking, self.answering, self.crossings
        self.stand(self.fills, board, *pairs, self.numbers, self.dot, self.meeting, self.sentence)
        self.stand(self.inside, self.ring, self.rings, *self.ways)

    @beat(
        "How well does one word fit another? It takes most from what fits best. | "
        "{asker} has a query: what it looks for. | {answer} has a key: what it answers to.",
        itself="How well does one word fit another? It takes most from what fits best. | "
        "{asker} has a query: what it looks for. | And it has a key: what it answers to.",
    )
    def two_arrows_meet(self) -> Shown:
        meet, chips = self.meeting, self.sentence.chips
        asker, answer = chips[self.asker], chips[self.answer]
        others = self.sentence.others(self.asker, self.answer)
        found = Together(Dim(*others), Pulse(asker, answer, scale=SLIGHTLY))
        yield Then(Flow(map(Appear, chips), QUICK), Flow(map(Draw, self.ways)), found)
        waits = [MoveTo(answer, meet.key_names[0])] if answer is not asker else []
        moved = Together(MoveTo(asker, meet.query_name), *waits)
        named = Then(Disappear(asker, run_time=REST), Appear(meet.query_name))
        sent = Together(named, *meet.send_query())
        yield Then(Disappear(*others, *self.ways), moved, sent)
        yield (
            Then(Disappear(answer, run_time=REST), Appear(meet.key_names[0])),
            *meet.hold_out_key(),
        )

    @beat(
        "The key casts a shadow on the query: how far the two agree. | "
        "Shadow times the query's length is an area: | their dot product."
    )
    def the_key_casts_a_shadow(self) -> Shown:
        drawn = self.meeting.drawn
        yield Fade(drawn.shadow, drawn.drop, to=1.0), Vary(drawn.fall, 0, 1, SLOW)
        yield Fade(drawn.area, to=1.0), Vary(drawn.open, 0, 1, SLOW)
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

    @beat("What a pair leaves is one number: | a dot of the same area, | in a place of its own.")
    def one_number_one_place(self) -> Shown:
        meet, place = self.meeting, self.dot.cell(self.asker, self.answer)
        query, key = self.board.queries[self.asker], self.board.keys[self.answer]
        yield meet.turn(len(self.telling) - 1, 0)
        yield meet.put_aside(), Vary(meet.drawn.round_off, 0, 1, STEADY)
        faces = self._outward(lambda q, k: Appear(self.board.cell(q, k)))
        names = (
            Together(Disappear(old, run_time=REST), Then(Hold(), ComeFrom(new, old, fit=False)))
            for old, new in ((meet.query_name, query), (meet.key_names[0], key))
        )
        yield MoveTo(meet.drawn.area, place, fit=True), *names, Flow(faces, SLOW, gathering=True)

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
            yield Flow((Together(Appear(names[i]), Draw(rays[i])) for i in nearest), SLOW)
        meet = self._outward(lambda q, k: Appear(self.crossings.cell(q, k), scale=SPECK))
        yield Flow(meet[1:], SLOW, gathering=True)

    @beat(
        "Inside one, a sum: | multiply entry by entry. | Where signs agree, it gains, | "
        "where they differ, it loses. | Add up: the same number."
    )
    def look_into_one_cell(self) -> Shown:
        inside, work = self.inside, self.inside.work
        gone = self.asking, self.answering, self.crossings, self.board
        area = self.meeting.drawn.area
        ends = (LEFT, RIGHT) if work.upright else (UP, DOWN)
        starts = zip((work.query, work.key), map(area.get_edge_center, ends), strict=True)
        come = (ComeFrom(row, start) for row, start in starts)
        shrunk = GoInto(area, area.get_center(), QUICK), Disappear(*gone)
        opened = Then(Together(*shrunk, *come), Appear(*inside.names))
        yield self.zoom_into(self.cell), Then(Hold(STEADY), opened)
        pairs = (Pulse(*pair) for pair in zip(work.query.cells, work.key.cells, strict=True))
        met = Vary(work.multiply, 0, 1, SLOW), Flow(pairs, SLOW)
        yield Fade(work.bars, work.level, to=1.0), *met
        yield Dim(*work.losses), Flow(map(Pulse, work.gains), SLOW)
        yield Undim(*work.losses), Dim(*work.gains), Flow(map(Pulse, work.losses), SLOW)
        added = Fade(work.sum, to=1.0), Vary(work.add_up, 0, 1, SLOW)
        yield Undim(*work.gains), Then(Vary(work.sink, 0, 1, QUICK), Together(*added))

    @beat("The same sum in every cell: | {numbers}, blue above zero, orange below.")
    def numbers_fill_the_grid(self) -> Shown:
        work, number = self.inside.work, self.numbers.cell(self.asker, self.answer)
        rest = work.query, work.key, work.bars, work.level, *self.inside.names
        fill = Fade(self.fills.cell(self.asker, self.answer), to=1.0)
        landed = TurnInto(work.sum, number), Disappear(*rest, run_time=QUICK)
        done = Then(Hold(STEADY), Together(*landed, Then(Hold(QUICK), fill)))
        yield self.pull_back(), Fade(self.board, to=1.0), done
        yield Flow(self._outward(self._work_out), 2 * SLOW, gathering=True)

    @beat("As dots: the area is the size, | a ring is negative.")
    def numbers_become_dots(self) -> Shown:
        yield Flow(self._outward(self._round_off), SLOW), Disappear(self.fills, run_time=SLOW)
        negative = np.argwhere(self.dots.array < 0).tolist()
        yield Flow((Pulse(self.dot.cell(q, k)) for q, k in negative), STEADY)

    @beat(
        "Read the last row. | {asker} fits best with {answer}.",
        own_adjective="Read the last row. | {asker} fits best with {answer}, its own adjective.",
        itself="Read the last row. | {asker} fits best with itself.",
    )
    def read_one_row(self) -> Shown:
        board, row = self.board, list(self.board.row(self.asker))
        rest = [each for each in self.dot.rows if each is not self.dot.row(self.asker)]
        yield Dim(*rest, *board.queries[: self.asker], *board.keys), Appear(self.ring)
        yield Then(
            Visit(self.ring, [*row[1:], self.cell], SLOW),
            Together(Undim(board.keys[self.answer]), Pulse(self.dot.cell(self.asker, self.answer))),
        )

    @beat(
        "Is that what {asker} seeks? | Look down the column: | {admirers} of {tokens} queries like "
        "{answer} best{even}. | So one grid can't prove what a word seeks. | It says how well "
        "queries fit keys: | by that, attention is shared out.",
        picky="Is that what {asker} seeks? | Look down the column: | of {tokens} queries, only "
        "{asker} likes {answer} best. | Even so, one grid can't prove it. | It says how well "
        "queries fit keys: | by that, attention is shared out.",
        own_adjective="So does a noun seek its adjective? | Look down the column: | {admirers} of "
        "{tokens} queries like {answer} best{even}. | So that's a story: one grid can't prove it. "
        "| It says how well queries fit keys: | by that, attention is shared out.",
    )
    def look_down_the_column(self) -> Shown:
        board, row, key = self.board, self.dot.row(self.asker), self.answer
        asker, answer = board.queries[self.asker], board.keys[key]
        yield Then(Pulse(asker), Pulse(answer), Pulse(self.dot.cell(self.asker, key)))
        up = [*range(self.asker)][::-1]
        seen = Flow((Undim(self.dot.cell(query, key)) for query in up), SLOW)
        yield Visit(self.ring, [board.cell(query, key) for query in up], SLOW), seen
        yield Disappear(self.ring), Flow(map(self._choose, range(len(self.best))), 2 * SLOW)
        yield Flow((Pulse(board.queries[i], self.rings[i]) for i in self.admirers), SLOW)
        others = self.rings[:-1], board.queries[: self.asker], self.dot.rows[: self.asker]
        left = Disappear(*others[0]), Dim(*others[1], *others[2])
        yield *left, Undim(*row, *board.keys), Flow(map(Pulse, row), SLOW)
        met = Flow(map(Pulse, (asker, answer, self.rings[-1])))
        yield self._share_out() if self._is_wide() else met

    # How a change spreads over the grid

    def _places(self, query: int, key: int) -> list[tuple[int, int]]:
        """Return the places of all cells, those nearest to a cell first."""
        places = [(q, k) for q in range(len(self.tokens)) for k in range(len(self.tokens))]
        return sorted(places, key=lambda place: np.hypot(place[0] - query, place[1] - key))

    def _is_wide(self) -> bool:
        """Say whether the sentence, on a single line, fills the stage with its arcs."""
        across = self.homes[-1][0] - self.homes[0][0]
        across += (self.sentence.chips[0].width + self.sentence.chips[-1].width) / 2
        return bool(self.ways) and across > WIDE * self.stage.width

    def _share_out(self) -> Verb:
        """Return how the last row's dots go under their words, and become attention to them."""
        chips, dots, arcs = self.sentence.chips, self.dot.row(self.asker), self.ways
        rest = [self.dot.cell(*each) for each in self._places(0, 0) if each[0] != self.asker]
        gone = Disappear(self.board, self.rings, *rest)
        low = ((chips[0].height + self.board.side) / 2 + HAIR) * DOWN
        homes = [
            np.maximum(home, (self.stage.left + dot.width / 2, -np.inf, 0.0))
            for dot, home in zip(dots, self.homes, strict=True)
        ]
        under = (MoveTo(dot, home + low) for dot, home in zip(dots, homes, strict=True))
        home = (MoveTo(*each, run_time=HAIR) for each in zip(chips, self.homes, strict=True))
        words = Then(Together(*home), Hold(), Flow(map(Appear, chips), QUICK))
        return Then(Together(gone, *under, words), Flow(map(Draw, arcs), STEADY))

    def _outward(self, change: Callable[[int, int], Verb]) -> list[Verb]:
        """Return a change of every cell, those nearest to the one that was looked into first."""
        return [change(*place) for place in self._places(self.asker, self.answer)]

    def _choose(self, query: int) -> Verb:
        """Return how a row is looked at, and what is largest in it ringed."""
        row, best = self.dot.row(query), self.dot.cell(query, self.best[query])
        ringed = Appear(self.rings[query]), Pulse(best)
        rest = [dot for dot in row if dot is not best]
        return Then(Undim(*row, self.board.queries[query]), Together(*ringed, Dim(*rest)))

    def _work_out(self, query: int, key: int) -> Verb:
        """Return the animation in which a cell gets its number."""
        number, fill = self.numbers.cell(query, key), self.fills.cell(query, key)
        return Together(Appear(number), Fade(fill, to=1.0))

    def _round_off(self, query: int, key: int) -> Verb:
        """Return the animation in which a cell's number becomes its dot."""
        number, dot = self.numbers.cell(query, key), self.dot.cell(query, key)
        return Together(Disappear(number, run_time=QUICK / 2), Appear(dot, scale=SPECK))


class LabelledMeeting(VGroup):
    """A query's arrow and those of some keys, with their names, and the dot product as a number."""

    def __init__(self, film: DotProductGrid, region: Region) -> None:
        asker, keys = film.asker, film.telling
        self.products = [film.dots[asker, key].value for key in keys]
        self.query_name = _name("query of {}", label_of(film.tokens[asker]), QUERY, region)
        self.key_names = VGroup(
            *(_name("key of {}", label_of(film.tokens[key]), KEY, region) for key in keys)
        )
        self.number = Number(self.products[0], 2, HEADING_SIZE)
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
        down = Disappear(name), MoveTo(name, under, run_time=HAIR), Appear(name)
        gone = Disappear(*arrows, self.number)
        return Together(gone, MoveTo(self.key_names[0], over), Then(*down))

    def send_query(self) -> tuple[Verb, ...]:
        """Return the animations in which the query grows."""
        seen = Fade(self.drawn.line, self.drawn.query, to=1.0)
        return seen, Vary(self.drawn.grow_query, 0, 1)

    def hold_out_key(self) -> tuple[Verb, ...]:
        """Return the animations in which the first key grows."""
        return Fade(self.drawn.key, to=1.0), Vary(self.drawn.grow_key, 0, 1)

    def turn(self, start: int, end: int) -> Verb:
        """Return the animation in which another key takes its turn, and the number follows."""
        if start == end:
            return Pulse(self.number)
        step = 1 if end > start else -1
        pace = SLOW / abs(end - start)
        legs = (
            Together(
                Vary(self.drawn.turn_to, place - step, place, pace),
                Count(self.number, self.products[place], pace),
            )
            for place in range(start + step, end + step, step)
        )
        return Then(
            Together(Disappear(self.key_names[start]), Then(*legs)), Appear(self.key_names[end])
        )


class Inside(VGroup):
    """What is worked out in one cell, with the names of its two words."""

    def __init__(self, film: DotProductGrid, region: Region) -> None:
        names = [
            Words("{}", label_of(film.tokens[film.asker]), size=SPOKEN_SIZE, role=QUERY),
            Words("{}", label_of(film.tokens[film.answer]), size=SPOKEN_SIZE, role=KEY),
        ]
        widest, tallest = (
            max(getattr(name, side) for name in names) for side in ("width", "height")
        )
        upright = region.height > region.width
        beside = Region(region.left + widest + GAP, region.right, region.bottom, region.top)
        room = region.lowered(tallest + GAP) if upright else beside
        self.work = EntryByEntry(film.q[film.asker], film.k[film.answer], room, upright=upright)
        self.work.multiply(0)
        self.work.sink(0)
        self.work.add_up(0)
        for name, vector in zip(names, (self.work.query, self.work.key), strict=True):
            if upright:
                name.next_to(vector, UP, buff=GAP).shrink_to(vector.width)
            else:
                name.next_to(vector, LEFT, buff=GAP)
        self.names = VGroup(*names)
        super().__init__(self.work, self.names)


WIDE = 0.7  # of the stage's width, a sentence that fills it
NOTHING = 0.005  # of all attention: what gets less has no arc


def ways(film: DotProductGrid) -> list[VMobject]:
    """Return arcs to the asker from those before it, as wide as its attention, on a single line."""
    chips, weights = film.sentence.chips, film.tensor("pattern")[film.layer, film.head]
    if np.ptp([chip.plate.get_y() for chip in chips]) > HAIR:
        return []
    end, shares = chips[film.asker].get_top(), weights.array[film.asker]
    starts = [chip.get_top() for chip in chips[: film.asker]]
    return [
        arch(start, end, HIGH * abs(end - start)[0], WIDEST * float(share))
        for start, share in zip(starts, shares, strict=False)
        if share > NOTHING
    ]


def _name(template: str, token: str, role: Role, region: Region) -> Words:
    """Make the name of an arrow, as large as it may be."""
    name = Words(template, token, size=TITLE_SIZE, role=role)
    return name.shrink_to(region.width / (2 if region.is_narrow else 4))
