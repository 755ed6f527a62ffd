"""Shuffle the words: attention by itself knows no order, so places have to be added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D, Vector3D
from manim.utils.rate_functions import linear

from scenes import theme
from scenes.analysis.selection import most_similar_pair
from scenes.film import Film, Need, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid, Entries
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Words, called, visible
from scenes.mobjects.tokens import Chip, TokenRow
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
    Undim,
    Vary,
    Verb,
    Visit,
)

ENTRIES, TOLD = 6, 4  # of a vector that are drawn; in which two places differ most
WIDEST, TALL = 1.7, 1.4  # scene units, of an entry
NEAR = 0.95  # of the stage, by one grid
FOOT = 1.0  # scene units under grids, for a number or their story
SWELL = 1.03  # times as large, a word among others
ABOVE = 0.3 * UP  # scene units, of the way of a name that is exchanged
BOWS = 0.55 * DOWN, 0.15 * UP  # and of the ways of both words, which meet in the middle

Grid: TypeAlias = tuple[AttentionGrid, Entries]
TWO_WORDS = Need("two different tokens", lambda film: len(set(film.tokens)) > 1, "cats chase dogs")


class ShuffleTheWords(Film):
    """Attention by itself knows no order: a vector for each place has to be added."""

    title = "Shuffle the words"
    prompt = "the king loves a queen"
    seconds = 80
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
        return found | {f"swapped.{site}": sites[site] for site in ("pattern", "resid_pre", "q")}

    def observe(self) -> None:
        """Choose the heads in which an exchange shows most, and the word to follow."""
        patterns = self.tensor("orderless.pattern")
        change = np.abs(patterns.array - self.plain.moved(patterns.array)).mean(axis=(-1, -2))
        layer, head = np.unravel_index(int(change.argmax()), change.shape)
        self.seen_first = patterns[int(layer), int(head)]
        self.seen_then = self.tensor("orderless_swapped.pattern")[int(layer), int(head)]
        texts = self.tensor("pattern")[0], self.tensor("swapped.pattern")[0]
        at = self.placed.pair[1]  # where the word comes to
        change = np.abs(self.placed.moved(texts[0].array) - texts[1].array)[:, at]
        self.asks = int(change.sum(axis=-1).argmax())
        self.weights = [text[self.asks] for text in texts]
        rows = map(Tensor.__getitem__, self.weights, self.placed.pair)
        self.favourites = [int(row.array.argmax()) for row in rows]

    def words(self) -> Mapping[str, str]:
        """Name the two words, their places, and what tells them apart."""
        one, other = (called(self.plain.pieces[at]) for at in self.plain.pair)
        texts = self.placed.pieces, self.placed.swapped_pieces
        found = zip(texts, self.favourites, strict=True)
        looks = [called(text[key]).strip("“”") for text, key in found]
        again = called(texts[0][self.placed.pair[0]])
        return {"one": one, "other": other, "again": again, "here": looks[0], "there": looks[1]}

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether not every word looks at the one before it."""
        back = range(len(self.tokens) - 1)
        rows = [weights.array[1:].argmax(axis=-1) for weights in self.weights]
        steady = all(np.array_equal(row, back) for row in rows) and self.placed.pair[0] > 0
        return {**super().circumstances(), "uneven": not steady}

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
        self.placed_boards = [_masked(*grid) for grid in self._grids(placed, self.weights)]
        self.later = [board.hatching() for board, _ in self.placed_boards]
        pairs = zip((*self.boards, *self.placed_boards), (*plain.pair, *placed.pair), strict=True)
        followed = [dots.row(at) for (_, dots), at in pairs]
        chips = [row.chips[at] for row, at in zip(self.sentences, plain.pair, strict=True)]
        VGroup(*followed, *(chip.label for chip in chips)).set_fill(theme.color(ACCENT))
        self.outputs = self._outputs()
        self.equal = _between(self.outputs, "$=$")
        self._make_places()
        self._make_ends()
        self.stand(*self.later)
        for pair in (*self.boards, *self.placed_boards):
            self.stand(*pair)
        self.stand(*self.sentences, *self.outputs, *self.equal, *self.added, self.chip)
        self.stand(*self.starts, *self.unlike, self.note, *self.rings, *self.values, *self.stories)
        self.stand(*self.looked_at)

    @beat(
        "How does a transformer know the order of words? | Swap {one} and {other}, "
        "| and the very same words | tell another story."
    )
    def another_story(self) -> Shown:
        one, two = self.sentences
        order, pair = self.plain.order, self.plain.pair
        yield Then(*(Flow(map(verb, one.chips)) for verb in (Appear, Pulse)))
        cross = []
        for at, bow in zip(reversed(pair), BOWS, strict=True):
            came, went = one.chips[order[at]], two.chips[at]
            aside = (went.get_x() - came.get_x()) / 4 * LEFT  # so that it leaves its row at once
            cross.append(ComeFrom(went, came, SLOW, bow=bow + aside))
        yield Together(cross)
        kept = [at for at in range(len(order)) if at not in pair]
        yield Flow(ComeFrom(two.chips[at], one.chips[at]) for at in kept)
        swapped = [[row.chips[at] for at in pair] for row in (one, two)]
        yield Flow(Pulse(*chips, scale=SWELL, run_time=STEADY) for chips in swapped)

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
        come = Flow(labels), Flow(map(Appear, board.faces.rows), STEADY)
        yield Disappear(two, one), Then(Together(come), self.zoom_into(board, NEAR))
        rows = zip(board.faces.rows, board.queries, strict=True)
        yield Flow(Pulse(*row, scale=SWELL) for row in rows)
        own = dots.row(self.plain.pair[0])
        others = Flow((Appear(*row) for row in dots.rows if row is not own), STEADY)
        yield Then(Flow(map(Appear, own), STEADY), others)

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
        "Back in the first story, | what does {one} come out with? And in the other? "
        "| Number by number, the same. | Without places, both stories are one."
    )
    def one_and_the_same(self) -> Shown:
        (board, dots), (then, others) = self.boards
        first, second = self.outputs
        yield Then(*(_exchange(self.boards[0], self.plain.pair, -way) for way in (RIGHT, DOWN)))
        rows = dots.row(self.plain.pair[0]), others.row(self.plain.pair[1])
        besides = [row for row in (*dots.rows, *others.rows) if row not in rows]
        gone = Disappear(board, then, *besides), Together(map(GoInto, rows, self.outputs))
        opened = [each.come_out_of(each.body.get_center()) for each in self.outputs]
        names = Appear(first.label, second.label)
        yield *gone, Then(Hold(QUICK), Together(Flow(opened, STEADY), names))
        both = zip(first.cells, second.cells, self.equal, strict=True)
        yield Flow(Together(Pulse(*cells), Appear(sign)) for *cells, sign in both)
        meet = [MoveTo(each.body, self.stage.center) for each in self.outputs]
        yield Then(
            Disappear(*self.equal, first.label, second.label), Together(meet), Disappear(second)
        )

    @beat(
        "So another model has a vector for every place, | and adds it to the word's, entry by "
        "entry. | Now {again} starts out differently | in one place and in the other.",
        turned="So another model turns what a word asks for | by its place, number by number. "
        "| Now {again} asks differently | in one place and in the other.",
    )
    def add_the_places(self) -> Shown:
        starts, word = self.starts, self.chip.get_center()
        into, come = GoInto(self.outputs[0].body, self.chip), Flow(map(Appear, self.added))
        opened = Together(each.come_out_of(word) for each in starts)
        yield into, Then(Hold(), Appear(self.chip, self.note)), Then(Hold(), come, opened)
        yield *map(_add, self.added, starts), Hold() if self.added else Pulse(*starts, scale=SWELL)
        met = Together(map(MoveTo, (each.body for each in starts), self.met))
        yield Disappear(self.chip), Then(met, Appear(*(each.label for each in starts)))
        signs = zip(starts[0].cells, starts[1].cells, self.unlike, strict=True)
        yield Flow((Together(Pulse(*cells), Appear(sign)) for *cells, sign in signs), SLOW)

    @beat(
        "That model reads the first story, | where a word sees itself and what's before it. "
        "| This head looks one place back.",
        uneven="That model reads the first story, | where a word sees itself and what's before it. "
        "| The larger a dot, the more it looks there.",
    )
    def one_place_back(self) -> Shown:
        board, weights = self.placed_boards[0]
        into = GoInto(self.starts[0], board.queries[self.placed.pair[0]])
        away = Disappear(*self.unlike, self.note, self.starts[1])
        yield away, into, Then(Hold(), Appear(board)), self.zoom_into(board, NEAR)
        rows = zip(self.later[0].rows, weights.rows, board.queries, strict=True)
        yield Flow(Together(Appear(*row), Pulse(name)) for *row, name in rows)
        best = [weights.cell(at, int(row.argmax())) for at, row in enumerate(self.weights[0].array)]
        yield Flow(map(Pulse, best), SLOW)

    @beat(
        "Swap the two again. | If rows and columns only moved, {again} would still look at "
        "“{here}”. | But the model reads the other story, | and there {again} looks at “{there}”. "
        "| Words have no order of their own. It has to be added.",
        uneven="Swap the two again. | If rows and columns only moved, {again} would look as "
        "before. | But the model reads the other story, | and there {again} looks another way. "
        "| Words have no order of their own. It has to be added.",
    )
    def the_places_tell(self) -> Shown:
        grids, pair = self.placed_boards, self.placed.pair
        (_, weights), (then, others) = grids
        yield _exchange(grids[0], pair, DOWN)
        yield Then(_exchange(grids[0], pair, RIGHT), Draw(self.rings[0]))
        rows = zip(then.faces.rows, then.queries, others.rows, self.later[1].rows, strict=True)
        read = Together(Appear(then.keys), Flow(Appear(*row) for row in rows))
        yield Then(self.pull_back(STEADY), Together(read, Appear(self.values[0])))
        own = weights.row(pair[0]), others.row(pair[1])
        besides = [row for row in (*weights.rows, *others.rows) if row not in own]
        yield Draw(self.rings[1]), Appear(self.values[1]), Dim(*besides)
        ways = zip((RIGHT, DOWN), self.stops, strict=True)
        home = [(_exchange(grids[0], pair, -way, STEADY), stop) for way, stop in ways]
        back = [Together(way, Visit(self.rings[0], [stop], STEADY)) for way, stop in home]
        told = Flow(map(Appear, *(story.chips for story in self.stories)))
        leave = Together(Disappear(*self.values), Undim(*besides))
        yield Then(leave, *back, told, Draw(*self.looked_at), Hold(SLOW))

    # What only this film shows

    def _grids(self, swap: Swap, tables: Sequence[Tensor]) -> list[Grid]:
        """Return a grid of the text and one of the exchanged text, with what stands in them."""
        texts, found = (swap.pieces, swap.swapped_pieces), list[Grid]()
        for pieces, table, room in zip(texts, tables, self.stage.parts(0.5), strict=True):
            board = AttentionGrid(pieces, room.raised(FOOT).inset(GAP))
            found.append((board, board.weights(table)))
        return found

    def _outputs(self) -> list[Sum]:
        """Return what the followed word comes out with, in both texts."""
        piece, wide = self.plain.pieces[self.plain.pair[0]], self.stage.width / (ENTRIES + 1)
        texts = zip(("", "_swapped"), self.plain.pair, strict=True)
        rows = [(self.tensor(f"orderless{text}.resid_post")[-1, at], at) for text, at in texts]
        found = [_strip(row.values, wide, (piece, at)) for row, at in rows]
        for each, place in zip(found, self._stacked(found[0].body), strict=True):
            _stand_at(each, place, is_below=each is found[1])
        return found

    def _stacked(self, body: VMobject) -> list[Vector3D]:
        """Return where the first of two vectors stands, and under it the second."""
        return [self.stage.center + i * (body.height / 2 + 2 * GAP) * UP for i in (1, -1)]

    def _make_places(self) -> None:
        """Make a word's vector twice, with those of its places; or, if it turns, two queries."""
        pair, adds = self.placed.pair, self.traits.adds_positions
        rooms = self.stage.in_columns(2)
        piece, wide = self.placed.pieces[pair[0]], rooms[0].width / (TOLD + 0.9)
        name, at = ("resid_pre", (0,)) if adds else ("q", (0, self.asks))
        texts = zip(("", "swapped."), pair, strict=True)
        whole = [self.tensor(f"{text}{name}")[(*at, place)] for text, place in texts]
        places = [self.tensor("pos_embed")[i] for i in pair if adds]
        parts = [self.tensor("embed")[pair[0]], *places] if adds else []
        told, digits = _telling(whole, parts)
        numbers = count(len(told), "entries shown"), count(len(whole[0]), "entries of a vector")
        text = "the {} of {} numbers in which the two differ most"
        self.note = Words(text, *numbers, size=PLAIN_SIZE, role=QUIET)
        self.stage.raised(GAP).set_at_foot(self.note, GAP)
        of = [[row[i].value for i in told] for row in (*whole, *parts)]
        largest = max(of, key=lambda row: max(abs(value.number) for value in row))
        made = partial(_strip, wide=wide, digits=digits, later=largest)  # all of one scale
        self.starts = [made(row, named=(piece, i)) for row, i in zip(of, pair, strict=False)]
        self.added = [made(row, named=("", i)) for row, i in zip(of[3:], pair, strict=False)]
        tall = self.starts[0].body.height
        self.chip = Chip(piece, HEADING_SIZE).move_to(self.stage.center + (tall + 3 * GAP) * UP)
        self.chip.label.set_fill(theme.color(ACCENT))
        self.met = self._stacked(self.starts[0].body)
        for i, start in enumerate(self.starts):
            _stand_at(start, self.met[i], is_below=bool(i))
        self.unlike = _between(self.starts, "$eq.not$")
        for start, room in zip(self.starts, rooms, strict=True):
            start.body.move_to(room.center + 0.5 * tall * UP)
        for place, start, room in zip(self.added, self.starts, rooms, strict=False):
            _stand_at(place, room.center - (0.5 * tall + GAP) * UP, is_below=True)
            start.start_from(of[2])

    def _make_ends(self) -> None:
        """Make what stands under the last grids, and the rings around what the word looks at."""
        placed, pair = self.placed, self.placed.pair
        feet = [replace(room, top=room.bottom + FOOT) for room in self.stage.parts(0.5)]
        here, there = self.favourites
        first, second = (board for board, _ in self.placed_boards)
        self.stops = [first.cell(pair[1], here), first.cell(pair[0], here)]  # columns first
        moved = first.cell(pair[1], placed.order[here])
        self.rings = [Ring(moved), Ring(second.cell(pair[1], there))]
        most = zip(self.weights, pair, self.favourites, strict=True)
        found = [weights[row, key].value for weights, row, key in most]
        said = zip(("only moved: {:.2f}", "as it reads it: {:.2f}"), found, strict=True)
        self.values = [Words(text, value, size=TITLE_SIZE) for text, value in said]
        told = zip((placed.pieces, placed.swapped_pieces), feet, strict=True)
        self.stories = [TokenRow(words, foot.narrowed(GAP, GAP)) for words, foot in told]
        ends = zip(self.values, self.stories, (first, second), feet, pair, strict=True)
        for value, story, board, foot, at in ends:
            value.shrink_to(foot.width).next_to(board.faces, DOWN, buff=GAP)
            story.set_x(board.faces.get_x())
            foot.hold(value)
            foot.hold(story)
            story.chips[at].label.set_fill(theme.color(ACCENT))
        chips = zip(self.stories, self.favourites, strict=True)
        self.looked_at = [Ring(story.chips[key].plate) for story, key in chips]


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


