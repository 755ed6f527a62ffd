"""Several films, one after the other: what goes wrong with one does not stop the others."""

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from model import checkpoint
from model.errors import Unusable
from rendering.crew import Crew
from rendering.failures import FilmFailed, Unwritable, making_failed
from rendering.films import find, refuse_unknown_beats
from rendering.making import make
from rendering.order import Order
from rendering.pictures import Picture
from rendering.scratch import sweep
from rendering.telling import Teller
from scenes import chapter, theme
from scenes.chapter import Request


def request(chosen: dict[str, Any]) -> Request:
    """Return what the options `prompt`, `checkpoint`, `layer`, `head` and `theme` ask for."""
    return Request(
        prompt=chosen.get("prompt"),
        checkpoint=chosen.get("checkpoint") or chapter.SHIPPED,
        layer=chosen.get("layer"),
        head=chosen.get("head"),
        theme=theme.THEMES[chosen.get("theme", theme.DARK.name)],
    )


def orders(
    names: Sequence[str], picture: Picture, chosen: dict[str, Any], commands: Sequence[str] = ()
) -> list[Order]:
    """Return an order for each film named; `Unusable` if one cannot be carried out."""
    films = find(names, commands)
    beats = chosen.get("beats", ())
    refuse_unknown_beats(films, beats)
    asked = request(chosen)
    digest = checkpoint.load(asked.checkpoint).digest
    again = chosen.get("again", False)
    return [Order(film, asked, picture, chosen["media"], digest, beats, again) for film in films]


def render(wanted: Sequence[Order], jobs: int | None, tell: Callable[[Path], None]) -> None:
    """Make the files of films; in the end `tell` gets the path of each result."""
    results: list[Path] = []
    try:
        sweep(wanted[0].media)
        with Teller() as teller, Crew(jobs or os.cpu_count() or 1) as crew:

            def make_one(order: Order) -> None:
                began = time.monotonic()
                was_stale = make(order, crew, teller)
                took = f"made in {time.monotonic() - began:.0f} s"
                teller.say(f"{order.film.slug()}: {took if was_stale else 'fresh, nothing to do'}")
                results.extend(order.results)

            for_each(wanted, make_one, teller.say)
    finally:
        for path in results:
            tell(path)


def for_each(
    wanted: Sequence[Order], act: Callable[[Order], None], say: Callable[[str], None]
) -> None:
    """Do something with every order; raise in the end if some failed, told by `say` before.

    A media directory that cannot be written is the same for all, and is raised at once.
    """
    problems: list[Exception] = []
    for order in wanted:
        try:
            act(order)
        except Unwritable:
            raise
        except (FilmFailed, Unusable) as problem:
            problems.append(problem)
        except Exception as error:  # noqa: BLE001 - the other films go on
            problems.append(making_failed(order.film.slug(), error))
        else:
            continue
        if len(wanted) > 1:
            say(str(problems[-1]))
    if len(problems) > 1:
        raise _together(problems, len(wanted))
    if problems:
        raise problems[0]


def _together(problems: Sequence[Exception], wanted: int) -> Exception:
    """Return one sentence for several problems; a film's failure weighs more than a refusal."""
    worst = next((each for each in problems if isinstance(each, FilmFailed)), problems[0])
    return type(worst)(f"{len(problems)} of {wanted} films failed, among them: {worst}")
