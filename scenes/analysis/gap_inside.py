"""Where in a text a gap tells most, and which words are tried in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

BEHIND, TRIED = 3, 12  # places from the end, for a gap inside; tokens that are tried there
SEEN = 0.02  # of the texts that go on in the likeliest way, those that can be seen

Floats = NDArray[np.floating]


def likeliest(probs: Floats, number: int, least: float = 0.0) -> list[int]:
    """Return the likeliest tokens of a distribution (V,), the likeliest first.

    They have a chance of `least` or more, all but the first.
    """
    first, *others = (int(token) for token in np.argsort(-probs, kind="stable")[:number])
    return [first, *(token for token in others if probs[token] >= least)]


def whole_words(
    ids: Sequence[int],
    likely: Sequence[int],
    chances_in: Callable[[Sequence[Sequence[int]]], Floats],
    vocabulary: Callable[[Sequence[int]], Mapping[int, str]],
) -> list[int]:
    """Return those of some tokens after a text that are not the beginning of a longer word.

    What the model takes for likeliest after each of them tells.
    """
    after = [int(found[-1].argmax()) for found in chances_in([[*ids, token] for token in likely])]
    pieces = vocabulary(after)
    pairs = zip(likely, after, strict=True)
    return [token for token, then in pairs if not pieces.get(then, "")[:1].isalnum()]


def with_token(ids: Sequence[int], place: int, token: int) -> list[int]:
    """Return a text with another token at a place."""
    return [*ids[:place], token, *ids[place + 1 :]]


def gap_inside(
    ids: Sequence[int],
    probs: Floats,
    chances_in: Callable[[Sequence[Sequence[int]]], Floats],
    vocabulary: Callable[[Sequence[int]], Mapping[int, str]],
    listed: int,
) -> tuple[int, list[int]]:
    """Return a place with words behind it, and `listed` tokens or so that are tried there.

    They are whole words, and it is one where another token makes the likelier text than fits
    best up to it, if there is; before all, something can be seen to be left of such a text.
    `probs` are (T, V), and (n, T, V) those that are found in n texts.
    """

    def chances(place: int, token: int, within: Floats) -> list[float]:
        """Return the chance of a token at a place, and of each one behind it, up to the answer."""
        behind = [*ids[place + 1 :], int(probs[-1].argmax())]
        own = (float(row[each]) for row, each in zip(within[place:], behind, strict=True))
        return [float(probs[place - 1, token]), *own]

    def is_word(place: int, token: int, within: Floats) -> bool:
        """Say whether a token begins as the one at a place does, and the model ends it there."""
        own, after = ids[place], int(within[place].argmax())
        first, start, then = (vocabulary([each]).get(each, "")[:1] for each in (own, token, after))
        return first.isalnum() == start.isalnum() and not then.isalnum()

    found = []
    for place in range(max(1, len(ids) - BEHIND), len(ids)):
        likely = [*dict.fromkeys([*likeliest(probs[place - 1], TRIED), ids[place]])]
        texts = chances_in([with_token(ids, place, token) for token in likely])
        whole = {
            token: float(np.prod(chances(place, token, within)))
            for token, within in zip(likely, texts, strict=True)
            if token == ids[place] or is_word(place, token, within)
        }
        best = max(whole, key=lambda token: whole[token])
        first = next(iter(whole))
        is_seen = whole[best] > SEEN * float(probs[place - 1, first])
        rank = is_seen, best != first, whole[best]
        found.append((*rank, place, [*dict.fromkeys([*list(whole)[: listed + 1], best])]))
    *_, place, kept = max(found)
    return place, kept
