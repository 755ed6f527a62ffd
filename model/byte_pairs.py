"""A byte-level BPE, as GPT-2 has one, learned from texts."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

from model.token_bytes import byte_characters

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

END_OF_TEXT = "<|endoftext|>"
LEARNED = 3  # times as many tokens as stay, so that every wanted piece is among them
Merge = tuple[str, str]


@dataclass(frozen=True)
class Counted:
    """How often two pieces, as they are in a text, stand side by side."""

    pair: Merge
    number: int


Ranking = tuple[Counted, ...]


def train(
    texts: Iterable[str], size: int, worth: Mapping[str, float] | None = None
) -> tokenizers.Tokenizer:
    """Return a byte-level BPE tokenizer of ``size`` tokens, as GPT-2's but for its merges.

    ``worth`` says how much it is worth that a piece of text, with the space before it, is one
    token. Then more merges are learned than there is room for, and those stay by which the
    pieces come whole, the most worth for the fewest merges first.
    """
    backend = byte_level(models.BPE())
    trainer = trainers.BpeTrainer(
        vocab_size=size if worth is None else LEARNED * size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    if worth is not None:
        backend.model = trimmed(backend, size, worth)
    return backend


def merge_rounds(texts: Iterable[str], rounds: int, listed: int) -> tuple[Ranking, ...]:
    """Return the most frequent pairs of neighbours, `listed` of them, before each merge.

    After each round the first pair becomes one piece. Pairs stay within words, as in ``train``.
    """
    splitter = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words = Counter(word for text in texts for word, _ in splitter.pre_tokenize_str(text))
    parted = {word: list(word) for word in words}
    written = {character: chr(byte) for byte, character in byte_characters().items()}
    found = []
    for _ in range(rounds):
        pairs = Counter[Merge]()
        for word, number in words.items():
            for pair in pairwise(parted[word]):
                pairs[pair] += number
        best = pairs.most_common(listed)
        parted = {word: _merged(parts, best[0][0]) for word, parts in parted.items()}
        found.append(
            tuple(
                Counted((_text(left, written), _text(right, written)), number)
                for (left, right), number in best
            )
        )
    return tuple(found)


def neighbours(text: str, listed: int) -> tuple[tuple[int, ...], tuple[Ranking, ...]]:
    """Return where neighbours within words meet in a text, and how its most frequent are counted.

    Gap i follows character i. There are counts from the start on and after each gap, always of
    the pairs that are the most frequent in the end. The text holds only characters of ASCII.
    """
    splitter = pre_tokenizers.ByteLevel(add_prefix_space=False)
    spans = [span for _, span in splitter.pre_tokenize_str(text)]
    gaps = tuple(gap for start, end in spans for gap in range(start, end - 1))
    met = [(text[gap], text[gap + 1]) for gap in gaps]
    shown = [pair for pair, _ in Counter(met).most_common(listed)]
    seen = [met[:place] for place in range(len(met) + 1)]
    return gaps, tuple(tuple(Counted(pair, each.count(pair)) for pair in shown) for each in seen)


def glued(text: str, pairs: Iterable[Merge]) -> tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]:
    """Return the parts of a text after merges of characters, and the gaps that each merge closes.

    Gap i follows character i. The text holds no other characters than ASCII has.
    """
    parts, gaps = list(text), []
    for left, right in pairs:
        ends = [0, *accumulate(map(len, parts))]
        places = [i for i, pair in enumerate(pairwise(parts)) if pair == (left, right)]
        before, parts = parts, _merged(parts, (left, right))
        gaps.append(tuple(ends[i + 1] - 1 for i in places) if len(before) > len(parts) else ())
    return tuple(parts), tuple(gaps)


def _text(piece: str, written: Mapping[str, str]) -> str:
    return "".join(written[character] for character in piece)


def _merged(parts: Sequence[str], pair: Merge) -> list[str]:
    """Return the parts of a word with every occurrence of a pair as one part, from the left."""
    found: list[str] = []
    for part in parts:
        if found and (found[-1], part) == pair:
            found[-1] += part
        else:
            found.append(part)
    return found


def byte_level(model: models.BPE) -> tokenizers.Tokenizer:
    """Return a tokenizer that cuts, writes and puts together texts as GPT-2's does."""
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    return backend


def trimmed(backend: tokenizers.Tokenizer, size: int, worth: Mapping[str, float]) -> models.BPE:
    """Return the BPE with the merges that are worth their place, in the order they were learned.

    A merge left out was no step on the way to any piece kept, so those come together as before.
    """
    merges = [(left, right) for left, right in json.loads(backend.to_str())["model"]["merges"]]
    alphabet = [END_OF_TEXT, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    kept = worthwhile(merges, size - len(alphabet), worth)
    tokens = dict.fromkeys([*alphabet, *("".join(merges[rank]) for rank in sorted(kept))])
    for rank, merge in enumerate(merges):
        if len(tokens) >= size:
            break
        kept.add(rank)
        tokens["".join(merge)] = None
    vocabulary = {token: index for index, token in enumerate(tokens)}
    return models.BPE(vocab=vocabulary, merges=[merges[rank] for rank in sorted(kept)])


def worthwhile(merges: Sequence[Merge], room: int, worth: Mapping[str, float]) -> set[int]:
    """Return which merges to keep, by their ranks.

    The price of a piece is the merges it needs that no other piece has paid for.
    """
    ranks = {merge: rank for rank, merge in enumerate(merges)}
    steps = {piece: derivation(piece, ranks) for piece in sorted(worth, key=lambda p: -worth[p])}
    wanted = {piece: needed for piece, needed in steps.items() if needed is not None}
    dearest = max((len(needed) for needed in wanted.values()), default=0)
    prices = {price / value for price in range(dearest + 1) for value in set(worth.values())}
    kept: set[int] = set()
    for price in sorted(prices):
        for piece, needed in list(wanted.items()):
            missing = needed - kept
            if len(missing) <= price * worth[piece] and len(kept) + len(missing) <= room:
                kept |= missing
                del wanted[piece]
    return kept


def derivation(piece: str, ranks: Mapping[Merge, int]) -> set[int] | None:
    """Return the ranks of the merges that make one token of a piece; none if they do not."""
    characters = byte_characters()
    parts = [characters[byte] for byte in piece.encode()]
    used = set()
    while len(parts) > 1:
        pairs = [(ranks.get(pair, len(ranks)), at) for at, pair in enumerate(pairwise(parts))]
        rank, at = min(pairs)
        if rank == len(ranks):
            return None
        used.add(rank)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
    return used
