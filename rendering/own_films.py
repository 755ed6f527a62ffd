# ruff: noqa: PLC0415 - films are slow to import
"""Films of the user's own, in any file anywhere."""

from __future__ import annotations

import importlib
import keyword
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from model.errors import Unusable
from rendering.failures import code_failed

if TYPE_CHECKING:
    from scenes.film import Film

SUFFIX = ".py"
SAYS = ("title", "prompt", "poster_beat")  # what a film's class must say


def films_in(file: Path) -> list[type[Film]]:
    """Import a file and return the films whose classes stand in it, in their order.

    What stands beside the file can be imported by it, and by the processes that draw its films.
    Raises `Unusable` for a file that cannot hold films or whose films lack something, `FilmFailed`
    if its own code raises.
    """
    from scenes.film import Film

    module = _imported(file)
    films = [
        each
        for each in vars(module).values()
        if isinstance(each, type) and issubclass(each, Film) and each.__module__ == module.__name__
    ]
    if not films:
        raise Unusable(f"There is no film in {file}: write a class that is a scenes.film.Film.")
    for film in films:
        _refuse_incomplete(film)
    return films


def _imported(file: Path) -> ModuleType:
    place = file.expanduser().resolve()
    if not place.is_file():
        raise Unusable(f"There is no file {file}: check its name.")
    name = place.stem
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Unusable(
            f"{file} cannot be imported: give it a name of letters, digits and _, such as "
            "my_film.py."
        )
    if str(place.parent) not in sys.path:
        sys.path.append(str(place.parent))  # at the end: it takes nothing from anybody
    spec = find_spec(name)
    if spec is None or spec.origin is None or Path(spec.origin).resolve() != place:
        there = spec.origin if spec else None
        raise Unusable(
            f"{file} is called like a module that is there ({there}): give it another name."
        )
    try:
        return importlib.import_module(name)
    except SyntaxError:
        raise
    except Exception as error:
        raise code_failed(f"{place.name} cannot be imported", place, error) from error


def _refuse_incomplete(film: type[Film]) -> None:
    """Raise `Unusable` for a film without what every film has."""
    for name in SAYS:
        if not hasattr(film, name):
            raise Unusable(f"The film {film.__name__} has no {name}: give its class one.")
    beats = [each.name for each in film.beats()]
    if not beats:
        raise Unusable(f"The film {film.__name__} has no beat: mark a method with @beat(...).")
    if film.poster_beat not in beats:
        raise Unusable(
            f"The film {film.__name__} has no beat '{film.poster_beat}', its poster_beat: "
            f"name one that it has, such as {beats[-1]}."
        )
