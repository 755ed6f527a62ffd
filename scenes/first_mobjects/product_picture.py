"""Matrices set so that a product can be read off: a row from the left meets a column from above.

It knows shapes and names, and nothing of what the numbers mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from manim import Animation, Mobject, Rectangle, VGroup, VMobject
from manim.constants import DOWN, RIGHT, UP

from scenes import theme
from scenes.animations import Settle, Together, Within, one_after_another
from scenes.arrivals import Appear, Fly, Leave
from scenes.first_mobjects.matrix import TILE_SHARE, Matrix
from scenes.mobjects.text import Formula, Words, em_of
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import BODY_SIZE, BOLD_LINE, GAP, HAIR, QUERY, QUIET, SLOW, SMALL_SIZE

LABEL_HEIGHT = 0.85  # scene units for a matrix's name over its shape
LABEL_WIDTH = 1.1  # scene units for the same beside a matrix
SIGN_SHARE = 0.7  # of the gap between two matrices, at most
TALLEST_TILE = 0.34  # scene units
LEAST_GAP = 0.5  # between matrices side by side, with room for a sign and frames, in scene units
CLOSER, TINY = 0.97, 0.01  # how much smaller matrices become at a time until they fit; an end
ARROW = "\N{RIGHTWARDS ARROW}"


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

    `places[i]` is for `matrices[i]`; the last one is what the others make. What is drawn of a
    picture is its labels, and what was added to them: a frame around a row, signs, a remark.
    """

    step = 1  # from one matrix whose rows are tokens to the next one

    def __init__(self, matrices: Sequence[Matrix], places: Sequence[Rectangle]) -> None:
        self.matrices, self.places = list(matrices), list(places)
        self.labels, self.notes = VGroup(), list[VMobject]()
        super().__init__(self.labels)

    def follow(self, row: int) -> None:
        """Take a row to be framed, of the left factor and of what comes out."""
        self.row, self.ring = row, self.ring_around(row)
        self.add(self.ring)

    def remark(self, note: VMobject) -> None:
        """Take a line that is said of the picture, where it stands."""
        self.notes.append(note)
        self.add(note)

    def ring_around(self, row: int) -> VGroup:
        """Return frames around a row of the matrices of which each row is a token's."""
        pairs = list(zip(self.matrices, self.places, strict=True))[:: self.step]
        return VGroup(*(row_frame(*pair, row) for pair in pairs))

    def fill(self) -> Animation:
        """Let the last matrix come in on the stage: the row followed first, then the others."""
        result = self.matrices[-1]
        others = [row for row in result.rows if row != self.row]
        first = Together([Appear(self.ring), rows_arrive(result, self.row)])
        rest = [rows_arrive(result, *others)] if others else []
        return Together([frame_of(result), first, *rest], lag_ratio=1.0)

    def leave(self, *kept: Matrix) -> Animation:
        """Let all of the picture go, but for some matrices."""
        drawn = [*self.matrices, *self.submobjects]
        return Together(Leave(part) for part in drawn if all(part is not each for each in kept))

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

    step = 2

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


class RowPicture(Picture):
    """Matrices side by side on one line, `names` under them."""

    def __init__(self, matrices: Sequence[Matrix], names: Sequence[str], region: Region) -> None:
        places = [Rectangle(width=each.width, height=each.height) for each in matrices]
        super().__init__(matrices, places)
        self.labels.add(*map(MatrixLabel, names, matrices))
        tallest = max(place.height for place in places)
        scale = min(TALLEST_TILE / matrices[0].pitch[0], (region.height - LABEL_HEIGHT) / tallest)
        while self._across(scale)[1] > region.width - 2 * HAIR and scale > TINY:
            scale *= CLOSER
        for place, x in zip(places, self._across(scale)[0], strict=True):
            place.scale(scale).set_x(x)
        VGroup(*places).move_to(region.center).shift(UP * LABEL_HEIGHT / 2)
        low = min(float(place.get_bottom()[1]) for place in places)
        for label, place in zip(self.labels, places, strict=True):
            label.hang(place.get_x(), low)

    def _across(self, scale: float) -> tuple[list[float], float]:
        """Return where places stand once they are scaled, and the width of all.

        They are so far apart that neither signs between them nor the labels are crowded.
        """
        gap = max(4 * self.matrices[0].pitch[0] * scale, LEAST_GAP)
        wide = [scale * place.width for place in self.places]
        said = [label.width for label in self.labels]
        middles = [0.0]
        for i, j in pairwise(range(len(wide))):
            apart = max((wide[i] + wide[j]) / 2 + gap, (said[i] + said[j]) / 2 + GAP)
            middles.append(middles[-1] + apart)
        ends = max(wide[0], said[0]) + max(wide[-1], said[-1])
        return middles, middles[-1] + ends / 2

    def sign(self, texts: Mapping[int, str]) -> None:
        """Take signs into the labels; see `signs`."""
        self.labels.add(*self.signs(texts))

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


def rows_arrive(matrix: Matrix, *rows: int) -> Together:
    """Let rows of a matrix come in, one after another."""
    return one_after_another(Together(map(Appear, matrix.row(row))) for row in rows)


def arrive(matrix: Matrix) -> Animation:
    """Let a matrix come in: its brackets, then its rows from the top."""
    return Together([frame_of(matrix), rows_arrive(matrix, *matrix.rows)], lag_ratio=1.0)


def rows_fly_in(matrix: Matrix, sources: Iterable[Mobject]) -> Animation:
    """Let each row of a matrix on the stage come from a thing of its own."""
    flights = zip(matrix.rows, sources, strict=True)
    return Within([one_after_another(Fly(matrix.row(row), source) for row, source in flights)])
