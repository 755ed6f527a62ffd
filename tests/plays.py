"""A film is played once for each of a few cases; all promises about it share its plays."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from checking.check import Report, play_and_check
from model.errors import Unusable
from scenes.film import Film, Request
from scenes.theme import DARK, LIGHT

SIXTEEN = "the old man gave a small red apple to the young woman who lived near the"
CASES = ("default", "one token, light", "sixteen tokens", "odd Unicode, small Llama")


@dataclass(frozen=True)
class Play:
    """A film as it was played for a case, and what `check` found in it."""

    film: Film
    report: Report


@dataclass
class Plays:
    """The plays of a film, by case; a refusal is its sentence. Tests come film by film."""

    llama: Path
    _film: type[Film] | None = None
    _found: dict[str, Play | str] = field(default_factory=dict)

    def request(self, case: str) -> tuple[Request, str]:
        """Return what a case asks for, and the shape of its frame."""
        return {
            "default": (Request(theme=DARK), "16:9"),
            "one token, light": (Request(prompt="a", theme=LIGHT), "1:1"),
            "sixteen tokens": (Request(prompt=SIXTEEN), "16:9"),
            "odd Unicode, small Llama": (Request(prompt="Δx é 🤖", checkpoint=self.llama), "9:16"),
        }[case]

    def of(self, film: type[Film], case: str) -> Play | str:
        """Return how a film played, or why it refused to."""
        if film is not self._film:
            self._film = film
            self._found.clear()
        if case not in self._found:
            try:
                self._found[case] = Play(*play_and_check(film, *self.request(case)))
            except Unusable as refusal:
                self._found[case] = str(refusal)
        return self._found[case]


def is_declared(film: type[Film], refusal: str) -> bool:
    """Whether a film's refusal is for what it says of itself, and says what would do."""
    is_unsuited = any(need.name in refusal and need.example in refusal for need in film.needs)
    stands_otherwise = film.reads_after_attention and "side by side" in refusal
    return is_unsuited or stands_otherwise or "shows at most" in refusal
