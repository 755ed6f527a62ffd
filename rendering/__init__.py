"""A film becomes files. It knows films and beats, but no particular film.

From Python: `from rendering import render_film`.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rendering.from_python import RenderedFilm, render_film

__all__ = ["RenderedFilm", "render_film"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what is asked for
    """Return what programs take from here; the command line imports it only when it needs it."""
    if name in __all__:
        _refuse_strangers()
        return getattr(importlib.import_module("rendering.from_python"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _refuse_strangers() -> None:
    """Raise `ImportError` if a file of the user's is found in the place of our own packages."""
    beside_us = Path(__file__).resolve().parents[1]
    for package in ("model", "scenes"):
        found = find_spec(package)
        origin = Path(found.origin).resolve() if found and found.origin else None
        if origin is None or not origin.is_relative_to(beside_us):
            raise ImportError(
                f"{origin or package} stands in the place of the films' package '{package}': give "
                "it another name, or start Python in another folder."
            )
