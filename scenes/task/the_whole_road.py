"""The whole road: from a sentence to its next word, in one walk through all blocks of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import Line, Rectangle, RoundedRectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import percentage, said_percentage
from scenes.mobjects.corridor import CELL, ENTRIES, Corridor
from scenes.mobjects.fit import number_format, text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Brace
from scenes.mobjects.text import Number, TokenText, Words, called
from scenes.mobjects.tokens import Chip
from scenes.provenance import constant, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    CORNER,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    OUTPUT,
    PANEL,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    Pulse,
    Then,
    Together,
    Vary,
    Verb,
)

READ = 3  # columns whose numbers are read
LISTED = 5  # tokens of those that may come next
MANY = 8  # blocks that are more than one walks through slowly
NEARER, CLOSEST = 1.8, 1.4  # times as large, columns that are read; scene units, so wide
HIGH = 0.9, 0.72  # of the stage's height, columns that are read, and words; in a narrow frame
HORIZON = 10.0  # degrees by which one looks down where the road goes on to the horizon
SLIGHT = 1.04  # times as large, at the height of a pulse of what is wide
ASIDE = 0.15  # of a lane, by which these stand off the middle
LEFT_OUT = 0.2  # the presence of columns that are not read
AHEAD = 1.3  # scene units above the road's end, for the word that comes out
GPT_3 = constant(96, "layers of GPT-3 (Brown et al. 2020, table 2.1)")
HERE, BARS = 0.14, 0.34  # of the stage, where the last column is read, and its bars begin
EACH = 0.13  # of their room's height, a bar with its word


class TheWholeRoad(Film):
    """A sentence becomes columns of numbers; they look sideways, think alone, block by block."""

    title = "The whole road"
    prompt = "a fluffy blue creature roamed the verdant"
    seconds = 84
    poster_beat = "the-answer"

    def observe(self) -> None:
        """Take what columns hold after each step, and what the model makes of the last one."""
        before, middle, after = (self.tensor(f"resid_{at}").double for at in ("pre", "mid", "post"))
        both = np.stack([middle, after], axis=1).reshape(-1, *middle.shape[1:])
        self.vectors = np.concatenate([before[:1], both])
        self.blocks = len(middle)
        probs = self.tensor("probs")[-1]
        best = np.argsort(-probs.array)[:LISTED].tolist()
        pieces = self.vocabulary(best)
        self.bets = [(pieces.get(token, "?"), probs[token].value) for token in best]

    def words(self) -> Mapping[str, str]:
        """Name what is guessed, how surely, and how many blocks and numbers there are."""
        guess, chance = self.bets[0]
        return {
            "guess": called(guess),
            "chance": said_percentage(chance),
            "width": str(self.vectors.shape[-1]),
            "blocks": str(self.blocks),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there are so many blocks that most of them are passed at speed."""
        return {
            **super().circumstances(),
            "many": self.blocks > MANY,
            "single": self.blocks == 1,
        }

    @beat(
        "A sentence goes in at this end. | A guess at its next word comes out at the other: "
        "{guess}. | What lies in between?"
    )
    def the_question(self) -> Shown:
        road = self.road
        yield Then(Vary(road.go, 0, 0, HAIR), Flow(map(Pulse, road.chips), STEADY))
        yield Then(Draw(self.joined), Appear(self.says), Pulse(self.says))
        yield Disappear(self.joined), self.walk_to("sentence")

    @beat(
        "A model can't compute with words. | So each token is swapped for a column of numbers: "
        "| {width} of them. | One column for each token: that's all that travels."
    )
    def columns(self) -> Shown:
        yield self.walk_to("words"), Disappear(self.says)
        yield Then(self.walk_to("numbers"), Flow(map(Appear, self.numbers), STEADY))
        yield Appear(self.brace, self.width), Pulse(self.width)
        gone = Disappear(*self.numbers, self.brace, self.width)
        yield Then(gone, self.walk_to("start"), Appear(self.shape))

    @beat(
        "At first, each column knows only its own word. | So it looks around: this is attention. "
        "| Each one takes something from those to its left. | No other step goes sideways.",
        alone="At first, a column knows only its own word. | So it looks around: this is "
        "attention. | But this one is alone, with nobody to its left. "
        "| No other step goes sideways.",
    )
    def sideways(self) -> Shown:
        road = self.road
        yield Flow(map(Pulse, road.chips, road.row), STEADY)
        yield self.walk_to("looking"), Appear(self.attention)
        yield self.walk_to("all look")
        yield self.walk_to("attention")

    @beat(
        "Then it has to make something of that, alone. | So an MLP works upward, column by column, "
        "| and adds what it finds. | These two steps are a block.",
        side_by_side="Beside that, each works alone. | An MLP works upward, column by column, "
        "| and adds what it finds, too. | These two steps are a block.",
    )
    def upward(self) -> Shown:
        road = self.road
        tiles = Flow(map(Pulse, road.row), STEADY)
        yield Disappear(self.attention), Then(Hold(QUICK), Together(Appear(self.mlp), tiles))
        yield self.walk_to("thinking")
        yield self.walk_to("block")
        around = Pulse(road.blocks[0].ground, *road.blocks[0].changes, scale=SLIGHT)
        yield Then(Disappear(self.mlp), Together(Appear(self.counter), around))

    @beat(
        "Once isn't enough. | What comes out has the same shape, so another block can follow, "
        "| and another: {blocks} in this model. | GPT-3 has ninety-six, one behind the other.",
        many="Once isn't enough. | What comes out has the same shape, so another block can follow, "
        "| and another: {blocks} in this model, most of them passed at speed. "
        "| GPT-3 has ninety-six, one behind the other.",
        single="Once isn't much. | What comes out has the same shape, so another block could "
        "follow, | though this model has only one. | GPT-3 has ninety-six, one behind the other.",
    )
    def block_by_block(self) -> Shown:
        same = Pulse(self.shape, run_time=STEADY)
        yield Flow(map(Pulse, self.road.row), STEADY)
        on = [self.walk_to(name) for name in ("second block", "last block")]
        if self.blocks == 1:
            on = [Flow(map(Pulse, self.road.row), STEADY) for _ in on]
        yield Then(same, on[0])
        yield on[1]
        yield self.walk_to("horizon"), Then(Hold(), Appear(self.gpt_3))

    @beat(
        "At the end, only the last column is read. | The others were there to be looked at. "
        "| It gives every word a chance: | {guess}, {chance}.",
        alone="At the end, the last column is read. | Here, it's the only one. "
        "| It gives every word a chance: | {guess}, {chance}.",
    )
    def the_last_column(self) -> Shown:
        road = self.road
        yield self.walk_to("the last"), Disappear(self.counter, self.gpt_3, self.shape)
        yield Then(Flow(map(Pulse, road.row[:-1]), STEADY), Pulse(road.row[-1]))
        come = Flow(map(self._come, self.gauges), STEADY)
        yield self.walk_to("reading"), Then(Hold(STEADY), come)
        yield Flow((gauge.tell() for gauge in self.gauges), STEADY)

    @beat(
        "People designed this road. | But what its arcs carry, nobody wrote: "
        "| that was found in training."
    )
    def who_made_it(self) -> Shown:
        first, *others = self.gauges
        leave = Disappear(*others, first.track, first.bar, first.number)
        away = GoInto(first.word, self.says[0]), Then(Hold(STEADY), Appear(self.says))
        yield leave, *away, self.walk_to("designed"), Then(Hold(STEADY), Appear(self.designed))
        yield self.walk_to("learned"), Appear(self.learned)
        yield Pulse(self.learned, run_time=STEADY, scale=SLIGHT)

    @beat(
        "So that's how a sentence becomes a word: | columns look sideways, then think alone, "
        "block by block, | and the last one says {guess}.",
        side_by_side="So that's how a sentence becomes a word: | columns look sideways and think "
        "alone, block by block, | and the last one says {guess}.",
    )
    def the_answer(self) -> Shown:
        yield Disappear(self.designed, self.learned), self.walk_to("columns again")
        yield self.walk_to("all lit")
        yield Pulse(self.road.row[-1]), Then(Draw(self.joined), Pulse(self.says))

    def cast(self) -> None:
        """Make the road, what is read of it, and what the last column turns into."""
        embeddings, patterns = (self.tensor(name).double for name in ("embed", "pattern"))
        changes = np.linalg.norm(self.tensor("mlp_out").double, axis=2)
        values, more = (embeddings, patterns, changes), max(0, int(GPT_3.number) - self.blocks)
        self.road = Corridor(self.tokens, *values, self.vectors, stage=self.stage, more=more)
        self._set_stops()
        self._make_numbers()
        self._make_labels()
        self._make_guesses()
        self.stand(self.road, self.joined, self.says, *self.numbers, self.brace, self.width)
        self.stand(self.shape, self.attention, self.mlp, self.counter, self.gpt_3)
        self.stand(self.designed, self.learned, *self.gauges)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how many blocks the model has, and what arcs are."""
        blocks = count(self.blocks, "blocks of the model")
        heads = count(self.tensor("pattern").shape[1], "heads of a layer")
        text = "{} blocks; an arc is the mean of {} heads"
        return Words(text, blocks, heads, size=PLAIN_SIZE, role=QUIET)

    def walk_to(self, name: str) -> Verb:
        """Go on to the road's next stop; its name says which."""
        place, road = [*self.stops].index(name), self.road
        walked = road.stops[place - 1].walk, road.stops[place].walk
        walk = Vary(road.go, place - 1, place, SLOW)
        counted = Vary(self.counter.come_to, *walked, run_time=SLOW)
        return Together(walk, counted) if name.endswith(" block") else walk

    def _come(self, gauge: Gauge) -> Verb:
        """Return how a word that may come next comes out of the last column."""
        road, stop = self.road, self.stops["reading"]
        edge = road.place(road.top(-1, road.last) + (road.wide, 0, 0), stop)[0]
        side = np.array((min(edge, gauge.word.get_x()), gauge.word.get_y(), 0.0))
        return Together(ComeFrom(gauge.word, side, fit=False), Appear(gauge.track))

    def _set_stops(self) -> None:
        """Set where one looks from, one stop after another."""
        road, stage, end = self.road, self.stage, self.road.last
        top = (self.under_title.top if stage.is_narrow else stage.top) - AHEAD
        high = HIGH[int(stage.is_narrow)] * stage.height
        zoom = max(NEARER, CLOSEST / road.wide)
        zoom = min(zoom, 2.2, high / (road.tall + road.chip_high))
        level = stage.bottom + GAP + zoom * road.chip_high
        middle = float(road.xs[-READ:].mean()) + ASIDE * road.lane
        words = road.near(0, x=middle, scale=zoom, y=road.before, level=level)
        at = 0.5 if stage.is_narrow else HERE
        read = replace(words, walk=end, others=LEFT_OUT, y=words.y + road.steps[-1] - road.steps[0])
        read = replace(read, x=road.xs[-1] - (at - 0.5) * stage.width / zoom)
        dark, whole = road.far(top, rise=0.0, arcs=0.0), road.far(top, end)
        self.stops = {
            "finished": whole,
            "sentence": dark,
            "words": replace(words, rise=0.0),
            "numbers": words,
            "start": road.near(0),
            "looking": road.near(0.25),
            "all look": road.near(0.5),
            "attention": road.near(1),
            "thinking": road.near(1.5),
            "block": road.near(2),
            "second block": road.near(min(4, max(2, end - 1))),
            "last block": road.near(end),
            "horizon": road.near(end, pitch=HORIZON, beyond=1.0),
            "the last": road.near(end, others=LEFT_OUT, arcs=1.0),
            "reading": read,
            "designed": replace(whole, arcs=0.0, lit=0.0),
            "learned": whole,
            "columns again": replace(whole, lit=0.0),
            "all lit": replace(whole, lit=float(end)),
        }
        lit = float(end + 1)  # from there on, what dims does so from its far end on
        road.stops = [replace(stop, lit=min(stop.lit, lit)) for stop in self.stops.values()]
        road.go(0)

    def _make_numbers(self) -> None:
        """Make the entries of some columns as numerals, and how many there are."""
        road, stop = self.road, self.stops["numbers"]
        tokens = range(max(0, len(self.tokens) - READ), len(self.tokens))
        stream = self.tensor("resid_pre")[0]
        values = [stream[token].values[:ENTRIES] for token in tokens]
        room = road.wide * stop.scale, CELL * stop.scale
        form = number_format([each for column in values for each in column], room)
        self.numbers = []
        for token, column in zip(tokens, values, strict=True):
            for entry, value in enumerate(column):
                number = Number(value, form.decimals, form.size)
                number.move_to(road.place(road.entry(token, entry, 0), stop))
                number.set_color(road.ink(token, entry))
                self.numbers.append(number)
        box = Rectangle(width=room[0], height=ENTRIES * room[1])
        ends = [road.place(road.entry(-1, entry, 0), stop) for entry in (0, ENTRIES - 1)]
        box.move_to((ends[0] + ends[1]) / 2)
        self.brace = Brace(box, RIGHT, buff=GAP)
        width = count(self.vectors.shape[-1], "entries of a column")
        self.width = _sign(Words("{} numbers", width, size=SPOKEN_SIZE))
        self.width.next_to(self.brace.point, RIGHT, buff=HAIR)
        if self.stage.is_narrow:
            self.brace = Brace(box, UP, buff=GAP)
            self.width.next_to(self.brace.point, UP, buff=HAIR)
        self.stage.hold(self.width)

    def _make_labels(self) -> None:
        """Make the names of steps, the shape that rides along, and what people made."""
        road, stage, stop = self.road, self.stage, self.stops["attention"]
        corner = (stage.left, stage.top, 0)
        self.attention = _sign(Words("attention", size=HEADING_SIZE, role=VALUE), BACKGROUND)
        self.mlp = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        self.counter = Counter(self.blocks)
        for label in (self.attention, self.mlp, self.counter):
            label.move_to(corner, LEFT + UP)
        self.gpt_3 = Words("{} blocks {}", GPT_3, "in GPT-3", size=HEADING_SIZE)
        self.gpt_3.next_to(self.counter, DOWN, buff=GAP, aligned_edge=LEFT)
        sides = (
            count(len(self.tokens), "tokens"),
            count(self.vectors.shape[-1], "entries of a column"),
        )
        self.shape = _sign(Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=TITLE_SIZE))
        edge = road.top(-1, 1) + (road.wide / 2, 0, -road.tall / 2)
        self.shape.next_to(road.place(edge, stop), RIGHT, buff=GAP)
        stage.hold(self.shape)
        if stage.is_narrow:
            self.shape.move_to((stage.right, stage.top, 0), RIGHT + UP)
        told = ("designed", "the road", INK), ("learned", "what it carries", VALUE)
        self.designed, self.learned = (_told(*each) for each in told)
        across, edge = (RIGHT, UP) if stage.is_narrow else (DOWN, LEFT)
        both = VGroup(self.designed, self.learned).arrange(across, buff=2 * GAP, aligned_edge=edge)
        both.move_to((stage.left, stage.top, 0), LEFT + UP)

    def _make_guesses(self) -> None:
        """Make the likeliest words, and the one that comes out at the road's end."""
        stage, road = self.stage, self.road
        chance = self.bets[0][1]
        chip = Chip(self.bets[0][0], TITLE_SIZE, widest=stage.width / 2)
        top = road.place(road.top(-1, road.last), self.stops["learned"])
        chip.next_to(top, UP, buff=2 * GAP)
        self.joined = Line(top, chip.get_bottom(), color=theme.color(ACCENT))
        self.joined.set_stroke(width=2 * BOLD_LINE)
        self.says = VGroup(chip, percentage(chance, SPOKEN_SIZE).next_to(chip, RIGHT, buff=GAP))
        stage.hold(self.says)
        if stage.is_narrow:
            room = replace(stage, bottom=stage.center[1])
        else:
            room = replace(stage, left=stage.left + BARS * stage.width)
        size = text_size([piece for piece, _ in self.bets], 0.4 * room.width, TITLE_SIZE)
        names = [TokenText(piece, size) for piece, _ in self.bets]
        widest = max(name.width for name in names)
        told = GAP + max(percentage(value, SPOKEN_SIZE).width for _, value in self.bets)
        high = EACH * room.height
        self.gauges = []
        for place, (name, (_, value)) in enumerate(zip(names, self.bets, strict=True)):
            y = room.center[1] + ((len(names) - 1) / 2 - place) * high
            track = Region(room.left + widest + GAP, room.right - told, y - 0.2, y + 0.2)
            self.gauges.append(Gauge(name, value, track, SPOKEN_SIZE))


