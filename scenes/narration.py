"""What is said, for how long, and the captions that show it. It knows nothing of pictures."""

import itertools
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from scenes.theme import WORDS_A_SECOND

BAR = "|"  # between the cues of a line
CAPTION_COLUMNS = 42
CAPTION_LINES = 2
SENTENCE_END = re.compile(r"(?<=[.?!]) +")


@dataclass(frozen=True)
class Caption:
    """Up to two lines of text and when they stand, in seconds from the start of the beat."""

    start: float
    end: float
    text: str


@dataclass(frozen=True)
class Cue:
    """A part of a beat's line, and when it begins, in seconds from the start of the beat.

    Its words, and the silence that belongs to them, last for `seconds`; `spoken` is the text as a
    voice says it.
    """

    start: float
    text: str
    seconds: float
    spoken: str = ""


@dataclass(frozen=True)
class Timing:
    """When each cue of a line begins, and when all is said, in seconds from the line's start.

    `said` are the cues as they are spoken.
    """

    starts: tuple[float, ...]
    end: float
    said: tuple[str, ...]

    def lasts(self, cue: int) -> float:
        """Return for how many seconds a cue is said, until the next one begins."""
        return [*self.starts, self.end][cue + 1] - self.starts[cue]


Timed: TypeAlias = Callable[[str, Sequence[str]], Timing]  # of a beat's name and its cues


def cues_of(line: str) -> tuple[str, ...]:
    """Return the parts of a line between its bars: `"One, | two."` has two."""
    return tuple(" ".join(part.split()) for part in line.split(BAR))


def time_to_say(narration: str) -> float:
    """Return how long a line takes to say, in seconds."""
    return len(narration.split()) / WORDS_A_SECOND


def by_words(beat: str, cues: Sequence[str]) -> Timing:  # noqa: ARG001 - a `Timed`
    """Return how a line is timed where nobody speaks: at so many words a second."""
    *starts, end = accumulate(map(time_to_say, cues), initial=0.0)
    return Timing(tuple(starts), end, tuple(cues))


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: `1 token`, `2,304 pairs`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def captions(narration: str, duration: float, cues: Sequence[Cue] = ()) -> list[Caption]:
    """Cut a beat's narration into captions of two lines of 42 columns.

    A caption ends where a sentence does, if it can; a sentence that is too long for one is cut
    into parts of about the same length. Each begins with its first word, and the last one stands
    until the beat ends, after `duration` seconds. Without `cues` the words begin with the beat.
    """
    texts = _texts(narration)
    said = list(_word_times(cues or [Cue(0.0, narration, min(duration, time_to_say(narration)))]))
    words = [len(text.split()) for text in texts]
    starts = [said[sum(words[:i])] if said else 0.0 for i in range(len(words))]
    return [
        Caption(start, end, _in_lines(text))
        for (start, end), text in zip(itertools.pairwise([*starts, duration]), texts, strict=True)
    ]


def _word_times(cues: Sequence[Cue]) -> Iterator[float]:
    """Yield when each word is said, evenly within its cue, in seconds."""
    for cue in cues:
        words = len(cue.text.split())
        yield from (cue.start + cue.seconds * word / words for word in range(words))


def _texts(narration: str) -> list[str]:
    found: list[str] = []
    for sentence in filter(None, SENTENCE_END.split(narration.strip())):
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
