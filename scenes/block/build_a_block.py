"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from manim import Line, VGroup, VMobject
from manim.constants import LEFT, RIGHT

from scenes import theme
from scenes.analysis.selection import alike
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import percentage
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.text import TokenText, Words, called
from scenes.mobjects.tokens import Chip
from scenes.mobjects.tower import Tower
from scenes.provenance import Array, Value, count, length, subtracted
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    OUTPUT,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
    THIN_LINE,
    TITLE_SIZE,
    VALUE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Fade,
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
PANEL_SHARE, PANEL_HIGH = 0.38, 0.34  # of the stage, for what each block would guess
LABELS = 1.7  # scene units beside the columns, for what the parts of a block are called
SIDE = 1.2  # scene units on their other side, for how much the last one changes
WORD, PERCENT, BAR = 1.9, 1.2, 0.14  # scene units, of a guess; half a bar's height
WAVE = 0.02  # a fall of a chance that counts
NORM = 0.08  # of a block's height, from where a step begins to its norm
BEHIND = 0.3  # the presence of attention while one column is read
ROW = 1.1  # scene units, room for what a block guesses of both texts


class BuildABlock(Film):
    """Attention is the only step sideways, the MLP works upward, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 76
    poster_beat = "two-guesses"
    needs = (TWO_TOKENS,)
    reads_after_attention = True

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
        "Swap one word here, {old} for {new}. | How does the last word ever find out? "
        "| Nothing leads from column to column."
    )
    def one_word_changes(self) -> Shown:
        first, place = self.first, self.place
        pairs = zip(first.chips, first.nodes[0], strict=True)
        come = Flow((Appear(*pair) for pair in pairs), QUICK)
        swap = TurnInto(first.chips[place], self.chip), Appear(*first.glows(0))
        yield Then(come, Together(*swap))
        yield Pulse(first.chips[-1], run_time=STEADY), Draw(first.streams[-1]), Appear(self.mark)
        yield Flow(map(Draw, first.streams[:-1]), STEADY)

    @beat(
        "So build a way. First, attention: | each column takes from those to its left, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        first, place = self.first, self.place
        attention, *_ = self.labels
        yield Disappear(self.mark), Appear(attention), Appear(first.grounds[0])
        yield Flow((Draw(line) for line in first.lines[0]), SLOW)
        yield Flow(map(ComeFrom, first.nodes[1], first.nodes[0]), STEADY), Appear(self.pluses[0])
        yield Flow(map(Draw, first.lit[0]), STEADY), Then(Hold(), Flow(map(Appear, first.glows(1))))
        left = [*first.nodes[1][:place], *first.chips[:place]]
        yield Flow((Pulse(each) for each in left or first.chips[:1]), STEADY)

    @beat(
        "Then an MLP: | each column by itself, which adds again. | The change goes straight up, "
        "to nobody new. | Both steps read a tidied copy of the column. That's a block."
    )
    def straight_up(self) -> Shown:
        first = self.first
        yield Appear(self.labels[1]), Flow(map(Appear, first.boxes[0]), QUICK)
        yield Flow(map(ComeFrom, first.nodes[2], first.nodes[1]), STEADY), Appear(self.pluses[1])
        yield Flow(map(Pulse, first.boxes[0])), Then(Hold(), Flow(map(Appear, first.glows(2))))
        tidied = Flow((Appear(norm, run_time=STEADY) for norm in self.norms), STEADY)
        yield Then(tidied, Pulse(first.grounds[0], scale=1.02, run_time=STEADY))

    @beat(
        "What comes out has the shape of what went in: | {tokens} columns of {width} numbers. "
        "| So a copy can stand on it, and another: {blocks} blocks in all."
    )
    def copies(self) -> Shown:
        first, tower = self.first, self.tower
        rows = [Flow(map(Pulse, first.nodes[step]), QUICK) for step in (0, 2)]
        yield Then(*rows)
        yield Appear(self.shape), Pulse(*first.nodes[2], run_time=STEADY)
        word = TurnInto(self.chip, self.small_chip)
        named = *self.labels, *self.pluses, *self.norms, self.shape
        before_it = self.zoom_into(VGroup(tower, self.near, self.far), 1.0, STEADY)
        small = Together(Disappear(*named), first.becomes(tower, self.place), word, before_it)
        yield Then(small, *(self._copy(layer) for layer in range(1, self.layers)))

    @beat(
        "With each block, more of it goes sideways. | The first changes the last column by {near}; "
        "| by the last block, it's {far}."
    )
    def watch_it_spread(self) -> Shown:
        steps = [self._glow(step) for step in range(3, 2 * self.layers + 1)]
        yield Flow(steps[: len(steps) // 2], SLOW), self._lit(range(1, self.layers))
        yield Then(Appear(self.near), Pulse(self.near, self.tower.nodes[2][-1], run_time=STEADY))
        yield Then(Flow(steps[len(steps) // 2 :], SLOW), Appear(self.far))

    @beat(
        "What would each block guess, if the model stopped there? | Read the last column early, "
        "block by block: | it gets surer, up to {guess}, {chance}.",
        wavering="What would each block guess, if the model stopped there? | Read the last column "
        "early, block by block: | it wavers, and ends on {guess}, {chance}.",
    )
    def guess_early(self) -> Shown:
        tower, marks = self.tower, self.marks
        old, read = tower.chips[self.place], tower.column(len(self.tokens) - 1)
        lines = [line for lines in tower.lines for line in lines]
        rest = (part for part in tower if part not in (*read, *marks, *lines, old))
        gone = Disappear(self.near, self.far, *marks), Dim(*rest), Fade(*lines, to=BEHIND)
        back = TurnInto(self.small_chip, old), self.pull_back(STEADY)
        yield *gone, *back, Then(Hold(STEADY), Flow(map(Draw, self.readings), SLOW))
        yield Flow((self._tell(gauge) for gauge in self.panel[0]), SLOW), Appear(self.legend[0])
        yield Pulse(self.panel[0][-1].word, self.panel[0][-1].number, run_time=STEADY)

    @beat(
        "And with {new} instead? | {other}, {new_chance}. | So that's how the last word finds out: "
        "| sideways in attention, | upward in an MLP, | block by block.",
        same="And with {new} instead? | Still {other}, now at {new_chance}. | So that's how the "
        "last word finds out: | sideways in attention, | upward in an MLP, | block by block.",
    )
    def two_guesses(self) -> Shown:
        tower = self.tower
        told = Flow((self._tell(gauge) for gauge in self.panel[1]), SLOW)
        swap = TurnInto(tower.chips[self.place], self.small_chip)
        yield swap, told, Appear(self.legend[1]), Appear(*tower.glows(0))
        yield Pulse(self.panel[1][-1].word, self.panel[1][-1].number, run_time=STEADY)
        yield Flow((Undim(*tower.column(i)) for i in range(len(self.tokens))), STEADY)
        yield Flow((self._spread(layer) for layer in range(self.layers)), STEADY)
        yield Flow(map(self._rise, range(self.layers)), STEADY)
        others = (chip for chip in tower.chips if chip is not tower.chips[self.place])
        yield Flow((Undim(ground) for ground in tower.grounds), STEADY), Undim(*others)

    def cast(self) -> None:
        """Make the tower, the other word, and what each block guesses of both texts."""
        stage = self.stage
        whole, panel = self._parts(stage)
        changes = np.array([[float(change) for change in row] for row in self.changes])
        streams, most = self.stream.array, float(changes.max())
        self.tower = tower = Tower(self.tokens, streams, self.pattern, changes, whole, largest=most)
        room = replace(stage, left=stage.left + LABELS)
        start = streams[:3], self.pattern[:1], changes[:3]
        self.first = Tower(self.tokens, *start, room, largest=most)
        self.chip, self.small_chip = (self._other(each) for each in (self.first, tower))
        self._make_labels()
        self.panel = [self._gauges(guesses, panel) for guesses in self.guesses]
        for gauge in self.panel[1]:
            gauge.word.set_role(ACCENT)
            gauge.bar.set_fill(theme.color(ACCENT))
        self.readings = (
            []
            if stage.is_narrow
            else [
                _reading(tower, gauge, layer)
                for gauge, layer in zip(self.panel[0], self.told, strict=True)
            ]
        )
        self._make_legend(panel)
        gauges = [gauge for gauges in self.panel for gauge in gauges]
        self.stand(
            self.first, self.chip, tower, self.small_chip, *self.labels, self.mark, self.shape
        )
        self.stand(*self.pluses, *self.norms, *self.legend)
        self.stand(self.near, self.far, *self.readings, *gauges)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Swap one word for the one most like it, where that changes the guess most."""
        ids, tensors = self.trace.ids, self.trace.tensors()
        found = []
        for place in range(max(1, len(ids) - 1)):
            new = self._stand_in(tensors["weights.W_E"], ids[place])
            swapped = (*ids[:place], new, *ids[place + 1 :])
            after = self.sites_of(swapped)["probs"][-1]
            found.append((float(np.abs(after - tensors["probs"][-1]).sum()), place, swapped))
        _, self.place, swapped = max(found)
        self.new_id, self.guess_id = swapped[self.place], int(tensors["probs"][-1].argmax())
        streams = {"stream": ids, "swapped.stream": swapped}
        guesses = {"early.probs": ids, "swapped.probs": swapped}
        last = len(ids) - 1
        return {
            **{name: self.residual_steps(each) for name, each in streams.items()},
            **{name: self.guesses_by_step(each, last)[2::2] for name, each in guesses.items()},
        }

    def _stand_in(self, table: Array, token: int) -> int:
        """Return the word most like a token's, or the most alike token if none is a word."""
        near = alike(table, token, ALIKE)
        pieces = self.vocabulary([token, *near])
        own = pieces.get(token, "")
        words = (
            each
            for each in near
            if (piece := pieces.get(each, "")).strip().isalpha()
            and piece.strip().casefold() != own.strip().casefold()
            and piece.startswith(" ") == own.startswith(" ")
        )
        return next(words, next((each for each in near if each in pieces), near[0]))

    def _guesses(self, name: str) -> list[tuple[str, Value]]:
        """Return the likeliest token after each block, and its chance."""
        chances = self.tensor(name)
        best = [int(row.argmax()) for row in chances.array]
        pieces = self.vocabulary(best)
        return [(pieces.get(i, "?"), chances[layer, i].value) for layer, i in enumerate(best)]

    def _parts(self, stage: Region) -> tuple[Region, Region]:
        """Return where the tower stands, and where guesses do: beside it, or above it."""
        if stage.is_narrow:
            panel, tower = stage.split(PANEL_HIGH)
            return replace(tower.apart(panel, GAP), right=tower.right - SIDE), panel
        return stage.columns(1 - PANEL_SHARE)

    def small_print(self) -> Words:
        """Say how many blocks the model has."""
        blocks = count(self.layers, "layers of the model")
        return Words("{} blocks", blocks, size=PLAIN_SIZE, role=QUIET)

    def _other(self, tower: Tower) -> Chip:
        """Return the chip of the other word, in the place of the one that it is swapped for."""
        chip, old = Chip(self.new, SPOKEN_SIZE), tower.chips[self.place]
        if tower.is_upright:
            chip.rotate(np.pi / 2)
        thick = 0 if tower.is_upright else 1
        sizes = (old.width / chip.width, old.height / chip.height)
        room = (1.9 / chip.height) if tower.is_upright else (tower.pitch - HAIR) / chip.width
        return chip.scale(min(sizes[thick], room)).move_to(old)

    def _make_labels(self) -> None:
        """Make the names of a block's parts, its shape, and how much the last column changes."""
        first, tower = self.first, self.tower
        floor, high = first.floors[0], first.high
        added, box, after = (
            row[0].get_y() for row in (first.nodes[1], first.boxes[0], first.nodes[2])
        )
        left = float(first.grounds[0].get_left()[0]) - HAIR

        def named(name: str, y: float, role: theme.Role) -> Words:
            return Words(name, size=SPOKEN_SIZE, role=role).move_to((left, y, 0), RIGHT)

        lower, upper = floor + NORM * high, (added + box) / 2
        self.labels = [named("attention", (lower + added) / 2, VALUE), named("MLP", box, OUTPUT)]
        self.norms = [named("norm", y, QUIET) for y in (lower, upper)]
        self.pluses = [named("+", y, INK) for y in (added, after)]
        self.mark = Words("?", size=HEADING_SIZE).move_to(first.nodes[2][-1])
        self.mark.shift(RIGHT * (self.mark.width / 2 + GAP))
        self.stage.hold(self.mark)
        sides = count(len(self.tokens), "tokens"), count(self.stream.shape[-1], "entries")
        told = "{} columns \N{MULTIPLICATION SIGN} {} numbers"
        self.shape = Words(told, *sides, size=SPOKEN_SIZE)
        top = max(float(chip.get_top()[1]) for chip in first.chips)
        middle = (float(first.glows(0)[0].get_bottom()[1]) + top) / 2
        self.shape.move_to((first.grounds[0].get_x(), middle, 0))
        right = float(tower.grounds[0].get_right()[0]) + HAIR
        self.near, self.far = (
            percentage(self.changes[step][-1], TITLE_SIZE)
            .set_role(ACCENT)
            .move_to((right, min(tower.nodes[step][-1].get_y(), self.stage.top - GAP), 0), LEFT)
            for step in (2, 2 * self.layers)
        )

    def _make_legend(self, panel: Region) -> None:
        """Make the words that say which guesses are of which text."""
        words = self.name_of(self.place), called(self.new)
        self.legend = [
            Words("with {}", word, size=SPOKEN_SIZE, role=role)
            for word, role in zip(words, (POSITIVE, ACCENT), strict=True)
        ]
        both = VGroup(*self.legend).arrange(RIGHT, buff=2 * GAP)
        panel.fit_width(both)
        y = panel.top - GAP if self.stage.is_narrow else self.tower.chips[0].get_y()
        both.move_to((panel.center[0], y, 0))

    def _gauges(self, guesses: Sequence[tuple[str, Value]], panel: Region) -> list[Gauge]:
        """Return what some blocks would guess, the last one on top, level with them if beside."""
        is_first = guesses is self.guesses[0]
        high, low = panel.top - GAP, float(self.tower.chips[0].get_top()[1]) + ROW
        most = int(panel.height / ROW) if self.stage.is_narrow else 1 + int((high - low) / ROW)
        self.told = sorted({round(x) for x in np.linspace(self.layers - 1, 0, most)})
        levels = [float(self.tower.nodes[2 * layer + 2][-1].get_y()) for layer in self.told]
        heights = np.interp(levels, [levels[0], levels[-1] + HAIR], [max(levels[0], low), high])
        made = []
        for rank, layer in enumerate(self.told):
            y = float(heights[rank])
            if self.stage.is_narrow:
                y = panel.bottom + (rank + 0.75) * (panel.height - ROW / 2) / len(self.told)
            y -= 0.0 if is_first else ROW / 2
            piece, chance = guesses[layer]
            word = TokenText(piece, SPOKEN_SIZE).shrink_to(WORD)
            track = Region(panel.left + WORD + 2 * GAP, panel.right - PERCENT, y - BAR, y + BAR)
            made.append(Gauge(word, chance, track, SPOKEN_SIZE))
        return made

    def _tell(self, gauge: Gauge) -> Verb:
        return Together(gauge.open(), gauge.tell())

    @property
    def marks(self) -> list[VMobject]:
        """What tells, on the tower, that the word has been swapped."""
        tower = self.tower
        glows = [glow for step in range(2 * self.layers + 1) for glow in tower.glows(step)]
        return [*glows, *(line for lines in tower.lit for line in lines)]

    def _spread(self, layer: int) -> Verb:
        """Return how the change goes sideways once more."""
        tower = self.tower
        lines = Undim(*tower.lines[layer]), Together(map(Draw, tower.lit[layer]))
        return Together(*lines, Then(Hold(), Appear(*tower.glows(2 * layer + 1))))

    def _rise(self, layer: int) -> Verb:
        """Return how the change goes upward once more."""
        tower = self.tower
        return Together(Undim(*tower.boxes[layer]), Appear(*tower.glows(2 * layer + 2)))

    def _glow(self, step: int) -> Verb:
        return Flow(map(Appear, self.tower.glows(step)), QUICK)

    def _lit(self, layers: range) -> Verb:
        return Flow((Draw(line) for layer in layers for line in self.tower.lit[layer]), SLOW)

    def _copy(self, layer: int) -> Verb:
        """Return how a block comes out of the one below it."""
        tower = self.tower
        new = [tower.grounds[layer], *tower.boxes[layer]]
        below = [tower.grounds[layer - 1], *tower.boxes[layer - 1]]
        nodes = Appear(*tower.nodes[2 * layer + 1], *tower.nodes[2 * layer + 2])
        lines = Together(map(Draw, tower.lines[layer]))
        return Then(Together(map(ComeFrom, new, below)), Together(nodes, lines))


def _reading(tower: Tower, gauge: Gauge, layer: int) -> Line:
    """Return the line from the last column after a block to where its guess is told."""
    start, y = float(tower.grounds[0].get_right()[0]), tower.nodes[2 * layer + 2][-1].get_y()
    end = gauge.word.get_left() + HAIR * LEFT
    return Line((start, y, 0), (float(end[0]), gauge.track.get_y(), 0)).set_stroke(
        theme.color(QUIET), THIN_LINE
    )
