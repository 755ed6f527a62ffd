"""Shuffle the words: attention by itself knows no order, so places have to be added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme
from scenes.analysis.selection import most_similar_pair
from scenes.analysis.softmax import softmax
from scenes.film import Film, Need, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Words, called, visible
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Tensor, Value, cosine, count, pairs
from scenes.theme import (
    ACCENT,
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
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Shift,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
    Visit,
)

ENTRIES, TOLD = 6, 4  # of a vector that are drawn; in which two places differ most
WIDEST, TALL = 1.7, 1.4  # scene units, of an entry
NEAR = 0.95  # of the stage, by one grid
FOOT = 1.0  # scene units under grids, for a number or their story
SWELL = 1.03  # times as large, a word among others
BOW, ABOVE = 0.5 * DOWN, 0.3 * UP  # scene units, of the way of a word that is exchanged

Grid: TypeAlias = tuple[AttentionGrid, Entries]
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
    seconds = 71
    poster_beat = "the-places-tell"
    needs = (TWO_WORDS,)

    def derived(self) -> Mapping[str, Array]:
        """Let the model without order, and the model shown, read both texts."""
        found: dict[str, Array] = {}
        ids, pieces = self.cut_as_ours(self.trace.text)
        embed = self.seen_without_order(ids)["embed"]
        self.plain = Swap(ids, tuple(pieces), _pair(embed, ids))
        for name, order in (("", range(len(ids))), ("_swapped", self.plain.order)):
            tokens = [ids[at] for at in order]
            sites = self.seen_without_order(tokens)
            found |= {f"orderless{name}.{site}": sites[site] for site in ("pattern", "resid_post")}
        here = self.trace
        self.placed = Swap(here.ids, tuple(here.pieces), _pair(here.embed, here.ids))
        sites = self.sites_of([here.ids[at] for at in self.placed.order])
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
        return {
            "one": one,
            "other": other,
            "again": called(self.placed.pieces[self.placed.pair[0]]),
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
        plain, placed = self.plain, self.placed
        told = zip((plain.pieces, plain.swapped_pieces), self.under_title.rows(2), strict=True)
        size = 1.4 * HEADING_SIZE
        self.sentences = [TokenRow(words, room.inset(GAP), largest=size) for words, room in told]
        self.boards = self._grids(plain, (self.seen_first, self.seen_then))
        tables = self.weights[self.asks], self.swapped[self.asks]
        self.placed_boards = self._grids(placed, tables)
        pairs = zip((*self.boards, *self.placed_boards), (*plain.pair, *placed.pair), strict=True)
        followed = [dots.row(at) for (_, dots), at in pairs]
        chips = zip(self.sentences, plain.pair, strict=True)
        VGroup(*followed, *(row.chips[at].label for row, at in chips)).set_fill(theme.color(ACCENT))
        self.outputs = self._outputs()
        self.equal = _between(self.outputs, "$=$")
        self._make_places()
        self.rings = [Ring(board.cell(*self.odd)) for board, _ in self.placed_boards]
        feet = [replace(room, top=room.bottom + FOOT) for room in self.stage.parts(0.5)]
        self.values = [Words("only moved: {:.2f}", self.here, size=TITLE_SIZE)]
        self.values.append(Words("as it reads it: {:.2f}", self.there, size=TITLE_SIZE))
        for value, (board, _), foot in zip(self.values, self.placed_boards, feet, strict=True):
            value.shrink_to(foot.width).next_to(board.faces, DOWN, buff=GAP)
            foot.hold(value)
        told = zip((placed.pieces, placed.swapped_pieces), feet, strict=True)
        self.stories = [TokenRow(words, foot.narrowed(GAP, GAP)) for words, foot in told]
        for pair in (*self.boards, *self.placed_boards):
            self.stand(*pair)
        self.stand(*self.sentences, *self.outputs, *self.equal, *self.alone, *self.added)
        self.stand(*self.starts, *self.unlike, self.note, *self.rings, *self.values, *self.stories)

    @beat(
        "Swap {one} and {other}, | and you've told another story | with the very same words. "
        "| How does a transformer tell the two apart?"
    )
    def another_story(self) -> Shown:
        one, two = self.sentences
        order, pair = self.plain.order, self.plain.pair
        yield Flow(map(Appear, one.chips))
        kept = [at for at in range(len(order)) if at not in pair]
        drop = Flow(ComeFrom(two.chips[at], one.chips[at]) for at in kept)
        cross = [ComeFrom(two.chips[at], one.chips[order[at]], bow=BOW) for at in pair]
        yield Then(drop, Flow(cross, STEADY))
        matched = [(one.chips[was], two.chips[at]) for at, was in enumerate(order)]
        yield Flow(Pulse(*chips, scale=SWELL) for chips in matched)
        swapped = [row.chips[at] for row in (one, two) for at in pair]
        yield Pulse(*swapped, scale=SWELL, run_time=STEADY)

    @beat(
        "Take a small transformer that's never told a place. | Each row is a word, | and its dots "
        "show how much it looks at every other word."
    )
    def no_places(self) -> Shown:
        (board, dots), _ = self.boards
        one, two = self.sentences
        labels = [
            Together(ComeFrom(board.queries[at], chip.label), ComeFrom(board.keys[at], chip.label))
            for at, chip in enumerate(one.chips)
        ]
        yield Disappear(two, one), Then(Flow(labels), self.zoom_into(board, NEAR))
        rows = zip(board.faces.rows, board.queries, strict=True)
        yield Flow(Together(Appear(row), Pulse(name)) for row, name in rows)
        row = self.plain.pair[0]
        first = Flow((ComeFrom(dot, board.queries[row]) for dot in dots.row(row)), STEADY)
        others = [Appear(*dots.row(at)) for at in range(len(dots.rows)) if at != row]
        yield Then(first, Flow(others, STEADY))

    @beat(
        "Now swap the two: | their rows change places, | and their columns. "
        "| And when it reads the other story by itself? | The very same picture."
    )
    def rows_and_columns(self) -> Shown:
        (board, dots), (then, others) = self.boards
        names = [names[at] for names in (board.queries, board.keys) for at in self.plain.pair]
        yield Dim(*_fixed(dots, self.plain.pair)), Pulse(*names, run_time=STEADY)
        yield _exchange(self.boards[0], self.plain.pair, DOWN)
        yield Then(_exchange(self.boards[0], self.plain.pair, RIGHT), Undim(dots))
        rows = zip(then.faces.rows, then.queries, others.rows, strict=True)
        read = Together(Appear(then.keys), Flow(Appear(*row) for row in rows))
        yield Then(self.pull_back(STEADY), read)
        pairs = [(*dots.row(was), *others.row(at)) for at, was in enumerate(self.plain.order)]
        yield Flow((Pulse(*pair) for pair in pairs), SLOW)

    @beat(
        "And what does {one} come out with, | here, and there? | Number by number, the same. "
        "| Without places, both stories are one."
    )
    def one_and_the_same(self) -> Shown:
        (board, dots), (then, others) = self.boards
        first, second = self.outputs
        names = board.queries[self.plain.pair[0]], then.queries[self.plain.pair[1]]
        gone = Disappear(board, dots, then, others)
        come = Flow(map(ComeFrom, [first.label, second.label], names))
        opened = [each.come_out_of(each.body.get_center()) for each in self.outputs]
        yield Then(Together(gone, come), opened[0])
        yield opened[1]
        both = zip(first.cells, second.cells, self.equal, strict=True)
        yield Flow(Together(Pulse(*cells), Appear(sign)) for *cells, sign in both)
        meet = Together(MoveTo(each.body, self.stage.center) for each in self.outputs)
        yield Then(Disappear(*self.equal, first.label, second.label), meet, Disappear(second))

    @beat(
        "So give every place a vector of its own, | and add it to the word's, entry by entry. "
        "| Now {again} starts out differently | in one place and in the other.",
        turned="So turn what a word asks for | by its place, number by number. "
        "| Now {again} asks differently | in one place and in the other.",
    )
    def add_the_places(self) -> Shown:
        starts, meet = self.starts, self.stage.center[0]
        word, *twins = self.alone or starts[:1]
        come = Flow(Appear(each, run_time=STEADY) for each in self.added or starts[1:])
        turn = TurnInto(self.outputs[0].body, word)
        yield Then(Together(turn, Appear(self.note)), come)
        if twins:
            part = Together(*(ComeFrom(each, word[0]) for each in twins), Disappear(word))
            yield Then(part, Together(map(_add, twins, self.added, starts)))
        else:
            yield Flow(Pulse(each.body, scale=SWELL) for each in starts)
        yield Flow(MoveTo(each, (meet, each.get_y(), 0)) for each in starts)
        signs = zip(starts[0].cells, starts[1].cells, self.unlike, strict=True)
        yield Flow((Together(Pulse(*cells), Appear(sign)) for *cells, sign in signs), SLOW)

    @beat(
        "This model was trained with places. | Swap the two again: rows and columns move as "
        "before. | But the other story, as it reads it, looks different: | here, {asker} looks at "
        "{answer} in another way. | Words have no order of their own. It has to be added."
    )
    def the_places_tell(self) -> Shown:
        (board, weights), (then, others) = grids = self.placed_boards
        pair = self.placed.pair
        into = Together(map(GoInto, self.starts, (board.queries[pair[0]], then.queries[pair[1]])))
        come = Appear(board, then.queries, then.keys)
        dots = Flow((Appear(row) for row in weights.rows), STEADY)
        yield Disappear(*self.unlike, self.note), Then(Together(into, come), dots)
        rows, columns = (_exchange(grids[0], pair, way) for way in (DOWN, RIGHT))
        yield Then(rows, columns)
        yield Flow(map(Appear, then.faces.rows, others.rows), STEADY)
        kept = (weights, self.was[0]), (others, self.odd[0])
        besides = [row for layer, at in kept for row in layer.rows if row is not layer.row(at)]
        yield Draw(*self.rings), Appear(*self.values), Dim(*besides)
        back = [_exchange(grids[0], pair, -way, STEADY) for way in (RIGHT, DOWN)]
        home = Visit(self.rings[0], [board.cell(*self.was)], STEADY)
        told = Flow(map(Appear, *(story.chips for story in self.stories)))
        leave = Together(Disappear(*self.values), Undim(*besides))
        yield Then(leave, *back, Together(home, told), Hold(SLOW))

    # What only this film shows

    def _grids(self, swap: Swap, tables: Sequence[Tensor]) -> list[Grid]:
        """Return a grid of the text and one of the exchanged text, with what stands in them."""
        texts, found = (swap.pieces, swap.swapped_pieces), list[Grid]()
        for pieces, table, room in zip(texts, tables, self.stage.parts(0.5), strict=True):
            board = AttentionGrid(pieces, room.raised(FOOT).inset(GAP))
            found.append((board, board.weights(table)))
        return found

    def _outputs(self) -> list[Vector]:
        """Return what the followed word comes out with, in both texts."""
        piece, wide = self.plain.pieces[self.plain.pair[0]], self.stage.width / (ENTRIES + 1)
        texts = zip(("", "_swapped"), self.plain.pair, strict=True)
        rows = [(self.tensor(f"orderless{text}.resid_post")[-1, at], at) for text, at in texts]
        return self._stacked(_strip(row.values, wide, (piece, at)) for row, at in rows)

    def _stacked(self, strips: Iterable[Vector], aside: float = 0.0) -> list[Vector]:
        """Set two vectors under each other, the first one's label above and the second's below."""
        one, other = strips
        other.label.next_to(other.body, DOWN, buff=HAIR)
        both = VGroup(one, other).arrange(DOWN, buff=4 * GAP)
        both.move_to(self.stage.center + aside * RIGHT)
        return [one, other]

    def _make_places(self) -> None:
        """Make the vectors of a word, of two places, and of both; or, if it turns, the queries."""
        pair, aside, adds = self.placed.pair, self.stage.width / 4, self.traits.adds_positions
        piece, wide = self.placed.pieces[pair[0]], 2 * aside / (TOLD + 0.9)
        name, at = ("resid_pre", (0,)) if adds else ("q", (0, self.asks))
        texts = zip(("", "swapped."), pair, strict=True)
        whole = [self.tensor(f"{text}{name}")[(*at, place)] for text, place in texts]
        parts = [self.tensor("embed")[pair[0]], *(self.tensor("pos_embed")[i] for i in pair)]
        parts = parts if adds else []
        told, digits = _telling(whole, parts)
        numbers = count(len(told), "entries shown"), count(len(whole[0]), "entries of a vector")
        text = "the {} of {} numbers in which the two differ most"
        self.note = Words(text, *numbers, size=PLAIN_SIZE, role=QUIET)
        self.stage.raised(GAP).set_at_foot(self.note, GAP)
        of = [[row[i].value for i in told] for row in (*whole, *parts)]
        named = [(piece, pair[0]), (piece, pair[1]), (piece, None), *(("", i) for i in pair)]
        largest = max(of, key=lambda row: max(abs(value.number) for value in row))
        rows = zip(of, named, strict=False)  # all of one scale
        made = [_strip(row, wide, name, digits, largest) for row, name in rows]
        self.starts, self.added = self._stacked(made[:2]), list[Vector]()
        self.alone: list[VGroup] = []
        self.unlike = _between(self.starts, "$eq.not$")
        if adds:
            VGroup(*self.starts).shift(aside * LEFT)
            self.added = self._stacked(made[3:], aside)
            self.alone = [made[2].move_to(self.stage.center + aside * LEFT)]
            self.alone += [made[2].body.copy().move_to(each.body) for each in self.starts]


def _strip(
    values: Sequence[Value],
    wide: float,
    named: tuple[str, int | None],
    digits: int = 2,
    later: Sequence[Value] = (),
) -> Vector:
    """Return a vector's first numbers and its last, under the word and the place that it is of."""
    piece, place = named
    number = [] if place is None else [count(place + 1, "the place, counted from 1")]
    text = " at ".join(["{}"] * bool(piece) + ["place {}"] * bool(number))
    label = Words(text, *([visible(piece)] if piece else []), *number, size=SPOKEN_SIZE)
    room, size = (min(WIDEST, wide), TALL), TITLE_SIZE
    look = partial(Vector, most=ENTRIES, number_size=size, hollow=False, decimals=digits)
    return look(values, room, label=label, later=later)


