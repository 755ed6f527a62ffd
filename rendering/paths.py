"""Shapes become paths for Cairo: many at once, from NumPy arrays. It knows no mobject.

A path reaches Cairo in one call, as a `cairo_path_t`, instead of in a Python call a curve.
"""

import ctypes
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeAlias

import cairo
import numpy as np
import numpy.typing as npt

Points: TypeAlias = npt.NDArray[np.float64]  # (4 n, 3): n cubic curves, in scene units
Sizes: TypeAlias = npt.NDArray[np.int_]  # how many points each of some shapes has
Context: TypeAlias = "cairo.Context[cairo.ImageSurface]"  # not a generic class at run time

CURVE = 4  # points
CLOSE_ENOUGH = 1e-5  # of a coordinate; with `tolerance`, where manim takes points for equal
MOVE_TO, CURVE_TO, CLOSE = 0, 2, 3  # cairo_path_data_type_t

# Cairo's `cairo_path_t`, laid out as in C.
CAIRO_PATH = np.dtype([("status", np.intc), ("data", np.uintp), ("length", np.intc)], align=True)


class Path(NamedTuple):
    """A shape as Cairo takes it."""

    address: int  # of a `cairo_path_t`
    kept: tuple[npt.NDArray[Any], ...]  # the memory that Cairo reads it from


def _call_of_cairo() -> Callable[[Any, Any], None] | None:
    """Return the function of the Cairo that pycairo draws with, unless it is hidden inside."""
    try:
        library = ctypes.PyDLL(import_module("cairo._cairo").__file__)
        append = library.cairo_append_path
    except (AttributeError, OSError):
        return None
    append.argtypes, append.restype = (ctypes.c_void_p, ctypes.c_void_p), None
    return append


_append_path = _call_of_cairo()


class Pen:
    """Adds paths to a context of pycairo."""

    def __init__(self, context: Context) -> None:
        # Its public macro PycairoContext_GET reads the same place.
        self._context = ctypes.c_void_p.from_address(id(context) + object.__basicsize__)

    def add(self, path: Path) -> None:
        """Append a path to the context's own."""
        assert _append_path is not None
        _append_path(self._context, path.address)


def can_be_added() -> bool:
    """Return whether this pycairo shows the Cairo that it draws with."""
    return _append_path is not None


def paths(points: Points, sizes: Sizes, tolerance: float) -> list[Path]:
    """Return the path of each shape; curves whose ends meet make one line, closed if it returns.

    Each shape has `sizes` of the `points`, which stand one shape after the other. `tolerance`, in
    scene units, is how far apart points may be that count as equal.
    """
    if not len(sizes):
        return []
    curves = points[:, :2].astype(np.float64).reshape(-1, CURVE, 2)
    ends = np.cumsum(sizes // CURVE)
    begins = _begins(curves, ends[:-1], tolerance)
    closes = _closes(curves, begins, tolerance)
    data, places = _written(curves, begins, closes)
    limits = places[np.append(0, ends)]
    headers = np.zeros(len(sizes), CAIRO_PATH)
    headers["data"] = data.ctypes.data + limits[:-1] * data.strides[0]
    headers["length"] = np.diff(limits)
    first, size, kept = headers.ctypes.data, headers.itemsize, (data, headers)
    return [Path(first + number * size, kept) for number in range(len(sizes))]


def _begins(
    curves: npt.NDArray[np.float64], firsts: npt.NDArray[np.int_], tolerance: float
) -> npt.NDArray[np.bool_]:
    """Return which curves do not continue the one before; `firsts` are each shape's first ones."""
    begins = np.ones(len(curves), dtype=bool)
    begins[1:] = ~_meet(curves[:-1, -1], curves[1:, 0], tolerance)
    begins[firsts] = True
    return begins


def _closes(
    curves: npt.NDArray[np.float64], begins: npt.NDArray[np.bool_], tolerance: float
) -> npt.NDArray[np.bool_]:
    """Return which curves are the last of a line that ends where it began."""
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(curves)) - 1
    closes = np.zeros(len(curves), dtype=bool)
    closes[last] = _meet(curves[first, 0], curves[last, -1], tolerance)
    return closes


def _meet(
    here: npt.NDArray[np.float64], there: npt.NDArray[np.float64], tolerance: float
) -> npt.NDArray[np.bool_]:
    """Return which points manim takes for equal."""
    near = np.abs(here - there) <= tolerance + CLOSE_ENOUGH * np.abs(there)
    return np.logical_and(near[:, 0], near[:, 1])


def _written(
    curves: npt.NDArray[np.float64],
    begins: npt.NDArray[np.bool_],
    closes: npt.NDArray[np.bool_],
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int_]]:
    """Return the entries of a `cairo_path_t` for all curves, and where each curve's start."""
    places = np.concatenate(([0], np.cumsum(CURVE + 2 * begins + closes)))
    data = np.empty((places[-1], 2))
    headers = data.view(np.int32)  # (entries, 4): kind, length
    moves, turns = places[:-1][begins], places[:-1] + 2 * begins
    headers[moves, 0], headers[moves, 1] = MOVE_TO, 2
    data[moves + 1] = curves[begins, 0]
    headers[turns, 0], headers[turns, 1] = CURVE_TO, CURVE
    data[turns[:, None] + (1, 2, 3)] = curves[:, 1:]
    ends = turns[closes] + CURVE
    headers[ends, 0], headers[ends, 1] = CLOSE, 1
    return data, places
