"""Models as Hugging Face names and lays them out <-> ours. Knows nothing of files.

There the weights of all heads stand side by side in one matrix; here every head has its own.
"""

from collections.abc import Mapping
from typing import Any

from model.errors import Unusable
from model.gpt import Transformer
from model.layouts.gpt2 import GPT2
from model.layouts.layout import Layout, told
from model.layouts.llama import LLAMA

LAYOUTS = (GPT2, LLAMA)


def layout_in(keys: Mapping[str, Any]) -> Layout:
    """Return the layout that a `config.json` names; `Unusable` if it is none of ours."""
    for layout in LAYOUTS:
        if keys.get("model_type") == layout.model_type:
            return layout
    known = " and ".join(repr(layout.model_type) for layout in LAYOUTS)
    raise Unusable(
        f"The checkpoint's model_type is {told(keys.get('model_type'))}, and only {known} can be "
        "shown: choose a checkpoint of one of them."
    )


def layout_of(model: Transformer) -> Layout:
    """Return the layout in which a model is written."""
    return next(layout for layout in LAYOUTS if isinstance(model, layout.architecture))


__all__ = ["Layout", "layout_in", "layout_of"]
