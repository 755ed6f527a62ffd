"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from manim import SurroundingRectangle, VGroup, VMobject
from manim.constants import DL, DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.selection import alike, word_like
from scenes.camera import View
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import percentage, said_percentage
from scenes.mobjects.guesses import Gauge, Guesses
from scenes.mobjects.text import Words, called, em_of
from scenes.mobjects.tokens import Chip, cut_to
from scenes.mobjects.tower import ENTRIES, FAINT, Block, Tower, level
from scenes.mobjects.vector import Heat
from scenes.provenance import Array, Value, count, length, subtracted
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    NAMED_SIZE,
    OUTPUT,
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
    Dim,
    Disappear,
    Draw,
    Fade,
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
)

ALIKE = 40  # tokens that are looked at, for one that may take a word's place
PANEL_SHARE, NARROW_SHARE = 0.38, 0.5  # of the stage's width, for what is told of each block
UNDER_SHARE, NAMED = 0.36, 0.24  # of an upright stage's height; of its width, for blocks' names
LABELS = 1.85  # scene units beside the columns, for what the parts of a block are called
OVER = 0.62  # scene units over the last column, for what is asked and then answered
BAR, ROOM = 0.18, 1.15  # scene units: the height of a bar, and of all that tells a guess
LAID = 0.16, 0.42  # of the panel's width and height, two columns that are laid upon one another
GATHERED = 1.6  # seconds in which many blocks begin


