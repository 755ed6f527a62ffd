"""What is said, for how long, and the captions that show it. It knows nothing of pictures."""

import textwrap
from dataclasses import dataclass

from scenes.theme import WORDS_A_SECOND

CAPTION_COLUMNS = 42
CAPTION_LINES = 2


@dataclass(frozen=True)
class Caption:
    """Up to two lines of text and when they stand, in seconds from the start of the beat."""

    start: float
    end: float
    text: str


def time_to_say(narration: str) -> float:
    """Return how long a line takes to say, in seconds."""
    return len(narration.split()) / WORDS_A_SECOND


def captions(narration: str, duration: float) -> list[Caption]:
    """Cut a beat's narration into captions of two lines of 42 columns, spread over its seconds.

    Each stands for its share of the words; the last one stands until the beat ends.
    """
    lines = textwrap.wrap(narration, CAPTION_COLUMNS)
    pages = [lines[i : i + CAPTION_LINES] for i in range(0, len(lines), CAPTION_LINES)]
    words = [sum(len(line.split()) for line in page) for page in pages]
    pace = min(duration / max(sum(words), 1), 1 / WORDS_A_SECOND)
    starts = [pace * sum(words[:i]) for i in range(len(words))]
    return [
        Caption(start, end, "\n".join(page))
        for start, end, page in zip(starts, [*starts[1:], duration], pages, strict=True)
    ]
