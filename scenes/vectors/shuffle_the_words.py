"""Shuffle the words: attention by itself knows no order, so places have to be added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, RIGHT
from manim.typing import Vector3D

from scenes.analysis.selection import most_similar_pair
from scenes.analysis.softmax import softmax
from scenes.film import Film, Need, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.fit import adding_decimals, shown_entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, TokenText, Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Tensor, cosine, count, pairs
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    Pulse,
    Shift,
    Then,
    Together,
    Undim,
    Verb,
)

ENTRIES = 6  # of a vector that are drawn
WIDEST, TALL, LOW = 1.7, 1.4, 0.9  # scene units, of an entry
NEAR = 0.95  # of the stage, by one grid
FOOT = 1.0  # scene units under the last grids, for a number
SWELL = 1.03  # times as large, a word among others

TWO_WORDS = Need("two different tokens", lambda film: len(set(film.tokens)) > 1, "cats chase dogs")


@dataclass(frozen=True)
class Swap:
    """A text's tokens, and the places of two that are exchanged."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    pair: tuple[int, int]

    @cached_property
    def order(self) -> list[int]:
        """Which token of the text stands at each place once the two are exchanged."""
        one, other = self.pair
        return [{one: other, other: one}.get(at, at) for at in range(len(self.ids))]

    @property
    def swapped_ids(self) -> tuple[int, ...]:
        """The ids of the exchanged text."""
        return tuple(self.ids[at] for at in self.order)

    @property
    def swapped_pieces(self) -> list[str]:
        """The pieces of the exchanged text."""
        return [self.pieces[at] for at in self.order]

    def moved(self, table: Array) -> Array:
        """Return (..., T, T) with the rows and the columns of the two exchanged."""
        return table[..., self.order, :][..., self.order]


