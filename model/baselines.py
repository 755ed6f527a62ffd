"""What counting alone predicts: the losses that a trained model must beat.

The trigram model mixes the counts of pairs and triples with those of shorter contexts as Witten and
Bell (1991) do: a context that was followed by many different tokens trusts its own counts less.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]
Probs = NDArray[np.float64]


@dataclass(frozen=True)
class Counts:
    """How often each token followed each context; a context is a number, `None` for no context."""

    contexts: Ids  # (N,)
    tokens: Ids  # (N,)
    d_vocab: int

    @cached_property
    def _pairs(self) -> tuple[Ids, Ids]:
        return np.unique(self.contexts * self.d_vocab + self.tokens, return_counts=True)

    @cached_property
    def _followers(self) -> tuple[Ids, Ids, Ids]:
        pairs, counts = self._pairs
        contexts, first = np.unique(pairs // self.d_vocab, return_index=True)
        return contexts, np.add.reduceat(counts, first), np.diff(first, append=len(pairs))

    def probs(self, contexts: Ids, tokens: Ids, shorter: Probs) -> Probs:
        """Return each token's probability after its context; `shorter` is from less context."""
        count = _look_up(*self._pairs, contexts * self.d_vocab + tokens)
        known, totals, kinds = self._followers
        total = _look_up(known, totals, contexts)
        kind = _look_up(known, kinds, contexts)
        seen = total > 0
        return np.where(seen, (count + kind * shorter) / np.where(seen, total + kind, 1), shorter)


def losses(ids: Ids, rows: Ids, d_vocab: int, before: int) -> tuple[float, float]:
    """Mean loss in nats of the unigram and the trigram model, counted on token ids (N,).

    They predict every token of `rows` (R, T) but the first; `before` is the token that stands
    before each row.
    """
    tokens = rows[:, 1:].ravel()
    last = rows[:, :-1]
    last_but_one = np.pad(last[:, :-1], ((0, 0), (1, 0)), constant_values=before)
    one = (np.bincount(ids, minlength=d_vocab)[tokens] + 1) / (len(ids) + d_vocab)
    two = Counts(ids[:-1], ids[1:], d_vocab).probs(last.ravel(), tokens, one)
    three = Counts(ids[:-2] * d_vocab + ids[1:-1], ids[2:], d_vocab).probs(
        (last_but_one * d_vocab + last).ravel(), tokens, two
    )
    return float(-np.log(one).mean()), float(-np.log(three).mean())


def following(
    kinds: NDArray[np.integer], counts: NDArray[np.integer], context: Sequence[int], shorter: Probs
) -> Probs:
    """Return the probability of every token after one context, mixed as `Counts.probs` does: (V,).

    `kinds` (K, C + 1) are the contexts and tokens that were counted, sorted, and `counts` (K,) how
    often; `shorter` (V,) is from less context.
    """
    for token in context:
        low, high = np.searchsorted(kinds[:, 0], [token, token + 1])
        kinds, counts = kinds[low:high, 1:], counts[low:high]
    if not len(kinds):
        return shorter
    found = len(kinds) * shorter
    found[kinds[:, 0]] += counts
    return np.asarray(found / (counts.sum() + len(kinds)))


def _look_up(keys: Ids, values: Ids, wanted: Ids) -> Ids:
    """Return the value of each wanted key among sorted keys, 0 where there is none."""
    places = np.searchsorted(keys, wanted).clip(max=len(keys) - 1)
    return np.where(keys[places] == wanted, values[places], 0)
