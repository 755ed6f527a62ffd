"""The story of a token that asks, and of those that answer. It knows tokens and arrays only.

It is told to motivate, under a badge: that creature asks for adjectives is invented. Where the
hero and its adjectives do not stand in the prompt, it is told of others, in general words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scenes.analysis.selection import HERO, followed_query
from scenes.provenance import Array

ADJECTIVES = " fluffy", " blue"  # who answers where they stand before the hero
MOST_ANSWERS = 2


@dataclass(frozen=True)
class Question:
    """Which token asks, and which ones before it answer, as places in the prompt."""

    asker: int
    answers: tuple[int, ...]
    of_adjectives: bool

    @property
    def talk(self) -> tuple[str, str]:
        """What is asked, and what each of those who answer says."""
        if self.of_adjectives:
            return "any adjectives in front of me?", "I am one"
        if self.answers:
            return "who in front of me matters to me?", "perhaps I do"
        return "is there anybody in front of me?", ""

    def told(self, name: Callable[[int], str]) -> str:
        """Tell the story; `name` gives the name of a token by its place."""
        question, answer = self.talk
        start = f"Imagine {name(self.asker)} asking: {question}"
        if not self.answers:
            return f"{start} It stands first, so nobody answers."
        names = " and ".join(map(name, self.answers))
        verb = "answers" if len(self.answers) == 1 else "answer"
        return f"{start} {names[0].upper()}{names[1:]} {verb}: {answer}."


def question(tokens: Sequence[str], pattern: Array) -> Question:
    """Find who asks and who answers; `pattern` has the shape (query, key).

    Without the hero's adjectives those answer that the asker attends to most.
    """
    query = followed_query(tokens, pattern)
    if tokens[query] == HERO:
        adjectives = [i for i in range(query) if tokens[i] in ADJECTIVES]
        if adjectives:
            return Question(query, tuple(adjectives[-MOST_ANSWERS:]), of_adjectives=True)
    attended = sorted(range(query), key=lambda key: -float(pattern[query, key]))
    return Question(query, tuple(sorted(attended[:MOST_ANSWERS])), of_adjectives=False)


def outcome(tokens: Sequence[str], asker: int) -> str:
    """Tell what the story comes to for the token that asks."""
    if tokens[asker] != HERO or asker < 2:
        return "a word takes in the words that describe it"
    phrase = "".join(tokens[max(0, asker - 3) : asker + 1]).strip()
    return f"{HERO.strip()} becomes {phrase}"
