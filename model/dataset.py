"""Documents tokenized into one long row, and the rows of equal length cut from it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model import corpus
from model.tokenizer import Tokenizer

DOCUMENTS_AT_ONCE = 500


@dataclass(frozen=True)
class Dataset:
    """Documents one after the other, each ended by end-of-text if the tokenizer has it."""

    ids: NDArray[np.int32]  # (N,)
    starts: NDArray[np.int64]  # where the documents start that a row can begin with

    def random_rows(self, count: int, length: int, generator: torch.Generator) -> Tensor:
        """Cut rows (count, length) at random, each beginning where a document does."""
        last = np.searchsorted(self.starts, len(self.ids) - length, side="right")
        chosen = torch.randint(int(last), (count,), generator=generator).numpy()
        return self._rows_at(self.starts[chosen], length)

    def first_rows(self, count: int, length: int) -> Tensor:
        """Cut the first rows (count or fewer, length) that do not overlap."""
        places, end = list[int](), 0
        for start in self.starts.tolist():
            if start >= end and start + length <= len(self.ids) and len(places) < count:
                places.append(start)
                end = start + length
        return self._rows_at(np.array(places), length)

    def _rows_at(self, starts: NDArray[np.int64], length: int) -> Tensor:
        return torch.from_numpy(self.ids[starts[:, None] + np.arange(length)].astype(np.int64))


def tokenize(
    texts: Iterable[str],
    tokenizer: Tokenizer,
    wanted: int,
    tell: Callable[[int], None] = lambda _: None,
) -> Dataset:
    """Tokenize documents until there are `wanted` tokens; `tell` hears how many there are.

    There are fewer if the tokenizer knows so little of them that most give no token.
    """
    parts, starts, size = list[NDArray[np.int32]](), list[int](), 0
    end = [] if tokenizer.end_of_text is None else [tokenizer.end_of_text]
    for batch in _batches(texts):
        before = size
        for ids in tokenizer.encode_documents(batch):
            starts.append(size)
            parts.append(np.array([*ids, *end], dtype=np.int32))
            size += len(ids) + len(end)
        tell(size)
        if size >= wanted or size - before < len(batch):  # there may be no end to it
            break
    return Dataset(np.concatenate(parts), np.array(starts))


def held_out_rows(tokenizer: Tokenizer, seed: int, count: int, length: int) -> Tensor:
    """Cut rows (count or fewer, length) from text that training never sees.

    For a tokenizer that knows nothing of that text, they are its tokens drawn at random.
    """
    dataset = tokenize(corpus.documents(seed, "held_out"), tokenizer, 2 * count * length)
    if len(dataset.ids) >= 2 * count * length:
        return dataset.first_rows(count, length)
    tokens = torch.tensor(sorted(tokenizer.vocabulary))
    generator = torch.Generator().manual_seed(seed)
    return tokens[torch.randint(len(tokens), (count, length), generator=generator)]


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Gather texts in lists of `DOCUMENTS_AT_ONCE`."""
    iterator = iter(texts)
    while batch := list(islice(iterator, DOCUMENTS_AT_ONCE)):
        yield batch
