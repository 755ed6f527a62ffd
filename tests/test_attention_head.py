"""A head worked out by itself is the head of the model, step by step."""

from pathlib import Path

import pytest

from model import checkpoint
from model.trace import record
from scenes.analysis.attention_head import (
    AttentionHead,
    HeadWeights,
    attention_head,
    token_by_token,
)
from scenes.expressions import agree, evaluate
from scenes.provenance import Array, Tensor, largest_gap

STEPS = ("q", "k", "v", "scores", "pattern", "z", "out")


@pytest.fixture(scope="module")
def tensors(tiny_checkpoint: Path) -> dict[str, Array]:
    loaded = checkpoint.load(tiny_checkpoint)
    return record(loaded.model, loaded.tokenizer, "the old king saw a dog").tensors()


def given(tensors: dict[str, Array]) -> AttentionHead:
    names = ("q", "k", "v", "scores", "pattern", "z", "head_out")
    return AttentionHead(*(Tensor(tensors[name], name)[1, 2] for name in names))


@pytest.mark.parametrize("step", STEPS)
def test_alone_and_word_by_word_every_step_is_the_model_s(
    tensors: dict[str, Array], step: str
) -> None:
    model = given(tensors)
    weights = HeadWeights.of(lambda name: Tensor(tensors[name], name), 1, 2)
    x, masked = Tensor(tensors["ln1"], "ln1")[1], Tensor(tensors["masked"], "masked")[1, 2]
    for route in (attention_head(x, weights), token_by_token(model, x, masked, weights)):
        gap = largest_gap(getattr(route, step), getattr(model, step))
        assert gap.number < 1e-5
        worked_out = evaluate(gap.origin, tensors)
        assert agree(gap.number, gap.origin, worked_out)
