"""What one word goes through, all words go through at once, as matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from manim import Mobject, Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UL, UP
from manim.utils.rate_functions import linear

from scenes import theme, verbs
from scenes.analysis.scaling import Scaling
from scenes.camera import WHOLE, View, pin
from scenes.film import Film, Shown, beat
from scenes.mobjects.marks import Brackets, Ring
from scenes.mobjects.matrix_product import MULTIPLIED, Mixing, Scoring, Terms
from scenes.mobjects.sheet import MOST, Figures, Sheet, hatched_future
from scenes.mobjects.text import Formula, TokenText, Words, em_of
from scenes.mobjects.tokens import cut_to
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import QUIET, SLOW, STEADY
from scenes.verbs import Appear, Dim, Disappear, Fade, Flow, Hold, Pulse, Then, Together, Vary

LETTERS = {"q": "query(Q)", "k": "key(K^top)", "s": "S", "a": "A"}  # of the matrices
LETTERS |= {"v": "value(V)", "z": "value(Z)", "lying": "key(K)"}
STEPS = "q", "k", "scores", "pattern", "v", "z"  # of a head, as the trace names them
SLIGHTLY, HARDLY = 1.04, 1.02  # times as large: what swells

LEAST_GAP = 1.4 * em_of(theme.LEAST_SIZE)  # scene units, for a letter
INSTANT = 1e-3  # seconds, for what is drawn by itself

# In sides of an entry:
EM, WIDEST = 0.85, 4.6  # of a word beside its row; of those words, at most
NEARER = 1.04  # times as large, at least, what the camera comes near for
LETTER = 1.9  # the em of a matrix's letter
OVER = 1.0  # from a matrix to the one over it
BESIDE = 2.6, 4.2  # from weights to what they mix, at least, in a narrow and a wide frame


Parts: TypeAlias = Sequence[Mobject]


class OneHeadAsMatrices(Film):
    """What one word goes through in a head, all words go through at once, as rows of matrices."""

    title = "One head as matrices"
    prompt = "a fluffy blue creature roamed"
    seconds = 90
    poster_beat = "one-line"

    def observe(self) -> None:
        self.model = {name: self.tensor(name)[self.layer, self.head] for name in STEPS}
        self.scaling = Scaling.of(self.traits, self.layer)
        self.asker = self.followed()
        self.query = self.model["q"][self.asker]

    def words(self) -> Mapping[str, str]:
        return {
            "asker": self.name_of(self.asker),
            "scaled": self.scaling.sentence(self.query),
            "others": "the other words" if len(self.tokens) > 1 else "with more words",
            "add": "add up, and scale" if self.scaling.divides else "and add up",
        }

    def circumstances(self) -> Mapping[str, bool]:
        return {**super().circumstances(), "last": self.asker == len(self.tokens) - 1}

    @beat(
        "Each word asks all words: must they take turns? | Take {asker}: its query is "
        "a row of numbers. | Keys stand up as columns, to meet it, | values stay rows.",
        alone="Each word asks all words: must they take turns? | Here's one: its query is "
        "a row of numbers. | Its key stands up, | its value stays a row.",
    )
    def one_word_alone(self) -> Shown:
        board, scoring, mixing, letters = self.board, self.scoring, self.mixing, self.board.letters
        last = len(self.tokens)
        waiting = Fade(*board.words, to=theme.OUT_OF_FOCUS), Appear(scoring.s, letters["s"])
        turns = Then(verbs.Undim(word, run_time=SLOW / last) for word in board.words)
        served = verbs.Visit(scoring.ring, [*map(board.near_lane, range(last))])
        filled = Vary(board.serve, 0, last, SLOW, linear)
        yield Then(Together(waiting), Together(turns, served, filled))
        cleared = Vary(board.serve, last, 0, STEADY), Dim(*board.others)
        found = scoring.q, letters["q"]
        nearer = self.travel_to(self.near), Then(Hold(STEADY), Appear(*found, scale=1))
        query = Vary(scoring.write, 0, 1, SLOW)
        yield Then(Together(*cleared, *nearer, self.ringed(board.lane)), query)
        lying = Appear(*scoring.lying, *board.keys, letters["lying"], scale=1)
        named = Disappear(letters["lying"], *board.keys), Then(Hold(STEADY), Appear(letters["k"]))
        upright = Appear(scoring.k, scale=1), Disappear(*scoring.lying)
        standing = Together(Vary(scoring.stand_up, 0, 1, SLOW), *named)
        yield Then(lying, standing, Together(*upright))
        mixtures = mixing.v, mixing.z, letters["v"], letters["z"]
        wider = self.travel_to(WHOLE, STEADY) if self.is_whole else self.to_values()
        yield wider, Appear(*mixtures, scale=1), Then(Hold(), Flow(map(Appear, board.values)))

    @beat(
        "Stand its query up, by the first key: | multiply entry by entry, | "
        "{add}: one score, how well they match. | Then key by key, | until the row is full."
        "{scaled}",
        alone="Stand its query up, by its key: | multiply entry by entry, | "
        "{add}: one score, how well they match. | With no other key, | the row is full.{scaled}",
    )
    def key_by_key(self) -> Shown:
        scoring, last = self.scoring, len(self.tokens)
        turned = Appear(scoring.strip, scoring.drops, scale=1, run_time=INSTANT)
        turning = Together(turned, Vary(scoring.swing, 0, 1, SLOW))
        yield self.to_scores(), Then(Hold(STEADY), turning)
        terms = self.terms
        met = Vary(scoring.meet, 0, MULTIPLIED, SLOW)
        yield self.ringed(self.board.near_lane), met, Then(Hold(STEADY), Appear(*terms.product))
        yield Vary(scoring.meet, MULTIPLIED, 1, SLOW), terms.add_up()
        half = 1 + (last - 1) / 2
        no_other = Pulse(scoring.k, scoring.strip, scale=SLIGHTLY, run_time=STEADY)
        others = Vary(scoring.meet, 1, half, SLOW, linear) if last > 1 else no_other
        yield self.to_scores(), Disappear(terms), others
        pulses = (Pulse(note, scale=SLIGHTLY, run_time=SLOW) for note in 3 * self.notes)
        told = Then(Appear(*self.notes), *pulses)
        full = Vary(scoring.meet, half, last, SLOW, linear)
        yield Then(Together(full, told), Disappear(scoring.strip, scoring.drops))

    @beat(
        "Later words, which it must guess, are hidden. "
        "| Softmax makes shares of what is left, | and together they're one.",
        last="Later words would be hidden; after this one, none come. "
        "| Softmax makes shares of the scores, | and together they're one.",
    )
    def row_of_weights(self) -> Shown:
        scoring, row = self.scoring, self.figures
        hiding = Vary(scoring.hide_row, 0, 1), Appear(self.hatching[self.asker])
        yield (
            self.to_square(),
            Disappear(*self.notes),
            Flow(map(Appear, row.scores)),
            Then(Hold(SLOW), Together(*hiding, Disappear(*row.hidden))),
        )
        turned = zip(row.kept, row.weights, strict=True)
        weights = Flow(Then(Disappear(old), Appear(new)) for old, new in turned)
        yield Vary(scoring.soften_row, 0, 1, SLOW), weights, Then(Hold(STEADY), self.renamed())
        apart = (verbs.MoveTo(*pair, fit=True) for pair in zip(row.weights, row.twins, strict=True))
        yield Then(Together(apart), Flow(map(Appear, row.sum), gathering=True))

    def renamed(self, names: str = "sa") -> verbs.Verb:
        """Return how the square of scores comes to be called that of weights, or the other way."""
        old, new = (self.board.letters[name] for name in names)
        return Then(Disappear(old), Appear(new))

    @beat(
        "Now stand the shares up, by the values. | Each value keeps as much as its share, | "
        "and they fall into one row: | {asker}'s mixture."
    )
    def row_of_values(self) -> Shown:
        mixing, row = self.mixing, self.figures
        turned = Appear(mixing.strip, *mixing.slabs, scale=1, run_time=INSTANT)
        stand = Together(turned, Vary(mixing.swing, 0, 1, SLOW))
        yield Disappear(*row.weights, *row.sum), Then(self.to_values(), stand)
        yield Vary(mixing.weigh, 0, 1, SLOW), Pulse(mixing.strip, scale=SLIGHTLY, run_time=SLOW)
        yield Vary(mixing.fall, 0, 1, SLOW)
        back = Vary(mixing.refill, 0, 1), Disappear(mixing.strip), Pulse(self.board.letters["z"])
        yield Then(Vary(mixing.blend, 0, 1), Together(*back))

    @beat(
        "And {others}, one after another? | No row needs another: only its own query, "
        "and the keys. | So all queries form one matrix. | As it meets key after key, | "
        "every row of scores fills at once.",
    )
    def all_queries(self) -> Shown:
        board, scoring, mixing = self.board, self.scoring, self.mixing
        last, letters = len(self.tokens), board.letters
        named = Then(Pulse(word, run_time=SLOW / last) for word in board.words)
        visited = verbs.Visit(scoring.ring, [*map(board.lane, range(last))])
        turns = Together(verbs.Undim(*board.others), named, visited)
        gone = Disappear(self.hatching[self.asker]), Vary(scoring.clear, 0, 1, SLOW)
        cleared = Together(*gone, Vary(mixing.clear, 0, 1), self.renamed("as"))
        slabs = Disappear(*mixing.slabs, run_time=INSTANT)
        yield self.to_scores(), slabs, Then(cleared, turns)
        own = verbs.Visit(scoring.ring, [board.lane(self.asker)], STEADY)
        met = (Pulse(each, scale=SLIGHTLY) for each in (scoring.q, scoring.k))
        yield Then(own, *met, Disappear(scoring.ring))
        written = Vary(scoring.write_all, 0, 1, SLOW), Pulse(letters["q"])
        yield Then(Together(*written), Pulse(scoring.q, scale=SLIGHTLY))
        yield Appear(scoring.column), Vary(scoring.sweep, 0, last / 2, SLOW, linear)
        rest = Vary(scoring.sweep, last / 2, last, SLOW, linear)
        yield Then(rest, Pulse(scoring.s, scale=SLIGHTLY))

    @beat(
        "Every row hides what comes later, | softmax runs along all of them, | "
        "and scores are shares."
    )
    def all_weights(self) -> Shown:
        scoring = self.scoring
        hiding = Vary(scoring.hide, 0, 1), Flow(map(Appear, self.hatching))
        yield self.to_square(), Disappear(scoring.column), Then(Hold(STEADY), Together(*hiding))
        alone = [Pulse(scoring.s.outline, scale=SLIGHTLY)] * (len(self.tokens) == 1)
        yield Vary(scoring.soften, 0, 1, SLOW), Then(Hold(STEADY), self.renamed()), *alone
        yield Pulse(scoring.s, self.hatching, scale=SLIGHTLY)

    @beat(
        "As the values go by, | every row takes its share of each: | a mixture for every word.",
    )
    def all_mixtures(self) -> Shown:
        mixing, last = self.mixing, len(self.tokens)
        yield Then(self.to_values(), Appear(mixing.row, mixing.column))
        yield Vary(mixing.pour, 0, last, SLOW, linear)
        gone = Disappear(mixing.row, mixing.column), Pulse(self.board.letters["z"])
        yield Together(*gone), Pulse(mixing.z, scale=SLIGHTLY)

    @beat(
        "It all fits in one formula: | compare, | turn into shares, | and mix. | "
        "Only the mask isn't written there. | No word has to wait: | "
        "two big products serve them all, and chips work out all rows at once.",
    )
    def one_line(self) -> Shown:
        line, board, letters = self.line, self.board, self.board.letters
        weights, (q, k, v, z) = VGroup(self.scoring.s, *self.hatching), line.moving[:4]
        names = [letters[name] for name in "qkaz"]
        gone = Disappear(*board.words, *board.values, q, k, *names)
        moving = *line.moving, weights, letters["v"]
        moves = zip(moving, (*line.places, line.square, line.letters[2]), strict=True)
        lined_up = [verbs.MoveTo(*pair, fit=True) for pair in moves]
        later = Together(*lined_up[3:-2])  # the mixtures, when weights are out of their way
        named = Appear(line.equals, *line.moving[4:], *line.letters[3:])
        sooner = Together(self.pull_back(STEADY), *lined_up[:3], *lined_up[-2:])
        yield gone, Then(Hold(), sooner, later, named)
        opened = verbs.ComeFrom(q, line.square), Then(Hold(), verbs.ComeFrom(k, line.square))
        signs = Appear(line.divisor, line.brackets, *line.letters[:2])
        yield *opened, Disappear(weights, line.letters[4]), Then(Hold(SLOW), signs)
        yield Appear(line.softmax)
        yield Then(Pulse(v, letters["v"], scale=SLIGHTLY), Pulse(z, scale=SLIGHTLY))
        yield Appear(line.mask)
        yield Disappear(line.mask), Flow(map(Appear, line.rings), STEADY)
        pairs = zip(line.rings, line.wholes, strict=True)
        wider = (verbs.Visit(ring, [whole], STEADY) for ring, whole in pairs)
        first = VGroup(q, k, line.divisor, *line.letters[:2])
        products = first, VGroup(*first, line.brackets, line.softmax, v, letters["v"])
        big = [Pulse(each, scale=HARDLY, run_time=STEADY) for each in products]
        yield Then(Together(*wider), Disappear(*line.rings), *big)

    def to_scores(self) -> verbs.Verb:
        """Return how one comes to see where queries meet keys, and nothing else as well."""
        board = self.board
        come = self.come_to(self.near, board.left, board.right)
        return Together(come, self.ringed(board.lane))

    def to_square(self) -> verbs.Verb:
        """Return how one comes near scores and shares."""
        gone = Disappear(*self.board.left, *self.board.right)
        return Together(self.travel_to(self.nearest), gone, self.ringed(self.board.near_lane))

    def to_values(self) -> verbs.Verb:
        """Return how one comes to see where shares meet values, and nothing else as well."""
        *left, in_the_way = (board := self.board).left  # of the shares that stand up
        come = self.come_to(self.beside, board.right, left)
        return Together(come, Disappear(in_the_way), self.ringed(board.near_lane))

    def come_to(self, view: View, seen: Parts, left: Parts) -> verbs.Verb:
        """Return how one comes to a view; what is `left` steps back, or leaves if it is cut."""
        stays = theme.OUT_OF_FOCUS * self.is_whole
        come = Together(Fade(*seen, to=1.0), Fade(*left, to=stays))
        if self.viewpoint.camera.view == view:
            return come
        return Then(Together(Disappear(*left), self.travel_to(view, STEADY)), come)

    def ringed(self, lane: Callable[[int], Rectangle]) -> verbs.Verb:
        """Return how the ring, where it is seen, comes to lie around as much of its row."""
        is_seen = presence(self.scoring.ring) > 0
        return Together(*[verbs.Visit(self.scoring.ring, [lane(self.asker)])] * is_seen)

    def cast(self) -> None:
        """Make the board on which one row and all rows are worked out, and the formula."""
        stage, head = self.stage, self.model
        self.board = board = Board(head, self.asker, self.scaling, self.tokens, stage)
        self.scoring, self.mixing = board.scoring, board.mixing
        self.view, self.near, self.nearest, self.beside = board.views(stage, self.under_title)
        self.is_whole = self.near is WHOLE
        self.hatching = hatched_future(self.scoring.s)
        divisor = self.scaling.divisor(self.query) if self.scaling.divides else None
        meeting = self.query, head["k"][0], head["scores"][self.asker, 0].value, divisor
        left = stage.left if self.is_whole else float(self.scoring.q.get_left()[0])
        self.terms = Terms(meeting, self.scoring, board.letters["k"], self.near.zoom, left)
        self.figures = Figures(head, self.asker, self.scoring.s, self.nearest.zoom)
        template, numbers = self.scaling.note(self.query)
        self.notes = [Words(template, *numbers, size=theme.PLAIN_SIZE)] if template else []
        for note in self.notes:  # left of the keys, once the terms have gone, or over them
            note.shrink_to(stage.width * (1.0 if stage.height > stage.width else 0.4))
            pin(note.move_to((stage.left, stage.top, 0), aligned_edge=UL))
        self.line = OneLine(board, self.scaling.markup, stage)
        self.stand(board, self.hatching, self.terms, self.figures, self.line, *self.notes)


class Board(VGroup):
    """A head's matrices where products put them: rows level with rows, columns under columns.

    Parts: `scoring` and `mixing`; `words` beside the rows, of which `others` are not the asker's;
    `keys` beside keys that lie, `values` beside the values; `letters`, by matrix.
    """

    def __init__(
        self,
        head: Mapping[str, Tensor],
        asker: int,
        scaling: Scaling,
        pieces: Sequence[str],
        region: Region,
    ) -> None:
        count, entries = len(head["q"]), min(head["q"].shape[1], MOST)
        widest = max(TokenText(piece, EM / em_of(1)).width for piece in pieces)
        side = min(WIDEST, widest) + 0.4
        unit = self._unit(region, count, entries, side)
        if not unit:
            side, unit = 0.0, self._unit(region, count, entries, 0.0)
        divisor = scaling.divisor(head["q"][asker]).number if scaling.divides else 1.0
        self.scoring = scoring = Scoring(
            (head["q"], head["k"], head["scores"], head["pattern"]), asker, divisor, unit
        )
        q, k, s = scoring.q, scoring.k, scoring.s
        s.next_to(q, RIGHT, buff=(side + 0.4) * unit)
        k.next_to(s, UP, buff=OVER * unit)
        self.mixing = mixing = Mixing((head["pattern"], head["v"], head["z"]), asker, s, unit)
        gap = max(max(side, BESIDE[region.width > region.height]) * unit, LEAST_GAP)
        mixing.z.next_to(s, RIGHT, buff=gap)
        mixing.v.next_to(mixing.z, UP, buff=OVER * unit)
        size = EM * unit / em_of(1)
        made = [[cut_to(each, size, WIDEST * unit) for each in pieces] for _ in range(3)]
        self.words, self.keys, self.values = made if side else ([], [], [])
        named = zip(self.words, self.keys, self.values, strict=True)
        for i, (word, key, value) in enumerate(named):
            word.next_to(s.band(i), LEFT, buff=0.4 * unit).set_y(s.at(i, 0)[1])
            value.next_to(mixing.v.band(i), RIGHT, buff=0.4 * unit).set_y(mixing.v.at(i, 0)[1])
            key.move_to(scoring.lies(i) + (entries / 2 + 0.4) * unit * RIGHT, LEFT)
        size = float(np.clip(LETTER * unit / em_of(1), theme.LEAST_SIZE, theme.TITLE_SIZE))
        self.letters = {name: Formula(f"${mark}$", size) for name, mark in LETTERS.items()}
        self.letters["q"].next_to(q, UP, buff=0.6 * unit)
        is_free = entries > count + LETTER or region.width > region.height
        side_of_k, off = (RIGHT, 0.6) if is_free else (LEFT, 1.6)  # off the query
        self.letters["k"].next_to(k, side_of_k, buff=off * unit).align_to(k, UP)
        self.letters["lying"].move_to(
            scoring.lies(0) + (entries / 2 + 1 + side) * unit * RIGHT, LEFT
        )
        for name in "sa":
            self.letters[name].move_to(s.get_right() + min(gap / 2, 1.5 * unit) * RIGHT)
        self.letters["v"].next_to(mixing.v, UP, buff=0.6 * unit)
        self.letters["z"].next_to(mixing.z, RIGHT, buff=0.6 * unit)
        self.others = [word for i, word in enumerate(self.words) if i != asker]
        self.asker = asker
        self.left = [q, k, self.letters["q"], self.letters["k"]]
        letters = self.letters["v"], self.letters["z"]
        self.right = [mixing.v, mixing.z, *self.values, *letters]
        super().__init__(
            scoring, mixing, *self.words, *self.keys, *self.values, *self.letters.values()
        )
        scoring.settle()
        mixing.settle()
        for sheet in (q, mixing.z):
            sheet.put(0 * sheet.numbers)
        self.move_to(region.center)
        scoring.ring.points = Ring(self.near_lane(0)).points

    @staticmethod
    def _unit(region: Region, count: int, entries: int, side: float) -> float:
        """Return the side of an entry; with words of a width beside rows, 0 if none can be read."""
        gap = max(side, BESIDE[region.width > region.height])
        across = 2 * entries + count + side + max(side, LETTER) + gap + 1
        down = max(entries, count + LETTER) + 0.5 + OVER + count
        spare = LEAST_GAP * (not side)
        unit = min((region.width - 2 * spare) / across, (region.height - spare) / down)
        near = entries + count + side + 2 * BESIDE[0]
        zoom = min(region.width / near, region.height / down)
        legible = EM * max(unit, zoom) >= em_of(theme.LEAST_SIZE) * 0.95
        return unit if legible or not side else 0.0

    def serve(self, place: float) -> None:
        """Have worked out the scores of so many words, one after another."""
        scores = self.scoring.scores
        rows, columns = (np.arange(length) for length in scores.shape)
        done = rows[:, None] + columns / len(columns) < place
        self.scoring.s.put(np.where(done, scores, 0.0))

    def lane(self, row: int) -> Rectangle:
        """Return the box of a word's query and scores, a place that is on no stage."""
        return self._around(self.scoring.q.band(row), self.scoring.s.band(row))

    def near_lane(self, row: int) -> Rectangle:
        """Return the box of a word and its scores, a place that is on no stage."""
        scores, unit = self.scoring.s.band(row), self.scoring.s.unit
        word = [word.get_left() + 0.3 * unit * LEFT for word in self.words[row : row + 1]]
        ends = (Rectangle(width=unit, height=unit).move_to(left, LEFT) for left in word)
        return self._around(*(end.match_y(scores) for end in ends), scores)

    @staticmethod
    def _around(*boxes: Rectangle) -> Rectangle:
        all_of_them = VGroup(*boxes)
        return Rectangle(width=all_of_them.width, height=boxes[0].height).move_to(all_of_them)

    def views(self, stage: Region, opening: Region) -> tuple[View, View, View, View]:
        """Return the opening, then where scores come about, then shares, then mixtures."""
        scoring, mixing, letters = self.scoring, self.mixing, self.letters
        figures = scoring.s.band(len(scoring.s.numbers))  # under the matrix
        square = VGroup(scoring.s, letters["s"], *self.words, self.near_lane(self.asker), figures)
        keys = scoring.k, *scoring.lying, *self.keys, letters["k"], letters["lying"]
        scores = VGroup(scoring.q, *keys, *square)
        mixtures = VGroup(mixing.v, mixing.z, *self.values, letters["v"], letters["z"], *square)
        near = WHOLE.into(scores, stage, 0.99), WHOLE.into(mixtures, stage, 0.97)
        is_whole = min(view.zoom for view in near) < NEARER and WHOLE.shows(self, stage)
        return (
            WHOLE.into(square, opening, 0.97),
            WHOLE if is_whole else near[0],
            WHOLE.into(square, stage.narrowed(theme.GAP, theme.GAP), 0.98),
            WHOLE if is_whole else near[1],
        )


