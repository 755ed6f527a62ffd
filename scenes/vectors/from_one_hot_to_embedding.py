"""From one-hot to embedding."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import Mobject, VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.selection import most_similar_pair, one_hots
from scenes.camera import WHOLE, View, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import text_size
from scenes.mobjects.marks import Ring
from scenes.mobjects.space import Space
from scenes.mobjects.text import Number, TokenText, Words, called
from scenes.mobjects.tokens import TokenCards, TokenRow, tint
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, cosine, count, dot, pairs
from scenes.region import Region
from scenes.theme import GAP, HAIR, NAMED_SIZE, PLAIN_SIZE, QUICK, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import (
    Appear,
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
ENTRIES = 4  # of a row that are drawn
TURNS = (0.0, 15.0, 25.0, 100.0, 90.0)  # degrees, of the space at its stations


class FromOneHotToEmbedding(Film):
    """A lookup table is a matrix times a one-hot vector.

    The vectors are token embeddings: no position is added and nothing is normalised yet.
    """

    title = "From one-hot to embedding"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 73
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
        hero = int(self.trace.ids[self.hero])
        near = self.vocabulary(range(max(hero - WINDOW, 0), hero + WINDOW + 1))
        ordered = sorted(near, key=lambda index: (abs(index - hero), index))
        self.near = {index: near[index] for index in sorted(ordered[: 2 * NEAR + 1])}
        self.neighbours = sorted(ordered[1:3])
        self.beside = [called(near[index]) for index in self.neighbours]

    def words(self) -> Mapping[str, str]:
        names = [self.name_of(token) for token in self.shown]
        return {
            "hero": self.name_of(self.hero),
            "id": f"{self.trace.ids[self.hero]:,}",
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
        self._cast_sentences()
        self.stand(self.cards, self.card_ring)
        self.stand(self.passing, self.first, self.rows, self.place, self.row)
        self.stand(self.row_ring, self.entry_ring)
        self.stand(self.space, *self.facts, *self.sentences, *self.hero_rings, *self.fetched)

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
        yield *map(Draw, self.arcs), self._turn(0)
        yield self._turn(1), Appear(*self.facts[:1])

    @beat(
        "So multiply this column by a table | with {width} numbers in every row. | "
        "Zero times a row is nothing; | one times a row is the row itself. | "
        "All of that only looks it up."
    )
    def multiply_by_a_table(self) -> Shown:
        entries = Flow(Pulse(row[0]) for row in self.rows)
        rows = Flow(map(Appear, self.dull))
        own = VGroup(self.space.arrows[self.arrow], self.space.labels[self.arrow])
        back = GoInto(own, self.rows[self.at]), Then(Hold(QUICK), Appear(self.rows[self.at]))
        left = [each for each in self.space if each not in own]
        yield Then(Together(Disappear(*left, *self.facts), *back), rows, entries)
        yield Flow(Appear(vector) for vector in self.vectors)
        yield Flow(Disappear(vector) for vector in self.others), Dim(*self.dull)
        yield Draw(self.row_ring), Pulse(self.rows[self.at][0])
        yield Flow(Pulse(cell) for cell in self.vectors[self.at].cells)

    @beat(
        "Such a row is an arrow, too, | and training turns the arrows: | "
        "{one} and {other} lie closer now. | A cosine of one means the same direction, | "
        "zero a right angle.",
        alike="Such a row is an arrow, too, | and training turns it, | among all the others, | "
        "so that what is used alike | points alike.",
    )
    def what_a_table_learns(self) -> Shown:
        space = self.space
        leave = Disappear(self.rows, self.row_ring)
        yield leave, self._become(self.vectors[self.at], *space.arrows, *space.labels, *self.arcs)
        yield Vary(space.stand_at, 0, 1, SLOW), self._turn(2)
        yield Flow(Appear(fact) for fact in self.facts[1:2]), Pulse(*space.labels[:2])
        yield self._turn(3)
        yield Flow(Appear(fact) for fact in self.facts[2:]), Pulse(*space.labels[2:])

    @beat(
        "But turn the sentence round: | {hero} fetches the same row. | Its arrow does not move, | "
        "whatever surrounds it. | It says what {hero} means anywhere, | not what it means here.",
        alone="But in any other text, | {hero} fetches the same row. | Its arrow does not move, | "
        "whatever surrounds it. | It says what {hero} means anywhere, | not what it means here.",
    )
    def the_same_row_again(self) -> Shown:
        space, (one, other) = self.space, self.sentences
        come, turned = Flow(map(Appear, one)), Flow(map(Appear, other))
        yield Then(Disappear(*self.facts, *self.arcs), Together(come, Then(Hold(QUICK), turned)))
        arrow, label = space.arrows[self.arrow], space.labels[self.arrow]
        fetch = [GoInto(each, label) for each in self.fetched]
        yield Then(Together(*map(Draw, self.hero_rings), Appear(*self.fetched)), fetch)
        rest = [each for each in (*space.arrows, *space.labels) if each not in (arrow, label)]
        yield Dim(*rest), Pulse(label)
        others = [chip for row in (one, other) for chip in row if chip not in self.heroes]
        yield Flow(Pulse(chip) for chip in others or self.heroes)
        yield Pulse(label, *self.heroes)
        yield Dim(*others), Pulse(label)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how large this model's table is."""
        rows, width = (
            count(number, f"{what} of the table")
            for number, what in zip(self.table.shape, ("rows", "columns"), strict=True)
        )
        template = "this model: {:,.0f} tokens, {:,.0f} numbers for each"
        return Words(template, rows, width, size=PLAIN_SIZE, role=theme.QUIET)

    def _turn(self, station: int) -> Vary:
        """Return how the space turns from one station to the next."""
        return Vary(self.space.turn_to, TURNS[station], TURNS[station + 1], SLOW)

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
        hero = int(self.trace.ids[self.hero])
        of = "rows of the vocabulary before this one"
        ids = [
            self.tensor("cutting.ids")[self.hero].value if index == hero else count(index, of)
            for index in self.near
        ]
        hues = [self.hues[self.arrow] if index == hero else "" for index in self.near]
        columns = 0 if self.stage.is_narrow else len(ids)
        self.cards = TokenCards(ids, list(self.near.values()), self.stage, hues, columns)
        at = [*self.near].index(hero)
        self.card, self.card_ring = self.cards.cards[at], Ring(self.cards.plates[at])
        self.view = WHOLE.into(self.card, self.under_title)

    def _cast_table(self) -> None:
        stage, hero, last = self.stage, int(self.trace.ids[self.hero]), len(self.table) - 1
        self.pitch = stage.height / (2 * SEEN + 1)
        above = min(hero, SEEN)
        ids = range(hero - above, min(hero + SEEN, last) + 1)
        first = range(min(2 * SEEN, last) + 1)
        pieces = self.vocabulary([*first, *ids])
        passing = int(np.clip(hero - above - len(first), 0, MIDDLE))
        start = len(first) + passing
        self.first = VGroup(*(self._row(index, index, pieces) for index in first))
        self.rows = VGroup(
            *(self._row(index, start + place, pieces) for place, index in enumerate(ids))
        )
        self.at = above
        self.height_of_hero = self._height(start + above)
        zero = VGroup(*self.first)[0][0]
        steps = [self._height(place) - zero.get_y() for place in range(len(first), start)]
        self.passing = VMobject(stroke_width=0, fill_color=theme.color(theme.INK), fill_opacity=1)
        copies = (zero.points + (0, step, 0) for step in steps)
        self.passing.points = np.concatenate([zero.points[:0], *copies])
        room = self._columns()
        wide = 0.52 * room.width / (ENTRIES + 1)
        cell = wide, min(wide, 0.8 * self.pitch)
        largest = float(np.abs(self.table.array[list(ids)]).max())
        self.vectors = [
            Vector(
                self.table[index].values,
                cell,
                most=ENTRIES,
                largest=largest,
                numerals=index == hero,
                number_size=NAMED_SIZE,
            ).move_to((room.right, row.get_y(), 0), RIGHT)
            for index, row in zip(ids, self.rows, strict=True)
        ]
        self.row = VGroup(*self.vectors)
        self.others = [each for place, each in enumerate(self.vectors) if place != above]
        self.dull = [row for place, row in enumerate(self.rows) if place != above]
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

    def _columns(self) -> Region:
        """Return the room of the rows."""
        return self.stage.inset(2 * GAP)

    def _height(self, place: int) -> float:
        return self.stage.top - (place + 0.5) * self.pitch

    def _row(self, index: int, place: int, pieces: Mapping[int, str]) -> VGroup:
        """Return the entry of the hero's one-hot vector, and whose place it is."""
        room, y = self._columns(), self._height(place)
        entry = Number(self.tensor("one_hot")[self.hero][index].value, 0, theme.HEADING_SIZE)
        entry.move_to((room.left + GAP, y, 0))
        across = 0.43 * room.width
        size = text_size([f"{len(self.table):,}"], 0.42 * across - 2 * GAP, SPOKEN_SIZE)
        id_ = Number(count(index, "rows before this one"), 0, size, theme.QUIET)
        id_.move_to((room.left + 0.42 * across, y, 0), RIGHT)
        size = text_size([pieces.get(index) or " "], 0.54 * across, theme.TITLE_SIZE)
        name = TokenText(pieces.get(index) or " ", size)
        name.move_to((room.left + 0.46 * across, y, 0), LEFT)
        name.shift((y - name.em / 3 - name.baseline) * UP)
        return VGroup(entry, id_, name)

    def _travel_down(self) -> Verb:
        """Return how the camera goes down the list, past rows that are seen on the way only."""
        place = self.tensor("cutting.ids")[self.hero].value
        x, y, _ = self.stage.center
        there = View((float(x), self.height_of_hero), 1.0, (float(x), float(y)))
        return Together(
            self.travel_to(there, 2 * SLOW),
            Count(self.number, place, 2 * SLOW),
            Appear(self.passing),
            Then(Hold(SLOW), Together(Appear(self.rows), Disappear(self.first))),
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
        stage = self._here()
        self.strip = 1.6 if stage.is_narrow else 0.75
        region = stage.lowered(self.strip).raised(self.strip)
        names = [called(self.tokens[token]) for token in self.shown]
        ends = [_umbrella(len(names))]
        ends.append(_spanned(self.embeddings.array[self.shown], ends[0]))
        hues = [theme.mix(hue, theme.color(theme.INK), 0.75) for hue in self.hues]
        self.space = Space(ends, names, region, colors=hues, size=SPOKEN_SIZE)
        self.arcs = [self.space.arc(0, other, other / 4) for other in range(1, len(names))]
        self.space.draw()
        vectors, one_hot = [self.embeddings[token] for token in self.shown], self.tensor("one_hot")
        self.facts = []
        if len(names) > 1:
            zero = dot(one_hot[self.shown[0]], one_hot[self.shown[1]])
            self.facts = [Words("dot product of every two: {:.0f}", zero, size=SPOKEN_SIZE)]
        for place in range(1, len(names)):
            value = cosine(vectors[0], vectors[place])
            self.facts.append(
                Words("{} and {}: cosine {:.2f}", names[0], names[place], value, size=SPOKEN_SIZE)
            )
        middle = stage.center[0], stage.top - self.strip / 2, 0
        if self.facts:
            self.facts[0].move_to(middle)
            stage.fit_width(line := VGroup(*self.facts[1:]).arrange(RIGHT, buff=4 * GAP))
            line.move_to(middle)

    def _cast_sentences(self) -> None:
        stage, tokens = self._here(), list(self.tokens)
        one = TokenRow(tokens, replace(stage, bottom=stage.top - self.strip))
        other = TokenRow(tokens[::-1], replace(stage, top=stage.bottom + self.strip))
        self.sentences = [one, other]
        self.heroes = [one.chips[self.hero], other.chips[-1 - self.hero]]
        self.hero_rings = [Ring(chip.plate) for chip in self.heroes]
        self.fetched = [chip.copy() for chip in self.heroes]


def _umbrella(number: int) -> NDArray[np.float64]:
    """Return so many unit vectors at right angles, (number, 3), leaning alike from the upright."""
    around = 2 * np.pi * np.arange(3) / 3 + np.pi / 6
    low = np.sqrt(2 / 3)
    axes = [low * np.cos(around), np.full(3, np.sqrt(1 / 3)), low * np.sin(around)]
    return np.stack(axes, axis=1)[:number]


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
