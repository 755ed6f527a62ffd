"""From one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
from manim import Circle, Group, Mobject, Square, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.selection import most_similar_pair, one_hots
from scenes.camera import WHOLE, View, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals, shown_entries, text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import in_space
from scenes.mobjects.space import PUSHES, Space, pushes
from scenes.mobjects.text import Number, TokenText, Words, called
from scenes.mobjects.tokens import TokenCards, TokenRow, tint
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Value, cosine, count, pairs
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, QUICK, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
    ComeFrom,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

NEAR, WINDOW = 2, 60  # cards on either side of the hero's; ids in which they are looked for
SEEN = 3  # rows above and below the one that is looked up
MIDDLE = 240  # rows that pass by, at most
ENTRIES, NARROW = 4, 3.3  # of a row that are drawn; scene units: in less width there are fewer
BEFORE, BETWEEN, AFTER = 62.0, 15.0, -32.0  # degrees, of the space while the camera goes round
CORNER, KEPT, GROUND = 0.3, 0.55, 0.55  # of an arrow: a right angle's square, an axis, the ground
MAIN, LIT = 0.66, 0.6  # of the stage, for the space; of an arrow's colour, for a token's hue
DOT, SOON = 0.14, 0.15  # scene units, a dot's radius; seconds, in which a twin comes in


class FromOneHotToEmbedding(Film):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 76
    poster_beat = "what-a-table-learns"

    def derived(self) -> Mapping[str, Array]:
        """Add the one-hot vectors of the tokens."""
        return {"one_hot": one_hots(self.trace.ids, len(self.trace.weights.W_E))}

    def observe(self) -> None:
        """Find the token to look up, the two tokens that are most alike, and ids beside it."""
        self.embeddings, self.table = self.tensor("embed"), self.tensor("weights.W_E")
        self.hero = self.followed()
        cosines = pairs(list(self.embeddings), cosine)
        pair = most_similar_pair(cosines.array, self.trace.ids)
        self.shown = self._three(pair, cosines.array)
        self.id = hero = int(self.trace.ids[self.hero])
        near = self.vocabulary(range(max(hero - WINDOW, 0), hero + WINDOW + 1))
        ordered = sorted(near, key=lambda index: (abs(index - hero), index))
        self.near = {index: near[index] for index in sorted(ordered[: 2 * NEAR + 1])}
        self.neighbours = sorted(ordered[1:3])
        self.beside = [called(near[index]) for index in self.neighbours]

    def words(self) -> Mapping[str, str]:
        names = [self.name_of(token) for token in self.shown]
        return {
            "hero": self.name_of(self.hero),
            "id": f"{self.id:,}",
            "beside": " and ".join(self.beside),
            "one": names[0],
            "other": names[:2][-1],
            "rows": f"{len(self.table):,}",
            "width": f"{self.table.shape[1]:,}",
        }

    def circumstances(self) -> Mapping[str, bool]:
        return {**super().circumstances(), "alike": len(self.shown) < 2}

    def cast(self) -> None:
        self._choose_hues()
        self._cast_cards()
        self._cast_table()
        self._cast_space()
        self._cast_beside()
        self._cast_sentences()
        self.stand(self.cards, self.card_ring)
        self.stand(self.passing, *self.first, *self.rows, self.place, *self.vectors)
        self.stand(self.row_ring, self.entry_ring, *self.factors, self.space, *self.scales)
        self.stand(self.card_again, self.row_again, *self.rings)
        self.stand(*self.sentences, *self.hero_rings, *self.fetched)

    @beat(
        "To a model, {hero} is number {id}. What does that tell it? | "
        "Beside it in the list stand {beside}. | So the number says nothing about meaning."
    )
    def a_number_says_nothing(self) -> Shown:
        cards = self.cards.cards
        number, name = self.card[1:]
        yield Then(Appear(self.card), Draw(self.card_ring), Pulse(number), Pulse(name))
        others = [card for card in cards if card is not self.card]
        names = [self.cards.names[[*self.near].index(index)] for index in self.neighbours]
        come, named = Flow(Appear(card) for card in others), Flow(map(Pulse, names))
        yield self.pull_back(STEADY), Then(Hold(QUICK), come, named)
        yield Flow(Pulse(name) for name in self.cards.names)

    @beat(
        "Let's give each token a place of its own: | a zero at every other place, | "
        "all the way down a list of {rows}, | and a one at place {id}, for {hero}."
    )
    def one_place_each(self) -> Shown:
        others = [card for card in self.cards.cards if card is not self.card]
        leave = Disappear(*others, self.card_ring)
        go = MoveTo(self.card, self.beside_list, scale=self.card_scale)
        yield Then(leave, Together(go, Flow(Appear(row) for row in self.first)))
        pin(self.card)  # it stays in the frame while the list goes by
        yield Appear(self.place), Flow(Pulse(row[0]) for row in self.first)
        yield self._travel_down()
        found = GoInto(self.card, (*self.rows[self.at].get_center()[:1], self.stage.center[1], 0))
        yield Then(found, Together(Draw(self.entry_ring), Pulse(self.rows[self.at][0])))

    @beat(
        "Now no two tokens are confused, | but none are related either: | "
        "every two stand at a right angle, | {one} and {other}, too.",
        alike="Now no two tokens are confused, | but none are related either: | "
        "every two stand at a right angle, | whatever they mean.",
    )
    def at_right_angles(self) -> Shown:
        space, at = self.space, self.arrow
        yield Disappear(self.entry_ring, self.place, *self.dull), self._become(self.rows[self.at])
        rest = [place for place in range(len(space.arrows)) if place != at]
        yield Flow(Appear(space.arrows[place], space.labels[place]) for place in rest)
        yield Vary(space.turn_to, BEFORE, BETWEEN, SLOW), Flow(map(Draw, space.corners), STEADY)
        named = Pulse(*space.labels[:2]), Pulse(*space.corners[:1])
        yield Then(Vary(space.turn_to, BETWEEN, AFTER), Together(*named))

    @beat(
        "So multiply this column by a table | with {width} numbers in every row. | "
        "Zero times a row is nothing; | one times a row is the row itself. | "
        "All of that only looks it up."
    )
    def multiply_by_a_table(self) -> Shown:
        space, (entry, id_, _) = self.space, self.rows[self.at]
        own = VGroup(space.arrows[self.arrow], space.labels[self.arrow])
        back = GoInto(own, entry), Then(Hold(SOON), Flow(map(Appear, self.rows)))
        left = [each for each in space if each not in own]
        entries = Flow(Pulse(each[0]) for each in self.rows)
        yield Then(Together(Disappear(*left, run_time=theme.REST), *back), entries)
        yield Flow(Appear(vector) for vector in self.vectors)
        places = range(len(self.vectors))
        yield Flow((self._times(place) for place in places if place != self.at), SLOW)
        yield Dim(*self.dull), self._times(self.at)
        yield Then(Pulse(id_), Draw(self.row_ring))

    @beat(
        "Such a row is an arrow, too, | and training turns it, with all the others: | "
        "{one} and {other} lie closer now. | Their cosine says how close: | "
        "zero at a right angle, | one in the same direction.",
        alike="Such a row is an arrow, too, | and training turns it, | among all the others, | "
        "so that what is used alike | points alike | in the end.",
    )
    def what_a_table_learns(self) -> Shown:
        space, arcs = self.space, self.arcs
        leave = Disappear(*self.rows, self.row_ring)
        kept = *space.axes, *space.arrows, *space.labels
        yield leave, self._become(self.vectors[self.at], *kept)
        yield Vary(space.stand_at, 0, 1, SLOW)
        yield *map(Draw, arcs[:1]), Pulse(*space.labels[:2])
        lines = [Appear(scale.line) for scale in self.scales]
        yield Together(self.travel_to(self.aside, STEADY), lines) if lines else Pulse(*space.labels)
        yield Appear(*(part for scale in self.scales for part in (scale.names[0], scale.dots)))
        rise = [Vary(scale.rise, 0, 1, SLOW) for scale in self.scales]
        told = [Appear(name) for scale in self.scales for name in scale.names[1:]]
        yield *told[:1], Then(Together(rise, map(Draw, arcs[1:])), Flow(told[1:]))

    @beat(
        "But turn the sentence round: | {hero} is number {id} again, | and fetches the same row. | "
        "So the number only says where to look. | The row says what {hero} means anywhere, | "
        "not what it means here.",
        alone="But in any other text, | {hero} is number {id} again, | and fetches the same row. | "
        "So the number only says where to look. | The row says what {hero} means anywhere, | "
        "not what it means here.",
    )
    def the_same_row_again(self) -> Shown:
        space, (one, other) = self.space, self.sentences
        come, turned = Flow(map(Appear, one)), Flow(map(Appear, other))
        left = Disappear(*self.scales, *self.arcs, *space.axes)
        aside = self.travel_to(self.aside, STEADY)
        yield left, aside, Then(Hold(QUICK), Together(come, Then(Hold(QUICK), turned)))
        rings = *map(Draw, self.hero_rings), Appear(*self.fetched, run_time=SOON)
        fetch = (GoInto(each, self.card_again) for each in self.fetched)
        yield Then(Together(*rings), Together(fetch, Then(Hold(STEADY), Appear(self.card_again))))
        yield ComeFrom(self.row_again, self.card_again, fit=False)
        yield Draw(self.rings[0]), Then(Hold(QUICK), Pulse(self.card_again[1], run_time=STEADY))
        arrow, label = space.arrows[self.arrow], space.labels[self.arrow]
        rest = [each for each in (*space.arrows, *space.labels) if each not in (arrow, label)]
        meant = Then(Hold(STEADY), Pulse(arrow, label))
        yield Disappear(self.rings[0]), Draw(self.rings[1]), Dim(*rest), meant
        yield Dim(*(chip for row in (one, other) for chip in row if chip not in self.heroes))

    # What only this film shows

    def small_print(self) -> Words:
        """Say how large this model's table is."""
        tall, wide = self.table.shape
        rows, width = count(tall, "rows of the table"), count(wide, "columns of the table")
        template = "this model: {:,.0f} tokens, {:,.0f} numbers for each"
        return Words(template, rows, width, size=PLAIN_SIZE, role=theme.QUIET)

    def _times(self, place: int) -> Verb:
        """Return how an entry of the column multiplies its row of the table."""
        factor, row = self.factors[place], self.vectors[place]
        come, goes = Appear(factor, run_time=SOON, scale=1.0), GoInto(factor, row.brackets.opening)
        product = Pulse(row) if place == self.at else Disappear(row)
        return Then(come, Together(goes, Then(Hold(), Hold(), product)))

    def _three(self, pair: tuple[int, int] | None, cosines: Array) -> list[int]:
        """Return the two tokens that are most alike, and the hero or who is least like them."""
        if pair is None:
            return [self.hero]
        ids = [int(index) for index in self.trace.ids]
        left = [i for i in range(len(ids)) if ids[i] not in {ids[pair[0]], ids[pair[1]]}]
        left.sort(key=lambda i: (i != self.hero, float(np.abs(cosines[i, list(pair)]).max())))
        return [*pair, *left[:1]]

    def _choose_hues(self) -> None:
        """Give the tokens that become arrows their colours of the sentence, or four in turn."""
        self.arrow = self.shown.index(self.hero) if self.hero in self.shown else 0
        hues, in_turn = map(tint, self.shown), map(tint, range(len(self.shown)))
        self.hues = max([*hues], [*in_turn], key=lambda each: len({*each}))

    def _cast_cards(self) -> None:
        of = "rows of the vocabulary before this one"
        ids = [
            self.tensor("cutting.ids")[self.hero].value if index == self.id else count(index, of)
            for index in self.near
        ]
        hues = [self.hues[self.arrow] if index == self.id else "" for index in self.near]
        columns = 0 if self.stage.is_narrow else len(ids)
        self.cards = TokenCards(ids, list(self.near.values()), self.stage, hues, columns)
        at = [*self.near].index(self.id)
        self.card, self.card_ring = self.cards.cards[at], Ring(self.cards.plates[at])
        self.view = WHOLE.into(self.card, self.under_title)

    def _cast_table(self) -> None:
        stage, hero, last = self.stage, self.id, len(self.table) - 1
        self.pitch = stage.height / (2 * SEEN + 1)
        above = min(hero, SEEN)
        ids = range(hero - above, min(hero + SEEN, last) + 1)
        first = range(min(2 * SEEN, last) + 1)
        pieces = self.vocabulary([*first, *ids])
        passing = int(np.clip(hero - above - len(first), 0, MIDDLE))
        start = len(first) + passing
        self.first = [self._row(index, index, pieces) for index in first]
        self.rows = [self._row(index, start + place, pieces) for place, index in enumerate(ids)]
        self.at = above
        self.height_of_hero = self._height(start + above)
        self.passing = self.first[0][0].copy()
        for part in self.passing:
            copies = (part.points - (0, k * self.pitch, 0) for k in range(len(first), start))
            part.points = np.concatenate([part.points[:0], *copies])
        room = self.stage.inset(2 * GAP)
        self.largest = float(np.abs(self.table.array[list(ids)]).max())
        shown = shown_entries(self.table.shape[1], ENTRIES)
        self.decimals = max(needed_decimals([self.table[i].values[k] for k in shown]) for i in ids)
        self.vectors = [
            self._entries(index, 0.48 * room.width).move_to((room.right, row.get_y(), 0), RIGHT)
            for index, row in zip(ids, self.rows, strict=True)
        ]
        self.dull = [row for place, row in enumerate(self.rows) if place != above]
        self.factors = [row[0][1].copy() for row in self.rows]
        whole = VGroup(self.rows[above], self.vectors[above])
        self.row_ring, self.entry_ring = Ring(whole, HAIR), Ring(self.rows[above], HAIR)
        self.beside_list = np.array([room.right - 0.25 * room.width, stage.center[1] + GAP, 0.0])
        self.card_scale = min(1.0, 0.42 * room.width / self.card.width)
        self.number = Number(count(last, "rows before the last one"), 0, 2 * SPOKEN_SIZE)
        name = Words("place", size=SPOKEN_SIZE, role=theme.QUIET)
        self.place = VGroup(name, self.number).arrange(RIGHT, buff=GAP)
        below = self.card_scale * self.card.height / 2 + 2 * GAP
        self.place.move_to(self.beside_list + below * DOWN, UP)
        pin(self.place)
        self.number.put(count(0, "rows before the first one"))

    def _here(self) -> Region:
        """Return the stage as it stands in the world once the camera has come to the hero."""
        down = self.height_of_hero - float(self.stage.center[1])
        return replace(self.stage, bottom=self.stage.bottom + down, top=self.stage.top + down)

    def _height(self, place: int) -> float:
        return self.stage.top - (place + 0.5) * self.pitch

    def _row(self, index: int, place: int, pieces: Mapping[int, str]) -> VGroup:
        """Return the cell of the hero's one-hot vector, and whose place it is."""
        room, y = self.stage.inset(2 * GAP), self._height(place)
        value = self.tensor("one_hot")[self.hero][index].value
        color = self.hues[self.arrow] if value.number else theme.color(theme.PANEL)
        side = min(0.9 * self.pitch, 0.1 * room.width)
        cell = Square(side, stroke_width=0, fill_color=color, fill_opacity=1)
        cell.move_to((room.left + 0.45 * room.width, y, 0))
        entry = VGroup(cell, Number(value, 0, theme.TITLE_SIZE).move_to(cell))
        size = text_size([f"{len(self.table):,}"], 0.13 * room.width, SPOKEN_SIZE)
        id_ = Number(count(index, "rows before this one"), 0, size, theme.QUIET)
        id_.move_to((room.left + 0.13 * room.width, y, 0), RIGHT)
        size = text_size([pieces.get(index) or " "], 0.23 * room.width, theme.TITLE_SIZE)
        name = TokenText(pieces.get(index) or " ", size)
        name.move_to((room.left + 0.15 * room.width, y, 0), LEFT)
        name.shift((y - name.em / 3 - name.baseline) * UP)
        return VGroup(entry, id_, name)

    def _entries(self, index: int, width: float) -> Vector:
        """Return a row of the table."""
        most = ENTRIES - (width < NARROW)
        wide = width / (most + 1)
        return Vector(
            self.table[index].values,
            (wide, min(wide, 0.8 * self.pitch)),
            most=most,
            largest=self.largest,
            number_size=NAMED_SIZE,
            decimals=self.decimals,
            hollow=False,
        )

    def _travel_down(self) -> Verb:
        """Return how the camera goes down the list, past rows that are seen on the way only."""
        place = self.tensor("cutting.ids")[self.hero].value
        x, y, _ = self.stage.center
        there = View((float(x), self.height_of_hero), 1.0, (float(x), float(y)))
        return Together(
            self.travel_to(there, 2 * SLOW),
            Count(self.number, place, 2 * SLOW),
            Appear(self.passing),
            Then(Hold(SLOW), Together(Appear(*self.rows), Disappear(*self.first))),
            Then(Hold(2 * SLOW - QUICK), Disappear(self.passing)),
        )

    def _become(self, row: Mobject, *others: Mobject) -> Verb:
        """Return how a row goes into the hero's arrow, which comes with others in the space."""
        space = self.space
        own = space.arrows[self.arrow], space.labels[self.arrow]
        rest = Flow((Appear(each) for each in others if each not in own), QUICK)
        come = Then(Hold(STEADY - QUICK), Appear(*own), rest)
        return Together(GoInto(row, own[0]), Appear(space.ground), come)

    def _cast_space(self) -> None:
        stage, here = self.stage, self._here()
        strip = 1.6 if stage.is_narrow else 0.75
        rest = stage.height - strip
        self.strips = stage.raised(rest), stage.lowered(rest)
        main, self.beside_space = stage.raised(strip).lowered(strip).parts(MAIN)
        near = min(stage.width / main.width, stage.height / main.height)
        over, aside = (stage.height - near * main.height) / 2, (stage.width - near * main.width) / 2
        region = here.narrowed(aside, aside).raised(over).lowered(over)
        self.aside = WHOLE.onto(region, main, 1.0)
        self.from_stage = near, main.center, here.center - main.center  # to where it is seen so
        names = [called(self.tokens[token]) for token in self.shown]
        ends = [AXES[: len(names)], _spanned(self.embeddings.array[self.shown], AXES[: len(names)])]
        hues = [theme.mix(hue, theme.color(theme.INK), LIT) for hue in self.hues]
        size = SPOKEN_SIZE if stage.is_narrow else theme.TITLE_SIZE
        self.space = Room(ends, names, region, colors=hues, size=size, ground=GROUND)
        self.arcs = [self.space.arc(0, other, other / 3) for other in range(1, len(names))]
        VGroup(*self.arcs[:1]).set_color(theme.color(theme.ACCENT))
        self.space.keep()
        self.space.turn_to(BEFORE)

    def _cast_beside(self) -> None:
        """Make what stands beside the space: the scale of cosines, and the number and its row."""
        one_hot, (one, *others) = self.tensor("one_hot"), self.shown
        ends = [cosine(one_hot[one], one_hot[other]) for other in (*others[:1], one)]
        first, *names = (called(self.tokens[token]) for token in self.shown)
        cosines = [cosine(self.embeddings[one], self.embeddings[other]) for other in others]
        told = [(f"{first} and {name}", value) for name, value in zip(names, cosines, strict=True)]
        self.scales = [Scale(ends, told, self.beside_space)] if others else []
        above, below = self.beside_space.inset(GAP).rows(2)
        id_, color = self.cards.numbers[[*self.near].index(self.id)].value, self.hues[self.arrow]
        (self.card_again,) = TokenCards([id_], [self.tokens[self.hero]], above, [color]).cards
        self.row_again = self._entries(self.id, below.width).move_to(below.center)
        self.rings = [Ring(each, HAIR) for each in (self.card_again, self.row_again)]
        self.row_again.set_z_index(-1)  # it comes from under the card

    def _cast_sentences(self) -> None:
        tokens = list(self.tokens)
        upper, lower = self.strips
        self.sentences = one, other = TokenRow(tokens, upper), TokenRow(tokens[::-1], lower)
        self.heroes = [one.chips[self.hero], other.chips[-1 - self.hero]]
        self.hero_rings = [Ring(chip.plate) for chip in self.heroes]
        self.fetched = [chip.copy() for chip in self.heroes]
        beside = Group(*self.scales, self.card_again, self.row_again, *self.rings)
        beside.add(one, other, *self.hero_rings, *self.fetched)
        zoom, middle, way = self.from_stage
        beside.scale(zoom, about_point=middle).shift(way)


