"""From a token as a vocabulary writes it to the bytes that it stands for.

GPT-2 has a printable character for every byte. SentencePiece, in Llama's first versions and in
Unigram models, writes a space as ▁ and a byte on its own as <0xF0>. WordPiece marks with ## what
goes on a word, so that all else begins one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

TokenReader: TypeAlias = Callable[[str], bytes]  # a token as written: the bytes that it stands for

OPEN_BOX = "\N{LOWER ONE EIGHTH BLOCK}"  # SentencePiece's space
LONE_BYTE = re.compile("<0x([0-9A-Fa-f]{2})>")


def token_reader(keys: Mapping[str, Any]) -> TokenReader:
    """Return what reads the tokens of a ``tokenizer.json``."""
    if keys["model"].get("type") == "WordPiece":
        return wordpiece(str(keys["model"].get("continuing_subword_prefix", "##")))
    parts = {*_types(keys.get("pre_tokenizer")), *_types(keys.get("decoder"))}
    return byte_level if "ByteLevel" in parts else sentencepiece


def byte_level(token: str) -> bytes:
    """Read GPT-2's way; a character that stands for no byte is itself."""
    bytes_of = _bytes_of()
    return b"".join(bytes_of.get(character, character.encode()) for character in token)


def sentencepiece(token: str) -> bytes:
    """Read SentencePiece's way."""
    lone = LONE_BYTE.fullmatch(token)
    return bytes([int(lone[1], 16)]) if lone else token.replace(OPEN_BOX, " ").encode()


def wordpiece(prefix: str) -> TokenReader:
    """Return WordPiece's way of reading, with the prefix of what goes on a word."""

    def read(token: str) -> bytes:
        goes_on = bool(prefix) and token.startswith(prefix)
        return (token.removeprefix(prefix) if goes_on else f" {token}").encode()

    return read


@cache
def byte_characters() -> dict[int, str]:
    """Return the printable character by which GPT-2's tokenizer writes each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    characters = {byte: chr(byte) for byte in printable}
    rest = [byte for byte in range(256) if byte not in characters]
    return characters | {byte: chr(256 + index) for index, byte in enumerate(rest)}


@cache
def _bytes_of() -> dict[str, bytes]:
    return {character: bytes([byte]) for byte, character in byte_characters().items()}


def _types(part: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    """Yield the types of a part of a tokenizer, and of the parts that it is made of."""
    if isinstance(part, Mapping):
        yield str(part.get("type"))
        for inner in (*part.get("pretokenizers", ()), *part.get("decoders", ())):
            yield from _types(inner)
