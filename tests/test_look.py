"""What `films look` tells is what the model computes."""

from pathlib import Path

import numpy as np
import pytest

from checking.look import look, table
from model import checkpoint
from model.errors import Unusable
from model.trace import record

PROMPTS = ("the old king", "a small red robot")


def test_it_tells_what_the_trace_holds(tiny_checkpoint: Path) -> None:
    loaded = checkpoint.load(tiny_checkpoint)
    for prompt, told in zip(PROMPTS, look(PROMPTS, tiny_checkpoint, 1, 2), strict=True):
        trace = record(loaded.model, loaded.tokenizer, prompt)
        pattern = trace.tensors()["pattern"][1, 2]
        assert len(told.tokens) == len(trace.ids)
        for row, keys in zip(pattern, told.keys, strict=True):
            assert keys[0] == (int(row.argmax()), pytest.approx(float(row.max())))
        probs = trace.tensors()["probs"][-1]
        assert told.guesses[0][1] == pytest.approx(float(probs.max()))
        assert len(told.cosines) == len(trace.tensors()["resid_post"])


def test_a_prompt_is_no_distance_from_itself(tiny_checkpoint: Path) -> None:
    first, other = look(PROMPTS, tiny_checkpoint)
    assert np.allclose(first.apart, 1)
    assert not np.allclose(other.apart, 1)


def test_it_is_shown_side_by_side(tiny_checkpoint: Path) -> None:
    looks = look(PROMPTS, tiny_checkpoint)
    assert [column.header for column in table(looks).columns] == ["", *PROMPTS]
    assert looks[0].told()["tokens"] == list(looks[0].tokens)


def test_a_head_that_is_not_there_is_refused(tiny_checkpoint: Path) -> None:
    with pytest.raises(Unusable, match="no head 99"):
        look(PROMPTS, tiny_checkpoint, head=99)
