"""The one choice that training leaves open: where the keys' zero lies. Knows nothing of training.

Add the same vector to every key of a head and each query's dot products all change by the same
number; softmax does not see it, so no loss ever decides it and b_K drifts. We decide: the keys of
ordinary sentences average zero. A positive dot product then means "more than the usual word".
"""

from collections.abc import Callable

import torch
from torch import Tensor

from model import corpus
from model.gpt import GPT
from model.tokenizer import Tokenizer

SENTENCES = 256


@torch.inference_mode()
def center_keys(model: GPT, tokenizer: Tokenizer, seed: int) -> None:
    """Shift every b_K so that a head's keys average zero over held-out sentences.

    What the model attends to and predicts stays the same, up to rounding.
    """
    biases = [model.get_parameter(f"blocks.{i}.attn.b_K") for i in range(model.config.n_layers)]
    sums = [torch.zeros_like(bias) for bias in biases]  # (H, K) each
    hooks = [
        model.get_submodule(f"blocks.{layer}.attn.k").register_forward_hook(_adding_to(total))
        for layer, total in enumerate(sums)
    ]
    tokens = 0
    try:
        for phrase in corpus.noun_phrases(seed, SENTENCES):
            ids = tokenizer.encode(phrase.text.rstrip("."))[: model.config.n_ctx]
            model(torch.tensor([ids]))
            tokens += len(ids)
    finally:
        for hook in hooks:
            hook.remove()
    for bias, total in zip(biases, sums, strict=True):
        bias.sub_(total / tokens)


def _adding_to(total: Tensor) -> Callable[[object, object, Tensor], None]:
    def add(_module: object, _inputs: object, k: Tensor) -> None:  # k is (1, H, T, K)
        total.add_(k[0].sum(dim=1))

    return add
