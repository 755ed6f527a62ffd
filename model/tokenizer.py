"""Text to token ids and back, and the pieces as they are shown.

Byte-level BPE as in GPT-2, trained on our own text. It knows nothing of the model.
"""

from __future__ import annotations

import json
from functools import cache, cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

__all__ = ["END_OF_TEXT", "Tokenizer", "train"]

END_OF_TEXT = "<|endoftext|>"
LEARNED = 3  # times as many tokens as stay, so that every wanted piece is among them
Merge = tuple[str, str]


class Tokenizer:
    """Cuts a text into tokens. Whatever stands in the text is text, even ``<|endoftext|>``."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._backend.encode_special_tokens = True
        self._bytes = {shown: byte for byte, shown in byte_characters().items()}

    @classmethod
    def load(cls, path: Path) -> Tokenizer:
        """Return the tokenizer in a ``tokenizer.json``."""
        return cls(tokenizers.Tokenizer.from_file(str(path)))

    def to_json(self) -> str:
        """Return what ``load`` reads from a ``tokenizer.json``."""
        return str(self._backend.to_str())

    def save(self, path: Path) -> None:
        """Write a ``tokenizer.json`` that ``transformers`` reads too."""
        self._backend.save(str(path))

    @property
    def d_vocab(self) -> int:
        """How many different tokens there are."""
        return int(self._backend.get_vocab_size())

    @property
    def is_byte_level(self) -> bool:
        """Whether all its tokens are written in the characters that stand for bytes."""
        special = {str(token) for token in self._backend.get_added_tokens_decoder().values()}
        words = set(self._backend.get_vocab(with_added_tokens=False)) - special - {END_OF_TEXT}
        return all(self._bytes.keys() >= set(word) for word in words)

    @cached_property
    def merges(self) -> Mapping[Merge, int]:
        """The pairs that it merges, with their places in the list of merges, from 1 on.

        Empty for a tokenizer that is no BPE.
        """
        listed = json.loads(self.to_json())["model"].get("merges") or []
        pairs = [tuple(each.split(" ") if isinstance(each, str) else each) for each in listed]
        return {(left, right): place for place, (left, right) in enumerate(pairs, start=1)}

    def words(self, text: str) -> list[str]:
        """Return the stretches of a text within which it merges, in its own characters."""
        normalizer, splitter = self._backend.normalizer, self._backend.pre_tokenizer
        text = normalizer.normalize_str(text) if normalizer else text
        return [word for word, _ in splitter.pre_tokenize_str(text)] if splitter else [text]

    @property
    def end_of_text(self) -> int:
        """The id of the token that stands between documents."""
        found = self._backend.token_to_id(END_OF_TEXT)
        if found is None:
            raise ValueError(f"The tokenizer has no token {END_OF_TEXT}.")
        return int(found)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text."""
        return list(self._backend.encode(text, add_special_tokens=False).ids)

    def encode_documents(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of many texts, faster than one by one."""
        found = self._backend.encode_batch_fast(list(texts), add_special_tokens=False)
        return [list(encoding.ids) for encoding in found]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of token ids; bytes that make no character become U+FFFD."""
        return str(self._backend.decode(list(ids), skip_special_tokens=False))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Where in the text each token's characters begin and end."""
        return list(self._backend.encode(text, add_special_tokens=False).offsets)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for."""
        shown = self._backend.id_to_token(token)
        if shown is None:
            raise ValueError(f"There is no token {token}; the last is {self.d_vocab - 1}.")
        if shown == END_OF_TEXT:
            return END_OF_TEXT.encode()
        return bytes(self._bytes[character] for character in shown)

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return what each token shows: its characters, or ⟨F0⟩ for a byte that is no whole one."""
        return tuple(shown_bytes(self.token_bytes(token)) for token in ids)


@cache
def byte_characters() -> dict[int, str]:
    """Return the printable character by which GPT-2's tokenizer writes each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    characters = {byte: chr(byte) for byte in printable}
    rest = [byte for byte in range(256) if byte not in characters]
    return characters | {byte: chr(256 + index) for index, byte in enumerate(rest)}


def shown_bytes(raw: bytes) -> str:
    """Bytes as characters; those that make no whole character in angle brackets."""
    shown = ""
    while raw:
        try:
            return shown + raw.decode()
        except UnicodeDecodeError as error:
            shown += raw[: error.start].decode()
            shown += "".join(f"⟨{byte:02X}⟩" for byte in raw[error.start : error.end])
            raw = raw[error.end :]
    return shown


def train(
    texts: Iterable[str], size: int, worth: Mapping[str, float] | None = None
) -> tokenizers.Tokenizer:
    """Return a byte-level BPE tokenizer of ``size`` tokens, as GPT-2's but for its merges.

    ``worth`` says how much it is worth that a piece of text, with the space before it, is one
    token. Then more merges are learned than there is room for, and those stay by which the
    pieces come whole, the most worth for the fewest merges first.
    """
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
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
