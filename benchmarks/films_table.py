"""README's table of films and its totals, from the films themselves.

`make readme` writes it; `make check` compares.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from scenes import FILMS
from scenes.film import Film

README = Path(__file__).parents[1] / "README.md"
BEGIN, END = "<!-- films: written by `make readme` -->", "<!-- end of films -->"


def table(films: Sequence[type[Film]] = FILMS) -> str:
    """Return the table in Markdown, with a line of totals under it."""
    minutes = round(sum(film.seconds for film in films) / 60)
    rows = [f"| `{film.slug()}` | {_goal(film)} | {film.seconds} |" for film in films]
    head = ["| film | what a viewer understands | s |", "|---|---|---|"]
    return "\n".join([*head, *rows, "", f"{len(films)} films, {minutes} minutes together."])


def written(readme: str, films: Sequence[type[Film]] = FILMS) -> str:
    """Return a README with its table as the films have it now."""
    before, _, rest = readme.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table(films)}\n{END}{after}"


def _goal(film: type[Film]) -> str:
    goal = film.goal().rstrip(".")
    return goal[0].lower() + goal[1:]


def main(arguments: Sequence[str]) -> int:
    """Write the table, or with `--check` say whether it is as it should be; return the status."""
    readme = README.read_text(encoding="utf-8")
    wanted = written(readme)
    if "--check" not in arguments:
        README.write_text(wanted, encoding="utf-8")
    elif readme != wanted:
        sys.stderr.write("README's table of films is out of date: run `make readme`.\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
