"""What is said of what an architecture has, of that in which GPT-2 and Llama differ. Draws nothing.

GPT-2 adds a vector for each place to the embeddings, and a bias to each product. A Llama turns
queries and keys by their place instead, has no biases, and lets groups of heads share their keys
and values.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from scenes.analysis.scaling import Scaling

if TYPE_CHECKING:
    from model.sizes import Traits

FROM_EARLIER = "what earlier layers added"


def scaling(traits: Traits, layer: int) -> Scaling:
    """Return what a layer divides its dot products by."""
    return Scaling(traits.divides_by_root, traits.divides_by_layer, layer)


def parts_of_the_input(traits: Traits, layer: int) -> list[str]:
    """Return what the vector that a layer reads is the sum of, before it is normalised."""
    position = ["position"] if traits.adds_positions else []
    return ["embedding", *position, *([FROM_EARLIER] if layer else [])]


def of_the_input(traits: Traits, layer: int) -> str:
    """Say the same in words."""
    *parts, last = parts_of_the_input(traits, layer)
    return f"{', '.join(parts)} and {last}, then normalised" if parts else f"its {last}, normalised"


def of_the_first_number(traits: Traits) -> str:
    """Say what is done with the products of a column, and what comes out."""
    if traits.adds_positions:
        bias = "add up the products, add a bias" if traits.has_biases else "add up the products"
        return f"{bias}: that is the first number of the query"
    return "add up the products: that is the first number of the query, but for one more step"


def of_every_column(traits: Traits, sums: int, asker: str, place: int) -> str:
    """Say how the other columns make the rest of the query."""
    start = "Every other column does the same"
    if traits.adds_positions:
        return f"{start}: {sums} sums make the query of {asker}."
    how = "two by two, by an angle" if place else "here by nothing, as it stands first"
    return f"{start}. One step more: its place turns the numbers, {how}. Now it is the query."


def of_every_token(traits: Traits) -> str:
    """Say what comes out when the matrix visits the tokens."""
    turned = "" if traits.adds_positions else ", turned by its place"
    return f"Each vector goes in, and its query comes out{turned}"


def of_keys_and_values(traits: Traits) -> str:
    """Say what the other two matrices make, and who shares them."""
    if traits.adds_positions:
        keys, values = "keys", "values"
    else:
        keys, values = "keys, turned like the queries", "values, not turned"
    shared = f" {traits.sharing} heads share these two." if traits.sharing > 1 else ""
    return (
        f"A second matrix makes the {keys}: what each token answers to. "
        f"A third makes the {values}: what it hands over.{shared}"
    )


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


def of_the_projections(
    traits: Traits, layer: int, sums: int, asker: str, place: int
) -> Mapping[str, str]:
    """Say how a query of so many sums is made for a token, and what the other matrices make."""
    return {
        "made": of_the_input(traits, layer),
        "first_number": of_the_first_number(traits),
        "every_column": of_every_column(traits, sums, asker, place),
        "every_token": of_every_token(traits),
        "keys_and_values": of_keys_and_values(traits),
    }


def of_the_checked_sums(traits: Traits) -> str:
    """Name the sums that are held against the model's query."""
    turned = "" if traits.adds_positions else ", turned,"
    return f"these sums{turned} and the query of the model"


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
