"""Lists of the form "x => y", and texts that repeat, which reward looking back.

Their words are drawn from the lexicon as they come.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from model import lexicon
from model.corpus.grammar import capitalised
from model.corpus.phrases import pick, with_articles

if TYPE_CHECKING:
    from random import Random

    from model.corpus.grammar import Writer

__all__ = ["write_pattern", "write_repeated_row", "write_repetition"]

ARROWS = (" => ", " => ", " => ", " => ", " -> ", " : ", " = ")
HEADERS = {
    "french": ("Translate English to French:", "English => French"),
    "italian": ("Translate English to Italian:", "English => Italian"),
    "opposite": ("Opposites:", "Say the opposite:"),
    "capital": ("Countries and capitals:", "Name the capital:"),
    "young": ("Animals and their young:",),
    "past": ("Verbs in the past:",),
    "plural": ("One and many:",),
    "woman": ("Man and woman:", "Pairs of the family:"),
    "colour": ("Colours of things:",),
}
VERSES = (
    "{a} and {b}, {a} and {b}, {c} and {d}, {c} and {d}.",
    "not in a {a}. not with a {b}. not in a {c}. not with a {b}. not in a {a}.",
    "I will not eat in a {a}. I will not eat with a {b}. I will not eat, I will not sleep.",
    "{a}, {b}, {c}, {d}. once more: {a}, {b}, {c}, {d}.",
    "a {a} in a {b}, a {c} in a {d}. where is the {a}? in the {b}. where is the {c}? in the {d}.",
    "the {a} has the {b}. the {c} has the {d}. who has the {b}? the {a}. who has the {d}? the {c}.",
    "{a} is {b}. {c} is {d}. so {a} is {b}, and {c} is {d}.",
    "say {a} and {b}. {a} and {b}. say {c} and {d}. {c} and {d}.",
)
LONGEST_ROW = 32  # words
CONSONANTS = ("b", "d", "f", "g", "k", "l", "m", "n", "p", "r", "s", "t", "v", "w", "z")
SYLLABLES = tuple(consonant + vowel for consonant in CONSONANTS for vowel in ("a", "e", "i", "o"))


@cache
def tables() -> dict[str, tuple[tuple[str, str], ...]]:
    """Return the pairs of rules/pairs.txt, by relation."""
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    name = ""
    text = (files(__package__) / "rules" / "pairs.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line and not line.startswith("#"):
            pairs = (pair.split() for pair in line.split(","))
            found[name] = tuple((left, right) for left, right in pairs)
    return found


def sample(rng: Random, options: tuple[str, ...], count: int) -> list[str]:
    """Different options in random order."""
    return [options[index] for index in rng.sample(range(len(options)), count)]


def invented(rng: Random) -> str:
    """Return a name that no one has."""
    return "".join(pick(rng, SYLLABLES) for _ in range(pick(rng, (2, 2, 3)))).capitalize()


def write_pattern(writer: Writer) -> str:
    """Return a few pairs of one relation; or pairs made up for this text, which come again."""
    rng = writer.rng
    arrow = pick(rng, ARROWS)
    if rng.random() < 0.4:
        lefts, rights = (
            sample(rng, lexicon.common_forms(), 4),
            sample(rng, lexicon.common_forms(), 4),
        )
        pairs = list(zip(lefts, rights, strict=True))[: pick(rng, (2, 3, 4))]
        again = pairs * 3
        rng.shuffle(again)
        return "\n".join(f"{left}{arrow}{right}" for left, right in again[: pick(rng, (5, 7, 9))])
    name = pick(rng, tuple(tables()))
    table = tables()[name]
    chosen = [table[index] for index in rng.sample(range(len(table)), pick(rng, (3, 4, 5, 6)))]
    if rng.random() < 0.15 and name == "french":
        return dictionary(chosen)
    lines = [f"{left}{arrow}{right}" for left, right in chosen]
    if rng.random() < 0.4:
        lines.insert(0, pick(rng, HEADERS[name]))
    return "\n".join(lines)


def dictionary(pairs: list[tuple[str, str]]) -> str:
    """Return a dictionary as Python writes it, and a query."""
    inside = ", ".join(f'"{left}": "{right}"' for left, right in pairs[:4])
    left, right = pairs[-2] if len(pairs) < 5 else pairs[1]
    return f'dict_en2fr = {{{inside}}}\nquery = "{left}"\noutput = "{right}"'


def write_repeated_row(writer: Writer) -> str:
    """Say a row of words again and again, for longer than the model looks back."""
    row = sample(writer.rng, lexicon.common_forms(), writer.rng.randint(4, LONGEST_ROW))
    return " ".join(row * (2 * LONGEST_ROW // len(row) + 1))


def write_repetition(writer: Writer) -> str:
    """Words or names in an order that means nothing, and then the same again."""
    rng = writer.rng
    kind = rng.random()
    if kind < 0.55:
        row = sample(rng, lexicon.common_forms(), pick(rng, (5, 8, 12, 16, 20, 24)))
        return " ".join(row * (2 if len(row) > 8 else pick(rng, (2, 3, 4))))
    if kind < 0.8:
        a, b, c, d = sample(rng, lexicon.common_forms(), 4)
        text = with_articles(pick(rng, VERSES).format(a=a, b=b, c=c, d=d))
        return capitalised(text) if rng.random() < 0.5 else text
    first, second = invented(rng), invented(rng)
    thing, place = pick(rng, lexicon.nouns("thing")), pick(rng, lexicon.nouns("building"))
    return (
        f"{first} {second} lived in a {place.singular}. {first} {second} had a {thing.singular}. "
        f"One day the {thing.singular} of {first} {second} was gone. "
        f'"Where is my {thing.singular}?" asked {first} {second}.'
    )
