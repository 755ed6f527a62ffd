"""Which head asks for a noun's adjectives, as measured. It knows scores, no model or picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scenes.analysis.head_names import MOSTLY
from scenes.provenance import Value, head_score

LISTED = 5


class Scored(Protocol):
    """What was measured of one head; None where it could not be."""

    @property
    def layer(self) -> int:
        """Its layer, from 0."""

    @property
    def head(self) -> int:
        """Its place in the layer, from 0."""

    @property
    def previous_token(self) -> float:
        """Mean attention to the token just before."""

    @property
    def adjective_to_noun(self) -> float | None:
        """Mean attention that a noun gives to its adjectives."""

    @property
    def binding(self) -> float | None:
        """The same, if each of several adjectives got only as much as the least of them."""


@dataclass(frozen=True)
class Contest:
    """The heads that give adjectives most attention, falling, and the one that binds best."""

    listed: tuple[Scored, ...]
    best: Scored

    @property
    def first(self) -> Scored:
        """The head that gives adjectives most attention."""
        return self.listed[0]

    @property
    def first_looks_back(self) -> bool:
        """Whether that head mostly looks one token back, whatever stands there."""
        return self.first.previous_token > MOSTLY

    @property
    def is_won(self) -> bool:
        """Whether the head that binds best gives adjectives most of its attention."""
        return (self.best.adjective_to_noun or 0.0) > MOSTLY

    @property
    def given(self) -> list[Value]:
        """The attention that each head listed gives to a noun's adjectives."""
        return [score_of(each, "adjective_to_noun") for each in self.listed]

    @property
    def bound(self) -> list[Value]:
        """The same, if each adjective got only as much as the least of them."""
        return [score_of(each, "binding") for each in self.listed]

    @property
    def place_of_best(self) -> int:
        """Where the head that binds best stands in the list."""
        return [(each.layer, each.head) for each in self.listed].index(
            (self.best.layer, self.best.head)
        )


def contest(heads: Sequence[Scored]) -> Contest | None:
    """Rank the heads; None where nothing was measured. The one that binds best is listed."""
    measured = [each for each in heads if each.adjective_to_noun is not None]
    if not measured:
        return None
    ranked = sorted(measured, key=lambda each: -(each.adjective_to_noun or 0.0))
    best = max(measured, key=lambda each: each.binding or 0.0)
    place = ranked.index(best)
    rest = [each for i, each in enumerate(ranked) if i != place][: LISTED - 1]
    listed = sorted([*rest, best], key=lambda each: -(each.adjective_to_noun or 0.0))
    return Contest(tuple(listed), best)


def score_of(head: Scored, target: str) -> Value:
    """Return one measured score of a head with its source."""
    return head_score(getattr(head, target) or 0.0, target, head.layer, head.head)


def say_given(found: Contest | None) -> str:
    """Say which head gives adjectives most attention, and whether it only looks back."""
    if found is None:
        return "Here it cannot be measured: too few nouns and adjectives are single tokens."
    name = _name(found.first.layer, found.first.head)
    if found.first_looks_back:
        return f"Measured, {name.lower()} comes first, but it merely looks one token back."
    return f"Measured, {name.lower()} gives them the most attention."


def say_bound(found: Contest | None, layer: int, head: int) -> str:
    """Say which head asks best for all adjectives at once, and which one is shown."""
    shown = f"This film shows {_name(layer, head).lower()}."
    if found is None:
        return f"{shown} Whether it looks for adjectives, we cannot say."
    name = _name(found.best.layer, found.best.head)
    verdict = (
        f"{name} asks best for all."
        if found.is_won
        else f"{name} is best, with less than half of its attention. None does as in the story."
    )
    is_shown = (layer, head) == (found.best.layer, found.best.head)
    strict = "Let each adjective count only as much as the least:"
    return f"{strict} {verdict[0].lower()}{verdict[1:]}" + ("" if is_shown else f" {shown}")


def _name(layer: int, head: int) -> str:
    return f"Layer {layer}, head {head}"
