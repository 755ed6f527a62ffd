"""From one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import chain

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, ORIGIN, RIGHT, UP
from manim.typing import Point3D, Vector3D

from scenes import theme, verbs
from scenes.analysis.directions import fanned
from scenes.analysis.selection import alike, most_similar_pair, one_hots, word_like
from scenes.camera import WHOLE
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.clock import ticking
from scenes.mobjects.fit import needed_decimals, shown_entries, text_size
from scenes.mobjects.marks import Brace, Ring
from scenes.mobjects.outlines import in_space
from scenes.mobjects.space import Cosines, Room, Space
from scenes.mobjects.text import Number, TokenText, Words, called, label_of
from scenes.mobjects.tokens import TINT, TokenCards, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Value, cosine, count, pairs
from scenes.region import Region
from scenes.theme import ACCENT, GAP, HAIR, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, Vary, Verb

WINDOW, LISTED = 60, 99  # ids in which neighbours are looked for; rows that are most alike
MIDDLE, MOST, ENTRIES, NARROW = 240, 9, 4, 3.3  # rows that pass; rows, entries; in such a width
LIST, PITCH, APART, NAME = 0.46, 0.093, 0.22, 0.16  # of the stage: list, row, far cards, names
CELL, CELLS, TABLE = 0.1, 0.42, 0.54  # of its width: a cell, where it is, where the table begins
BULGE, GROUND, NEAR = 0.25, 0.55, 0.75  # of a curve; of rooms
TURNS = BEFORE, BETWEEN, AFTER = 62.0, 15.0, -32.0  # degrees, while the camera goes round
AXES = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # up, to the right, nearer
SQUARE = 0.35  # a cosine: less is about a right angle
STRIP, ARC = 1.7, 1.5  # scene units: for the sentence; an arc's handles, at most
SOON, HOP, NUDGES = 0.15, 0.25, 6  # seconds: a twin comes in, a chip leaves; training's steps


class FromOneHotToEmbedding(Film):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 90
    poster_beat = "what-a-table-learns"

    def derived(self) -> Mapping[str, Array]:
        """Add the tokens' one-hot vectors, and a table before training."""
        one_hot = one_hots(self.trace.ids, len(self.trace.weights.W_E))
        return {"one_hot": one_hot, "untrained.W_E": self.untrained_table()}

    def observe(self) -> None:
        """Find the token to look up, others of the text, what is beside it and what is like it."""
        self.table, self.fresh = self.tensor("weights.W_E"), self.tensor("untrained.W_E")
        self.hero = self.followed()
        self.shown = self._three(pairs(list(self.tensor("embed")), cosine).array)
        self.id = hero = int(self.trace.ids[self.hero])
        listed = alike(self.table.array, hero, LISTED)
        pieces = self.vocabulary([*range(max(hero - WINDOW, 0), hero + WINDOW + 1), *listed])
        by_distance = sorted(pieces, key=lambda index: (abs(index - hero), index))
        self.beside = sorted(by_distance[1:3])
        free = pieces.keys() - {hero, *self.beside}
        others = [each for each in (*listed, *by_distance) if each in free]
        if not others:
            self.refuse("from-one-hot-to-embedding needs a vocabulary of four tokens or more.")
        self.like = word_like(hero, others, pieces)
        self.near = {i: pieces[i] for i in sorted([hero, *self.beside, self.like])}
        with_hero = {i: cosine(self.table[hero], self.table[i]) for i in self.near}
        self.met = [hero, self.like, min(self.beside, key=lambda i: abs(with_hero[i].number))]
        self.after = [with_hero[i] for i in self.met[1:]]
        self.before = [cosine(self.fresh[hero], self.fresh[i]) for i in self.met[1:]]
        self.texts = self.used_alike(*(self.near[i].strip() for i in self.met))

    def words(self) -> Mapping[str, str]:
        hero = self.name_of(self.hero)
        is_apart = all(abs(each.number) < SQUARE for each in self.before)
        return {
            "hero": hero,
            "id": f"{self.id:,}",
            "beside": " and ".join(called(self.near[index]) for index in self.beside),
            "like": called(self.near[self.like]),
            "away": f"{abs(self.like - self.id):,}",
            "odd": called(self.near[self.met[-1]]),
            "anywhere": f"near a right angle to {hero}" if is_apart else "anywhere",
            "rows": f"{len(self.table):,}",
            "width": f"{self.table.shape[1]:,}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        like, odd = (each.number for each in self.after)
        is_closer = like > max(SQUARE, self.before[0].number)
        return {**super().circumstances(), "not_so": not is_closer or odd >= SQUARE}

    def cast(self) -> None:
        main, self.is_tall = self.stage.lowered(STRIP), self.stage.width < 1.2 * self.stage.height
        self.free = (main.split(0.9 * LIST) if self.is_tall else main.columns(LIST))[1]
        self.hue = theme.mix(theme.color(ACCENT), theme.color(theme.BACKGROUND), TINT)
        self._cast_cards()
        self._cast_list()
        self._cast_table()
        self._cast_space()
        self._cast_cosines()
        self._cast_sentence(main)
        self.stand(self.cards, *self.distances, self.passing, *self.tops, *self.rows, self.place)
        self.stand(self.top, self.column, *self.vectors, *self.factors, self.width_mark)
        self.stand(self.space, *self.states, self.threads, self.sentence)
        self.stand(self.learnt, self.ring, self.cosines, self.framed, *self.again, self.named)
        self.stand(*self.windows, *self.unknown, self.used)

    @beat(
        "To a model, {hero} is number {id}. | What does that tell it? | "
        "Beside it in the list stand {beside}, | and {like}, which a model finds like it, | "
        "is {away} places away. | So the number says nothing about meaning."
    )
    def a_number_says_nothing(self) -> Shown:
        beside, far = [self.card_of(index) for index in self.beside], self.card_of(self.like)
        yield Then(Appear(self.card), *map(Pulse, self.card[1:]))
        yield self.pull_back(STEADY), Then(Hold(QUICK), Flow(map(Appear, beside)))
        (step, one), (way, places) = self.distances
        yield Then(Together(Draw(step), Appear(one)), Flow(Pulse(card[2]) for card in beside))
        yield Then(Appear(far), Pulse(far[2]))
        yield Draw(way), Appear(places)
        yield Flow(Pulse(card[1]) for card in self.cards.cards)

    @beat(
        "So give each token a list of its own, | with a place for every token: | "
        "{rows} of them, all zero, | but for a one at {id}: a one-hot vector."
    )
    def one_place_each(self) -> Shown:
        rest = [card for card in self.cards.cards if card is not self.card]
        aside = verbs.MoveTo(self.card, self.beside_list, scale=self.card_scale)
        yield Then(Together(Disappear(*rest, *self.distances), aside), Flow(map(Appear, self.tops)))
        yield Appear(self.place), Flow(Appear(number) for number in self.top.numbers)
        yield self._scroll()
        one = VGroup(self.column.cells[self.at], self.column.numbers[self.at])
        yield Then(Draw(self.ring), Pulse(one), Pulse(self.card))

    @beat(
        "Now no two tokens are confused, | but none are related either: | "
        "every two stand at a right angle, | whatever they mean."
    )
    def at_right_angles(self) -> Shown:
        space = self.space
        lead = Disappear(self.place, self.card, self.ring), verbs.Dim(*self.rows)
        yield *lead, Appear(space.ground), self._become(self.column, space)
        come = Flow(map(Appear, space.arrows[1:], space.labels[1:]))
        yield Disappear(*self.rows), self.travel_to(self.near_space), come
        yield Vary(space.turn_to, BEFORE, BETWEEN, SLOW), Flow(map(Draw, space.corners), STEADY)
        yield Then(Vary(space.turn_to, BETWEEN, AFTER), Pulse(*space.labels, *space.corners))

    @beat(
        "So multiply this column by a table, | with a learned row for every token. | "
        "Zero times a row is nothing; | one times a row is the row itself. | "
        "Add them all up: {width} numbers, | simply looked up: its embedding."
    )
    def multiply_by_a_table(self) -> Shown:
        column, own = self.column, self.vectors[self.at]
        column.straighten(0)
        yield self.pull_back(STEADY), *self._lie_down(column, self.space), Appear(*self.rows)
        yield Flow(Appear(vector.body) for vector in self.vectors)
        places = sorted(range(len(self.vectors)), key=lambda place: abs(place - self.at))
        yield Flow((self._times(place) for place in places[1:]), SLOW)
        yield self._times(self.at)
        rows, late = [self.vectors[place] for place in places[1:]], Hold(QUICK / 2)
        fall = (
            Together(verbs.MoveTo(r, own), Then(late, Disappear(r, run_time=QUICK))) for r in rows
        )
        yield Then(Flow(fall, STEADY), Draw(self.width_mark[0]), Appear(self.width_mark[1]))
        rest = [part for i in places[1:] for part in (self.rows[i], column.numbers[i])]
        yield verbs.Dim(*rest), Draw(self.ring), Then(Hold(), Pulse(own))

    @beat(
        "Such a row is an arrow. | Before training, others point {anywhere}. | "
        "Their cosine tells how close: | zero at a right angle, one in the same "
        "direction. | Where texts use two words alike, | training nudges them alike: | "
        "{like} came close; {odd}, next in the list, did not.",
        not_so="Such a row is an arrow. | Before training, others point {anywhere}. | "
        "Their cosine tells how close: | zero at a right angle, one in the same "
        "direction. | Where texts use two words alike, | training nudges them alike, | "
        "so such words tend to come closer.",
    )
    def what_a_table_learns(self) -> Shown:
        space, own, (before, after) = self.learnt, self.vectors[self.at], self.states
        rest = *space.arrows[1:], *space.labels[1:]
        numbers = self.cosines.numbers
        leave = Disappear(*self.rows, self.column, self.ring, self.width_mark, *self.factors)
        yield leave, Appear(space.ground), self._become(own, space), self.travel_to(self.near_two)
        yield Then(Vary(space.stand_at, 0, 1), Appear(before), Flow(map(Appear, rest)))
        yield Flow(map(Pulse, space.arrows)), *map(Draw, self.pairs)
        yield Then(Flow(map(Appear, self.cosines.ends)), Flow(map(Appear, numbers)))
        train = map(verbs.Count, numbers, self.after, [SLOW] * len(numbers))
        nudge = Vary(space.stand_at, 1, 0, SLOW, ticking(NUDGES))
        alike = Then(Flow(map(Appear, self.used)), Flow(map(Pulse, space.labels[:2])))
        yield Disappear(self.cosines.ends, run_time=QUICK), alike
        yield nudge, *train, Then(Disappear(before), Appear(after))
        odd = space.arrows[2], space.labels[2], self.pairs[1], numbers[1]
        yield verbs.Dim(*odd), Then(Pulse(*space.labels[:2]), Pulse(*numbers[:1]))

    @beat(
        "In this sentence, {hero} fetches its row. | Put it elsewhere: | "
        "the same number, the same row. | "
        "The number only says where to look. | The row says what {hero} means anywhere, | "
        "not what it means here.",
    )
    def the_same_row_again(self) -> Shown:
        own, (one, other), number = self.own, self.threads, self.named[0]
        gone = self.cosines, *self.states, *self.pairs, self.used
        after = Disappear(*gone), self.pull_back(STEADY)
        table = Then(Hold(QUICK), Appear(self.named))
        first = Flow(map(Appear, self.sentence), QUICK), Draw(one, run_time=QUICK)
        come = Then(Hold(STEADY), *first, Draw(self.framed), self._fetch(1))
        yield *after, *self._lie_down(own, self.learnt, own.brackets, own.dots), table, come
        yield Disappear(one, run_time=HOP), self._put()
        yield Then(Draw(other), Pulse(number), self._fetch(0))
        yield verbs.Recolor(number, role=ACCENT), Then(Disappear(other), Draw(other), Pulse(number))
        entries = (zip(row.cells, row.numbers, strict=True) for row in self.again)
        equal = (Pulse(*chain(*both)) for both in zip(*entries, strict=True))
        yield Flow(equal, SLOW)
        yield Then(Flow(map(Appear, self.unknown), QUICK), Flow(map(Pulse, self.around)))

    # What only this film shows

    def small_print(self) -> Words:
        """Say how large this model's table is."""
        named = zip(self.table.shape, ("rows", "columns"), strict=True)
        sizes = (count(number, f"{name} of the table") for number, name in named)
        told = "this model: {:,.0f} tokens, {:,.0f} numbers for each"
        return Words(told, *sizes, size=theme.PLAIN_SIZE, role=QUIET)

    def card_of(self, index: int) -> VGroup:
        """Return the card of a token of the vocabulary."""
        return self.cards.cards[[*self.near].index(index)]

    def _three(self, cosines: Array) -> list[int]:
        """Return the hero, and the two tokens that are most alike, or one of them and another."""
        ids = [int(index) for index in self.trace.ids]
        pair = most_similar_pair(cosines, ids) or (self.hero,)
        left = [i for i in range(len(ids)) if ids[i] not in {ids[each] for each in pair}]
        left.sort(key=lambda i: (i != self.hero, float(np.abs(cosines[i, list(pair)]).max())))
        return sorted([*pair, *left[:1]], key=lambda i: i != self.hero)

    def _times(self, place: int) -> Verb:
        """Return how an entry of the column multiplies its row of the table."""
        factor, row, cell = self.factors[place], self.vectors[place], self.column.cells[place]
        come = verbs.ComeFrom(factor, cell, fit=False)
        product = Pulse(row.body) if place == self.at else Remeasure(row, self.products[place])
        return Then(come, Together(product, Disappear(factor)))

    def _lie_down(self, body: Vector, space: Space, *around: VMobject) -> tuple[Verb, ...]:
        """Return how a vector lies down from where the hero's arrow has been turned to."""
        self._aim(body, space)
        seen = Appear(body.cells, body.head, run_time=SOON, scale=1.0)
        lies = Then(Vary(body.straighten, 1, 0), Appear(*body.numbers, *around))
        return Disappear(space), seen, lies

    def _fetch(self, place: int) -> Verb:
        """Return how the hero's row comes out of the table, to where its word stands."""
        window = Appear(self.windows[place])
        return Together(verbs.ComeFrom(self.fetched[place], self.own, fit=False), window)

    def _aim(self, body: Vector, space: Space) -> None:
        """Let a vector, as it lies, know where the hero's arrow points now."""
        body.aim(*in_space(np.array([space.origin, space.arrows[0].tip])))

    def _become(self, body: Vector, space: Space) -> Verb:
        """Return how a vector becomes the hero's arrow."""
        own = space.arrows[0], space.labels[0]
        self._aim(body, space)
        twin = Appear(*own, run_time=SOON, scale=1.0), Disappear(body.body, run_time=SOON)
        bare = Disappear(body.brackets, body.dots, body.numbers, run_time=HOP)
        return Then(bare, Vary(body.straighten, 0, 1, SLOW), Together(*twin))

    def _put(self) -> Verb:
        """Return how the hero's chip changes places with the one at the sentence's other end."""
        own, aside, row = self.chip, (self.chip.height + HAIR) * UP, self.sentence
        goals = [goal.get_center() for goal in self.goals]
        if row.lines > 1:  # no way is free of text
            ways = zip(row.chips, goals, strict=True)
            moves = (verbs.MoveTo(*pair, run_time=SOON) for pair in ways)
            return Then(Disappear(*row), Together(moves), Appear(*row))
        rest, goals[self.hero] = row.chips[self.end], goals[self.hero] + aside
        out, back = (verbs.Shift(own, by=way, run_time=HOP) for way in (aside, -aside))
        go = Together(map(verbs.MoveTo, row.chips, goals))
        return Then(Together(out, Disappear(rest)), go, Together(back, Appear(rest)))

    def _scroll(self) -> Verb:
        """Return how the list goes by, past rows that are seen on the way only."""
        first, column = (*self.tops, self.top), self.column
        parts = *self.rows, column.cells, column.numbers, column.head
        come, seen = (verbs.Fade(*each, to=1.0, run_time=SOON) for each in (self.passing, parts))
        return Together(
            verbs.Shift(self.passing, *first, *self.rows, column, by=self.way, run_time=2 * SLOW),
            verbs.Count(self.number, self.own_id, 2 * SLOW),
            Then(come, Hold(SLOW), Disappear(*first), seen),
            Then(Hold(2 * SLOW - QUICK), Disappear(self.passing)),
        )

    def _cast_cards(self) -> None:
        stage, of = self.stage, "rows of the vocabulary before this one"
        along, side, columns = (DOWN, RIGHT, 1) if self.is_tall else (RIGHT, UP, len(self.near))
        gap = APART * float(np.abs(along) @ (stage.width, stage.height, 0)) / 2
        self.own_id = self.tensor("cutting.ids")[self.hero].value
        ids = [self.own_id if index == self.id else count(index, of) for index in self.near]
        hues = [self.hue if index == self.id else "" for index in self.near]
        room = stage.inset(gap)
        room = room.narrowed(-gap, 2 * ARC - gap) if self.is_tall else room.lowered(ARC)
        self.cards = TokenCards(ids, list(self.near.values()), room, hues, columns)
        self.card = self.card_of(self.id)
        off = gap * np.sign(self.like - self.id) * along
        for index in self.near:
            self.card_of(index).shift(off if index == self.like else -off)
        step = self.beside[0] if self.like > self.id else self.beside[-1]
        self.distances = [self._distance(step, side), self._distance(self.like, side)]
        self.view = WHOLE.into(self.card, self.under_title)

    def _distance(self, index: int, side: Vector3D) -> VGroup:
        """Return the arc from the hero's card to another one, and how many places that is."""
        here, there = (card.get_edge_center(side) for card in (self.card, self.card_of(index)))
        away = count(abs(index - self.id), "places between the two in the vocabulary")
        high = min(ARC, BULGE * float(np.linalg.norm(there - here))) * side
        arc = _curve(here, here + high, there + high, there).shift(HAIR * side)
        size = theme.PLAIN_SIZE if self.stage.is_narrow else SPOKEN_SIZE
        words = Words("{:,.0f} place" + "s" * (away.number != 1), away, size=size)
        top = arc.point_from_proportion(0.5) + HAIR * side
        return VGroup(arc, words.next_to(top, side, buff=HAIR))

    def _cast_list(self) -> None:
        area, hero, last = self.stage, self.id, len(self.table) - 1
        half = (min(MOST, int(area.height / (PITCH * area.width))) - 1) // 2
        self.pitch = min(area.height / (2 * half + 1), 1.1 * CELL * area.width)
        self.start = area.center[1] + (half + 0.5) * self.pitch
        self.at = min(hero, half)
        self.ids = range(hero - self.at, min(hero + half, last) + 1)
        first = range(min(2 * half, last) + 1)
        start = min(self.ids[0], len(first) + MIDDLE)
        pieces = self.vocabulary([*first, *self.ids])
        self.tops, self.top = self._list(first, pieces)
        self.rows, self.column = self._list(self.ids, pieces)
        VGroup(*self.top.numbers).set_color(theme.color(INK))  # its cells are never filled
        self.passing = VGroup(self.tops[0][0].copy(), self.top.numbers[0].copy())
        for part in self.passing:
            copies = (part.points - (0, k * self.pitch, 0) for k in range(len(first), start))
            part.points = np.concatenate([part.points[:0], *copies])
        self.way = start * self.pitch * UP
        self.ring = Ring(VGroup(self.rows[self.at], self.column.cells[self.at]), HAIR)
        self.factors = [number.copy().set_color(theme.color(INK)) for number in self.column.numbers]
        beside = area.columns(TABLE)[1]
        self.beside_list = beside.center
        self.card_scale = min(1.0, 0.6 * beside.width / self.card.width)
        self.number = Number(count(last, "rows before the last one"), 0, 2 * SPOKEN_SIZE)
        of = Words("of {:,.0f} places", count(last + 1, "rows"), size=SPOKEN_SIZE, role=QUIET)
        none = count(0, "rows before the first one")
        begins = Words("counted from {}", none, size=SPOKEN_SIZE, role=QUIET)
        line = VGroup(self.number, of).arrange(RIGHT, buff=GAP)
        self.place = VGroup(line, begins).arrange(DOWN, buff=HAIR, aligned_edge=RIGHT)
        low = self.card_scale * self.card.height / 2 + 2 * GAP
        self.place.move_to(self.beside_list + low * DOWN, UP)
        beside.fit_width(self.place)
        self.number.put(none)

    def _list(self, ids: range, pieces: Mapping[int, str]) -> tuple[list[VGroup], Vector]:
        """Return rows of the list of tokens, and their part of the hero's one-hot vector."""
        width = self.stage.width
        side, one_hot = min(self.pitch, CELL * width), self.tensor("one_hot")[self.hero]
        upright = partial(Vector, upright=True, arrow=ACCENT, number_size=theme.HEADING_SIZE)
        values = [one_hot[index].value for index in ids]
        column = upright(values, (side, self.pitch), most=len(ids))
        for number, cell in zip(map(column.number, range(len(ids))), column.cells, strict=True):
            number.decimals = 0  # it is written as counts are
            number.put(number.value).move_to(cell)
        middle = self.start - len(ids) * self.pitch / 2
        column.move_to((self.stage.left + CELLS * width, middle, 0))
        rows = []
        size = text_size([f"{len(self.table):,}"], 0.1 * width, SPOKEN_SIZE)
        for index, cell in zip(ids, column.cells, strict=True):
            y, piece = cell.get_y(), pieces.get(index) or " "
            plate = cell.copy().set_fill(theme.color(theme.PANEL), 1)
            id_ = Number(count(index, "rows before this one"), 0, size, QUIET)
            id_.move_to((self.stage.left + 0.1 * width, y, 0), RIGHT)
            name = TokenText(piece, text_size([piece], 0.22 * width, theme.TITLE_SIZE))
            name.move_to((self.stage.left + 0.12 * width, y, 0), LEFT)
            rows.append(VGroup(plate, id_, name.shift((y - name.em / 3 - name.baseline) * UP)))
        return rows, column

    def _cast_table(self) -> None:
        area, ids = self.stage.columns(TABLE)[1], self.ids
        self.largest = float(np.abs(self.table.array[list(ids)]).max())
        shown = shown_entries(self.table.shape[1], ENTRIES)
        self.decimals = max(needed_decimals([self.table[i].values[k] for k in shown]) for i in ids)
        own, self.vectors = self.tensor("one_hot")[self.hero], list[Vector]()
        self.products = list[list[Value]]()
        for index, row, factor in zip(ids, self.rows, self.factors, strict=True):
            vector = self._entries(index, area.width).move_to((area.right, row.get_y(), 0), RIGHT)
            self.products.append([own[index].value * value for value in vector.values])
            factor.next_to(vector, LEFT, buff=GAP)
            self.vectors.append(vector)
        width = count(self.table.shape[1], "numbers in a row of the table")
        brace = Brace(self.vectors[self.at], UP)
        words = Words("{:,.0f} numbers", width, size=SPOKEN_SIZE)
        self.width_mark = VGroup(brace, words.next_to(brace, UP, buff=HAIR))
        VGroup(*self.rows, self.column).shift(-self.way)  # up to here they stood where they come to

    def _entries(self, index: int, width: float) -> Vector:
        """Return a row of the table."""
        most = ENTRIES - (width < NARROW)
        wide = width / (most + 1)
        lying = partial(Vector, arrow=ACCENT, number_size=theme.HEADING_SIZE)
        room, values = (wide, min(wide, 0.8 * self.pitch)), self.table[index].values
        return lying(values, room, most=most, largest=self.largest, decimals=self.decimals)

    def _cast_space(self) -> None:
        names = [label_of(self.tokens[token]) for token in self.shown]
        largest = theme.PLAIN_SIZE if self.stage.is_narrow else SPOKEN_SIZE
        size = text_size(names, NAME * self.stage.width, largest)
        hues = [theme.color(role) for role in (ACCENT, INK, INK)]
        room = partial(Room, colors=hues[: len(names)], size=size, ground=GROUND, turns=TURNS)
        self.space = room([AXES[: len(names)]], names, self.free)
        ways = [fanned(table.array[self.met]) for table in (self.table, self.fresh)]
        met = [label_of(self.near[index]) for index in self.met]
        self.learnt = Space(ways, met, self.free, colors=hues, size=size, ground=GROUND, turns=(0,))
        self.pairs = [self.learnt.arc(0, other) for other in (1, 2)]
        self.space.keep()
        self.space.turn_to(AFTER)
        self.near_space = WHOLE.into(self.space, self.stage, NEAR)
        self.space.turn_to(BEFORE)
        self.learnt.stand_at(1)
        both = VGroup(self.learnt, self.learnt.copy())  # as they stand before training, and after
        self.learnt.stand_at(0)
        self.near_two = WHOLE.into(both, self.stage, 0.95 if self.is_tall else NEAR)

    def _cast_cosines(self) -> None:
        """Write each cosine with the first token, and what its ends mean, for a camera near by."""
        one_hot, view, corner = self.tensor("one_hot"), self.near_two, self.stage.inset(GAP)
        ends = [cosine(one_hot[self.hero], one_hot[other]) for other in self.shown[:2]]
        self.cosines = Cosines(self.learnt, self.before, ends, theme.HEADING_SIZE / view.zoom)
        self.cosines.ends.move_to((corner.left, corner.top, 0), UP + LEFT)
        quiet, at = partial(Words, size=SPOKEN_SIZE, role=QUIET), (corner.right, corner.top, 0)
        told = map(quiet, ("before training", "after training"))
        self.states = [words.move_to(at, UP + RIGHT) for words in told]
        lines = [quiet("in texts:")] * bool(self.texts)
        lines += [Words("{}", each, size=theme.HEADING_SIZE) for each in self.texts]
        self.used = VGroup(*lines).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)
        self.used.move_to((corner.left, corner.top, 0), UP + LEFT)
        for part in (self.cosines.ends, *self.states, self.used):
            part.shift(-np.array((*view.at, 0))).scale(1 / view.zoom, about_point=ORIGIN)
            part.shift((*view.center, 0))

    def _cast_sentence(self, main: Region) -> None:
        strip = self.stage.raised(self.stage.height - STRIP).lowered(GAP)
        tokens, places = list(self.tokens), [*range(len(self.tokens))]
        self.end = len(places) - 1 if 2 * self.hero < len(places) else 0
        places[self.hero], places[self.end] = self.end, self.hero
        self.sentence = TokenRow(tokens, strip, largest=theme.TITLE_SIZE)
        after = TokenRow([tokens[i] for i in places], strip, largest=theme.TITLE_SIZE).chips
        self.goals = [after[places.index(i)] for i in range(len(tokens))]
        self.chip, self.threads = self.sentence.chips[self.hero], VGroup()
        top, *lanes = main.rows(3)
        room, sides = self.stage.columns(TABLE)[1], [lane.columns(TABLE)[0] for lane in lanes]
        self.again = [self._entries(self.id, room.width) for _ in (top, *lanes)]
        for row, lane in zip(self.again, (top, *lanes), strict=True):
            row.move_to((room.right - HAIR, lane.center[1], 0), RIGHT)
        self.own, *self.fetched = self.again
        self.named = VGroup(*self.rows[self.at][1:]).copy()
        self.named.shift((top.center[1] - self.named[0].get_y()) * UP)
        self.framed = Ring(VGroup(self.named, self.own), HAIR)
        self.windows, self.around = list[TokenRow](), list[VMobject]()
        for order, side in zip((places, range(len(tokens))), sides, strict=True):
            shown = [i for at, i in enumerate(order) if abs(at - order.index(self.hero)) < 2]
            window = TokenRow([tokens[i] for i in shown], side.inset(GAP), largest=theme.TITLE_SIZE)
            self.windows.append(window.align_to(side.inset(GAP).left * RIGHT, LEFT))
            self.around += window.others(shown.index(self.hero))
        x = (VGroup(*self.windows).get_right()[0] + self.own.get_left()[0]) / 2
        lines = ("?",) if self.stage.is_narrow else ("meaning", "here?")
        named = partial(Words, size=2 * SPOKEN_SIZE / len(lines), role=ACCENT)
        told = VGroup(*map(named, lines)).arrange(DOWN, buff=HAIR)
        self.unknown = [told.copy().move_to((x, row.get_y(), 0)) for row in self.fetched]
        over, half = self.framed.get_top(), self.framed.width / 2 - HAIR
        for chip in (self.chip, self.goals[self.hero]):
            start = chip.get_bottom()
            thread = VMobject(stroke_color=theme.color(ACCENT), stroke_width=theme.BOLD_LINE)
            if start[1] < self.sentence.get_bottom()[1] + HAIR:  # none crosses a chip below
                end = over + float(np.clip(start[0] - over[0], -half, half)) * RIGHT
                thread.set_points_as_corners((start, end))
            self.threads.add(thread)


def _curve(*points: Point3D) -> VMobject:
    """Return the curve of four points, as a bold line."""
    curve = VMobject(stroke_color=theme.color(ACCENT), stroke_width=theme.BOLD_LINE)
    curve.points = np.reshape(points, (-1, 3))
    return curve
