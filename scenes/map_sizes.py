"""How many weights a value map would take that is square, beside a key matrix.

It knows counts, and no pictures.
"""

from __future__ import annotations

from dataclasses import dataclass

from scenes.provenance import Tensor, Value, constant, count, entry_count

LEDGER = "Brown et al. 2020, table 2.1, GPT-3"


@dataclass(frozen=True)
class MapSizes:
    """Both are `wide` (d_model) high; the map is as wide, the key matrix `thin` (d_head)."""

    model: str  # whose they are
    wide: Value
    thin: Value
    square: Value  # weights of the map
    strip: Value  # weights of the key matrix

    @classmethod
    def of(cls, square: Tensor, key: Tensor) -> MapSizes:
        """Count the weights of this model: of a map (D, D) and of a key matrix (D, K)."""
        wide, thin = key.array.shape
        sides = count(wide, "entries of a token's vector"), count(thin, "entries of a head")
        return cls("this model", *sides, entry_count(square), entry_count(key))

    @property
    def sides(self) -> tuple[Value, Value]:
        """The sides of a key matrix, or of a value matrix."""
        return self.wide, self.thin

    @property
    def share(self) -> float:
        """The part of the map's area that the key matrix has."""
        return self.strip.number / self.square.number

    @property
    def times(self) -> Value:
        """How many key matrices the map is."""
        one, other = self.square, self.strip
        published = "constant: "
        if not one.source.startswith(published):
            return one / other
        origins = (each.source.removeprefix(published) for each in (one, other))
        return constant(one.number / other.number, ", by ".join(origins))


GPT_3 = MapSizes(
    "GPT-3",
    constant(12_288, f"{LEDGER}, d_model"),
    constant(128, f"{LEDGER}, d_head"),
    constant(12_288**2, f"{LEDGER}, d_model squared"),
    constant(12_288 * 128, f"{LEDGER}, d_model times d_head"),
)
