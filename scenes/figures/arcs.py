"""Attention's arcs of one layer, from what is looked at to who looks, seen in perspective.

arcs = Arcs(weights, xs, tall)
arcs.draw_from(stop, begins=2, along=(4.0, 6.5), stage=stage)    # as they are at a stop on the road
"""

from __future__ import annotations

import numpy as np
from manim import VGroup, VMobject
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects import ground
from scenes.mobjects.fit import eased
from scenes.mobjects.ground import Stop
from scenes.mobjects.outlines import Filled, lines, polygons
from scenes.region import Region
from scenes.theme import BOLD_LINE, HAIR, OUT_OF_FOCUS, STRONGEST_FILL, THIN_LINE, VALUE

Floats = NDArray[np.float64]

ARCH, LEAST_ARCH = 1.25, 0.4  # scene units, the longest arc's height; of that, a short one's
SEEN = 0.07  # the smallest weight that has an arc
FAN, TAKEN, TURNS = 0.25, 0.33, 0.68  # of a step: the last column looks; has taken; all have
AGAIN, SEEN_AGAIN = 0.2, 0.95  # of a step, all come once more, and then stand until here
HELD = 0.45  # of a step, the same column takes in later blocks
HEAD, BLUNT = 0.24, 0.6  # scene units, an arc's head; of that, half its breadth
WIDEN = 5  # times a bold line, an arc of all attention
CURVE = (1 - np.cos(np.linspace(0.0, np.pi, 49))) / 2  # its steep ends in smaller steps


class Arc(VMobject):
    """An arc, the wider the larger its weight."""

    def __init__(self, weight: float) -> None:
        super().__init__(stroke_color=theme.color(VALUE), stroke_opacity=STRONGEST_FILL)
        self.weight_width = THIN_LINE + WIDEN * BOLD_LINE * weight
        self.set_points_as_corners(np.zeros((2, 3)))


class Arcs(VGroup):
    """An arc for each weight (queries, keys) that can be seen; tokens stand at `xs`, `tall` high.

    They go over columns, from tops to tops, with heads, and then into the column that looks: the
    last query's first, then those of one query after another if they come `in_turn`, and all once
    more, others faint, else all at once.
    """

    def __init__(
        self,
        weights: NDArray[np.floating],
        xs: NDArray[np.floating],
        tall: float,
        *,
        in_turn: bool,
    ) -> None:
        self.pairs = np.argwhere(np.tril(weights, -1) >= SEEN)
        self.xs, self.tall, self.in_turn = xs, tall, in_turn
        self.arcs = [Arc(float(weights[query, key])) for query, key in self.pairs.tolist()]
        self.heads = [Filled(np.zeros((0, 3)), VALUE, STRONGEST_FILL) for _ in self.arcs]
        super().__init__(*self.arcs, *self.heads)

    def draw_from(self, stop: Stop, begins: int, y: float, stage: Region) -> None:
        """Draw them as they are at a stop, if columns begin to look at step `begins`."""
        since, faint = stop.walk - begins, np.ones(len(self.arcs))
        drawn, taken = (
            each[self.pairs[:, 0]] for each in looks(since, len(self.xs), in_turn=self.in_turn)
        )
        if self.in_turn and since > TURNS:
            drawn, taken = np.full_like(drawn, min(1.0, (since - TURNS) / AGAIN)), 0 * taken
            faint = np.where(self.pairs[:, 0] + 1 < len(self.xs), OUT_OF_FOCUS, 1.0)
        lights = stop.works * (drawn > 0) * (taken < 1) * (0 < since < 1)
        lights = faint * lights * min(1.0, (1 - since) / (1 - SEEN_AGAIN))
        if lights.any():
            shares = taken[:, None] + (drawn - taken)[:, None] * CURVE
            flat, size = stop.seen(self._places(shares, y).reshape(-1, 3))
            curves = np.where(np.isfinite(flat), flat, -1e6).reshape(*shares.shape, 2)
            lights = lights * ground.inside(curves.min(axis=1), curves.max(axis=1), stage)
            pairs = np.stack([curves[:, :-1], curves[:, 1:]], axis=2)
            large = (2 * drawn - 1).clip(0.0, 1.0) * (4 * (1 - taken)).clip(0.0, 1.0)
            heads = polygons(_heads(curves, HEAD * size[:: len(CURVE)] * large))
            heads = heads.reshape(len(curves), -1, 3)
            outlines = lines(pairs.reshape(-1, 2, 2)).reshape(len(curves), -1, 3)
            for at, (arc, near) in enumerate(zip(self.arcs, size[:: len(CURVE)], strict=True)):
                arc.points, self.heads[at].points = outlines[at], heads[at]
                arc.stroke_width = arc.weight_width * min(1.0, float(near))
        for arc, head, light in zip(self.arcs, self.heads, lights, strict=True):
            ground.show(arc, float(light))
            ground.show(head, float(light))

    def _places(self, shares: Floats, y: float) -> Floats:
        """Return points of the world, (arcs, points, 3), at shares (arcs, points) of the ways."""
        ends = self.xs[self.pairs]  # of queries and keys
        apart = ends[:, :1] - ends[:, 1:]
        arch = ARCH * (LEAST_ARCH + (1 - LEAST_ARCH) * apart / max(float(np.ptp(self.xs)), 1e-6))
        x = ends[:, 1:] + eased(shares) * apart
        z = arch * 4 * shares * (1 - shares) + HEAD * shares  # a head ends over the column
        return np.stack([x, np.full(x.shape, y), z + self.tall + HAIR], axis=-1)


def looks(since: float, tokens: int, *, in_turn: bool) -> tuple[Floats, Floats]:
    """Return how far arcs of each query are drawn, and how far it has taken what they bring.

    The last one's come first. Then come those of one after another, if they look in turn; if not,
    all take at the same time.
    """
    begins, ends = (FAN, TAKEN) if in_turn else (HELD, TURNS)
    drawn = np.full(tokens, since / FAN)
    taken = np.full(tokens, (since - begins) / (ends - begins))
    if in_turn and tokens > 1:
        each = (TURNS - TAKEN) / max(1, tokens - 2)
        turn = (since - TAKEN) / each - np.maximum(np.arange(tokens - 1) - 1, 0)
        drawn[:-1], taken[:-1] = 2.5 * turn, 3 * turn - 2  # and stand a moment
    return drawn.clip(0.0, 1.0), eased(taken)


def _heads(curves: Floats, sizes: Floats) -> Floats:
    """Return heads beyond the ends of curves (n, points, 2): triangles, (n, 3, 2)."""
    ends, ways = curves[:, -1], curves[:, -1] - curves[:, -4]
    ways = sizes[:, None] * ways / np.maximum(np.linalg.norm(ways, axis=1), 1e-9)[:, None]
    aside = BLUNT * ways[:, ::-1] * (-1, 1)
    return np.stack([ends + ways, ends + aside, ends - aside], axis=1)
