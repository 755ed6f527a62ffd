"""How alike the vectors of tokens are, in words. It knows pieces and cosines, and draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from scenes.mobjects.text import called
from scenes.provenance import Value

KIN = {(" motel", " hotel"): ", both places to sleep", (" dog", " cow"): ", both animals"}

SOME = 99  # ids before and after a token, among which another one is looked for

Ids = tuple[int, int]
Pair = tuple[str, str]
Alike = tuple[str, str, Value]  # the names of two tokens, and their cosine


@dataclass(frozen=True)
class Likeness:
    """How alike the tokens of a text are, given by their `ids`, and two words beside it.

    `pieces` and `kinship` are those of the two words; `nearest` is None for a token alone.
    """

    ids: Sequence[int]
    nearest: Alike | None
    pieces: Pair
    kinship: Value

    def words(self) -> dict[str, str]:
        """Say it: of their one-hot vectors, and then of their embeddings."""
        return {
            "unlike": of_two_words(self.pieces),
            "identity": of_all_tokens(self.ids),
            "nearest": of_the_nearest(self.nearest),
            "kinship": of_the_two_words_again(self.pieces, self.kinship),
        }

    @property
    def cosines(self) -> list[Alike]:
        """The cosines that are said, with the names of their tokens."""
        one, other = map(called, self.pieces)
        two_words = one, other, self.kinship
        return [self.nearest, two_words] if self.nearest else [two_words]


def akin(id_of: Callable[[str], int | None]) -> Ids | None:
    """Return the ids of two words akin in meaning, if `id_of` knows both as whole words."""
    for words in KIN:
        one, other = map(id_of, words)
        if one is not None and other is not None:
            return one, other
    return None


def any_two(ids: Sequence[int], pieces_of: Callable[[Sequence[int]], Mapping[int, str]]) -> Ids:
    """Return the first two different tokens of a text, or its only one and another one near it."""
    first, *others = dict.fromkeys(ids)
    near = pieces_of([*range(first - SOME, first + SOME), *range(SOME)])
    return first, next((each for each in (*others, *near) if each != first), first)


def of_two_words(pieces: Pair) -> str:
    """Say that two different tokens have one-hot vectors with nothing in common."""
    one, other = map(called, pieces)
    return f"Take {one} and {other}{KIN.get(pieces, '')}: their dot product is 0."


def of_all_tokens(ids: Sequence[int]) -> str:
    """Say what the one-hot vectors of a text give each other."""
    if len(ids) == 1:
        return "A token with itself gives 1. Here there is no other, and the grid is one cell."
    if len(set(ids)) < len(ids):
        return "So it is for every two different tokens. A token gives 1 only with its like."
    return (
        "So it is for every two different tokens: "
        "the grid of their dot products is the identity matrix."
    )


def of_the_nearest(nearest: Alike | None) -> str:
    """Say which embeddings of a text are most alike, if it has two different tokens."""
    if nearest is None:
        return "A token alone has only itself."
    one, other, cosine = nearest
    return f"Nearest are {one} and {other}, at {_said(cosine)}."


def of_the_two_words_again(pieces: Pair, cosine: Value) -> str:
    """Say how alike the embeddings are of the two words whose one-hot vectors were not."""
    one, other = map(called, pieces)
    if not round(cosine.number, 2):
        return f"For {one} and {other}, 0 before, it is still close to 0."
    return f"For {one} and {other}, 0 before, it is {_said(cosine)}."


def _said(value: Value) -> str:
    number = round(value.number, 2)
    return f"{'minus ' if number < 0 else ''}{abs(number):.2f}"
