"""Which files of the project a module's pictures come from, found by reading its imports.

Nothing is imported for it. The model's code is left out where a study asks it for numbers: the
numbers themselves are recorded, so that a change which leaves them alone costs nothing.
"""

import ast
import atexit
import hashlib
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.util import resolve_name
from pathlib import Path
from typing import TypeAlias

from model.errors import Unusable
from model.files import cache_folder, write_whole
from rendering.failures import PROJECT

DRAWING = ("rendering.playing",)  # what makes a clip
JOINING = ("rendering.clips", "rendering.captions")  # what makes a film of its clips
SPEAKING = ("rendering.voice.voices", "rendering.clips")  # what makes a line heard
CAPTIONS = ("rendering.captions",)  # what makes it read
NOT_DRAWING = {"rendering.failures"}  # it words errors
ASKS_THE_MODEL = {"scenes.study"}
MOST_KEPT = 2000  # files, of which it is kept what they import
Import: TypeAlias = tuple[str, str]  # from where, and what; nothing, for all of it
PACKAGES = {"model", "scenes", "rendering", "checking"}


def code_of(module: str, source: Path) -> dict[str, str]:
    """Return each file that a film in this module is drawn by, with its SHA-256.

    `source` is the module's own file. Files are named as seen from the project's folder.
    """
    return _digests(_reached([module, *DRAWING], source.parents[module.count(".")]))


@cache
def code_by(modules: tuple[str, ...], *more: Path) -> dict[str, str]:
    """Return each file that modules of ours are or lead to, and some more, in the same way."""
    return _digests(_reached(modules, PROJECT) | {*more})


@cache
def file_of(module: str, outside: Path) -> Path | None:
    """Return the file of a module in the project or in the folder `outside`, if it has one."""
    for root in (PROJECT, outside):
        if root == PROJECT and module.partition(".")[0] not in PACKAGES:
            continue  # installed, it stands among the packages of others
        path = root.joinpath(*module.split("."))
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return file
    return None


def _reached(modules: Sequence[str], outside: Path) -> set[Path]:
    """Return the files of modules and of everything that they lead to."""
    found: dict[str, Path] = {}
    open_ends = [*modules]
    while open_ends:
        module = open_ends.pop()
        file = file_of(module, outside)
        if module in found or file is None or module in NOT_DRAWING:
            continue
        found[module] = file
        open_ends += [
            name for name in _imported(module, file, outside) if _is_followed(module, name)
        ]
    return set(found.values())


def _is_followed(importer: str, imported: str) -> bool:
    """Whether an import leads to something that decides how a picture looks."""
    asks = importer in ASKS_THE_MODEL or importer.startswith("rendering.")
    return not (asks and imported.partition(".")[0] == "model")


@cache
def _imported(module: str, file: Path, outside: Path) -> list[str]:
    """Return the modules that a file imports, wherever in it the import stands."""
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    names: list[str] = []
    for base, name in _imports(file):
        with suppress(ImportError):  # from above what there is
            whole = resolve_name(base, package)
            inner = f"{whole}.{name}"  # `from a import b` reaches the module `a.b`, or else `a`
            names.append(inner if name and file_of(inner, outside) else whole)
    return names


def _imports(file: Path) -> list[Import]:
    """Return a file's imports: `import a`, and of `from a import b` those that its code uses.

    Parsing all files takes two seconds; what was found is kept by the file's digest.
    """
    kept, key = _kept(), _digest(file)
    if key not in kept:
        tree = ast.parse(file.read_bytes())
        used, found = set(_used(tree)), list[Import]()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                found += [(each.name, "") for each in node.names]
            elif isinstance(node, ast.ImportFrom):
                base = "." * node.level + (node.module or "")
                taken = [each.name for each in node.names if (each.asname or each.name) in used]
                found += [(base, name) for name in taken]
        kept[key] = found
    return kept[key]


@cache
def _kept() -> dict[str, list[Import]]:
    """Return what was found in files by this version of Python, and keep it when all is done."""
    path = cache_folder() / f"imports-{sys.version_info.major}.{sys.version_info.minor}.json"
    found: dict[str, list[Import]] = {}
    with suppress(OSError, ValueError, TypeError):
        kept = json.loads(path.read_text(encoding="utf-8"))
        found = {key: [(base, name) for base, name in each] for key, each in kept.items()}
    before = len(found)

    def keep() -> None:
        if len(found) > before:
            with suppress(Unusable):  # where nothing can be kept it is found each time
                write_whole({path: json.dumps(dict([*found.items()][-MOST_KEPT:])).encode()})

    atexit.register(keep)
    return found


def _used(node: ast.AST) -> Iterator[str]:
    """Yield the names that code uses; those in annotations alone decide nothing."""
    for name, field in ast.iter_fields(node):
        if name not in {"annotation", "returns"}:
            for each in field if isinstance(field, list) else [field]:
                if isinstance(each, ast.Name):
                    yield each.id
                elif isinstance(each, ast.AST):
                    yield from _used(each)


@cache  # at first sight: what this process has imported since is no older than its record
def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _digests(files: Iterable[Path]) -> dict[str, str]:
    """Return the SHA-256 of files, by their names as seen from the project's folder."""
    return {
        str(file.relative_to(PROJECT) if PROJECT in file.parents else file): _digest(file)
        for file in sorted(files)
    }
