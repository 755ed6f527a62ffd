"""Film F23: a value goes down to a head's few numbers and up again, for all heads at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce

import numpy as np
from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.animations import Appear, Fly, GrowFrom, Leave, Move
from scenes.architecture import and_a_bias
from scenes.chapter import Chapter, beat
from scenes.mobjects.areas import AreaPair
from scenes.mobjects.factors import FactoredMap
from scenes.mobjects.head_stack import HeadStack
from scenes.mobjects.notes import Counter
from scenes.mobjects.spectrum import Spectrum
from scenes.mobjects.text import Formula, Words, decimals_for
from scenes.mobjects.tile_row import RowForm, TileRow, row_form
from scenes.theme import GAP, HAIR, KEY, LABEL_SIZE, OUTPUT, QUIET, SLOW, SMALL_SIZE, VALUE
from scenes.values import (
    Addressed,
    Derived,
    Value,
    added,
    constant,
    count,
    entries_of,
    entry_count,
    heads_joined,
    largest_gap,
    matmul,
    singular_values,
)

FOOT = 0.55  # scene units, kept free under the picture for one line
PICTURE_SHARE = 0.46  # of the content, for the factors beside their singular values
NOTHING = 1e-6  # a singular value so small, beside the largest, is none
ROW = 0.46  # height of a row of the change, in scene units
NAMES = 3.0  # room left of the weights, for z and the names of heads and rows
LEDGER = "Brown et al. 2020, table 2.1, GPT-3"
GPT_3 = (12_288, 128, 12_288**2, 12_288 * 128)
NAMES_OF = ("d_model", "d_head", "d_model squared", "d_model times d_head")


class DownAndUpAgain(Chapter):
    """A head's value map is a thin matrix down and a thin one up, and all the ups are W_O.

    What all heads give a token is one product: their z end to end, times W_O.
    """

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 70
    poster_beat = "only-so-many-directions"

    def observe(self) -> None:
        """Find the head's two matrices, their singular values, and one token's change."""
        where = self.layer, self.head
        self.down, self.up = (self.tensor(f"weights.W_{name}")[where] for name in "VO")
        self.map = matmul(self.down, self.up)
        self.sizes = singular_values(self.map)
        largest = self.sizes[0].number
        self.rank = sum(size.number > NOTHING * largest for size in self.sizes)
        self.token = self.followed()
        self._observe_change()

    def words(self) -> Mapping[str, str]:
        """Give the sizes of this checkpoint and the name of the token that is followed."""
        wide, thin = self.down.shape
        return {
            "wide": str(wide),
            "thin": str(thin),
            "square": f"{wide**2:,}",
            "smaller": "just as large" if wide == thin else f"{wide / thin:.0f} times smaller",
            "pushes": "can push in all directions"
            if self.rank == wide
            else f"can push in only {self.rank} directions",
            "rank": str(self.rank),
            "bias_last": and_a_bias(self.traits, " The bias comes last."),
            "same_bias": and_a_bias(self.traits, ", and the same bias"),
            "token": self.name_of(self.token),
        }

    def cast(self) -> None:
        """Make the areas, the factors with their singular values, and the stack of heads."""
        self._cast_areas()
        self._cast_factors()
        self._cast_stack()

    @beat(
        "A map from a word's vector to its change would be a square matrix: "
        "{square} weights here, more than 150 million in GPT-3, for one head."
    )
    def a_square_map(self) -> None:
        for pair in self.pairs:
            self.play(Appear(pair.title), Appear(pair.square), Appear(pair.lines[0]))

    @beat(
        "A key matrix, drawn to the same scale, is {smaller} here, "
        "and 96 times smaller in GPT-3. Values should not cost so much more than keys."
    )
    def beside_a_key_matrix(self) -> None:
        for pair in self.pairs:
            self.play(Fly(pair.strip, pair.square), Appear(pair.lines[1]))
            self.play(Appear(pair.lines[2]))

    @beat(
        "So the map is made of two: W V goes down to {thin} numbers, "
        "the head's own part of W O goes up again to {wide}."
    )
    def down_and_up(self) -> None:
        square = self.pairs[0].square.copy()
        self.play(*map(Leave, self.pairs), GrowFrom(self.factors.square, square))
        self.play(Appear(self.factors.label))
        self.play(self.factors.fall_apart())
        self.play(Appear(self.saved))

    @beat(
        "Their product is still {wide} by {wide}, but it {pushes}: "
        "of its {wide} singular values, {rank} are not zero."
    )
    def only_so_many_directions(self) -> None:
        self.play(Move(VGroup(self.factors, self.saved), self.aside))
        self.play(self.spectrum.reveal())
        self.play(*map(Appear, self.brackets))

    @beat("Every head has its own way up, from {thin} numbers to {wide}.")
    def every_head_goes_up(self) -> None:
        self.play(*map(Leave, (self.factors, self.saved, self.spectrum, *self.brackets)))
        self.add(self.stack)
        self.play(self.stack.reveal_parts())

    @beat("Staple them together, one under the other: that is the matrix W O of the layer.")
    def staple_the_ups(self) -> None:
        self.play(self.stack.staple())
        self.play(Appear(self.stack_label))

    @beat(
        "Put what the heads found for {token}, their z, end to end, and multiply once.{bias_last}"
    )
    def multiply_once(self) -> None:
        self.play(self.stack.reveal_z())
        self.play(Appear(self.once_name), Appear(self.once))
        self.play(self.once.add_up(self._products(), self.once_values, SLOW))

    @beat(
        "Head by head, {token} gets the same: every head's change, added up"
        "{same_bias}. One product does the work of them all."
    )
    def the_same_as_the_sum(self) -> None:
        self.play(Appear(self.sum_name), Appear(self.summed))
        self.play(
            self.summed.add_up(self.steps, self.sum_values, 2 * SLOW),
            self.stack.head_after_head(2 * SLOW),
        )
        self.play(Appear(self.counter), self.stack.bring_forward())

    def _observe_change(self) -> None:
        """Work out the token's change in two ways: all heads at once, and head by head."""
        layer, token = self.layer, self.token
        z, ups = self.tensor("z")[layer], self.tensor("weights.W_O")[layer]
        self.parts = ups
        self.bias = [self.tensor("weights.b_O")[layer]] if self.traits.has_biases else []
        self.z = [z[head, token] for head in range(len(z))]
        out = self.tensor("head_out")[layer]
        self.changes = [out[head, token] for head in range(len(out))]
        every = Derived(z.array[:, token].astype(np.float64), f"z[{layer},:,{token},:]")
        joined = matmul(heads_joined(every), heads_joined(ups))
        self.at_once: Addressed = reduce(added, self.bias, joined)
        summed: list[Addressed] = [*self.changes, *self.bias]
        self.head_by_head = reduce(added, summed)

    def _products(self) -> list[dict[int, Value]]:
        """Return what every entry of z, of all heads, gives to each number shown, and the bias."""
        shown = self.once.shown
        z = np.concatenate([each.array for each in self.z])[:, None]
        products = z * self.parts.array.reshape(-1, self.parts.shape[-1])[:, shown]
        rows = [
            {i: Value(float(x), "= part of the product") for i, x in zip(shown, row, strict=True)}
            for row in products
        ]
        return [*rows, *({i: bias[i].value for i in shown} for bias in self.bias)]

    def _cast_areas(self) -> None:
        """Make both pairs of areas: this model's, and GPT-3's."""
        key = self.tensor("weights.W_K")[self.layer, self.head]
        ours = [*self._sides(), entry_count(self.map), entry_count(key)]
        theirs = [
            constant(number, f"{LEDGER}, {what}")
            for number, what in zip(GPT_3, NAMES_OF, strict=True)
        ]
        places = [part.inset(HAIR) for part in self.content.parts(0.5)]
        lines = _at_one_size([_lines(ours), _lines(theirs)], places[0].width)
        self.pairs = [
            AreaPair(title, sizes[1].number / sizes[0].number, texts, place)
            for title, sizes, texts, place in zip(
                ("this model", "GPT-3"), (ours, theirs), lines, places, strict=True
            )
        ]
        if self.content.height > self.content.width:
            widest = max(self.pairs, key=lambda pair: pair.width)
            for pair in self.pairs:
                pair.align_to(widest, LEFT)

    def _cast_factors(self) -> None:
        picture, beside = self.content.parts(PICTURE_SHARE)
        self.factors = FactoredMap(self._sides(), picture.raised(FOOT))
        weights = entry_count(self.down) + entry_count(self.up)
        text = "{:,.0f} weights instead of {:,.0f}"
        self.saved = Words(text, weights, entry_count(self.map), size=LABEL_SIZE)
        picture.fit_width(self.saved)
        self.saved.next_to(self.factors, DOWN, buff=GAP).set_x(picture.center[0])
        self.aside = picture.center - self.content.center
        VGroup(self.factors, self.saved).shift(-self.aside)
        beside = beside.apart(picture, 2 * GAP).raised(FOOT)
        self.spectrum = Spectrum(self.sizes, self.rank, beside)
        self.brackets = self._brackets()

    def _brackets(self) -> list[VGroup]:
        """Return what stands under the singular values that are kept, and under the others."""
        kept = count(self.rank, "singular values that are not zero")
        brackets = [self.spectrum.bracket(_small("{} are not zero", kept), 0, self.rank - 1)]
        rest = self.sizes[self.rank :]
        if rest:
            many = count(len(rest), "singular values that are zero but for rounding")
            words = _small("{} are zero: none above {:.0e}", many, rest[0])
            brackets.append(self.spectrum.bracket(words, self.rank, len(self.sizes) - 1))
            if brackets[0][1].get_right()[0] + HAIR > words.get_left()[0]:
                words.next_to(brackets[0][1], DOWN, buff=HAIR, coor_mask=UP)
        return brackets

    def _cast_stack(self) -> None:
        """Make the stack of the heads' ways up, with the change in two ways under it."""
        self.once_values, self.sum_values = entries_of(self.at_once), entries_of(self.head_by_head)
        self.steps = [change.values for change in (*self.changes, *self.bias)]
        values = [*self.once_values, *(value for row in self.steps for value in row)]
        width, decimals = self.content.width - NAMES - GAP, decimals_for(self.once_values, 2)
        form = row_form(values, len(self.once_values), width, ROW, decimals)
        height = self.content.height - FOOT - 2 * ROW - 5 * GAP
        self.stack = HeadStack(self.parts, self.z, form.pitch, height, form.most)
        left = self.content.left + NAMES
        x = left - float(self.stack.strips[0].get_left()[0])
        top = self.content.top - 2 * GAP - float(self.stack.brackets.get_top()[1])
        self.stack.shift(RIGHT * x + UP * top)
        self._cast_change(form, max(abs(value.number) for value in values))
        sides = [count(self.parts.shape[0] * self.parts.shape[1], "rows of W_O"), self._sides()[0]]
        label = Words("{} \N{MULTIPLICATION SIGN} {}", *sides, size=LABEL_SIZE)
        self.stack_label = VGroup(Formula("$output(W_O)$"), label).arrange(RIGHT, buff=GAP)
        self.stack_label.next_to(self.stack.brackets, UP, buff=HAIR)
        self.stack.spread(self.content)

    def _cast_change(self, form: RowForm, largest: float) -> None:
        """Make the change at zero, twice, under the stack: all heads at once, and one by one."""
        nothing = [value - value for value in self.steps[0]]
        self.once, self.summed = (TileRow(nothing, form, largest, OUTPUT) for _ in "12")
        low = self.content.bottom + FOOT + 1.5 * ROW + GAP
        for place, row in enumerate((self.once, self.summed)):
            across = self.stack.strips[0].get_left()[0] - row.tiles[0].get_left()[0]
            row.shift(RIGHT * across)
            row.shift(UP * (low - place * (ROW + GAP) - row.vector.brackets.get_y()))
        self.once_name, self.sum_name = (
            Words("{}", text, size=LABEL_SIZE).next_to(row, LEFT, buff=GAP)
            for text, row in (("all at once", self.once), ("head by head", self.summed))
        )
        gap = largest_gap(self.at_once, self.head_by_head)
        self.counter = Counter("all at once and head by head", gap)
        self.counter.move_to((self.content.center[0], self.content.bottom + 0.3 * FOOT, 0))

    def _sides(self) -> tuple[Value, Value]:
        wide, thin = self.down.shape
        return count(wide, "entries of a token's vector"), count(thin, "entries of a head")


def _lines(sizes: list[Value]) -> list[Words]:
    """Return what stands under a pair of areas: both products, and how they compare."""
    wide, thin, square, strip = sizes
    product = "{}: {:,.0f} \N{MULTIPLICATION SIGN} {:,.0f} = {:,.0f}"
    times = _quotient(square, strip)
    return [
        Words(product, "full map", wide, wide, square, size=LABEL_SIZE, role=VALUE),
        Words(product, "key matrix", wide, thin, strip, size=LABEL_SIZE, role=KEY),
        Words("full map: {:,.0f} times as many", times, size=LABEL_SIZE),
    ]


def _at_one_size(lines: list[list[Words]], width: float) -> list[list[Words]]:
    """Shrink all lines alike until the widest fits a width."""
    widest = max(line.width for texts in lines for line in texts)
    for texts in lines:
        for line in texts:
            line.scale(min(1.0, width / widest))
    return lines


def _quotient(one: Value, other: Value) -> Value:
    if not one.source.startswith("constant: "):
        return one / other
    source = f"{one.source}, by {other.source.removeprefix('constant: ')}"
    return replace(one / other, source=source)


def _small(template: str, *values: Value) -> Words:
    return Words(template, *values, size=SMALL_SIZE, role=QUIET)
