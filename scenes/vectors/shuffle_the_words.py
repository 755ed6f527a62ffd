"""Shuffle the words: attention by itself knows no order, so places have to be added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TypeAlias

import numpy as np
from manim import VGroup, VMobject
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Point3D, Vector3D
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.directions import plane_of
from scenes.analysis.selection import is_whole_word, most_similar_pair, telling
from scenes.figures.gathering import Gathering
from scenes.figures.looking import Looking
from scenes.film import Film, Need, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid, Entries, Expected
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Words, called
from scenes.mobjects.tokens import Chip, TokenRow
from scenes.mobjects.vector import Vector
from scenes.provenance import Array, Tensor, Value, cosine, count, pairs
from scenes.theme import ACCENT, GAP, HAIR, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY
from scenes.verbs import Appear, ComeFrom, Dim, Disappear, Draw, Flow, Hold, Pulse, Then, Together

TOLD = 4  # entries in which two places differ most
WIDEST, TALL = 1.7, 1.4  # scene units, of an entry
NEAR, FOOT = 0.95, 1.0  # of the stage, one grid; scene units under grids, for a number or story
SMALLER = 0.6  # than its size, by this share of it, a dot that passes another one
SWELL, GIVING = 1.03, 1.0  # times as large, a word among others; seconds, in which one gives
BOWS = 0.6 * UP, 0.6 * DOWN  # scene units, of the ways of both words, which meet in the middle

Grid: TypeAlias = tuple[AttentionGrid, Entries]
TWO_WORDS = Need("two different tokens", lambda film: len(set(film.tokens)) > 1, "cats chase dogs")


class ShuffleTheWords(Film):
    """Attention by itself knows no order: a vector for each place has to be added."""

    title = "Shuffle the words"
    prompt = "the king loves a queen"
    seconds = 82
    poster_beat = "the-places-tell"
    needs = (TWO_WORDS,)

    def derived(self) -> Mapping[str, Array]:
        """Let the model without order, and the model shown, read both texts."""
        found: dict[str, Array] = {}
        ids, pieces = self.cut_as_ours(self.trace.text)
        embed = self.seen_without_order(ids)["embed"]
        self.plain = Swap(ids, tuple(pieces), _pair(embed, ids, pieces))
        for name, order in (("", range(len(ids))), ("_swapped", self.plain.order)):
            tokens = [ids[at] for at in order]
            sites = self.seen_without_order(tokens)
            found |= {f"orderless{name}.{site}": sites[site] for site in ("pattern", "v", "z")}
        here = self.trace
        is_same = [*here.pieces] == [*pieces]
        pair = self.plain.pair if is_same else _pair(here.embed, here.ids, here.pieces)
        self.placed = Swap(here.ids, tuple(here.pieces), pair)
        if self.traits.adds_positions:
            found["unplaced.pattern"] = self.sites_without_places(here.ids)["pattern"]
        sites = self.sites_of([here.ids[at] for at in self.placed.order])
        return found | {f"swapped.{site}": sites[site] for site in ("pattern", "resid_pre", "q")}

    def observe(self) -> None:
        """Choose the heads in which an exchange shows most, and the word to follow."""
        patterns = self.tensor("orderless.pattern")
        change = np.abs(patterns.array - self.plain.moved(patterns.array)).mean(axis=(-1, -2))
        layer, head = self.seen_in = divmod(int(change.argmax()), change.shape[1])
        self.seen_first = patterns[layer, head]
        self.seen_then = self.tensor("orderless_swapped.pattern")[layer, head]
        handed = self.tensor("orderless_swapped.v").array[layer, head]
        self.given = self.seen_then.array[..., None] * handed  # (T, T, K)
        sizes = np.linalg.norm(self.given, axis=-1)[:, list(self.plain.pair)]
        self.getter = int(sizes.min(axis=-1).argmax())  # gets much from both, so that both are seen
        texts = self.tensor("pattern")[0], self.tensor("swapped.pattern")[0]
        change = np.abs(self.placed.moved(texts[0].array) - texts[1].array)[:, self.placed.pair[1]]
        self.asks = int(change.sum(axis=-1).argmax())
        self.weights = [text[self.asks] for text in texts]
        rows = map(Tensor.__getitem__, self.weights, self.placed.pair)
        self.favourites = [int(row.array.argmax()) for row in rows]

    def words(self) -> Mapping[str, str]:
        """Name the two words, their places, and what tells them apart."""
        one, other = (called(self.plain.pieces[at]) for at in self.plain.pair)
        texts = self.placed.pieces, self.placed.swapped_pieces
        looks = [called(text[key]) for text, key in zip(texts, self.favourites, strict=True)]
        again = called(texts[0][self.placed.pair[0]])
        told = {"one": one, "other": other, "again": again, "here": looks[0], "there": looks[1]}
        return {**told, "getter": called(self.plain.swapped_pieces[self.getter])}

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether parts of words are swapped, and whether not all look one place back."""
        back = range(len(self.tokens) - 1)
        rows = [weights.array[1:].argmax(axis=-1) for weights in self.weights]
        steady = all(np.array_equal(row, back) for row in rows) and self.placed.pair[0] > 0
        in_parts = not all(is_whole_word(self.plain.pieces, at) for at in self.plain.pair)
        known = {"uneven": not steady, "in_parts": in_parts, "only_two": len(self.plain.ids) == 2}
        return {**super().circumstances(), **known}

    def small_print(self) -> Words:
        """Say what the small transformer is."""
        sizes = (count(n, "of the companion") for n in (2, 4))
        text = "{} layers of {} heads, no positions, no mask"
        return Words(text, *sizes, size=theme.PLAIN_SIZE, role=QUIET)

    def cast(self) -> None:
        """Make both sentences, both pairs of grids, and the vectors of one word."""
        plain, placed = self.plain, self.placed
        told = zip((plain.pieces, plain.swapped_pieces), self.under_title.rows(2), strict=True)
        size = 1.7 * theme.HEADING_SIZE
        self.sentences = [TokenRow(x, room.inset(3 * GAP), largest=size) for x, room in told]
        self.boards = self._grids(plain, (self.seen_first, self.seen_then))
        self.placed_board = _masked(*self._grids(placed, self.weights)[0])
        board, self.unplaced = self.placed_board  # what the head does if its places are zero
        self.by_places = list[Words]()
        if self.traits.adds_positions:
            table = self.tensor("unplaced.pattern")[0, self.asks]
            self.unplaced = _masked(board, board.weights(table))[1]
            self.unplaced.row(placed.pair[0]).set_fill(theme.color(ACCENT))
            known = (Words(f"{x} places", size=theme.TITLE_SIZE) for x in ("without", "with"))
            self.by_places = [_under(board, text) for text in known]
            self.stand(self.unplaced, *self.by_places)
        self.later = board.hatching()
        pairs = zip((*self.boards, self.placed_board), (*plain.pair, placed.pair[0]), strict=True)
        followed = [dots.row(at) for (_, dots), at in pairs]
        chips = [row.chips[at] for row, at in zip(self.sentences, plain.pair, strict=True)]
        VGroup(*followed, *(chip.label for chip in chips)).set_fill(theme.color(ACCENT))
        self.reader = Ring(self.boards[0][0].row(plain.pair[0]))
        self.expected = Expected(self.boards, plain.order)
        both = zip(self.boards, ("rows and columns moved", "read by the model"), strict=True)
        self.sides = [_under(of, Words(text, size=theme.TITLE_SIZE)) for (of, _), text in both]
        self._make_gathering()
        self._make_places()
        self._make_ends()
        self.stand(self.later, self.reader, *self.added, *self.sides)
        self.stand(*(part for pair in (*self.boards, self.placed_board) for part in pair))
        self.stand(self.expected, *self.sentences, self.gathered, *self.chips)
        self.stand(*self.starts, self.unlike, self.note, *self.told, *self.counted)

    @beat(
        "How does a transformer know the order of words? | Swap {one} and {other}, "
        "| and the very same words | tell another story.",
        in_parts="How does a transformer know the order of words? | Swap {one} and {other}, "
        "| and the very same pieces | come in another order.",
    )
    def another_story(self) -> Shown:
        (one, two), pair = self.sentences, self.plain.pair
        yield Then(Flow(map(Appear, one.chips)), Flow(map(Appear, two.chips)))
        rest, cross = two.others(*pair), list[verbs.Verb]()
        for at, bow in zip(pair, BOWS, strict=True):
            by = self.goals[at] - two.chips[at].get_center()
            cross.append(verbs.Shift(two.chips[at], by=by, bow=bow, run_time=SLOW))
        goals = (goal for at, goal in enumerate(self.goals) if at not in pair)
        aside = map(partial(verbs.MoveTo, run_time=HAIR), rest, goals)
        yield Then(Disappear(*rest), Together(*cross, *aside), Appear(*rest, scale=1.0))
        yield Flow((Pulse(*(row.chips[at] for row in (one, two))) for at in pair), STEADY)
        yield Flow(Pulse(each, scale=SWELL) for each in two)

    @beat(
        "Take a small transformer without places. | Each row is a word, | and its dots "
        "show how much it looks at every word."
    )
    def no_places(self) -> Shown:
        (board, dots), (one, two) = self.boards[0], self.sentences
        names = (Flow(map(Appear, each), STEADY) for each in (board.queries, board.keys))
        near = Together(self.zoom_into(board, NEAR, STEADY), Appear(board.faces))
        yield Disappear(one, two, run_time=QUICK), Then(Hold(QUICK / 2), near, *names)
        own = dots.row(self.plain.pair[0])
        yield Flow(map(Pulse, board.queries)), Then(Draw(self.reader), Flow(map(Appear, own)))
        filled = Flow((Appear(*row) for row in dots.rows if row is not own), STEADY)
        looks = Flow(map(Pulse, own, board.keys), SLOW)
        yield Then(filled, looks, Disappear(self.reader))

    @beat(
        "Now swap the two: | their rows change places, | and their columns. "
        "| Is this all that changes? | Let the model read it: every dot falls into place."
    )
    def rows_and_columns(self) -> Shown:
        ((board, dots), (then, others)), pair = self.boards, self.plain.pair
        names = [names[at] for names in (board.queries, board.keys) for at in pair]
        columns = [dots.column(at) for at in range(len(dots))]
        yield _light(dots.rows, pair), Pulse(*names, run_time=STEADY)
        yield _exchange(self.boards[0], pair, DOWN)
        yield Then(_light(columns, pair), _exchange(self.boards[0], pair, RIGHT))
        back = Together(verbs.Undim(dots), self.pull_back(STEADY)), Appear(then.faces)
        told, seen = map(Appear, self.sides)
        yield Then(*back, told, Appear(then.keys), Flow(map(Appear, self.expected), STEADY))
        rows = zip(then.queries, others.rows, strict=True)
        yield seen, Flow((Appear(*row, scale=1.0) for row in rows), SLOW)

    @beat(
        "Why? Look at what {getter} gets: | from {other}, | from the rest, | and from {one}. "
        "| It all adds up.",
        only_two="Why? Look at what {getter} gets: | from {other}, | and from {one}. "
        "| It all adds up.",
    )
    def it_all_adds_up(self) -> Shown:
        (board, dots), (then, others), gathered, at = *self.boards, self.gathered, self.getter
        names = map(_level, gathered.names, then.keys)
        come = Together(*names, *map(ComeFrom, gathered.dots, others.row(at)))
        rest = Disappear(*self.sides, *others.rows[:at], *others.rows[at + 1 :])
        gone = Disappear(then.keys, others, run_time=HAIR), Disappear(then)
        yield Disappear(self.expected, board, dots), rest, Then(Hold(), Together(*gone, come))
        yield from ((gathered.give(part, GIVING),) for part in range(len(gathered.arrows)))
        yield Then(gathered.total.come(QUICK), Appear(gathered.told), Pulse(gathered.total))

    @beat("In the other order, the sum is the same. | So without places, both stories are one.")
    def one_and_the_same(self) -> Shown:
        gathered, (one, two) = self.gathered, self.sentences
        yield Then(gathered.exchange(), Pulse(gathered.told))
        stand = (gathered.names[at] for at in self.plain.order)  # by now
        kept = gathered.total, gathered.told
        left = Disappear(*(part for part in gathered.submobjects if part not in kept))
        middle, side = VGroup(one, two).get_center(), gathered.told_on
        aside = (-GAP * side, (GAP + HAIR) * side)
        sum_ = (verbs.MoveTo(part, middle + by) for part, by in zip(kept, aside, strict=True))
        words = Together(map(_level, one.chips, stand)), left, *sum_
        again = Together(Disappear(two), Flow(map(Appear, two.chips)))
        yield Then(Together(words), again, Pulse(*kept, scale=SWELL))

    @beat(
        "So another model has a vector for every place, | and adds it to the word's, entry by "
        "entry. | Now {again} starts out differently | in one place and in the other.",
        turned="So another model turns what a word asks for | by its place, number by number. "
        "| Now {again} asks differently | in one place and in the other.",
    )
    def add_the_places(self) -> Shown:
        starts, texts = self.starts, zip(self.sentences, self.plain.pair, strict=True)
        sources = [sentence.chips[at] for sentence, at in texts]
        numbers = Disappear(self.gathered), Flow(map(Appear, self.counted))
        words = Disappear(*self.sentences, *self.counted), *map(ComeFrom, self.chips, sources)
        parts = (Flow(map(Appear, start.parts)) for start in starts)
        come = Together(Flow(map(Appear, self.added)), Appear(self.note))
        entries = [*zip(*(start.parts[1:] for start in starts), strict=True)]
        same = Flow((Pulse(*both, scale=SWELL) for both in entries), SLOW)
        opened = Then(Hold(QUICK), Together(parts), same)
        yield Then(Together(numbers), Together(*words, opened), come)
        yield *map(_add, self.added, starts), Hold() if self.added else Pulse(*starts, scale=SWELL)
        down = verbs.Shift(*starts, *self.chips, by=self.fall * DOWN)
        named = Together(Appear(*(each.label for each in starts)), Pulse(*self.chips))
        yield Then(down, named)
        yield Appear(self.unlike), Flow((Pulse(*both, scale=SWELL) for both in entries), SLOW)

    @beat(
        "Here's a head, the part that looks. | It sees only what came before, and itself; | "
        "without places, it can't tell how far back. | With them, it looks one place back.",
        turned="That model reads the first story. | A word sees itself and what's before it. "
        "| The larger a dot, | the more it looks there.",
        uneven="Here's a head, the part that looks. | It sees only what came before, and itself; | "
        "without places, this head can't tell how far back. | With them, it can.",
    )
    def one_place_back(self) -> Shown:
        board, weights = self.placed_board
        away = Disappear(self.unlike, self.note, *self.starts, self.chips[1])
        names = zip(board.queries, board.keys, strict=True)
        grid = Then(Hold(QUICK), Flow(Appear(*name) for name in names)), Appear(board.faces)
        own = verbs.GoInto(self.chips[0], board.queries[self.placed.pair[0]])
        dots = Flow((Appear(*row) for row in self.unplaced.rows), SLOW)
        near = self.zoom_into(VGroup(board, *self.by_places), NEAR)
        yield away, near, own, *grid
        yield Then(Flow(map(Appear, self.later.rows)), dots)
        rows = zip(self.unplaced.rows, board.queries, strict=True)
        yield Appear(*self.by_places[:1]), Flow(Pulse(*row, name) for row, name in rows)
        best = [weights.cell(at, int(row.argmax())) for at, row in enumerate(self.weights[0].array)]
        both = zip(self.unplaced.rows, weights.rows, strict=True)
        come = Flow(Together(map(verbs.TurnInto, *row)) for row in both if row[0] is not row[1])
        told = Disappear(*self.by_places[:1]), Then(Hold(), Appear(*self.by_places[1:]))
        yield *told, Then(come, Flow(map(Pulse, best), SLOW))

    @beat(
        "Swap the two again. | In one story, {again} looks at {here}; | in the other, at {there}. "
        "| So a transformer knows the order | once it's told each word's place.",
        uneven="Swap the two again. | In one story, {again} looks this way; | in the other, "
        "another way. | So a transformer knows the order | once it's told each word's place.",
    )
    def the_places_tell(self) -> Shown:
        (board, weights), pair = self.placed_board, self.placed.pair
        one, two = self.told
        at = pair[0]
        rest = [row for row in weights.rows if row is not weights.row(at)]
        left = Disappear(*rest, *board.queries, board.faces, self.later, *self.by_places)
        chips = map(ComeFrom, one.words, board.keys)
        gone = Disappear(*board.keys, *weights.row(at), run_time=HAIR)
        come = Together(gone, *chips, Appear(one.dots))
        sources = (one.words[at] for at in self.placed.order)
        swap = Together(map(partial(ComeFrom, run_time=SLOW), two.words, sources))
        yield left, self.pull_back(STEADY), Then(Hold(QUICK), come, swap)
        yield one.point()
        yield Appear(two.dots), Then(Hold(QUICK), two.point())
        yield Flow(Pulse(each.words[at]) for each, at in zip(self.told, pair, strict=True))
        yield Flow(Pulse(each.largest, each.words[each.key]) for each in self.told)

    # What only this film shows

    def _grids(self, swap: Swap, tables: Sequence[Tensor]) -> list[Grid]:
        """Return a grid of the text and one of the exchanged text, with what stands in them."""
        texts, found = (swap.pieces, swap.swapped_pieces), list[Grid]()
        for pieces, table, room in zip(texts, tables, self.stage.parts(0.5), strict=True):
            board = AttentionGrid(pieces, room.raised(FOOT).inset(HAIR))
            found.append((board, board.weights(table)))
        return found

    def _make_gathering(self) -> None:
        """Set what each word gives to the followed one, and what it is that both stories are."""
        given, pair = self.given[self.getter], self.plain.pair
        plane = plane_of(given.sum(axis=0), given[pair[0]] - given[pair[1]])
        self.gathered = Gathering(self.boards[1], self.getter, given @ plane, pair, self.stage)
        self.counted = list[Words]()
        for place, chips in enumerate(zip(*self.sentences, strict=True)):
            number = Words("{}", count(place + 1, "words up to it"), size=SPOKEN_SIZE)
            above = (number.copy().next_to(chip, UP, buff=HAIR) for chip in chips)
            self.counted += above if self.sentences[0].lines == 1 else ()
        one, two = self.sentences
        self.goals, by = [chip.get_center() for chip in two.chips], (two.get_y() - one.get_y()) * UP
        for at, chip in zip(self.plain.order, two.chips, strict=True):  # at first in the same order
            chip.move_to(one.chips[at]).shift(by)

    def _make_places(self) -> None:
        """Make a word's vector twice, with those of its places; or, if it turns, two queries."""
        pair, adds = self.placed.pair, self.traits.adds_positions
        rooms = self.stage.in_columns(2)
        piece, wide = self.placed.pieces[pair[0]], rooms[0].width / (TOLD + 0.9)
        name, of = ("resid_pre", (0,)) if adds else ("q", (0, self.asks))
        texts = zip(("", "swapped."), pair, strict=True)
        whole = [self.tensor(f"{text}{name}")[(*of, place)] for text, place in texts]
        places = [self.tensor("pos_embed")[i] for i in pair if adds]
        parts = [self.tensor("embed")[pair[0]], *places] if adds else []
        told, digits = telling(whole, parts, TOLD)
        numbers = count(len(told), "entries shown"), count(len(whole[0]), "entries of a vector")
        text = "the {} of {} numbers in which the two differ most"
        self.note = Words(text, *numbers, size=SPOKEN_SIZE)
        self.stage.raised(GAP).set_at_foot(self.note, GAP)
        rows = [[row[i].value for i in told] for row in (*whole, *parts)]
        largest = max(rows, key=lambda row: max(abs(value.number) for value in row))
        room = min(WIDEST, wide), TALL
        made = partial(_sum, room=room, decimals=digits, later=largest)  # all of one scale
        at = [count(place + 1, "words up to it") for place in pair]
        names = [Words("at place {}", n, size=SPOKEN_SIZE) for n in at]
        self.starts = [made(row, label=label) for row, label in zip(rows, names, strict=False)]
        said = [Words("+ place {}", n, size=SPOKEN_SIZE) for n in at]
        self.added = [made(row, label=label) for row, label in zip(rows[3:], said, strict=False)]
        tall = self.starts[0].body.height
        self.fall = 0.5 * tall + GAP  # once places are added, there is room
        self.chips = [Chip(piece, theme.HEADING_SIZE) for _ in pair]
        for chip, part in zip(self.chips, rooms, strict=True):
            chip.move_to(part.center + (tall + 3 * GAP) * UP)
        VGroup(*(chip.label for chip in self.chips)).set_fill(theme.color(ACCENT))
        for start, part in zip(self.starts, rooms, strict=True):
            _stand_at(start, part.center + 0.5 * tall * UP, is_below=True)
        self.unlike = Formula("$eq.not$", theme.HEADING_SIZE)
        between = self.starts[1].body.get_left()[0] - self.starts[0].body.get_right()[0]
        fits = between > self.unlike.width + 2 * HAIR
        self.unlike.move_to(VGroup(*(x.body if fits else x.label for x in self.starts)))
        self.unlike.shift(self.fall * DOWN)
        for place, start, part in zip(self.added, self.starts, rooms, strict=False):
            _stand_at(place, part.center - (0.5 * tall + GAP) * UP, is_below=True)
            start.start_from(rows[2])

    def _make_ends(self) -> None:
        """Set both texts over one another, with what the word that is followed looks at."""
        texts = zip((self.placed.pieces, self.placed.swapped_pieces), self.placed.pair, strict=True)
        rooms = [room.inset(GAP) for room in self.stage.rows(2)]
        self.told = [
            Looking(pieces, at, row[at], rooms[0])
            for (pieces, at), row in zip(texts, self.weights, strict=True)
        ]
        scale = min(1.0, *(rooms[0].height / each.height for each in self.told))
        for each, room in zip(self.told, rooms, strict=True):
            each.scale(scale).move_to(room.center)


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


