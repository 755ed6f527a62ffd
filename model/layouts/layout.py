"""What a layout has to tell, and how the values of a `config.json` are read."""

import re
import reprlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

from torch import Tensor

from model.errors import Unusable
from model.gpt import ACTIVATIONS, Sizes

MOST = 10_000_000  # no size of a transformer is larger; guards against absurd ones in a config


class Layout(ABC):
    """One architecture of Hugging Face: its `config.json` and the names of its weights."""

    model_type: ClassVar[str]
    architecture: ClassVar[type[Any]]  # a Transformer, made from its own config
    prefix: ClassVar[str]  # of every name in a model with an output layer; others leave it out
    embedding: ClassVar[str]
    block: ClassVar[re.Pattern[str]]  # a name in a block, its first group the layer
    buffer: ClassVar[re.Pattern[str]]  # a name that older versions wrote and nobody needs

    @abstractmethod
    def config(self, keys: Mapping[str, Any]) -> Sizes:
        """Read a `config.json`; what it leaves out is as transformers has it."""

    @abstractmethod
    def keys(self, config: Any) -> dict[str, Any]:  # noqa: ANN401 - the architecture's own config
        """Write a `config.json`."""

    @abstractmethod
    def theirs(self, model: Any) -> dict[str, Tensor]:  # noqa: ANN401 - the architecture's own model
        """Every weight under its Hugging Face name and in its orientation."""

    @abstractmethod
    def ours(self, theirs: Mapping[str, Tensor], config: Any) -> dict[str, Tensor]:  # noqa: ANN401
        """Our state dict from tensors whose names and shapes are already known to be right."""

    def full_name(self, key: str) -> str:
        """Return the name that a weight has in a model with an output layer."""
        whole = key.startswith((self.prefix, "lm_head."))
        return key if whole else f"{self.prefix}{key}"


def told(value: Any) -> str:  # noqa: ANN401 - JSON
    """Return what a config holds as a sentence can have it, however deep or long it is."""
    return reprlib.repr(value)[:40]


def size(keys: Mapping[str, Any], key: str, default: int) -> int:
    """Read a whole number between 1 and `MOST`."""
    found = keys.get(key, default)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= MOST:
        raise Unusable(
            f"The checkpoint's config.json has {key} = {told(found)}, which is no size a model can "
            "have: correct it or save the checkpoint again."
        )
    return found


def flag(keys: Mapping[str, Any], key: str, *, default: bool) -> bool:
    """Read a yes or no."""
    found = keys.get(key, default)
    if not isinstance(found, bool):
        raise Unusable(
            f"The checkpoint's config.json has {key} = {told(found)}, where true or false belongs."
        )
    return found


def small(keys: Mapping[str, Any], key: str, default: float) -> float:
    """Read the small number that keeps a norm from dividing by zero."""
    found = keys.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1:
        raise Unusable(
            f"The checkpoint's {key} is {told(found)}: a small number such as 1e-05 belongs there."
        )
    return float(found)


def positive(keys: Mapping[str, Any], key: str, default: float) -> float:
    """Read a number above zero."""
    found = keys.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < 1e12:
        raise Unusable(
            f"The checkpoint's config.json has {key} = {told(found)}, where a number above zero "
            "belongs."
        )
    return float(found)


def activation(keys: Mapping[str, Any], key: str, default: str) -> str:
    """Read the name of a nonlinearity that is known here."""
    found = keys.get(key, default)
    if not isinstance(found, str) or found not in ACTIVATIONS:
        raise Unusable(
            f"The checkpoint's {key} is {told(found)}, and only {', '.join(ACTIVATIONS)} are "
            "known: choose a checkpoint that uses one of them."
        )
    return found


def refuse_uneven(whole: tuple[str, int], parts: tuple[str, int]) -> None:
    """Refuse sizes of which one cannot be shared evenly by the other."""
    (what, size), (sharers, count) = whole, parts
    if size % count:
        raise Unusable(
            f"The checkpoint's config.json has {what} {size}, which {count} {sharers} cannot share "
            f"evenly: correct one of the two."
        )
