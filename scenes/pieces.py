"""Which stretches and words of a cut text are worth showing, and their names. Knows bytes only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scenes.analysis.selection import HERO
from scenes.mobjects.text import visible
from scenes.mobjects.typesetting import has_glyphs

RARE = (
    *("tokenization", "hippopotamus", "electroencephalography"),
    "pneumonoultramicroscopicsilicovolcanoconiosis",
)
COMMON = ("water", "house", "people", "the")
LONGEST = 24  # letters, of what is shown by itself

Span = tuple[int, int]


@dataclass(frozen=True)
class Unit:
    """A stretch of a text: how it is called in a sentence, how it is shown, and what it is."""

    name: str
    label: str
    text: str


def spoken(raw: bytes) -> str:
    """Return how a piece is called in a sentence."""
    if raw == b" ":
        return "the space"
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return "byte " + " ".join(str(byte) for byte in raw)
    return f"{text.strip()} with its space" if text.startswith(" ") else text


def read(raw: bytes) -> str | None:
    """Return the text of bytes, or None if they make no whole characters."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return None


def units_of(raw: bytes, spans: Sequence[Span], often: Callable[[str], int]) -> list[Unit]:
    """Return a character, the token that it begins, that token with a neighbour, and the text.

    The token is the hero where it stands, else the word that `often` finds least often but finds;
    stretches that are the same come once.
    """
    tokens = [read(raw[start:end]) for start, end in spans]
    words = [i for i, text in enumerate(tokens) if text and text.strip().isalpha()]
    all_of_it = raw.decode(errors="replace")
    whole = Unit("the whole text", "the whole text", all_of_it)
    if not words:
        return _once([_character(all_of_it.strip()[:1] or all_of_it[:1]), whole])
    token = _telling(words, [text or "" for text in tokens], often)
    text = tokens[token] or ""
    first, last = (token - 1, token) if token else (0, min(1, len(tokens) - 1))
    pair = read(raw[spans[first][0] : spans[last][1]])
    units = [
        _character(text.strip()[0]),
        _stretch(text),
        *([_stretch(pair)] if pair and len(pair) <= LONGEST else []),
    ]
    return _once([*units, whole])


def rare_word(words: Sequence[str], pieces: Callable[[str], int]) -> str:
    """Return a word that comes in pieces: the text's most broken one, else a rare word."""
    own = [word for word in words if word.strip().isalpha() and len(word) <= LONGEST]
    broken = max(own, key=pieces, default="")
    if broken and pieces(broken) > 1:
        return broken
    return next((f" {word}" for word in RARE if pieces(f" {word}") > 1), f" {RARE[-1]}")


def common_word(words: Sequence[str], pieces: Callable[[str], int]) -> str | None:
    """Return a word that is one token: the hero, else the text's longest one, else a common one."""
    own = [word for word in words if word.strip().isalpha() and len(word.strip()) > 1]
    wanted = [HERO] if HERO in words else sorted(own, key=len, reverse=True)
    candidates = [*wanted, *(f" {word}" for word in COMMON)]
    return next((word for word in candidates if pieces(word) == 1), None)


def rows_around(ids: Sequence[int], last: int) -> list[int]:
    """Return the rows of a vocabulary to list: its ends, and those of `ids` with neighbours."""
    return sorted({0, 1, 2, last} | {index + step for index in ids for step in (-1, 0, 1)})


def _character(text: str) -> Unit:
    kind = "the letter" if text.isalpha() else "the character"
    label = f"{kind} {visible(text)}" if has_glyphs(text) else "the first character"
    return Unit(f"{kind} {text}", label, text)


def _stretch(text: str) -> Unit:
    return Unit(text.strip(), visible(text), text)


def _telling(words: Sequence[int], tokens: Sequence[str], often: Callable[[str], int]) -> int:
    if HERO in tokens:
        return tokens.index(HERO)
    met = [(often(tokens[i]), i) for i in words if len(tokens[i].strip()) > 1]
    return min([each for each in met if each[0]] or met or [(0, words[0])])[1]


def _once(units: Sequence[Unit]) -> list[Unit]:
    """Return units without those whose text, but for spaces at its ends, came before."""
    texts = [unit.text.strip() for unit in units]
    return [unit for i, unit in enumerate(units) if texts[i] not in texts[:i]]
