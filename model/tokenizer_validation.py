"""Whether a `tokenizer.json` may be given to `tokenizers`, which panics over some of them.

A panic tells the user about Rust, and one of them ends the process. A text that parts of a
tokenizer make longer and longer takes all memory.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

MOST_GROWTH = 1000  # times as long as it was may a text come out of all parts of one kind
INNER = ("normalizers", "pretokenizers", "processors", "decoders")  # parts made of parts


def validate(keys: Mapping[str, Any]) -> None:
    """Check a whole ``tokenizer.json``.

    Raises an error of some kind, ValueError or what a missing key or a wrong type raises, for
    what would be a panic.
    """
    model = keys["model"]
    prefix = model.get("continuing_subword_prefix") or ""
    validate_merges(model["vocab"], model.get("merges") or (), prefix)
    for kind in ("normalizer", "decoder"):
        if math.prod(map(_growth, _parts(keys.get(kind)))) > MOST_GROWTH:
            raise ValueError(kind)
    for kind in ("normalizer", "post_processor"):
        for part in _parts(keys.get(kind)):
            match part.get("type"):
                case "Replace" if part["pattern"].get("String") == "":
                    raise ValueError(part)
                case "TemplateProcessing":
                    _refuse_unknown_names(part)


def _parts(part: Mapping[str, Any] | None) -> Iterator[Mapping[str, Any]]:
    """Yield a part of a tokenizer, and the parts that it is made of."""
    if part is not None:
        yield part
        for name in INNER:
            for inner in part.get(name, ()):
                yield from _parts(inner)


def _growth(part: Mapping[str, Any]) -> float:
    """Return how many times as long a part can make a text; what it puts in once counts little."""
    match part.get("type"):
        case "Replace":
            if text := part["pattern"].get("String"):
                return max(1.0, len(part["content"]) / len(text))
            return len(part["content"]) + 1.0  # an expression may match between any two characters
        case "Precompiled":
            return float(max(1, *map(len, _texts_of(part))))
    return 1.0


def validate_merges(
    vocabulary: Mapping[str, int], merges: Iterable[str | Sequence[str]], prefix: str = ""
) -> None:
    """Check that both halves of a merge are tokens, and the whole, but for the second's prefix.

    Raises ValueError for a merge that is not so.
    """
    for merge in merges:
        first, second = merge.split(" ") if isinstance(merge, str) else merge
        whole = first + second.removeprefix(prefix)
        if not second.startswith(prefix) or not {first, second, whole} <= vocabulary.keys():
            raise ValueError(merge)


def _refuse_unknown_names(template: Mapping[str, Any]) -> None:
    """Raise KeyError for a token that a template puts around a text without an id for it."""
    for piece in (*template["single"], *template["pair"]):
        if "SpecialToken" in piece:
            template["special_tokens"][piece["SpecialToken"]["id"]]


def _texts_of(part: Mapping[str, Any]) -> list[str]:
    """Return what SentencePiece's table of characters puts in their places.

    It is the length of a tree, the tree, and the texts; raises an error if it is torn.
    """
    raw = base64.b64decode(part["precompiled_charsmap"])
    length = int.from_bytes(raw[:4], "little")
    if len(raw) < 4 + length or length % 4:
        raise ValueError(length)
    return raw[4 + length :].decode().split("\0")