class BuildABlock(Film):
    """Attention is the only step sideways, the MLP works upward, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 90
    poster_beat = "two-guesses"
    needs = (TWO_TOKENS,)
    reads_after_attention = True

    def observe(self) -> None:
        """Take what each column holds, how much it changes, and what each block would guess."""
        self.stream, self.swapped = self.tensor("stream"), self.tensor("swapped.stream")
        self.changes = [
            [length(subtracted(b, a)) / length(a) for a, b in zip(*rows, strict=True)]
            for rows in zip(self.stream, self.swapped, strict=True)
        ]
        self.layers = len(self.stream) // 2
        self.guesses = [self._guesses(name) for name in ("early.probs", "swapped.probs")]
        self.pattern = self.tensor("swapped.pattern").array.mean(axis=1)
        self.new = self.vocabulary([self.new_id])[self.new_id]
        unlike = [one != other for (one, _), (other, _) in zip(*self.guesses, strict=True)]
        self.turn = next((i for i, differ in enumerate(unlike) if i and differ), 1)

    def words(self) -> Mapping[str, str]:
        """Name both words, the last one, how much it changes, and what is guessed of both texts."""
        (one, chance), (other, new_chance) = (guesses[-1] for guesses in self.guesses)
        shares = {
            "near": self.changes[2][-1],
            "far": self.changes[-1][-1],
            "chance": chance,
            "new_chance": new_chance,
        }
        return {
            **{k: said_percentage(v) for k, v in shares.items()},
            "old": self.name_of(self.place),
            "new": called(self.new),
            "tokens": str(len(self.tokens)),
            "width": str(self.stream.shape[-1]),
            "blocks": str(self.layers),
            "early": called(self.guesses[0][0][0]),
            "guess": called(one),
            "other": called(other),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether the guesses are alike, part at once, or repeat a word that is given."""
        (early, _), *_, (one, _) = self.guesses[0]
        given = {token.strip().casefold() for token in self.tokens}
        return {
            **super().circumstances(),
            "same": one == self.guesses[1][-1][0],
            "no_turn": early != self.guesses[1][0][0] or one == self.guesses[1][-1][0],
            "settled": early == one,
            "repeating": early.strip().casefold() in given,
        }

    @beat(
        "After this text, a model expects {guess}. | Swap {old} for {new}, | and it's {other}. "
        "| How did the last word find out? | Nothing leads from column to column.",
        same="After this text, a model expects {guess}. | Swap {old} for {new}: | still {other}, "
        "but with {new_chance}. | How did the last word find out? "
        "| Nothing leads from column to column.",
    )
    def one_word_changes(self) -> Shown:
        first, place, last = self.first, self.place, self.first.chips[-1]
        nodes = [*first.nodes[0][:place], self.old, *first.nodes[0][place + 1 :]]
        come = Flow((Appear(*pair) for pair in zip(first.chips, nodes, strict=True)), QUICK)
        ways = Flow(map(Draw, first.streams), STEADY)
        yield Then(Together(come, ways), ComeFrom(self.expected[0], nodes[-1], fit=False))
        swap = _swap(first.chips[place], self.chip), TurnInto(self.old, first.nodes[0][place])
        yield Then(Together(swap), Appear(*first.glows(0)))
        yield Disappear(self.expected[0]), ComeFrom(self.expected[1], nodes[-1], fit=False)
        yield Then(Pulse(last, run_time=STEADY), Disappear(self.expected[1]), Appear(self.mark))
        yield Draw(self.alone)

    @beat(
        "So build a way. First, attention: | each column takes from those to its left, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        first, place = self.first, self.place
        own = zip(first.risen[0], first.nodes[0], first.nodes[1], strict=True)
        yield Appear(self.labels[0]), Draw(first.grounds[0])
        lines = Flow((Draw(line) for line in first.lines[0]), SLOW)
        yield Flow(map(Appear, first.pluses[0]), QUICK), lines
        yield Flow(
            (Then(ComeFrom(up, low), TurnInto(up, new, QUICK)) for up, low, new in own), STEADY
        )
        yield (
            Fade(*first.lines[0], to=FAINT),
            Flow(map(Draw, first.lit[0]), STEADY),
            Then(Hold(), Flow(map(Appear, first.glows(1)))),
        )
        left = [first.nodes[1][i] for i in range(place)] or first.chips[:1]
        yield Flow((Pulse(each) for each in left), STEADY)

    @beat(
        "Then an MLP: | each column by itself, which adds again. | The change goes straight up, "
        "to nobody new. | Both steps read a tidied copy of the column. That's a block."
    )
    def straight_up(self) -> Shown:
        first, *others = self.first, *range(len(self.tokens) - 1)
        yield Appear(self.labels[1]), Flow(map(Appear, first.boxes[0]), QUICK)
        yield first.pass_mlp(len(others))
        alike = Together(map(first.pass_mlp, others))
        yield Then(alike, Flow(map(Appear, first.glows(2)), QUICK))
        tidied = (Together(Appear(self.tidied[i]), first.copy_out(i)) for i in (0, 1))
        yield Then(*tidied, Pulse(first.grounds[0], scale=1.02, run_time=STEADY))

    @beat(
        "What comes out has the shape of what went in: | {tokens} columns of {width} numbers. "
        "| So a copy can stand on it, and another: {blocks} blocks in all."
    )
    def copies(self) -> Shown:
        first, tower = self.first, self.tower
        inside = *first.lines[0], *first.lit[0], *first.boxes[0], *first.ways[0], self.alone
        between = *first.nodes[1], *first.glows(1), *first.read[0], *first.read[1]
        faint = Fade(*inside, *between, *first.pluses[0], *first.pluses[1], to=FAINT)
        way = (first.heights[0] - first.heights[2]) * UP
        down = Shift(self.frame, by=way, run_time=SLOW)
        yield Disappear(*self.labels, *self.tidied), faint, Then(Appear(self.frame), down)
        yield Flow((Pulse(node) for node in first.nodes[0]), STEADY)
        gone = Disappear(self.frame, self.alone, *first.marks, run_time=QUICK / 2)
        small = first.becomes(tower, self.place), TurnInto(self.chip, self.small_chip)
        asked = MoveTo(self.mark, self.asked), self.travel_to(self.middle)
        copies = Flow(map(tower.build, range(1, self.layers)), GATHERED, gathering=True)
        yield Then(gone, Together(*small, *asked), copies)

    @beat(
        "Lay {new}'s column upon {old}'s: | the pink level is their difference, "
        "next to the column. | After one block, the last column has changed by {near}. "
        "| Each block sends more of it sideways, | and by the last one, it's {far}."
    )
    def watch_it_spread(self) -> Shown:
        tower, layers = self.tower, range(self.layers)
        carry = partial(self._carry_on, tell=self._measure)
        old, new, difference, told, share = self.laid
        meet = MoveTo(old, difference), MoveTo(new, difference), Disappear(*self.laid_names)
        seen = self.pull_back(STEADY), Appear(old, new, *self.laid_names)
        yield Then(Together(*seen), Hold(), Together(*meet))
        differ = TurnInto(new, difference), Disappear(old, run_time=HAIR), Hold()
        yield Then(*differ, TurnInto(difference, told), Appear(share))
        into = GoInto(told, tower.glows(0)[0]), Appear(*tower.glows(0))
        dimmed = Dim(*(node for row in tower.nodes for node in row))
        spread = Together(Appear(self.topic), carry(0))
        yield Disappear(share), dimmed, Then(Together(*into), spread)
        half = 1 + len(layers) // 2
        yield Flow(map(carry, layers[1:half]), GATHERED, gathering=True)
        yield Flow(map(carry, layers[half:]), GATHERED, gathering=True)

    @beat(
        "What would the model guess, if it stopped early? | Read the last column, block by block: "
        "| the first says {early}, | the last {guess}, {chance}.",
        settled="What would the model guess, if it stopped early? | Read the last column, block by "
        "block: | the first says {guess} already, | and the last too, {chance}.",
        repeating="What would the model guess, if it stopped early? | Read the last column, block "
        "by block: | at first, it only repeats {early}; | by the last, it says {guess}, {chance}.",
    )
    def guess_early(self) -> Shown:
        tower, last = self.tower, self.said[-1]
        place, read = self.place, [row[-1] for row in tower.before]
        columns = [node for row in tower.before for node in row[place:]]
        gone = [node for row in tower.nodes for node in row[place:]]
        kept = *read, tower.chips[place], tower.chips[-1], tower.streams[-1]
        others = *columns, *tower.chips, *tower.streams, *tower.grounds
        lines = [line for lines in tower.lines for line in lines]
        yield (
            Disappear(self.topic, *tower.marks, *self.measures, *lines, *gone),
            Appear(*columns, scale=1.0),
            _swap(self.small_chip, tower.chips[place]),
            Then(Hold(QUICK), Dim(*(part for part in others if part not in kept))),
            Then(Hold(), Pulse(self.mark, run_time=STEADY, scale=1.4)),
        )
        climb = Flow((Pulse(node) for node in read), STEADY)
        yield Then(Appear(self.reader, self.legend[0]), climb)
        half = (len(self.told) + 1) // 2
        yield Together(self._read(slice(half)))
        yield Then(Together(self._read(slice(half, None))), Pulse(last.word, last.number))

    @beat(
        "And with {new} instead? | At first, it guesses the same. | Then, no more: {other}. "
        "| That's how it finds out: | sideways in attention, | upward in an MLP, | block by block.",
        no_turn="And with {new} instead? | Read again, up the last column, block by block: "
        "| {other}, {new_chance}. | That's how it finds out: | sideways in attention, "
        "| upward in an MLP, | block by block.",
    )
    def two_guesses(self) -> Shown:
        tower, last = self.tower, self.answers[-1]
        spent = *self.said[:-1], *self.answers[:-1], *self.names[:-1]
        steps = [row for step in range(self.layers + 1) if (row := tower.glows(step))]
        swap = _swap(tower.chips[self.place], self.small_chip), Appear(self.legend[1])
        seen = Undim(*tower.streams, *tower.grounds, *tower.chips), Appear(*steps[0])
        yield *swap, *seen, Disappear(self.reader)
        carry = partial(self._carry_on, tell=self._answer)
        yield Flow(map(carry, range(self.turn)))
        yield Flow(map(carry, range(self.turn, self.layers)))
        yield Pulse(last.word, last.number), Dim(*spent)
        yield Flow((Draw(line) for lines in tower.lit for line in lines), STEADY)
        ups = zip(tower.ways, tower.boxes, strict=True)
        yield Flow(Then(Draw(way[-1], run_time=QUICK), Appear(box[-1])) for way, box in ups)
        yield Then(Flow((Pulse(*row, scale=1.3) for row in steps), STEADY), Hold(STEADY))

    def cast(self) -> None:
        """Make the block, the tower, the other word, and what each block guesses."""
        stage = self.stage
        self.below = stage.height > stage.width  # whether guesses stand under the tower
        share = NARROW_SHARE if stage.is_narrow else PANEL_SHARE
        whole, panel = stage.split(1 - UNDER_SHARE) if self.below else stage.columns(1 - share)
        changes = np.array([[float(change) for change in row] for row in self.changes])
        both = np.stack([self.swapped.array, self.stream.array])
        parts = both[:, ::2], self.pattern, changes[::2]
        self.tower = tower = Tower(self.tokens, *parts, whole.lowered(OVER))
        room = replace(stage, left=stage.left + LABELS).lowered(OVER)
        tidied = np.stack([self.tensor(f"swapped.{name}").array[0] for name in ("ln1", "ln2")])
        start = both[:, :3], self.pattern[0], changes[:3]
        self.first = first = Block(self.tokens, *start, room, tidied=tidied)
        self.old = first.before[0][self.place]
        self.chip, self.small_chip = (self._other(each) for each in (first, tower))
        self._make_labels()
        self.alone = first.streams[self.place].copy().set_stroke(theme.color(ACCENT), BOLD_LINE)
        self._make_gauges(panel)
        self._make_laid(panel)
        self.middle = View((float(whole.center[0]), 0.0), 1.0, (float(stage.center[0]), 0.0))
        self.stand(first.grounds[0], *first.streams, self.alone, first, self.chip, self.mark)
        self.stand(tower, self.small_chip, *self.labels, *self.tidied, self.frame, *self.expected)
        self.stand(*self.legend, self.topic, *self.names, *self.measures, *self.laid)
        self.stand(*self.laid_names, *self.said, *self.answers, self.reader)

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
        self.new_id = swapped[self.place]
        streams = {"stream": ids, "swapped.stream": swapped}
        guesses = {"early.probs": ids, "swapped.probs": swapped}
        last, sites = len(ids) - 1, self.sites_of(swapped)
        return {
            **{f"swapped.{name}": sites[name] for name in ("pattern", "ln1", "ln2")},
            **{name: self.residual_steps(each) for name, each in streams.items()},
            **{name: self.guesses_by_step(each, last)[2::2] for name, each in guesses.items()},
        }

    def _stand_in(self, table: Array, token: int) -> int:
        """Return the word most like a token's, or the most alike token if none is a word."""
        near = alike(table, token, ALIKE)
        return word_like(token, near, self.vocabulary([token, *near]))

    def _guesses(self, name: str) -> list[tuple[str, Value]]:
        """Return the likeliest token after each block, and its chance."""
        chances = self.tensor(name)
        best = [int(row.argmax()) for row in chances.array]
        pieces = self.vocabulary(best)
        return [(pieces.get(i, "?"), chances[layer, i].value) for layer, i in enumerate(best)]

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
        """Name the parts of a block, the shape of its rows and the question."""
        first, at = self.first, self.first.levels
        left = float(first.grounds[0].get_left()[0]) - GAP

        def named(name: str, level: float, role: theme.Role) -> Words:
            words = Words(name, size=SPOKEN_SIZE, role=role)
            return words.move_to((left, first.floors[0] + level * first.high, 0), RIGHT)

        self.labels = [
            named("attention", (at.foot + at.mixed - at.tall / 2) / 2, VALUE),
            named("MLP", at.box, OUTPUT),
        ]
        feet = [float(row[0].get_y()) - first.floors[0] for row in first.read]
        self.tidied = [named("tidied", foot / first.high, INK) for foot in feet]
        self.mark = Words("?", size=HEADING_SIZE)
        self.asked = self.mark.copy()
        for mark, tower in ((self.mark, first), (self.asked, self.tower)):
            mark.move_to((tower.xs[-1], self.stage.top - OVER / 2, 0))
        rows = [VGroup(*first.nodes[step]) for step in (0, 2)]
        self.frame = SurroundingRectangle(rows[1], color=theme.color(INK), buff=GAP / 2)
        sides = count(len(self.tokens), "tokens"), count(self.stream.shape[-1], "entries")
        shape = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=SPOKEN_SIZE)
        self.frame.add(shape.move_to((left, rows[1].get_y(), 0), RIGHT))
        self._make_expected()

    def _make_gauges(self, panel: Region) -> None:
        """Make, for blocks, how much each changes the last column, and what it would guess."""
        tower, below, nodes = self.tower, self.below, self.tower.nodes
        area = panel.lowered(GAP) if below else panel.narrowed(GAP, 0)
        most = int((area.height - OVER) / (ROOM if below else max(tower.high, ROOM)))
        self.told = sorted({round(x) for x in np.linspace(self.layers - 1, 0, max(most, 1))})
        named, area = area.columns(NAMED if below else 0)
        rows = area.lowered(OVER).rows(len(self.told))[::-1]
        at = [float(nodes[layer + 1][0].get_y()) - BAR for layer in self.told]
        at = [float(row.center[1]) for row in rows] if below else at
        blocks = [count(layer + 1, "blocks up to here") for layer in self.told if below]
        self.names = [Words("block {}", each, role=QUIET) for each in blocks]
        for name, y in zip(self.names, at, strict=False):
            name.move_to((named.left, y, 0), LEFT)
        columns = area.in_columns(2)
        tracks = (
            [replace(column, bottom=y - BAR, top=y).narrowed(0, GAP) for y in at]
            for column in columns
        )
        self.said, self.answers = map(self._gauges, tracks, self.guesses, (INK, ACCENT))
        changes = (self.changes[2 * layer + 2][-1] for layer in self.told)
        self.measures = [percentage(each, TITLE_SIZE).set_role(ACCENT) for each in changes]
        for measure, gauge in zip(self.measures, self.said, strict=True):
            measure.move_to(gauge.track, LEFT)
        names = self.name_of(self.place), called(self.new)
        self.legend = [
            Words("with {}", name, size=SPOKEN_SIZE, role=role).shrink_to(column.width - HAIR)
            for name, role, column in zip(names, (INK, ACCENT), columns, strict=True)
        ]
        self.topic = Words("change of the last column", size=SPOKEN_SIZE, role=ACCENT)
        self.topic.shrink_to(area.width)
        heads = zip((*self.legend, self.topic), (*columns, area), strict=True)
        for words, column in heads:
            words.move_to((column.left, area.top - em_of(SPOKEN_SIZE) / 2, 0), LEFT)
        self.reader = SurroundingRectangle(nodes[0][-1], color=theme.color(INK), buff=HAIR / 2)

    def _gauges(
        self, tracks: list[Region], guesses: list[tuple[str, Value]], role: theme.Role
    ) -> list[Gauge]:
        """Return gauges of what is guessed of a text after the blocks that are told, in a role."""
        bets, sizes = [guesses[layer] for layer in self.told], (SPOKEN_SIZE, NAMED_SIZE)
        gauges = Guesses(bets, right=0, tracks=tracks, sizes=sizes, stacked=True).gauges
        for gauge in gauges:
            VGroup(gauge.word, gauge.bar).set_fill(theme.color(role))
        word = gauges[-1].word
        larger = min(TITLE_SIZE / SPOKEN_SIZE, gauges[-1].track.width / word.width)
        word.scale(larger, about_point=word.get_corner(DL))
        return gauges

    def _make_expected(self) -> None:
        """Make what is expected of both texts, where the question will stand."""
        self.expected = []
        for guesses, role in zip(self.guesses, (INK, ACCENT), strict=True):
            piece, chance = guesses[-1]
            word = cut_to(piece, TITLE_SIZE, self.stage.width / 4)
            share = percentage(chance, SPOKEN_SIZE).set_role(role)
            share.next_to(word.set_fill(theme.color(role)), RIGHT)
            share.shift((word.baseline - share.baseline) * UP)
            self.expected.append(VGroup(word, share).move_to(self.mark))
            self.stage.hold(self.expected[-1])

    def _make_laid(self, panel: Region) -> None:
        """Make the two words' columns, their difference, and the level that tells its length."""
        size = LAID[0] * panel.width, LAID[1] * panel.height
        first, other = (t.array[0, self.place, :ENTRIES, None] for t in (self.stream, self.swapped))
        most = float(np.abs([first, other]).max())
        columns = [Heat(each, size, largest=most) for each in (first, other)]
        change = self.changes[0][self.place]
        told = level(change.number, size).move_to(panel.center)
        share = percentage(change, TITLE_SIZE).set_role(ACCENT).next_to(told, RIGHT)
        difference = Heat(other - first, size, ACCENT, most).move_to(panel.center)
        self.laid = [*columns, difference, told, share]
        self.laid_names = [Words("{}", called(w)) for w in (self.tokens[self.place], self.new)]
        for column, name, side in zip(columns, self.laid_names, (-1.2, 1.2), strict=True):
            column.move_to(panel.center + (side * size[0], 0, 0))
            name.next_to(column, UP)

    def _say(self, gauge: Gauge, layer: int) -> Verb:
        """Return how the last column is read as a guess after a block."""
        come = self._leave(gauge.word, layer)
        if gauge is self.said[-1]:
            answer = TurnInto(self.mark, gauge.word)
            come = Together(Disappear(self.mark), come) if self.below else answer
        return Then(come, Together(gauge.open(), gauge.tell()))

    def _leave(self, told: VMobject, layer: int) -> Verb:
        """Return how what is told of a block comes from the last column, where that is beside."""
        column = self.tower.nodes[layer + 1][-1]
        return Appear(told) if self.below else ComeFrom(told, column, QUICK, fit=False)

    def _read(self, told: slice) -> list[Verb]:
        """Return how the last column is read after some of the blocks, from below."""
        found = list[Verb]()
        for turn, (layer, gauge) in enumerate(list(zip(self.told, self.said, strict=True))[told]):
            go = MoveTo(self.reader, self.tower.nodes[layer + 1][-1], run_time=QUICK)
            said = Then(Hold(QUICK / 2), self._say(gauge, layer))
            found.append(Then(Hold(turn * STEADY), Together(go, said)))
        return found

    def _carry_on(self, layer: int, tell: Callable[[int], Verb]) -> Verb:
        """Return how the change goes on through a block, and what is told after it, if anything."""
        carried = self.tower.carry(layer)
        if layer not in self.told:
            return carried
        return Together(carried, Then(Hold(3 * QUICK), tell(self.told.index(layer))))

    def _measure(self, place: int) -> Verb:
        """Return how it is told how much of the change has arrived."""
        row = [*self.measures, *self.names][place :: len(self.told)]
        return Together(self._leave(each, self.told[place]) for each in row)

    def _answer(self, place: int) -> Verb:
        """Return how it is told what is guessed of the other text."""
        return self._say(self.answers[place], self.told[place])


def _swap(old: Chip, new: Chip) -> Verb:
    """Return how one word leaves its place in the sentence, and another one takes it."""
    under = old.get_center() + old.height * DOWN
    return Then(GoInto(old, under, QUICK), ComeFrom(new, under, QUICK, fit=False))
