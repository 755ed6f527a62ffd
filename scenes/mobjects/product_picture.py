"""Matrices set so that a product can be read off: a row from the left meets a column from above.

It knows shapes and names, and nothing of what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from manim import Animation, Rectangle, VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.animations import Appear, Settle, Together, one_after_another
from scenes.mobjects.brackets import bracket_pair
from scenes.mobjects.matrix import TILE_SHARE, Matrix
from scenes.mobjects.text import Formula, Words, em_of
from scenes.mobjects.typesetting import Points
from scenes.stage import Region
from scenes.theme import BODY_SIZE, BOLD_LINE, GAP, HAIR, QUERY, QUIET, SLOW, SMALL_SIZE
from scenes.values import count

LABEL_HEIGHT = 0.85  # scene units for a matrix's name over its shape
LABEL_WIDTH = 1.1  # scene units for the same beside a matrix
SIGN_SHARE = 0.7  # of the gap between two matrices, at most
TALLEST_TILE = 0.34  # scene units


class MatrixLabel(VGroup):
    """A matrix's name, as a Typst formula, over its true shape."""

    def __init__(self, name: str, matrix: Matrix) -> None:
        rows, columns = (count(side, "sides of a matrix") for side in matrix.values.shape)
        shape = Words("{} \N{MULTIPLICATION SIGN} {}", rows, columns, size=SMALL_SIZE, role=QUIET)
        formula = Formula(f"${name}$", BODY_SIZE)
        shape.next_to((formula.get_x(), -0.5 * em_of(BODY_SIZE), 0), DOWN, buff=0)
        self.rise = float(formula.get_top()[1])  # over the baseline
        super().__init__(formula, shape)

    def hang(self, x: float, y: float) -> MatrixLabel:
        """Stand under a point, the baseline as far below it for every label."""
        baseline = y - HAIR - em_of(BODY_SIZE)
        self.shift(UP * (baseline + self.rise - self.get_top()[1]))
        return self.set_x(x)


class Picture(VGroup):
    """Places for matrices, in one scale and as large as a region allows, and their labels.

    `places[i]` is for `matrices[i]`. `labels` are all that is drawn of a picture.
    """

    def __init__(self, matrices: Sequence[Matrix], places: Sequence[Rectangle]) -> None:
        self.matrices, self.places = list(matrices), list(places)
        self.labels = VGroup()
        super().__init__(self.labels)

    def fit(self, region: Region, beside: float, below: float) -> None:
        """Scale and move the places into a region, with room for labels right and below."""
        whole = VGroup(*self.places)
        pitch = self.matrices[0].pitch[0]
        largest = TALLEST_TILE / pitch
        room = (
            (region.width - beside - 2 * HAIR) / whole.width,
            (region.height - below) / whole.height,
        )
        whole.scale(min(*room, largest)).move_to(region.center)
        whole.shift((-beside / 2, below / 2, 0))

    def settle(self, *which: int) -> Animation:
        """Let matrices that are on the stage go to their places."""
        return Together(Settle(self.matrices[i], self.places[i], SLOW) for i in which)

    def put(self, *which: int) -> None:
        """Set matrices at their places at once."""
        for i in which:
            matrix, place = self.matrices[i], self.places[i]
            matrix.scale(place.width / matrix.width).move_to(place)


class ProductPicture(Picture):
    """A left factor (n, m) beside its products (n, k), a right factor (m, k) above each.

    `matrices` are the left factor, then pairs of right factor and product; `names` go with them.
    """

    def __init__(self, matrices: Sequence[Matrix], names: Sequence[str], region: Region) -> None:
        left, *rest = [Rectangle(width=each.width, height=each.height) for each in matrices]
        gap = 2.5 * matrices[0].pitch[0]
        before = left
        for above, product in zip(rest[::2], rest[1::2], strict=True):
            product.next_to(before, RIGHT, buff=gap)
            above.next_to(product, UP, buff=gap)
            before = product
        super().__init__(matrices, [left, *rest])
        is_single = len(rest) == 2
        self.fit(region, LABEL_WIDTH if is_single else 0.0, LABEL_HEIGHT * (1 if is_single else 2))
        for i, (name, matrix) in enumerate(zip(names, matrices, strict=True)):
            label, place = MatrixLabel(name, matrix), self.places[i]
            if i % 2 == 0:
                label.hang(place.get_x(), float(place.get_bottom()[1]))
                if i == 0 and label.width > place.width:
                    label.align_to(place, RIGHT)  # clear of the next one's
            elif is_single:
                label.next_to(place, RIGHT, buff=GAP)
            else:
                label.next_to(place, UP, buff=HAIR)
            self.labels.add(label)
        if not is_single:
            VGroup(*self.places, self.labels).shift(DOWN * LABEL_HEIGHT)

    def ring(self, row: int) -> VGroup:
        """Return frames around a row of the left factor and of its products."""
        pairs = zip(self.matrices, self.places, strict=True)
        return VGroup(*(row_frame(*pair, row) for i, pair in enumerate(pairs) if i % 2 == 0))