class ShuffleTheWords(Film):
    """Attention by itself knows no order: a vector for each place has to be added."""

    title = "Shuffle the words"
    prompt = "the king loves a queen"
    seconds = 65
    poster_beat = "the-places-tell"
    needs = (TWO_WORDS,)

    def derived(self) -> Mapping[str, Array]:
        """Let the model without order, and the model shown, read both texts."""
        found: dict[str, Array] = {}
        ids, pieces = self.cut_as_ours(self.trace.text)
        embed = self.seen_without_order(ids)["embed"]
        self.plain = Swap(ids, tuple(pieces), _pair(embed, ids))
        for name, tokens in (("", ids), ("_swapped", self.plain.swapped_ids)):
            sites = self.seen_without_order(tokens)
            found |= {f"orderless{name}.{site}": sites[site] for site in ("pattern", "resid_post")}
        here = self.trace
        self.placed = Swap(here.ids, tuple(here.pieces), _pair(here.embed, here.ids))
        sites = self.sites_of(self.placed.swapped_ids)
        return found | {f"swapped.{site}": sites[site] for site in ("scores", "resid_pre", "q")}

    def observe(self) -> None:
        """Choose the heads in which an exchange shows most, and the word to follow."""
        patterns = self.tensor("orderless.pattern")
        change = np.abs(patterns.array - self.plain.moved(patterns.array)).mean(axis=(-1, -2))
        layer, head = np.unravel_index(int(change.argmax()), change.shape)
        self.seen_first = patterns[int(layer), int(head)]
        self.seen_then = self.tensor("orderless_swapped.pattern")[int(layer), int(head)]
        self.weights, self.swapped = (
            softmax(self.tensor(name)[0]) for name in ("scores", "swapped.scores")
        )
        gaps = np.abs(self.placed.moved(self.weights.array) - self.swapped.array)
        self.asks, row, key = (int(i) for i in np.unravel_index(int(gaps.argmax()), gaps.shape))
        self.odd = row, key
        self.was = self.placed.order[row], self.placed.order[key]
        self.here = self.weights[self.asks, self.was[0], self.was[1]].value
        self.there = self.swapped[self.asks, row, key].value

    def words(self) -> Mapping[str, str]:
        """Name the two words, their places, and what tells them apart."""
        one, other = (called(self.plain.pieces[at]) for at in self.plain.pair)
        again, twin = (called(self.placed.pieces[at]) for at in self.placed.pair)
        return {
            "one": one,
            "other": other,
            "again": again,
            "twin": twin,
            "asker": called(self.placed.swapped_pieces[self.odd[0]]),
            "answer": called(self.placed.swapped_pieces[self.odd[1]]),
        }

    def small_print(self) -> Words:
        """Say what the small transformer is."""
        layers, heads = (count(n, "of the companion") for n in (2, 4))
        text = "{} layers of {} heads, no positions, no mask"
        return Words(text, layers, heads, size=PLAIN_SIZE, role=QUIET)

    def cast(self) -> None:
        """Make both sentences, both pairs of grids, and the vectors of one word."""
        plain = self.plain
        first, second = self.under_title.rows(2)
        self.sentences = [
            TokenRow(pieces, room.inset(GAP), largest=1.4 * HEADING_SIZE)
            for pieces, room in ((plain.pieces, first), (plain.swapped_pieces, second))
        ]
        self.boards = self._grids(plain, (self.seen_first, self.seen_then))
        placed = self.weights[self.asks], self.swapped[self.asks]
        self.placed_boards = self._grids(self.placed, placed, foot=FOOT)
        self.outputs = self._strips()
        self.sums = self._sums()
        (grid, _), (then, _) = self.placed_boards
        self.rings = [Ring(grid.cell(*self.odd)), Ring(then.cell(*self.odd))]
        self.values = [
            Words(f"{text}: {{:.2f}}", value, size=TITLE_SIZE).next_to(board.faces, DOWN, buff=GAP)
            for text, value, board in (
                ("only moved", self.here, grid),
                ("as it reads it", self.there, then),
            )
        ]
        for pair in (*self.boards, *self.placed_boards):
            self.stand(*pair)
        self.stand(*self.sentences, *self.outputs, *self.sums[0], *self.sums[1])
        self.stand(*self.rings, *self.values, *self.equal)

    @beat(
        "Swap {one} and {other}, | and you've told another story | with the very same words. "
        "| How does a transformer tell the two apart?"
    )
    def another_story(self) -> Shown:
        one, two = self.sentences
        yield Flow(map(Appear, one.chips))
        come = [ComeFrom(two.chips[at], one.chips[was]) for at, was in enumerate(self.plain.order)]
        yield Flow(come)
        matched = [(one.chips[was], two.chips[at]) for at, was in enumerate(self.plain.order)]
        yield Flow(Pulse(*chips, scale=SWELL) for chips in matched)
        swapped = [row.chips[at] for row in (one, two) for at in self.plain.pair]
        yield Pulse(*swapped, scale=SWELL, run_time=STEADY)

    @beat(
        "Take a small one that is never told a place. | Each row is a word, | and its dots show "
        "how much it looks at every other word."
    )
    def no_places(self) -> Shown:
        (board, dots), _ = self.boards
        one, two = self.sentences
        labels = [
            Together(ComeFrom(board.queries[at], chip.label), ComeFrom(board.keys[at], chip.label))
            for at, chip in enumerate(one.chips)
        ]
        lines = Flow(Appear(row) for row in board.faces.rows)
        come = Then(Together(*labels, lines), self.zoom_into(board, NEAR))
        yield Disappear(two, one), come
        yield Flow(map(Pulse, board.queries))
        yield Flow((Flow(map(Appear, row), QUICK) for row in dots.rows), SLOW)

    @beat(
        "Now swap the two: | their rows change places, | and their columns. "
        "| And when it reads the other story by itself? | The very same picture."
    )
    def rows_and_columns(self) -> Shown:
        (board, dots), (then, others) = self.boards
        names = [names[at] for names in (board.queries, board.keys) for at in self.plain.pair]
        yield Dim(*_fixed(dots, self.plain.pair)), Pulse(*names, run_time=STEADY)
        yield _exchange(board, dots, self.plain.pair, DOWN)
        yield Then(_exchange(board, dots, self.plain.pair, RIGHT), Undim(dots))
        built = Flow(Appear(row) for row in then.faces.rows)
        come = Together(Appear(then.queries, then.keys), built)
        yield self.pull_back(), Then(come, Flow(Appear(row) for row in others.rows))
        pairs = [(*dots.row(was), *others.row(at)) for at, was in enumerate(self.plain.order)]
        yield Flow((Pulse(*pair) for pair in pairs), SLOW)

    @beat(
        "And what does {one} come out with, | here, and there? | Number by number, the same. "
        "| Without places, both stories are one."
    )
    def one_and_the_same(self) -> Shown:
        (board, dots), (then, others) = self.boards
        first, second = self.outputs
        gone = Disappear(board, dots, then, others)
        place = self.plain.order.index(self.plain.pair[0])
        yield ComeFrom(first, board.queries[self.plain.pair[0]]), gone
        yield ComeFrom(second, then.queries[place])
        both = zip(first.cells, second.cells, self.equal, strict=True)
        yield Flow(Together(Pulse(*cells), Appear(sign)) for *cells, sign in both)
        yield Pulse(first.body, second.body, scale=1.04, run_time=STEADY)

    @beat(
        "So give every place a vector of its own, | and add it. "
        "| Now {again} starts out differently | in one place and in the other.",
        turned="So turn what a word asks for | by its place. "
        "| Now {again} asks differently | in one place and in the other.",
    )
    def add_the_places(self) -> Shown:
        first, second = self.outputs
        left, right = self.sums
        gone = Disappear(first, second, *self.equal)
        yield gone, Flow(Appear(each[0], run_time=STEADY) for each in self.sums)
        yield Flow(Appear(strip) for strips in self.sums for strip in strips[1:-1])
        yield Together(*map(_add, self.sums))
        cells = zip(left[-1].parts[1:], right[-1].parts[1:], strict=True)
        yield Flow((Pulse(*pair) for pair in cells), SLOW)

    @beat(
        "Swap the two again: | rows and columns move as before. | But the other story looks "
        "different now: | here, {asker} looks at {answer} in another way. "
        "| Words have no order of their own. It has to be added."
    )
    def the_places_tell(self) -> Shown:
        (board, weights), (then, others) = self.placed_boards
        gone = Disappear(*self.sums[0], *self.sums[1])
        yield gone, Then(Appear(board.queries, board.keys), _rows_come(board, weights))
        pair = self.placed.pair
        rows, columns = (_exchange(board, weights, pair, way) for way in (DOWN, RIGHT))
        fixed = _fixed(weights, pair)
        yield Then(Together(Dim(*fixed), rows), columns, Undim(*fixed))
        yield Appear(then.queries, then.keys), _rows_come(then, others)
        kept = (weights, self.was[0]), (others, self.odd[0])
        places = range(len(self.tokens))
        besides = [dots.row(at) for dots, row in kept for at in places if at != row]
        yield Draw(*self.rings), Appear(*self.values), Dim(*besides)
        yield Pulse(*self.values, run_time=STEADY), Pulse(then.queries[self.odd[0]])

    # What only this film shows

    def _grids(
        self, swap: Swap, tables: Sequence[Tensor], foot: float = 0.0
    ) -> list[tuple[AttentionGrid, Entries]]:
        """Return a grid of the text and one of the exchanged text, with what stands in them."""
        rooms = [room.raised(foot) for room in self.stage.split(0.5)]
        found = []
        for pieces, table, room in zip(
            (swap.pieces, swap.swapped_pieces), tables, rooms, strict=True
        ):
            board = AttentionGrid(pieces, room.inset(GAP))
            found.append((board, board.weights(table)))
        return found

    def _strips(self) -> list[Vector]:
        """Return what the followed word comes out with, in both texts."""
        one = self.plain.pair[0]
        places = one, self.plain.order.index(one)
        names = "orderless.resid_post", "orderless_swapped.resid_post"
        last = len(self.tensor(names[0])) - 1
        wide = min(WIDEST, self.stage.width / (ENTRIES + 1))
        strips = [
            _strip(self.tensor(name)[last, at], (wide, TALL), self.plain.pieces[one], at)
            for name, at in zip(names, places, strict=True)
        ]
        strips[1].label.next_to(strips[1].body, DOWN, buff=HAIR)
        VGroup(*strips).arrange(DOWN, buff=4 * GAP).move_to(self.stage.center)
        self.equal = [
            Formula("$=$", TITLE_SIZE)
            .rotate(np.pi / 2)
            .move_to((one.get_center() + two.get_center()) / 2)
            for one, two in zip(strips[0].cells, strips[1].cells, strict=True)
        ]
        return strips

    def _sums(self) -> list[list[Vector]]:
        """Return for both places of a word its vector, the place's, and their sum.

        Where places turn queries, it is the word's query alone.
        """
        one, found = self.placed.pair[0], []
        piece, embed = self.placed.pieces[one], self.tensor("embed")[one]
        sides = zip(self.stage.split(0.5), ("", "swapped."), strict=True)
        for room, text in sides:
            at = self.placed.order.index(one) if text else one
            size = min(WIDEST, room.width / (ENTRIES + 0.6)), LOW
            if self.traits.adds_positions:
                added, whole = self.tensor("pos_embed")[at], self.tensor(f"{text}resid_pre")[0, at]
                digits = _adding(embed, added, whole)
                strips = [
                    _strip(embed, size, piece, decimals=digits),
                    _strip(added, size, "", at, decimals=digits),
                    _strip(whole, size, piece, at, decimals=digits),
                ]
            else:
                strips = [_strip(self.tensor(f"{text}q")[0, self.asks, at], size, piece, at)]
            room.fit(VGroup(*strips).arrange(DOWN, buff=2 * GAP))
            found.append(strips)
        return found


