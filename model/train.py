"""The corpus becomes a checkpoint: a tokenizer is trained, then a model.

The first part of training reads repetitions, from which heads learn to look for what was said
before; the rest reads the corpus as it is.
"""

import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from model import baselines, byte_pairs, checkpoint, corpus
from model.dataset import Dataset, held_out_rows, tokenize
from model.descent import descend
from model.errors import Unusable
from model.generation import generate
from model.gpt import GPT, Config, Transformer
from model.initialization import initialize
from model.key_bias import center_keys
from model.tokenizer import Tokenizer

SIZES = Config(n_layers=4, n_heads=6, d_model=96, d_mlp=384, n_ctx=64, d_vocab=4096)
STEPS = 4_000  # about 17 minutes on two cores
REPETITION_SHARE = 0.3  # of the steps, at the beginning
REPETITION_ROWS, ROWS = 32, 64  # rows of n_ctx tokens in a step
LARGEST_DATASET = 12_000_000  # tokens
DOCUMENTS_FOR_TOKENIZER = 100_000
HELD_OUT_ROWS = 256
SAVE_EVERY = 500  # steps
REPETITION_RATE = 1e-3  # at 3e-3 no induction head forms
PEAK_RATE, LAST_RATE = 3e-3, 5e-5
WARM_UP = 200  # steps
OPENINGS = (
    "Once upon a time, there was a",
    "A fluffy blue creature roamed the verdant forest. The creature was",
    "Michael Jordan plays the sport of",
    "To date, the cleverest thinker of all time was",
)


@dataclass(frozen=True)
class Lesson:
    """What one step reads: so many rows of a dataset."""

    dataset: Dataset
    rows: int


@dataclass(frozen=True)
class Progress:
    """How far a run is; `loss` in nats a token, on the rows of the last step."""

    doing: str
    done: int
    total: int
    loss: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What a run came to; losses in nats a token, all on the same held-out text."""

    steps: int
    seconds: float
    loss: float
    unigram_loss: float
    trigram_loss: float
    samples: tuple[str, ...]


class Stopped(Exception):  # noqa: N818 - it is no error, and reads as the sentence it prints
    """Somebody pressed Ctrl-C; the message says what is left."""


def train(
    out: Path,
    *,
    steps: int = STEPS,
    seed: int = 0,
    tell: Callable[[Progress], None] = lambda _: None,
) -> Outcome:
    """Train a model on the corpus and write it to a checkpoint folder.

    The same seed gives the same weights on the same machine. Raises `Unusable` if the folder
    cannot be written, and `Stopped` on Ctrl-C; the folder then holds the last checkpoint that was
    written whole.
    """
    began, saved = time.monotonic(), 0
    _refuse_unwritable(out)
    torch.set_flush_denormal(True)  # the tails of softmax are ten times slower without
    try:
        texts = corpus.tokenizer_texts(seed, DOCUMENTS_FOR_TOKENIZER)
        tokenizer = Tokenizer(byte_pairs.train(texts, SIZES.d_vocab, corpus.tokenizer_worth()))
        lessons = _lessons(tokenizer, steps, seed, tell)
        for step, model in _learn(replace(SIZES, d_vocab=tokenizer.d_vocab), lessons, seed, tell):
            if step % SAVE_EVERY == 0 or step == steps:
                center_keys(model, tokenizer, seed)
                checkpoint.save(model, tokenizer, out)
                saved = step
    except KeyboardInterrupt:
        raise Stopped(_what_is_left(out, saved)) from None
    seconds = time.monotonic() - began
    losses = _losses(model, tokenizer, lessons[-1].dataset, seed)
    return Outcome(steps, seconds, *losses, _samples(model, tokenizer, seed))


def _lessons(
    tokenizer: Tokenizer, steps: int, seed: int, tell: Callable[[Progress], None]
) -> list[Lesson]:
    """Return what each step reads: repetitions first, then the corpus."""
    first = round(REPETITION_SHARE * steps)
    repetitions = _read("reading repetitions", corpus.repetitions(seed), tokenizer, first, tell)
    dataset = _read("reading", corpus.documents(seed, "train"), tokenizer, steps - first, tell)
    return [
        *repeat(Lesson(repetitions, REPETITION_ROWS), first),
        *repeat(Lesson(dataset, ROWS), steps - first),
    ]


def _read(
    doing: str,
    texts: Iterator[str],
    tokenizer: Tokenizer,
    steps: int,
    tell: Callable[[Progress], None],
) -> Dataset:
    """Tokenize as much text as so many steps can use."""
    wanted = min(LARGEST_DATASET, (steps + 1) * ROWS * SIZES.n_ctx)
    return tokenize(texts, tokenizer, wanted, lambda size: tell(Progress(doing, size, wanted)))


def _learn(
    sizes: Config, lessons: Sequence[Lesson], seed: int, tell: Callable[[Progress], None]
) -> Iterator[tuple[int, GPT]]:
    """Yield the model after every step."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = GPT(sizes)
    initialize(model)
    steps = len(lessons)
    taken = (
        (_rate(step, steps), lesson.dataset.random_rows(lesson.rows, sizes.n_ctx + 1, generator))
        for step, lesson in enumerate(lessons)
    )
    for step, loss in enumerate(descend(model, taken, lambda rows: loss_on(model, rows)), start=1):
        tell(Progress("training", step, steps, loss))
        yield step, model


