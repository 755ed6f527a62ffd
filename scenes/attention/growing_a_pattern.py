"""Growing a pattern: what one more word costs, and what need not be worked out twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Line, Mobject, VGroup, VMobject
from manim.constants import DL, DOWN, DR, LEFT, RIGHT, UP, UR
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.camera import WHOLE, View
from scenes.film import Film, Shown, beat
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.fit import eased
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, Points, discs, radius_for, squares
from scenes.mobjects.text import Number, TokenText, Words, called, em_of
from scenes.mobjects.tokens import TokenRow
from scenes.mobjects.vector import Cell
from scenes.provenance import Array, Tensor, Value, count
from scenes.region import Region
from scenes.theme import GAP, HAIR, HEADING_SIZE, INK, QUICK, QUIET, SLOW, SPOKEN_SIZE, STEADY, Role
from scenes.verbs import Appear, Disappear, Flow, Hold, Pulse, Then, Together

WRITTEN = 4  # words that the model adds
COUNTED = 3  # of these, before the last one comes
KEPT = 16  # entries of a key or value that are drawn, at most
FILLING, AT_ONCE = 4.0, 1e-3  # seconds, until all is counted that is kept; for each number
SQUARE = 0.84  # of the pitch of a tally's squares
SWELL, SLIGHTLY = 1.3, 1.03  # times as large, what is compared, and strips that stand close
LITTLE, FEW = 0.2, 2  # of its size, a dot as it begins; words, too few to stand close
WAYS = "every row", "one row"  # to work out what a new word looks at
APART = 1.5  # of a tally's squares, between two words
LARGER, TEXT_FROM = 9.0, 0.7  # times a heading's size, a short text; from here, the new word
NAMED, HIGHEST = 0.25, 0.9  # of the table's width, by its words; scene units, by a row at most
FILLED = 0.47  # of a row of it, the radius of the dot of a weight of 1
LEAST_HIGH = 0.8  # of the stage, the pattern to its left
GRID_SHARE = 0.56  # of the stage's width, for the pattern
NARROW_SHARE = 0.6  # where the stage is narrow; of its height, if it is higher than wide


class GrowingAPattern(Film):
    """One more word is one more row: keys and values that are kept need no second working out."""

    title = "Growing a pattern"
    prompt = "a fluffy blue creature"
    seconds = 80
    poster_beat = "what-it-costs"
    most_tokens = 12
    most_tokens_narrow = 8

    def derived(self) -> Mapping[str, Array]:
        """Let the model write, and return what it computes of the whole text."""
        self.ids = self.continued(WRITTEN)
        sites = self.sites_of(self.ids)
        return {f"grown.{name}": sites[name] for name in ("pattern", "q", "k", "v")}

    def observe(self) -> None:
        """Find the text that the model wrote, and the head's pattern of it."""
        head = self.layer, self.head
        pieces = self.vocabulary(self.ids)
        self.text = [*self.tokens, *(pieces[token] for token in self.ids[len(self.tokens) :])]
        self.pattern = self.tensor("grown.pattern")[head]
        self.q, self.k, self.v = (self.tensor(f"grown.{name}")[head] for name in "qkv")
        self.first = len(self.tokens)
        self.sizes = range(self.first + 1, len(self.text) + 1)

    def words(self) -> Mapping[str, str]:
        """Say what the model writes first, what the simple way works out, and what is left."""
        naive, kept = (f"{way(COUNTED).number:,.0f}" for way in (self._naive, self._kept))
        return {"new": called(self.text[self.first]), "naive": naive, "kept": kept}

    def cast(self) -> None:
        """Make the whole pattern, what is made of each word beside it, and the two tallies."""
        first, _ = self.stage.parts(NARROW_SHARE if self.stage.is_narrow else GRID_SHARE)
        seen = self.first + 1  # words: the last ones are only counted, and kept
        board = self.board = AttentionGrid(self.text, first)
        self.weights, self.hatching = board.weights(self.pattern), board.hatching()
        asks, keys = (self.q, theme.QUERY, "queries"), (self.k, theme.KEY, "keys")
        kept = keys, (self.v, theme.VALUE, "values")
        self.asking = Table(self.text[:seen], (asks, *kept), self.stage, self.pattern[self.first])
        self.kept = [Ring(cache.rows[0]) for cache in self.asking.caches[1:]]
        self.gone = VGroup(*(Words(x, size=SPOKEN_SIZE, role=QUIET) for x in ("not", "kept")))
        self.gone.arrange(DOWN, buff=HAIR).move_to(self.asking.caches[0].rows[self.first // 2])
        self.tally = Tally(self.text[self.first :][:COUNTED], self.sizes[:COUNTED], self.stage)
        self.table = Table(self.text, kept, self.stage)
        self.old = Ring(VGroup(board.cell(0, 0), board.cell(*2 * [self.first - 1])))
        dots = VGroup(*(self.weights.past(row) for row in range(seen))).copy()
        self.traces = dots.set_fill(opacity=0).set_stroke(theme.color(QUIET), theme.THIN_LINE)
        self.hatching.set_stroke(theme.color(QUIET), theme.THIN_LINE, 1.0)
        self._set_line()
        self.stand(self.line, self.reader, self.next, board, self.hatching, self.traces)
        self.stand(self.weights, self.asking, self.gone, self.tally, self.old)
        self.stand(*self.kept, self.table)

    @beat(
        "Must a model work through the whole text again, | for each new word that it writes? | "
        "Here, it goes on with {new}."
    )
    def the_next_word(self) -> Shown:
        line = self.line.chips
        yield Then(Flow(map(Appear, line[:-1]), QUICK), Pulse(*line[:-1]), self._read())
        yield Then(self._read(), verbs.Draw(self.next))
        yield Then(Appear(line[-1]), Pulse(line[-1]), Disappear(self.next))

    @beat(
        "Till now, each word looked at those up to itself: | a row for each, "
        "| and a larger dot for more."
    )
    def a_row_for_each(self) -> Shown:
        old, board, line = range(self.first), self.board, self.line.chips
        waits = verbs.MoveTo(line[-1], self.aside, scale=self.smaller), verbs.Dim(line[-1])
        leave = (Disappear(chip, run_time=AT_ONCE) for chip in line[:-1])
        come = map(verbs.ComeFrom, board.queries[: self.first], [chip.label for chip in line[:-1]])
        rows = (Appear(*board.row(i)[: i + 1], *self.weights.past(i), scale=1.0) for i in old)
        closed = [self.hatching.cell(row, key) for row in old for key in old if key > row]
        shut = Appear(*(board.row(i)[i + 1 : self.first] for i in old), *closed, scale=1.0)
        named = Flow(map(Together, leave, come), STEADY)
        yield *waits, Then(named, Appear(*board.keys[: self.first]))
        yield Then(Flow(rows, SLOW), shut)
        yield Flow((Pulse(*self.weights.past(row)) for row in old), STEADY)

    @beat(
        "The new word asks: its query adds a row. | It answers, too: its key adds a column, "
        "| closed to all the words before it."
    )
    def a_row_and_a_column(self) -> Shown:
        new, board, word = self.first, self.board, self.line.chips[-1].label
        row = Flow((Appear(face) for face in board.row(new)[: new + 1]), QUICK)
        name, under = board.queries[new], board.row(new)[0].get_bottom()[1]
        dip = min(0.0, under - (name.get_y() + word.get_y()) / 2) * UP  # below the old rows
        asks = verbs.ComeFrom(name, word, bow=dip)
        comes = Together(Pulse(word), verbs.Undim(self.line.chips[-1]))
        yield Then(comes, asks, row, self._dots_come(new))
        column = Flow((Appear(face) for face in board.column(new)[:new]), QUICK)
        goes = verbs.ComeFrom(board.keys[new], word), Disappear(self.line.chips[-1])
        yield Then(Pulse(word), Together(goes), column)
        closed = Appear(*(self.hatching.cell(row, new) for row in range(new)))
        pointed = Then(Hold(STEADY), Flow(map(Pulse, board.queries[:new]), STEADY))
        yield closed, self.travel_to(self._onto(new + 1, self.stage), STEADY), pointed

    @beat(
        "The simple way works the whole pattern out anew: | every old row, | and the new one. "
        "| And what has changed up here? | Nothing: the old words can't see the new one."
    )
    def all_of_it_again(self) -> Shown:
        rows, new, cell = range(self.first + 1), self.first, self.weights.cell
        gone = (Disappear(self.weights.past(row), run_time=STEADY) for row in rows)
        yield Appear(self.traces, run_time=QUICK, scale=1), Flow(gone, STEADY)
        yield Flow(self._dots_come(row) for row in range(new))
        yield self._dots_come(new)
        yield verbs.Draw(self.old), verbs.Dim(self.weights.row(new), run_time=STEADY)
        old = [cell(row, key) for row in range(new) for key in range(row + 1)]
        closed = (Pulse(self.hatching.cell(row, new)) for row in range(new))
        yield Then(Flow(map(Pulse, old), SLOW), Flow(closed, QUICK))

    @beat(
        "So keep what was made once: every word's key, | and every word's value. "
        "| But no queries: each asks only once, when its word comes."
    )
    def keep_keys_and_values(self) -> Shown:
        new, table, (queries, *kept) = self.first, self.asking, self.asking.caches
        past = self.old, self.traces, self.board, self.hatching, self.weights
        come = [self._keep(*pair) for pair in zip(self.kept, kept, strict=True)]
        named = Then(Hold(QUICK / 2), Flow(map(Appear, table.names[:new]), QUICK), come[0])
        near = verbs.Shift(*kept[1][: new + 1], self.kept[1], by=-table.aside, run_time=AT_ONCE)
        yield Disappear(*past), self.pull_back(QUICK), near, named
        yield come[1]
        own, left = queries[: new + 1], Flow(map(Disappear, queries[1 : new + 1]), STEADY)
        yield Then(Flow(map(Appear, own)), Pulse(*own[1:], scale=SLIGHTLY), left, Appear(self.gone))

    @beat("Then a new word asks the kept keys, | and its weights take from the kept values.")
    def ask_what_is_kept(self) -> Shown:
        new, table, values = self.first, self.asking, self.asking.caches[2]
        late = table.names[new], *(cache.rows[new] for cache in table.caches)
        apart = verbs.Shift(*values[: new + 1], self.kept[1], by=table.aside, run_time=QUICK)
        yield Disappear(self.gone), Then(apart, Appear(*late, table.told), self._asks())
        pairs = zip(table.dots, values.rows, strict=True)
        taken = (Pulse(*pair, scale=SLIGHTLY, run_time=SLOW / (new + 1)) for pair in pairs)
        mixed = Together(verbs.Vary(table.take, 0, new + 1, SLOW, linear), Then(*taken))
        yield Then(Appear(*table.taken), mixed, Pulse(*table.taken, scale=SLIGHTLY))

    @beat(
        "Now let it write. | The simple way fills the whole pattern each time; with what is kept, "
        "one row is enough: | with every row, {naive} attention weights, | with one, {kept}."
    )
    def count_the_work(self) -> Shown:
        tally = self.tally
        squared = Appear(*(part for way in tally.ways for part in way[2:]), run_time=HAIR)
        told, other = (Appear(*way[:2]) for way in tally.ways)
        first = Together(Appear(tally.names[0], *tally.counted), told)
        laid = Then(Hold(QUICK / 2), squared, first, self._drawn(0, 0, STEADY))
        yield Disappear(*self.kept, self.asking), laid
        yield Then(other, self._drawn(1, 0, QUICK), *map(self._count, range(1, COUNTED)))
        every, one = tally.ways
        yield verbs.Dim(*one), Pulse(every.number, run_time=STEADY, scale=SWELL)
        yield verbs.Dim(*every), verbs.Undim(*one), Pulse(one.number, run_time=STEADY, scale=SWELL)

    @beat(
        "The price is room: a key and a value for every word. | But nothing is worked out again: "
        "| one more word adds one row."
    )
    def what_it_costs(self) -> Shown:
        table, (*old, new), number = self.table, self.table.rows, self.table.number
        known = map(self._numbers, range(1, len(old) + 2))
        told = (verbs.Count(number, value, AT_ONCE) for value in known)
        rows = (Appear(row, run_time=self._each()) for row in old)
        each = Then(*(Together(row, next(told)) for row in rows))
        yield Disappear(self.tally), Then(Hold(QUICK / 2), Appear(*table.heads), each)
        yield verbs.Draw(table.kept, run_time=STEADY)
        yield Together(Appear(new), verbs.Draw(table.added), next(told))

    # What only this film shows

    def _onto(self, tokens: int, stage: Region) -> View:
        """Return the view in which the first tokens' names and pattern fill a stage."""
        return WHOLE.onto(self._box(tokens), stage, 0.98)

    def _box(self, tokens: int) -> Region:
        board, low = self.board, self.board.cell(tokens - 1, tokens - 1)
        seen = [low, *board.keys[:tokens]]
        right, top = (max(each.get_corner(UR)[axis] for each in seen) for axis in (0, 1))
        left = float(min(each.get_left()[0] for each in board.queries[:tokens]))
        return Region(left, float(right), float(low.get_bottom()[1]), float(top))

    def _set_line(self) -> None:
        """Set the text large, and find room for the pattern beside its new word, or under it."""
        self.line = TokenRow(self.text[: self.first + 1], self.stage, largest=LARGER * HEADING_SIZE)
        *_, word = self.line.chips
        box, (room, right) = self._box(self.first + 1), self.stage.columns(TEXT_FROM)
        self.smaller, aside = min(1.0, 0.8 * right.width / word.width), right.center
        if room.width / box.width <= LEAST_HIGH * room.height / box.height:
            high = self.smaller * word.height
            room, aside = self.stage.lowered(high + GAP), self.stage.center
            aside = aside + (self.stage.height - high) / 2 * UP
        self.view = self._onto(self.first + 1, room)
        middle, self.aside = self.view.behind(np.stack([self.line.get_center(), aside]))
        self.line.scale(1 / self.view.zoom).move_to(middle)
        self.next = Ring(word, corner=theme.CORNER / self.view.zoom)
        (*_, last), low = self.line.chips[:-1], (GAP / self.view.zoom) * DOWN
        ends = self.line.get_corner(DL) + low, last.get_corner(DR) + low
        self.reader = Line(*ends).set_stroke(theme.color(theme.ACCENT), theme.BOLD_LINE)

    def _read(self) -> verbs.Verb:
        """Let all of the text be worked through, from its first word to its last."""
        chips, at_once = self.line.chips[:-1], QUICK / 2
        read = verbs.Draw(self.reader, run_time=SLOW), Flow(map(verbs.Undim, chips), SLOW)
        done = Disappear(self.reader, run_time=at_once)
        return Then(verbs.Dim(*chips, run_time=at_once), Together(*read), done)

    def _keep(self, ring: Ring, cache: _Cache) -> verbs.Verb:
        """Let the old words' keys or values come one by one, and a ring grow around them."""
        pace, rows = self._each(), cache.rows[: self.first]
        places = [VGroup(*rows[: word + 1]) for word in range(len(rows))]
        come = Then(*(Appear(row, run_time=pace) for row in rows))
        grown = verbs.Visit(ring, places, run_time=pace * len(places))
        return Together(Appear(cache.heading), come, Then(Hold(pace / 2), grown))

    def _each(self) -> float:
        """Return how long each word is counted whose key and value are kept, in seconds."""
        return min(QUICK, FILLING / len(self.text))

    def _dots_come(self, row: int) -> verbs.Verb:
        """Let a row be worked out, dot by dot."""
        return Flow(Appear(dot, scale=LITTLE) for dot in self.weights.past(row))

    def _asks(self) -> verbs.Verb:
        """Let the new word's query go from key to key, for a dot each; its own key is the last."""
        table, pace = self.asking, self._each()
        query, keys = table.caches[0].rows[self.first], table.caches[1].rows
        x, asked = query.get_x(), list[verbs.Verb]()
        for key, dot in zip(keys, table.dots, strict=True):
            goes = verbs.MoveTo(query, (x, key.get_y(), 0), run_time=pace)
            asked.append(Then(goes, Together(Pulse(key, run_time=pace), Appear(dot, scale=LITTLE))))
        return Then(*asked)

    def _count(self, word: int) -> verbs.Verb:
        """Let a new word come; draw the weights that either way works out for it, one by one."""
        ways = self._drawn(0, word, SLOW), self._drawn(1, word, QUICK)
        return Then(Appear(self.tally.names[word]), *ways)

    def _drawn(self, way: int, word: int, run_time: float) -> verbs.Verb:
        """Draw the weights that one of the ways works out for a new word."""
        draw, ends = self.tally.ways[way].draw, self.tally.ways[way].ends
        return verbs.Vary(draw, ends[word], ends[word + 1], run_time, rate_func=linear)

    def _naive(self, words: int) -> Value:
        return count(sum(map(_causal_weights, self.sizes[:words])), "weights of all rows")

    def _numbers(self, words: int) -> Value:
        return count(2 * words * self.k.shape[1], "numbers of the keys and values of some words")

    def _kept(self, words: int) -> Value:
        return count(sum(self.sizes[:words]), "weights of the new rows")


def _causal_weights(tokens: int) -> int:
    """Return how many weights a pattern of so many tokens has, none of the future among them."""
    return tokens * (tokens + 1) // 2


class Tally(VGroup):
    """What two ways work out for every new word: a square for each weight.

    For a word (column), the first way takes all rows of a causal pattern of so many `sizes` of
    tokens, the second one row. Parts: `names` of the words, each between what the two ways take,
    what is `counted`, and the `ways` themselves.
    """

    def __init__(self, words: Sequence[str], sizes: Sequence[int], region: Region) -> None:
        line, tall = 1.5 * em_of(HEADING_SIZE), sizes[-1]
        heads = [Words(text, size=HEADING_SIZE) for text in WAYS]
        rows = sum(sizes), sum(map(_causal_weights, sizes))
        least, most = (count(rows_of, "weights that a way works out in all") for rows_of in rows)
        counted = Words("weights", size=SPOKEN_SIZE, role=QUIET)  # what the numbers say, over them
        room = max(Number(most, 0, HEADING_SIZE).width, counted.width)
        is_high, aside = region.is_narrow, max(head.width for head in heads) + 2 * GAP
        field = region if is_high else region.narrowed(aside, room + 2 * GAP)
        over = line if is_high else 0.0  # for what is said over the squares, not beside them
        wide = sum(sizes) + APART * (len(sizes) - 1)
        pitch = min(field.width / wide, (region.height - 2 * over - 2 * line) / (tall + 1))
        x, spread = float(field.center[0]) - wide * pitch / 2, wide * pitch
        top = float(region.center[1]) + ((tall + 1) * pitch + 2 * over + 2 * line) / 2 - over
        base, low = top - tall * pitch, top - tall * pitch - 2 * line - over - pitch
        places = list[list[Points]]()
        names = [TokenText(word, HEADING_SIZE) for word in words]
        VGroup(*names).scale(
            min(1.0, *(s * pitch / n.width for s, n in zip(sizes, names, strict=True)))
        )
        for name, size in zip(names, sizes, strict=True):
            name.move_to((x, 0, 0), LEFT)
            name.shift((base - 1.2 * line - name.baseline) * UP)
            corner = (x + pitch / 2, base + (size - 0.5) * pitch), (x + pitch / 2, low + pitch / 2)
            shapes = np.tri(size), np.ones((1, size))
            cells = (np.argwhere(shape)[:, ::-1].astype(np.float64) for shape in shapes)
            steps = pitch * np.array((1.0, -1.0))
            places.append([steps * at + start for at, start in zip(cells, corner, strict=True)])
            x += (size + APART) * pitch
        self.names, self.ways = names, list[Way]()
        right = x - APART * pitch
        ends = (
            (right - spread, LEFT, right)
            if is_high
            else (right - spread - 2 * GAP, RIGHT, right + 2 * GAP + room)
        )
        levels = (base, tall * pitch), (low, pitch)
        for way, (head, value) in enumerate(zip(heads, (most, least), strict=True)):
            level, height = levels[way]
            level += height + line / 3 if is_high else (pitch - em_of(HEADING_SIZE) / 1.5) / 2
            head.move_to((ends[0], 0, 0), ends[1])
            head.shift((level - head.baseline) * UP)
            number = Number(value, 0, HEADING_SIZE, anchor=RIGHT).move_to((ends[2], 0, 0), RIGHT)
            number.shift((level - number.get_bottom()[1]) * UP)
            self.ways.append(Way(head, number, [each[way] for each in places], sizes, pitch))
        counted.next_to(self.ways[0].number, UP, GAP, aligned_edge=RIGHT)
        self.counted = [] if is_high else [counted]
        super().__init__(*self.ways, *self.names, *self.counted)


class Way(VGroup):
    """The weights that one way works out, as squares that are counted as they are drawn.

    `places` holds those of each word, (n, 2), its own row of `sizes` tokens last; `ends` says how
    many squares stand before the first word and after each.
    """

    def __init__(
        self,
        head: Words,
        number: Number,
        places: Sequence[Points],
        sizes: Sequence[int],
        pitch: float,
    ) -> None:
        self.number, self.places, self.side = number, np.concatenate(places), SQUARE * pitch
        self.ends = [0, *map(int, np.cumsum([len(each) for each in places]))]
        self.is_own = np.concatenate(
            [np.arange(len(p)) >= len(p) - size for p, size in zip(places, sizes, strict=True)]
        )
        self.old, self.own = (Filled(self.places[:0], role) for role in (QUIET, theme.ACCENT))
        super().__init__(head, number, self.old, self.own)
        self.draw(0)

    def draw(self, reached: float) -> None:
        """Draw so many squares, the last one perhaps in part; say how many are whole."""
        parts = np.clip(reached - np.arange(len(self.places)), 0, 1)
        for filled, chosen in ((self.old, ~self.is_own), (self.own, self.is_own)):
            seen = chosen & (parts > 0)
            filled.points = squares(self.places[seen], self.side * np.sqrt(parts[seen]))
        whole = int((parts == 1).sum())
        self.number.put(count(whole, "weights worked out so far, a square each"))


class _Cache(VGroup):
    """What is kept of every word: a strip of cells each, under the name of what it is.

    Of `vectors` (tokens, K) the first entries are drawn, each in a `room` of (width, height): how
    strong they are, and not their signs.
    """

    def __init__(
        self,
        vectors: Array,
        room: tuple[float, float],
        role: Role,
        name: str,
        gap: float = HAIR / 2,
    ) -> None:
        drawn = vectors[:, :KEPT]
        largest = float(np.abs(drawn).max())
        self.rows = [VGroup(*(Cell(float(x), largest, room, role) for x in row)) for row in drawn]
        for row in self.rows:
            row.arrange(RIGHT, buff=0)
        VGroup(*self.rows).arrange(DOWN, buff=gap)
        self.heading = Words("{}", name, size=SPOKEN_SIZE, role=role)
        self.heading.next_to(self.rows[0], UP, buff=GAP)  # on one line with others of its kind
        self.heading.shift((self.heading.get_bottom()[1] - self.heading.baseline) * UP)
        super().__init__(self.heading, *self.rows)


class Table(VGroup):
    """A text, word under word: each is a row, its name and what is kept of it, large.

    `kept` are vectors, with their role and name. Parts: `names`, `caches`, and `rows` of both; the
    `heads`, the `number` of all that is kept, which begins with none, rings around what is `kept`
    and around the last row, which is `added`. With a `row` of the pattern instead: its weights as
    `dots` beside each key, values `aside` for them, what is `told` over them and `taken` of values.
    """

    def __init__(
        self,
        text: Sequence[str],
        kept: Sequence[tuple[Tensor, Role, str]],
        region: Region,
        row: Tensor | None = None,
    ) -> None:
        self.names = [TokenText(piece, SPOKEN_SIZE) for piece in text]
        line = (3 if row is None else 2) * em_of(SPOKEN_SIZE)
        high = min(HIGHEST, (region.height - line) / (len(text) + 1.5 * (row is not None)))
        sizes = ((name.width, name.height) for name in self.names)
        wide, tall = (max(size) for size in zip(*sizes, strict=True))
        VGroup(*self.names).scale(min(1.0, NAMED * region.width / wide, (high - HAIR) / tall))
        left = max(name.width for name in self.names) + 2 * GAP
        told = "numbers kept in this head" if row is None else "weights"
        self.told = Words(told, size=SPOKEN_SIZE)
        aside = 0.0 if row is None else max(high, self.told.width) + GAP
        wide = (region.width - left - len(kept) * GAP - aside) / len(kept)
        room = wide / min(KEPT, kept[0][0].shape[1]), high - HAIR
        many = len(text)
        self.caches = [_Cache(x.array[:many], room, role, name, HAIR) for x, role, name in kept]
        VGroup(*self.caches).arrange(RIGHT, buff=GAP)
        self.caches[-1].shift(aside * RIGHT)
        level = region.center[1] - line / 3 + 0.75 * high * (row is not None)
        every = VGroup(*self.caches).move_to((region.right - GAP / 2, level, 0), RIGHT)
        self.heads: list[VMobject] = [*(cache.heading for cache in self.caches), self.told]
        self.dots, self.taken = list[Filled](), list[VMobject]()
        if row is None:
            self._set_number(every)
        else:
            self._set_dots(row, FILLED * high)
            self.given = row.array[:many, None] * kept[-1][0].array[:many, :KEPT]
            self.take(0.0)
        for name, strip in zip(self.names, self.caches[0].rows, strict=True):
            name.next_to(strip, LEFT, buff=2 * GAP)
        rows = zip(self.names, *(cache.rows for cache in self.caches), strict=True)
        self.rows = [VGroup(*each) for each in rows]
        *strips, new = (each[1:] for each in self.rows)
        self.kept, self.added = Ring(VGroup(*strips), role=QUIET), Ring(new)
        super().__init__(*self.heads, *self.rows, *self.dots, *self.taken, self.kept, self.added)
        self.set_x(region.center[0])

    def _set_number(self, every: Mobject) -> None:
        """Say over all that is kept how many numbers these are."""
        self.told.next_to(every, UP, buff=GAP).align_to(every, RIGHT)
        self.number = Number(count(0, "numbers that are kept at first"), 0, SPOKEN_SIZE)
        self.number.next_to(self.told, LEFT, buff=GAP)
        self.number.shift((self.told.baseline - self.number.get_bottom()[1]) * UP)
        self.heads.append(self.number)

    def _set_dots(self, row: Tensor, largest: float) -> None:
        """Set a row's weights between the keys and the values."""
        *_, keys, values = self.caches
        start, end = float(keys.get_right()[0]), float(values.get_left()[0])
        x, self.aside = (start + end) / 2, bool(keys.rows[FEW:]) * (end - start - GAP) * RIGHT
        for strip, weight in zip(keys.rows, row.array, strict=False):
            middle, radius = np.array([[x, strip.get_y()]]), radius_for(np.array([weight]), largest)
            self.dots.append(Filled(discs(middle, radius), INK))
        strip = values.rows[-1].copy().next_to(values.rows[-1], DOWN, buff=GAP)
        name = Words("taken", size=SPOKEN_SIZE, role=theme.VALUE)
        self.taken = [name.next_to(strip, LEFT, buff=GAP), strip]
        self.told.move_to((x, keys.heading.get_y(), 0))
        self.told.shift((keys.heading.baseline - self.told.baseline) * UP)

    def take(self, place: float) -> None:
        """Have taken from so many values, each times its weight, and added that up."""
        come = eased(place - np.arange(len(self.given), dtype=np.float64))
        for cell, number in zip(self.taken[1], come @ self.given, strict=True):
            cell.put(float(number))
