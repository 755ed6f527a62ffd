"""Reads the rules in rules/*.txt and writes text by them.

A rule is a heading in brackets and its alternatives, one a line; ``3| text`` counts three
times and ``/`` starts a new line, ``//`` leaves one free. A slot in braces is filled:

    {greeting_line}            another rule
    {animal} {animal.s}        a noun of a kind, in the singular or plural
    {a animal} {the animal.s}  the same as a phrase, with a determiner and perhaps adjectives
    {+ animal.s}               a phrase without a determiner
    {adj thought}              an adjective of a kind
    {food.m}                   what there is some of: a mass noun, or a plural
    {move.past}                a verb of a kind: base, past, s, ing or pp
    {x=animal} ... {x}         remembers the word and writes it again
    {x:he} {x:him} {x:his}     the pronoun for what was remembered
    {manner}                   a word of another part of speech
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from model import lexicon
from model.corpus.phrases import HOW_MANY, Phrase, pick, pick_adjectives, weighted

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import TypeAlias

    Part: TypeAlias = "str | Callable[[Writer], str]"  # of an alternative: a text, or a slot

__all__ = ["Writer", "capitalised", "rules"]

FILES = ("everyday", "quotations", "stories", "talk")
SHE = frozenset(
    (
        "woman",
        "girl",
        "queen",
        "mother",
        "sister",
        "wife",
        "daughter",
        "aunt",
        "grandmother",
        "princess",
        "lady",
        "niece",
        "witch",
        "mum",
    )
)
HE = frozenset(
    (
        "man",
        "boy",
        "king",
        "father",
        "brother",
        "husband",
        "son",
        "uncle",
        "grandfather",
        "prince",
        "gentleman",
        "nephew",
        "guy",
        "postman",
        "wizard",
        "dad",
        "policeman",
        "fisherman",
    )
)
PRONOUNS = {
    "she": {"he": "she", "him": "her", "his": "her", "himself": "herself", "boy": "girl"},
    "he": {"he": "he", "him": "him", "his": "his", "himself": "himself", "boy": "boy"},
    "it": {"he": "it", "him": "it", "his": "its", "himself": "itself", "boy": "one"},
    "they": {"he": "they", "him": "them", "his": "their", "himself": "themselves", "boy": "ones"},
}
FORMS = {"base": "base", "past": "past", "s": "third", "ing": "ing", "pp": "participle"}
SLOT = re.compile(r"\{([^{}]*)\}")
SENTENCE_START = re.compile(r"(^\"?|[.!?] \"?|\n\"?|User: |Assistant: )([a-z])")


class Writer:
    """Fills slots for one document: its source of choices, and what it has mentioned."""

    def __init__(self, rng: Random, *, held: bool = False) -> None:
        self.rng = rng
        self.held = held
        self.mentioned: dict[str, tuple[str, str]] = {}

    def write(self, rule: str) -> str:
        """One text by a rule, as the rule has its capitals."""
        parts = pick(self.rng, rules()[rule])
        return "".join([part if isinstance(part, str) else part(self) for part in parts])

    def phrase(
        self, kind: str, *, plural: bool = False, mass: bool = False, how_many: int | None = None
    ) -> Phrase:
        """Return a noun of a kind with none to two adjectives, or with as many as asked for."""
        noun = pick(self.rng, noun_choice(kind, plural=plural, mass=mass))
        if how_many is None:
            how_many = pick(self.rng, HOW_MANY)
        adjectives = pick_adjectives(self.rng, kind, noun, how_many, held=self.held)
        return Phrase(noun, adjectives)

    def mention(self, name: str, word: str, gender: str) -> None:
        """Remember a word, so that the text can come back to it."""
        self.mentioned[name] = (word, gender)

    def has_mentioned(self, word: str) -> bool:
        """Return whether the word already has a name in this document."""
        return any(word == known for known, _ in self.mentioned.values())

    def recall(self, name: str) -> str:
        """Return the word that was mentioned under this name."""
        return self.mentioned[name][0]

    def pronoun(self, name: str, case: str) -> str:
        """Return the pronoun for what was mentioned under this name."""
        return PRONOUNS[self.mentioned[name][1]][case]

    def gender(self, kind: str, noun: str) -> str:
        """Whether to speak of a noun as he, she or it."""
        if kind in ("person", "profession", "family"):
            if noun in SHE or noun in HE:
                return "she" if noun in SHE else "he"
            return pick(self.rng, ("he", "she"))
        return {"woman_name": "she", "man_name": "he"}.get(kind, "it")


@cache
def noun_choice(kind: str, *, plural: bool = False, mass: bool = False) -> tuple[str, ...]:
    """Return the nouns of a kind in one number, the common ones repeated."""
    found = [noun for noun in lexicon.nouns(kind) if noun.plural or (mass and not plural)]
    return weighted([noun.plural if plural and noun.plural else noun.singular for noun in found])


@cache
def some_choice(kind: str) -> tuple[str, ...]:
    """Return the nouns of a kind as they stand after "some": bread, apples."""
    return weighted([noun.plural or noun.singular for noun in lexicon.nouns(kind)])


@cache
def rules() -> dict[str, tuple[tuple[Part, ...], ...]]:
    """Every rule's alternatives, ready to be filled."""
    found: dict[str, list[tuple[Part, ...]]] = {}
    lines = [line for name in FILES for line in rule_lines(name)]
    names = {line.strip("[]") for line in lines if line.startswith("[")}
    heading = ""
    for line in lines:
        if line.startswith("["):
            heading = line.strip("[]")
            continue
        times, bar, text = line.partition("| ")
        if not (bar and times.isdigit()):
            times, text = "1", line
        parts = parse(text.replace(" // ", "\n\n").replace(" / ", "\n"), frozenset(names))
        found.setdefault(heading, []).extend([parts] * int(times))
    return {name: tuple(alternatives) for name, alternatives in found.items()}