def _between(strips: Sequence[Vector], sign: str) -> list[Formula]:
    """Return a sign, on end, between every entry of one vector and that of another below it."""
    pairs = zip(*(strip.cells for strip in strips), strict=True)
    places = [(one.get_center() + two.get_center()) / 2 for one, two in pairs]
    return [Formula(sign, TITLE_SIZE).rotate(np.pi / 2).move_to(place) for place in places]


def _telling(whole: Sequence[Tensor], parts: Sequence[Tensor]) -> tuple[list[int], int]:
    """Return the entries in which two vectors differ most, and with how many decimals they are.

    Those come first that differ, are not zero and, of parts, add up as they are written, with two.
    """
    written = np.array([row.double.round(2) for row in (*whole, *parts)])
    is_plain = (written[0] != written[1]) & (written[0] * written[1] != 0)
    if parts:
        is_plain &= np.isclose(written[2] + written[3:], written[:2]).all(axis=0)
    order = np.lexsort((-np.abs(whole[0].double - whole[1].double), ~is_plain))[:TOLD]
    return sorted(order.tolist()), 2 if is_plain[order].all() else 3


def _fixed(layer: Entries, pair: tuple[int, int]) -> list[VMobject]:
    """Return what stands where an exchange of two changes nothing."""
    kept = [at for at in range(len(layer.rows)) if at not in pair]
    return [layer.cell(row, column) for row in kept for column in kept]


