"""What a frame is made of: shapes, each with its path, its colours and its place in pixels.

A figure is kept for as long as its mobject looks the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from typing import Any, NamedTuple, TypeAlias

import cairo
import numpy as np
import numpy.typing as npt
from manim import Camera, VMobject
from manim.camera.camera import CAP_STYLE_MAP, LINE_JOIN_MAP

from rendering.paths import CURVE, Context, Path, Pen, Points, Sizes, can_be_added, paths
from scenes.camera import WHOLE, FilmCamera, View, is_pinned

Rectangle: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom, in pixels
Look: TypeAlias = tuple[Any, ...]
Known: TypeAlias = "Mapping[int, Figure]"
Color: TypeAlias = tuple[float, float, float, float]  # as Cairo takes it in manim's order of bytes

TOLERANCE = 1e-6  # scene units: manim's own
MITER_LIMIT = 10.0  # half line widths that a corner may stick out: Cairo's own
SOFT_EDGE = 2  # pixels beyond a shape that its smooth edge may touch
NOWHERE = (0, 0, 0, 0)


class Line(NamedTuple):
    """How a line is drawn: its colour, its width in scene units, its corners and ends."""

    color: Color
    width: float
    join: cairo.LineJoin
    cap: cairo.LineCap

    def draw(self, context: Context) -> None:
        """Draw along the context's path."""
        context.set_source_rgba(*self.color)
        context.set_line_width(self.width)
        context.set_line_join(self.join)
        context.set_line_cap(self.cap)
        context.stroke_preserve()


@dataclass(slots=True)
class Figure:
    """A mobject as it is drawn; where there is no path, manim itself draws it."""

    mobject: VMobject
    look: Look
    rectangle: Rectangle = NOWHERE
    path: Path | None = None
    under: Line | None = None
    fill: Color | None = None
    over: Line | None = None
    reach: float = 0.0  # how far the lines may stick out of the shape, in scene units

    def draw(self, camera: Camera, context: Context, pen: Pen) -> None:
        """Draw the line behind the shape, its fill, and its own line."""
        if self.path is None:
            camera.display_vectorized(self.mobject, context)
            return
        context.new_path()
        pen.add(self.path)
        if self.under:
            self.under.draw(context)
        if self.fill:
            context.set_source_rgba(*self.fill)
            context.fill_preserve()
        if self.over:
            self.over.draw(context)


def look_of(mobject: VMobject, view: View) -> Look:
    """Return what decides how a mobject is drawn, as it is now, its outline first.

    Equal if it looks equal.
    """
    own = vars(mobject)
    fill, line, under = own["fill_rgbas"], own["stroke_rgbas"], own["background_stroke_rgbas"]
    look = (
        (own["points"].tobytes(), None if own.get("pinned") else view),
        fill.tobytes(),
        line.tobytes(),
        under.tobytes(),
        own["stroke_width"],
        own["background_stroke_width"],
        own["joint_type"],
        own["cap_style"],
    )
    if len(fill) == len(line) == len(under) == 1:
        return look
    return *look, tuple(mobject.get_sheen_direction()), mobject.shade_in_3d


def prepare(figures: Sequence[Figure], known: Known, camera: FilmCamera) -> None:
    """Give figures their lines, fills, places and paths; those that nobody can see stay nowhere.

    `known` has figures of the same mobjects as they were drawn before, by identity.
    """
    shaped = [figure for figure in figures if len(figure.mobject.points) >= CURVE]
    for figure in shaped:
        figure.under = _line(figure.mobject, camera, background=True)
        figure.fill = _color(figure.mobject.fill_rgbas)
        figure.over = _line(figure.mobject, camera, background=False)
        widths = [line.width for line in (figure.under, figure.over) if line]
        figure.reach = max(widths, default=0.0) * (MITER_LIMIT / 2)
    seen = [figure for figure in shaped if figure.under or figure.fill or figure.over]
    _find([each for each in seen if not _stands(each, known.get(id(each.mobject)))], camera)


