"""A film is played once for each of a few cases; all promises about it share its plays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from unittest.mock import patch

import pytest
from manim import Mobject

from checking.check import play_and_check
from checking.report import Report
from model.errors import Unusable
from rendering.figures import Look, look_of
from scenes.camera import WHOLE
from scenes.film import Film, Request
from scenes.theme import DARK, LIGHT

SIXTEEN = "the old man gave a small red apple to the young woman who lived near the"
CASES = ("default", "one token, light", "sixteen tokens", "odd Unicode, small Llama")


@dataclass(frozen=True)
class Play:
    """A film as it was played for a case, and what `check` found in it."""

    film: Film
    report: Report
    strays: list[str]  # what looked otherwise after verbs that do not touch it


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
                with _strays() as strays:
                    self._found[case] = Play(*play_and_check(film, *self.request(case)), strays)
            except Unusable as refusal:
                self._found[case] = str(refusal)
        return self._found[case]


@contextmanager
def _strays() -> Iterator[list[str]]:
    """Yield a list that comes to name what verbs have changed and do not say that they touch."""
    changing_only, found = Film._changing_only, list[str]()

    @contextmanager
    def watched(film: Film, mobjects: Sequence[Mobject]) -> Iterator[None]:
        before, touched = _looks(film), {id(part) for part in mobjects}
        with changing_only(film, mobjects):
            yield
        after = _looks(film)
        strays = {key for key in before.keys() | after if before.get(key) != after.get(key)}
        names = {id(part): f"{part} of {film.slug()}" for part in film.parts}
        found.extend(names[key] for key in strays - touched)

    with patch.object(Film, "_changing_only", watched):
        yield found


def _looks(film: Film) -> dict[int, Look]:
    """Return how everything looks that is seen, wherever the camera is."""
    return {id(part): look_of(part, WHOLE) for part in film.seen()}


@contextmanager
def declared_refusals(film: type[Film]) -> Iterator[None]:
    """Skip where a film refuses what it says of itself that it cannot show."""
    try:
        yield
    except Unusable as refusal:
        if not is_declared(film, str(refusal)):
            raise
        pytest.skip(str(refusal))


def is_declared(film: type[Film], refusal: str) -> bool:
    """Whether a film's refusal is for what it says of itself, and says what would do."""
    is_unsuited = any(need.name in refusal and need.example in refusal for need in film.needs)
    stands_otherwise = film.reads_after_attention and "side by side" in refusal
    has_few_words = "no two pairs of words of our list" in refusal
    has_one_head = "needs a model with two heads or more" in refusal
    has_few_pieces = "needs a vocabulary of" in refusal
    has_other_sizes = has_one_head or has_few_pieces or "shows at most" in refusal
    return is_unsuited or stands_otherwise or has_few_words or has_other_sizes
