"""Where the keys' zero lies: the one choice that training leaves open.

Add the same vector to every key of a head and each query's dot products all change by the same
number; softmax does not see it, so no loss ever decides it and b_K drifts. We decide: the keys of
ordinary sentences average zero. A positive dot product then means "more than the usual word".
"""

from collections.abc import Callable

import torch
from torch import Tensor

from model import corpus
from model.gpt import GPT
from model.sites import watching
from model.tokenizer import Tokenizer

SENTENCES = 256


@torch.inference_mode()
def center_keys(model: GPT, tokenizer: Tokenizer, seed: int) -> None:
    """Shift every b_K so that a head's keys average zero over held-out sentences.

    What the model attends to and predicts stays the same, up to rounding.
    """
    layers = range(model.config.n_layers)
    biases = [model.get_parameter(f"blocks.{layer}.attn.b_K") for layer in layers]
    sums = [torch.zeros_like(bias) for bias in biases]  # (H, K) each
    tokens = 0
    with watching(model, {f"blocks.{i}.attn.k": _adding_to(sums[i]) for i in layers}):
        for phrase in corpus.noun_phrases(seed, SENTENCES):
            ids = tokenizer.encode(phrase.text.rstrip("."))[: model.config.n_ctx]
            model(torch.tensor([ids]))
            tokens += len(ids)
    for bias, total in zip(biases, sums, strict=True):
        bias.sub_(total / tokens)


def _adding_to(total: Tensor) -> Callable[[Tensor], object]:
    """Return what adds the keys (1, H, T, K) of a text to a sum (H, K)."""
    return lambda k: total.add_(k[0].sum(dim=1))