def _add(word: VMobject, place: Vector, start: Vector) -> Verb:
    """Let a place's vector go into a word's, entry by entry, which becomes the sum."""
    into = zip(place.parts[1:], start.cells, strict=True)
    fly = Flow((GoInto(part, cell) for part, cell in into), QUICK)
    turn = Together(TurnInto(word, start.body), Appear(start.label))
    return Together(Disappear(place.brackets, place.label), Then(fly, turn))


def _exchange(grid: Grid, pair: tuple[int, int], way: Vector3D, run_time: float = SLOW) -> Verb:
    """Let two rows (along DOWN) or columns (along RIGHT) change places, with their names."""
    (board, layer), (one, other), is_row = grid, pair, bool(way[1])
    names = board.queries if is_row else board.keys
    lines = [layer.row(at) if is_row else layer.column(at) for at in pair]
    by, bow = (other - one) * board.side * way, 0.0 * UP if is_row else ABOVE
    rest = [name for at, name in enumerate(names) if at not in pair]
    clear = Disappear(*rest), Hold(run_time - 2 * QUICK + HAIR), Appear(*rest, scale=1.0)
    return Together(
        Then(*clear),
        Shift(lines[0], by=by, run_time=run_time),
        Shift(names[one], by=by, bow=bow, run_time=run_time),
        Shift(lines[1], names[other], by=-by, run_time=run_time),
    )


def _pair(embeddings: Array, ids: Sequence[int]) -> tuple[int, int]:
    """Return the places of the two words that are most alike, the earlier one first."""
    cosines = pairs(list(Tensor(embeddings, "embed")), cosine).array
    return most_similar_pair(cosines, ids) or (0, len(ids) - 1)
