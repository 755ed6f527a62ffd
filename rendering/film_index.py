# ruff: noqa: PLC0415 - films are slow to import: only what plays or describes one does
"""The films that there are, found by name and known without being imported.

Importing a film takes seconds; what is asked of its files can be answered from its source.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from model.errors import Unusable
from rendering.failures import PROJECT
from rendering.imports import file_of
from rendering.own_films import SAYS, SUFFIX, films_in

if TYPE_CHECKING:
    from scenes.film import Film, Request

ALL = "all"
INDEX = PROJECT / "scenes" / "__init__.py"  # where FILMS stands
COURSE_MAP = "scenes.course_map", "CourseMap"  # its module and class
WORDS_IN_A_GAP, FEWEST = 4, 5  # the fewest: what could be said while a silent beat lasts


@dataclass(frozen=True)
class FilmEntry:
    """What a film's class says of itself."""

    slug: str
    name: str  # of the class
    module: str
    source: Path
    goal: str
    beats: tuple[str, ...]
    words: tuple[int, ...]  # about how many could be said in each beat
    title: str
    prompt: str
    poster_beat: str
    film: type[Film] | None = field(default=None, compare=False, repr=False)  # once imported

    @classmethod
    def of(cls, film: type[Film]) -> Self:
        """Return the entry of a film that has been imported."""
        return cls(
            slug=film.slug(),
            name=film.__name__,
            module=film.__module__,
            source=Path(inspect.getfile(film)),
            goal=film.goal(),
            beats=tuple(beat.name for beat in film.beats()),
            words=tuple(_words(beat.template) for beat in film.beats()),
            title=film.title,
            prompt=film.prompt,
            poster_beat=film.poster_beat,
            film=film,
        )

    def load(self) -> type[Film]:
        """Import the film."""
        if self.film:
            return self.film
        found: type[Film] = getattr(importlib.import_module(self.module), self.name)
        return found


@cache
def film_index() -> tuple[FilmEntry, ...]:
    """Return the entries of all films, in viewing order."""
    tree = ast.parse(INDEX.read_bytes())
    home = {
        alias.asname or alias.name: node.module or ""
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    films = next(
        node.value.elts
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Tuple)
    )
    names = [name.id for name in films if isinstance(name, ast.Name)]
    return tuple(_entry(home[name], name) for name in names)


@cache
def course_map() -> FilmEntry:
    """Return the entry of the film that the course shows between its films."""
    return _entry(*COURSE_MAP)


def find(names: Iterable[str], or_command: Sequence[str] = ()) -> list[FilmEntry]:
    """Return the films named by slug or class name, each once; `all` stands for every film.

    A file of the user's own stands for its film, or for those named after it. An unknown name is
    refused with the nearest known one, which may be one of `or_command`.
    """
    found: dict[FilmEntry, None] = {}
    known = {_key(name): entry for entry in film_index() for name in (entry.slug, entry.name)}
    waiting = deque(names)
    while waiting:
        name = waiting.popleft()
        if name.lower().endswith(SUFFIX):
            found |= dict.fromkeys(_of_file(Path(name), waiting))
        elif _key(name) == ALL:
            found |= dict.fromkeys(film_index())
        elif _key(name) in known:
            found[known[_key(name)]] = None
        else:
            what = "film or command" if or_command else "film"
            close = _nearest(name, [*(entry.slug for entry in film_index()), ALL, *or_command])
            raise Unusable(f"There is no {what} '{name}': did you mean {close}?")
    return list(found)


def _of_file(file: Path, after: deque[str]) -> list[FilmEntry]:
    """Return the film of a file, or those that are named next, and take their names away."""
    own = [entry for entry in film_index() if entry.source == file.expanduser().resolve()]
    films = own or [FilmEntry.of(film) for film in films_in(file)]
    if not own and {entry.slug for entry in films} & {entry.slug for entry in film_index()}:
        raise Unusable(f"{file} is called like a film that is there: give it another name.")
    named = {_key(entry.name): entry for entry in films}
    chosen = []
    while after and _key(after[0]) in named:
        chosen.append(named[_key(after.popleft())])
    if own or len(films) == 1:
        return films
    if not chosen:
        names = ", ".join(entry.name for entry in films)
        raise Unusable(f"{file} has several films: name one after it, of {names}.")
    return [replace(entry, slug=_slug(entry.name)) for entry in chosen]


def _slug(name: str) -> str:
    """Return a class's name as a slug: its words in small letters, joined by hyphens."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


def refuse_unknown_beats(films: Iterable[FilmEntry], beats: Iterable[str]) -> None:
    """Raise `Unusable`, with the nearest name, for a beat that one of the films lacks."""
    for film in films:
        for beat in beats:
            if beat not in film.beats:
                close = _nearest(beat, film.beats)
                raise Unusable(f"The film {film.slug} has no beat '{beat}': did you mean {close}?")


def describe(film: type[Film], request: Request) -> dict[str, Any]:
    """Return what `list` tells of a film, its narration filled in by the model."""
    from rendering import playing

    package = sys.modules[film.__module__.rpartition(".")[0] or film.__module__]
    return {
        "film": film.slug(),
        "class": film.__name__,
        "act": (package.__doc__ or "").strip().partition("\n")[0].rstrip("."),
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


def _nearest(name: str, names: Sequence[str]) -> str:
    return get_close_matches(name.lower(), names, n=1, cutoff=0)[0]


def _entry(module: str, name: str) -> FilmEntry:
    """Read a film's entry in its source, where its class says its texts as they are."""
    source = file_of(module, PROJECT)
    assert source is not None
    classes = (
        each for each in ast.parse(source.read_bytes()).body if isinstance(each, ast.ClassDef)
    )
    node = next(each for each in classes if each.name == name)
    texts: dict[str, Any] = {
        target.id: each.value.value
        for each in node.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id in SAYS
    }
    beats = dict(_beats(node))
    return FilmEntry(
        slug=module.rpartition(".")[2].replace("_", "-"),
        name=name,
        module=module,
        source=source,
        goal=(ast.get_docstring(node) or "").partition("\n")[0],
        beats=tuple(beats),
        words=tuple(map(_words, beats.values())),
        **texts,
    )


def _beats(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Yield the name of every method under `@beat(...)`, and its line."""
    for method in node.body:
        for mark in getattr(method, "decorator_list", ()):
            if isinstance(mark, ast.Call) and getattr(mark.func, "id", "") == "beat":
                assert isinstance(method, ast.FunctionDef)
                texts = (each for each in ast.walk(mark.args[0]) if isinstance(each, ast.Constant))
                line = " ".join(str(each.value) for each in texts)
                yield method.name.replace("_", "-"), line


def _words(line: str) -> int:
    """Return about how many words a line has, or takes as long as; a gap is filled with a few."""
    return max(FEWEST, len(line.split()) + WORDS_IN_A_GAP * line.count("{"))
