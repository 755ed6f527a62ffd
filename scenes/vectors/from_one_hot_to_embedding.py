"""From one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D, Vector3D

from scenes import theme, verbs
from scenes.analysis.directions import fanned
from scenes.analysis.selection import alike, most_similar_pair, one_hots, word_like
from scenes.camera import WHOLE
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import Remeasure
from scenes.mobjects.clock import ticking
from scenes.mobjects.fit import needed_decimals, shown_entries, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import in_space
from scenes.mobjects.space import Room, Space
from scenes.mobjects.text import TIMES, Formula, Number, TokenText, Words, called, label_of
from scenes.mobjects.tokens import TINT, Chip, TokenCards, TokenRow
from scenes.mobjects.vector import Swing, Vector, ellipsis
from scenes.provenance import Array, Value, cosine, count, pairs
from scenes.theme import ACCENT, GAP, HAIR, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, Disappear, Draw, Flow, Hold, Pulse, Then, Together, Vary, Verb

WINDOW, LISTED = 60, 99  # ids in which neighbours are looked for; rows that are most alike
MIDDLE, MOST, ENTRIES, NARROW = 240, 9, 4, 3.3  # rows that pass; rows, entries; in such a width
LIST, PITCH, APART, NAME = 0.46, 0.093, 0.22, 0.16  # of the stage: list, row, far cards, names
CELL, CELLS, TABLE = 0.1, 0.38, 0.47  # of its width: a cell, where it is, where the table begins
BULGE, GROUND, NEAR = 0.25, 0.55, 0.9  # of a curve; of rooms
TURNS = BEFORE, BETWEEN, AFTER = 62.0, 15.0, -32.0  # degrees, while the camera goes round
AXES = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # up, to the right, nearer
SQUARE, SLIGHT = 0.35, 1.04  # a cosine: less is about a right angle; of a row, how it swells
ARC, FOOT, LARGE = 1.5, 0.15, 1.2 * theme.HEADING_SIZE  # an arc's handles; of the stage, words
SOON, HOP, NUDGED, NUDGES = 0.15, 0.25, 2.4, 6  # seconds; the last is the number of steps
MORE, MUTED = 0.7, 2.0  # scene units: there is more of a sentence; a one's fill is not the fullest


class FromOneHotToEmbedding(Film):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 84
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
        stage = self.stage
        self.is_tall = stage.width < 1.2 * stage.height
        self.foot = FOOT * stage.height
        self.label_size = theme.PLAIN_SIZE if stage.is_narrow else SPOKEN_SIZE
        self.free = (stage.split(0.9 * LIST) if self.is_tall else stage.columns(LIST))[1]
        self.hue = theme.mix(theme.color(ACCENT), theme.color(theme.BACKGROUND), TINT)
        self._cast_cards()
        self._cast_list()
        self._cast_table()
        self._cast_space()
        self._cast_states()
        self._cast_sentence()
        self.stand(self.cards, self.gap, *self.distances, self.passing, *self.tops, *self.rows)
        self.stand(self.top, self.column, *self.vectors, *self.times, *self.plus, self.told)
        self.stand(self.space, *self.states, self.threads, *self.sentences, self.looked)
        self.stand(self.learnt, self.place, self.ring, self.framed, self.own, self.named, self.used)

    @beat(
        "To a model, {hero} is number {id}. | What does that tell it? | "
        "Beside it in the list stand {beside}, | and {like}, which a model finds like it, | "
        "is {away} places away. | So the number says nothing about meaning."
    )
    def a_number_says_nothing(self) -> Shown:
        beside, far = [self.card_of(index) for index in self.beside], self.card_of(self.like)
        yield Then(Appear(self.card), *map(Pulse, self.card[1:]))
        yield self.pull_back(STEADY), Then(Hold(QUICK), Flow(map(Appear, beside)))
        *near, (way, places) = self.distances
        steps = Flow(Then(Draw(arc), Appear(one)) for arc, one in near)
        yield Then(steps, Flow(Pulse(card[2]) for card in beside))
        alike = verbs.Become(far[0], self.alike)
        yield Then(Together(Appear(far), Appear(self.gap)), Together(alike, Pulse(far[2])))
        yield Draw(way), Appear(places)
        yield Then(Flow(Pulse(card[1]) for card in self.cards.cards), Pulse(self.card, far))

    @beat(
        "So give each token a list of its own, | with a place for every token: | "
        "{rows} of them, all zero, | but for a one at {id}: a one-hot vector."
    )
    def one_place_each(self) -> Shown:
        rest = [card for card in self.cards.cards if card is not self.card]
        aside = verbs.MoveTo(self.card, self.beside_list, scale=self.card_scale)
        gone = Disappear(*rest, *self.distances, self.gap)
        yield Then(Together(gone, aside), Flow(map(Appear, self.tops)))
        yield Appear(self.place), Flow(Appear(number) for number in self.top.numbers)
        yield self._scroll()
        one, listed = self.column.parts[1 + self.at], VGroup(*self.rows, self.column)
        home = Disappear(self.place), verbs.GoInto(self.card, self.rows[self.at][2])
        yield *home, Then(Hold(STEADY), self.zoom_into(listed, 1), Draw(self.ring), Pulse(one))

    @beat(
        "Now no two tokens are confused, | but none are related either: | "
        "every two stand at a right angle, | whatever they mean."
    )
    def at_right_angles(self) -> Shown:
        space = self.space
        near = Then(Hold(STEADY), Together(self.travel_to(self.near_space), Appear(space.ground)))
        yield Disappear(self.ring, *self.rows), self._become(self.column, space), near
        yield Flow(map(Appear, space.arrows[1:], space.labels[1:]), STEADY)
        yield Vary(space.turn_to, BEFORE, BETWEEN, SLOW), Flow(map(Draw, space.corners), STEADY)
        yield Then(Vary(space.turn_to, BETWEEN, AFTER), Pulse(*space.labels, *space.corners))

    @beat(
        "So multiply this column by a table, | with a learned row for every token. | "
        "Zero times a row is nothing; | one times a row is the row itself."
    )
    def multiply_by_a_table(self) -> Shown:
        column = self.column
        column.straighten(0)
        back = self.pull_back(STEADY), Then(Hold(QUICK), Flow(map(Appear, self.rows)))
        yield *back, self._lie_down(column, self.space), Disappear(self.space.labels[0])
        yield Flow(map(Appear, (vector.body for vector in self.vectors), self.times))
        yield Flow((self._times(place) for place in self.places[1:]), SLOW)
        yield self._times(self.at)

    @beat("Add them all up: {width} numbers, | simply looked up: its embedding.")
    def simply_looked_up(self) -> Shown:
        column, own, places = self.column, self.vectors[self.at], self.places
        rows = [self.vectors[place] for place in places[1:]]
        bare = Disappear(*(row.head for row in rows), *self.plus)
        add = Flow(map(self._add, rows), STEADY)
        plus = Flow(map(Appear, self.plus), QUICK)
        yield Then(plus, Together(add, bare), Pulse(own), Appear(self.told))
        rest = [part for i in places[1:] for part in (self.rows[i], column.numbers[i])]
        yield verbs.Dim(*rest), Draw(self.looked), Then(Hold(), Pulse(*own.cells, scale=SLIGHT))

    @beat("Such a row is an arrow. | Before training, others point {anywhere}.")
    def a_row_is_an_arrow(self) -> Shown:
        space, own = self.learnt, self.vectors[self.at]
        leave = Disappear(*self.rows, self.column, self.looked, self.told)
        yield leave, self._become(own, space), Then(Hold(STEADY), Appear(space.ground))
        arrows = Flow(map(Appear, space.arrows[1:], space.labels[1:]), STEADY)
        yield Appear(self.states[0]), Then(Hold(QUICK), arrows, Flow(map(Draw, self.pairs)))

    @beat(
        "Where texts use two words alike, | training nudges their arrows together: | "
        "{like} came close; {odd}, next in the list, did not.",
        not_so="Where texts use two words alike, | training nudges their arrows together, | "
        "so such words tend to come closer.",
    )
    def what_a_table_learns(self) -> Shown:
        space, (before, after) = self.learnt, self.states
        texts = [Then(Disappear(before), Flow(map(Appear, self.used)))] * bool(self.used)
        yield *texts, Then(Hold(), Flow(map(Pulse, space.labels[:2])))
        nudge = Vary(space.stand_at, 1, 0, NUDGED, ticking(NUDGES))
        yield Disappear(before, *self.used), Then(Hold(QUICK / 2), nudge, Appear(after))
        near, odd = space.labels[:2], (space.arrows[2], space.labels[2], self.pairs[1])
        yield Then(Pulse(*near, self.pairs[0]), Hold(QUICK), verbs.Dim(*odd), Pulse(*near))

    @beat(
        "In this sentence, {hero} leads to its row. | In another text, too: | "
        "the same number, the same row. | "
        "So a row says what {hero} means anywhere, | not what it means here.",
    )
    def the_same_row_again(self) -> Shown:
        own, space, (number, name) = self.own, self.learnt, self.named
        one, other = self.sentences
        lie = self._lie_down(own, space, own.brackets, own.dots)
        home = verbs.TurnInto(space.labels[0], name), Then(Hold(STEADY), Appear(number))
        come = Then(Hold(QUICK), Flow(map(Appear, one), STEADY), Draw(self.framed))
        yield Disappear(*self.states), lie, *home, come, self._fetch(0, 3.0)
        yield Flow(map(Appear, other), STEADY), self._fetch(1, STEADY)
        lit = Together(verbs.Recolor(number, role=ACCENT), Pulse(number))
        yield Then(lit, Pulse(*own.cells, scale=SLIGHT))
        yield Flow((Pulse(*entry) for entry in zip(own.cells, own.numbers, strict=True)), STEADY)
        yield verbs.Undim(*self.around), Flow(map(Pulse, self.around), STEADY)

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
        row, factor, sign = self.vectors[place], self.column.parts[1 + place], self.times[place]
        product = (
            Pulse(row.body, scale=SLIGHT)
            if place == self.at
            else Remeasure(row, self.products[place])
        )
        return Then(Pulse(factor, sign), Together(product, Disappear(sign)))

    def _add(self, row: Vector) -> Verb:
        """Return how the entries of a row fall into those of the hero's, to make their sum."""
        own, other = ((*x.parts[1:], x.brackets, x.dots) for x in (self.vectors[self.at], row))
        late = Then(Hold(HOP), Disappear(*other, run_time=QUICK))  # before they meet
        return Together(*map(verbs.MoveTo, other, own), late)

    def _lie_down(self, body: Vector, space: Space, *around: VMobject) -> Verb:
        """Return how the hero's arrow swings out of its space and becomes a vector's cells."""
        arrow, line = space.arrows[0], self._aim(body)
        rest = Disappear(*(x for x in space.submobjects if x not in (arrow, space.labels[0])))
        seen = Appear(body.cells, body.head, run_time=SOON, scale=1.0)
        twin = Together(seen, Disappear(arrow, run_time=SOON), Vary(body.straighten, 1, 0))
        come = Appear(*body.numbers, *around)
        return Together(rest, Then(Swing(arrow, line, out=True), twin, come))

    def _aim(self, body: Vector) -> Array:
        """Let a vector become an arrow where it lies; return that arrow's line."""
        way = UP if body.upright else RIGHT
        line = np.array([body.cells.get_edge_center(side)[:2] for side in (-way, way)])
        body.aim(*in_space(line))
        return line

    def _fetch(self, place: int, late: float) -> Verb:
        """Return how a sentence's hero is led to its row; the words around it wait dimly."""
        around = [chip for chip in self.sentences[place] if chip in self.around]
        asks = Together(verbs.Dim(*around), Pulse(self.chips[place]))
        met = Pulse(*self.own.cells, scale=SLIGHT)
        return Then(Hold(late), asks, Draw(self.threads[place]), met)

    def _become(self, body: Vector, space: Space) -> Verb:
        """Return how a vector becomes an arrow, which swings into its space: the hero's."""
        arrow, line = space.arrows[0], self._aim(body)
        bare = Disappear(body.brackets, body.dots, body.numbers, run_time=HOP)
        twin = Appear(arrow, run_time=SOON, scale=1.0), Disappear(body.body, run_time=SOON)
        swing = Together(Swing(arrow, line), *twin)
        return Then(bare, Vary(body.straighten, 0, 1), swing, Appear(space.labels[0]))

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
        room = room.narrowed(-gap, 2 * ARC - gap) if self.is_tall else room
        self.cards = TokenCards(ids, list(self.near.values()), room, hues, columns)
        self.card = self.card_of(self.id)
        off = gap * np.sign(self.like - self.id) * along
        for index in self.near:
            self.card_of(index).shift(off if index == self.like else -off)
        away = self.beside[:1] if self.like > self.id else self.beside[-1:]
        near, over = (away, side) if self.is_tall else (self.beside, -side)
        self.distances = [*(self._distance(i, side) for i in near), self._distance(self.like, over)]
        self.view = WHOLE.into(self.card, self.under_title)
        far, last = self.card_of(self.like), self.card_of(self.beside[-1 if off @ along > 0 else 0])
        self.alike = far[0].copy().set_fill(self.hue)
        self.gap = ellipsis((far.get_center() + last.get_center()) / 2, gap * along)

    def _distance(self, index: int, side: Vector3D) -> VGroup:
        """Return the arc from the hero's card to another one, and how many places that is."""
        here, there = (card.get_edge_center(side) for card in (self.card, self.card_of(index)))
        away = count(abs(index - self.id), "places between the two in the vocabulary")
        high = min(ARC, BULGE * float(np.linalg.norm(there - here))) * side
        arc = _curve(here, here + high, there + high, there).shift(HAIR * side)
        words = Words(f"{{:,.0f}} place{'s' * (away.number != 1)}", away, size=self.label_size)
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
        beside = area.columns(TABLE)[1]
        self.beside_list = beside.center
        self.card_scale = min(1.0, 0.6 * beside.width / self.card.width)
        self.number = Number(count(last, "rows before the last one"), 0, 2 * SPOKEN_SIZE)
        of = Words("of {:,.0f} places", count(last + 1, "rows"), size=SPOKEN_SIZE, role=QUIET)
        self.place = VGroup(self.number, of).arrange(RIGHT, buff=GAP)
        low = self.card_scale * self.card.height / 2 + 2 * GAP
        self.place.move_to(self.beside_list + low * DOWN, UP)
        beside.fit_width(self.place)
        self.number.put(count(0, "rows before the first one"))

    def _list(self, ids: range, pieces: Mapping[int, str]) -> tuple[list[VGroup], Vector]:
        """Return rows of the list of tokens, and their part of the hero's one-hot vector."""
        width = self.stage.width
        side, one_hot = min(self.pitch, CELL * width), self.tensor("one_hot")[self.hero]
        upright = partial(Vector, upright=True, arrow=ACCENT, number_size=theme.HEADING_SIZE)
        values = [one_hot[index].value for index in ids]
        column = upright(values, (side, self.pitch), most=len(ids), largest=MUTED)
        for number, cell in zip(map(column.number, range(len(ids))), column.cells, strict=True):
            number.decimals = 0  # it is written as counts are
            number.put(number.value).move_to(cell)
        middle = self.start - len(ids) * self.pitch / 2
        column.move_to((self.stage.left + CELLS * width, middle, 0))
        rows = []
        size = text_size([f"{len(self.table):,}"], 0.1 * width - 2 * HAIR, SPOKEN_SIZE)
        for index, cell in zip(ids, column.cells, strict=True):
            y, piece = cell.get_y(), pieces.get(index) or " "
            plate = cell.copy().set_fill(theme.color(theme.PANEL), 1)
            id_ = Number(count(index, "rows before this one"), 0, size, QUIET)
            id_.move_to((self.stage.left + 0.1 * width, y, 0), RIGHT)
            name = TokenText(piece, text_size([piece], 0.2 * width, theme.TITLE_SIZE))
            name.move_to((self.stage.left + 0.12 * width, y, 0), LEFT)
            rows.append(VGroup(plate, id_, name.shift((y - name.em / 3 - name.baseline) * UP)))
        return rows, column

    def _cast_table(self) -> None:
        area, ids = self.stage.narrowed(0, HAIR).columns(TABLE)[1], self.ids
        self.largest = float(np.abs(self.table.array[list(ids)]).max())
        shown = shown_entries(self.table.shape[1], ENTRIES)
        self.decimals = max(needed_decimals([self.table[i].values[k] for k in shown]) for i in ids)
        own, self.vectors = self.tensor("one_hot")[self.hero], list[Vector]()
        self.products = list[list[Value]]()
        for index, row in zip(ids, self.rows, strict=True):
            vector = self._entries(index, area.width).move_to((area.right, row.get_y(), 0), RIGHT)
            self.products.append([own[index].value * value for value in vector.values])
            self.vectors.append(vector)
        self.places = sorted(range(len(ids)), key=lambda place: abs(place - self.at))
        self.plus = [Formula("$+$", theme.TITLE_SIZE) for _ in self.vectors[1:]]
        for sign, vector in zip(self.plus, self.vectors[1:], strict=True):
            sign.next_to(vector, LEFT, buff=GAP).shift(self.pitch / 2 * UP)
        self.times = [Words(TIMES, size=theme.TITLE_SIZE) for _ in self.vectors]
        for factor, vector in zip(self.times, self.vectors, strict=True):
            factor.next_to(vector, LEFT, buff=GAP)
        width = count(self.table.shape[1], "numbers in a row of the table")
        self.told = Words("{:,.0f} numbers", width, size=SPOKEN_SIZE)
        self.told.next_to(self.vectors[self.at], UP, buff=GAP)
        self.looked = Ring(VGroup(self.rows[self.at], self.vectors[self.at]), HAIR / 2)
        VGroup(*self.rows, self.column).shift(-self.way)  # up to here they stood where they come to

    def _entries(self, index: int, width: float) -> Vector:
        """Return a row of the table."""
        most = ENTRIES - (width < NARROW)
        wide = width / (most + 0.6)
        lying = partial(Vector, arrow=ACCENT, number_size=theme.HEADING_SIZE)
        room, values = (wide, min(wide, 0.8 * self.pitch)), self.table[index].values
        return lying(values, room, most=most, largest=self.largest, decimals=self.decimals)

    def _cast_space(self) -> None:
        names = [label_of(self.tokens[token]) for token in self.shown]
        size = text_size(names, NAME * self.stage.width, self.label_size)
        hues = [theme.color(role) for role in (ACCENT, INK, INK)]
        room = partial(Room, colors=hues[: len(names)], size=size, ground=GROUND, turns=TURNS)
        self.space = room([AXES[: len(names)]], names, self.free)
        ways = [fanned(table.array[self.met]) for table in (self.table, self.fresh)]
        met = [label_of(self.near[index]) for index in self.met]
        size = text_size(met, NAME * self.stage.width, LARGE)
        fan = partial(Space, colors=hues, size=size, ground=GROUND, turns=(0,))
        self.learnt = fan(ways, met, self.stage.raised(self.foot).inset(HAIR))
        self.pairs = [self.learnt.arc(0, other) for other in (1, 2)]
        self.space.keep()
        self.space.turn_to(AFTER)
        self.near_space = WHOLE.into(self.space, self.stage.inset(GAP), NEAR)
        self.space.turn_to(BEFORE)

    def _cast_states(self) -> None:
        """Write what is shown under the arrows: before training, what texts say, and after it."""
        rooms = []
        for stop in (0, 1):
            self.learnt.stand_at(stop)
            rooms.append(self.stage.below(self.learnt, GAP))
        below = min(rooms, key=lambda room: room.top)
        foot = below.raised(max(below.height - self.foot, 0)).inset(HAIR)
        told = partial(Words, size=LARGE)
        self.states = [*map(told, ("before training", "after training"))]
        along, edge = (DOWN, LEFT) if self.is_tall else (RIGHT, UP)
        used = VGroup(*(told("“{}”", each) for each in self.texts))
        self.used = used.arrange(along, buff=3 * GAP, aligned_edge=edge)
        for part in (*self.states, *[self.used] * bool(self.texts)):
            foot.fit(part)

    def _cast_sentence(self) -> None:
        """Set the hero's row of the table between parts of two sentences, which lead to it."""
        tokens, hero, around = list(self.tokens), self.hero, 1 + (not self.stage.is_narrow)
        most, end = 2 * around + 1, (len(tokens) - 1) * (2 * hero < len(tokens))
        turned = [tokens[{hero: end, end: hero}.get(at, at)] for at in range(len(tokens))]
        heard = [f" {word}" for text in self.texts[:1] for word in text.split()]
        if heard:  # one of those that training met
            turned, end = heard, heard.index(f" {self.near[self.id].strip()}")
        top, _, middle, _, low = self.stage.inset(HAIR).rows(5)
        self.own = self._entries(self.id, middle.columns(TABLE)[1].width)
        self.named = VGroup(*self.rows[self.at][1:]).copy()
        self.own.next_to(self.named, RIGHT, buff=2 * GAP).match_y(self.named[0])
        self.stage.inset(GAP).hold(VGroup(self.named, self.own).move_to(middle.center))
        self.framed = Ring(VGroup(self.named, self.own), 1.5 * HAIR)
        self.sentences = list[VGroup]()
        self.chips, self.around, self.threads = list[Chip](), list[Chip](), VGroup()
        for pieces, at, band, side in ((tokens, hero, top, UP), (turned, end, low, DOWN)):
            start = min(max(at - around, 0), max(len(pieces) - most, 0))
            room = band.narrowed(MORE, MORE)
            row = TokenRow(pieces[start : start + most], room, largest=LARGE, lines=1)
            chip = row.chips[at - start]
            chip.label.set_fill(theme.color(ACCENT))
            ways = [LEFT] * (start > 0 or pieces is heard)
            ways += [RIGHT] * (start + most < len(pieces) or pieces is heard)
            edges = (row.chips[-(way is RIGHT)].get_edge_center(way) for way in ways)
            dots = [edge + MORE / 2 * way for edge, way in zip(edges, ways, strict=True)]
            self.sentences.append(VGroup(*row, *(ellipsis(each, MORE * RIGHT) for each in dots)))
            self.around += [each for each in row.chips if each is not chip]
            self.chips.append(chip)
            ends = chip.get_edge_center(-side), self.framed.get_edge_center(side)
            goal = np.array([self.named[0].get_x(), ends[1][1], 0])
            half = (goal - ends[0])[1] / 2 * UP
            self.threads.add(_curve(ends[0], ends[0] + half, goal - half, goal))


def _curve(*points: Point3D) -> VMobject:
    """Return the curve of four points, as a bold line."""
    curve = VMobject(stroke_color=theme.color(ACCENT), stroke_width=theme.BOLD_LINE)
    curve.points = np.reshape(points, (-1, 3))
    return curve