class Counter(VGroup):
    """Which block the columns are in: the word and its number."""

    def __init__(self, blocks: int) -> None:
        self.blocks = [
            count(at + 1, "blocks that the columns have come to") for at in range(blocks)
        ]
        word = Words("block", size=HEADING_SIZE)
        self.number = Number(self.blocks[0], 0, HEADING_SIZE, anchor=LEFT)
        super().__init__(word, self.number.next_to(word, RIGHT, buff=GAP))

    def come_to(self, walk: float) -> None:
        """Count the block that columns enter as they go on from step `walk`."""
        self.number.put(self.blocks[max(0, int(np.ceil(walk / 2)) - 1)])


def _told(word: str, what: str, role: theme.Role) -> VGroup:
    """Return a large word, and under it what it is said of."""
    words = Words(word, size=HEADING_SIZE, role=role), Words(what, size=SPOKEN_SIZE, role=role)
    return VGroup(*words).arrange(DOWN, buff=HAIR, aligned_edge=LEFT)


def _sign(words: Words | VGroup, role: theme.Role = PANEL) -> VGroup:
    """Return words on a plate, which nothing behind them crosses."""
    size = words.width + GAP, words.height + GAP
    plate = RoundedRectangle(CORNER, width=size[0], height=size[1], stroke_width=0)
    plate.set_fill(theme.color(role), 1).move_to(words)
    return VGroup(plate, words)
