"""What is said of what an architecture has, of that in which GPT-2 and Llama differ. Draws nothing.

GPT-2 adds a vector for each place to the embeddings, and a bias to each product. A Llama turns
queries and keys by their place instead, has no biases, and lets groups of heads share their keys
and values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scenes.analysis.scaling import Scaling

if TYPE_CHECKING:
    from model.sizes import Traits

FROM_EARLIER = "what earlier layers added"


def scaling(traits: Traits, layer: int) -> Scaling:
    """Return what a layer divides its dot products by."""
    return Scaling(traits.divides_by_root, traits.divides_by_layer, layer)


def of_own_matrices(traits: Traits) -> str:
    """Say which matrices are a head's own."""
    if traits.sharing == 1:
        return (
            "Each head has matrices of its own: its own queries, its own keys, its own values. "
            "No two heads share a weight."
        )
    return (
        "Each head has a query matrix of its own. "
        f"Here every {traits.sharing} heads share one for keys and one for values."
    )


def of_the_pairs(traits: Traits) -> str:
    """Say what a plane shows of a query and a key."""
    turned = "" if traits.adds_positions else ", turned by their places"
    return f"each pair in the plane that holds both{turned}: true lengths and angle"


def of_the_bar(traits: Traits) -> str:
    """Say what a vector with a bar is, and what formulas leave out."""
    more = "; biases are added as well" if traits.has_biases else ""
    turned = "" if traits.adds_positions else "; R turns each row by its place"
    return f"with a bar: after {traits.norm}{more}{turned}"


def and_a_bias(traits: Traits, said: str = ", and a bias") -> str:
    """Return what is said of a bias, or nothing where there is none."""
    return said if traits.has_biases else ""
