"""The words that the corpus is made of, by part of speech and by kind, with their forms.

The words themselves stand in the text files beside this one: under a heading in brackets
the words of one kind, the common ones first, irregular forms after strokes. This module
reads and inflects them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

__all__ = [
    "Noun",
    "Verb",
    "adjectives",
    "common_forms",
    "first_words",
    "forms",
    "frequent_forms",
    "lemmas",
    "marks",
    "nouns",
    "others",
    "verbs",
]

VOWELS = "aeiou"


@dataclass(frozen=True)
class Noun:
    """A noun and its plural; a mass noun has none."""

    singular: str
    plural: str | None


@dataclass(frozen=True)
class Verb:
    """A verb and its principal parts."""

    base: str
    past: str
    participle: str
    ing: str

    @property
    def third(self) -> str:
        """The form for he, she and it: walks, goes, tries."""
        first, *rest = self.base.split(" ")
        irregular = {"be": "is", "have": "has", "do": "does", "go": "goes"}
        return " ".join([irregular.get(first, add_s(first)), *rest])


def add_s(word: str) -> str:
    """Return the regular plural of a noun, and the third person of a verb."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and word[-2] not in VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def doubles(base: str) -> bool:
    """Whether the last consonant doubles before an ending, as in stopped and running."""
    vowels = sum(letter in VOWELS for letter in base)
    return vowels == 1 and len(base) > 2 and base[-1] not in VOWELS + "wxy" and base[-2] in VOWELS


def regular_past(base: str) -> str:
    """Return walked, loved, tried, stopped."""
    if base.endswith("e"):
        return base + "d"
    if base.endswith("y") and base[-2] not in VOWELS:
        return base[:-1] + "ied"
    return base + (base[-1] if doubles(base) else "") + "ed"


def regular_ing(base: str, past: str) -> str:
    """Return walking, loving, lying, running, travelling."""
    if base.endswith("ie"):
        return base[:-2] + "ying"
    if base.endswith("e") and not base.endswith(("ee", "ye", "oe")) and base != "be":
        return base[:-1] + "ing"
    doubled = doubles(base) or past == base + base[-1] + "ed"
    return base + (base[-1] if doubled else "") + "ing"


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """One text file's entries, by heading."""
    found: dict[str, list[str]] = {}
    entries: list[str] = []
    for line in (files(__name__) / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            entries = found.setdefault(line.strip("[] "), [])
        elif not line.startswith("#"):
            entries += (entry.replace("_", " ") for entry in line.split())
    return {heading: tuple(dict.fromkeys(words)) for heading, words in found.items()}


def parse_noun(entry: str) -> Noun:
    """Return a noun from its line: ``child/children``, ``bread/-`` or just ``dog``."""
    singular, _, plural = entry.partition("/")
    return Noun(singular, None if plural == "-" else plural or add_s(singular))


def parse_verb(entry: str) -> Verb:
    """Return a verb from its line: base, and past, participle and -ing if irregular."""
    base, *parts = entry.split("/")
    past = parts[0] if parts else regular_past(base)
    participle = parts[1] if len(parts) > 1 else past
    ing = parts[2] if len(parts) > 2 else regular_ing(base, past)
    return Verb(base, past, participle, ing)


@cache
def nouns(kind: str) -> tuple[Noun, ...]:
    """Return the nouns of a kind."""
    return tuple(parse_noun(entry) for entry in sections("nouns")[kind])


@cache
def verbs(kind: str) -> tuple[Verb, ...]:
    """Return the verbs of a kind."""
    return tuple(parse_verb(entry) for entry in sections("verbs")[kind])


@cache
def adjectives(kind: str) -> tuple[str, ...]:
    """Return the adjectives that can be said of a kind of thing."""
    return sections("adjectives")[kind]


def lemmas() -> dict[str, frozenset[str]]:
    """Every word of the lexicon in its base form, with its parts of speech."""
    found: dict[str, set[str]] = {}
    for part in ("nouns", "adjectives", "verbs", "names", "others"):
        for kind, entries in sections(part).items():
            speech = kind if part == "others" else part.removesuffix("s")
            for entry in entries:
                found.setdefault(entry.partition("/")[0], set()).add(speech)
    return {word: frozenset(parts) for word, parts in found.items()}


@cache
def common_forms() -> tuple[str, ...]:
    """Return the words of everyday use in their forms, and all the small words."""
    inflected = set(sections("common")["in all forms"])
    found = dict.fromkeys(word for words in sections("common").values() for word in words)
    for verb in (verb for kind in sections("verbs") for verb in verbs(kind)):
        if verb.base in inflected:
            found |= dict.fromkeys((verb.past, verb.participle, verb.ing, verb.third))
    for noun in (noun for kind in sections("nouns") for noun in nouns(kind)):
        if noun.singular in inflected and noun.plural:
            found[noun.plural] = None
    for entries in sections("others").values():
        found |= dict.fromkeys(entries)
    return tuple(word for word in found if word.isalpha())


@cache
def frequent_forms(tier: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the ``first`` or ``second`` most used words of English, in two groups.

    The second group are the forms that come up less: goes and going, plurals, comparatives.
    """
    found = sections("frequent")
    often, seldom = dict.fromkeys(found[f"words {tier}"]), dict[str, None]()
    for verb in map(parse_verb, found[f"verbs {tier}"]):
        often |= dict.fromkeys((verb.base, verb.past, verb.participle))
        seldom |= dict.fromkeys((verb.ing, verb.third))
    for noun in map(parse_noun, found[f"nouns {tier}"]):
        often[noun.singular] = None
        seldom |= dict.fromkeys([noun.plural] if noun.plural else [])
    for positive, *compared in (entry.split("/") for entry in found[f"adjectives {tier}"]):
        often[positive] = None
        seldom |= dict.fromkeys(compared)
    return tuple(often), tuple(word for word in seldom if word not in often)


def first_words() -> tuple[str, ...]:
    """Words with which sentences often begin, with their capitals, the most used first."""
    return sections("frequent")["with a capital"]


def marks() -> tuple[str, ...]:
    """Punctuation that stands together, and the ends of contractions."""
    return sections("frequent")["marks"]