def _strip(
    row: Tensor,
    room: tuple[float, float],
    piece: str,
    place: int | None = None,
    decimals: int = 2,
) -> Vector:
    """Return a vector's first numbers and its last, under the word and the place that it is of."""
    label = VGroup(*([TokenText(piece)] if piece else []))
    if place is not None:
        number = count(place + 1, "the place, counted from 1")
        label.add(Words("at place {}" if piece else "place {}", number, size=SPOKEN_SIZE))
    label.arrange(RIGHT)
    size = TITLE_SIZE if decimals == 2 else PLAIN_SIZE
    values = row.values
    return Vector(
        values, room, most=ENTRIES, label=label, number_size=size, decimals=decimals, hollow=False
    )


def _adding(one: Tensor, other: Tensor, whole: Tensor) -> int:
    """Return with how many decimals what is drawn adds up as it is written, three at most."""
    shown = shown_entries(len(whole), ENTRIES)
    sums = (adding_decimals([one[i].value, other[i].value], whole[i].value.number) for i in shown)
    return min(3, max(sums))


def _fixed(layer: Entries, pair: tuple[int, int]) -> list[VMobject]:
    """Return what stands where an exchange of two changes nothing."""
    kept = [at for at in range(len(layer.rows)) if at not in pair]
    return [layer.cell(row, column) for row in kept for column in kept]


