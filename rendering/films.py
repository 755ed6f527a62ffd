# ruff: noqa: PLC0415 - films are slow to import: only what plays or describes one does
"""Finding films by the names that users give them, and describing them.

Finding one imports none.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from rendering.cards import Card, cards

if TYPE_CHECKING:
    from scenes.film import Film, Request

ALL = "all"


def find(names: Iterable[str], or_command: Sequence[str] = ()) -> list[Card]:
    """Return the films named by slug or class name, each once; `all` stands for every film.

    An unknown name is refused with the nearest known one, which may be one of `or_command`.
    """
    found: dict[Card, None] = {}
    known = {_key(name): card for card in cards() for name in (card.slug, card.name)}
    for name in names:
        if _key(name) == ALL:
            found |= dict.fromkeys(cards())
        elif _key(name) in known:
            found[known[_key(name)]] = None
        else:
            raise Unusable(_unknown(name, or_command))
    return list(found)


def refuse_unknown_beats(films: Iterable[Card], beats: Iterable[str]) -> None:
    """Raise `Unusable`, with the nearest name, for a beat that one of the films lacks."""
    for film in films:
        for beat in beats:
            if beat not in film.beats:
                raise Unusable(
                    f"The film {film.slug} has no beat '{beat}': "
                    f"did you mean {nearest(beat, film.beats)}?"
                )


def nearest(name: str, names: Sequence[str]) -> str:
    """Return the one of `names` that is spelled most like `name`."""
    return get_close_matches(name.lower(), names, n=1, cutoff=0)[0]


def act(film: type[Film]) -> str:
    """Return the act that a film belongs to, which is what its package says that it is."""
    package = sys.modules[film.__module__.rpartition(".")[0] or film.__module__]
    return (package.__doc__ or "").strip().partition("\n")[0].rstrip(".")


def describe(film: type[Film], request: Request) -> dict[str, Any]:
    """Return what `list` tells of a film, its narration filled in by the model."""
    from rendering import playing

    return {
        "film": film.slug(),
        "class": film.__name__,
        "act": act(film),
        "title": film.title,
        "goal": film.goal(),
        "length": film.seconds,
        "prompt": film.prompt,
        "beats": [
            {"name": name, "narration": narration}
            for name, narration in playing.read(film, request).script()
        ],
    }


def _key(name: str) -> str:
    """Return a name without what does not matter: case, and how its words are joined."""
    return name.lower().replace("-", "").replace("_", "")


def _unknown(name: str, or_command: Sequence[str]) -> str:
    what = "film or command" if or_command else "film"
    close = nearest(name, [film.slug for film in cards()] + [ALL, *or_command])
    return f"There is no {what} '{name}': did you mean {close}?"
