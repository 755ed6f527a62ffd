"""Where the parameters live: weights stay while data flows, and weights are counted by products."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeAlias

import numpy as np
from manim import Circle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.parameter_counts import GROUPS, gpt_3, ledger_of
from scenes.camera import WHOLE, place_inside
from scenes.film import Film, Shown, beat
from scenes.mobjects.dots import Arrangement, Dots, disc, evenly, mixed, pitch_of_disc, scattered
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.ledger import Block, Table, dots_by_kind
from scenes.mobjects.marks import Ring
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    GAP,
    HAIR,
    HEADING_SIZE,
    PLAIN_SIZE,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
)
from scenes.verbs import (
    Appear,
    Become,
    Count,
    Dim,
    Disappear,
    Draw,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    TurnInto,
    Undim,
    Vary,
    Verb,
)


class WhereParametersLive(Film):
    """Weights make the model and data flows through it; a multiplication table counts weights."""

    title = "Where the parameters live"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 78
    poster_beat = "where-they-are"

    def words(self) -> Mapping[str, str]:
        """Say how many weights there are, and what share of them are tokens' vectors."""
        return {
            "mlps": "three" if "gate" in self.factors else "two",
            "total": f"{self.ours.total.number:,.0f}",
            "share": f"{100 * self.ours.shares['embeddings'].number:.0f} percent",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say whether a step of training is too much work, and whether an activation stays."""
        stays = any(self.activations.array == self.others.array)
        return {**super().circumstances(), "too_large": self.is_too_large, "nearly": stays}

    @beat(
        "GPT-3 has 175 billion parameters. | Where are they? | Here is a smaller model: "
        "| all its numbers, as it reads one sentence.",
        alone="GPT-3 has 175 billion parameters. | Where are they? | Here is a smaller model: "
        "| all its numbers, as it reads one word.",
    )
    def where_are_they(self) -> Shown:
        shades = [shade for each in self.clouds for shade in each.shades]
        yield Appear(self.question), Flow((Appear(shade, scale=1.0) for shade in shades), SLOW)
        yield Pulse(self.question[0], run_time=STEADY), *self._stand(0, 0.2)
        yield Disappear(self.question), *self._stand(0.2, 1)
        yield Flow(map(Appear, self.text.chips), STEADY), Appear(self.legend)

    @beat(
        "They look alike, but there are two kinds. | These it works out from the words: "
        "| activations. | These it brought along: | weights, its parameters."
    )
    def two_kinds(self) -> Shown:
        weights, computed = self.clouds
        yield Flow((Pulse(chip) for chip in self.text.chips), STEADY)
        yield tuple(self._stand(1, 2))
        yield Appear(self.computed_name), Pulse(computed.shades, run_time=STEADY)
        yield Pulse(weights.shades, scale=SLIGHTLY, run_time=STEADY)
        yield Appear(self.weights_name), Pulse(weights.shades, scale=SLIGHTLY, run_time=STEADY)

    @beat(
        "Now it reads something else: | every activation is new. | And the weights? "
        "| Not one has changed.",
        nearly="Now it reads something else: | almost every activation is new. | And the weights? "
        "| Not one has changed.",
    )
    def something_else(self) -> Shown:
        chips = Flow(map(TurnInto, self.text.chips, self.other.chips), STEADY)
        yield chips, Disappear(self.legend)
        computed = self.clouds[1]
        glow = Appear(self.new, computed.glow, scale=1.0)
        yield Vary(computed.tell, 0, 1, run_time=SLOW), Then(Hold(SLOW), glow)
        yield Draw(self.ring)
        yield Appear(self.same), Pulse(self.same, run_time=STEADY)

    @beat(
        "Only training moves them. | Take one: | after one more step of training, "
        "| it has moved by a hair. | So has every other.",
        too_large="Only training moves them, | a hair at each step. | Look at one: "
        "| it's a plain number, | like all the others.",
    )
    def one_step(self) -> Shown:
        weights, computed = self.clouds
        rest = (computed.shades, self.computed_name, self.other, self.weights_name)
        told = Disappear(self.ring, self.new, self.same, computed.glow)
        yield Dim(*rest, weights.shades), told, Appear(self.hero)
        into = self.travel_to(self.view.into(self.hero, self.stage))
        yield into, Disappear(*rest, run_time=STEADY), Then(Hold(STEADY), Appear(self.weight))
        yield Count(self.weight, self.after, SLOW), Pulse(self.weight, run_time=STEADY)
        yield Appear(self.moved), Then(Hold(), Pulse(self.moved))
        back = self.pull_back(), Disappear(self.weight, self.moved, self.hero)
        undim = Undim(weights.shades), Appear(self.weights_name)
        yield *back, *undim, Then(Hold(STEADY), Appear(weights.glow, scale=1.0, run_time=STEADY))

    @beat(
        "Weights stand in matrices, so we can count them: | a vector for each token, "
        "| four kinds in attention, | {mlps} in the MLP; | {total} in all."
    )
    def count_ours(self) -> Shown:
        weights, table = self.clouds[0], self.table
        away = Vary(weights.stand_at, 2, 3, run_time=SLOW), Disappear(self.weights_name)
        names = Flow((Appear(row.label) for row in table.rows if row.ours), STEADY)
        come = Then(Hold(), Together(names, Appear(table.names[0], table.line, table.total)))
        yield Disappear(weights.glow), *away, come
        for place, group in enumerate(GROUPS):
            fly = Vary(weights.stand_at, 3 + place / 4, 3 + (place + 1) / 4, run_time=SLOW)
            yield fly, Then(Hold(STEADY), table.fill_ours(group))

    @beat(
        "GPT-3 has the same list, | with longer vectors. | A query matrix is this large, "
        "| one for each head, | in every layer."
    )
    def the_same_list(self) -> Shown:
        weights, table = self.clouds[0], self.table
        away = Vary(weights.stand_at, 4, 5, run_time=SLOW)
        quiet = Dim(weights.shades, table.names[0])
        yield away, table.start_again(), Then(Hold(SLOW), quiet)
        yield table.fill(table.rows[0])
        for step in range(3):
            yield table.build(table.rows[1], step)

    @beat(
        "Keys, values and outputs: as much again, each. | The MLP's two: each four times as large. "
        "| Last, from vectors back to tokens: | it adds up."
    )
    def it_adds_up(self) -> Shown:
        table, rows = self.table, [row for row in self.table.rows if row.large]
        yield Then(map(table.fill, rows[2:5]))
        yield Then(map(table.fill, rows[5:7]))
        yield table.fill(rows[7])
        yield Appear(table.matrices), Pulse(table.total, run_time=STEADY)

    @beat(
        "So where are GPT-3's parameters? | A third in attention, | two thirds in the MLP, "
        "| and hardly any in its tokens' vectors. | In this small model, that's {share}."
    )
    def where_they_are(self) -> Shown:
        table, (large, ours), weights = self.table, self.blocks, self.clouds[0]
        gone = Disappear(*table.words(), table.line, table.matrices)
        bars = (Become(row.bar, large.full[row.kind], SLOW) for row in table.rows if row.large)
        total = MoveTo(table.total, large.total, scale=large.total.width / table.total.width)
        heads = (
            MoveTo(name, at) for name, at in zip(table.names, (ours.head, large.head), strict=True)
        )
        yield gone, Flow(bars), *heads, total, Vary(weights.stand_at, 5, 6, run_time=SLOW)
        for group in ("attention", "MLPs", "embeddings"):
            parts = [row.bar for row in table.rows if row.large and row.kind in GROUPS[group]]
            yield Appear(large.labels[group]), Pulse(*parts, scale=SLIGHTLY, run_time=STEADY)
        shares = Flow(map(Appear, reversed(ours.labels.values())), STEADY)
        yield Undim(weights.shades, table.names[0]), shares, Appear(ours.total)

    def cast(self) -> None:
        """Make both clouds, a weight from near by, the table, and the areas that it becomes."""
        traits, is_high = self.traits, self.stage.height > HIGH * self.stage.width
        rest = ["positions"] * traits.adds_positions + ["biases"] * bool(traits.biases) + ["norms"]
        self.table = Table(self.ours, self.large, self.stage, ", ".join(rest))
        parts = self.stage.rows(2) if is_high else self.stage.in_columns(2)
        sides = (LEFT, LEFT if is_high else RIGHT)
        areas = zip((self.large, self.ours), parts, sides, strict=True)
        self.blocks = [Block(*area) for area in areas]
        self._make_text()
        self._make_clouds()
        self._make_weight()
        self.stand(*self.clouds, self.question, self.legend, self.text, self.other, self.ring)
        self.stand(self.weights_name, self.computed_name, self.new, self.same)
        self.stand(self.hero, self.weight, self.moved, self.table, *self.blocks)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Draw one in so many numbers of both kinds: of this text, of another one, after a step."""
        self.other_ids = self._something_else()
        here, there = (_computed(self.sites_of(ids)) for ids in (self.trace.ids, self.other_ids))
        self.factors, self.computed = self.weight_factors(), len(here)
        total = len(here) + sum(map(prod, self.factors.values()))
        scales = (step * 10**power for power in range(12) for step in (1, 2, 5))
        self.every = next(every for every in scales if total <= MOST_DOTS * every)
        weights, stepped = self.weights_one_in(self.every), self.after_a_step(self.every)
        self.is_too_large = stepped is None
        return {
            "dots.weights": weights,
            "dots.stepped": weights if stepped is None else stepped,
            "dots.activations": here[:: self.every],
            "dots.others": there[:: self.every],
        }

    def _something_else(self) -> tuple[int, ...]:
        """Return the ids of another text of as many tokens that begins differently."""
        size = len(self.trace.ids)
        found = (tuple(self.tokenizer.encode(text)[:size]) for text in OTHERS)
        return next(ids for ids in found if len(ids) == size and ids[0] != self.trace.ids[0])

    def observe(self) -> None:
        """Take what is drawn, and count the weights of this model and of GPT-3."""
        self.weights, self.stepped, self.activations, self.others = (
            self.tensor(f"dots.{name}") for name in ("weights", "stepped", "activations", "others")
        )
        self.ours, self.large = ledger_of(self.factors), gpt_3()

    def small_print(self) -> Words:
        """Say how many layers the small model has."""
        layers = count(len(self.tensor("resid_post").array), "layers of the model")
        return Words("a model of {} layers", layers, size=PLAIN_SIZE, role=QUIET)

    def _make_text(self) -> None:
        """Make both texts, one in the place of the other, and the room under them."""
        lines = 2 if self.stage.is_narrow else 1
        strip = Region(
            self.stage.left, self.stage.right, self.stage.top - lines * TEXT_HIGH, self.stage.top
        )
        pieces = self.tokenizer.pieces(self.other_ids)
        self.text, self.other = (TokenRow(each, strip) for each in (self.tokens, pieces))
        each = count(self.every, "numbers of which one is drawn")
        self.legend = Words("each dot is one number in {:,.0f}", each, size=PLAIN_SIZE, role=QUIET)
        self.legend.move_to((self.stage.center[0], self.stage.bottom, 0), DOWN)
        self.room = self.stage.lowered(strip.height + HAIR).raised(LEGEND_HIGH)

    def _make_clouds(self) -> None:
        """Make the weights and the activations, in all arrangements, and their names."""
        room, dots = self.room, dots_by_kind(self.factors, self.every)
        number = Number(self.large.total, 0, QUESTION_SIZE)
        asked = Words("parameters in {}", "GPT-3", size=HEADING_SIZE)
        self.question = VGroup(number, asked).arrange(DOWN, buff=GAP)
        first, second = room.split(QUESTION_HIGH if room.is_narrow else QUESTION_WIDE)
        first.inset(GAP).fit(self.question)
        many = count(self.computed, "activations")
        self.weights_name = Words("{:,.0f} weights", self.ours.total, size=HEADING_SIZE)
        self.computed_name = Words("{:,.0f} activations", many, size=HEADING_SIZE)
        names, sizes = (
            (self.weights_name, self.computed_name),
            (len(self.weights), len(self.others)),
        )
        ways = [mixed(sizes, second), mixed(sizes, room), _parted(sizes, room, names)]
        weights, computed = ([way[place] for way in ways] for place in (0, 1))
        around = Circle(weights[2].reach).move_to((*weights[2].middle, 0.0))
        self.ring = Ring(around, HAIR)
        parked = self.table.parked(dots)
        weights += [parked, self.table.arrangement(dots), parked, self.blocks[1].arrangement(dots)]
        sets = (self.weights, self.stepped), (self.activations, self.others)
        mine, theirs = ([each.array for each in pair] for pair in sets)
        self.clouds = Dots(mine, weights), Dots(theirs, computed)
        changed = int((self.activations.array != self.others.array).sum()), 0
        self.new, self.same = (
            Words(
                "{:,.0f} of {:,.0f} dots changed",
                count(some, "dots whose number the other text changes"),
                count(size, "dots"),
                size=SPOKEN_SIZE,
                role=ACCENT,
            ).next_to(name, DOWN, buff=HAIR)
            for some, size, name in zip(changed, sizes[::-1], names[::-1], strict=True)
        )
        self.stage.hold(self.new)

    def _make_weight(self) -> None:
        """Make one dot as it is seen from near by: a weight in the midst that moves as most do."""
        cloud, way = self.clouds[0], self.clouds[0].ways[2]
        changes = np.abs(self.stepped.double - self.weights.double)
        inner = np.flatnonzero(np.linalg.norm(way.places - way.middle, axis=1) < way.reach / 2)
        place = int(inner[np.argmin(np.abs(changes[inner] - np.median(changes)))])
        value, self.after = self.weights[place].value, self.stepped[place].value
        fill, role = min(1.0, strength(value.number, cloud.largest)), hue(value.number)
        self.hero = Filled(discs(way.places[[place]], np.array([way.radius])), role, fill)
        change = self.after - value
        decimals = needed_decimals([value if self.is_too_large else change])
        self.weight = Number(value, decimals, QUESTION_SIZE)
        step = f"one step: {{:+.{decimals}f}}", change
        self.moved = Words(*(["a weight"] if self.is_too_large else step), size=HEADING_SIZE)
        lines = VGroup(self.weight, self.moved).arrange(DOWN, buff=GAP)
        under = theme.mix(theme.color(role), theme.color(BACKGROUND), fill)
        lines.set_color(theme.ink_on(under))
        seen = self.hero.width * WHOLE.into(self.hero, self.stage).zoom
        lines.scale(min(1.0, INSIDE * seen / lines.width)).move_to(self.stage.center)
        place_inside(lines, self.hero, self.stage)

    def _stand(self, start: float, end: float) -> list[Verb]:
        return [Vary(each.stand_at, start, end, run_time=SLOW) for each in self.clouds]


Floats: TypeAlias = NDArray[np.float64]

OTHERS = (
    "one day a small bird sang to us in the garden, and the king gave it a golden apple",
    "my old dog slept all day by the warm fire, and the cats ran out into the rain",
)
COPIES = {"embed", "pos_embed", "resid_pre", "masked", "head_out", "turns"}  # told elsewhere
PAIRS = {"dot_products", "scores", "pattern"}
MOST_DOTS = 1200
QUESTION_SIZE = 1.6 * HEADING_SIZE
QUESTION_WIDE, QUESTION_HIGH = 0.46, 0.25  # of the room, for the question
HIGH = 1.3  # of the stage's width, where what else stands side by side is stacked
PARTED = 0.58  # of the room, for the weights
TEXT_HIGH, LEGEND_HIGH, NAME_HIGH = 0.75, 0.5, 1.0  # scene units
NEAR_ITS_CLOUD, IN_THE_MIDDLE = 0.4, 0.55  # of a name's room, from above, its middle
INSIDE = 0.78  # of a dot's diameter, for what stands in it
SLIGHTLY = 1.03  # times as large


def _parted(
    sizes: Sequence[int], room: Region, names: Sequence[Words]
) -> tuple[Arrangement, Arrangement]:
    """Return where two kinds of dots stand in two discs to one scale, each over its name."""
    parts = [part.raised(NAME_HIGH) for part in room.parts(PARTED)]
    fitting = zip(sizes, parts, strict=True)
    pitch = min(pitch_of_disc(size, min(part.width, part.height)) for size, part in fitting)
    lower = NEAR_ITS_CLOUD if parts[0].bottom > parts[1].bottom else IN_THE_MIDDLE
    found = []
    for size, part, name in zip(sizes, parts, names, strict=True):
        name.shrink_to(part.width - GAP).move_to(part.center).shift(
            (part.bottom - lower * NAME_HIGH - part.center[1]) * UP
        )
        places = disc(size, part.center, pitch)
        found.append(evenly(places[np.argsort(scattered(size))], pitch))
    return found[0], found[1]


def _computed(sites: Mapping[str, Array]) -> Array:
    """Return all numbers that a pass works out, each once, that another text could change.

    Left out are copies, pairs that the mask closes, and what the first token gives to itself.
    """
    is_open = np.tril(np.ones((len(sites["logits"]),) * 2, dtype=bool))
    found = [sites["resid_pre"][0].ravel()]
    for name, array in sites.items():
        if name in PAIRS:
            is_open[0, 0] = name != "pattern"
            found.append(array[:, :, is_open].ravel())
        elif name not in COPIES:
            found.append(array.ravel())
    return np.concatenate(found)