class RowPicture(Picture):
    """Matrices side by side on one line, `names` under them."""

    def __init__(self, matrices: Sequence[Matrix], names: Sequence[str], region: Region) -> None:
        places = [Rectangle(width=each.width, height=each.height) for each in matrices]
        gap = 4 * matrices[0].pitch[0]
        VGroup(*places).arrange(RIGHT, buff=gap)
        super().__init__(matrices, places)
        self.fit(region, 0.0, LABEL_HEIGHT)
        low = min(float(place.get_bottom()[1]) for place in self.places)
        for name, matrix, place in zip(names, matrices, self.places, strict=True):
            label = MatrixLabel(name, matrix)
            self.labels.add(label.hang(place.get_x(), low))

    def ring(self, row: int) -> VGroup:
        """Return frames around a row of all the matrices."""
        pairs = zip(self.matrices, self.places, strict=True)
        return VGroup(*(row_frame(*pair, row) for pair in pairs))

    def signs(self, texts: Mapping[int, str]) -> VGroup:
        """Return signs such as a plus, each for the gap after the matrix of its number."""
        signs = VGroup()
        for i, text in texts.items():
            ends = self.places[i].get_right()[0], self.places[i + 1].get_left()[0]
            sign = Words("{}", text, role=QUIET)
            sign.scale(min(1.0, SIGN_SHARE * (ends[1] - ends[0]) / sign.width))
            signs.add(sign.move_to((sum(ends) / 2, self.places[i].get_y(), 0)))
        return signs


def row_frame(matrix: Matrix, place: Rectangle, row: int) -> Rectangle:
    """Return a frame around where a matrix's row will stand."""
    scale = place.width / matrix.width
    offset = (matrix.row(row).get_y() - matrix.get_y()) * scale
    frame = Rectangle(
        width=place.width + HAIR,
        height=matrix.row(row).height / TILE_SHARE * scale,
        stroke_width=BOLD_LINE,
        stroke_color=theme.color(QUERY),
    )
    return frame.move_to(place.get_center() + UP * offset)


def frame_of(matrix: Matrix) -> Animation:
    """Let all of a matrix but its tiles come in."""
    tiles = {id(tile) for tile in matrix.tiles.values()}
    return Together(Appear(part) for part in matrix if id(part) not in tiles)


def row_arrives(matrix: Matrix, row: int) -> Animation:
    """Let the tiles of a row come in."""
    return Together(Appear(tile) for tile in matrix.row(row))


def other_rows_arrive(matrix: Matrix, row: int) -> Together:
    """Let the rows but one come in, one after another from the top."""
    return one_after_another(row_arrives(matrix, i) for i in matrix.rows if i != row)


def mirrored(matrix: Matrix) -> VGroup:
    """Return a matrix reflected about its diagonal, of the same parts in the same order."""
    center, tiles = matrix.get_center(), len(matrix.tiles)
    inside = VGroup(*(part.copy() for part in matrix.submobjects[:-1]))
    for place, part in enumerate(inside):
        if place < tiles:  # square, so that it only moves
            part.shift(_across_diagonal(part.get_center() - center) - part.get_center() + center)
        else:
            part.points = _across_diagonal(part.points - center) + center
    grown = matrix.tile(matrix.rows[0], matrix.columns[0]).width / (TILE_SHARE * matrix.pitch[0])
    inside.scale(1 / grown)
    return VGroup(*inside, bracket_pair(inside, matrix.role)).scale(grown).move_to(center)


def _across_diagonal(points: Points) -> Points:
    """Reflect points (..., 3) about the line that falls from the upper left."""
    return np.asarray(points[..., [1, 0, 2]] * np.array([-1.0, -1.0, 1.0]))