class OneLine(VGroup):
    """The formula of a head, with its matrices in place of letters: where they go, and the signs.

    `moving` go to `places`, boxes that are on no stage; `letters` stand over them, and over the
    `square` of weights, which opens into the first two. `softmax`, `brackets`, `divisor` and
    `equals` are the signs, `mask` shows what is left out; `rings` are around one row, and `wholes`
    around all.
    """

    def __init__(self, board: Board, divisor: str, region: Region) -> None:
        sheets = [board.scoring.q, board.scoring.k, board.mixing.v, board.mixing.z]
        size = theme.HEADING_SIZE if region.width > region.height else theme.SPOKEN_SIZE
        self.softmax, self.equals = Formula('$"softmax"$', size), Formula("$=$", size)
        self.divisor = Formula(f"$slash {divisor}$", size) if divisor else VGroup()
        over = em_of(size) + 3 * theme.HAIR
        unit, is_wide = self._fitted(sheets, over, region)
        places = [
            Rectangle(width=sheet.numbers.shape[1] * unit, height=len(sheet.numbers) * unit)
            for sheet in sheets
        ]
        q, k, v, z = places
        inside = VGroup(q, k, *[self.divisor][: bool(divisor)])
        inside.arrange(RIGHT, buff=theme.HAIR)
        self.brackets = Brackets(inside)
        head = VGroup(self.softmax, VGroup(inside, self.brackets)).arrange(RIGHT, buff=theme.HAIR)
        v.next_to(head, RIGHT if is_wide else DOWN, buff=1.5 * theme.HAIR if is_wide else over)
        if not is_wide:
            v.align_to(head, RIGHT)
        z.next_to(VGroup(head, v), DOWN, buff=over)
        if not is_wide:
            z.align_to(v, RIGHT)
        is_read = EM * unit >= em_of(theme.LEAST_SIZE) * 0.95
        named = board.words if is_read else []
        names = VGroup(*(word.copy().scale(unit / board.mixing.z.unit) for word in named))
        for row, name in enumerate(names):
            name.next_to(z, LEFT, buff=0.4 * unit).set_y(z.get_top()[1] - (row + 0.5) * unit)
        self.equals.next_to(VGroup(z, *names), LEFT, buff=theme.GAP)
        VGroup(head, v, z, names, self.equals).move_to(region.center + over / 2 * DOWN)
        self.square = Rectangle(width=q.height, height=q.height)  # where weights stand at first
        self.square.next_to(v, LEFT, buff=1.5 * theme.HAIR)
        self.letters = [
            Formula(f"${LETTERS[name]}$", size).next_to(place, UP, buff=1.5 * theme.HAIR)
            for name, place in zip("qkvza", (*places, self.square), strict=True)
        ]
        self.moving, self.places = [*sheets, *named], [*places, *names]
        self.mask = self._masked(len(board.scoring.q.numbers), unit)
        self.mask.next_to(z, RIGHT, buff=theme.GAP)
        free = region.right - float(self.mask.get_left()[0])
        if not is_wide:
            self.mask.align_to(self.softmax, LEFT)
            free = float((self.equals.get_left() - self.mask.get_left())[0]) - theme.GAP
            if self.mask.width > free and z.get_bottom()[1] - 2 * self.mask.height > region.bottom:
                self.mask.next_to(VGroup(self.equals, z), DOWN, buff=theme.GAP)
                free = region.width
        self.mask.scale(min(1.0, free / self.mask.width), about_edge=LEFT)
        middles = (place.get_top() + (board.asker + 0.5) * unit * DOWN for place in (q, z))
        self.rings = [
            Ring(Rectangle(width=place.width, height=unit).move_to(middle))
            for place, middle in zip((q, z), middles, strict=True)
        ]
        self.wholes = q, z
        signs = self.softmax, self.brackets, self.divisor, self.equals
        super().__init__(*signs, *self.letters, self.mask, *self.rings)

    def _fitted(self, sheets: Sequence[Sheet], over: float, region: Region) -> tuple[float, bool]:
        """Return the side of an entry, and whether the values stand in the first line."""
        (count, entries), signs = sheets[0].numbers.shape, self.softmax.width + self.divisor.width
        free, high = region.width - signs - 12 * theme.HAIR, max(count, entries)
        ways = [
            min(
                free / (entries * first + count),
                (region.height - lines * over - 2 * theme.HAIR) / (high + (lines - 1) * count),
            )
            for first, lines in ((2, 2), (1, 3))
        ]
        return max(ways), ways[0] >= ways[1]

    @staticmethod
    def _masked(count: int, unit: float) -> VGroup:
        """Return a square in which what comes later is hidden, and what that is called."""
        sheet = Sheet(np.zeros((count, count)), unit, QUIET)
        word = Words("the mask", size=theme.SPOKEN_SIZE)
        return VGroup(
            sheet.outline, hatched_future(sheet), word.next_to(sheet, LEFT, buff=theme.GAP)
        )
