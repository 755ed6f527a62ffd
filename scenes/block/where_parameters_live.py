"""Where the parameters live: weights stay while data flows, and matrices to scale count them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import prod
from typing import TypeAlias

import numpy as np
from manim import Circle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D
from manim.utils.rate_functions import linear
from numpy.typing import NDArray

from scenes import theme
from scenes.analysis.parameter_counts import REST, gpt_3, ledger_of
from scenes.camera import WHOLE, View, pin, place_inside
from scenes.figures.dots import FILLED, Body, Dots, closed, mixed, parted, sent
from scenes.figures.enlargement import Columns, Enlargement
from scenes.figures.growth import Growth
from scenes.figures.ledger import SLIM, Shares, Sum, dots_by_kind, shape_of
from scenes.film import Film, Shown, beat
from scenes.mobjects.fit import needed_decimals
from scenes.mobjects.outlines import Filled, discs
from scenes.mobjects.signs import hue, strength
from scenes.mobjects.text import Number, Words
from scenes.mobjects.tokens import TokenRow
from scenes.provenance import Array, constant, count
from scenes.region import Region
from scenes.theme import (
    ACCENT,
    BACKGROUND,
    BOLD_LINE,
    FAINTEST_FILL,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    NEGATIVE,
    PLAIN_SIZE,
    POSITIVE,
    QUICK,
    QUIET,
    SLOW,
    SPOKEN_SIZE,
    STEADY,
)
from scenes.verbs import (
    Appear,
    Count,
    Dim,
    Disappear,
    Draw,
    Fade,
    Flow,
    Hold,
    MoveTo,
    Pulse,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
)


class WhereParametersLive(Film):
    """Weights make the model and data flows through it; matrices drawn to scale count weights."""

    title = "Where the parameters live"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 116
    poster_beat = "where-they-are"

    def words(self) -> Mapping[str, str]:
        """Say how many weights there are, and what share of them are tokens' vectors."""
        rows, columns, heads, blocks = self.published.factors["query"]
        matrix = "larger than the whole small model", "a million and a half numbers"
        return {
            "text": "word" if len(self.tokens) == 1 else "sentence",
            "compared": matrix[self.ours.total.number > (rows * columns).number],
            "alike": _alike(self.factors, self.traits.sharing),
            "nearly": _so_many(self.activations.array != self.others.array),
            "every_other": _every_other(self.weights.array != self.stepped.array),
            "mlps": "Three" if "gate" in self.factors else "Two",
            "tables": "Two tables" if self.has_two_tables else "One table",
            "heads": f"{heads.number:.0f}",
            "blocks": f"{blocks.number:.0f}",
            "share": f"{100 * self.ours.shares['embeddings'].number:.0f} percent",
        }

    def circumstances(self) -> Mapping[str, bool]:
        """Say what is too much work, and whether an activation stays."""
        return {
            **super().circumstances(),
            "too_large": self.is_too_large,
            "nearly": any(self.activations.array == self.others.array),
        }

    @beat("GPT-3 has 175 billion parameters. | Where are they?")
    def where_are_they(self) -> Shown:
        many = Count(self.counted, self.published.total, SLOW)
        asked = Then(Hold(STEADY), Together(Fade(self.question, to=1.0), many))
        yield Vary(self.giant.grow, 0, 1, SLOW), asked
        yield Then(Pulse(self.question), Hold())

    @beat(
        "Here is a smaller model, | a sample of its numbers: | blue above zero, orange below. "
        "| It reads one {text}, | and works out more numbers: grey."
    )
    def a_smaller_model(self) -> Shown:
        weights, computed = self.clouds
        far = Appear(weights.shades, scale=1.0, run_time=HAIR), self.travel_to(WHOLE, QUICK)
        near = Then(Together(far), Pulse(weights.shades, scale=SLIGHTLY))
        yield Disappear(self.question, self.giant, run_time=QUICK), near
        yield Appear(self.legend[0])
        yield Pulse(weights.shades, scale=SLIGHTLY)
        yield Flow(map(Appear, self.text.chips), STEADY)
        room = Appear(computed.shades, scale=1.0), Vary(weights.stand_at, 0, 1, SLOW)
        come = Together(*room, Vary(computed.stand_at, 0, 1, SLOW), Appear(self.legend[1]))
        yield Then(come, Dim(weights.shades))

    @beat(
        "Its numbers are of two kinds. | These it works out from the words: "
        "| activations. | These it brought along: | weights, its parameters."
    )
    def two_kinds(self) -> Shown:
        weights, computed = self.clouds
        yield Undim(weights.shades), Together(Vary(x.stand_at, 1, 2, SLOW) for x in self.clouds)
        chips = Flow((Pulse(chip) for chip in self.text.chips), STEADY)
        back = Vary(computed.stand_at, 2, 3, STEADY)  # to the words that they came from
        yield Then(back, Together(chips, Vary(computed.stand_at, 3, 2, SLOW)))
        yield Appear(self.computed_name), Pulse(computed.shades, run_time=STEADY)
        yield Pulse(weights.shades, scale=SLIGHTLY, run_time=STEADY)
        yield Appear(self.weights_name), Pulse(weights.shades, scale=SLIGHTLY, run_time=STEADY)

    @beat(
        "It reads another text: | every activation is new. | And the weights? "
        "| Not one has changed.",
        nearly="It reads another text: | {nearly} new. | And the weights? | Not one has changed.",
    )
    def something_else(self) -> Shown:
        weights, computed = self.clouds
        words = Then(Disappear(self.text), Flow(map(Appear, self.other.chips), STEADY))
        yield Disappear(self.legend), words
        yield Vary(computed.tell, 0, 1, SLOW, linear), Then(Hold(), Appear(self.new))
        yield Draw(self.ring), Pulse(weights.shades, scale=SLIGHTLY, run_time=STEADY)
        yield Appear(self.same), Then(Hold(), Pulse(self.same))

    @beat(
        "Only training moves them. | Take one: | after one more step, | it has moved by a hair. "
        "| So has {every_other}.",
        too_large="Only training moves them, | a hair at each step. | Look at one: "
        "| it's a plain number, | like all the others.",
    )
    def one_step(self) -> Shown:
        weights, computed = self.clouds
        theirs = computed.shades, self.computed_name, self.other, self.new
        yield Dim(*theirs), Disappear(self.same), Pulse(weights.shades, scale=SLIGHTLY)
        taken = MoveTo(self.ring, self.hero, fit=True), Appear(self.hero)
        into = self.travel_to(self.view.into(self.hero, self.stage)), Disappear(self.ring)
        near = *into, Dim(weights.shades), Disappear(*theirs, self.weights_name)
        yield Then(*map(Together, (taken, near))), Then(Hold(SLOW), Appear(self.weight))
        yield Count(self.weight, self.after, SLOW), Pulse(self.weight, run_time=STEADY)
        yield Appear(self.moved), Then(Hold(), Pulse(self.moved))
        back = self.travel_to(WHOLE.into(VGroup(weights.shades, self.weights_name), self.stage))
        told = [] if self.is_too_large else [Then(Hold(), Appear(self.stirred))]
        lit = Undim(weights.shades), Appear(weights.glow, scale=1.0, run_time=STEADY)
        yield back, Disappear(self.weight, self.moved, self.hero), *lit, *told

    @beat(
        "Weights stand in matrices. | {mlps} kinds work on each word alone, one of each in every "
        "layer: the MLP. | Four let words look at one another: attention."
    )
    def in_matrices(self) -> Shown:
        sort = Vary(self.clouds[0].stand_at, 2, 3, run_time=SLOW)
        head = Then(Hold(STEADY), Appear(self.mine.head))
        yield self.pull_back(), Disappear(self.clouds[0].glow, self.stirred), sort, head
        yield self._fill("MLPs")
        yield self._fill("attention")

    @beat("{tables} of tokens' vectors, for in and out: embeddings. | And the rest. | All in all?")
    def count_ours(self) -> Shown:
        yield self._fill("embeddings")
        yield Disappear(self.clouds[0].shades), self._fill(REST)
        yield Draw(self.sum.line), Then(Appear(self.sum.total), Pulse(self.sum.total))

    @beat("GPT-3 has {alike}, | with longer vectors. One query matrix is | {compared}.")
    def one_matrix(self) -> Shown:
        gpt_3 = self.gpt_3
        yield Flow((Pulse(row[0]) for row in self.sum.rows.values()), STEADY)
        gone = Disappear(self.sum, self.mine.head), self.travel_to(gpt_3.views[0])
        yield Then(Together(*gone), gpt_3.draw_matrix())
        yield Appear(gpt_3.small), Then(Hold(), Pulse(gpt_3.compared))

    @beat(
        "A layer, or block, looks in {heads} ways at once, its heads: one query matrix for each. "
        "| And there are {blocks} blocks."
    )
    def of_every_head(self) -> Shown:
        gpt_3 = self.gpt_3
        compared = Disappear(gpt_3.small, gpt_3.compared, self.areas, run_time=QUICK / 2)
        yield Then(compared, self.travel_to(gpt_3.views[1], QUICK), gpt_3.add_heads())
        yield self.travel_to(gpt_3.views[2], STEADY), gpt_3.add_layers()

    @beat(
        "Keys, values, outputs: | each takes as much again. "
        "| The MLP's two matrices: each as large as all these. | Then embeddings, "
        "counted once for words in, and once for words out. | All in all: 175 billion."
    )
    def it_adds_up(self) -> Shown:
        gpt_3, table = self.gpt_3, self.gpt_3.table
        gone = Disappear(*gpt_3.factors, run_time=QUICK)
        come = Together(self.travel_to(gpt_3.views[3], STEADY), gpt_3.close())
        told = table.rows["attention"][0], gpt_3.names["query"], gpt_3.said.head
        yield Then(gone, come, Appear(*told))
        yield gpt_3.grow("key", "value", "output")
        mlps, few = Appear(table.rows["MLPs"]), Appear(table.rows["embeddings"])
        yield Then(gpt_3.grow("up", "down"), mlps)
        yield Draw(gpt_3.mark), Then(gpt_3.grow("embedding", "unembedding"), few)
        all_in_all = table.total, table.units[-1]
        sums = Then(Appear(*all_in_all), Pulse(*all_in_all))
        yield Disappear(gpt_3.mark), Draw(table.line), sums

    @beat(
        "So few embeddings? | With vectors twice as long, their table doubles. "
        "| A matrix takes one vector in, and gives one out: it grows in height and in width, "
        "fourfold. | So matrices outgrow the table."
    )
    def both_ways(self) -> Shown:
        grown, gpt_3 = self.growth, self.gpt_3
        yield Disappear(gpt_3.table, run_time=QUICK / 2), Dim(gpt_3.areas), Draw(gpt_3.mark)
        few = gpt_3.areas.cells["embedding"]
        yield Then(Together(gpt_3.leave(), grown.table_comes(few)), grown.double(0))
        yield Then(grown.square_comes(), grown.double(1))
        yield Flow(map(Pulse, grown.times), STEADY)

    @beat(
        "So where are they? | Draw the small model as large: "
        "| of its matrices, {share} are embeddings. "
        "| In GPT-3, hardly any. | A third in attention, | two thirds in the MLP."
    )
    def where_they_are(self) -> Shown:
        columns, gpt_3, head = self.columns, self.gpt_3, self.gpt_3.said.head
        kept = [each for group in columns.bands for each in self.areas.of(group)]
        back = Undim(gpt_3.areas), Appear(gpt_3.areas, head, *kept, scale=1.0)
        yield Then(Disappear(self.growth), Together(back))
        yield columns.even_out(), MoveTo(head, columns.heads[1], run_time=SLOW)
        yield columns.light("embeddings")
        yield columns.lead_over("embeddings")
        yield columns.compare("attention")
        yield Then(columns.compare("MLPs"), Hold(STEADY), columns.light_all())

    def cast(self) -> None:
        """Make both clouds, a weight from near by, and the areas of both models."""
        parts, sides = self._parts()
        self._make_ours(*parts, sides)
        self._make_text()
        self._make_clouds()
        self._make_weight()
        self._make_opening()
        self.stand(self.giant, self.question, self.legend, self.ring, self.weights_name)
        self.stand(self.computed_name, self.new, self.same, self.hero, self.weight, self.moved)
        self.stand(self.stirred, self.columns, self.areas, self.gpt_3, self.mine, self.sum)
        self.stand(self.growth)

    # What only this film finds and shows

    def derived(self) -> Mapping[str, Array]:
        """Draw one in so many numbers of both kinds: of this text, of another one, after a step."""
        other = _another(tuple(self.trace.ids), self.tokenizer.encode)
        if not other:
            self.leave_out(f"No text of {self.slug()} is new to this model: choose another model.")
        self.other_ids = other
        read = partial(_computed, has_two_norms=not self.traits.one_norm)
        here = read(self.sites_of(self.trace.ids))
        self.factors, self.computed = self.weight_factors(), len(here)
        total = len(here) + sum(map(prod, self.factors.values()))
        scales = (step * 10**power for power in range(12) for step in (1, 2, 5))
        self.every = next(every for every in scales if total <= MOST_DOTS * every)
        weights, there = self.weights_one_in(self.every), read(self.sites_of(self.other_ids))
        self.kept, stepped = self.weights_one_in(self.every), self.after_a_step(self.every)
        self.is_too_large = stepped is None
        return {
            "dots.weights": weights,
            "dots.stepped": weights if stepped is None else stepped,
            "dots.activations": here[:: self.every],
            "dots.others": there[:: self.every],
        }

    def observe(self) -> None:
        """Take what is drawn, and count the weights of this model and of GPT-3."""
        self.weights, self.stepped, self.activations, self.others = (
            self.tensor(f"dots.{name}") for name in ("weights", "stepped", "activations", "others")
        )
        self.ours, self.published = ledger_of(self.factors), gpt_3()
        self.has_two_tables = "unembedding" in self.factors

    def small_print(self) -> Words:
        """Say what is counted of GPT-3, and where from."""
        told = "{}: matrices of Brown et al. {:.0f}, no biases, norms, positions"
        year = constant(2020, "the year of Brown et al.")
        return Words(told, "GPT-3", year, size=PLAIN_SIZE, role=QUIET)

    def _fill(self, group: str) -> Verb:
        """Return how a group's matrices cover their dots, one by one, and are counted."""
        told = (Appear(row) for name, row in self.sum.rows.items() if name == group)
        return Then(Flow(Vary(each.grow, 0, 1) for each in self.areas.of(group)), *told)

    def _parts(self) -> tuple[tuple[Region, Region], Sequence[Vector3D]]:
        """Return the room of both models, and on which side of their areas names stand."""
        is_high = self.stage.height > HIGH * self.stage.width
        wide, high = shape_of(self.ours)
        beside = OURS_WIDE if wide < high else OURS_FLAT
        parts = self.stage.parts(OURS_HIGH if is_high else beside)
        is_slim = min(part.width for part in parts) < SLIM
        return parts, [DOWN if is_slim else RIGHT if is_high else LEFT, DOWN if is_slim else RIGHT]

    def _make_ours(self, part: Region, other: Region, sides: Sequence[Vector3D]) -> None:
        """Make the areas of this model in one part, and what they add up to in the other."""
        traits = self.traits
        rest = ["positions"] * traits.adds_positions + ["biases"] * bool(traits.biases) + ["norms"]
        told = partial(Shares, size=PLAIN_SIZE if self.stage.is_narrow else SPOKEN_SIZE)
        as_large = told("GPT-3", self.published, other, sides[1]).areas.size
        self.mine = told("the small model", self.ours, part, sides[0], as_large)
        self.areas = self.mine.areas
        beside = self.areas if other.top > part.bottom else None
        self.sum = Sum(self.ours, {REST: ", ".join(rest)}, other.inset(GAP), beside=beside)
        self._make_theirs((part, other), sides[1])

    def _make_theirs(self, parts: Sequence[Region], side: Vector3D) -> None:
        """Make GPT-3's areas, what grows in it, and the columns of both models."""
        self.gpt_3 = Enlargement(self.published, self.areas, self.stage, parts, side)
        self.growth = Growth(self.published, self.stage.inset(GAP), self.gpt_3.views[3])
        both = (self.ours, self.areas), (self.published, self.gpt_3.areas)
        names = "the small model", "GPT-3"
        self.columns = Columns(names, both, self.stage, self.gpt_3.views[3])

    def _make_text(self) -> None:
        """Make both texts, one in the place of the other, and the room under them."""
        lines = 2 if self.stage.is_narrow else 1
        strip = Region(
            self.stage.left, self.stage.right, self.stage.top - lines * TEXT_HIGH, self.stage.top
        )
        pieces = self.tokenizer.pieces(self.other_ids)
        self.text, self.other = (TokenRow(each, strip) for each in (self.tokens, pieces))
        pin(self.mine, self.columns, self.text, self.other)
        each = count(self.every, "numbers of which one is drawn")
        legend = (("a dot: one of every {:,.0f} numbers", each), ("grey: worked out as it reads",))
        self.legend = VGroup(*(Words(*told, size=SPOKEN_SIZE) for told in legend))
        self.stage.fit_width(self.legend.arrange(RIGHT, buff=2 * GAP, aligned_edge=UP))
        self.legend.move_to((self.stage.center[0], self.stage.bottom, 0), DOWN)
        self.room = self.stage.lowered(strip.height + GAP).raised(LEGEND_HIGH)

    def _make_clouds(self) -> None:
        """Make the weights and the activations, in all arrangements, and their names."""
        room, dots = self.room, dots_by_kind(self.factors, self.every)
        self.counted = Number(self.published.total, 0, QUESTION_SIZE)
        asked = Words("parameters in {}", "GPT-3", size=HEADING_SIZE)
        self.question = VGroup(self.counted, asked).arrange(DOWN, buff=GAP)
        many = count(self.computed, "activations")
        self.weights_name = Words("{:,.0f} weights", self.ours.total, size=HEADING_SIZE)
        self.computed_name = Words("{:,.0f} activations", many, size=HEADING_SIZE)
        names = self.weights_name, self.computed_name
        sizes = len(self.weights), len(self.others)
        ways = [mixed(sizes, room), parted(sizes, room, names)]
        weights, computed = ([way[place] for way in ways] for place in (0, 1))
        at_first = [chip.get_center() for chip in self.text.chips]
        weights.insert(0, closed(weights[0], (sizes[0] / sum(sizes)) ** 0.5))
        self.ring = Circle(weights[2].reach + HAIR).move_to((*weights[2].middle, 0.0))
        self.ring.set_stroke(theme.color(ACCENT), BOLD_LINE)
        computed.insert(0, sent(len(self.others), at_first))
        computed.append(computed[0])
        weights.append(self.areas.arrangement(dots))
        sets = (self.weights, self.stepped), (self.activations, self.others)
        mine, theirs = ([each.array for each in pair] for pair in sets)
        self.clouds = Dots(mine, weights), Dots(theirs, computed, role=INK, new=True)
        self.stand(*self.clouds, self.text, self.other)
        stepped = self.weights.array, self.stepped.array
        pairs = (self.activations.array, self.others.array), (self.weights.array, self.kept)
        changed = (int((before != after).sum()) for before, after in (*pairs, stepped))
        self.new, self.same, self.stirred = (
            Words(
                "{:,.0f} of {:,.0f} dots changed",
                count(some, "dots whose number the other text, or the step, changes"),
                count(size, "dots"),
                size=SPOKEN_SIZE,
                role=ACCENT,
            )
            for some, size in zip(changed, (*sizes[::-1], sizes[0]), strict=True)
        )
        told = list(zip((self.same, self.new), names, strict=True))
        share = min(1.0, *(name.width / words.width for words, name in told))
        for words, name in told:
            words.scale(share).next_to(name, DOWN, buff=HAIR)
        self.stirred.shrink_to(self.weights_name.width).move_to(self.weights_name)

    def _make_opening(self) -> None:
        """Make GPT-3's numbers as a disc by the rule of the dots, and begin far away from ours."""
        way, known = self.clouds[0].ways[1], float(self.published.total)
        radius = way.radius / FILLED * (known / self.every / np.pi) ** 0.5
        free, (x, y, _) = self.under_title, self.room.center
        is_slim = free.width < WIDE * free.height  # a name has no room beside the disc
        reach = min(free.width, free.height) / 2 * (SMALLER if is_slim else 1)
        at = free.center + reach * ASIDE[int(is_slim)]
        far = View((x, y), reach / radius, (float(at[0]), float(at[1])))
        middle = self.room.center + (free.center - at) / far.zoom
        self.giant = Body(middle, known / self.every, way.radius, QUIET)
        mixed_hue = theme.mix(theme.color(POSITIVE), theme.color(NEGATIVE), 0.5)
        self.giant.set_fill(mixed_hue, FAINTEST_FILL)
        self.question.scale(2 * ASKED * reach / self.question.width).move_to(free.center)
        self.counted.put(constant(0, "where the count begins"))
        pin(self.question)
        self.view = far

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
        self.hero.set_fill(under, 1.0)  # nothing shows through
        seen = self.hero.width * WHOLE.into(self.hero, self.stage).zoom
        lines.scale(min(1.0, INSIDE * seen / lines.width)).move_to(self.stage.center)
        place_inside(lines, self.hero, self.stage)


