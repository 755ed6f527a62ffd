"""What can be known of a film without importing it: its source is read.

Importing a film takes seconds; what is asked of its files can be answered from what its class says.
"""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeGuard

from rendering.failures import PROJECT
from rendering.imports import file_of

if TYPE_CHECKING:
    from scenes.film import Film

INDEX = PROJECT / "scenes" / "__init__.py"  # where FILMS stands
WORDS_IN_A_GAP = 4


@dataclass(frozen=True)
class Card:
    """What a film's class says of itself."""

    slug: str
    name: str  # of the class
    module: str
    source: Path
    title: str
    goal: str
    prompt: str
    poster_beat: str
    beats: tuple[str, ...]
    words: tuple[int, ...]  # about how many are said in each beat
    film: type[Film] | None = field(default=None, compare=False, repr=False)  # once imported

    @classmethod
    def of(cls, film: type[Film]) -> Self:
        """Return the card of a film that has been imported."""
        return cls(
            slug=film.slug(),
            name=film.__name__,
            module=film.__module__,
            source=Path(inspect.getfile(film)),
            title=film.title,
            goal=film.goal(),
            prompt=film.prompt,
            poster_beat=film.poster_beat,
            beats=tuple(beat.name for beat in film.beats()),
            words=tuple(_words(beat.template) for beat in film.beats()),
            film=film,
        )

    def load(self) -> type[Film]:
        """Import the film."""
        if self.film:
            return self.film
        found: type[Film] = getattr(importlib.import_module(self.module), self.name)
        return found


@cache
def cards() -> tuple[Card, ...]:
    """Return every film's card, in viewing order."""
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
    return tuple(_card(home[name], name) for name in names)


def _card(module: str, name: str) -> Card:
    """Read a film's card in its source; a film that computes what stands on it is imported."""
    source = file_of(module, PROJECT)
    assert source is not None
    classes = (node for node in ast.parse(source.read_bytes()).body if _is_class(node, name))
    node = next(classes, None)
    said = _said(node) if isinstance(node, ast.ClassDef) else {}
    if not {"title", "prompt", "poster_beat"} <= set(said):
        return Card.of(getattr(importlib.import_module(module), name))
    assert isinstance(node, ast.ClassDef)
    beats = [each for each in node.body if _is_beat(each)]
    return Card(
        slug=module.rpartition(".")[2].replace("_", "-"),
        name=name,
        module=module,
        source=source,
        goal=(ast.get_docstring(node) or "").partition("\n")[0],
        beats=tuple(method.name.replace("_", "-") for method in beats),
        words=tuple(_words(_line(method)) for method in beats),
        **{key: said[key] for key in ("title", "prompt", "poster_beat")},
    )


def _is_class(node: ast.stmt, name: str) -> bool:
    return isinstance(node, ast.ClassDef) and node.name == name


def _said(node: ast.ClassDef) -> Mapping[str, Any]:
    """Return a film's attributes that are strings; none of a film with ways of its own."""
    methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
    bases = [base.id for base in node.bases if isinstance(base, ast.Name)]
    if methods & {"slug", "beats"} or bases != ["Film"]:
        return {}
    return {
        target.id: each.value.value
        for each in node.body
        if isinstance(each, ast.Assign) and isinstance(each.value, ast.Constant)
        for target in each.targets
        if isinstance(target, ast.Name) and isinstance(each.value.value, str)
    }


def _is_beat(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    """Return whether a statement is a method under `@beat(...)`."""
    return isinstance(node, ast.FunctionDef) and any(map(_marks, node.decorator_list))


def _marks(mark: ast.expr) -> bool:
    return isinstance(mark, ast.Call) and isinstance(mark.func, ast.Name) and mark.func.id == "beat"


def _line(method: ast.FunctionDef) -> str:
    """Return what is said in a beat, as far as it stands there."""
    parts = (node for mark in method.decorator_list for node in ast.walk(mark))
    return " ".join(str(each.value) for each in parts if isinstance(each, ast.Constant))


def _words(line: str) -> int:
    """Return about how many words a line has; a gap is filled with a few."""
    return len(line.split()) + WORDS_IN_A_GAP * line.count("{")