_sum = partial(Sum, number_size=theme.TITLE_SIZE)


class Pass(verbs.Shift):
    """Dots go to where others stand, small while they pass these."""

    def change(self, share: float) -> None:
        """Set places and sizes."""
        aside = 4 * share * (1 - share)
        for shape in self.shapes:
            center = shape.center + share * self.by + aside * self.bow
            shape.stand(center, 1 - SMALLER * aside)


_level = partial(ComeFrom, fit=False)  # a level name from one whose height may be its length


def _masked(board: AttentionGrid, dots: Entries) -> Grid:
    """Return a grid in which nothing stands where a key comes after its query."""
    rows = [[*dots.past(q), *(VMobject() for _ in dots.future(q))] for q in range(len(dots))]
    return board, Entries(rows)


def _under(board: AttentionGrid, told: Words) -> Words:
    """Let what is told of a grid stand under it."""
    told.shrink_to(board.faces.width)
    return told.next_to(board.faces, DOWN, buff=GAP)


def _stand_at(vector: Vector, place: Point3D, *, is_below: bool) -> None:
    """Let the middle of a vector's body stand at a place, its label over it or below."""
    vector.body.move_to(place)
    vector.label.next_to(vector.body, DOWN if is_below else UP, buff=HAIR)


def _light(lines: Sequence[VGroup], pair: tuple[int, int]) -> verbs.Verb:
    """Return how all lines recede but two."""
    rest = (line for at, line in enumerate(lines) if at not in pair)
    return Together(Dim(*rest), verbs.Undim(*(lines[at] for at in pair)))