Floats: TypeAlias = NDArray[np.float64]

OTHERS = (
    "one day a small bird sang to us in the garden, and the king gave it a golden apple",
    "my old dog slept all day by the warm fire, and the cats ran out into the rain",
)
COPIES = {"embed", "pos_embed", "resid_pre", "masked", "head_out", "turns"}  # told elsewhere
PAIRS = {"dot_products", "scores", "pattern"}
MOST_DOTS = 1200
NEARLY = 0.9  # of activations that are new, for almost all
QUESTION_SIZE = 1.6 * HEADING_SIZE
OURS_WIDE, OURS_FLAT, OURS_HIGH = 0.45, 0.52, 0.44  # of the stage, for this model's areas
WIDE = 1.6  # of its height, a stage with room beside a disc
ASIDE = np.array([(1.65, -0.5, 0.0), (0.9, -0.87, 0.0)])  # in radii of GPT-3's disc, this model
SMALLER = 0.9  # of a narrow stage, that disc
ASKED = 0.8  # of its diameter, for the question
HIGH = 1.3  # of the stage's width, where what else stands side by side is stacked
TEXT_HIGH, LEGEND_HIGH = 0.75, 0.65  # scene units
INSIDE = 0.78  # of a dot's diameter, for what stands in it
SLIGHTLY = 1.03  # times as large


