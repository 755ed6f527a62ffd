"""Every matrix of one head as tiles, true in shape, with its name. It knows arrays, no model."""

from __future__ import annotations

from dataclasses import dataclass

from scenes.analysis.attention_head import AttentionHead, HeadWeights
from scenes.first_mobjects.matrix import DataMatrix, Matrix, ShareMatrix, WeightMatrix
from scenes.provenance import Tensor, transposed
from scenes.theme import INK, KEY, OUTPUT, QUERY, VALUE

PITCH = (0.2, 0.2)  # of the tiles, in scene units, before a picture scales them
MOST = 16  # tokens, or entries of a head, that are drawn on a side
MOST_WIDE = 7  # entries of a token's vector that are drawn, the last one included

NAMES = {
    "x": "macron(X)",
    "w_q": "W_Q",
    "w_k": "W_K",
    "w_v": "W_V",
    "q": f"{QUERY.value}(Q)",
    "k": f"{KEY.value}(K)",
    "kt": f"{KEY.value}(K)^T",
    "v": f"{VALUE.value}(V)",
    "s": "S",
    "a": "A",
    "z": f"{VALUE.value}(Z)",
    "w_o": "W_O",
    "o": f"{OUTPUT.value}(O)",
    "stream": "X",
    "moved": "X'",
}


@dataclass(frozen=True)
class HeadInMatrices:
    """The matrices by the names of the formulas; T tokens, D d_model, K d_head."""

    x: Matrix  # (T, D), after layer norm
    w_q: Matrix  # (D, K)
    w_k: Matrix  # (D, K)
    w_v: Matrix  # (D, K)
    q: Matrix  # (T, K)
    k: Matrix  # (T, K)
    kt: Matrix  # (K, T)
    v: Matrix  # (T, K)
    s: Matrix  # (T, T)
    a: Matrix  # (T, T)
    z: Matrix  # (T, K)
    w_o: Matrix  # (K, D)
    o: Matrix  # (T, D)
    stream: Matrix  # (T, D), before the layer
    moved: Matrix  # (T, D), with what this head adds

    @classmethod
    def of(
        cls, head: AttentionHead, weights: HeadWeights, x: Tensor, stream: Tensor, moved: Tensor
    ) -> HeadInMatrices:
        """Draw a head's numbers; `x` is what the head reads, `stream` what it adds to."""
        square, wide, tall = (MOST, MOST), (MOST, MOST_WIDE), (MOST_WIDE, MOST)
        w_q, w_k, w_v = (WeightMatrix(matrix, PITCH, tall) for matrix, _ in weights.making)
        turned = transposed(head.k)
        return cls(
            x=DataMatrix(x, PITCH, wide),
            w_q=w_q,
            w_k=w_k,
            w_v=w_v,
            q=DataMatrix(head.q, PITCH, square, QUERY),
            k=DataMatrix(head.k, PITCH, square, KEY),
            kt=DataMatrix(turned, PITCH, square, KEY),
            v=DataMatrix(head.v, PITCH, square, VALUE),
            s=DataMatrix(head.scores, PITCH, square, INK),
            a=ShareMatrix(head.pattern, PITCH, square, INK),
            z=DataMatrix(head.z, PITCH, square, VALUE),
            w_o=WeightMatrix(weights.w_o, PITCH, wide),
            o=DataMatrix(head.out, PITCH, wide, OUTPUT),
            stream=DataMatrix(stream, PITCH, wide),
            moved=DataMatrix(moved, PITCH, wide),
        )

    def level(self, row: int) -> HeadInMatrices:
        """Set the ellipses of long rows level with a row, so that a frame hides none of them."""
        for matrix in (self.x, self.q, self.k, self.v, self.z, self.o, self.stream, self.moved):
            for dots in matrix.column_gaps:
                dots.set_y(matrix.row(row).get_y())
        return self

    def pick(self, *names: str) -> tuple[list[Matrix], list[str]]:
        """Return some matrices and their names, as Typst formulas."""
        return [getattr(self, name) for name in names], [NAMES[name] for name in names]
