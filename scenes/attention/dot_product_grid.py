"""The dot-product grid: every query meets every key, and each pair leaves one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import product

import numpy as np
from manim import Dot, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme, verbs
from scenes.analysis.selection import contrasting_keys
from scenes.camera import place_inside
from scenes.figures.dot_product import Inside, Meeting
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.attention_grid import WIDE_CELL, AttentionGrid
from scenes.mobjects.marks import Ring, ways
from scenes.mobjects.text import Number, Words, label_of
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, QUICK, REST, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Dim, Disappear, Draw, Fade, Flow, Hold, Pulse, Then, Together, Verb

LONG = 1.5 * SLOW  # in which all entries are multiplied, faster and faster
SLIGHTLY = 1.05  # times as large, what swells
ASIDE = 0.3  # as much is seen of rows that are not read


class DotProductGrid(Film):
    """Every query meets every key, and each pair leaves one number.

    The numbers are raw dot products: nothing is scaled, hidden or made into weights yet.
    """

    title = "The dot-product grid"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 72
    poster_beat = "read-one-row"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Follow the last query, and the key that fits it best."""
        where = self.layer, self.head
        self.q, self.k = self.tensor("q")[where], self.tensor("k")[where]
        self.dots = self.tensor("dot_products")[where]
        self.asker = len(self.tokens) - 1
        self.telling = contrasting_keys(self.dots[self.asker].array)
        self.answer = self.telling[0]
        self.pattern = self.tensor("pattern")[where]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and count its pairs."""
        tokens = len(self.tokens)
        rings = "below zero, a ring" if (self.dots.array < 0).any() else "none is below zero"
        return {
            "below": rings,
            "asker": self.name_of(self.asker),
            "answer": self.name_of(self.answer),
            "tokens": str(tokens),
            "pairs": f"{tokens**2} pairs",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what the row of this prompt is like."""
        row = [self.dots[self.asker, key].value.number for key in self.telling]
        return {
            **super().circumstances(),
            "all_agree": min(row) >= 0,
            "none_agrees": max(row) < 0,
            "itself": self.asker == self.answer,
        }

    def cast(self) -> None:
        """Make the two arrows, the grid with what its cells hold, and the inside of one cell."""
        self.board = board = AttentionGrid(self.tokens, self.stage, widest=WIDE_CELL)
        broad = max(key.width for key in board.keys)
        for key in () if board.layout.slant else board.keys:  # none touches the one beside it
            key.scale(min(1.0, (board.wide - GAP) / broad), about_edge=DOWN)
        self.asking, self.answering = board.rays()
        self.dot = board.dots(self.dots)
        self.cell = board.cell(self.asker, self.answer)
        self.meeting = LabelledMeeting(self, self.stage.lowered(GAP))
        names = self.tokens[self.asker], self.tokens[self.answer]
        self.inside = Inside(names, self.q[self.asker], self.k[self.answer], self.stage)
        place_inside(self.inside, self.cell, self.stage)
        self.sentence = TokenRow(self.tokens, self.stage, largest=HEADING_SIZE)
        self.ways = ways(self.sentence.chips, self.asker, self.pattern.array[self.asker])
        VGroup(self.sentence, *self.ways).shift(bool(self.ways) * DOWN)
        self.ring = Ring(self.cell)
        rows = ([each for each in row if each is not self.cell] for row in board.faces.rows)
        self.places = [VGroup(*(Dot(each.get_center(), HAIR / 2) for each in row)) for row in rows]
        VGroup(*self.places).set_color(theme.color(theme.QUIET))
        self.pairs = Words("{} pairs", count(len(self.tokens) ** 2, "pairs"), size=SPOKEN_SIZE)
        first = board.cell(0, 0)
        room = float(first.get_left()[0]) - self.stage.left - GAP
        over = self.stage.top - float(first.get_top()[1]) - HAIR
        self.pairs.scale(min(1.0, room / self.pairs.width, over / self.pairs.height))
        self.pairs.next_to(first, UP + LEFT, buff=HAIR)
        pairs = board, self.asking, self.answering
        self.stand(*pairs, self.dot, self.meeting, self.sentence, self.inside, self.ring)
        self.stand(*self.ways, self.pairs, *self.places)

    @beat(
        "Which word fits {asker} best? It takes most from that one. | "
        "{asker} has a query, one arrow: what it looks for. | "
        "{answer} has a key: what it answers to.",
        itself="Which word fits {asker} best? It takes most from that one. | "
        "{asker} has a query, one arrow: what it looks for. | "
        "And it has a key: what it answers to.",
    )
    def two_arrows_meet(self) -> Shown:
        meet, chips = self.meeting, self.sentence.chips
        asker, answer = chips[self.asker], chips[self.answer]
        others = self.sentence.others(self.asker, self.answer)
        found = Together(Dim(*others), Pulse(asker, answer, scale=SLIGHTLY))
        yield Then(Flow(map(Appear, chips), QUICK), Flow(map(Draw, self.ways)), found)
        waits = [verbs.MoveTo(answer, meet.key_names[0])] if answer is not asker else []
        moved = Together(verbs.MoveTo(asker, meet.query_name), *waits)
        called = Disappear(asker, run_time=REST), Appear(meet.query_name)
        sent = Then(Hold(QUICK), Together(meet.send_query()))
        yield Disappear(*others, *self.ways), Then(moved, *called), sent
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
            others = np.argsort(abs(np.arange(len(names)) - at), kind="stable")[1:].tolist()
            passes = (Then(Draw(rays[i]), Disappear(rays[i], run_time=REST)) for i in others)
            named = (Appear(names[i]) for i in others)
            each = Flow((Together(*both) for both in zip(named, passes, strict=True)), SLOW)
            yield Draw(rays[at]), each
        gone = Disappear(self.asking, self.answering)
        counted = (Appear(*row, scale=1.0) for row in self.places)
        yield gone, Then(Hold(QUICK), Flow(counted, STEADY)), Appear(self.pairs)

    @beat(
        "Inside, each arrow is a row of numbers: | multiply entry by entry. | "
        "Where signs agree, it gains, | where they differ, it loses. | "
        "Step back, and add up: the same number."
    )
    def look_into_one_cell(self) -> Shown:
        inside, work, swell = self.inside, self.inside.work, partial(Pulse, scale=SLIGHTLY)
        gone = Disappear(*self.places, self.pairs, self.board)
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
        "And that number is the dot. | The same sum in every cell, "
        "| {below}: | so the whole grid is seen at once."
    )
    def dots_fill_the_grid(self) -> Shown:
        own = self.dot.cell(self.asker, self.answer)
        names = *self.board.queries, *self.board.keys
        near = Together(self.pull_back(), Fade(self.board.faces, to=1.0))
        yield Then(self._land(own), near, Fade(*names, to=1.0, run_time=QUICK), Pulse(own))
        keys = (key for key in range(len(self.tokens)) if key != self.answer)
        row = (Appear(self.dot.cell(self.asker, key)) for key in keys)
        yield Flow(row, SLOW, gathering=True)
        rows = (Appear(*self.dot.row(query)) for query in reversed(range(self.asker)))
        yield Flow(rows, 1.5 * SLOW)
        yield Flow(Pulse(*self.dot.row(query), scale=SLIGHTLY) for query in range(self.asker + 1))

    @beat(
        "Read the last row. | {asker} fits best with {answer}.",
        itself="Read the last row. | {asker} fits best with itself.",
    )
    def read_one_row(self) -> Shown:
        board, dots = self.board, self.dot
        away = Fade(*dots.rows[:-1], *board.queries[: self.asker], to=ASIDE)
        pairs = zip(dots.row(self.asker), board.keys, strict=True)
        yield away, Then(Hold(QUICK), Flow((Pulse(*pair) for pair in pairs), SLOW))
        key, found = board.keys[self.answer], dots.cell(self.asker, self.answer)
        others = [each for each in board.keys if each is not key]
        told = Then(Pulse(board.queries[self.asker]), Together(Dim(*others), Pulse(key)))
        yield told, Then(Hold(STEADY), Appear(self.ring), Pulse(found))

    # How a change spreads over the grid

    def _land(self, dot: VMobject) -> Verb:
        """Return how the sum becomes the dot of its cell again."""
        work = self.inside.work
        rest = work.query, work.key, work.bars, work.level, *self.inside.names
        return Then(Disappear(*rest, run_time=QUICK), verbs.TurnInto(work.sum, dot))

    def _open(self) -> tuple[Verb, ...]:
        """Return how the dot of the cell shrinks, and both vectors come out of it."""
        work, area = self.inside.work, self.meeting.drawn.area
        ends = (LEFT, RIGHT) if work.upright else (UP, DOWN)
        starts = zip((work.query, work.key), map(area.get_edge_center, ends), strict=True)
        come = (verbs.ComeFrom(row, start) for row, start in starts)
        return verbs.GoInto(area, area.get_center(), QUICK), *come

    def _outward(self, change: Callable[[int, int], Verb]) -> list[Verb]:
        """Return a change of every cell, those nearest to the one that was looked into first."""
        places = product(range(len(self.tokens)), repeat=2)
        here = np.array((self.asker, self.answer))
        return [change(*each) for each in sorted(places, key=lambda at: np.hypot(*(at - here)))]


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
