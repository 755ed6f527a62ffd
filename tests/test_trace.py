"""The trace holds every number of one forward pass, under its name, as the interface says."""

import re
import time
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from transformers import GPT2Config, GPT2LMHeadModel

from model import byte_pairs
from model.errors import Unusable
from model.gpt import GPT, Config
from model.huggingface.gpt2 import GPT2
from model.tokenizer import Tokenizer
from model.trace import AT_ONCE, Trace, chances, record, watch

L, H, D, K, M, N_CTX = 3, 4, 32, 8, 80, 48
PROMPTS = (
    "A fluffy blue creature roamed the verdant forest.",
    "a",
    "The robot must obey the orders given it by human beings.",
    "naïve café 東京 🙂",
    "  two  spaces\nand a line",
)


@cache
def words() -> Any:
    return Tokenizer(byte_pairs.train([*PROMPTS] * 20, 300))


@cache
def model() -> GPT:
    torch.manual_seed(0)
    gpt = GPT(Config(L, H, D, M, N_CTX, words().d_vocab))
    for weight in gpt.parameters():
        torch.nn.init.normal_(weight, mean=0.05, std=0.25)
    return gpt.eval()


@cache
def trace(prompt: str = PROMPTS[0]) -> Trace:
    return record(model(), words(), prompt)


def test_every_site_has_the_shape_of_the_interface() -> None:
    T, V = len(trace().ids), words().d_vocab
    shapes = {
        **dict.fromkeys(("embed", "pos_embed", "ln_final"), (T, D)),
        **dict.fromkeys(("resid_pre", "resid_mid", "resid_post", "ln1", "ln2"), (L, T, D)),
        **dict.fromkeys(("attn_out", "mlp_out"), (L, T, D)),
        **dict.fromkeys(("q", "k", "v", "z"), (L, H, T, K)),
        **dict.fromkeys(("dot_products", "scores", "masked", "pattern"), (L, H, T, T)),
        "head_out": (L, H, T, D),
        **dict.fromkeys(("mlp_pre", "mlp_post"), (L, T, M)),
        **dict.fromkeys(("logits", "probs"), (T, V)),
        "weights.W_E": (V, D),
        "weights.W_pos": (N_CTX, D),
        **{f"weights.W_{name}": (L, H, D, K) for name in "QKV"},
        **{f"weights.b_{name}": (L, H, K) for name in "QKV"},
        "weights.W_O": (L, H, K, D),
        "weights.b_O": (L, D),
        "weights.W_in": (L, D, M),
        "weights.b_in": (L, M),
        "weights.W_out": (L, M, D),
        "weights.b_out": (L, D),
        "weights.W_U": (D, V),
        **{f"weights.{ln}.{name}": (L, D) for ln in ("ln1", "ln2") for name in ("gamma", "beta")},
        "weights.ln_final.gamma": (D,),
        "weights.ln_final.beta": (D,),
    }
    assert {name: array.shape for name, array in trace().tensors().items()} == shapes
    assert {array.dtype for array in trace().tensors().values()} == {np.dtype("float32")}


@pytest.mark.parametrize("prompt", PROMPTS)
def test_each_number_follows_from_the_ones_before(prompt: str) -> None:
    t, w = trace(prompt), trace(prompt).weights
    close(t.embed, w.W_E[list(t.ids)])
    close(t.pos_embed, w.W_pos[: len(t.ids)])
    close(t.resid_pre[0], t.embed + t.pos_embed)
    close(t.resid_pre[1:], t.resid_post[:-1])
    close(t.q, np.einsum("ltd,lhdk->lhtk", t.ln1, w.W_Q) + w.b_Q[:, :, None])
    close(t.dot_products, np.einsum("lhqk,lhsk->lhqs", t.q, t.k))
    close(t.scores, t.dot_products / np.sqrt(K))
    close(t.z, t.pattern @ t.v)
    close(t.head_out, np.einsum("lhtk,lhkd->lhtd", t.z, w.W_O))
    close(t.attn_out, t.head_out.sum(axis=1) + w.b_O[:, None])
    close(t.resid_mid, t.resid_pre + t.attn_out)
    close(t.mlp_pre, np.einsum("ltd,ldm->ltm", t.ln2, w.W_in) + w.b_in[:, None])
    close(t.mlp_out, np.einsum("ltm,lmd->ltd", t.mlp_post, w.W_out) + w.b_out[:, None])
    close(t.resid_post, t.resid_mid + t.mlp_out)
    close(t.logits, t.ln_final @ w.W_U)
    close(t.probs.sum(axis=-1), np.ones(len(t.ids)))


def test_rows_of_the_pattern_sum_to_one_and_none_sees_the_future() -> None:
    future = np.triu(np.ones((len(trace().ids),) * 2, dtype=bool), 1)
    close(trace().pattern.sum(axis=-1), np.ones((L, H, len(trace().ids))))
    assert (trace().masked[..., future] == -np.inf).all()
    assert (trace().pattern[..., future] == 0).all()
    assert (trace().masked[..., ~future] == trace().scores[..., ~future]).all()


