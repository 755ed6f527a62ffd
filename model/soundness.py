"""Whether a `tokenizer.json` may be given to `tokenizers`, which panics over some of them.

A panic tells the user about Rust, and one of them ends the process. Knows nothing else of tokens.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

INNER = ("normalizers", "pretokenizers", "processors", "decoders")  # parts made of parts


def refuse_unsound(keys: Mapping[str, Any]) -> None:
    """Raise an error of some kind for what would be a panic."""
    model = keys["model"]
    prefix = model.get("continuing_subword_prefix") or ""
    refuse_torn_merges(model["vocab"], model.get("merges") or (), prefix)
    for kind in ("normalizer", "post_processor"):
        for part in _parts(keys.get(kind)):
            match part.get("type"):
                case "Replace" if part["pattern"].get("String") == "":
                    raise ValueError(part)
                case "TemplateProcessing":
                    _refuse_unknown_names(part)
                case "Precompiled":
                    _refuse_torn_map(base64.b64decode(part["precompiled_charsmap"]))


def _parts(part: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield a part of a tokenizer, and the parts that it is made of."""
    if part is not None:
        yield part
        for name in INNER:
            for inner in part.get(name, ()):
                yield from _parts(inner)


def refuse_torn_merges(
    vocabulary: Mapping[str, int], merges: Iterable[str | Sequence[str]], prefix: str = ""
) -> None:
    """Both halves of a merge are tokens, and so is the whole, without the second half's prefix."""
    for merge in merges:
        first, second = merge.split(" ") if isinstance(merge, str) else merge
        whole = first + second.removeprefix(prefix)
        if not second.startswith(prefix) or not {first, second, whole} <= vocabulary.keys():
            raise ValueError(merge)


def _refuse_unknown_names(template: Mapping[str, Any]) -> None:
    """Every token that a template puts around a text is one that it says the number of."""
    for piece in (*template["single"], *template["pair"]):
        if "SpecialToken" in piece:
            template["special_tokens"][piece["SpecialToken"]["id"]]


def _refuse_torn_map(raw: bytes) -> None:
    """SentencePiece's table of characters: the length of a tree, the tree, and a text."""
    length = int.from_bytes(raw[:4], "little")
    if len(raw) < 4 + length or length % 4:
        raise ValueError(length)
    raw[4 + length :].decode()
