"""Facts that the corpus tells again and again in many wordings, so that they are learned."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from model.corpus.grammar import capitalised
from model.corpus.phrases import pick, with_articles

if TYPE_CHECKING:
    from model.corpus.grammar import Writer

__all__ = ["Fact", "Relation", "facts", "relations", "write_facts"]

TESTED = ("sport", "capital", "dish", "language", "wife", "young")


@dataclass(frozen=True)
class Fact:
    """The beginning of a sentence, and the one word that must follow."""

    prompt: str
    answer: str


@dataclass(frozen=True)
class Relation:
    """Pairs of the same kind, and the sentences that can tell them."""

    wordings: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]


@cache
def relations() -> dict[str, Relation]:
    """Return the tables of rules/known.txt, by name."""
    wordings: dict[str, list[str]] = {}
    pairs: dict[str, list[tuple[str, str]]] = {}
    name = ""
    text = (files(__package__) / "rules" / "known.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if line.startswith("["):
            name = line.strip("[]")
        elif line.startswith("> "):
            wordings.setdefault(name, []).append(line.removeprefix("> "))
        elif line and not line.startswith("#"):
            subject, _, answer = line.partition(" / ")
            pairs.setdefault(name, []).append((subject, answer))
    return {name: Relation(tuple(wordings[name]), tuple(pairs[name])) for name in wordings}


def facts() -> list[Fact]:
    """Prompts that the model should be able to finish: sports, capitals, dishes, families."""
    return [
        Fact(opening(relation.wordings[0], subject), answer)
        for relation in (relations()[name] for name in TESTED)
        for subject, answer in relation.pairs
    ]


def opening(wording: str, subject: str) -> str:
    """Return a wording up to its answer, as a sentence starts."""
    text = wording.partition(" {b}")[0].replace("{a}", subject)
    return text[0].upper() + text[1:]


def write_facts(writer: Writer) -> str:
    """One to five facts: of one relation as a list, about one subject, or mixed."""
    rng = writer.rng
    named = tuple(relations())
    # The first wording is the one a viewer meets in the films, so it comes up most often.
    mixed = rng.random() < 0.4
    name = pick(rng, (*named, "sport", "sport", "capital", "dish", "wife"))
    wording = relations()[name].wordings
    chosen = wording[0] if rng.random() < 0.4 else pick(rng, wording)
    sentences = []
    for _ in range(pick(rng, (1, 2, 2, 3, 3, 4, 5))):
        if mixed:
            name = pick(rng, (*named, "sport"))
            chosen = pick(rng, relations()[name].wordings)
        subject, answer = pick(rng, relations()[name].pairs)
        sentences.append(chosen.replace("{a}", subject).replace("{b}", answer))
    text = (" " if mixed or rng.random() < 0.6 else "\n").join(dict.fromkeys(sentences))
    return capitalised(with_articles(text))
