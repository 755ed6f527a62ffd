"""A damaged checkpoint is loaded or refused: no traceback, no hang, no flood of memory."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

from model import checkpoint, tokenizer
from model.gpt import GPT, Config, Transformer
from model.llama import Llama, LlamaConfig
from model.tokenizer import Tokenizer

TIMES = 1500
PROGRAM = Path(__file__).with_name("damage.py")
MODELS = {
    "gpt2": lambda: GPT(Config(2, 2, 16, 32, 32, 300)),
    "llama": lambda: Llama(LlamaConfig(2, 4, 32, 48, 32, 300, n_key_heads=2, d_head=8)),
}


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded by way of Linux")
@pytest.mark.parametrize("kind", MODELS)
def test_damaged_files_end_in_a_model_or_in_one_sentence(kind: str, tmp_path: Path) -> None:
    torch.manual_seed(0)
    model: Transformer = MODELS[kind]()
    words = Tokenizer(tokenizer.train(["a fluffy blue creature roamed the forest."] * 9, 300))
    checkpoint.save(model, words, tmp_path)
    done = subprocess.run(
        [sys.executable, PROGRAM, tmp_path, str(TIMES)],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        cwd=PROGRAM.parents[1],
        env={"PYTHONPATH": str(PROGRAM.parents[1]), "OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    loaded, refused = map(int, done.stdout.split())
    assert loaded + refused == TIMES
    assert refused > TIMES / 3
