"""What a head is called: the kind of key that it gives most attention to, as measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

from scenes.provenance import Value, constant, head_score

LEAST = 0.4  # of a head's attention, for it to be called after what it looks at
MOSTLY = 0.5

MEANINGS = {
    "previous_token": "the token just before",
    "first_token": "the first token of the text",
    "same_token": "the same token, earlier on",
    "induction": "in a repeated text, what came next the first time",
    "adjective_to_noun": "from a noun, its own adjectives",
}


@dataclass(frozen=True)
class HeadName:
    """The target that a head gives most attention to, as measured over other text."""

    layer: int
    head: int
    target: str
    score: Value
    scores: Mapping[str, float | None]  # of every target; None where it was not measured

    @property
    def is_known(self) -> bool:
        """Whether the head gives enough attention to its target to be called after it."""
        return self.score.number >= LEAST

    @property
    def text(self) -> str:
        """The name as it is shown."""
        return self.target.replace("_", " ")


def threshold() -> Value:
    """Return the least attention that earns a head its name."""
    return constant(LEAST, "our own choice, LEAST in scenes/analysis/head_names.py")


def head_name(scores: Mapping[str, float | None], layer: int, head: int) -> HeadName:
    """Name a head by its largest score.

    One that mostly looks one token back is called that: the word before a noun is often its
    adjective, so that such a head has a large score there as well, and knows nothing of adjectives.
    """
    known = {target: score for target, score in scores.items() if score is not None}
    target = max(known, key=lambda each: known[each])
    if known["previous_token"] > MOSTLY and target == "adjective_to_noun":
        target = "previous_token"
    return HeadName(layer, head, target, _score(scores, target, layer, head), scores)


def largest_score(names: Sequence[HeadName], target: str) -> Value | None:
    """Return the largest score of a target among heads, whatever they are called, if measured."""
    found = [_score(name.scores, target, name.layer, name.head) for name in names]
    measured = [score for score in found if not isnan(score.number)]
    return max(measured, key=lambda score: score.number, default=None)


def _score(scores: Mapping[str, float | None], target: str, layer: int, head: int) -> Value:
    return head_score(scores[target], target, layer, head)
