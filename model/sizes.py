"""What is said of any transformer: its sizes, and what its architecture has."""

from dataclasses import dataclass

EVERY_BIAS = ("b_Q", "b_K", "b_V", "b_O", "b_in", "b_out")


@dataclass(frozen=True)
class Traits:
    """What architectures differ in and films must not get wrong; GPT-2's are the defaults."""

    adds_positions: bool = True  # to embeddings; else places turn queries and keys
    biases: tuple[str, ...] = EVERY_BIAS  # those that there are
    norm: str = "layer norm"
    sharing: int = 1  # how many heads use the same keys and values
    divides_by_root: bool = True  # dot products, by the square root of d_head
    divides_by_layer: bool = False  # dot products, by the layer's number, counted from 1
    head_norm: float | None = None  # epsilon of the norm of each query and key, if there is one
    turned: int | None = None  # entries of each query and key, where not all of them are
    side_by_side: bool = False  # the MLP reads what attention reads, not what it has added
    one_norm: bool = False  # for both of them, told as ln1 and as ln2
    window: int | None = None  # how many tokens a query sees at most, its own included


@dataclass(frozen=True)
class Sizes:
    """The sizes of a transformer; each architecture's config adds to them."""

    n_layers: int
    n_heads: int
    d_model: int
    d_mlp: int
    n_ctx: int
    d_vocab: int

    @property
    def family(self) -> str:
        """The kind of transformer, as the `model_type` of a `config.json` names it."""
        return "gpt2"

    @property
    def embedding_scale(self) -> float:
        """By what embeddings are multiplied as they are looked up."""
        return 1.0

    @property
    def traits(self) -> Traits:
        """What the architecture has."""
        return Traits()
