"""How companions are trained: each by its name, with a seed, in minutes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from model import corpus
from model.companions import counting, embedding_only, norms, orderless
from model.companions.shelf import Array, Companion
from model.dataset import Dataset, tokenize
from model.descent import descend
from model.errors import Unusable
from model.tokenizer import Tokenizer
from model.train import Progress, loss_on

Tell = Callable[[Progress], None]


def train(
    name: str,
    tokenizer: Tokenizer,
    out: Path,
    *,
    seed: int = 0,
    tell: Tell = lambda _: None,
) -> None:
    """Train a companion on our corpus, as a tokenizer cuts it, and write its file.

    The same seed gives the same numbers on the same machine. Raises `Unusable` if the file cannot
    be written.
    """
    torch.set_flush_denormal(True)  # the tails of softmax are ten times slower without
    torch.manual_seed(seed)
    tensors = COMPANIONS[name](tokenizer, seed, tell)
    command = f"films train --companion {name} --seed {seed}"
    Companion(name, tensors, command, tokenizer.digest).write(out)


def _counting(tokenizer: Tokenizer, seed: int, tell: Tell) -> dict[str, Array]:
    ids = _read(tokenizer, seed, counting.TOKENS, tell).ids[: counting.TOKENS]
    return counting.learn(ids, tokenizer.largest_id + 1)


def _embedding_only(tokenizer: Tokenizer, seed: int, tell: Tell) -> dict[str, Array]:
    size, steps = (embedding_only.ROWS, embedding_only.LENGTH), embedding_only.STEPS
    model = embedding_only.EmbeddingOnly(tokenizer.largest_id + 1)
    rates, rows = _falling(embedding_only.RATE, steps), _rows(tokenizer, seed, steps, size, tell)
    _losses(model, zip(rates, rows, strict=True), model.loss, tell, steps)
    return _weights(model)


def _orderless(tokenizer: Tokenizer, seed: int, tell: Tell) -> dict[str, Array]:
    hidden = tokenizer.end_of_text
    if hidden is None:
        raise Unusable("This tokenizer has no token for the end of a text, which stands for gaps.")
    model, chance = orderless.Orderless(tokenizer.largest_id + 1), torch.Generator()
    chance.manual_seed(seed)
    steps = orderless.STEPS
    rates = _falling(orderless.RATE, steps)
    rows = _rows(tokenizer, seed, steps, (orderless.ROWS, orderless.LENGTH), tell)

    def loss_of(rows: Tensor) -> Tensor:
        return model.loss(rows, hidden, chance)

    _losses(model, zip(rates, rows, strict=True), loss_of, tell, steps)
    return _weights(model)


def _norms(tokenizer: Tokenizer, seed: int, tell: Tell) -> dict[str, Array]:
    config = replace(norms.SIZES, d_vocab=tokenizer.largest_id + 1)
    size, found = (norms.ROWS, config.n_ctx + 1), dict[str, Array]()
    read = list(_rows(tokenizer, seed, norms.STEPS, size, tell))
    for name, (kind, start) in norms.VARIANTS.items():
        torch.manual_seed(seed)
        model = kind(config)
        rates = norms.rates(start)
        steps = zip(rates, read, strict=True)
        losses = _losses(model, steps, partial(loss_on, model), tell, norms.STEPS)
        alike = norms.alike(model, read[-1][:, :-1])
        for what, numbers in {"loss": losses, "rate": rates, "alike": alike}.items():
            found[f"{name}.{what}"] = np.array(numbers, dtype=np.float32)
    return found


COMPANIONS: dict[str, Callable[[Tokenizer, int, Tell], dict[str, Array]]] = {
    "counting": _counting,
    "embedding-only": _embedding_only,
    "orderless": _orderless,
    "norms": _norms,
}


def _falling(rate: float, steps: int) -> list[float]:
    """Return the learning rate of each step, falling to zero."""
    return (rate * torch.linspace(1, 0, steps + 1)[:-1]).tolist()


def _weights(model: nn.Module) -> dict[str, Array]:
    """Return every weight under its path in the model."""
    return {name: weight.detach().numpy() for name, weight in model.named_parameters()}


def _read(tokenizer: Tokenizer, seed: int, tokens: int, tell: Tell) -> Dataset:
    documents = corpus.documents(seed, "train")
    return tokenize(
        documents, tokenizer, tokens, lambda size: tell(Progress("reading", size, tokens))
    )


def _rows(
    tokenizer: Tokenizer, seed: int, steps: int, size: tuple[int, int], tell: Tell
) -> Iterator[Tensor]:
    """Yield the rows (B, T) of each step, drawn at random from as much text as they can use."""
    dataset = _read(tokenizer, seed, min(2_000_000, (steps + 1) * size[0] * size[1]), tell)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        yield dataset.random_rows(*size, generator)


def _losses(
    model: nn.Module,
    steps: Iterable[tuple[float, Tensor]],
    loss_of: Callable[[Tensor], Tensor],
    tell: Tell,
    total: int,
) -> list[float]:
    """Return the loss of each step, told as they are taken."""
    losses = []
    for step, loss in enumerate(descend(model, steps, loss_of), start=1):
        losses.append(loss)
        tell(Progress("training", step, total, loss))
    return losses