def _add(place: Vector, start: Sum) -> verbs.Verb:
    """Let a place's numbers rise into a word's, one after the other, which become the sums."""
    edges = (cell.get_edge_center(DOWN) for cell in start.cells)
    rise = Then(verbs.GoInto(*way, QUICK) for way in zip(place.parts[1:], edges, strict=True))
    adding = verbs.Vary(start.add_up, 0, 1, rise.run_time, linear)
    gone = Then(Hold(rise.run_time - QUICK), Disappear(place.brackets, place.label))
    return Together(rise, adding, gone)


def _exchange(grid: Grid, pair: tuple[int, int], way: Vector3D) -> verbs.Verb:
    """Let two rows (along DOWN) or columns (along RIGHT) change places, with their names."""
    (board, layer), (one, other), is_row = grid, pair, bool(way[1])
    names = board.queries if is_row else board.keys
    every = [layer.row(at) if is_row else layer.column(at) for at in range(len(layer))]
    lines = [every[at] for at in pair]
    by, aside = (other - one) * board.side * way, board.side / 4 * way[[1, 0, 2]]
    apart = names[other].width * LEFT if is_row else GAP * UP
    rest = [name for at, name in enumerate(names) if at not in pair]
    others = [line for at, line in enumerate(every) if at not in pair]
    back = verbs.Fade(*others, to=theme.OUT_OF_FOCUS)
    return Together(
        Then(Disappear(*others), Hold(SLOW - 2 * QUICK), back),
        Then(Disappear(*rest), Hold(SLOW - 2 * QUICK + HAIR), Appear(*rest, scale=1.0)),
        Pass(*lines[0], by=by, bow=aside, run_time=SLOW),
        verbs.Shift(names[one], by=by, bow=0.7 * apart, run_time=SLOW),
        Pass(*lines[1], by=-by, bow=-aside, run_time=SLOW),
        verbs.Shift(names[other], by=-by, bow=-0.3 * apart, run_time=SLOW),
    )


def _pair(embeddings: Array, ids: Sequence[int], pieces: Sequence[str]) -> tuple[int, int]:
    """Return the places of the two whole words that are most alike, the earlier one first."""
    cosines = pairs(list(Tensor(embeddings, "embed")), cosine).array
    whole = np.array([is_whole_word(pieces, at) for at in range(len(ids))])
    words = np.where(np.outer(whole, whole), cosines, cosines - 4)  # parts of words at last
    return most_similar_pair(words, ids) or (0, len(ids) - 1)