def _another(own: tuple[int, ...], encode: Callable[[str], Sequence[int]]) -> tuple[int, ...]:
    """Return the ids of another text of as many tokens that differs as early as can be, if any."""
    starts = range(len(OTHERS[0].split()))
    texts = (" ".join(text.split()[start:]) for start in starts for text in OTHERS)
    cut = (tuple(encode(text)[: len(own)]) for text in texts)
    found = [ids for ids in cut if len(ids) == len(own) and ids != own]
    return min(found, key=lambda ids: [a == b for a, b in zip(ids, own, strict=True)], default=())


def _so_many(new: NDArray[np.bool_]) -> str:
    """Say how many activations are new, of which some are not."""
    return "almost every activation is" if new.mean() > NEARLY else "many activations are"


def _alike(factors: Mapping[str, tuple[int, ...]], sharing: int) -> str:
    """Say whether GPT-3 has matrices of the same kinds; `sharing` heads use the same keys."""
    return "a list like it" if "gate" in factors or sharing > 1 else "the same list"


def _every_other(moved: NDArray[np.bool_]) -> str:
    """Say how many weights besides one have moved in a step."""
    return "every other one here" if moved.all() else "nearly every other"


def _computed(sites: Mapping[str, Array], *, has_two_norms: bool) -> Array:
    """Return all numbers that a pass works out, each once, that another text could change.

    Left out are copies, pairs that the mask closes, and what the first token gives to itself.
    """
    is_open = np.tril(np.ones((len(sites["logits"]),) * 2, dtype=bool))
    found = [sites["resid_pre"][0].ravel()]
    for name, array in sites.items():
        if name in PAIRS:
            is_open[0, 0] = name != "pattern"
            found.append(array[:, :, is_open].ravel())
        elif name not in COPIES and (name != "ln2" or has_two_norms):
            found.append(array.ravel())
    return np.concatenate(found)
