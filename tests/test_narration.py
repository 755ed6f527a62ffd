"""Captions fit the screen and the time."""

import itertools

import pytest

from rendering.captions import srt, vtt
from scenes.narration import CAPTION_COLUMNS, CAPTION_LINES, captions, time_to_say

LINE = "Every query meets every key, and each pair of them leaves one number in the grid. " * 3


def test_a_line_is_said_at_two_and_a_half_words_a_second() -> None:
    assert time_to_say("one two three four five") == 2


def test_captions_are_two_lines_of_42_columns() -> None:
    for caption in captions(LINE, 20):
        lines = caption.text.splitlines()
        assert len(lines) <= CAPTION_LINES
        assert max(map(len, lines)) <= CAPTION_COLUMNS


def test_captions_hold_every_word_in_order() -> None:
    assert " ".join(caption.text for caption in captions(LINE, 20)).split() == LINE.split()


@pytest.mark.parametrize("duration", [3.0, 18.0, 60.0])
def test_captions_follow_one_another_until_the_beat_ends(duration: float) -> None:
    found = captions(LINE, duration)
    assert found[0].start == 0
    assert found[-1].end == duration
    for one, next_one in itertools.pairwise(found):
        assert one.start < one.end == next_one.start


def test_a_caption_ends_with_a_sentence_if_that_is_not_too_long() -> None:
    line = "A computer keeps a text as bytes, numbers from 0 to 255. This one has 48 of them here."
    assert [caption.text.split()[-1] for caption in captions(line, 9)] == ["255.", "here."]


def test_a_long_sentence_is_cut_into_even_parts() -> None:
    line = (
        "each row is weighted by its entry, and zeros darken all but one and that row slides out, "
    )
    lengths = [len(caption.text) for caption in captions(line * 2, 30)]
    assert max(lengths) - min(lengths) < 20


def test_nobody_waits_for_a_caption_longer_than_it_takes_to_say_the_last() -> None:
    first = captions(LINE, 60)[0]
    assert first.end == pytest.approx(time_to_say(first.text))


def test_an_arrow_in_a_line_is_no_time_in_a_subtitle_file() -> None:
    written = srt([(0, 2, "a --> b")]).decode()
    assert written.count("-->") == 1
    assert vtt([(0, 2, "a --> b")]).decode().count("-->") == 1