def loss_on(model: Transformer, rows: Tensor) -> Tensor:
    """Mean loss in nats of predicting every token of rows (B, T) but the first."""
    logits = model(rows[:, :-1])  # (B, T - 1, V)
    return F.cross_entropy(logits.flatten(0, 1), rows[:, 1:].flatten())


def _rate(step: int, steps: int) -> float:
    """Set the learning rate: a line up and a level for repetitions, then a cosine from the peak."""
    first = round(REPETITION_SHARE * steps)
    if step < first:
        return REPETITION_RATE * min(1.0, (step + 1) / WARM_UP)
    way = (step - first) / max(1, steps - first)
    return LAST_RATE + (PEAK_RATE - LAST_RATE) * (1 + math.cos(math.pi * way)) / 2


@torch.inference_mode()
def _losses(
    model: GPT, tokenizer: Tokenizer, dataset: Dataset, seed: int
) -> tuple[float, float, float]:
    """Measure the loss on held-out text, of the model and of counting the dataset."""
    rows = held_out_rows(tokenizer, seed, HELD_OUT_ROWS, model.config.n_ctx + 1)  # (B, T)
    end = tokenizer.end_of_text
    assert end is not None  # our own tokenizer has one
    counted = baselines.losses(dataset.ids.astype(np.int64), rows.numpy(), tokenizer.d_vocab, end)
    return float(loss_on(model, rows)), *counted


def _samples(model: GPT, tokenizer: Tokenizer, seed: int) -> tuple[str, ...]:
    """How the model goes on from a few openings."""
    generator = torch.Generator().manual_seed(seed)
    openings = [tokenizer.encode(opening) for opening in OPENINGS]
    return tuple(
        tokenizer.decode([*ids, *generate(model, ids, 20, temperature=0.7, generator=generator)])
        for ids in openings
    )


def _refuse_unwritable(out: Path) -> None:
    """Find out before half an hour of training, not after."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        for folder in (out, out.resolve().parent):  # the whole folder is exchanged
            probe = folder / ".can-write"
            probe.touch()
            probe.unlink()
    except OSError as error:
        raise Unusable(
            f"The checkpoint folder {out} cannot be written ({error.strerror or error}): choose "
            "another with --out."
        ) from error


def _what_is_left(out: Path, saved: int) -> str:
    """One sentence for whoever pressed Ctrl-C."""
    if saved:
        return f"Stopped; {out} holds the checkpoint of step {saved}, whole and ready to use."
    return f"Stopped before the first checkpoint; what was in {out} before is untouched."
