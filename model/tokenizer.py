"""Text to token ids and back, and the pieces as they are shown.

Byte-level BPE as in GPT-2, trained on our own text. It knows nothing of the model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, processors, trainers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

__all__ = ["END_OF_TEXT", "Tokenizer", "train"]

END_OF_TEXT = "<|endoftext|>"


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


def train(texts: Iterable[str], size: int) -> tokenizers.Tokenizer:
    """Return a byte-level BPE tokenizer of ``size`` tokens, as GPT-2's but for its merges."""
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    trainer = trainers.BpeTrainer(
        vocab_size=size,
        special_tokens=[END_OF_TEXT],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    backend.train_from_iterator(texts, trainer)
    return backend