AXES = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # up, to the right, nearer


class Room(Space):
    """A space in which, once it has to `keep` them, the axes stay where arrows stood at first.

    Between every two of these `axes` there is a square in the `corners`.
    """

    kept: Sequence[tuple[VMobject, NDArray[np.float64]]] = ()

    def keep(self) -> None:
        """Make the axes and the corners; they stay behind the arrows."""
        ink, quiet, tips = theme.color(theme.INK), theme.color(theme.QUIET), self.stops[0]
        lines = [np.stack([0 * tip, KEPT * tip]) for tip in tips]
        sides = combinations(CORNER * tips, 2)
        squares = [np.stack([0 * a, a, a + b, b, 0 * a]) for a, b in sides]
        self.axes = [VMobject(stroke_color=quiet, stroke_width=theme.BOLD_LINE) for _ in lines]
        self.corners = [
            VMobject(stroke_color=ink, fill_color=quiet, fill_opacity=theme.FAINTEST_FILL)
            for _ in squares
        ]
        self.kept = [*zip(self.axes, lines, strict=True), *zip(self.corners, squares, strict=True)]
        for part, _ in self.kept:
            self.add(part.set_z_index(-1))
        self.draw()

    def draw(self) -> None:
        """Draw everything from where one looks now."""
        super().draw()
        for part, points in self.kept:
            part.set_points_as_corners(in_space(self.seen(points)[0]))


