"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from manim import Line, VGroup
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.analysis.selection import most_alike
from scenes.camera import WHOLE, View
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import Gauge, percentage
from scenes.mobjects.text import TokenText, Words, called
from scenes.mobjects.tokens import Chip
from scenes.mobjects.tower import Tower
from scenes.provenance import Array, Value, count, length, subtracted
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    OUTPUT,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    Pulse,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
)

ALIKE = 40  # tokens that are looked at, for one that may take a word's place
PANEL_SHARE = 0.4  # of the stage, for what each block would guess
LABELS = 1.7  # scene units beside the columns, for what the parts of a block are called
ROW = 1.1  # scene units, room for what a block guesses of both texts


class BuildABlock(Film):
    """Attention is the only step sideways, the MLP works upward, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 75
    poster_beat = "two-guesses"
    needs = (TWO_TOKENS,)

    def observe(self) -> None:
        """Take what each column holds, how much it changes, and what each block would guess."""
        self.stream, swapped = self.tensor("stream"), self.tensor("swapped.stream")
        self.changes = [
            [length(subtracted(b, a)) / length(a) for a, b in zip(*rows, strict=True)]
            for rows in zip(self.stream, swapped, strict=True)
        ]
        self.layers = len(self.stream) // 2
        self.guesses = [self._guesses(name) for name in ("early.probs", "swapped.probs")]
        self.pattern = self.tensor("pattern").array.mean(axis=1)
        self.new = self.vocabulary([self.new_id])[self.new_id]

    def words(self) -> Mapping[str, str]:
        """Name both words, the last one, how much it changes, and what is guessed of both texts."""
        (one, chance), (other, new_chance) = (guesses[-1] for guesses in self.guesses)
        near, far = self.changes[2][-1], self.changes[-1][-1]
        return {
            "old": self.name_of(self.place),
            "new": called(self.new),
            "last": self.name_of(-1),
            "tokens": str(len(self.tokens)),
            "width": str(self.stream.shape[-1]),
            "blocks": str(self.layers),
            "near": percentage(near).text.replace("%", " percent"),
            "far": percentage(far).text.replace("%", " percent"),
            "guess": called(one),
            "chance": percentage(chance).text.replace("%", " percent"),
            "other": called(other),
            "new_chance": percentage(new_chance).text.replace("%", " percent"),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the last guess stays, and whether it came before the last block."""
        (one, _), (other, _) = (guesses[-1] for guesses in self.guesses)
        chances = self.tensor("early.probs").array[:, self.guess_id]
        return {
            **super().circumstances(),
            "same": one == other,
            "wavering": bool((np.diff(chances) < -WAVE).any()),
        }

    @beat(
        "Swap one word here, {old} for {new}. | How does {last}, the last one, ever find out? "
        "| Nothing leads from column to column."
    )
    def one_word_changes(self) -> Shown:
        tower, place = self.tower, self.place
        pairs = zip(tower.chips, tower.nodes[0], strict=True)
        come = Flow((Appear(*pair) for pair in pairs), QUICK)
        swap = TurnInto(tower.chips[place], self.chip), Appear(*tower.glows(0))
        yield Then(come, Together(*swap))
        yield Then(Pulse(tower.chips[-1]), Pulse(tower.nodes[0][-1]))
        yield Flow(map(Draw, tower.streams), STEADY)

    @beat(
        "So build a way. First, attention: | each column takes from those to its left, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        tower, place = self.tower, self.place
        yield Appear(tower.grounds[0], self.labels[0]), Pulse(self.chip)
        yield Flow((Draw(line) for line in tower.lines[0]), SLOW)
        yield Flow((Appear(node) for node in tower.nodes[1]), QUICK)
        yield Flow(map(Draw, tower.lit[0]), STEADY), Then(Hold(), self._glow(1))
        left = [*tower.nodes[1][:place], *tower.chips[:place]]
        yield Flow((Pulse(each) for each in left), STEADY)

    @beat(
        "Then an MLP: | each column by itself, which adds again. | The change goes straight up, "
        "to nobody new. | Both steps read a tidied copy of the column. That's a block."
    )
    def straight_up(self) -> Shown:
        tower = self.tower
        yield Appear(self.labels[1]), Flow(map(Appear, tower.boxes[0]), QUICK)
        yield Flow((Appear(node) for node in tower.nodes[2]), QUICK)
        yield Flow(map(Pulse, tower.boxes[0])), Then(Hold(), self._glow(2))
        yield Pulse(self.labels[0]), Then(Hold(), Pulse(self.labels[1], tower.grounds[0]))

    @beat(
        "What comes out has the shape of what went in: | {tokens} columns of {width} numbers. "
        "| So a copy can stand on it, and another: {blocks} blocks in all."
    )
    def copies(self) -> Shown:
        tower = self.tower
        yield Flow(map(Pulse, tower.nodes[0])), Then(Hold(STEADY), Flow(map(Pulse, tower.nodes[2])))
        yield Appear(self.shape), Pulse(self.shape)
        copied = [
            Flow((ComeFrom(*pair) for pair in self._copies(layer)), QUICK)
            for layer in range(1, self.layers)
        ]
        nodes = [Appear(*row) for row in tower.nodes[3:]]
        out = Together(self.pull_back(STEADY), Disappear(*self.labels, self.shape))
        yield out, Then(Hold(STEADY), Together(Flow(copied, SLOW), Flow(nodes, SLOW)))

    @beat(
        "With each block, more of it goes sideways. | The first changes {last} by {near}; "
        "| by the last, it's {far}."
    )
    def watch_it_spread(self) -> Shown:
        steps = [self._glow(step) for step in range(3, 2 * self.layers + 1)]
        yield Flow(steps[: len(steps) // 2], SLOW), self._lit(range(1, self.layers))
        yield Pulse(self.near), Appear(self.near)
        yield Then(Flow(steps[len(steps) // 2 :], SLOW), Appear(self.far))

    @beat(
        "What would each block guess, if the model stopped there? | Read the last column early, "
        "block by block: | it gets surer, up to {guess}, {chance}.",
        wavering="What would each block guess, if the model stopped there? | Read the last column "
        "early, block by block: | it wavers, and ends on {guess}, {chance}.",
    )
    def guess_early(self) -> Shown:
        yield Disappear(self.near, self.far), Flow(map(Draw, self.readings), STEADY)
        yield Flow((self._tell(gauge) for gauge in self.panel[0]), SLOW)
        yield Pulse(self.panel[0][-1].word, self.panel[0][-1].number, run_time=STEADY)

    @beat(
        "And with {new} instead? | {other}, {new_chance}. | So that's how {last} finds out: "
        "| sideways, in attention; upward, in MLPs; | and block by block.",
        same="And with {new} instead? | Still {other}, now at {new_chance}. | So that's how {last} "
        "finds out: | sideways, in attention; upward, in MLPs; | and block by block.",
    )
    def two_guesses(self) -> Shown:
        tower = self.tower
        yield Pulse(self.chip), Flow((self._tell(gauge) for gauge in self.panel[1]), SLOW)
        yield Pulse(self.panel[1][-1].word, self.panel[1][-1].number, run_time=STEADY)
        yield Pulse(tower.chips[-1], run_time=STEADY), Pulse(self.chip, run_time=STEADY)
        lit = (Pulse(line) for lines in tower.lit for line in lines)
        yield Flow(lit), Flow(Pulse(*row) for row in tower.boxes)
        yield Flow((Pulse(*tower.glows(step)) for step in range(2 * self.layers + 1)), SLOW)
