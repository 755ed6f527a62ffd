"""Build a block, stack the blocks: how a change of one word travels through a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
from manim import Line, SurroundingRectangle, VGroup
from manim.constants import DOWN, LEFT, PI, RIGHT, UP

from scenes import theme
from scenes.analysis.selection import alike, telling_places, word_like
from scenes.figures.block import Block, numbers
from scenes.figures.tower import SOURCE, Tower, layers_drawn
from scenes.film import TWO_TOKENS, Film, Shown, beat
from scenes.mobjects.bars import percentage, said_percentage
from scenes.mobjects.guesses import Readings
from scenes.mobjects.text import Words, called, called_aloud, em_of, label_of, sign_name
from scenes.mobjects.tokens import Chip, TokenRow, cut_to
from scenes.provenance import Array, Value, count, length, subtracted
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
    THIN_LINE,
    TITLE_SIZE,
)
from scenes.verbs import (
    Appear,
    ComeFrom,
    Dim,
    Disappear,
    Draw,
    Flow,
    GoInto,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    TurnInto,
    Undim,
    Verb,
)

ALIKE = 40  # tokens that are looked at, for one that may take a word's place
NAMED, HEAD = 0.14, 0.9  # of the stage, blocks' names; scene units, what stands over guesses
NARROW_NAMED = 0.22  # of a narrow stage's width, blocks' names
LABELS, TURNED = 1.85, 0.55  # scene units beside columns, for names of parts; on end
OVER, TOLD = 0.85, 1.9  # scene units: over the last column, for what is answered; beside it
BODY = 0.6, 0.25  # scene units, a column, until it comes to where it is read
LARGER, LARGEST = 1.4, 1.7  # times as large as a title, text and answer; what is expected first
BEGUN = 0.02  # of the widest way, what is drawn at least before it turns
LEAST_NAMED = 1.1  # scene units, the longer name on end


class BuildABlock(Film):
    """Attention is the only step sideways, MLPs work in place, and a block can be repeated."""

    title = "Build a block, stack the blocks"
    prompt = "The king loved his wife, the"
    seconds = 109
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
        self.new, before = self.piece(self.new_id), [float(each) for each in self.changes[-3]]
        self.source = int((self.pattern[-1, -1] * before)[:-1].argmax())  # of most, in the end

    def words(self) -> Mapping[str, str]:
        """Name both words, the last one, how much it changes, and what is guessed of both texts."""
        (one, _), (other, chance) = (guesses[-1] for guesses in self.guesses)
        given, early = (token.strip().casefold() for token in self.tokens), self.guesses[0][0][0]
        end, swapped = f"but {called_aloud(other)} with {{}}", f"and it's {called_aloud(other)}"
        if one == other:
            end = "and with {}, too"
            swapped = f"and it's still {called_aloud(other)}, but with {said_percentage(chance)}"
        return {
            "end": end.format(called(self.new)),
            "repeated": ", it only repeats" * (early.strip().casefold() in given),
            "near": said_percentage(self.changes[2][-1]),
            "far": said_percentage(self.changes[-1][-1]),
            "whence": self._whence(),
            "swapped": swapped,
            "old": self.name_of(self.place),
            "new": called(self.new),
            "blocks": str(self.layers),
            "early": called_aloud(early),
            "guess": called_aloud(one),
            "other": called_aloud(other),
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
        told = Draw(*self.leads, run_time=QUICK), Appear(queen)
        yield Flow(map(Appear, line), QUICK), Then(Hold(QUICK), *told)
        yield Together(Disappear(queen), Then(Hold(QUICK / 2), _swap(line[place], self.large_chip)))
        yield Then(Appear(princess), Pulse(princess))
        large, small = [*line], [*first.chips]
        large[place], small[place] = self.large_chip, self.chip
        gone = Disappear(*self.leads, run_time=QUICK / 2)
        down = Together(*map(TurnInto, large, small), MoveTo(self.mark, self.over, fit=True), gone)
        columns = Then(Hold(QUICK), Flow(map(Appear, first.nodes[0]), QUICK))
        asked = Disappear(princess, run_time=QUICK / 2), Appear(self.mark), Pulse(self.mark)
        yield Then(*asked, Together(down, columns))
        changed, ways = first.glows(0), Flow(map(Draw, first.streams), STEADY)
        yield Then(ways, Appear(*changed), Pulse(*changed))

    @beat(
        "So build a way. First, attention: | each column takes from those up to itself, "
        "| and adds that to its own. | The change goes sideways, | and never to the left."
    )
    def sideways(self) -> Shown:
        first, place, label = self.first, self.place, self.labels[0]
        own = zip(first.risen, first.nodes[0], first.nodes[1], strict=True)
        yield Appear(first.bands[0], scale=1.0), Then(Appear(label), Pulse(label))
        yield first.look()
        risen = (Then(ComeFrom(up, low), TurnInto(up, new, QUICK)) for up, low, new in own)
        yield Flow(map(Appear, first.pluses[0]), QUICK), Flow(risen, STEADY)
        lit = Flow(map(Draw, first.lit[::-1]), STEADY)
        spread = Then(Hold(), Flow(map(Appear, first.glows(1))))
        yield Disappear(*first.looks[-1]), lit, spread
        left = zip(first.chips, first.nodes[1][: max(place, 1)], strict=False)
        yield Flow((Pulse(*column, scale=1.25) for column in left), STEADY)

    @beat(
        "Attention brings numbers from other columns. | An MLP makes new ones: "
        "| each column goes through by itself, | and what comes out is added."
    )
    def by_itself(self) -> Shown:
        first, label, (*others, last) = self.first, self.labels[1], range(len(self.tokens))
        pink = *first.lit, *chain(*map(first.glows, range(2)))
        apart = Dim(self.labels[0], first.bands[0], *first.below())
        yield Disappear(*pink, run_time=QUICK), Pulse(self.labels[0]), Then(Hold(), apart)
        ways = Together(Flow(map(Appear, first.boxes), STEADY), Flow(map(Draw, first.ways), STEADY))
        yield Appear(first.bands[1], scale=1.0), Then(Together(Appear(label), Pulse(label)), ways)
        yield Then(first.enter(last), Pulse(first.added[last], scale=1.25))
        alike = (Then(first.enter(each), first.add_up(each)) for each in others)
        yield Then(first.add_up(last), Hold(QUICK), Together(alike))

    @beat(
        "And the change? | Attention has spread it. | Now it goes straight up: "
        "each MLP works on its own column alone."
    )
    def straight_up(self) -> Shown:
        first = self.first
        lit = Undim(self.labels[0], first.bands[0], *first.below())
        yield lit, Appear(*first.glows(0))
        spread = Then(Hold(QUICK), Flow(map(Appear, first.glows(1))))
        yield Flow(map(Draw, first.lit[::-1]), STEADY), spread
        yield first.work(SLOW), Then(Hold(STEADY), Appear(*first.glows(2), scale=1.0))

    @beat(
        "Both steps together are a block. | What comes out has the shape of what went in: "
        "| so another block, with weights of its own, stands on it, | and so on: {blocks} in all.",
        single="Both steps together are a block. | What comes out has the shape of what went in: "
        "| so another block could stand on it. | This model has one.",
    )
    def copies(self) -> Shown:
        first, tower, (came, _, out) = self.first, self.tower, self.first.nodes
        pink = *first.lit, *first.taken, *chain(*map(first.glows, range(3)))
        between = *first.nodes[1], *first.pluses[0], *first.pluses[1], *first.added
        yield Disappear(*pink), first.rest(), Then(Draw(first.ground), Appear(self.named))
        leave = Disappear(self.named), Dim(*first.inside(), *between, *self.labels)
        yield *leave, Then(map(Draw, reversed(self.frames)))
        small = first.becomes(tower, self.place), TurnInto(self.chip, self.small_chip)
        pairs = zip([*self.labels, *out], [*tower.names, *self.next_in], strict=True)
        along = MoveTo(self.mark, self.asked), *(MoveTo(*pair, fit=True) for pair in pairs)
        gone = Disappear(*self.frames, *between, *came, *out * (self.layers == 1))
        ready = Together(Undim(*first.inside(), *self.labels), gone), Together(*small, *along)
        named = Together(tower.go(HAIR, named=1.0), Disappear(*self.labels, run_time=HAIR))
        second = Together(tower.go(blocks=min(2, len(self.drawn))), Disappear(*out))
        yield Then(*ready, named, tower.go(owned=1.0), second)
        yield Then(tower.go(blocks=each) for each in range(3, len(self.drawn) + 1))

    @beat(
        "Put {new} in place of {old} again: | what changes turns pink. | Attention takes it "
        "sideways, | each MLP works on it: the last column has changed by {near} of its length."
    )
    def watch_it_spread(self) -> Shown:
        tower, old = self.tower, self.tower.chips[self.place]
        swapped = _swap(self.small_chip, old), _swap(old, self.small_chip)
        yield Then(tower.go(QUICK, owned=0.0), *swapped)
        yield tower.go(flow=SOURCE)
        yield tower.go(SLOW, flow=1), Pulse(tower.names[0])
        told = Appear(self.topic), Pulse(tower.told[0], scale=1.2)
        yield Then(Together(tower.go(SLOW, flow=2), Pulse(tower.names[1])), *told)

    @beat(
        "What has changed stays changed: the wider the pink, the more. | A line shows where the "
        "last column takes most of it. | {whence}, that column has changed by {far}.",
        fading="Each block above adds to both, | with either word. "
        "| After the last block, the last column differs by {far}.",
        single="This model has one block; | another | would take the change on.",
    )
    def further_up(self) -> Shown:
        topic, on = Pulse(self.topic), [*map(self._carry_on, range(1, len(self.drawn)))]
        yield Then(topic, *on[:1])
        yield Then(*on[1:-1] or [topic])
        yield Then(self._point_at_source(), *on[1:][-1:], Pulse(self.tower.told[-1], scale=1.2))

    @beat(
        "What would it guess if it stopped after each block? | At first{repeated} {early}, with "
        "either word. | Then the two part: | {guess} with {old}, | {other} with {new}.",
        single="What does it guess? Read its last column, | once with | each word: "
        "| {guess} with {old}, | {end}.",
        apart="What would it guess if it stopped after each block? | Read its last column from "
        "below, | once with each word. | In the end, {guess} with {old}, | {end}.",
    )
    def two_guesses(self) -> Shown:
        tower, rows, (old, new) = self.tower, range(len(self.told)), self.readings
        unlike = [self.guesses[0][i][0] != self.guesses[1][i][0] for i in self.layers_told]
        half = next((row for row in rows if row and unlike[row]), len(rows) // 2)
        told = self.small_chip, self.mark, self.topic, *tower.chips
        rows_come = Flow(map(Appear, chain(*zip(self.names, old.bodies, new.bodies, strict=True))))
        leave = Together(Disappear(*told), tower.go(QUICK, light=0.0))
        yield leave, Then(Hold(QUICK / 2), Appear(*self.legend), rows_come)
        both = [Together(old.say(row), new.say(row)) for row in rows]
        yield Flow(both[:half])
        yield Flow(both[half:-1])
        yield old.say(rows[-1])
        yield Then(new.say(rows[-1]), Pulse(new.gauges[-1].word))

    @beat(
        "So how does the last word find out? | Follow the strongest way: | attention takes it "
        "sideways, an MLP works on it, | and the last column ends on {other}."
    )
    def it_finds_out(self) -> Shown:
        tower, (old, new), (leaves, arrives) = self.tower, self.readings, self.tower.route.turns
        read = *self.legend, *self.names, old, new
        again = tower.go(HAIR, beside=float(tower.route.layer), flow=0.0, told=0.0, owned=1.0)
        chips = *tower.chips[: self.place], self.small_chip, *tower.chips[self.place + 1 :]
        seen = tower.go(QUICK, light=1.0), Appear(*chips, self.mark, scale=1.0)
        yield Disappear(*read, run_time=QUICK / 2), Then(again, Together(*seen), Pulse(self.mark))
        yield Then(Pulse(self.small_chip), tower.go(route=max(leaves, BEGUN)))
        attention, mlp = map(Pulse, tower.names)
        yield tower.go(SLOW, route=arrives), Then(attention, Hold(QUICK), mlp)
        answered = Together(Disappear(self.mark), ComeFrom(self.answer, self.mark)), Hold(STEADY)
        yield Then(tower.go(SLOW, route=1.0), *answered)

    def cast(self) -> None:
        """Make the block, the tower, the other word, and what each block guesses."""
        stage = self.stage
        changes = np.array([[float(change) for change in row] for row in self.changes])
        area = stage.lowered(OVER).narrowed(TURNED if stage.is_narrow else LABELS, TOLD)
        steps = np.array([[2 * layer, 2 * layer + 1, 2 * layer + 2] for layer in self.drawn])
        if self.skipped is not None:
            steps[self.skipped, 0] = steps[self.skipped - 1, 2]
        parts = self.tokens, self.pattern[self.drawn], changes[steps]
        self.tower = tower = Tower(*parts, area, skipped=self.skipped)
        room = stage.narrowed(TURNED, TURNED).lowered(OVER) if stage.is_narrow else area
        vectors = self.swapped.array[:3]
        self.first = first = Block(self.tokens, vectors, self.pattern[0], changes[:3], room)
        self.chip, self.small_chip = (self._other(each) for each in (first, tower))
        self._make_labels()
        self._make_line()
        self._make_beside()
        self._make_guesses()
        self.stand(*self.line, self.large_chip, first, self.chip, self.mark, tower)
        self.stand(self.small_chip, self.answer, *self.labels, self.named, *self.leads)
        self.stand(*self.expected, *self.legend, *self.names, self.topic)
        self.stand(*self.frames, *self.readings)

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

    def _other(self, tower: Tower | Block) -> Chip:
        """Return the chip of the other word, in the place of the one that it is swapped for."""
        chip, old = Chip(self.new, SPOKEN_SIZE), tower.chips[self.place]
        size, room = old.height / chip.height, (tower.pitch - HAIR) / chip.width
        if tower.is_upright:
            size = old.width / chip.rotate(PI / 2).width
            room = min(1.9, 2 * (float(old.get_y()) - self.stage.bottom)) / chip.height
        for each in tower.chips:  # all words are equally large
            each.scale(min(1.0, room / size))
        return chip.scale(min(size, room)).move_to(old)

    def _make_labels(self) -> None:
        """Name the parts of a block and the question, and frame what goes in and comes out."""
        first, room, is_narrow = self.first, self.stage, self.stage.is_narrow
        left = float(first.ground.get_left()[0]) - (HAIR if is_narrow else GAP)
        self.labels = _steps(SPOKEN_SIZE, np.inf if is_narrow else left - self.stage.left)
        for name, band in zip(self.labels, first.bands, strict=True):
            name.rotate(PI / 2 * is_narrow).move_to((left, float(band.get_y()), 0), RIGHT)
        self.named = Words("one block", size=SPOKEN_SIZE).rotate(PI / 2 * is_narrow)
        _shrink([self.named], (TURNED if is_narrow else TOLD) - HAIR)
        self.named.next_to(first.ground, RIGHT, buff=HAIR)
        self.mark, self.over, self.asked = (Words("?", size=HEADING_SIZE) for _ in range(3))
        for mark, tower in ((self.over, first), (self.asked, self.tower)):
            mark.move_to((tower.xs[-1], room.top - OVER / 2, 0))
        came, _, out = (VGroup(*row) for row in first.nodes)
        ink, rows = theme.color(INK), (came, out)
        self.frames = [SurroundingRectangle(row, color=ink, buff=HAIR / 2) for row in rows]
        self.next_in, share = [node.copy() for node in out], self.tower.pitch / first.pitch
        y = self.tower.floors[1] + HAIR + out.height / 2  # on the first block of all
        for x, node in zip(self.tower.xs, self.next_in, strict=True):
            node.scale(share).move_to((x, y, 0))

    def _make_line(self) -> None:
        """Set the text large, with room for either word; what is expected stands over its end."""
        texts, pieces = (self.tokens[self.place], self.new), [*self.tokens]
        pieces[self.place] = max(texts, key=lambda text: Chip(text, TITLE_SIZE).width)
        row = TokenRow(pieces, self.stage.lowered(2 * OVER), largest=LARGER * TITLE_SIZE)
        self.line, over = row.chips, 2.5 * OVER * UP
        chips = (Chip(text, row.size).move_to(self.line[self.place]) for text in texts)
        self.line[self.place], self.large_chip = chips
        self.expected = [self._expected(which).scale(LARGEST) for which in (0, 1)]
        self.answer = self._expected(1).scale(LARGER).move_to(self.asked)
        end = np.array((float(self.line[-1].get_x()), float(row.get_top()[1]), 0.0))
        for each in (self.answer, *(words.move_to(end + over) for words in self.expected)):
            self.stage.narrowed(GAP, 2 * GAP).hold(each)
        self.mark.scale(LARGEST).move_to(end + over)
        lead = Line(end + HAIR * UP, end + over - 0.6 * OVER * UP, color=theme.color(QUIET))
        self.leads = [lead] * (row.lines == 1)

    def _make_beside(self) -> None:
        """Make what stands beside the tower: names of steps, and how much the last has changed."""
        tower, is_narrow = self.tower, self.stage.is_narrow
        self.told = [row for row in range(len(self.drawn)) if row != self.skipped]
        self.layers_told = [self.drawn[row] for row in self.told]
        room = max(LEAST_NAMED, 0.46 * (tower.top - tower.foot) / len(self.drawn))
        names = _steps(SPOKEN_SIZE, room if is_narrow else LABELS - GAP)
        beside = [self._told(row) for row in range(len(self.drawn))]
        self.topic = Words("change", size=SPOKEN_SIZE, role=ACCENT)
        _shrink([self.topic], TOLD - GAP)
        at = tower.middle + tower.span / 2 + GAP, float(self.asked.get_y()), 0
        self.topic.move_to(at, LEFT)
        owns = [VGroup(*_shrink([_named(layer)], TOLD - GAP)) for layer in self.drawn]
        tower.ride([name.rotate(PI / 2 * is_narrow) for name in names], beside, owns)

    def _make_guesses(self) -> None:
        """Make a row for each block: the last column with either word, and what it would guess."""
        stage, ends = self.stage, self.told
        named, area = stage.columns(NARROW_NAMED if stage.is_narrow else NAMED)
        rows, columns = area.lowered(HEAD).rows(len(ends))[::-1], area.in_columns(2)
        self.names = list(map(_named, self.layers_told))
        texts = self.tokens[self.place], self.new
        self.legend = [Words("with {}", label_of(text), size=TITLE_SIZE) for text in texts]
        self.legend[1].set_role(ACCENT)
        for words, column in zip(
            _shrink(self.legend, columns[0].width - GAP), columns, strict=True
        ):
            words.move_to((column.left, area.top - em_of(TITLE_SIZE) / 2, 0), LEFT)
        for name, row in zip(_shrink(self.names, named.width - HAIR), rows, strict=True):
            name.move_to((named.left, row.center[1], 0), LEFT)
        steps = [2 * layer + 2 for layer in self.layers_told]
        bodies = [
            [numbers(stream.array[step, -1], BODY) for step in steps]
            for stream in (self.stream, self.swapped)
        ]
        for body in bodies[1]:
            rim = SurroundingRectangle(body, color=theme.color(ACCENT), buff=0.0)
            body.add(rim.set_stroke(width=THIN_LINE))
        bets = [[(shown(own[i][0]), own[i][1]) for i in self.layers_told] for own in self.guesses]
        among = [text for text, _ in chain(*bets)]
        rooms = [
            [replace(row, left=column.left, right=column.right - 2 * GAP) for row in rows]
            for column in columns
        ]
        given = zip(bodies, bets, rooms, (INK, ACCENT), strict=True)
        self.readings = [Readings(*each, among) for each in given]

    def _expected(self, which: int) -> VGroup:
        """Make what is expected of one of both texts."""
        piece, chance = self.guesses[which][-1]
        role = (INK, ACCENT)[which]
        word = cut_to(shown(piece), TITLE_SIZE, self.stage.width / 4)
        share = percentage(chance, SPOKEN_SIZE).set_role(role)
        share.next_to(word.set_fill(theme.color(role)), RIGHT)
        share.shift(share.baseline * DOWN)
        return VGroup(word.shift(word.baseline * DOWN), share)

    def _told(self, row: int) -> VGroup:
        """Return how much the last column has changed after a block, or how many are left out."""
        if row == self.skipped:
            more = count(self.layers - len(self.drawn) + 1, "blocks that are not drawn")
            words = [Words("{} more", more, size=SPOKEN_SIZE, role=QUIET)]
        else:
            share = percentage(self.changes[2 * self.drawn[row] + 2][-1], HEADING_SIZE)
            words = [share.set_role(ACCENT)]
        return VGroup(*_shrink(words, TOLD - GAP))

    def _whence(self) -> str:
        """Say from where the last block takes most, if not from the word that is swapped."""
        late = f"In the last block, most comes from {self.name_of(self.source)}; after it"
        return late if self.source != self.place else "After the last block"

    def _point_at_source(self) -> Verb:
        """Return how that word is pointed at."""
        is_new = self.source == self.place
        return Pulse(self.small_chip if is_new else self.tower.chips[self.source])

    def _carry_on(self, row: int) -> Verb:
        """Return how the change goes on through a block, which the steps' names go along with."""
        if row == self.skipped:
            return self.tower.go(SLOW / 2, flow=2.0 * row + 2)
        on = self.tower.go(SLOW / 2, beside=float(row), flow=2.0 * row + SOURCE)
        return Then(on, self.tower.go(SLOW, flow=2.0 * row + 2))


def _steps(size: float, width: float) -> list[Words]:
    """Return the names of a block's two steps."""
    told = ("attention", theme.VALUE), ("MLP", theme.OUTPUT)
    return _shrink([Words(name, size=size, role=role) for name, role in told], width)


def _named(layer: int) -> Words:
    """Return the name of a block."""
    blocks = count(layer + 1, "blocks up to here")
    return Words("block {}", blocks, size=SPOKEN_SIZE, role=QUIET)


def _shrink(words: Sequence[Words], width: float) -> list[Words]:
    """Set words equally small, so that all fit a width, and return them."""
    share = min(1.0, *(width / each.width for each in words))
    return [each.scale(share) for each in words]


def _swap(old: Chip, new: Chip) -> Verb:
    """Return how one word leaves its place in the sentence, and another one takes it."""
    under = old.get_bottom()
    return Then(GoInto(old, under, QUICK), ComeFrom(new, under, QUICK, fit=False))


def shown(piece: str) -> str:
    """Return how a guess is written: as it is, or by its name where hardly any ink is in it."""
    return sign_name(piece) or piece
