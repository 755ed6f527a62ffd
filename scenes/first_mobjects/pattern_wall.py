"""Every pattern of a model in small: layers down, heads across. It knows arrays, and no model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from manim import Square, VGroup
from manim.constants import LEFT, UP

from scenes import theme
from scenes.first_mobjects.discs import Discs, radius_for
from scenes.first_mobjects.pattern_panel import FILLED
from scenes.first_mobjects.tiles import Tiles
from scenes.mobjects.text import Words, em_of
from scenes.provenance import Array, Tensor, count
from scenes.region import Region
from scenes.theme import BOLD_LINE, HAIR, INK, PANEL, QUIET, SMALL_SIZE, SMALLEST_SIZE, Role

THUMB = 0.9  # side of a thumbnail, as a share of the pitch
APART = 0.18  # a label from the wall, so that a frame has room, in scene units
LARGEST = 1.25  # pitch, in scene units


class PatternWall(VGroup):
    """Patterns (L, H, T, T) as thumbnails, as large as `region` allows; a layer's are one path.

    `rows[layer]` holds the thumbnails of a layer, `places[layer][head]` where each one stands.
    The numbers of layers and heads, from 0, stand beside and above: all of them, or the first and
    the last where they would be crowded.
    """

    def __init__(self, patterns: Tensor, region: Region) -> None:
        layers, heads = patterns.shape[:2]
        beside = Words("layer {}", count(layers - 1, "a layer"), size=SMALL_SIZE).width + APART
        above = em_of(SMALL_SIZE) + APART
        self.pitch = min(LARGEST, (region.width - beside) / heads, (region.height - above) / layers)
        left = region.center[0] + (beside - self.pitch * heads) / 2
        top = region.center[1] - (above - self.pitch * layers) / 2
        self.places = [
            [
                Square(THUMB * self.pitch).move_to(
                    (left + (head + 0.5) * self.pitch, top - (layer + 0.5) * self.pitch, 0)
                )
                for head in range(heads)
            ]
            for layer in range(layers)
        ]
        self.rows = [
            _thumbnails(patterns.array[layer], self.places[layer]) for layer in range(layers)
        ]
        self.labels = VGroup(*self._beside(), *self._above())
        super().__init__(self.labels, *self.rows)

    def ring(self, layer: int, head: int, role: Role = INK) -> Square:
        """Return a frame around one thumbnail."""
        frame = Square(
            max(self.pitch, 1.12 * THUMB * self.pitch),
            stroke_width=BOLD_LINE,
            stroke_color=theme.color(role),
        )
        return frame.move_to(self.places[layer][head])

    def _beside(self) -> list[Words]:
        size = max(SMALLEST_SIZE, min(SMALL_SIZE, self.pitch / 1.3 / em_of(1)))
        labels = []
        for layer in _shown(len(self.places), self.pitch, 1.3 * em_of(size)):
            words = Words("layer {}", count(layer, "a layer"), size=size, role=QUIET)
            labels.append(words.next_to(self.places[layer][0], LEFT, buff=APART))
        return labels

    def _above(self) -> list[Words]:
        heads = len(self.places[0])
        template, size = "head {}", float(SMALL_SIZE)
        if Words(template, count(heads, "a head"), size=size).width > self.pitch - HAIR:
            template, size = "{}", SMALLEST_SIZE
        wide = Words(template, count(heads, "a head"), size=size).width + HAIR
        labels = []
        for head in _shown(heads, self.pitch, wide):
            words = Words(template, count(head, "a head"), size=size, role=QUIET)
            labels.append(words.next_to(self.places[0][head], UP, buff=APART))
        if template == "{}":
            first = labels[0]
            labels.append(Words("head", size=size, role=QUIET).next_to(first, LEFT, buff=HAIR))
        return labels


def _shown(count_: int, pitch: float, room: float) -> Sequence[int]:
    """Return which labels are drawn: all, or the first and the last where all would not fit."""
    if pitch >= room or count_ < 2:
        return range(count_)
    return (0, count_ - 1) if pitch * (count_ - 1) >= room else (0,)


def _thumbnails(patterns: Array, places: Sequence[Square]) -> VGroup:
    """Return plates and dots of the patterns (H, T, T) of one layer, a path each."""
    centers = np.array([place.get_center()[:2] for place in places])  # (H, 2)
    side = float(places[0].width)
    tokens = patterns.shape[-1]
    pitch = side / tokens
    query, key = np.indices((tokens, tokens)).reshape(2, -1)
    within = np.stack([key + 0.5, tokens - query - 0.5], 1) * pitch - side / 2  # (T * T, 2)
    plates = Tiles(centers, np.full(len(centers), side), PANEL)
    spots = (centers[:, None] + within).reshape(-1, 2)
    dots = Discs(spots, radius_for(patterns.ravel(), FILLED * pitch), INK)
    return VGroup(plates, dots)