class Sum(Vector):
    """A word's numbers, to which those of a place come, one after the other."""

    def start_from(self, word: Sequence[Value]) -> None:
        """Show the word's numbers; `add_up` makes them what they are here."""
        self.word, self.both = word, self.values
        self.put(word)

    def add_up(self, share: float) -> None:
        """Let each number take its part of the time."""
        word, both = (np.array([v.number for v in row]) for row in (self.word, self.both))
        come = np.clip(share * len(word) - np.arange(len(word)), 0.0, 1.0)
        if share < 1:
            self.bend(word + come * (both - word))
        else:
            self.put(self.both)


def _masked(board: AttentionGrid, dots: Entries) -> Grid:
    """Return a grid in which nothing stands where a key comes after its query."""
    rows = [
        [*dots.past(query), *(VMobject() for _ in dots.future(query))] for query in range(len(dots))
    ]
    return board, Entries(rows)


def _stand_at(vector: Vector, place: Point3D, *, is_below: bool) -> None:
    """Let the middle of a vector's body stand at a place, its label over it or below."""
    vector.body.move_to(place)
    vector.label.next_to(vector.body, DOWN if is_below else UP, buff=HAIR)


def _strip(
    values: Sequence[Value],
    wide: float,
    named: tuple[str, int],
    digits: int = 2,
    later: Sequence[Value] = (),
) -> Sum:
    """Return a vector's first numbers and its last, under the word and the place that it is of."""
    piece, place = named
    text = "{} at place {}" if piece else "place {}"
    number = count(place + 1, "the place, counted from 1")
    label = Words(text, *([visible(piece)] if piece else []), number, size=SPOKEN_SIZE)
    room, size = (min(WIDEST, wide), TALL), TITLE_SIZE
    look = partial(Sum, most=ENTRIES, number_size=size, hollow=False, decimals=digits)
    return look(values, room, label=label, later=later)


def _between(strips: Sequence[Vector], sign: str) -> list[Formula]:
    """Return a sign between every entry of one vector and that of another below it."""
    pairs = zip(*(strip.cells for strip in strips), strict=True)
    places = [(one.get_center() + two.get_center()) / 2 for one, two in pairs]
    return [Formula(sign, TITLE_SIZE).move_to(place) for place in places]


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


def _add(place: Vector, start: Sum) -> Verb:
    """Let a place's numbers rise into a word's, one after the other, which become the sums."""
    into = zip(place.parts[1:], start.cells, strict=True)
    rise = Then(GoInto(part, cell, QUICK) for part, cell in into)
    adding = Vary(start.add_up, 0, 1, rise.run_time, linear)
    return Then(Together(rise, adding), Disappear(place.brackets, place.label))


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
