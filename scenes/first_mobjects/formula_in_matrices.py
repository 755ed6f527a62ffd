"""Attention in one line, over the matrices that its terms stand for. It knows no model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup, VMobject
from manim.constants import DOWN

from scenes.animations import Reshape, Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.head_in_matrices import HeadInMatrices
from scenes.first_mobjects.matrix import Matrix
from scenes.first_mobjects.one_line import CLOSING, MIXED, OPENING, PRODUCT, SCALE, OneLine
from scenes.first_mobjects.product_picture import ARROW, RowPicture
from scenes.first_mobjects.transposition import mirrored
from scenes.presence import hide
from scenes.region import Region
from scenes.theme import SLOW, TITLE_SIZE

HEIGHT = 1.1  # scene units, for the formula
SIZE = 1.4 * TITLE_SIZE
SHOWN = "q", "kt", "s", "a", "v", "z"
MADE = "s", "a", "z"  # what is worked out from what stands before it
SQUARE = "s", "a"  # mirrored, they keep their outline


class FormulaInMatrices(VGroup):
    """softmax(Q K^T / divisor) V, and copies of a head's matrices under it, with arrows.

    `m` are the matrices as they were made, all in one scale; they stand in one row, or in two where
    `region` is upright. `terms` are what is said one after another, `aside` is what has no turned
    twin. All of it is unseen until it is revealed.
    """

    def __init__(self, m: HeadInMatrices, divisor: str, region: Region) -> None:
        usual = OneLine(SIZE, divisor)
        self.formula = OneLine(SIZE * min(1.0, region.width / sum(usual.widths)), divisor)
        self.formula.next_to((region.center[0], region.top, 0), DOWN)
        under = region.lowered(HEIGHT)
        rows = under.split(0.5) if region.height > region.width else (under,)
        across = len(SHOWN) // len(rows)
        self.matrices, self.named = dict[str, Matrix](), dict[str, VGroup]()
        self.arrows = dict[str, VMobject]()
        for place, row in enumerate(rows):
            self._set(m, SHOWN[place * across : (place + 1) * across], row)
        self.terms = (
            ((PRODUCT,), self._parts("q", "kt")),
            ((PRODUCT, SCALE), self._parts("s")),
            ((OPENING, CLOSING), self._parts("a")),
            ((MIXED,), self._parts("v", "z")),
        )
        squares = [self.matrices[name] for name in SQUARE]
        self.turning = [(square, square.copy(), mirrored(square)) for square in squares]
        self.aside = [each for name, each in self.named.items() if name not in SQUARE]
        super().__init__(self.formula, *self.named.values(), *self.arrows.values())
        hide(self)

    def say(self, term: int) -> Animation:
        """Let the parts of a term be bright, and what they stand for come in."""
        parts, shown = self.terms[term]
        return Together([self.formula.focus(*parts), one_after_another(map(Appear, shown))])

    def say_all(self) -> Animation:
        """Let the whole formula be bright."""
        return self.formula.focus(*range(len(self.formula.parts)))

    def to_columns(self) -> Animation:
        """Let tokens stand on columns: the formula the other way round, square matrices turned."""
        turns = [Reshape(square, turned, SLOW) for square, _, turned in self.turning]
        return Together([self.formula.to_columns(), *turns])

    def to_rows(self) -> Animation:
        """Let tokens stand on rows again."""
        turns = [Reshape(square, before, SLOW) for square, before, _ in self.turning]
        return Together([self.formula.to_rows(), *turns])

    def _set(self, m: HeadInMatrices, names: Sequence[str], region: Region) -> None:
        """Set copies of some matrices side by side, with their labels and arrows."""
        matrices, formulas = m.pick(*names)
        picture = RowPicture([matrix.copy() for matrix in matrices], formulas, region)
        picture.put(*range(len(names)))
        self.matrices |= dict(zip(names, picture.matrices, strict=True))
        labels = dict(zip(names, picture.labels, strict=True))
        self.named |= {name: VGroup(self.matrices[name], labels[name]) for name in names}
        made = [(i, name) for i, name in enumerate(names[1:]) if name in MADE]
        signs = picture.signs({i: ARROW for i, _ in made})
        self.arrows |= {name: sign for (_, name), sign in zip(made, signs, strict=True)}

    def _parts(self, *names: str) -> list[VMobject]:
        """Return matrices, each after the arrow that leads to it, if there is one."""
        pairs = [(self.arrows.get(name), self.named[name]) for name in names]
        return [part for pair in pairs for part in pair if part is not None]
