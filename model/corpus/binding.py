"""Documents in which a noun's own adjectives are asked for later.

"a fluffy blue creature roamed the verdant forest. the creature was fluffy and blue."
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from model import lexicon
from model.corpus.grammar import Writer, capitalised
from model.corpus.phrases import Phrase, pick, weighted
from model.corpus.seeds import generator, is_held_pair

__all__ = ["Binding", "NounPhrase", "bindings", "noun_phrases", "write_binding"]

FILM = "a fluffy blue creature roamed the verdant forest. the creature was fluffy and blue."
COUNTS = (0, 1, 1, 2, 2, 2, 3)
DETERMINERS = ("a", "a", "a", "the", "the", "one", "this", "that", "my", "another")
OBJECTS = {
    "animal": (("roam", "nature"), ("roam", "nature"), ("see", "animal"), ("see", "person")),
    "person": (("see", "animal"), ("help", "person"), ("handle", "thing"), ("roam", "nature")),
}
LINKS = ("near", "near", "beside", "behind", "in front of", "next to", "close to")
DEEDS = {
    "tired": ("slept in", "rested in"),
    "sleepy": ("slept in", "lay down in"),
    "hungry": ("looked for food in", "ate the fruit of"),
    "happy": ("danced in", "sang in", "smiled at"),
    "sad": ("cried in", "left"),
    "angry": ("shouted at", "fought"),
    "brave": ("protected", "fought for"),
    "shy": ("hid in", "hid behind"),
    "curious": ("explored", "looked at"),
    "quick": ("ran through", "raced across"),
    "slow": ("crawled through", "walked across"),
    "careful": ("watched", "guarded"),
    "quiet": ("whispered in", "walked through"),
    "lazy": ("lay in", "rested near"),
    "wild": ("ran across", "roamed"),
    "lonely": ("wandered through", "wandered across"),
    "wet": ("swam across", "came out of"),
    "fluffy": ("roamed", "rolled across"),
    "giant": ("crossed", "marched through"),
    "tiny": ("lived in", "hid in"),
    "nervous": ("left", "ran from"),
}
RECOLLECTIONS = (
    *("the {noun} was {listed}.",) * 5,
    "what was the {noun} like? {it} was {listed}.",
    "what was the {noun} like? the {noun} was {listed}.",
    "how was the {noun}? {it} was {listed}.",
    "which {noun}? the {words} one.",
    "it was {phrase}.",
    "everybody could see that the {noun} was {listed}.",
    "was the {noun} {first}? yes, {it} was {listed}.",
    "i remember the {words} {noun}.",
)


@dataclass(frozen=True)
class NounPhrase:
    """A sentence and, in it, the places of a noun and of the noun's own adjectives."""

    text: str
    noun: tuple[int, int]
    adjectives: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Binding:
    """A text that stops where the noun's own adjectives must follow."""

    prompt: str
    adjectives: tuple[str, ...]


@dataclass(frozen=True)
class Scene:
    """A first sentence and its phrases, with the pronoun of each and whether it lives."""

    text: str
    phrases: tuple[Phrase, ...]
    determiners: tuple[str, ...]
    pronouns: tuple[str, ...]
    alive: tuple[bool, ...]


@cache
def pasts(kind: str) -> tuple[str, ...]:
    """Return the past forms of the verbs of a kind, the common ones repeated."""
    return weighted([verb.past for verb in lexicon.verbs(kind)])


def listed(words: tuple[str, ...]) -> str:
    """``fluffy``, ``fluffy and blue``, ``small, fluffy and blue``."""
    if len(words) == 1:
        return words[0]
    return f"{', '.join(words[:-1])} and {words[-1]}"


def scene(writer: Writer, counts: tuple[int, ...]) -> Scene:
    """Return a sentence about nouns with as many adjectives as said."""
    rng = writer.rng
    subject = pick(rng, ("animal", "animal", "person"))
    verb, other = pick(rng, OBJECTS[subject])
    kinds = (subject, other, pick(rng, ("animal", "thing", "nature")))[: len(counts)]
    phrases: list[Phrase] = []
    for kind, how_many in zip(kinds, counts, strict=True):
        phrase = writer.phrase(kind, how_many=how_many)
        while any(phrase.noun == before.noun for before in phrases):
            phrase = writer.phrase(kind, how_many=how_many)
        phrases.append(phrase)
    determiners = tuple(pick(rng, DETERMINERS) for _ in phrases)
    pronouns = tuple(
        writer.gender(kind, phrase.noun) for kind, phrase in zip(kinds, phrases, strict=True)
    )
    deed = pick(rng, pasts(verb))
    telling = [word for word in phrases[0].adjectives if word in DEEDS]
    if other == "nature" and telling and rng.random() < 0.7:
        deed = pick(rng, DEEDS[telling[0]])
    first, *rest = (
        phrase.text(determiner) for phrase, determiner in zip(phrases, determiners, strict=True)
    )
    links = ("with", "and", *LINKS) if other == kinds[-1] else LINKS
    text = f"{first} {deed} {rest[0]}" + "".join(f" {pick(rng, links)} {more}" for more in rest[1:])
    alive = tuple(kind in ("animal", "person") for kind in kinds)
    return Scene(text, tuple(phrases), determiners, pronouns, alive)


