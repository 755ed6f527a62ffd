"""What is said, for how long, and the captions that show it. It knows nothing of pictures."""

import itertools
import re
import textwrap
from dataclasses import dataclass

from scenes.theme import WORDS_A_SECOND

CAPTION_COLUMNS = 42
CAPTION_LINES = 2
SENTENCE_END = re.compile(r"(?<=[.?!]) +")


@dataclass(frozen=True)
class Caption:
    """Up to two lines of text and when they stand, in seconds from the start of the beat."""

    start: float
    end: float
    text: str


def time_to_say(narration: str) -> float:
    """Return how long a line takes to say, in seconds."""
    return len(narration.split()) / WORDS_A_SECOND


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 token`, `2,304 pairs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def captions(narration: str, duration: float) -> list[Caption]:
    """Cut a beat's narration into captions of two lines of 42 columns, spread over its seconds.

    A caption ends where a sentence does, if it can; a sentence that is too long for one is cut
    into parts of about the same length. Each stands for its share of the words; the last one
    stands until the beat ends.
    """
    texts = _texts(narration)
    words = [len(text.split()) for text in texts]
    pace = min(duration / max(sum(words), 1), 1 / WORDS_A_SECOND)
    starts = [pace * sum(words[:i]) for i in range(len(words))]
    return [
        Caption(start, end, _in_lines(text))
        for start, end, text in zip(starts, [*starts[1:], duration], texts, strict=True)
    ]


def _texts(narration: str) -> list[str]:
    found: list[str] = []
    for sentence in SENTENCE_END.split(narration.strip()):
        if found and _fits(f"{found[-1]} {sentence}"):
            found[-1] += f" {sentence}"
        else:
            found += _parts(sentence)
    return found


def _fits(text: str) -> bool:
    return len(_evenly(text, CAPTION_LINES, CAPTION_COLUMNS)) > 0


def _parts(sentence: str) -> list[str]:
    """Cut a sentence into as few parts as fit, of about the same length."""
    for count in itertools.count(1):
        parts = _evenly(sentence, count, CAPTION_COLUMNS * CAPTION_LINES)
        if parts and all(map(_fits, parts)):
            return parts
    raise AssertionError  # a part for each word fits


def _in_lines(text: str) -> str:
    """Break a text in the middle, if it takes two lines."""
    return "\n".join(_evenly(text, 1, CAPTION_COLUMNS) or _evenly(text, 2, CAPTION_COLUMNS))


def _evenly(text: str, count: int, columns: int) -> list[str]:
    """Cut a text between words into `count` parts of at most so many columns, if that goes."""
    for width in range(-(-len(text) // count), columns + 1):
        parts = textwrap.wrap(text, width, break_on_hyphens=False)
        if len(parts) <= count:
            return parts
    return []
