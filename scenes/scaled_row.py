"""One query's dot products, scaled and then made into weights, and what is said of them.

It knows no model and no pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.analysis.softmax import softmax, softmax_slope
from scenes.mobjects.text import written
from scenes.provenance import Tensor, Value, entry_count, root, total

MUCH = 0.8  # a share above which the others get little
MOST = 0.95  # a share above which they get hardly anything
FLAT = 0.05  # a slope below which weights hardly move
SLOPES = "Learning needs slopes: how far do the weights move when the numbers move a little?"


@dataclass(frozen=True)
class ScaledRow:
    """Dot products and scores (keys,) of `query` (K,), and how the one became the other."""

    dots: Tensor
    scores: Tensor
    query: Tensor
    scaling: Scaling

    @property
    def top(self) -> int:
        """The key with the largest dot product."""
        return int(self.dots.array.argmax())

    @property
    def divided(self) -> Tensor:
        """The scores; of a model that does not divide, what dividing by the root would make."""
        if self.scaling.divides:
            return self.scores
        return BY_ROOT.divided(self.dots, self.query)

    @cached_property
    def slopes(self) -> tuple[Value, Value]:
        """How steep softmax is at the dot products, and at the divided ones."""
        return softmax_slope(self.dots), softmax_slope(self.divided)

    @cached_property
    def largest(self) -> tuple[Value, Value]:
        """The largest weight of the dot products, and of the divided ones."""
        before, after = (softmax(row)[self.top].value for row in (self.dots, self.divided))
        return before, after

    @property
    def names_of_slopes(self) -> tuple[str, str]:
        """What the two slopes are called."""
        return "slope, unscaled", "slope, scaled" if self.scaling.divides else "slope, if scaled"

    def notes(self) -> list[tuple[str, tuple[Value, ...]]]:
        """Return what formulas leave open of the scaling, each as a template and numbers."""
        note = self.scaling.note(self.query)
        if self.scaling.divides:
            return [note] if note[0] else []
        more = "over the root, {:.3g}, the largest weight would be {:.2f}"
        return [note, (more, (root(entry_count(self.query)), self.largest[1]))]

    def say_no_weights(self, asker: str) -> str:
        """Say of the dot products of a token what shows that they are no weights."""
        added, negative = written(total(self.dots).number, 1), int((self.dots.array < 0).sum())
        if len(self.dots) == 1:
            return f"With one token there is one dot product, {added}. It is no weight yet."
        signs = ("None is", "One is", "Some are")[min(negative, 2)]
        end = (
            "it is chance that they add up to 1.0"
            if added == "1.0"
            else f"they add up to {added}, not to one"
        )
        return (
            f"These are the dot products of {asker} with every key. "
            f"{signs} negative, and {end}. They are no weights yet."
        )

    def say_unscaled(self, top: str) -> str:
        """Say what softmax makes of the dot products as they are; `top` is the largest's name."""
        if len(self.dots) == 1:
            return "Softmax makes shares that add up to one. A single key gets all of it."
        largest = self.largest[0].number
        how = "nearly everything" if largest > MOST else "the largest share"
        return (
            "Softmax makes shares of them that add up to one. "
            f"As they are, {how} goes to {top}: {_percent(largest)}."
        )

    def say_divide(self) -> str:
        """Say that the root is the divisor, or that it is that of others."""
        who = "So divide" if self.scaling.by_root else "Most models divide"
        return f"{who} every dot product by that root."

    def say_scaled(self) -> str:
        """Say what the model divides by, and what becomes of the largest share."""
        length, by = entry_count(self.query).number, root(entry_count(self.query)).number
        usual = f"A query here has {length:.0f} entries, so divide by {by:.3g}."
        start = self.scaling.sentence(self.query).strip() or usual
        if len(self.dots) == 1:
            return f"{start} A single key still gets everything."
        if self.scaling.divides:
            return f"{start} {self._say_change()}"
        before, after = (_percent(share.number) for share in self.largest)
        return (
            f"{start} Over {by:.3g}, the root of {length:.0f} entries, "
            f"the largest share would be {after}; it is {before}."
        )

    def say_slopes(self) -> str:
        """Say how much the weights can learn before and after."""
        unscaled, scaled = (f"{each.number:.2f}" for each in self.slopes)
        if len(self.dots) == 1:
            said = "A single weight is always one and cannot move."
        elif scaled == unscaled:
            said = f"Here both slopes are {scaled}."
        elif not self.scaling.divides:
            said = f"Here {unscaled}; divided by the root, it would be {scaled}."
        elif float(scaled) < float(unscaled):
            said = f"Here {unscaled} and {scaled}: this row was never stuck."
        else:
            learns = self.slopes[0].number < FLAT
            end = "softmax can learn again" if learns else "the slope has grown"
            said = f"Unscaled {unscaled}, scaled {scaled}: {end}."
        return f"{SLOPES} {said}"

    def _say_change(self) -> str:
        before, after = (_percent(share.number) for share in self.largest)
        left = self.largest[1].number
        if before == after:
            sure = ": this row is very sure" if left > MOST else ""
            return f"The largest share stays at {after}{sure}."
        if left > MOST:
            end = "still nearly everything"
        else:
            end = "the others have a say again" if left < MUCH else "the others get a little"
        return f"The largest share falls from {before} to {after}: {end}."


def _percent(share: float) -> str:
    if share > 0.9995:
        return "more than 99.9%"
    return f"{share:.1%}" if share > 0.99 else f"{share:.0%}"
