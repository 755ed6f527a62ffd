"""What a film is: cues paced to their words, a stage that stands, a camera, needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from manim import Mobject, Square, VGroup

from model.errors import Unsuited
from rendering.failures import FilmFailed
from rendering.pictures import picture
from rendering.playing import staged
from scenes.camera import WHOLE, place_inside
from scenes.film import TWO_TOKENS, Film, Request, Shown, beat
from scenes.narration import time_to_say
from scenes.presence import parts_of, presence
from scenes.theme import BREATH, TITLE_STANDS, WORDS_A_SECOND
from scenes.verbs import Appear, Disappear, Shift, Together

PIXEL = 8 / 1080  # of 1080p, in scene units


class Squares(Film):
    """Squares come and go."""

    title = "Squares"
    prompt = "a small dog"
    seconds = 9
    poster_beat = "they-come"
    needs = (TWO_TOKENS,)

    def cast(self) -> None:
        self.squares = VGroup(*(Square(1.0).shift((x, -1, 0)) for x in (-3, 0, 3)))
        self.inside = Square(2.0).move_to(self.stage.center)
        self.laid_out = self.inside.points.copy()
        place_inside(self.inside, self.squares[1], self.stage)
        self.stand(self.squares, self.inside)

    @beat("One square comes to the {place}, | then {others} others, | and there they are.")
    def they_come(self) -> Shown:
        yield Appear(self.squares[0])
        yield Appear(*self.squares[1:])
        yield None

    @beat("We look into one of them, | which the three-token prompt has.", alone="Alone.")
    def look_inside(self) -> Shown:
        yield Together(self.zoom_into(self.squares[1]), Appear(self.inside))
        yield Disappear(self.squares[0])

    def words(self) -> dict[str, str]:
        return {"place": "left|right", "others": "two"}


class Silent(Squares):
    """It has a cue that it does not show."""

    @beat("One, | two.")
    def it_says_two(self) -> Shown:
        yield None


class Stranger(Squares):
    """It moves what nobody has set on the stage."""

    @beat("One.")
    def it_moves_it(self) -> Shown:
        yield Shift(Square(), by=np.array([1.0, 0, 0]))


@contextmanager
def playing(kind: type[Film] = Squares, prompt: str | None = None, fps: int = 10) -> Iterator[Film]:
    small = replace(picture("l", file_format="png"), fps=fps)
    with staged(kind, Request(prompt=prompt, beats=frozenset()), small, Path()) as film:
        yield film


def test_a_cue_begins_when_its_words_do() -> None:
    with playing() as film:
        film.render()
    first = film.timeline[0]
    spoken = ["One square comes to the left|right,", "then two others,", "and there they are."]
    assert first.narration == " ".join(spoken)
    seconds = np.cumsum([0, *map(time_to_say, spoken)])
    assert [cue.start for cue in first.cues] == pytest.approx(seconds[:-1], abs=2 / 10)
    assert first.duration == pytest.approx(seconds[-1] + BREATH, abs=2 / 10)


def test_what_a_cue_shows_is_over_when_the_next_one_begins() -> None:
    seen: list[tuple[float, list[float]]] = []
    with playing() as film:
        film.at_rest = lambda _: seen.append(
            (float(film.time), [presence(square) for square in film.squares])  # type: ignore[attr-defined]
        )
        film.render()
    cues = [cue.start for cue in film.timeline[0].cues]
    assert [states for time, states in seen if time <= cues[1] + 0.11][-1] == [1, 0, 0]
    assert [states for time, states in seen if time <= cues[2] + 0.11][-1] == [1, 1, 1]


def test_nothing_is_added_to_the_stage_or_taken_from_it() -> None:
    families: list[list[int]] = []

    def note(film: Film) -> None:
        families.append([id(part) for top in film.mobjects for part in top.get_family()])

    with playing() as film:
        film.at_rest = note
        film.render()
    assert len(families) > 3
    assert all(family == families[0] for family in families)


def test_the_title_stands_for_two_seconds_and_leaves() -> None:
    times: list[tuple[float, float]] = []
    with playing() as film:
        film.at_rest = lambda film: times.append((film.time, presence(parts_of(film.heading)[0])))
        film.render()
    assert all(there == 1 for time, there in times if time < TITLE_STANDS)
    assert all(there == 0 for time, there in times if time > TITLE_STANDS + 1.5)


def test_what_was_laid_out_for_the_stage_fills_it_once_the_camera_is_in_the_cell() -> None:
    with playing() as film:
        film.render()
        assert isinstance(film, Squares)
        seen = film.view.seen(film.inside.points)
        assert np.abs(seen - film.laid_out).max() < PIXEL


def test_a_view_on_its_way_is_between_its_ends_and_comes_to_rest_at_them() -> None:
    square = Square(0.5).shift((2, 1, 0))
    with playing() as film:
        film.render()
        near = WHOLE.into(square, film.stage)
    assert WHOLE.toward(near, 0.0).zoom == pytest.approx(1.0)
    assert np.allclose(WHOLE.toward(near, 1.0).seen(square.points), near.seen(square.points))
    sizes = [WHOLE.toward(near, share).zoom for share in np.linspace(0, 1, 9)]
    assert sizes == sorted(sizes)


def test_a_film_that_shows_fewer_cues_than_it_says_is_told_so() -> None:
    with (
        pytest.raises(FilmFailed, match="it-says-two has 2 cues and shows only 1"),
        playing(Silent) as film,
    ):
        film.render()


def test_only_what_stands_on_the_stage_can_be_moved() -> None:
    with pytest.raises(FilmFailed, match="not on the stage"), playing(Stranger) as film:
        film.render()


def test_a_prompt_without_what_a_film_needs_is_refused_with_one_that_has_it() -> None:
    sentence = r"needs a prompt with two tokens or more: try '.+'\."
    with pytest.raises(Unsuited, match=sentence), playing(prompt="a") as film:
        film.render()
    with playing(prompt=TWO_TOKENS.example) as film:
        film.render()


def test_unseen_things_are_not_drawn() -> None:
    with playing() as film:
        film.render()
        assert isinstance(film, Squares)
        seen = {id(part) for part in film.seen()}
    assert id(film.squares[0]) not in seen
    assert {id(film.squares[1]), id(film.inside)} <= seen


def test_words_are_said_at_a_steady_pace() -> None:
    assert time_to_say("one two three four five") == 5 / WORDS_A_SECOND


def test_mobjects_without_points_are_never_drawn() -> None:
    with playing() as film:
        film.render()
        assert not [part for part in film.seen() if not len(part.points)]
        assert isinstance(film.viewpoint, Mobject)
