"""Which word a tokenizer breaks into most pieces, and how they are said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from model.tokenization import Cutting

RARE = ("rainforest", "tokenization", "hippopotamus", "electroencephalography")
LONGEST = 24  # bytes of a word that is taken apart
MOST_NAMED = 4  # pieces that are said one by one

Span: TypeAlias = tuple[int, int]


def broken_word(cutting: Cutting, cut: Callable[[str], Cutting]) -> tuple[Cutting, Span]:
    """Return how the word of a text that breaks into most pieces is cut, and its bytes there.

    Where none breaks, it is a rare word that does, if there is, and no bytes; `cut` cuts a word.
    """
    words = [(cut(read(cutting, span)), span) for span in cutting.words]
    rare = [(cut(f" {word}"), (0, 0)) for word in RARE]
    short = (each for each in words if len(each[0].raw) <= LONGEST)
    own = [each for each in short if read(each[0], (0, LONGEST)).strip().isalpha()]
    best = max(own, key=lambda each: number_of_pieces(each[0]), default=rare[0])
    if number_of_pieces(best[0]) > 1:
        return best
    return next((each for each in rare if number_of_pieces(each[0]) > 1), rare[0])


def number_of_pieces(cutting: Cutting) -> int:
    """Return of how many tokens a word is made, none if it is not known."""
    return len(cutting.own) if cutting.is_known else 0


def read(cutting: Cutting, span: Span) -> str:
    """Return what some bytes of a text say."""
    return cutting.raw[slice(*span)].decode(errors="replace")


def said_in_turn(texts: Sequence[str], kind: str) -> str:
    """Return a few texts as they are said one after another, or how many there are."""
    if len(texts) > MOST_NAMED or any("\u27e8" in text for text in texts):
        return f"{len(texts)} {kind}"
    return ", ".join(texts[:-1]) + " and " * (len(texts) > 1) + texts[-1]
