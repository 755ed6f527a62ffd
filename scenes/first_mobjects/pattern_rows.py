"""Some rows of attention over the same keys, each a line of discs. It knows arrays, no model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from manim import Animation, Line, VGroup, VMobject
from manim.constants import LEFT, RIGHT, UP

from scenes import theme
from scenes.animations import Together
from scenes.arrivals import Appear, Unfold
from scenes.first_mobjects.discs import Discs, radius_for
from scenes.first_mobjects.labels import size_for
from scenes.mobjects.text import TokenText, Words, called, em_of
from scenes.presence import hide
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, HAIR, INK, LABEL_SIZE, QUIET, THIN_LINE

FILLED = 0.46  # radius of the disc of weight 1, as a share of the pitch
WIDEST = 1.5  # from one key to the next, in scene units
HIGHEST = 0.95  # from one row to the next, in scene units


class PatternRow(VGroup):
    """A caption, a disc for each weight (T,), and at the end the key of the largest one."""

    def __init__(
        self, weights: Tensor, caption: VMobject, end: VMobject, xs: Sequence[float], radius: float
    ) -> None:
        at = np.stack([np.array(xs), np.zeros(len(xs))], axis=1)
        self.axis = Line(
            (xs[0], 0, 0), (xs[-1], 0, 0), stroke_width=THIN_LINE, stroke_color=theme.color(QUIET)
        )
        self.dots = Discs(at, radius_for(weights.array, radius), INK)
        self.caption, self.end = caption, end
        caption.move_to((xs[0] - radius - GAP, 0, 0), aligned_edge=RIGHT)
        end.move_to((xs[-1] + radius + GAP, 0, 0), aligned_edge=LEFT)
        super().__init__(caption, self.axis, self.dots, end)

    def tell(self) -> Animation:
        """Let it be said whose row it is, and which key gets most."""
        return Together([Appear(self.caption), Appear(self.end)])


class PatternRows(VGroup):
    """The keys' texts above, and rows of weights under them, fitted to a region.

    Each of `rows` is (T,); each of `captions` stands to the left of its row. All of it is unseen
    until it is revealed, in the order of the methods, and of `tell` of each row.
    """

    def __init__(
        self,
        rows: Sequence[Tensor],
        captions: Sequence[VMobject],
        pieces: Sequence[str],
        region: Region,
    ) -> None:
        ends = [_largest(row, pieces, region) for row in rows]
        beside = sum(max(each.width for each in side) for side in (captions, ends))
        pitch = min(WIDEST, (region.width - beside - 2 * GAP) / (len(pieces) + 0.2))
        self.keys = _staggered(pieces, pitch)
        line = min(HIGHEST, (region.height - self.keys.height - HAIR) / len(rows))
        radius = min(FILLED * pitch, FILLED * line)
        xs = [place * pitch for place in range(len(pieces))]
        lines = zip(rows, captions, ends, strict=True)
        self.rows = [PatternRow(*each, xs, radius) for each in lines]
        top = float(self.keys.get_bottom()[1]) - HAIR - line / 2
        for index, row in enumerate(self.rows):
            row.shift(UP * (top - index * line))
        super().__init__(self.keys, *self.rows)
        self.move_to(region.center)
        hide(self)

    def unfold(self, sources: Iterable[Discs]) -> Animation:
        """Let the weights come out of the rows where they stood before, all at once."""
        return Together(
            Unfold(row.dots, source) for row, source in zip(self.rows, sources, strict=True)
        )

    def name_keys(self) -> Animation:
        """Let the keys' texts come in, and a line under them for each row."""
        return Together(map(Appear, (self.keys, *(row.axis for row in self.rows))))


def _largest(row: Tensor, pieces: Sequence[str], region: Region) -> Words:
    """Return the largest weight, after its key where there is room for it."""
    best = int(row.array.argmax())
    if region.is_narrow:
        return Words("{:.2f}", row[best].value, size=LABEL_SIZE)
    return Words("{}: {:.2f}", called(pieces[best]), row[best].value, size=LABEL_SIZE)


def _staggered(pieces: Sequence[str], pitch: float) -> VGroup:
    """Set each key's text at its place, every other one a line higher where they are crowded."""
    size = size_for(pieces, pitch - HAIR, LABEL_SIZE)
    texts = VGroup(*(TokenText(piece, size) for piece in pieces))
    crowded = any(text.width > pitch - HAIR for text in texts)
    for place, text in enumerate(texts):
        text.set_x(place * pitch)
        if crowded and place % 2 == 0:
            text.shift(UP * 1.2 * em_of(size))
    return texts