def _stands(figure: Figure, before: Figure | None) -> bool:
    """Whether only the colours of a figure are new; then it takes over its path and place."""
    if before is None or before.path is None or before.reach != figure.reach:
        return False
    if before.look[0] != figure.look[0] or not _is_plain(figure.mobject):
        return False
    figure.path, figure.rectangle = before.path, before.rectangle
    return True


def _find(figures: Sequence[Figure], camera: FilmCamera) -> None:
    """Give figures their places and paths."""
    if not figures:
        return
    shapes = [figure.mobject.points for figure in figures]
    sizes, points = np.array([len(each) for each in shapes]), np.concatenate(shapes)
    if camera.view is not WHOLE:
        moved = np.repeat([not is_pinned(figure.mobject) for figure in figures], sizes)
        points[moved] = camera.view.seen(points[moved])
    for figure, rectangle in zip(figures, _rectangles(figures, points, sizes, camera), strict=True):
        figure.rectangle = rectangle
    is_drawn = [each.rectangle != NOWHERE and _is_plain(each.mobject) for each in figures]
    if not all(is_drawn):
        points, sizes = points[np.repeat(is_drawn, sizes)], sizes[is_drawn]
    drawn = compress(figures, is_drawn)
    for figure, path in zip(drawn, paths(points, sizes, TOLERANCE), strict=True):
        figure.path = path


def _is_plain(mobject: VMobject) -> bool:
    """Return whether a mobject is whole cubic curves, each fill and line of one colour."""
    own = vars(mobject)
    return (
        len(own["points"]) % CURVE == 0
        and len(own["fill_rgbas"]) == 1
        and len(own["stroke_rgbas"]) == 1
        and len(own["background_stroke_rgbas"]) == 1
        and mobject.n_points_per_cubic_curve == CURVE
        and mobject.tolerance_for_point_equality == TOLERANCE
        and can_be_added()
    )


def _line(mobject: VMobject, camera: Camera, *, background: bool) -> Line | None:
    """Return a mobject's own line, or the one behind it; None if nobody can see it."""
    width = mobject.get_stroke_width(background) * camera.cairo_line_width_multiple
    color = _color(mobject.get_stroke_rgbas(background)) if width else None
    if color is None:
        return None
    return Line(color, width, LINE_JOIN_MAP[mobject.joint_type], CAP_STYLE_MAP[mobject.cap_style])


def _color(rgbas: npt.NDArray[np.float64]) -> Color | None:
    """Return the first of some colours; None if none of them can be seen."""
    (red, green, blue, opacity), *others = rgbas.tolist()
    if opacity == 0 and not any(other[3] for other in others):
        return None
    return blue, green, red, opacity


def _rectangles(
    figures: Sequence[Figure], points: Points, sizes: Sizes, camera: Camera
) -> list[Rectangle]:
    """Return the pixels that figures may touch; they may lie outside the frame.

    `points` are those of all figures, as they are seen; each figure has `sizes` of them. What has
    a point that is no number is nowhere: manim does not draw it.
    """
    firsts = np.cumsum(sizes) - sizes
    points = points.T[:2].copy() - camera.frame_center[:2, None]
    reach = np.array([figure.reach for figure in figures])
    low = np.minimum.reduceat(points, firsts, axis=1) - reach
    high = np.maximum.reduceat(points, firsts, axis=1) + reach
    size = np.array([[camera.pixel_width], [camera.pixel_height]])
    scale = size / ((camera.frame_width,), (camera.frame_height,))
    down = np.array([[1], [-1]])  # rows count downwards
    corners = np.stack((low, high)) * scale * down + size / 2  # (2, x and y, figures)
    finite = np.isfinite(corners).all(axis=(0, 1))
    farthest = 4 * size  # so that what is far outside still fits into whole numbers
    corners = np.clip(np.nan_to_num(corners), -farthest, farthest)
    first = np.floor(corners.min(axis=0)) - SOFT_EDGE
    last = np.ceil(corners.max(axis=0)) + SOFT_EDGE
    edges = np.vstack((first, last)).astype(int).T.tolist()
    return [
        tuple(each) if is_somewhere else NOWHERE
        for each, is_somewhere in zip(edges, finite.tolist(), strict=True)
    ]
