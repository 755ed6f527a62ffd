"""How large the house is: lines and files by area, what films use of it, and circles of imports.

`make census` prints it; a test keeps it from getting worse.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rich.console import Console
from rich.table import Table

PROJECT = Path(__file__).parents[1]
PACKAGES = ("model", "scenes", "rendering", "checking")
AREAS = (
    "model",
    "scenes",
    "scenes/mobjects",
    "scenes/figures",
    "scenes/analysis",
    "rendering",
    "rendering/slides",
    "checking",
    "benchmarks",
    "tests",
)
ACTS = ("task", "vectors", "attention", "block", "training")
NOUNS, FIGURES, FINDINGS = "scenes.mobjects.", "scenes.figures.", "scenes.analysis."
SCRIPT = {"observe", "words", "circumstances", "cast"}  # and the beats: what is read as a script


@dataclass(frozen=True)
class FilmFile:
    """A film's file: its module and lines, those until its script ends, those of its figures."""

    module: str
    lines: int
    script: int
    figures: int


class Census:
    """What there is in the project's folder; `root` may be another one, for tests."""

    def __init__(self, root: Path = PROJECT) -> None:
        self.root = root

    def lines_and_files(self, area: str) -> tuple[int, int]:
        """Return how many lines and files of Python an area has."""
        files = list(self.root.joinpath(area).rglob("*.py"))
        return sum(map(_lines, files)), len(files)

    @cached_property
    def modules(self) -> Mapping[str, Path]:
        """Every module of the project's packages, by name."""
        return {
            _name(path.relative_to(self.root)): path
            for package in PACKAGES
            for path in sorted(self.root.joinpath(package).rglob("*.py"))
        }

    @cached_property
    def imports(self) -> Mapping[str, frozenset[str]]:
        """For every module, the modules of the project that it imports itself."""
        return {
            name: frozenset(_imported(path, self.modules)) for name, path in self.modules.items()
        }

    @cached_property
    def films(self) -> tuple[FilmFile, ...]:
        """The films' files, the longest first."""
        acts = tuple(f"scenes.{act}." for act in ACTS)
        found = [
            FilmFile(name, _lines(path), _end_of_script(path), self._lines_of_figures(name))
            for name, path in self.modules.items()
            if name.startswith(acts)
        ]
        return tuple(sorted(found, key=lambda film: -film.lines))

    def _lines_of_figures(self, film: str) -> int:
        figures = (name for name in self._reached(film) if name.startswith(FIGURES))
        return sum(_lines(self.modules[name]) for name in figures)

    @cached_property
    def users(self) -> Mapping[str, frozenset[str]]:
        """For every noun, figure and finding, the films that use it, if only through another."""
        reached = {film.module: self._reached(film.module) for film in self.films}
        return {
            name: frozenset(film for film, modules in reached.items() if name in modules)
            for name, path in self.modules.items()
            if name.startswith((NOUNS, FIGURES, FINDINGS)) and path.stem != "__init__"
        }

    @property
    def misplaced(self) -> list[str]:
        """Nouns that fewer than two films use, and figures that more than one does."""
        return sorted(
            name
            for name, films in self.users.items()
            if (name.startswith(NOUNS) and len(films) < 2)
            or (name.startswith(FIGURES) and len(films) > 1)
        )

    @property
    def found_once(self) -> list[str]:
        """Findings that fewer than two films use."""
        findings = (
            (name, films) for name, films in self.users.items() if name.startswith(FINDINGS)
        )
        return sorted(name for name, films in findings if len(films) < 2)

    @property
    def circles(self) -> list[list[str]]:
        """Modules that import one another in a circle, each circle in alphabetical order."""
        reach = {name: self._reached(name) for name in self.modules}
        found = {
            tuple(sorted({name, *(other for other in reach[name] if name in reach[other])}))
            for name in self.modules
            if name in reach[name]
        }
        return [list(circle) for circle in sorted(found)]

    def _reached(self, module: str) -> set[str]:
        """Return all modules that a module imports, and those import, and so on."""
        found: set[str] = set()
        waiting = list(self.imports[module])
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting += self.imports[name]
        return found


def _name(path: Path) -> str:
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _imported(path: Path, modules: Mapping[str, Path]) -> Iterator[str]:
    """Yield the modules that a file imports, wherever in it; a package by itself leads nowhere."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in modules)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name for name in inside if name in modules)
            if node.module in modules and not all(name in modules for name in inside):
                yield node.module


def _end_of_script(path: Path) -> int:
    """Return the line at which a film's script ends: the last of its beats and its cast."""
    methods = [
        node
        for top in ast.parse(path.read_bytes()).body
        if isinstance(top, ast.ClassDef)
        for node in top.body
        if isinstance(node, ast.FunctionDef) and (node.name in SCRIPT or _is_beat(node))
    ]
    return max((node.end_lineno or 0 for node in methods), default=0)


def _is_beat(node: ast.FunctionDef) -> bool:
    calls = [mark.func for mark in node.decorator_list if isinstance(mark, ast.Call)]
    return any(isinstance(each, ast.Name) and each.id == "beat" for each in calls)


def main() -> None:
    """Print the census."""
    census, console = Census(), Console()
    table = Table("area", "lines", "files", title="The house")
    for area in AREAS:
        lines, files = census.lines_and_files(area)
        table.add_row(area, f"{lines:,}", str(files))
    console.print(table)
    table = Table("film", "lines", "of these script", "its figures", title="The films")
    for film in census.films:
        table.add_row(film.module, *map(str, (film.lines, film.script, film.figures)))
    console.print(table)
    console.print("nouns of one film, figures of two:", ", ".join(census.misplaced) or "none")
    console.print("findings of one film:", ", ".join(census.found_once) or "none")
    console.print("circles:", "; ".join(map(" -> ".join, census.circles)) or "none")


if __name__ == "__main__":
    main()
