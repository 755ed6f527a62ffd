"""Each step of a head as a picture of the matrices in it. It knows arrays, and no model."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.first_mobjects.head_in_matrices import HeadInMatrices
from scenes.first_mobjects.product_picture import ARROW, ProductPicture, RowPicture
from scenes.region import Region


@dataclass(frozen=True)
class HeadPictures:
    """Pictures in the order of the steps; in all but the first a token's row is framed."""

    making: ProductPicture  # queries, keys and values
    scoring: ProductPicture
    weighing: RowPicture
    mixing: ProductPicture
    lifting: ProductPicture
    adding: RowPicture

    @classmethod
    def of(cls, m: HeadInMatrices, row: int, region: Region) -> HeadPictures:
        """Plan the pictures, before any of the matrices moves, for their scale is taken from it.

        Each matrix is then put where it is first seen; what is in two pictures settles later.
        """
        made = cls(
            making=ProductPicture(*m.pick("x", "w_q", "q", "w_k", "k", "w_v", "v"), region),
            scoring=ProductPicture(*m.pick("q", "kt", "s"), region),
            weighing=RowPicture(*m.pick("s", "a"), region),
            mixing=ProductPicture(*m.pick("a", "v", "z"), region),
            lifting=ProductPicture(*m.pick("z", "w_o", "o"), region),
            adding=RowPicture(*m.pick("stream", "o", "moved"), region),
        )
        for picture in (made.scoring, made.weighing, made.mixing, made.lifting, made.adding):
            picture.follow(row)
        made.weighing.sign({0: ARROW})
        made.adding.sign({0: "+", 1: "="})
        made.making.put(*range(7))
        made.scoring.put(1, 2)
        made.weighing.put(1)
        made.mixing.put(2)
        made.lifting.put(1, 2)
        made.adding.put(0, 2)
        return made
