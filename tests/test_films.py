"""What holds for every film, whatever it is asked to show."""

import re

import pytest
from plays import CASES, Play, Plays, is_declared

from scenes import FILMS
from scenes.film import Film
from scenes.narration import CAPTION_COLUMNS, CAPTION_LINES, captions, cues_of, time_to_say

LATEST = 1.5  # seconds that words may have to wait for what is shown
FILM_NUMBER = re.compile(r"\bF\d\d\b")

each_film = pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
each_case = pytest.mark.parametrize("case", CASES)


def play_of(plays: Plays, film: type[Film], case: str) -> Play:
    """Return a play; a refusal must be for what the film says of itself, and say what would do."""
    found = plays.of(film, case)
    if isinstance(found, str):
        assert is_declared(film, found)
        pytest.skip(found)
    return found


@each_film
@each_case
def test_a_film_is_clean(plays: Plays, film: type[Film], case: str) -> None:
    play = play_of(plays, film, case)
    assert play.report.findings == ()
    assert len(play.report.numbers) > 1


@each_film
@each_case
def test_verbs_change_only_what_they_touch(plays: Plays, film: type[Film], case: str) -> None:
    assert play_of(plays, film, case).strays == []


@each_film
@each_case
def test_words_do_not_wait_for_pictures(plays: Plays, film: type[Film], case: str) -> None:
    for said in play_of(plays, film, case).film.timeline:
        ends = [*(cue.start for cue in said.cues[1:]), said.duration]
        late = {
            cue.text: end - cue.start - time_to_say(cue.text)
            for cue, end in zip(said.cues, ends, strict=True)
        }
        assert {text: wait for text, wait in late.items() if wait > LATEST} == {}


@each_film
@each_case
def test_captions_have_two_lines_and_follow_the_cues(
    plays: Plays, film: type[Film], case: str
) -> None:
    for said in play_of(plays, film, case).film.timeline:
        shown = captions(said.narration, said.duration, said.cues)
        assert " ".join(" ".join(each.text.split()) for each in shown) == said.narration
        for caption in shown:
            lines = caption.text.splitlines()
            assert len(lines) <= CAPTION_LINES
            assert max(map(len, lines)) <= CAPTION_COLUMNS
            assert caption.end > caption.start


@each_film
@each_case
def test_the_stage_stands_from_first_to_last(plays: Plays, film: type[Film], case: str) -> None:
    played = play_of(plays, film, case).film
    family = {id(part) for top in played.mobjects for part in top.get_family()}
    assert family == played.standing


@each_film
def test_a_film_lasts_as_long_as_it_says_to_the_second(plays: Plays, film: type[Film]) -> None:
    play = play_of(plays, film, "default")
    assert sum(said.duration for said in play.film.timeline) == pytest.approx(film.seconds, abs=1)


@each_film
def test_nothing_is_said_of_what_a_llama_lacks(plays: Plays, film: type[Film]) -> None:
    said = play_of(plays, film, "odd Unicode, small Llama").film.script()
    assert not [line for _, line in said if re.search(r"\bbias|\bposition", line)]


@each_film
def test_the_script_is_in_the_decorators(film: type[Film]) -> None:
    for beat in film.beats():
        for line in (beat.template, *beat.variants.values()):
            assert re.search(r"[a-z]{2}", re.sub(r"\{\w+\}", "", line))
            assert all(cues_of(line))
            assert not FILM_NUMBER.search(line)


@each_film
def test_every_variant_is_for_a_circumstance_that_there_is(plays: Plays, film: type[Film]) -> None:
    known = play_of(plays, film, "default").film.circumstances()
    for beat in film.beats():
        assert set(beat.variants) <= set(known)
