"""A new film: its file, its test and its entry, from a skeleton that renders at once."""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from model.errors import Unusable
from model.files import write_whole
from rendering.failures import PROJECT

ACTS = {
    "task": "Act I: the task",
    "vectors": "Act II: text becomes vectors",
    "attention": "Act III: attention",
    "block": "Act IV: the block and the model",
    "training": "Act V: training, history, use",
}
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
SKELETON = Path(__file__).with_name("skeleton")  # of a film and of its test


def new_own_film(file: Path) -> Path:
    """Write a film's skeleton into a file of the user's own; return the file."""
    module = file.stem
    if file.exists():
        raise Unusable(f"{file} is there already: choose another name.")
    if not SLUG.fullmatch(module.replace("_", "-")) or keyword.iskeyword(module):
        raise Unusable(
            f"'{file.name}' is no name for a film's file: use small letters, digits and _, such as "
            "what_comes_next.py."
        )
    write_whole({file: _filled("film", module).encode()})
    return file


def new_film(slug: str, act: str, root: Path = PROJECT) -> list[Path]:
    """Write a film's skeleton and its test, enter it among the films; return the files.

    `act` is one of `ACTS`. Raises `Unusable` for a name that is no slug or is taken.
    """
    if not (root / "tests").is_dir():
        raise Unusable(
            f"A film of ours belongs into this project's own folder, which is not here: name a "
            f"file of your own, such as {slug}.py."
        )
    module = slug.replace("-", "_")
    if not SLUG.fullmatch(slug) or keyword.iskeyword(module):
        raise Unusable(
            f"'{slug}' is no name for a film: use small letters, digits and hyphens, such as "
            "what-comes-next."
        )
    film, test = root / f"scenes/{act}/{module}.py", root / f"tests/test_{module}.py"
    for path in (*root.glob(f"scenes/*/{module}.py"), test):
        if path.exists():
            raise Unusable(f"{path.relative_to(root)} is there already: choose another name.")
    package, index = film.parent / "__init__.py", root / "scenes/__init__.py"
    road = root / "scenes/course_map.py"
    made = [film, test, index, road]
    if not package.exists():
        package.parent.mkdir(exist_ok=True)
        package.write_text(f'"""{ACTS[act]}."""\n', encoding="utf-8")
        made.append(package)
    for path, kind in ((film, "film"), (test, "test")):
        path.write_text(_filled(kind, module, act), encoding="utf-8")
    _enter(index, f"scenes.{act}.{module}", _name(module))
    _add_stop(road, module)
    return made


def _name(module: str) -> str:
    """Return the name of the class of a film."""
    return "".join(part.capitalize() for part in module.split("_"))


def _filled(kind: str, module: str, act: str = "") -> str:
    """Return the skeleton of a film, or of its test, with the film's names in it."""
    skeleton = Template((SKELETON / f"{kind}.txt").read_text(encoding="utf-8"))
    slug, title = module.replace("_", "-"), module.replace("_", " ").capitalize()
    return skeleton.substitute(slug=slug, act=act, module=module, name=_name(module), title=title)


def _enter(index: Path, module: str, name: str) -> None:
    """Enter a film at the end of the films, and its import where it belongs."""
    text = index.read_text(encoding="utf-8")
    imports = [line for line in text.splitlines() if line.startswith("from scenes.")]
    block, line = "\n".join(imports), f"from {module} import {name}"
    text = text.replace(block, "\n".join(sorted([*imports, line])))
    end = text.rindex("\n)")
    index.write_text(f"{text[:end]}\n    {name},{text[end:]}", encoding="utf-8")


def _add_stop(road: Path, module: str) -> None:
    """Let the map of the course lead to a film, after all others; at first, to the head shown."""
    text = road.read_text(encoding="utf-8")
    close = text.rindex("    @beat(", 0, text.index("    def close("))
    stop = f'    @beat("")\n    def {module}(self) -> Shown:\n'
    stop += "        yield self.go_to(self.one)\n\n"
    road.write_text(text[:close] + stop + text[close:], encoding="utf-8")
