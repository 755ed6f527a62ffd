"""How many weights a model has, kind by kind: of this model, and of GPT-3 as it was published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import accumulate
from operator import add, mul

from scenes.provenance import Value, constant, count

REST = "the rest"
GROUPS = {
    "embeddings": ("embedding", "unembedding"),
    "attention": ("query", "key", "value", "output"),
    "MLPs": ("gate", "up", "down"),
    REST: ("others",),
}
SIZES = ("columns", "rows", "heads", "layers")
TABLE = "Brown et al. 2020, table 2.1, GPT-3"
D, K, H, L, M, V = (
    (size, f"{TABLE}, {of}")
    for size, of in (
        (12_288, "d_model"),
        (128, "d_head"),
        (96, "n_heads"),
        (96, "n_layers"),
        (49_152, "4 d_model"),
        (50_257, "with the vocabulary of GPT-2"),
    )
)
LARGE = {
    "query": (K, D, H, L),
    "key": (K, D, H, L),
    "value": (K, D, H, L),
    "output": (D, K, H, L),
    "up": (M, D, L),
    "down": (D, M, L),
    "embedding": (D, V),
    "unembedding": (V, D),
}


class Ledger:
    """How many weights a model has: `products` by kind, `sums` of them one by one, and `shares`.

    `factors` are what is multiplied for each kind. By group of kinds, `groups` are sums of
    products; each of `sums` is of a kind and those before it in its group. `listed` are all weights
    of the `total` but the rest, as they are listed of GPT-3, and `shares` are what the groups have
    of them.
    """

    def __init__(self, factors: Mapping[str, Sequence[Value]]) -> None:
        self.factors = factors
        self.products = {kind: reduce(mul, each) for kind, each in factors.items()}
        self.total = reduce(add, self.products.values())
        self.sums, self.groups = dict[str, Value](), dict[str, Value]()
        for name, kinds in GROUPS.items():
            found = [kind for kind in kinds if kind in factors]
            so_far = accumulate((self.products[kind] for kind in found), add)
            for kind, self.groups[name] in zip(found, so_far, strict=True):
                self.sums[kind] = self.groups[name]
        listed = {name: each for name, each in self.groups.items() if name != REST}
        self.listed = reduce(add, listed.values())
        self.shares = {name: each / self.listed for name, each in listed.items()}


def ledger_of(factors: Mapping[str, Sequence[int]]) -> Ledger:
    """Return the weights of a model by the factors of each kind."""
    return Ledger(
        {
            kind: [count(size, f"{of} of {kind}") for size, of in zip(sizes, SIZES, strict=False)]
            for kind, sizes in factors.items()
        }
    )


def gpt_3() -> Ledger:
    """Return the weights of GPT-3 that stand in matrices: no biases, norms or positions."""
    return Ledger({kind: [constant(*size) for size in sizes] for kind, sizes in LARGE.items()})


def group_of(kind: str) -> str:
    """Return the group that a kind of weights belongs to."""
    return next(name for name, kinds in GROUPS.items() if kind in kinds)
