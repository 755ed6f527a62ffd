"""Noun phrases: a noun of some kind, a determiner, and adjectives that suit the noun."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from model import lexicon
from model.corpus.seeds import is_held_pair

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

__all__ = [
    "ADJECTIVES",
    "Phrase",
    "a_or_an",
    "pick",
    "pick_adjectives",
    "weighted",
    "with_articles",
]

ADJECTIVES: dict[str, tuple[str, ...]] = {
    "person": ("nature", "size"),
    "profession": ("nature",),
    "animal": ("nature", "size", "touch", "colour"),
    "nature": ("looks", "size", "place"),
    "building": ("built",),
    "room": ("built",),
    "town": ("built",),
    "thing": ("looks", "size", "object"),
    "furniture": ("size", "object"),
    "vehicle": ("looks", "size", "colour"),
    "plant": ("looks", "size", "colour"),
    "food": ("taste",),
    "beverage": ("taste",),
    "reading": ("thought",),
    "event": ("thought", "general"),
    "family": ("nature",),
    "idea": ("thought", "general"),
    "clothing": ("looks", "touch", "colour"),
}
"""The kinds of adjectives that a kind of noun takes, in the order in which English sets them."""

T = TypeVar("T")

HOW_MANY = (0, 0, 0, 0, 0, 0, 1, 1, 1, 2)
AN_WORDS = ("hour", "honest")
ARTICLE = re.compile(r"\b([Aa])n? ([A-Za-z]\w*)")
WORDS = re.compile(r"[a-z'-]+|[.!?,:;\n]")
A_WORDS = ("use", "uni", "euro", "one", "Euro")


def pick(rng: Random, options: Sequence[T]) -> T:
    """One of the options, each as likely as any other; faster than ``rng.choice``."""
    return options[int(rng.random() * len(options))]


def weighted(options: Sequence[T]) -> tuple[T, ...]:
    """Return the options, repeated so that the first come up more often, as common words do."""
    return tuple(
        option
        for rank, option in enumerate(options)
        for _ in range(max(1, round(100 * (1 + rank / 10) ** -1.5)))
    )


def a_or_an(word: str) -> str:
    """Return the indefinite article before this word."""
    if word.startswith(AN_WORDS):
        return "an"
    if word.startswith(A_WORDS):
        return "a"
    return "an" if word[0] in "aeiouAEIO" else "a"


def with_articles(text: str) -> str:
    """Return the text with ``a`` or ``an`` as the next word asks."""
    return ARTICLE.sub(lambda found: f"{found[1]}{a_or_an(found[2])[1:]} {found[2]}", text)


@cache
def described() -> tuple[frozenset[str], frozenset[str]]:
    """Return all adjectives, and all nouns that adjectives are said of."""
    words = {word for kind in lexicon.sections("adjectives") for word in lexicon.adjectives(kind)}
    nouns = {noun.singular for kind in ADJECTIVES for noun in lexicon.nouns(kind)}
    return frozenset(words), frozenset(nouns)


def meets_held_pair(text: str) -> bool:
    """Return whether a held-out adjective stands before its noun, or is said of it."""
    adjectives, nouns = described()
    words = WORDS.findall(text.lower())
    for index, word in enumerate(words):
        if word in nouns:
            before = index - 1
            while before >= 0 and words[before] in adjectives:
                if is_held_pair(words[before], word):
                    return True
                before -= 1
            if words[index + 1 : index + 2] == ["was"] and index + 2 < len(words):
                said = words[index + 2]
                if said in adjectives and is_held_pair(said, word):
                    return True
    return False


@cache
def adjective_choice(kind: str) -> tuple[str, ...]:
    """Adjectives of one kind, the common ones repeated."""
    return weighted(lexicon.adjectives(kind))


def pick_adjectives(
    rng: Random, kind: str, noun: str, how_many: int, *, held: bool = False
) -> tuple[str, ...]:
    """Adjectives for a noun, in English order, at most one of each kind where there is a choice.

    Pairs that are held out come up only when ``held`` is set.
    """
    kinds = ADJECTIVES.get(kind, ())
    if not kinds or not how_many:
        return ()
    order = sorted(rng.sample(range(len(kinds)), min(how_many, len(kinds))))
    chosen: list[str] = []
    for index in order:
        for _ in range(4):
            adjective = pick(rng, adjective_choice(kinds[index]))
            if adjective not in chosen and (held or not is_held_pair(adjective, noun)):
                chosen.append(adjective)
                break
    return tuple(chosen)


@dataclass(frozen=True)
class Phrase:
    """A noun with its adjectives; as a text, with a determiner before it."""

    noun: str
    adjectives: tuple[str, ...]

    def text(self, determiner: str) -> str:
        """Return the phrase after a determiner; ``a`` becomes ``an`` where it must."""
        words = (*self.adjectives, self.noun)
        if determiner == "a":
            determiner = a_or_an(words[0])
        return " ".join((determiner, *words) if determiner else words)
