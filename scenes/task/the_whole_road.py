"""The whole road: from a sentence to its next word, in one walk through all blocks of a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import Rectangle, RoundedRectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import percentage
from scenes.mobjects.corridor import CELL, ENTRIES, Corridor
from scenes.mobjects.fit import number_format, text_size
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.marks import Brace
from scenes.mobjects.text import Number, TokenText, Words, called
from scenes.mobjects.tokens import Chip
from scenes.provenance import constant, count
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    CORNER,
    GAP,
    HAIR,
    HEADING_SIZE,
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
    Count,
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
HIGH = 0.74, 0.6  # of the stage's height, columns that are read; in a narrow frame
ASIDE = 0.15  # of a lane, by which these stand off the middle
LEFT_OUT = 0.2  # the presence of columns that are not read
AHEAD = 0.9  # scene units above the road's end, for the word that comes out
GPT_3 = constant(96, "layers of GPT-3 (Brown et al. 2020, table 2.1)")
HERE, BARS = 0.14, 0.34  # of the stage, where the last column is read, and its bars begin
EACH = 0.13  # of their room's height, a bar with its word


class TheWholeRoad(Film):
    """A sentence becomes columns of numbers; they look sideways, think alone, block by block."""

    title = "The whole road"
    prompt = "a fluffy blue creature roamed the verdant"
    seconds = 83
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
            "chance": percentage(chance).text.replace("%", " percent"),
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
        lines = Flow(map(Draw, road.dark), QUICK), Flow(Draw(block.ground) for block in road.blocks)
        yield Flow(map(Appear, road.chips), QUICK), Then(Hold(), Together(*lines))
        wave = Flow((Pulse(block.ground, scale=1.06) for block in road.blocks), SLOW)
        yield Then(wave, Appear(self.says), Pulse(self.says))
        yield self.walk_to("words"), Disappear(self.says)

    @beat(
        "A model can't compute with words. | So each token is swapped for a column of numbers: "
        "| {width} of them. | One column for each token: that's all that travels."
    )
    def columns(self) -> Shown:
        yield Flow(map(Pulse, self.road.chips), STEADY)
        yield Then(self.walk_to("numbers"), Flow(map(Appear, self.numbers), STEADY))
        yield Draw(self.brace), Appear(self.width)
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
        yield self.walk_to("attention")
        yield Flow((Pulse(arc, scale=1.06) for arc in road.arcs[0] or road.row), SLOW)

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
        around = Pulse(road.blocks[0].ground, *road.blocks[0].changes, scale=1.05)
        yield Then(Disappear(self.mlp), Together(Appear(*self.counter), around))

    @beat(
        "Once isn't enough. | What comes out has the same shape, so another block can follow, "
        "| and another: {blocks} in this model. | GPT-3 has ninety-six.",
        many="Once isn't enough. | What comes out has the same shape, so another block can follow, "
        "| and another: {blocks} in this model, most of them passed at speed. "
        "| GPT-3 has ninety-six.",
        single="Once isn't much. | What comes out has the same shape, so another block could "
        "follow, | though this model has only one. | GPT-3 has ninety-six.",
    )
    def block_by_block(self) -> Shown:
        second, last = (
            count(number, "blocks that the columns have come to")
            for number in (min(2, self.blocks), self.blocks)
        )
        yield Pulse(self.shape, run_time=STEADY)
        on = [self.walk_to(name) for name in ("second block", "last block")]
        if self.blocks == 1:
            on = [Flow(map(Pulse, self.road.row), STEADY) for _ in on]
        yield on[0], Count(self.counter[1], second, QUICK)
        yield on[1], Count(self.counter[1], last, STEADY)
        yield Appear(self.gpt_3)

    @beat(
        "At the end, only the last column is read. | The others were there to be looked at. "
        "| It gives every word a chance: | {guess}, {chance}.",
        alone="At the end, the last column is read. | Here, it's the only one. "
        "| It gives every word a chance: | {guess}, {chance}.",
    )
    def the_last_column(self) -> Shown:
        road = self.road
        yield self.walk_to("the last"), Disappear(*self.counter, self.gpt_3, self.shape)
        yield Then(Flow(map(Pulse, road.row[:-1]), STEADY), Pulse(road.row[-1]))
        yield Then(self.walk_to("reading"), Flow(map(self._come, self.gauges), STEADY))
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
        yield Pulse(self.learned, run_time=STEADY)

    @beat(
        "So that's how a sentence becomes a word: | columns look sideways, then think alone, "
        "block by block, | and the last one says {guess}.",
        side_by_side="So that's how a sentence becomes a word: | columns look sideways and think "
        "alone, block by block, | and the last one says {guess}.",
    )
    def the_answer(self) -> Shown:
        yield Disappear(self.designed, self.learned), self.walk_to("columns again")
        yield self.walk_to("all lit", SLOW)
        yield Pulse(self.says, run_time=STEADY)

    def cast(self) -> None:
        """Make the road, what is read of it, and what the last column turns into."""
        embeddings, patterns = (self.tensor(name).double for name in ("embed", "pattern"))
        changes = np.linalg.norm(self.tensor("mlp_out").double, axis=2)
        self.road = Corridor(
            self.tokens, embeddings, patterns, changes, self.vectors, stage=self.stage
        )
        self._set_stops()
        self._make_numbers()
        self._make_labels()
        self._make_guesses()
        self.stand(self.road, self.says, *self.numbers, self.brace, self.width, self.shape)
        self.stand(self.attention, self.mlp, *self.counter, self.gpt_3)
        self.stand(self.designed, self.learned, *self.gauges)

    # What only this film shows

    def small_print(self) -> Words:
        """Say how many blocks the model has."""
        blocks = count(self.blocks, "blocks of the model")
        return Words("{} blocks", blocks, size=PLAIN_SIZE, role=QUIET)

    def walk_to(self, name: str, run_time: float = SLOW) -> Verb:
        """Go on to the road's next stop; its name says which."""
        place = [*self.stops].index(name)
        return Vary(self.road.go, place - 1, place, run_time)

    def _come(self, gauge: Gauge) -> Verb:
        """Return how a word that may come next comes out of the last column."""
        return Together(ComeFrom(gauge.word, self.road.row[-1], fit=False), Appear(gauge.track))

    def _set_stops(self) -> None:
        """Set where one looks from, one stop after another."""
        road, stage, end = self.road, self.stage, self.road.last
        top = (self.under_title.top if stage.is_narrow else stage.top) - AHEAD
        chip, first = road.chips[0], max(0, len(self.tokens) - READ)
        zoom = max(NEARER, CLOSEST / (road.wide))
        share = HIGH[int(stage.is_narrow)]
        zoom = min(zoom, 2.2, share * stage.height / road.tall)
        level = stage.bottom + GAP + zoom * chip.height / 2
        middle = float(road.xs[first:].mean()) + ASIDE * road.lane
        words = road.near(0, x=middle, scale=zoom, y=chip.get_y(), level=level)
        read = road.near(end, others=LEFT_OUT, scale=zoom, y=road.steps[-1])
        at = 0.5 if stage.is_narrow else HERE
        foot = (stage.bottom if stage.is_narrow else stage.center[1] - zoom * road.tall / 2) + GAP
        read = replace(read, x=road.xs[-1] - (at - 0.5) * stage.width / zoom, level=foot)
        dark, whole = road.far(top, rise=0.0), road.far(top, end)
        self.stops = {
            "sentence": dark,
            "words": replace(words, rise=0.0),
            "numbers": words,
            "start": road.near(0),
            "looking": road.near(0.5),
            "attention": road.near(1),
            "thinking": road.near(1.5),
            "block": road.near(2),
            "second block": road.near(min(4, max(2, end - 1))),
            "last block": road.near(end),
            "the last": road.near(end, others=LEFT_OUT),
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
        heads = count(self.tensor("pattern").shape[1], "heads of a layer")
        corner = (stage.left, stage.top, 0)
        mean = Words("the mean of {} heads", heads, size=PLAIN_SIZE, role=QUIET)
        name = Words("attention", size=HEADING_SIZE, role=VALUE)
        both = VGroup(name, mean).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        self.attention = _sign(both, BACKGROUND)
        self.mlp = Words("MLP", size=HEADING_SIZE, role=OUTPUT)
        one = count(1, "blocks that the columns have come to")
        self.counter = (
            Words("block", size=HEADING_SIZE),
            Number(one, 0, HEADING_SIZE, anchor=LEFT),
        )
        both = VGroup(*self.counter).arrange(RIGHT, buff=GAP)
        for label in (self.attention, self.mlp, both):
            label.move_to(corner, LEFT + UP)
        self.gpt_3 = Words("{} blocks {}", GPT_3, "in GPT-3", size=SPOKEN_SIZE, role=QUIET)
        self.gpt_3.next_to(both, DOWN, buff=GAP, aligned_edge=LEFT)
        sides = (
            count(len(self.tokens), "tokens"),
            count(self.vectors.shape[-1], "entries of a column"),
        )
        self.shape = _sign(Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=TITLE_SIZE))
        edge = road.top(-1, 1) + (road.wide / 2, 0, -road.tall / 2)
        self.shape.next_to(road.place(edge, stop), RIGHT, buff=GAP)
        stage.hold(self.shape)
        self.designed = Words("designed: the road", size=SPOKEN_SIZE)
        self.learned = Words("learned: what it carries", size=SPOKEN_SIZE, role=VALUE)
        both = VGroup(self.designed, self.learned).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        both.move_to((stage.left, stage.top, 0), LEFT + UP)

    def _make_guesses(self) -> None:
        """Make the likeliest words, and the one that comes out at the road's end."""
        stage, road = self.stage, self.road
        chance = self.bets[0][1]
        chip = Chip(self.bets[0][0], TITLE_SIZE, widest=stage.width / 2)
        chip.next_to(road.place(road.top(-1, road.last), self.stops["learned"]), UP, buff=HAIR)
        self.says = VGroup(chip, percentage(chance, SPOKEN_SIZE).next_to(chip, RIGHT, buff=GAP))
        stage.hold(self.says)
        if stage.is_narrow:
            room = replace(stage, bottom=stage.center[1])
        else:
            room = replace(stage, left=stage.left + BARS * stage.width)
        size = text_size([piece for piece, _ in self.bets], 0.4 * room.width, TITLE_SIZE)
        names = [TokenText(piece, size) for piece, _ in self.bets]
        widest = max(name.width for name in names)
        high = EACH * room.height
        self.gauges = []
        for place, (name, (_, value)) in enumerate(zip(names, self.bets, strict=True)):
            y = room.center[1] + ((len(names) - 1) / 2 - place) * high
            track = Region(room.left + widest + GAP, room.right - 1.5, y - 0.2, y + 0.2)
            self.gauges.append(Gauge(name, value, track, SPOKEN_SIZE))


def _sign(words: Words | VGroup, role: theme.Role = PANEL) -> VGroup:
    """Return words on a plate, which nothing behind them crosses."""
    size = words.width + GAP, words.height + GAP
    plate = RoundedRectangle(CORNER, width=size[0], height=size[1], stroke_width=0)
    plate.set_fill(theme.color(role), 1).move_to(words)
    return VGroup(plate, words)
