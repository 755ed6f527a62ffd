"""How widely numbers spread: one silhouette a sample, all on one axis. It knows no meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from manim import Animation, Line, VGroup, VMobject
from manim.constants import RIGHT

from scenes import theme
from scenes.analysis.softmax import standard_deviation
from scenes.animations import Change, Exchange, Together, one_after_another
from scenes.arrivals import Appear
from scenes.mobjects.text import Formula, Number, Words, align_points
from scenes.presence import hide
from scenes.provenance import Tensor, count, entry_count, root
from scenes.region import Region
from scenes.theme import GAP, INK, LABEL_SIZE, QUIET, SLOW, SMALL_SIZE, THIN_LINE

REACH = 3.0  # how many spreads either side of zero are drawn
BINS = 31
TALLEST = 0.72  # of a silhouette, as a share of its line's height
NUMBER_ROOM = 1.25  # for a column of numbers, in scene units; less in a narrow region
FILL = 0.55


@dataclass(frozen=True)
class Sample:
    """Dot products of vectors of one length, shape (n,), and one of these vectors."""

    dots: Tensor
    vector: Tensor


class Spreads(VGroup):
    """Length, silhouette, measured spread and root of the length, one sample a line.

    A silhouette tells how often a number comes, by height, the most frequent as high as in every
    other line. All is unseen until it is revealed.
    """

    def __init__(self, samples: Sequence[Sample], region: Region) -> None:
        self.samples = samples
        self.room = NUMBER_ROOM * (0.7 if region.is_narrow else 1)
        self.line = region.height / (len(samples) + 1.4)
        self.middle = region.center[0] - self.room / 2
        width = region.width - 3 * self.room
        self.spreads = [standard_deviation(sample.dots) for sample in samples]
        self.unit = width / (2 * REACH * max(each.number for each in self.spreads))
        self.lengths, self.measured, self.roots = (list[Number]() for _ in range(3))
        self.silhouettes: list[Silhouette] = []
        for place, sample in enumerate(samples):
            self._set_line(sample, place, region)
        for column in (self.lengths, self.measured, self.roots):
            align_points(column)
        self.heads = self._heads(region)
        self.axis = self._axis(region)
        lines = zip(self.lengths, self.silhouettes, self.measured, self.roots, strict=True)
        super().__init__(self.axis, self.heads, *(VGroup(*line) for line in lines))
        hide(self)

    def reveal_heads(self) -> Animation:
        """Let the axis and the names of the columns come in."""
        return Together([Appear(self.axis), Appear(self.heads)])

    def reveal(self) -> Animation:
        """Let the lines come in, one after another: a length, its silhouette and its spread."""
        return one_after_another(
            (
                Together(map(Appear, (length, silhouette, measured)))
                for length, silhouette, measured in zip(
                    self.lengths, self.silhouettes, self.measured, strict=True
                )
            ),
            2 * SLOW,
        )

    def reveal_roots(self) -> Animation:
        """Let the roots of the lengths come in, for comparison."""
        return one_after_another(map(Appear, self.roots))

    def divide(self) -> Animation:
        """Divide every number by the root of its length: silhouettes narrow, spreads fall."""
        said = Formula('$"their dot products" \\/ sqrt(d_k)$', SMALL_SIZE, QUIET)
        narrowing = one_after_another(
            (
                Together([Narrow(silhouette, self.middle, number.value.number), falling])
                for silhouette, number, falling in zip(
                    self.silhouettes, self.roots, self._falls(), strict=True
                )
            ),
            2 * SLOW,
        )
        return Together([Exchange(self.heads, self.what, said.move_to(self.what)), narrowing])

    def _falls(self) -> list[Animation]:
        divided = [one / number.value for one, number in zip(self.spreads, self.roots, strict=True)]
        return [one.count_to(end) for one, end in zip(self.measured, divided, strict=True)]

    def _set_line(self, sample: Sample, place: int, region: Region) -> None:
        y = region.top - (place + 1.5) * self.line
        length, far = entry_count(sample.vector), region.right - self.room / 2
        self.lengths.append(
            Number(length, 0, LABEL_SIZE).move_to((region.left + self.room / 2, y, 0))
        )
        silhouette = Silhouette(sample.dots, self.spreads[place].number, self.unit, self.line)
        self.silhouettes.append(silhouette.shift((self.middle, y - TALLEST * self.line / 2, 0)))
        measured = Number(self.spreads[place], 1, LABEL_SIZE)
        self.measured.append(measured.move_to((far - self.room, y, 0)))
        self.roots.append(Number(root(length), 0, LABEL_SIZE).move_to((far, y, 0)))

    def _heads(self, region: Region) -> VGroup:
        y, far = region.top - self.line / 2, region.right - self.room / 2
        self.what = Words("their dot products", size=SMALL_SIZE, role=QUIET)
        heads: list[tuple[VMobject, float]] = [
            (Formula("$d_k$", LABEL_SIZE), region.left + self.room / 2),
            (self.what, self.middle),
            (Words("spread", size=LABEL_SIZE), far - self.room),
            (Formula("$sqrt(d_k)$", LABEL_SIZE), far),
        ]
        return VGroup(*(head.move_to((x, y, 0)) for head, x in heads))

    def _axis(self, region: Region) -> VGroup:
        """Return the line that stands at zero, with its number at the bottom."""
        low = region.top - (len(self.samples) + 1) * self.line
        line = Line(
            (self.middle, region.top - self.line, 0),
            (self.middle, low, 0),
            stroke_width=THIN_LINE,
            stroke_color=theme.color(QUIET),
        )
        zero = Number(count(0, "where the axis begins"), 0, SMALL_SIZE, QUIET)
        return VGroup(line, zero.move_to((self.middle, low - GAP, 0)))


class Silhouette(VMobject):
    """How often numbers come, as a filled outline on its baseline, zero at x = 0.

    `unit` is the scene units of a difference of one, `line` the height of its line.
    """

    def __init__(self, numbers: Tensor, spread: float, unit: float, line: float) -> None:
        super().__init__(
            stroke_width=THIN_LINE,
            stroke_color=theme.color(INK),
            fill_color=theme.color(INK),
            fill_opacity=FILL,
        )
        edges = np.linspace(-REACH * spread, REACH * spread, BINS + 1)
        often, _ = np.histogram(numbers.array, edges)
        heights = np.repeat(TALLEST * line * often / often.max(), 2)
        across = np.repeat(edges, 2)[1:-1] * unit
        outline = np.column_stack([across, heights, np.zeros(len(across))])
        ends = np.array([[across[0], 0, 0], [across[-1], 0, 0]])
        self.set_points_as_corners([ends[0], *outline, ends[1], ends[0]])


class Narrow(Change):
    """A silhouette becomes narrower by a factor, towards where zero stands."""

    def __init__(self, silhouette: Silhouette, zero: float, by: float) -> None:
        super().__init__(silhouette, run_time=SLOW)
        self.zero, self.by = zero * RIGHT, by

    def change(self, share: float) -> None:
        """Set the width."""
        factor = 1 + share * (1 / self.by - 1)
        across = np.array((factor, 1, 1))
        self.mobject.points = self.zero + (self.shapes[0] - self.zero) * across
