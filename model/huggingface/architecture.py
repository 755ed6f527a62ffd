"""What a reader of checkpoints has to know of an architecture."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from torch import Tensor

from model.sizes import Sizes


class Architecture(ABC):
    """One architecture of Hugging Face: its `config.json`, and the names of its weights.

    Configs and models are `Any` here: each architecture has its own kinds.
    """

    model_type: ClassVar[str]  # as `config.json` names it
    model_class: ClassVar[type[Any]]  # a Transformer, made from its own config
    prefix: ClassVar[str]  # of every name in a model with an output layer; others leave it out
    embedding: ClassVar[str]  # the name of the token embedding
    unembedding: ClassVar[str] = "lm_head.weight"  # the name of what makes logits, if not tied
    block: ClassVar[re.Pattern[str]]  # a name in a block, its first group the layer
    buffer: ClassVar[re.Pattern[str]]  # a name that older versions wrote and nobody needs

    @abstractmethod
    def read_config(self, keys: Mapping[str, Any]) -> Sizes:
        """Read a `config.json`; what it leaves out is as `transformers` has it.

        Raises `Unusable` for values that no model can have, or that are not known here.
        """

    @abstractmethod
    def write_config(self, config: Any) -> dict[str, Any]:  # noqa: ANN401 - see the class
        """Return the `config.json` of a config."""

    @abstractmethod
    def to_huggingface(self, model: Any) -> dict[str, Tensor]:  # noqa: ANN401 - see the class
        """Return every weight of a model under its Hugging Face name and in its orientation."""

    @abstractmethod
    def from_huggingface(self, weights: Mapping[str, Tensor], config: Any) -> dict[str, Tensor]:  # noqa: ANN401 - see the class
        """Return our state dict; names and shapes of the weights are known to be right."""

    def full_name(self, key: str) -> str:
        """Return the name that a weight has in a model with an output layer."""
        is_full = key.startswith((self.prefix, self.unembedding.partition(".")[0]))
        return key if is_full else f"{self.prefix}{key}"