@pytest.mark.parametrize("prompt", PROMPTS)
def test_attention_and_residual_stream_are_those_of_transformers(prompt: str) -> None:
    keys = GPT2.write_config(model().config)
    oracle = GPT2LMHeadModel(GPT2Config(**keys, attn_implementation="eager")).eval()
    oracle.load_state_dict(GPT2.to_huggingface(model()), strict=False)
    with torch.inference_mode():
        theirs = oracle(
            torch.tensor([trace(prompt).ids]), output_attentions=True, output_hidden_states=True
        )
    t = trace(prompt)
    close(t.logits, theirs.logits[0].numpy(), 1e-4)
    close(t.pattern, np.stack([a[0].numpy() for a in theirs.attentions]), 1e-5)
    close(t.resid_pre, np.stack([h[0].numpy() for h in theirs.hidden_states[:-1]]), 1e-4)
    close(t.ln_final, theirs.hidden_states[-1][0].numpy(), 1e-4)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_there_is_a_piece_for_every_token(prompt: str) -> None:
    assert trace(prompt).text == prompt
    assert len(trace(prompt).pieces) == len(trace(prompt).ids)
    assert words().decode(list(trace(prompt).ids)) == prompt


def test_a_trace_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        trace().text = "another"  # type: ignore[misc]
    for array in trace().tensors().values():
        with pytest.raises(ValueError, match="read-only"):
            array.flat[0] = 1


def test_recording_leaves_no_watcher_behind() -> None:
    record(model(), words(), "a")
    assert not any(module._forward_hooks for module in model().modules())


def test_the_table_of_names_lists_every_array_of_a_trace() -> None:
    table = (Path(__file__).parents[1] / "docs" / "trace-names.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([\w.]+)` \| ([\w ]+) \|", table, re.MULTILINE)
    sizes = {"L": L, "H": H, "D": D, "K": K, "M": M, "n_ctx": N_CTX, "V": words().d_vocab}
    sizes["T"] = len(trace().ids)
    shapes = {name: tuple(sizes[size] for size in shape.split()) for name, shape in listed}
    found = {name.removeprefix("weights."): a.shape for name, a in trace().tensors().items()}
    assert {name: shape for name, shape in shapes.items() if name in found} == found
    assert shapes.keys() - found == {"turns", "W_gate", "b_U"}  # of other families


def test_every_array_of_the_trace_has_an_address() -> None:
    others = {"text", "ids", "pieces", "traits", "weights"}
    only_elsewhere = {"turns"}  # in an architecture whose places turn queries and keys
    arrays = {field.name for field in fields(Trace)} - others - only_elsewhere
    assert arrays <= set(trace().tensors())


def test_a_written_trace_reads_back_the_same(tmp_path: Path) -> None:
    path = tmp_path / "trace.safetensors"
    path.write_bytes(b"an older one")
    trace().write(path)
    read = load_file(path)
    assert set(read) == set(trace().tensors())
    assert all(np.array_equal(read[name], array) for name, array in trace().tensors().items())
    assert list(tmp_path.iterdir()) == [path]
    (tmp_path / "another").touch()
    assert path.stat().st_mode == (tmp_path / "another").stat().st_mode  # others may read it


def test_a_trace_that_cannot_be_written_is_said_so_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("a file, no folder")
    with pytest.raises(Unusable, match="cannot be written"):
        trace().write(tmp_path / "there" / "trace.safetensors")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


def test_texts_that_are_read_together_have_the_chances_that_each_has_alone() -> None:
    ids = words().encode(PROMPTS[0])
    texts = [[token, *ids] for token in range(AT_ONCE + 2)]  # more than are read at once
    together = chances(model(), texts)
    for text, found in zip(texts, together, strict=True):
        assert found == pytest.approx(watch(model(), text)["probs"], abs=1e-6)


def test_prompts_that_cannot_be_run_are_refused() -> None:
    with pytest.raises(Unusable, match="empty"):
        record(model(), words(), "")
    with pytest.raises(Unusable, match=rf"has \d+ tokens and the model takes {N_CTX}"):
        record(model(), words(), "1234567890" * 10)


@pytest.fixture
def one_thread() -> Iterator[None]:
    """What a quiet machine does: threads wait for each other when others use the cores."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(threads)


def test_numbers_that_are_not_finite_are_refused() -> None:
    torch.manual_seed(0)
    model = GPT(Config(1, 1, 8, 8, 64, words().d_vocab)).eval()
    with torch.no_grad():
        model.get_parameter("blocks.0.mlp.W_out").fill_(3e38)
        model.get_parameter("blocks.0.mlp.b_out").fill_(3e38)
    with pytest.raises(Unusable, match="no finite numbers"):
        record(model, words(), PROMPTS[0])


@pytest.mark.usefixtures("one_thread")
def test_sixteen_tokens_take_less_than_fifty_milliseconds() -> None:
    torch.manual_seed(0)
    shipped_size = GPT(Config(4, 6, 96, 384, 64, 3072)).eval()
    prompt = words().decode(words().encode(PROMPTS[2] * 2)[:16])
    taken = []
    for _ in range(20):
        start = time.perf_counter()
        record(shipped_size, words(), prompt)
        taken.append(time.perf_counter() - start)
    assert min(taken) < 0.050


def close(ours: Any, theirs: Any, tolerance: float = 1e-4) -> None:
    np.testing.assert_allclose(ours, theirs, atol=tolerance, rtol=tolerance)