class Scale(VGroup):
    """An upright `line` of cosines, with a dot for each of some pairs.

    The `names` are those of its two ends and of the pairs, beside the places to which their `dots`
    `rise` from zero.
    """

    def __init__(
        self, ends: Sequence[Value], pairs: Sequence[tuple[str, Value]], region: Region
    ) -> None:
        self.cosines, high = [value.number for _, value in pairs], 0.8 * region.height
        self.line = VMobject(stroke_color=theme.color(theme.QUIET), stroke_width=theme.BOLD_LINE)
        self.line.set_points_as_corners([min(0.0, *self.cosines) * high * UP, high * UP])
        told = [*zip(("right angle", "same direction"), ends, strict=True), *pairs]
        words = partial(Words, size=SPOKEN_SIZE)
        roles = (theme.QUIET, theme.QUIET, theme.ACCENT, theme.INK)
        self.names = [
            words("{:.0f}  {}" if role == theme.QUIET else "{:.2f}  {}", value, name, role=role)
            for (name, value), role in zip(told, roles, strict=False)
        ]
        sizes = np.array([(name.width, name.height + HAIR) for name in self.names]) / 2
        heights = [value.number * high for _, value in told]
        places = np.stack([GAP + DOT + sizes[:, 0], heights], axis=1)
        for _ in range(PUSHES):
            places = places + pushes(places, sizes)
        for name, place in zip(self.names, places, strict=True):
            name.move_to((*place, 0.0))
        dot = partial(Circle, DOT, stroke_width=0, fill_opacity=1)
        self.dots = VGroup(*(dot(fill_color=theme.color(role)) for role in roles[2 : len(told)]))
        super().__init__(self.line, *self.names, self.dots)
        region.inset(GAP).fit(self)

    def rise(self, share: float) -> None:
        """Let the dots stand at a share, 0 to 1, of their cosines."""
        bottom, top = self.line.get_bottom(), self.line.get_top()
        low = min(0.0, *self.cosines)
        for dot, number in zip(self.dots, self.cosines, strict=True):
            dot.move_to(bottom + (share * number - low) / (1 - low) * (top - bottom))


def _spanned(vectors: Array, near: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return up to three directions with the angles of `vectors` (n, d), (n, 3), turned to `near`.

    Three vectors span three dimensions at most, so every angle is the true one.
    """
    units = vectors.astype(np.float64)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    strengths, axes = np.linalg.eigh(units @ units.T)
    places = axes * np.sqrt(np.maximum(strengths, 0.0))
    places = np.pad(places, ((0, 0), (0, 3 - len(places))))
    left, _, right = np.linalg.svd(places.T @ near)
    return np.asarray(places @ (left @ right))
