"""The model computes what GPT-2 computes, and generates without surprises."""

import math
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by
from transformers import GPT2Config, GPT2LMHeadModel

from model.errors import Unusable
from model.generation import generate
from model.gpt import GPT, Config
from model.huggingface.gpt2 import GPT2
from model.key_value_cache import KeyValueCache

SMALL = Config(n_layers=2, n_heads=3, d_model=24, d_mlp=40, n_ctx=20, d_vocab=50)
CONFIGS = [
    SMALL,
    replace(SMALL, n_layers=1, n_heads=1),
    replace(SMALL, n_layers=4, n_heads=6, d_model=96, d_mlp=384, n_ctx=64, d_vocab=3000),
    replace(SMALL, n_heads=4, d_model=256, d_mlp=64),
    replace(SMALL, n_heads=8, d_model=8),
    replace(SMALL, activation="gelu"),
    replace(SMALL, activation="relu"),
    replace(SMALL, activation="silu"),
    replace(SMALL, layer_norm_eps=1e-2),
    replace(SMALL, tied=False),
    replace(SMALL, scores_over_sqrt_d_head=False),
    replace(SMALL, scores_over_layer=True, n_layers=3),
    replace(SMALL, n_ctx=1, d_vocab=1),
]


def twins(config: Config) -> tuple[GPT, Any]:
    """Our model and the one of transformers, with the same weights, none of them special."""
    torch.manual_seed(0)
    keys = GPT2.write_config(config)
    theirs = GPT2LMHeadModel(GPT2Config(**keys, attn_implementation="eager")).eval()
    for weight in theirs.parameters():
        nn.init.normal_(weight, mean=0.1, std=0.3)
    ours = GPT(config).eval()
    ours.load_state_dict(GPT2.from_huggingface(theirs.state_dict(), config))
    return ours, theirs


@pytest.mark.parametrize("config", CONFIGS)
def test_logits_are_those_of_transformers(config: Config) -> None:
    ours, theirs = twins(config)
    for length in {1, config.n_ctx // 2 + 1, config.n_ctx} - {0}:
        ids = torch.randint(config.d_vocab, (3, min(length, config.n_ctx)))
        with torch.inference_mode():
            torch.testing.assert_close(ours(ids), theirs(ids).logits, atol=1e-4, rtol=0)


def test_attention_is_that_of_pytorch() -> None:
    torch.manual_seed(0)
    attention = GPT(SMALL).blocks[0].attn
    x = torch.randn(2, 7, SMALL.d_model)
    q, k, v = (
        torch.stack([x @ W[head] + b[head] for head in range(SMALL.n_heads)], dim=1)
        for W, b in (
            (attention.W_Q, attention.b_Q),
            (attention.W_K, attention.b_K),
            (attention.W_V, attention.b_V),
        )
    )
    z = F.scaled_dot_product_attention(q, k, v, is_causal=True)  # (B, H, T, K)
    expected = sum(z[:, head] @ attention.W_O[head] for head in range(SMALL.n_heads))
    torch.testing.assert_close(attention(x, KeyValueCache()), expected + attention.b_O)


def test_no_token_sees_the_future() -> None:
    ours, _ = twins(SMALL)
    ids = torch.randint(SMALL.d_vocab, (1, 12))
    changed = ids.clone()
    changed[:, 8:] = (changed[:, 8:] + 1) % SMALL.d_vocab
    assert torch.equal(ours(ids)[:, :8], ours(changed)[:, :8])
    assert not torch.allclose(ours(ids)[:, 8:], ours(changed)[:, 8:])


@pytest.mark.parametrize("cuts", [(1,) * 20, (5, 1, 1, 13), (19, 1), (2, 7, 11)])
def test_a_cache_of_keys_and_values_changes_no_logit(cuts: tuple[int, ...]) -> None:
    ours, _ = twins(SMALL)
    ids = torch.randint(SMALL.d_vocab, (2, SMALL.n_ctx))
    caches = ours.new_caches()
    parts = [ours(part, caches) for part in ids.split(cuts, dim=1)]
    torch.testing.assert_close(torch.cat(parts, dim=1), ours(ids), atol=1e-5, rtol=1e-5)


def test_greedy_generation_takes_the_likeliest_token_each_time() -> None:
    ours, _ = twins(SMALL)
    ids = [3, 1, 4]
    for token in generate(ours, ids, SMALL.n_ctx - 3):
        assert token == int(ours(torch.tensor([ids]))[0, -1].argmax())
        ids.append(token)


def test_sampling_follows_the_probabilities_and_the_generator() -> None:
    ours, _ = twins(replace(SMALL, d_vocab=4))
    probs = (ours(torch.tensor([[2, 1]]))[0, -1] / 2).softmax(dim=-1).detach()
    chance = torch.Generator().manual_seed(1)
    drawn = [generate(ours, [2, 1], 1, temperature=2, generator=chance)[0] for _ in range(500)]
    shares = torch.bincount(torch.tensor(drawn), minlength=4) / 500
    assert float((shares - probs).abs().max()) < 3 * math.sqrt(0.25 / 500)
    chance.manual_seed(1)
    assert drawn[0] == generate(ours, [2, 1], 1, temperature=2, generator=chance)[0]


def test_what_does_not_fit_is_refused_with_both_counts() -> None:
    model = GPT(SMALL)
    with pytest.raises(Unusable, match="15 tokens and 6 new ones make 21, and the model takes 20"):
        generate(model, [0] * 15, 6)
    assert len(generate(model, [0] * 15, 5)) == 5
    with pytest.raises(Unusable, match="at least one token"):
        generate(model, [], 1)
