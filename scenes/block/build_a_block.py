"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from manim import SurroundingRectangle, VGroup
from manim.constants import DOWN, LEFT, ORIGIN, PI, RIGHT, UP

from scenes import theme
from scenes.analysis.selection import alike, telling_places, word_like
from scenes.camera import View
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import percentage, said_percentage, set_slab
from scenes.mobjects.block import Block
from scenes.mobjects.guesses import Guesses
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Words, called, em_of, label_of
from scenes.mobjects.tokens import Chip, TokenRow, cut_to
from scenes.mobjects.tower import FAINT, Tower, layers_drawn
from scenes.provenance import Array, Value, count, length, subtracted
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
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
    Become,
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
PANEL_SHARE, NARROW_SHARE = 0.4, 0.5  # of the stage's width, for what is told of each block
UNDER_SHARE, NAMED = 0.42, 0.22  # of an upright stage's height; of its width, for blocks' names
LABELS, TURNED = 1.85, 0.55  # scene units beside columns, for names of parts; on end
BAR, ROOM = 0.18, 0.95  # scene units: the height of a bar, and of all that tells a guess
OVER, TOLD = 0.7, 2.1  # scene units: over the last column, for what is answered; beside it
CLOSER = 1.02  # times as large, where guesses are read
GATHERED, ONE_BY_ONE = 1.6, 3.2  # seconds in which many blocks begin; two, one after the other


