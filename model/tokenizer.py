"""Text to token ids and back, and the pieces as they are shown.

Ours is a byte-level BPE as in GPT-2, trained on our own text; any tokenizer that the library
`tokenizers` reads can take its place.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any

import tokenizers
from tokenizers import models

from model.byte_pairs import END_OF_TEXT, byte_level
from model.errors import Unusable, printable
from model.token_bytes import token_reader
from model.tokenizer_validation import validate, validate_merges

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from model.byte_pairs import Merge
    from model.token_bytes import TokenReader

__all__ = ["END_OF_TEXT", "Tokenizer"]

ENDS = (END_OF_TEXT, "<|end_of_text|>", "</s>", "<eos>", "[SEP]")  # names of end-of-text tokens


class Tokenizer:
    """Cuts a text into tokens. Whatever stands in the text is text, even ``<|endoftext|>``."""

    def __init__(self, backend: tokenizers.Tokenizer) -> None:
        self._backend = backend
        self._backend.encode_special_tokens = True
        self._backend.no_truncation()  # a text is taken whole, and nothing is put beside it
        self._backend.no_padding()
        if isinstance(backend.model, models.BPE):
            backend.model.dropout = None  # which leaves merges out by chance, as in training

    @classmethod
    def load(cls, path: Path, merges: Path | None = None) -> Tokenizer:
        """Return the tokenizer in a ``tokenizer.json``, or in a ``vocab.json`` and its merges.

        Raises `Unusable` if there is none. Nothing is known of the size of its ids: compare
        `largest_id` with the model's vocabulary before anything is made for each of them.
        """
        files = path.name if merges is None else f"{path.name} with {merges.name}"
        with _refusal(
            f"The tokenizer in {path.parent} ({files}) cannot be read: copy or save the checkpoint "
            "again."
        ):
            if merges is None:
                text = path.read_text(encoding="utf-8")
                validate(json.loads(text))
                return cls(tokenizers.Tokenizer.from_str(text))
            vocabulary, pairs = models.BPE.read_file(str(path), str(merges))
            validate_merges(vocabulary, pairs)
            return cls(byte_level(models.BPE(vocab=vocabulary, merges=pairs)))

    @cached_property
    def _told(self) -> tuple[TokenReader, list[int], Mapping[Merge, int]]:
        """What turns a token, as it is written, into bytes; unknown tokens; merges, by their place.

        All that its JSON is read for, in one reading: it may be megabytes long.
        """
        said = json.loads(self.to_json())
        listed = said["model"].get("merges") or []
        pairs = [tuple(each.split(" ") if isinstance(each, str) else each) for each in listed]
        merges = {(left, right): place for place, (left, right) in enumerate(pairs, start=1)}
        return token_reader(said), _unknown_in(said["model"]), merges

    @property
    def _read(self) -> TokenReader:
        """Turns a token, as it is written, into bytes."""
        return self._told[0]

    @property
    def _unknown(self) -> list[int]:
        """The tokens for what it does not know, at most one."""
        return self._told[1]

    @cached_property
    def _special(self) -> set[int]:
        return {*self._backend.get_added_tokens_decoder(), *self._unknown}

    def _encoded(self, text: str) -> tokenizers.Encoding:
        with _refusal(
            f"The checkpoint's tokenizer cannot cut '{printable(text)}' into tokens: use another "
            "text, or another checkpoint."
        ):
            return self._backend.encode(text)

    def to_json(self) -> str:
        """Return the text of a ``tokenizer.json``, which ``transformers`` reads too."""
        return str(self._backend.to_str())

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of its text: equal where texts are cut into the same tokens."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()

    @property
    def d_vocab(self) -> int:
        """How many different tokens there are."""
        return int(self._backend.get_vocab_size())

    @cached_property
    def largest_id(self) -> int:
        """The largest id of a token; a vocabulary may have gaps, so that it exceeds the count."""
        return max(self._backend.get_vocab().values(), default=-1)

    @property
    def merges(self) -> Mapping[Merge, int]:
        """The pairs that it merges, with their places in the list of merges, from 1 on.

        Empty for a tokenizer that is no BPE.
        """
        return self._told[2]

    def encode_with_bytes(self, text: str) -> list[tuple[int, bytes]]:
        """Return the token ids of a text, each with the bytes of the text that it stands for.

        A token that is put around any text stands for no bytes; a special or unknown one for
        those of the text that it took the place of.
        """
        encoding = self._encoded(text)
        found = list[tuple[int, bytes]]()
        columns = encoding.ids, encoding.offsets, encoding.special_tokens_mask
        for token, (start, end), is_added in zip(*columns, strict=True):
            own = text[start:end].encode() if token in self._special else self.token_bytes(token)
            found.append((token, b"" if is_added else own))
        return found

    def is_unknown(self, token: int) -> bool:
        """Whether a token only says that its text is not known."""
        return token in self._unknown

    def has(self, token: int) -> bool:
        """Whether there is a token of this id; a vocabulary may have gaps."""
        return token >= 0 and self._backend.id_to_token(token) is not None

    def units(self, word: str) -> list[tuple[str, int]]:
        """Return what the merges of a word start from, as written, each with its count of bytes.

        These are its characters. One that the vocabulary lacks comes as its bytes, if the
        vocabulary has those.
        """
        found = list[str]()
        for character in word:
            lone = [f"<0x{byte:02X}>" for byte in character.encode()]
            is_known = self._backend.token_to_id(character) is not None
            has_bytes = all(self._backend.token_to_id(byte) is not None for byte in lone)
            fall_back = not is_known and has_bytes
            found += lone if fall_back else [character]
        return [(unit, len(self._read(unit))) for unit in found]

    def words(self, text: str) -> list[str]:
        """Return the parts of a text that merges never cross, in the tokenizer's characters."""
        normalizer, splitter = self._backend.normalizer, self._backend.pre_tokenizer
        text = normalizer.normalize_str(text) if normalizer else text
        return [word for word, _ in splitter.pre_tokenize_str(text)] if splitter else [text]

    @property
    def end_of_text(self) -> int | None:
        """The id of the token that stands between documents, if there is one."""
        found = (self._backend.token_to_id(name) for name in ENDS)
        return next((token for token in found if token is not None), None)

    def encode(self, text: str) -> list[int]:
        """Return the token ids of a text, with those that the tokenizer puts around any text.

        Raises `Unusable` if the tokenizer cannot cut it.
        """
        return list(self._encoded(text).ids)

    def encode_documents(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of many texts, faster than one by one."""
        with _refusal(
            "The checkpoint's tokenizer cannot cut ordinary English into tokens: choose another "
            "checkpoint."
        ):
            found = self._backend.encode_batch_fast(list(texts), add_special_tokens=False)
        return [list(encoding.ids) for encoding in found]

    def decode(self, ids: Sequence[int]) -> str:
        """Return the text of token ids; bytes that make no character become U+FFFD."""
        return str(self._backend.decode(list(ids), skip_special_tokens=False))

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Where in the text each token's characters begin and end."""
        return list(self._encoded(text).offsets)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes that a token stands for; a special token stands for its name.

        Raises ValueError if there is no such token.
        """
        written = self._backend.id_to_token(token)
        if written is None:
            raise ValueError(f"There is no token {token}.")
        return written.encode() if token in self._special else self._read(written)

    @cached_property
    def vocabulary(self) -> dict[int, str]:
        """What each token shows, by its id."""
        ids = sorted(self._backend.get_vocab().values())
        return {token: shown_bytes(self.token_bytes(token)) for token in ids}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """Return what each token shows: its characters, or ⟨F0⟩ for a byte that is no whole one."""
        return tuple(shown_bytes(self.token_bytes(token)) for token in ids)


@contextmanager
def _refusal(sentence: str) -> Iterator[None]:
    """Turn what `tokenizers` raises into a sentence; its panics are no `Exception`."""
    try:
        yield
    except (OSError, MemoryError, KeyboardInterrupt, GeneratorExit, SystemExit):
        raise
    except BaseException as error:
        raise Unusable(sentence) from error


def _unknown_in(model: Mapping[str, Any]) -> list[int]:
    """Return the id of the token for what a model does not know, if it has one."""
    if isinstance(model.get("unk_id"), int):
        return [model["unk_id"]]
    vocabulary, token = model.get("vocab"), model.get("unk_token")
    return [vocabulary[token]] if isinstance(vocabulary, dict) and token in vocabulary else []


def row_name(row: int) -> str:
    """Return what a row of a model's tables is called that no piece belongs to: by its number."""
    return f"#{row}"


def shown_bytes(raw: bytes) -> str:
    """Bytes as characters; those that make no whole character in angle brackets."""
    text = ""
    while raw:
        try:
            return text + raw.decode()
        except UnicodeDecodeError as error:
            text += raw[: error.start].decode()
            text += "".join(f"⟨{byte:02X}⟩" for byte in raw[error.start : error.end])
            raw = raw[error.end :]
    return text
