"""How the heads of a layer differ, in numbers and in words. It knows arrays and draws nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scenes.analysis.head_names import HeadName
from scenes.analysis.selection import most_different_heads
from scenes.narration import counted
from scenes.provenance import Array


@dataclass(frozen=True)
class Difference:
    """Where two heads of a layer differ most: at which query, and the key that each looks at most.

    The surer head comes first. There is only one where a layer has one, or where all look alike.
    """

    among: int  # the heads of the layer
    query: int
    heads: tuple[int, ...]
    keys: tuple[int, ...]

    @classmethod
    def of(cls, patterns: Array) -> Difference:
        """Find it in the patterns of a layer, (H, T, T)."""
        query, *pair = most_different_heads(patterns)
        heads = tuple(dict.fromkeys(pair))
        keys = tuple(int(patterns[head, query].argmax()) for head in heads)
        return cls(len(patterns), query, heads, keys)

    def sentence(self, asker: str, found: Sequence[str], tokens: int) -> str:
        """Say it; `asker` is what the query is called, `found` what each key is, of `tokens`."""
        if tokens == 1:
            return "Where heads differ, they look at different words; this token has only itself."
        if self.among == 1:
            return f"At {asker} another head might look elsewhere; this layer has no other."
        if len(set(self.keys)) == 1:
            return (
                f"Even where heads differ most, at {asker}, they look most at the same word: "
                f"{found[0]}."
            )
        return (
            f"Here two heads differ most. For the same word, {asker}, head {self.heads[0]} "
            f"looks most at {found[0]}, and head {self.heads[1]} at {found[1]}."
        )


def how_alike(heads: int, tokens: int) -> str:
    """Say whether the patterns of a layer can differ at all."""
    if tokens == 1:
        return "A single token can only look at itself, so here they are all the same."
    if heads == 1:
        return "Here there is only this one."
    return "The sentence is the same, the layer is the same, and yet they differ."


def how_many_named(names: Sequence[HeadName]) -> str:
    """Say how many heads of a layer are called after something."""
    known = sum(name.is_known for name in names)
    if not known:
        return "No head here looks mostly at anything that we have a name for."
    if known == len(names):
        return "Here every head earns a name."
    return f"Here {known} of {counted(len(names), 'head')} earn a name. The others do not."
