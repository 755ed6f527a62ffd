"""Models of transformers, against which ours are held: made, written as folders, and compared."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model import byte_pairs
from model.checkpoint import Checkpoint, load
from model.errors import Unusable
from model.tokenizer import Tokenizer
from model.trace import Trace, record

PROMPT = "A fluffy blue creature roamed."
SMALL_LLAMA: dict[str, Any] = {  # all but the vocabulary
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "hidden_size": 32,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
}


@cache
def words() -> Tokenizer:
    """A tokenizer of 300 entries, which knows every byte."""
    text = "A fluffy blue creature roamed the verdant forest."
    return Tokenizer(byte_pairs.train([text] * 9, 300))


def made(kind: Any, config: Any) -> Any:
    """A model of transformers with weights that matter everywhere."""
    torch.manual_seed(0)
    model = kind(config).eval()
    for weight in model.parameters():
        torch.nn.init.normal_(weight, mean=0.05, std=0.2)
    return model


def written(model: Any, folder: Path, **how: Any) -> Path:
    """A folder as transformers writes it, with a tokenizer."""
    model.save_pretrained(folder, **how)
    (folder / "tokenizer.json").write_text(words().to_json())
    return folder


def edit(**changes: Any) -> Callable[[Path], None]:
    """Change config.json."""

    def apply(folder: Path) -> None:
        keys = json.loads((folder / "config.json").read_text())
        (folder / "config.json").write_text(json.dumps(keys | changes))

    return apply


def traced(ours: Checkpoint) -> Trace:
    return record(ours.model, ours.tokenizer, PROMPT)


def agree(ours: Checkpoint, oracle: Any, tolerance: float = 1e-4) -> None:
    """Logits, attention patterns and residual states are the same."""
    trace = traced(ours)
    with torch.inference_mode():
        out = oracle(torch.tensor([trace.ids]), output_attentions=True, output_hidden_states=True)
    np.testing.assert_allclose(trace.logits, out.logits[0], atol=tolerance, rtol=tolerance)
    np.testing.assert_allclose(
        trace.pattern, np.stack([a[0] for a in out.attentions]), atol=min(tolerance, 1e-5)
    )
    np.testing.assert_allclose(
        trace.resid_pre,
        np.stack([h[0] for h in out.hidden_states[:-1]]),
        atol=tolerance,
        rtol=1e-5,  # some entries of real models are in the thousands
    )


def keys_may_be_kept(ours: Checkpoint) -> None:
    """Logits are the same whether a text comes at once or token by token."""
    ids = torch.tensor([ours.tokenizer.encode(PROMPT)])
    caches = ours.model.new_caches()
    with torch.inference_mode():
        whole = ours.model(ids)
        parts = [ours.model(ids[:, i : i + 1], caches) for i in range(ids.shape[1])]
    torch.testing.assert_close(torch.cat(parts, dim=1), whole, atol=1e-4, rtol=1e-4)


def refused(folder: Path, sentence: str) -> None:
    """The folder is refused in one sentence, which says what is wrong."""
    with pytest.raises(Unusable, match=sentence) as refusal:
        load(folder)
    assert "\n" not in str(refusal.value)
    assert str(refusal.value).endswith(".")
