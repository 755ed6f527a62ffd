"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from manim import VGroup
from manim.constants import RIGHT

from scenes import theme
from scenes.analysis.selection import alike
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import said_percentage
from scenes.mobjects.guesses import Gauge
from scenes.mobjects.text import TokenText, Words, called, em_of
from scenes.mobjects.tokens import Chip
from scenes.mobjects.tower import FAINT, Block, Tower
from scenes.provenance import Array, Value, count, length, subtracted
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BOLD_LINE,
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
    Recolor,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
)

ALIKE = 40  # tokens that are looked at, for one that may take a word's place
PANEL_SHARE, NARROW_SHARE = 0.38, 0.5  # of the stage's width, for what is told of each block
LABELS = 1.85  # scene units beside the columns, for what the parts of a block are called
WORD, PERCENT, BAR = 1.9, 1.2, 0.14  # scene units, of a guess; half a bar's height
NARROW_WORD = 1.35
APART, ROOM = 0.27, 1.1  # scene units from a block's middle to a guess; between guesses of two
NEAR = 0.94  # of the stage's width, by blocks that are copied
GATHERED = 2.0  # seconds in which many blocks begin


class BuildABlock(Film):
    """Attention is the only step sideways, the MLP works upward, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 81
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
        """Say whether the last guess stays, comes at once, or follows a word that is repeated."""
        (early, _), *_, (one, _) = self.guesses[0]
        given = {token.strip().casefold() for token in self.tokens}
        return {
            **super().circumstances(),
            "same": one == self.guesses[1][-1][0],
            "settled": early == one,
            "repeating": early.strip().casefold() in given,
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
        ways = Flow(map(Draw, first.streams), STEADY), Appear(self.mark, run_time=STEADY)
        yield Pulse(first.chips[-1], run_time=STEADY), *ways
        yield Draw(self.alone)

    @beat(
        "So build a way. First, attention: | each column takes from those to its left, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        first, place = self.first, self.place
        yield (
            Appear(self.labels[0]),
            Draw(first.grounds[0]),
            Flow(map(ComeFrom, first.risen[0], first.nodes[0]), QUICK),
        )
        yield Flow((Draw(line) for line in first.lines[0]), SLOW)
        added = map(TurnInto, first.risen[0], first.nodes[1])
        yield Flow(map(Appear, first.pluses[0]), QUICK), Then(Hold(), Flow(added, STEADY))
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
        yield first.pass_mlp(len(others)), Disappear(self.mark, run_time=STEADY)
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
        joints = *first.pluses[0], *first.pluses[1]
        rows = [Flow(map(Pulse, first.nodes[step]), QUICK) for step in (2, 0)]
        named = Disappear(*self.labels, *self.tidied)
        yield named, Fade(*inside, *between, *joints, to=FAINT), Then(*rows)
        yield Flow((Appear(shape, run_time=STEADY) for shape in self.shapes), STEADY)
        word = TurnInto(self.chip, self.small_chip)
        gone = Disappear(*self.shapes, self.alone)
        small = gone, first.becomes(tower, self.place), word, self.travel_to(self.lowest, STEADY)
        higher = [tower.build(layer) for layer in range(1, self.layers)]
        rise = self.travel_to(self.highest, STEADY)
        rest = Together(rise, Flow(higher[1:], GATHERED, gathering=True))
        yield Then(Together(*small), *higher[:1], rest, self.pull_back(STEADY))

    @beat(
        "The first block changes the last column by {near}. | Each block sends more of it "
        "sideways, | and by the last one, it's {far}."
    )
    def watch_it_spread(self) -> Shown:
        first, rest = self.measures[0], range(1, self.layers)
        reading = Pulse(self.tower.nodes[2][-1], *self.tower.glows(2)[-1:], scale=1.4)
        yield Appear(self.topic), reading, first.open(), first.tell()
        half = rest[: (len(rest) + 1) // 2], rest[(len(rest) + 1) // 2 :]
        for layers in half:
            yield Flow(map(self._carry_on, layers), GATHERED, gathering=True)

    @beat(
        "What would each block guess, if the model stopped there? | Read the last column early, "
        "block by block: | the first says {early}, | the last {guess}, {chance}.",
        settled="What would each block guess, if the model stopped there? | Read the last column "
        "early, block by block: | the first says {guess} already, | and the last too, {chance}.",
        repeating="What would each block guess, if the model stopped there? | Read the last column "
        "early, block by block: | at first, it only repeats {early}; "
        "| by the last, it says {guess}, {chance}.",
    )
    def guess_early(self) -> Shown:
        tower = self.tower
        old, read = tower.chips[self.place], tower.column(len(self.tokens) - 1)
        lines = [line for lines in tower.lines for line in lines]
        rest = (part for part in tower if part not in (*read, *tower.marks, *lines, old))
        gone = Disappear(self.topic, *tower.marks, *(part for m in self.measures for part in m[1:]))
        tracks = zip(self.measures, self.panel[0], strict=True)
        asked = Together(TurnInto(one.track, other.track) for one, other in tracks)
        dim = Dim(*rest), Fade(*lines, to=FAINT), TurnInto(self.small_chip, old)
        yield gone, *dim, asked
        told, half = self._tell(0), (len(self.told) + 1) // 2
        yield Flow((Recolor(node, role=POSITIVE) for node in read), SLOW), Appear(self.legend[0])
        yield Flow(told[:half])
        last = self.panel[0][-1]
        yield Then(Flow(told[half:]), Pulse(last.word, last.number, run_time=STEADY))

    @beat(
        "And with {new} instead? | {other}, {new_chance}. | So that's how the last word finds out: "
        "| sideways in attention, | upward in an MLP, | block by block.",
        same="And with {new} instead? | Still {other}, now at {new_chance}. | So that's how the "
        "last word finds out: | sideways in attention, | upward in an MLP, | block by block.",
    )
    def two_guesses(self) -> Shown:
        tower, last = self.tower, self.panel[1][-1]
        swap = TurnInto(tower.chips[self.place], self.small_chip), Appear(self.legend[1])
        parts = [*tower.streams, *tower.grounds, *(box for row in tower.boxes for box in row)]
        seen = Undim(*parts, *(node for row in tower.nodes for node in row))
        risen = Flow((tower.carry(i) for i in range(self.layers)), SLOW, gathering=True)
        yield *swap, Appear(*tower.glows(0)), seen, risen
        yield Flow(self._tell(1), STEADY), Pulse(last.word, last.number, run_time=STEADY)
        others = (chip for chip in tower.chips if chip is not tower.chips[self.place])
        yield Undim(*others), Pulse(tower.chips[-1], run_time=STEADY)
        yield Flow((Draw(line) for lines in tower.lit for line in lines), QUICK)
        glows = [Together(map(Pulse, tower.glows(2 * i + 2))) for i in range(self.layers)]
        yield Flow(glows, QUICK)
        yield None

    def cast(self) -> None:
        """Make the block, the tower, the other word, and what each block guesses."""
        stage = self.stage
        whole, panel = stage.columns(1 - (NARROW_SHARE if stage.is_narrow else PANEL_SHARE))
        changes = np.array([[float(change) for change in row] for row in self.changes])
        self.tower = tower = Tower(self.tokens, self.pattern, changes, whole)
        room = replace(stage, left=stage.left + LABELS)
        tidied = np.stack([self.tensor(name).array[0] for name in ("ln1", "ln2")])
        start = self.stream.array[:3], self.pattern[0], changes[:3]
        self.first = first = Block(self.tokens, *start, room, tidied=tidied)
        self.chip, self.small_chip = (self._other(each) for each in (first, tower))
        self._make_labels()
        self.alone = first.streams[self.place].copy().set_stroke(theme.color(ACCENT), BOLD_LINE)
        ends = VGroup(*tower.chips, *tower.grounds[:2]), VGroup(*tower.grounds[-2:])
        self.lowest, self.highest = (self.view.into(part, stage, NEAR) for part in ends)
        top = int(panel.height / max(tower.high, ROOM))
        self.told = sorted({round(x) for x in np.linspace(self.layers - 1, 0, max(top, 1))})
        self._make_gauges(panel)
        self._make_legend(panel)
        self.stand(first.grounds[0], *first.streams, self.alone, first, self.chip, self.mark)
        self.stand(tower, self.small_chip, *self.labels, *self.tidied, *self.shapes)
        self.stand(*self.legend, self.topic, *self.measures, *self.panel[0], *self.panel[1])

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
        plate = first.nodes[2][-1][0].copy().set_stroke(theme.color(INK), THIN_LINE)
        asked = Words("?", size=HEADING_SIZE).move_to(plate)
        self.mark = VGroup(plate.stretch_to_fit_width(max(plate.width, 2 * asked.width)), asked)
        sides = count(len(self.tokens), "tokens"), count(self.stream.shape[-1], "entries")
        told = "{} \N{MULTIPLICATION SIGN} {}"
        self.shapes = [
            Words(told, *sides, size=SPOKEN_SIZE).move_to((left, row[0].get_y(), 0), RIGHT)
            for row in (first.nodes[0], first.nodes[2])
        ]

    def _make_legend(self, panel: Region) -> None:
        """Name what is told of each block."""
        words = self.name_of(self.place), called(self.new)
        self.legend = [
            Words("with {}", word, size=SPOKEN_SIZE, role=role)
            for word, role in zip(words, (POSITIVE, ACCENT), strict=True)
        ]
        both = VGroup(*self.legend).arrange(RIGHT, buff=2 * GAP)
        self.topic = Words("change of the last column", size=SPOKEN_SIZE, role=ACCENT)
        for words_below in (both, self.topic):
            panel.narrowed(GAP, 0).fit_width(words_below)
            words_below.move_to((panel.center[0] + GAP / 2, self.tower.chips[0].get_y(), 0))

    def _make_gauges(self, panel: Region) -> None:
        """Make, beside a block, how much it changes the last column, and what it would guess."""
        self.measures, self.panel = list[Gauge](), (list[Gauge](), list[Gauge]())
        widest = NARROW_WORD if self.stage.is_narrow else WORD
        half = APART + em_of(SPOKEN_SIZE) / 2  # of the height that two guesses take
        low = float(self.tower.chips[0].get_y()) + em_of(SPOKEN_SIZE) + half
        for layer in self.told:
            level, change = self.tower.grounds[layer].get_y(), self.changes[2 * layer + 2][-1]
            y = float(np.clip(level, low, panel.top - half))
            track = Region(panel.left + GAP, panel.right - PERCENT, y - 2 * BAR, y + 2 * BAR)
            self.measures.append(Gauge(Words(""), change, track, TITLE_SIZE))
            track = track.narrowed(widest + GAP, 0).inset(BAR).narrowed(-BAR, -BAR)
            for guesses, gauges, up in zip(self.guesses, self.panel, (APART, -APART), strict=True):
                piece, chance = guesses[layer]
                word = TokenText(piece, SPOKEN_SIZE).shrink_to(widest)
                place = replace(track, top=track.top + up, bottom=track.bottom + up)
                gauges.append(Gauge(word, chance, place, SPOKEN_SIZE))
        for gauge in (*self.measures, *self.panel[1]):
            gauge.bar.set_fill(theme.color(ACCENT))
            gauge.word.set_role(ACCENT)

    def _tell(self, text: int) -> list[Verb]:
        """Return how the last column is read as a guess after each block, for one of the texts."""
        return [
            Then(
                ComeFrom(gauge.word, self.tower.nodes[2 * layer + 2][-1], QUICK, fit=False),
                Together(gauge.open(), gauge.tell()),
            )
            for layer, gauge in zip(self.told, self.panel[text], strict=True)
        ]

    def _carry_on(self, layer: int) -> Verb:
        """Return how the change goes on through a block, and how much of it arrives."""
        each = self.measures[self.told.index(layer)] if layer in self.told else None
        return Then(self.tower.carry(layer), *([each.open(), each.tell()] if each else []))