def rule_lines(name: str) -> list[str]:
    """Return the lines of one rule file that say something."""
    text = (files(__package__) / "rules" / f"{name}.txt").read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]


def parse(text: str, names: frozenset[str]) -> tuple[Part, ...]:
    """Return an alternative as a row of texts and of functions that fill slots."""
    pieces = SLOT.split(text)
    parts: list[Part] = []
    for index, piece in enumerate(pieces):
        if index % 2:
            parts.append(slot(piece, names))
        elif piece:
            parts.append(piece)
    return tuple(parts)


def slot(text: str, names: frozenset[str]) -> Callable[[Writer], str]:
    """Return the function that fills one slot."""
    name, _, rest = text.rpartition("=")
    before, space, last = rest.rpartition(" ")
    kind, _, form = last.partition(".")
    if text in names:
        return lambda writer: writer.write(text)
    if ":" in rest:
        mentioned, case = rest.split(":")
        return lambda writer: writer.pronoun(mentioned, case)
    if space and before != "adj":
        return phrase_slot(before.strip("+"), kind, name, plural=form == "s")
    choice = words_of(before, kind, form)
    if choice:
        return word_slot(choice, kind, name)
    if not rest.isidentifier():
        raise ValueError(f"No word or rule fills the slot {{{text}}}.")
    return lambda writer: writer.recall(rest)


def words_of(part: str, kind: str, form: str) -> tuple[str, ...]:
    """Return the words that a slot for one word chooses from; none for a name."""
    if part == "adj":
        return weighted(lexicon.adjectives(kind))
    if form in FORMS and kind in lexicon.sections("verbs"):
        return weighted([getattr(verb, FORMS[form]) for verb in lexicon.verbs(kind)])
    if kind in lexicon.sections("nouns"):
        return (
            some_choice(kind) if form == "m" else noun_choice(kind, plural=form == "s", mass=True)
        )
    small = {**lexicon.sections("others"), **lexicon.sections("names")}
    return weighted(small.get(kind, ()))


def word_slot(choice: tuple[str, ...], kind: str, name: str) -> Callable[[Writer], str]:
    """Fill a slot with one word, which is remembered if the slot has a name."""

    def fill(writer: Writer) -> str:
        word = pick(writer.rng, choice)
        while writer.has_mentioned(word):
            word = pick(writer.rng, choice)
        writer.mention(name, word, writer.gender(kind, word))
        return word

    return fill if name else lambda writer: pick(writer.rng, choice)


def phrase_slot(determiner: str, kind: str, name: str, *, plural: bool) -> Callable[[Writer], str]:
    """Fill a slot with a noun phrase, whose noun is remembered if the slot has a name."""

    def fill(writer: Writer) -> str:
        phrase = writer.phrase(kind, plural=plural, mass=determiner != "a")
        while name and writer.has_mentioned(phrase.noun):
            phrase = writer.phrase(kind, plural=plural, mass=determiner != "a")
        if name:
            gender = "they" if plural else writer.gender(kind, phrase.noun)
            writer.mention(name, phrase.noun, gender)
        return phrase.text(determiner)

    return fill


def capitalised(text: str) -> str:
    """Return the text with a capital at the start of every sentence."""
    return SENTENCE_START.sub(lambda found: found[1] + found[2].upper(), text)
