"""The families of models that can be shown, and which of them is nearest to one that cannot."""

from collections.abc import Mapping
from typing import Any

from model.errors import Unusable, short_repr
from model.huggingface.architecture import Architecture
from model.huggingface.gemma import GEMMA
from model.huggingface.gpt2 import GPT2
from model.huggingface.gpt_neox import GPT_NEOX
from model.huggingface.llama import LLAMA
from model.huggingface.mistral import MISTRAL
from model.huggingface.phi import PHI
from model.huggingface.phi3 import PHI3
from model.huggingface.qwen2 import QWEN2
from model.huggingface.qwen3 import QWEN3
from model.sizes import Sizes

ARCHITECTURES: tuple[Architecture, ...] = (
    *(GPT2, LLAMA, MISTRAL, QWEN2, QWEN3, GEMMA, GPT_NEOX, PHI, PHI3),
)
NEAREST = {  # for those whose name does not begin like it
    "bloom": "gpt2",
    "codegen": "gpt_neox",
    "cohere": "llama",
    "deepseek": "llama",
    "exaone": "llama",
    "falcon": "gpt_neox",
    "glm": "llama",
    "gpt_bigcode": "gpt2",
    "gpt_neo": "gpt2",
    "gptj": "gpt_neox",
    "granite": "llama",
    "internlm": "llama",
    "ministral": "mistral",
    "mixtral": "mistral",
    "olmo": "llama",
    "phimoe": "phi3",
    "opt": "gpt2",
    "smollm3": "llama",
    "stablelm": "llama",
    "starcoder2": "mistral",
}


def architecture_in(keys: Mapping[str, Any]) -> Architecture:
    """Return the architecture that a `config.json` names.

    Raises `Unusable` for one that cannot be shown, and names the nearest that can.
    """
    family = keys.get("model_type")
    for architecture in ARCHITECTURES:
        if family == architecture.model_type:
            return architecture
    raise Unusable(
        f"The checkpoint's model_type is {short_repr(family)}, which cannot be shown: choose "
        f"{_instead(str(family))}."
    )


def architecture_of(config: Sizes) -> Architecture:
    """Return the architecture of a model that was made from a config."""
    return next(each for each in ARCHITECTURES if each.model_type == config.family)


def _instead(family: str) -> str:
    names = [architecture.model_type for architecture in ARCHITECTURES]
    alike = {name: name for name in names} | NEAREST
    for beginning in sorted(alike, key=len, reverse=True):
        if family.startswith(beginning):
            return f"one of the nearest family that can be, {alike[beginning]!r}"
    *known, last = map(repr, names)
    return f"one of {', '.join(known)} or {last}"