def recollect(writer: Writer, there: Scene, index: int) -> str:
    """Return a sentence that needs the adjectives of one of the scene's nouns."""
    phrase = there.phrases[index]
    noun, words = phrase.noun, phrase.adjectives
    if there.alive[index] and writer.rng.random() < 0.15:
        deed, who = pick(writer.rng, pasts("act")), there.pronouns[index]
        which = "which" if who == "it" else "who"
        return pick(
            writer.rng,
            (
                f"the {' '.join(words)} {noun} {deed}.",
                f"the {noun}, {which} was {listed(words)}, {deed}.",
            ),
        )
    return pick(writer.rng, RECOLLECTIONS).format(
        noun=noun,
        words=" ".join(words),
        listed=listed(words),
        first=words[0],
        phrase=phrase.text("a"),
        it=there.pronouns[index],
    )


def write_binding(writer: Writer) -> str:
    """Return a scene and one to three sentences that come back to its adjectives."""
    rng = writer.rng
    if rng.random() < 0.004:
        return FILM
    counts = tuple(pick(rng, COUNTS) for _ in range(pick(rng, (2, 2, 3))))
    there = scene(writer, counts)
    described = [index for index, phrase in enumerate(there.phrases) if phrase.adjectives]
    rng.shuffle(described)
    if rng.random() < 0.5:
        described.sort()
    sentences = [recollect(writer, there, index) for index in described]
    text = " ".join([f"{there.text}.", *sentences])
    return capitalised(text).replace(" i ", " I ") if rng.random() < 0.2 else text


def spans(there: Scene, index: int) -> NounPhrase:
    """Where the phrase with this index stands in the scene's sentence."""
    end = 0
    for phrase, determiner in list(zip(there.phrases, there.determiners, strict=True))[: index + 1]:
        text = phrase.text(determiner)
        start = there.text.index(text, end)
        end = start + len(text)
    phrase = there.phrases[index]
    at = end - len(" ".join((*phrase.adjectives, phrase.noun)))
    found = []
    for word in (*phrase.adjectives, phrase.noun):
        found.append((at, at + len(word)))
        at += len(word) + 1
    return NounPhrase(f"{there.text}.", found[-1], tuple(found[:-1]))


def is_new(phrase: Phrase) -> bool:
    """Return whether everyday words stand together here as they never do in training."""
    words = {phrase.noun, *phrase.adjectives}
    held = any(is_held_pair(adjective, phrase.noun) for adjective in phrase.adjectives)
    return held and words.issubset(lexicon.common_forms())


def noun_phrases(seed: int, count: int) -> list[NounPhrase]:
    """Sentences for measuring, each with a noun phrase that never occurs in training."""
    writer = Writer(generator(seed), held=True)
    found: list[NounPhrase] = []
    while len(found) < count:
        counts = tuple(pick(writer.rng, (1, 2, 2, 3)) for _ in range(pick(writer.rng, (2, 3))))
        there = scene(writer, counts)
        index = pick(writer.rng, range(len(counts)))
        phrase = there.phrases[index]
        if is_new(phrase):
            found.append(spans(there, index))
    return found


def bindings(seed: int, count: int) -> list[Binding]:
    """Prompts for measuring: two adjectives to be told, one that belongs to another noun."""
    writer = Writer(generator(seed), held=True)
    found: list[Binding] = []
    while len(found) < count:
        there = scene(writer, (2, 1))
        asked, other = there.phrases
        if (
            is_new(asked)
            and len(asked.adjectives) == 2
            and not set(asked.adjectives) & set(other.adjectives)
        ):
            found.append(Binding(f"{there.text}. the {asked.noun} was", asked.adjectives))
    return found