def _add(strips: Sequence[Vector]) -> Verb:
    """Let the last vector come out of those above it, entry by entry."""
    *parts, whole = strips
    if not parts:
        return Pulse(whole.body, scale=1.05, run_time=SLOW)
    entries = zip(whole.parts[1:], parts[-1].parts[1:], parts[0].parts[1:], strict=True)
    come = (Together(ComeFrom(new, place), Pulse(word)) for new, place, word in entries)
    return Together(Appear(whole.brackets, whole.label), Flow(come, SLOW))


def _rows_come(board: AttentionGrid, layer: Entries) -> Verb:
    """Let a grid's cells come in with what stands in them, row by row."""
    rows = zip(layer.rows, board.faces.rows, strict=True)
    return Flow(Appear(*both) for both in rows)


def _exchange(board: AttentionGrid, layer: Entries, pair: tuple[int, int], way: Vector3D) -> Verb:
    """Let two rows (DOWN) or columns (RIGHT) change places, with their names."""
    is_row, (one, other) = way is DOWN, pair
    names = board.queries if is_row else board.keys
    lines = [layer.row(at) if is_row else layer.column(at) for at in pair]
    by = (other - one) * board.side * way
    return Together(
        Shift(lines[0], names[one], by=by, run_time=SLOW),
        Shift(lines[1], names[other], by=-by, run_time=SLOW),
    )


def _pair(embeddings: Array, ids: Sequence[int]) -> tuple[int, int]:
    """Return the places of the two words that are most alike, the earlier one first."""
    cosines = pairs(list(Tensor(embeddings, "embed")), cosine).array
    return most_similar_pair(cosines, ids) or (0, len(ids) - 1)
