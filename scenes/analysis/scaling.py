"""What a layer divides its dot products by: in numbers, in formulas, and in words.

Almost all models divide by the square root of d_head. Some GPT-2s divide by the layer's number as
well, or by it alone, or by nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import TYPE_CHECKING, TypeAlias

from scenes.provenance import Tensor, Value, count, divided, entry_count, root

if TYPE_CHECKING:
    from model.sizes import Traits

Factors: TypeAlias = tuple[bool, bool]  # whether the root is one, whether the layer's number is

ROOT, ROOT_AND_LAYER, LAYER, NOTHING = (True, False), (True, True), (False, True), (False, False)
MARKUP: Mapping[Factors, str] = {
    ROOT: "sqrt(d_k)",
    ROOT_AND_LAYER: "paren.l n sqrt(d_k) paren.r",
    LAYER: "n",
    NOTHING: "",
}
NOTES: Mapping[Factors, str] = {  # of the layer's number, then of the whole divisor
    ROOT: "",
    ROOT_AND_LAYER: "n: the layer's number, {}, counted from one; the divisor is {:.4g}",
    LAYER: "n: the layer's number, {}, counted from one",
    NOTHING: "this model does not divide its dot products",
}
SENTENCES: Mapping[Factors, str] = {
    ROOT: "",
    ROOT_AND_LAYER: " This model divides dot products by {divisor:.4g}: the root of "
    "{length:.0f} entries, {root:.4g}, times the layer's number, {number:.0f}, counted from one.",
    LAYER: " This model divides dot products by the layer's number alone: "
    "{number:.0f}, counted from one.",
    NOTHING: " This model does not divide its dot products.",
}


@dataclass(frozen=True)
class Scaling:
    """The divisor of one layer's dot products, as the product of up to two factors.

    The factors are the square root of K, the entries of a head, and the number of the layer
    counted from one; `layer` counts from zero.
    """

    by_root: bool = True
    by_layer: bool = False
    layer: int = 0

    @classmethod
    def of(cls, traits: Traits, layer: int) -> Scaling:
        """Return what a layer of a model divides its dot products by."""
        return cls(traits.divides_by_root, traits.divides_by_layer, layer)

    @property
    def divides(self) -> bool:
        """Whether there is a divisor."""
        return self.factors != NOTHING

    @property
    def factors(self) -> Factors:
        """Which factors there are."""
        return self.by_root, self.by_layer

    @property
    def markup(self) -> str:
        """The divisor in Typst, nothing where there is none; n is the layer's number."""
        return MARKUP[self.factors]

    @property
    def number(self) -> Value:
        """The layer's number, counted from one."""
        return count(self.layer + 1, f"number of layer {self.layer}, counted from one")

    def divisor(self, vector: Tensor) -> Value:
        """Return the product of the factors; `vector` (K,) is a query, or as long as one.

        Raises `TypeError` where there is no factor.
        """
        return reduce(mul, self._factors(vector))

    def divided(self, products: Tensor, vector: Tensor) -> Tensor:
        """Return dot products divided by the factors: scores, of the same shape."""
        return reduce(divided, self._factors(vector), products)

    def note(self, vector: Tensor) -> tuple[str, tuple[Value, ...]]:
        """Return what formulas leave open, as a template and numbers: nothing of the root alone."""
        numbers = (self.number, self.divisor(vector)) if self.by_layer else ()
        return NOTES[self.factors], numbers

    def sentence(self, vector: Tensor) -> str:
        """Return a sentence that follows another: nothing of the root alone, which is usual."""
        length = entry_count(vector)
        told = {"number": self.number, "length": length, "root": root(length)}
        if self.divides:
            told["divisor"] = self.divisor(vector)
        numbers = {name: value.number for name, value in told.items()}
        return SENTENCES[self.factors].format(**numbers)

    def _factors(self, vector: Tensor) -> list[Value]:
        both = root(entry_count(vector)), self.number
        return [factor for factor, is_one in zip(both, self.factors, strict=True) if is_one]


BY_ROOT = Scaling()
