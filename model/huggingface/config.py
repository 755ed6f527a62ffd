"""The values of a `config.json`, each checked as it is read.

Every function takes the JSON object, a key, and what `transformers` assumes where the key is
missing. Each raises `Unusable`, in a sentence that names the key, for a value that cannot be right.
"""

from collections.abc import Mapping
from typing import Any

from model.errors import Unusable, short_repr

MOST = 10_000_000  # no size of a transformer is larger; guards against absurd ones in a config
ACTIVATIONS = {  # the names that `transformers` has for them: ours
    "gelu_new": "gelu_new",
    "gelu": "gelu",
    "relu": "relu",
    "silu": "silu",
    "gelu_fast": "gelu_new",
    "gelu_pytorch_tanh": "gelu_new",
    "gelu_python": "gelu",
    "swish": "silu",
}

Keys = Mapping[str, Any]


def size(keys: Keys, key: str, default: int) -> int:
    """Read a whole number between 1 and `MOST`."""
    found = keys.get(key, default)
    if not isinstance(found, int) or isinstance(found, bool) or not 1 <= found <= MOST:
        raise Unusable(
            f"The checkpoint's config.json has {key} = {short_repr(found)}, which is no size a "
            "model can have: correct it or save the checkpoint again."
        )
    return found


def flag(keys: Keys, key: str, *, default: bool) -> bool:
    """Read a yes or no."""
    found = keys.get(key, default)
    if not isinstance(found, bool):
        raise Unusable(
            f"The checkpoint's config.json has {key} = {short_repr(found)}, where true or false "
            "belongs."
        )
    return found


def epsilon(keys: Keys, key: str, default: float) -> float:
    """Read the small number, below 1, that keeps a norm from dividing by zero."""
    found = keys.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 <= found < 1:
        raise Unusable(
            f"The checkpoint's {key} is {short_repr(found)}: a small number such as 1e-05 belongs "
            "there."
        )
    return float(found)


def positive(keys: Keys, key: str, default: float) -> float:
    """Read a number above zero."""
    found = keys.get(key, default)
    if isinstance(found, bool) or not isinstance(found, int | float) or not 0 < found < 1e12:
        raise Unusable(
            f"The checkpoint's config.json has {key} = {short_repr(found)}, where a number above "
            "zero belongs."
        )
    return float(found)


def activation(keys: Keys, key: str, default: str) -> str:
    """Read the name of a nonlinearity, and return the one that `model.gpt` has for it."""
    found = keys.get(key, default)
    if not isinstance(found, str) or found not in ACTIVATIONS:
        raise Unusable(
            f"The checkpoint's {key} is {short_repr(found)}, and only {', '.join(ACTIVATIONS)} are "
            "known: choose a checkpoint that uses one of them."
        )
    return ACTIVATIONS[found]


def refuse_uneven(whole: tuple[str, int], parts: tuple[str, int]) -> None:
    """Raise `Unusable` if a size, with its key, is no multiple of a number of parts."""
    (what, size), (sharers, count) = whole, parts
    if size % count:
        raise Unusable(
            f"The checkpoint's config.json has {what} {size}, which {count} {sharers} cannot share "
            "evenly: correct one of the two."
        )
