"""Faults of layout on a stage at rest. It knows what is seen, and nothing of what it means."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from checking.report import Fault
from checking.stage_view import OPAQUE, PROBES, Flags, Floats, Part, StageView, meet
from scenes import camera, theme
from scenes.presence import presence
from scenes.region import Region
from scenes.theme import OUT_OF_FOCUS

PIXELS = 1080 / 8  # of 1080p, in a scene unit
TOUCHING = 2 / PIXELS  # two things that share no more than this only touch
EDGE = 1 / PIXELS  # how far a thing may reach beyond the safe area
SMALLEST_EM = 20.0  # pixels
WORD_GAP = 0.3  # in ems: letters nearer than this are one word, and a line between them crosses it
LEAST_HEIGHT, LEAST_WIDTH = 0.6, 0.7  # of the stage, one of which a beat's picture takes
SPARED = 0.05  # the share of a text that may be hidden: its edge


def layout_faults(view: StageView, area: Region) -> Iterator[Fault]:
    """Yield what is wrong with the layout; `area` is what films may draw on."""
    if not view.parts:
        return
    yield from _overlapping_texts(view)
    yield from _crossed_texts(view)
    yield from _partly_covered(view)
    yield from _outside(view, area)
    yield from _small(view)
    yield from _faint(view)


def empty_stage(picture: Floats) -> Iterator[Fault]:
    """Yield what is wrong if nothing is seen; `picture` are the boxes of what is, (parts, 4)."""
    if not len(picture):
        yield Fault("blank", "Nothing is seen but what the film stands in.")


def sparse_picture(picture: Floats, stage: Region) -> Iterator[Fault]:
    """Yield what is wrong if what is seen, boxes of shape (parts, 4), leaves the stage bare."""
    if not len(picture):
        return
    low = np.maximum(picture[:, :2].min(axis=0), (stage.left, stage.bottom))
    high = np.minimum(picture[:, 2:].max(axis=0), (stage.right, stage.top))
    width, height = (high - low).clip(0) / (stage.width, stage.height)
    if width < LEAST_WIDTH and height < LEAST_HEIGHT:
        what = f"The picture takes {height:.0%} of the stage's height and {width:.0%} of its width"
        yield Fault("sparse", f"{what}; it needs {LEAST_HEIGHT:.0%} or {LEAST_WIDTH:.0%}.")


def _overlapping_texts(view: StageView) -> Iterator[Fault]:
    orders = view.texts
    boxes = view.boxes[orders]
    wholes = np.array([id(view.parts[order].whole) for order in orders])
    near = meet(boxes[:, None], boxes[None]) & (wholes[:, None] != wholes[None])
    for one, other in np.argwhere(np.triu(near)):
        lower, upper = int(orders[one]), int(orders[other])
        if _share_ink(view, lower, upper):
            yield Fault("overlap", f"{view.parts[lower]} and {view.parts[upper]} overlap.")


def _share_ink(view: StageView, lower: int, upper: int) -> bool:
    """Whether letters of two texts stand on each other where both are seen."""
    one, other = (_shrunk(view.glyph_boxes(order))[:, None] for order in (lower, upper))
    other = other.swapaxes(0, 1)
    shared = np.argwhere(meet(one, other))
    corners = [
        (np.maximum(one[i, 0, :2], other[0, j, :2]) + np.minimum(one[i, 0, 2:], other[0, j, 2:]))
        / 2
        for i, j in shared
    ]
    return bool(corners) and not _all_hidden(view, np.array(corners), lower)


def _crossed_texts(view: StageView) -> Iterator[Fault]:
    orders = view.texts
    for line in np.flatnonzero(view.is_lined).tolist():
        grow = view.widths[line] / 2
        near = meet(view.boxes[orders], view.boxes[line], grow)
        for text in orders[near].tolist():
            if _goes_through(view, line, text):
                name = view.parts[line].name
                yield Fault("overlap", f"A line ({name}) goes through {view.parts[text]}.")


def _goes_through(view: StageView, line: int, text: int) -> bool:
    """Whether a line, as thick as it is drawn, meets letters where both are seen."""
    outline = view.outline(line)
    ends = np.stack([outline[:, :-1], outline[:, 1:]], axis=2).reshape(-1, 2, 2)
    half = view.widths[line] / 2
    whole = view.boxes[text] + half * np.array([-1, -1, 1, 1])
    ends = ends[np.isfinite(_meeting_points(ends, whole[None])).all(axis=(1, 2))]
    if not len(ends):
        return False
    glyphs = _words(view.glyph_boxes(text), view.parts[text].em)
    grown = _shrunk(glyphs + half * np.array([-1, -1, 1, 1]), 2 * TOUCHING)
    points = _meeting_points(ends, grown).reshape(-1, 2)
    points = points[np.isfinite(points).all(axis=1)]
    return bool(len(points)) and not _all_hidden(view, points, min(line, text))


def _partly_covered(view: StageView) -> Iterator[Fault]:
    for text in view.texts.tolist():
        if view.covered[text] > SPARED:
            yield Fault("overlap", f"{view.parts[text]} is partly covered by a shape.")


def _outside(view: StageView, area: Region) -> Iterator[Fault]:
    allowed = np.array([area.left, area.bottom, area.right, area.top])
    beyond = (allowed - view.boxes) * np.array([1, 1, -1, -1])
    seen = view.is_filled | view.is_lined
    seen[view.texts] = True
    seen &= np.array([not _is_around(part) for part in view.parts])
    fills_frame = _contains(view.boxes, view.frame)
    for order in np.flatnonzero(seen & (beyond.max(axis=1) > EDGE) & ~fills_frame).tolist():
        box = view.boxes[order].reshape(2, 2)
        grid = np.array([(x, y) for x in box[:, 0] for y in box[:, 1]] + [box.mean(axis=0)])
        if view.is_text[order] or not _all_hidden(view, grid, order):
            side = int(beyond[order].argmax())
            by, where = beyond[order, side] * PIXELS, ("left", "lower", "right", "upper")[side]
            message = f"{view.parts[order]} reaches {by:.0f} px beyond the {where} edge."
            yield Fault("outside", message)


def _is_around(part: Part) -> bool:
    """Whether the camera is near, and a part has receded or is what the camera travels along."""
    has_receded = presence(part.mobject) <= OUT_OF_FOCUS + 0.01
    return part.view.zoom > 1 and (has_receded or camera.runs_on(part.mobject))


def _small(view: StageView) -> Iterator[Fault]:
    for order in view.texts.tolist():
        em = view.parts[order].em * PIXELS
        if em < SMALLEST_EM - 0.01:
            what = f"{view.parts[order]} has an em of {em:.1f} px at 1080p"
            yield Fault("small", f"{what}; it needs {SMALLEST_EM:.0f}.")


def _faint(view: StageView) -> Iterator[Fault]:
    texts = [view.parts[order].mobject for order in view.texts.tolist()]
    in_play = [presence(text) > OUT_OF_FOCUS + 0.01 for text in texts]
    orders = view.texts[np.array(in_play, dtype=bool)]
    ink, behind, hidden = _as_composited(view, orders)
    pairs, which = np.unique((_packed(ink) << 24) + _packed(behind), return_inverse=True)
    colors = [(f"#{pair >> 24:06X}", f"#{pair & 0xFFFFFF:06X}") for pair in pairs.tolist()]
    ratios = np.array([theme.contrast(*each) for each in colors])[which.reshape(hidden.shape)]
    ratios[hidden] = np.inf
    for order, row, of in zip(orders.tolist(), ratios, which.reshape(hidden.shape), strict=True):
        ratio = row.min()
        if ratio < theme.LEAST_CONTRAST - 0.005:
            on = "{} on {}".format(*colors[of[row.argmin()]])
            what = f"{view.parts[order]} ({on}) has a contrast of {ratio:.2f}:1"
            yield Fault("contrast", f"{what}; it needs {theme.LEAST_CONTRAST:.1f}:1.")


def _as_composited(view: StageView, orders: NDArray[np.int_]) -> tuple[Floats, Floats, Flags]:
    """Return the colours of texts and of what is behind them, and where an opaque fill hides both.

    Each at PROBES points of every text: shapes (texts, PROBES, 3) and (texts, PROBES), RGB 0 to 1.
    """
    probes = view.probes(orders)
    ground = np.array([int(theme.current().background[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    behind = np.broadcast_to(ground, (*probes.shape[:2], 3)).copy()
    fills = np.flatnonzero(view.is_filled)
    texts = np.hstack([probes.min(axis=1), probes.max(axis=1)])
    touched = meet(texts, view.boxes[fills, None])  # (fills, texts)
    laid = [(fill, at) for fill, at in zip(fills.tolist(), touched, strict=True) if at.any()]
    for fill, at in laid:
        _lay(view, fill, probes, at & (orders > fill), (behind,))
    color, alpha = view.fills[orders, None, :3], view.fills[orders, None, 3:]
    ink = alpha * color + (1 - alpha) * behind
    hidden = np.zeros(probes.shape[:2], dtype=bool)
    for fill, at in laid:
        inside = _lay(view, fill, probes, at & (orders < fill), (behind, ink))
        hidden |= inside & (view.fills[fill, 3] >= OPAQUE)
    return ink, behind, hidden


def _lay(
    view: StageView, fill: int, probes: Floats, touched: Flags, layers: tuple[Floats, ...]
) -> Flags:
    """Lay a fill over the colours at the probes of the texts touched; return where it lies."""
    inside = np.zeros(probes.shape[:2], dtype=bool)
    if touched.any():
        at = probes[touched].reshape(-1, 2)
        inside[touched] = view.inside(fill, at).reshape(-1, PROBES)
        color, alpha = view.fills[fill, :3], view.fills[fill, 3]
        for layer in layers:
            layer[inside] = alpha * color + (1 - alpha) * layer[inside]
    return inside


def _meeting_points(lines: Floats, boxes: Floats) -> Floats:
    """Return where straight lines run through boxes, NaN where they do not: (lines, boxes, 2).

    The point is the middle of the piece of line inside the box.
    """
    start, along = lines[:, None, 0], lines[:, None, 1] - lines[:, None, 0]
    along = np.where(np.abs(along) < 1e-9, 1e-9, along)
    one, other = (boxes[None, :, :2] - start) / along, (boxes[None, :, 2:] - start) / along
    enters = np.minimum(one, other).max(axis=-1).clip(0)
    leaves = np.maximum(one, other).min(axis=-1).clip(max=1)
    middle = np.where(enters <= leaves, (enters + leaves) / 2, np.nan)
    return start + middle[..., None] * along


def _words(boxes: Floats, em: float) -> Floats:
    """Return letters' boxes and the narrow gaps between them: what a line must not go through."""
    boxes = boxes[boxes[:, 0].argsort()]
    reach = np.maximum.accumulate(boxes[:, 2])[:-1]
    gap = boxes[1:, 0] - reach
    low, high = np.minimum(boxes[1:, 1], boxes[:-1, 1]), np.maximum(boxes[1:, 3], boxes[:-1, 3])
    between = np.column_stack([reach, low, boxes[1:, 0], high])
    return np.concatenate([boxes, between[(gap > 0) & (gap < WORD_GAP * em)]])


def _shrunk(boxes: Floats, by: float = TOUCHING) -> Floats:
    """Return boxes smaller by `by` in width and height, but never by more than half of either."""
    less = np.minimum(by, (boxes[..., 2:] - boxes[..., :2]) / 2) / 2
    return np.concatenate([boxes[..., :2] + less, boxes[..., 2:] - less], axis=-1)


def _contains(boxes: Floats, box: Floats) -> Flags:
    return np.asarray(np.all((boxes[:, :2] <= box[:2]) & (boxes[:, 2:] >= box[2:]), axis=1))


def _all_hidden(view: StageView, points: Floats, order: int) -> bool:
    return bool(view.hidden(points, np.full(len(points), order)).all())


def _packed(colors: Floats) -> NDArray[np.int_]:
    """Return RGB colours, 0 to 1 along the last axis, as whole numbers 0xRRGGBB."""
    levels = np.rint(255 * colors).astype(int)
    return np.asarray(levels @ np.array([0x10000, 0x100, 1]))
