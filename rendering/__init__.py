"""A film becomes files. It knows films and beats, but no particular film.

From Python: `from rendering import render_film`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rendering.from_python import RenderedFilm, render_film

__all__ = ["RenderedFilm", "render_film"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - what is asked for
    """Return what programs take from here; the command line imports it only when it needs it."""
    if name in __all__:
        return getattr(importlib.import_module("rendering.from_python"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