class BuildABlock(Film):
    """Attention is the only step sideways, the MLP works upward, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 90
    poster_beat = "it-finds-out"
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
        self.drawn, self.skipped = layers_drawn(self.layers)
        self.guesses = [self._guesses(name) for name in ("early.probs", "swapped.probs")]
        patterns = [self.tensor(name).array for name in ("pattern", "swapped.pattern")]
        self.pattern = np.mean(patterns, axis=(0, 2))  # of both texts, over all heads
        self.new = self.piece(self.new_id)

    def words(self) -> Mapping[str, str]:
        """Name both words, the last one, how much it changes, and what is guessed of both texts."""
        (one, _), (other, chance) = (guesses[-1] for guesses in self.guesses)
        given, early = (token.strip().casefold() for token in self.tokens), self.guesses[0][0][0]
        end, swapped = f"but {called(other)} with {{}}", f"and it's {called(other)}"
        if one == other:
            end = "and with {}, too"
            swapped = f"and it's still {called(other)}, but with {said_percentage(chance)}"
        return {
            "end": end.format(called(self.new)),
            "repeated": ", it only repeats" * (early.strip().casefold() in given),
            "near": said_percentage(self.changes[2][-1]),
            "far": said_percentage(self.changes[-1][-1]),
            "swapped": swapped,
            "onward": "block by block," if self.layers > 1 else "and so",
            "old": self.name_of(self.place),
            "new": called(self.new),
            "blocks": str(self.layers),
            "early": called(early),
            "guess": called(one),
            "other": called(other),
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether there is but one block, guesses part at once, and the change fades."""
        ends = [[guesses[at][0] for guesses in self.guesses] for at in (0, -1)]
        (early, new_early), (one, other) = ends
        return {
            **super().circumstances(),
            "single": self.layers == 1,
            "apart": one == other or early != new_early or not early.strip(),
            "fading": self.changes[-1][-1].number < self.changes[2][-1].number,
        }

    @beat(
        "After this text, a model expects {guess}. | Swap {old} for {new}, | {swapped}. "
        "| How did the last word find out? | Each is a column of numbers: nothing leads across."
    )
    def one_word_changes(self) -> Shown:
        first, place, line, (queen, princess) = self.first, self.place, self.line, self.expected
        yield Flow(map(Appear, line), STEADY), Then(Hold(STEADY), Appear(queen))
        aside = Shift(queen, by=1.5 * em_of(TITLE_SIZE) * DOWN), Dim(queen)
        yield Together(*aside, _swap(line[place], self.large_chip))
        yield Appear(princess)
        large, small = [*line], [*first.chips]
        large[place], small[place] = self.large_chip, self.chip
        down = Together(*map(TurnInto, large, small), MoveTo(self.mark, self.over))
        columns = Then(Hold(QUICK), Flow(map(Appear, first.nodes[0]), QUICK))
        gone = Disappear(queen, princess, run_time=QUICK / 2)
        yield Then(gone, Appear(self.mark), Hold(), Together(down, columns))
        ways = Flow(map(Draw, first.streams), STEADY)
        yield Then(ways, Appear(*first.glows(0)), Draw(self.alone))

    @beat(
        "So build a way. First, attention: | each column takes from those up to itself, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        first, place, tokens = self.first, self.place, range(len(self.tokens))
        own = zip(first.risen[0], first.nodes[0], first.nodes[1], strict=True)
        out = Flow(map(first.copy_out, tokens))
        yield Then(Appear(self.labels[0], first.bands[0][0]), out)
        yield Flow(map(Appear, first.pluses[0]), QUICK), first.look()
        risen = (Then(ComeFrom(up, low), TurnInto(up, new, QUICK)) for up, low, new in own)
        yield Flow(risen, STEADY)
        lit = Flow(map(Draw, first.lit[0][::-1]), STEADY)
        spread = Then(Hold(), Flow(map(Appear, first.glows(1))))
        yield Fade(*first.lines[0], to=FAINT), lit, spread
        left = zip(first.chips, first.nodes[1][: max(place, 1)], strict=False)
        yield Flow((Pulse(*column, scale=1.25) for column in left), STEADY)

    @beat(
        "Attention only mixes. An MLP makes something new: | each column goes through by itself, "
        "| and what comes out is added. | The change goes straight up, to no other column. "
        "| Both steps together are a block."
    )
    def straight_up(self) -> Shown:
        first, tokens = self.first, range(len(self.tokens))
        boxes = Flow(map(Appear, first.boxes[0]), QUICK)
        done = *first.read[0], *first.lit[0], *first.pluses[0], first.bands[0][0], self.labels[0]
        yield Dim(*done), Appear(self.labels[1], first.bands[0][1]), boxes
        yield Flow(map(first.enter, tokens))
        yield Flow(map(first.add_up, tokens))
        yield Then(first.work(0), Flow(map(Appear, first.glows(2)), QUICK))
        yield Undim(*done), Draw(first.grounds[0], run_time=SLOW), Then(Hold(), Appear(self.named))

    @beat(
        "What comes out has the shape of what went in. | So another block, with its own weights, "
        "stands on it, | and so on: {blocks} in all.",
        single="What comes out has the shape of what went in. | So another block, with its own "
        "weights, could stand on it. | This model has one.",
    )
    def copies(self) -> Shown:
        first, tower = self.first, self.tower
        own = [*first.lit[0], *first.taken[0], *first.nodes[1], *first.read[0]]
        own += [self.alone, *first.pluses[0], *first.pluses[1]]
        pink = *self.labels, *(glow for step in range(3) for glow in first.glows(step))
        frames = (Then(Draw(frame), Appear(shape)) for frame, shape in self.frames)
        yield Dim(*first.lines[0], *first.inside(0), *own), Disappear(*pink), Flow(frames, SLOW)
        gone = Disappear(*chain(*self.frames), self.named, *own, run_time=QUICK / 2)
        small = first.becomes(tower, self.place), TurnInto(self.chip, self.small_chip)
        asked = MoveTo(self.mark, self.asked), self.travel_to(self.middle, STEADY)
        rows = range(1, len(self.drawn))
        yield Then(gone, Together(small, asked), Flow(map(tower.build, rows[:1])))
        others = Flow(map(tower.build, rows[1:]), GATHERED, gathering=True)
        yield Then(others, Appear(*self.left_out))

    @beat(
        "First with {old}. | Now with {new}: what changes turns pink. | Attention takes it "
        "sideways, | an MLP takes it up: the last column has changed by {near}. "
        "| Further up, it takes from columns that changed, too: | after the last, it's {far}.",
        fading="First with {old}. | Now with {new}: what changes turns pink. | Attention takes it "
        "sideways, | an MLP takes it up: the last column has changed by {near}. "
        "| Later blocks add to both: | after the last, it's {far}.",
        single="First with {old}. | Now with {new}: what changes turns pink. | Attention takes it "
        "sideways, | an MLP takes it up: the last column has changed by {near}. "
        "| Another block | would take it on.",
    )
    def watch_it_spread(self) -> Shown:
        tower, rows, place = self.tower, range(len(self.drawn)), self.place
        before = (Appear(*row[place:], scale=1.0) for row in tower.before)
        swapped = Then(_swap(self.small_chip, tower.chips[place]), Flow(before))
        yield self.travel_to(self.last, STEADY), swapped
        later = (part for row in rows[1:] for part in (*tower.block(row), *tower.lines[row]))
        pink = Appear(*tower.glows(0), scale=1.4), Dim(*later)
        yield Then(_swap(tower.chips[place], self.small_chip), Together(pink))
        yield tower.sideways(0, SLOW)
        yield self._work(0, told=[self.topic, *self._told(0)])
        yield Then(*map(self._carry_on, rows[1:2]))
        yield Flow((self._carry_on(row, QUICK) for row in rows[2:]), ONE_BY_ONE, gathering=True)

    @beat(
        "What would it guess if it stopped after each block? | At first{repeated} {early}, with "
        "either word. | Then the two part: | {guess} with {old}, | {other} with {new}.",
        single="What does it guess? Read its last column, | once with | each word: "
        "| {guess} with {old}, | {end}.",
        apart="What would it guess if it stopped after each block? | Read its last column from "
        "below, | once with each word. | In the end, {guess} with {old}, | {end}.",
    )
    def two_guesses(self) -> Shown:
        rows, told = range(len(self.told)), [self.drawn[row] for row in self.told]
        unlike = [self.guesses[0][i][0] != self.guesses[1][i][0] for i in told]
        half = next((row for row in rows if row and unlike[row]), len(rows) // 2)
        nodes = [self.tower.nodes[row + 1][-1] for row in self.told]
        come = Flow((Together(map(ComeFrom, each, nodes)) for each in self.bodies[::-1]), STEADY)
        read = Undim(*nodes, *(self.tower.glows(row + 1)[-1] for row in self.told))
        gone = Dim(self.tower, self.small_chip), Disappear(self.topic, *self.measures, *self.out)
        aside = self.travel_to(self.reads, STEADY), Then(Hold(QUICK), Draw(self.reader), read)
        yield Together(*gone, *aside), Then(Hold(STEADY), Appear(*self.legend, *self.names), come)
        yield Flow(Together(self._say(0, row), self._say(1, row)) for row in rows[:half])
        yield Flow(Together(self._say(0, row), self._say(1, row)) for row in rows[half:-1])
        yield self._say(0, rows[-1])
        yield Then(self._say(1, rows[-1]), Pulse(self.gauges[1][-1].word))

    @beat(
        "So that's how the last word finds out: | sideways in attention, | upward in an MLP, "
        "| {onward} up to the last column: {other}."
    )
    def it_finds_out(self) -> Shown:
        tower, blocks = self.tower, range(len(self.drawn))
        pink = [part for rows in (tower.lit, tower.taken) for row in rows for part in row]
        pink += [glow for layer in blocks for glow in tower.glows(layer + 1)]
        told = *self.legend, *self.names, self.reader, *self.gauges[0], *self.gauges[1]
        boxes = zip(chain(*tower.boxes), self.unlit, strict=True)
        gone = Together(Disappear(*pink, *told), (Become(*pair, QUICK) for pair in boxes))
        lit = Together(Undim(tower, self.small_chip), Appear(*self.out))
        yield self.travel_to(self.last, STEADY), Then(gone, lit, Pulse(self.mark))
        yield Appear(self.steps[0]), tower.sideways(0)
        yield Appear(self.steps[1]), self._work(0)
        on = (Then(tower.sideways(row, QUICK), self._work(row, QUICK)) for row in blocks[1:])
        answered = Together(Disappear(self.mark), ComeFrom(self.answer, self.mark)), Hold(STEADY)
        yield Then(Flow(on, GATHERED, gathering=True), *answered)

    def cast(self) -> None:
        """Make the block, the tower, the other word, and what each block guesses."""
        stage = self.stage
        self.below = stage.height > stage.width  # whether guesses stand under the tower
        whole, panel = stage.split(1 - UNDER_SHARE) if self.below else (stage, stage)
        changes = np.array([[float(change) for change in row] for row in self.changes])
        both = np.stack([self.swapped.array, self.stream.array])
        steps, patterns = [0, *(2 * layer + 2 for layer in self.drawn)], self.pattern[self.drawn]
        if self.skipped is not None:
            patterns[self.skipped] = 0
        area = whole.lowered(OVER).narrowed(0, TOLD)
        parts = both[:, steps], patterns, changes[steps]
        self.tower = tower = Tower(self.tokens, *parts, area, skipped=self.skipped)
        self.unlit = [box.copy() for box in chain(*tower.boxes)]
        room = stage.narrowed(TURNED if stage.is_narrow else LABELS, 0).lowered(OVER)
        self.first = first = Block(self.tokens, both[:, :3], self.pattern[0], changes[:3], room)
        self.chip, self.small_chip = (self._other(each) for each in (first, tower))
        self._make_labels()
        self._make_line()
        bold = theme.color(ACCENT), theme.BOLD_LINE
        self.alone = first.streams[self.place].copy().set_stroke(*bold)
        self._make_beside(whole, panel)
        first.submobjects.insert(first.submobjects.index(first.streams[-1]) + 1, self.alone)
        self.stand(*self.line, self.large_chip, first, self.chip, self.mark, tower)
        self.stand(self.small_chip, self.answer, *self.steps, *self.labels, self.named)
        told = self.topic, *self.measures, *self.left_out
        self.stand(*self.expected, *self.legend, *self.names, *told, self.reader)
        self.stand(*chain(*self.frames, *self.bodies, *self.gauges))

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Swap one word for the one most like it, where that changes the guess, or its chance."""
        ids, tensors = self.trace.ids, self.trace.tensors()
        places = telling_places(ids, self.trace.pieces)
        others = [self._stand_in(tensors["weights.W_E"], ids[place]) for place in places]
        pairs = zip(places, others, strict=True)
        texts = [(*ids[:place], other, *ids[place + 1 :]) for place, other in pairs]
        before, after = tensors["probs"][-1], self.chances_in(texts)[:, -1]
        moved = np.abs(after - before).sum(-1) / 2 + (after.argmax(-1) != before.argmax())
        self.place, swapped = places[int(moved.argmax())], texts[int(moved.argmax())]
        self.new_id = swapped[self.place]
        streams = {"stream": ids, "swapped.stream": swapped}
        bets = {"early.probs": ids, "swapped.probs": swapped}
        return {
            "swapped.pattern": self.sites_of(swapped)["pattern"],
            **{name: self.residual_steps(each) for name, each in streams.items()},
            **{name: self.guesses_by_step(each, len(ids) - 1)[2::2] for name, each in bets.items()},
        }

    def _stand_in(self, table: Array, token: int) -> int:
        """Return the word most like a token's, or the most alike token if none is a word."""
        near = alike(table, token, ALIKE)
        return word_like(token, near, self.vocabulary([token, *near]))

    def _guesses(self, name: str) -> list[tuple[str, Value]]:
        """Return the likeliest token after each block, and its chance."""
        chances = self.tensor(name)
        best = chances.array.argmax(axis=1).tolist()
        pieces = self.vocabulary(best)
        return [(pieces.get(i, "?"), chances[layer, i].value) for layer, i in enumerate(best)]

    def small_print(self) -> Words:
        """Say how many blocks the model has, and what is left out."""
        blocks = count(self.layers, "layers of the model")
        return Words("{} blocks, norms not drawn", blocks, size=PLAIN_SIZE, role=QUIET)

    def _other(self, tower: Tower) -> Chip:
        """Return the chip of the other word, in the place of the one that it is swapped for."""
        chip, old = Chip(self.new, SPOKEN_SIZE), tower.chips[self.place]
        size, room = old.height / chip.height, (tower.pitch - HAIR) / chip.width
        if tower.is_upright:
            size = old.width / chip.rotate(PI / 2).width
            room = min(1.9, 2 * (float(old.get_y()) - self.stage.bottom)) / chip.height
        return chip.scale(min(size, room)).move_to(old)

    def _make_labels(self) -> None:
        """Name the parts of a block, the shape of its rows and the question."""
        first, is_narrow = self.first, self.stage.is_narrow
        left = float(first.grounds[0].get_left()[0]) - (HAIR if is_narrow else GAP)

        def beside(words: Words, y: float) -> Words:
            return words.rotate(PI / 2 * is_narrow).move_to((left, y, 0), RIGHT)

        names = _steps(SPOKEN_SIZE, np.inf if is_narrow else left - self.stage.left)
        at = first.lines[0][0].get_y(), first.boxes[0][0].get_y()
        self.labels = list(map(beside, names, at))
        self.named = Words("one block", size=PLAIN_SIZE if is_narrow else SPOKEN_SIZE)
        self.named.next_to(first.grounds[0], UP, buff=HAIR, aligned_edge=LEFT)
        self.mark, self.over, self.asked = (Words("?", size=HEADING_SIZE) for _ in range(3))
        for mark, tower in ((self.over, first), (self.asked, self.tower)):
            mark.move_to((tower.xs[-1], tower.floors[-1] + tower.high + OVER / 2, 0))
        sides = count(len(self.tokens), "tokens"), count(self.stream.shape[-1], "entries")
        self.frames = []
        for row in (first.nodes[2], first.nodes[0]):
            frame = SurroundingRectangle(VGroup(*row), color=theme.color(INK), buff=GAP / 2)
            shape = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=SPOKEN_SIZE)
            self.frames.append((frame, beside(shape, float(frame.get_y()))))

    def _make_line(self) -> None:
        """Set the text large, with room for either word and, at its end, for either guess."""
        texts, guesses = (self.tokens[self.place], self.new), [own[-1][0] for own in self.guesses]
        pieces = [*self.tokens, max(guesses, key=len) + "  00%"]
        pieces[self.place] = max(texts, key=lambda text: Chip(text, TITLE_SIZE).width)
        *self.line, slot = (row := TokenRow(pieces, self.stage, largest=TITLE_SIZE)).chips
        chips = (Chip(text, row.size).move_to(self.line[self.place]) for text in texts)
        self.line[self.place], self.large_chip = chips
        self.expected = [self._expected(which) for which in (0, 1)]
        self.answer = self.expected[1].copy().move_to(self.asked)
        for each in self.expected:
            each.scale(min(1.0, slot.width / each.width), about_point=ORIGIN)
            each.align_to(slot, LEFT).shift(slot.label.baseline * UP)
        self.mark.move_to(slot, LEFT).shift(GAP * RIGHT)

    def _make_beside(self, whole: Region, panel: Region) -> None:
        """Make what stands beside the tower, or under it, and from where it is seen."""
        stage, tower, (u, v, _) = self.stage, self.tower, self.stage.center
        if not self.below:
            left = tower.middle + tower.span / 2
            right = left + stage.width * (NARROW_SHARE if stage.is_narrow else PANEL_SHARE)
            panel = Region(left, right, stage.bottom, stage.top - HAIR)
        self._make_panel(panel)
        self.steps = _steps(HEADING_SIZE, TOLD - GAP - HAIR)
        self.steps[0].next_to(tower.bands[0][0], RIGHT, buff=GAP)
        self.steps[1].next_to(self.steps[0], UP, buff=HAIR, aligned_edge=LEFT)
        at, x, y = (float(u), float(v)), max(0.0, panel.right - stage.right), whole.center[1]
        middle = at[0] if self.left_out else tower.middle  # what is left out is named beside it
        self.middle, self.last = (View((each, float(y)), 1.0, at) for each in (middle, at[0]))
        self.reads = View((at[0] + x, at[1]), CLOSER if x else 1.0, at)
        chips = *tower.chips[: self.place], *tower.chips[self.place + 1 :], self.small_chip
        self.out = [chip for chip in chips if not self.reads.shows(chip, stage)]

    def _make_panel(self, panel: Region) -> None:
        """Make, for blocks, how much each changes the last column, and what it would guess."""
        tower, below, nodes = self.tower, self.below, self.tower.nodes
        area = panel.lowered(GAP) if below else panel.narrowed(GAP, 0)
        shown = [row for row in range(len(self.drawn)) if row != self.skipped]
        evenly = np.linspace(len(shown) - 1, 0, max(1, int((area.height - OVER) / ROOM)))
        apart = shown[:: -int(np.ceil(ROOM / tower.high))]  # from the top, where each has room
        self.told = sorted({shown[round(x)] for x in evenly} if below else apart)
        named, area = area.columns(NAMED if below else 0)
        rows = area.lowered(OVER).rows(len(self.told))[::-1]
        at = [float(nodes[row + 1][0].get_y()) for row in self.told]
        at = [float(row.center[1]) + BAR for row in rows] if below else at
        layers = [self.drawn[row] for row in self.told]
        blocks = [count(layer + 1, "blocks up to here") for layer in layers if below]
        self.names = [Words("block {}", each, size=PLAIN_SIZE, role=QUIET) for each in blocks]
        for name, y in zip(self.names, at, strict=False):
            name.move_to((named.left, y, 0), LEFT)
        beside, self.measures = tower.middle + tower.span / 2 + GAP, list[Words]()
        for row, layer in zip(self.told, layers, strict=True):
            share = percentage(self.changes[2 * layer + 2][-1], HEADING_SIZE).set_role(ACCENT)
            self.measures.append(share.move_to((beside, nodes[row + 1][0].get_y(), 0), LEFT))
        columns = area.in_columns(2)
        texts, sizes = (self.tokens[self.place], self.new), (SPOKEN_SIZE, theme.NAMED_SIZE)
        self.legend = [Words("with {}", label_of(text), size=SPOKEN_SIZE) for text in texts]
        _shrink(self.legend, columns[0].width - GAP)
        self.topic = Words("changed by", size=SPOKEN_SIZE, role=ACCENT)
        _shrink([self.topic], TOLD - GAP - HAIR)
        self.topic.move_to((beside, nodes[0][0].get_y(), 0), LEFT)
        more = count(self.layers - len(self.drawn) + 1, "blocks that are not drawn")
        left_out = Words("{} more", more, size=SPOKEN_SIZE, role=QUIET)
        level = tower.floors[self.skipped or 0] + tower.high / 2
        self.left_out = [left_out.move_to((beside, level, 0), LEFT)] * (self.skipped is not None)
        y = area.top - em_of(SPOKEN_SIZE) / 2
        for words, column in zip(self.legend, columns, strict=True):
            words.move_to((column.left, y, 0), LEFT)
        self.gauges, self.bodies = [], []
        sides = columns, self.guesses, (tower.before, nodes), (INK, ACCENT)
        for column, guesses, held, role in zip(*sides, strict=True):
            room = column.narrowed(0, GAP)
            tracks = [Region(room.left, room.right, y - 2 * BAR, y - BAR) for y in at]
            bets = [guesses[layer] for layer in layers]
            gauges = Guesses(bets, right=0, tracks=tracks, sizes=sizes, stacked=True).gauges
            bodies = [held[row + 1][-1].copy() for row in self.told]
            wide = max(gauge.number.width for gauge in gauges)
            for body, gauge in zip(bodies, gauges, strict=True):
                right, top = room.right - wide - HAIR, gauge.track.get_top()[1]
                set_slab(gauge.track, (room.left, top - BAR, right, top))
                gauge.number.next_to(gauge.track, RIGHT, buff=HAIR)
                VGroup(gauge.word, gauge.bar).set_fill(theme.color(role))
                body.move_to(gauge.word).align_to(gauge.track, LEFT)
            self.gauges.append(gauges)
            self.bodies.append(bodies)
        self.legend[1].set_role(ACCENT)
        self.reader = Ring(VGroup(*(row[-1] for row in nodes[1:])), HAIR, INK)

    def _expected(self, which: int) -> VGroup:
        """Make what is expected of one of both texts."""
        piece, chance = self.guesses[which][-1]
        role = (INK, ACCENT)[which]
        word = cut_to(piece, TITLE_SIZE, self.stage.width / 4)
        share = percentage(chance, SPOKEN_SIZE).set_role(role)
        share.next_to(word.set_fill(theme.color(role)), RIGHT)
        share.shift(share.baseline * DOWN)
        return VGroup(word.shift(word.baseline * DOWN), share)

    def _say(self, which: int, row: int) -> Verb:
        """Return how a column that has left the tower is read as a guess."""
        body, gauge = self.bodies[which][row], self.gauges[which][row]
        return Then(Together(Disappear(body), Appear(gauge.word, gauge.track)), gauge.tell())

    def _told(self, row: int) -> list[Words]:
        """Return how much the last column has changed after a block, if that is told."""
        return [self.measures[self.told.index(row)]] if row in self.told else []

    def _work(self, row: int, run_time: float = STEADY, told: Sequence[Words] = ()) -> Verb:
        """Return how the change goes up through a block's MLPs into the columns above."""
        arrive = Appear(*self.tower.glows(row + 1), *told, scale=1.0)
        return Then(self.tower.work(row, run_time), arrive)

    def _carry_on(self, row: int, run_time: float = STEADY) -> Verb:
        """Return how the change goes on through a block; only what has arrived is measured."""
        work = self._work(row, run_time, self._told(row))
        lit = Undim(*self.tower.block(row), run_time=run_time / 2)
        return Then(lit, self.tower.sideways(row, run_time), work)


def _steps(size: float, width: float) -> list[Words]:
    """Return the names of a block's two steps."""
    told = ("attention", theme.VALUE), ("MLP", theme.OUTPUT)
    return _shrink([Words(name, size=size, role=role) for name, role in told], width)


def _shrink(words: Sequence[Words], width: float) -> list[Words]:
    """Set words equally small, so that all fit a width, and return them."""
    share = min(1.0, *(width / each.width for each in words))
    return [each.scale(share) for each in words]


def _swap(old: Chip, new: Chip) -> Verb:
    """Return how one word leaves its place in the sentence, and another one takes it."""
    under = old.get_bottom()
    return Then(GoInto(old, under, QUICK), ComeFrom(new, under, QUICK, fit=False))
