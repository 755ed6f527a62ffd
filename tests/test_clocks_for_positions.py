"""Promises of the film clocks-for-positions."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of

from scenes.expressions import relative_cosines
from scenes.film import Request
from scenes.mobjects.clock import Clock, Round, Turn
from scenes.mobjects.place_maps import Likeness
from scenes.region import Region, area_of
from scenes.vectors.clocks_for_positions import ClocksForPositions


@pytest.fixture(scope="module")
def film() -> ClocksForPositions:
    return film_of(ClocksForPositions, Request())


def test_the_waves_are_those_of_the_paper(film: ClocksForPositions) -> None:
    """Vaswani et al. 2017, section 3.5: PE(pos, 2i) is the sine of pos / 10000^(2i / D)."""
    places, width = film.waves.shape
    for place in (0, 1, places - 1):
        for entry in (0, 1, width // 2, width - 1):
            angle = place / 10_000 ** ((entry - entry % 2) / width)
            expected = np.cos(angle) if entry % 2 else np.sin(angle)
            assert film.waves.array[place, entry] == pytest.approx(expected, abs=1e-6)


def test_no_number_leaves_minus_one_to_one_and_no_two_places_are_alike(
    film: ClocksForPositions,
) -> None:
    waves = film.waves.array
    assert np.abs(waves).max() <= 1
    apart = np.linalg.norm(waves[:, None] - waves[None], axis=-1)
    assert apart[~np.eye(len(waves), dtype=bool)].min() > 0.5


def test_a_step_is_one_turn_of_every_hand_wherever_it_begins(film: ClocksForPositions) -> None:
    """One matrix of 2 x 2 rotations leads from every place to that some words on."""
    turns = np.radians(film.rates.double) * film.step
    blocks = [
        torch.tensor([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        for turn in turns
    ]
    step = torch.block_diag(*blocks).numpy()
    waves = film.waves.double
    assert np.allclose(waves[: -film.step] @ step, waves[film.step :], atol=1e-5)


def test_what_distance_explains_is_all_of_plain_waves_and_little_of_chance(
    film: ClocksForPositions,
) -> None:
    """The oracle fits every cosine by the mean of those between places as far apart."""
    own = torch.tensor(film.tensor("own").double)
    cosines = torch.nn.functional.cosine_similarity(own[:, None], own[None], dim=-1)
    left, found = 0.0, []
    for apart in range(1, len(own)):
        line = cosines.diagonal(apart)
        left += float(((line - line.mean()) ** 2).sum())
        found.append(line)
    every = torch.cat(found)
    expected = 1 - left / float(((every - every.mean()) ** 2).sum())
    assert film.share.number == pytest.approx(expected, abs=1e-6)
    assert film.share.number > 0.5


def test_clocks_of_places_as_far_apart_are_equally_alike(film: ClocksForPositions) -> None:
    """The film says: same distance, same colour."""
    alike = relative_cosines(film.waves.double)
    assert np.ptp([np.diagonal(alike, apart).mean() for apart in range(8)]) > 0.5
    for apart in range(len(alike)):
        assert np.ptp(np.diagonal(alike, apart)) == pytest.approx(0, abs=1e-6)


def test_a_llama_s_clocks_are_its_own_and_a_dot_product_keeps_when_both_move(
    small_llama: Path,
) -> None:
    film = film_of(ClocksForPositions, Request(prompt="Δx é 🤖", checkpoint=small_llama))
    assert film.turns is not None
    width = film.turns.shape[-1]
    for pair, degrees in enumerate(film.rates.array):
        cosine = film.turns.array[1, pair, pair]
        sine = film.turns.array[1, pair, pair + width // 2]
        assert np.degrees(np.arctan2(sine, cosine)) == pytest.approx(degrees, abs=1e-3)
    before, after = film.moved_scores()
    assert before.number == pytest.approx(after.number, abs=1e-4)


def test_a_clock_turns_clockwise_from_upright() -> None:
    clock = Clock(np.pi / 2, np.zeros(2), 1.0)
    assert clock.hand.tip[0] == pytest.approx(0)
    clock.turn_to(1)
    assert clock.hand.tip[0] > 0.5
    assert clock.hand.tip[1] == pytest.approx(0)


def test_a_turn_lies_between_the_hands_of_a_place_and_of_the_one_a_step_on() -> None:
    rate, step = 0.4, 3
    row = [Clock(rate, np.array([2.0 * t, 1.0]), 0.8, t) for t in range(8)]
    turn = Turn(row, step, since=0)
    for since in (0, 4):
        turn.begin_at(since)
        for slid, hand in ((0, turn.ghost), (1, turn.hand)):
            turn.slide(slid)
            assert hand.tip == pytest.approx(row[since + slid * step].hand.tip)
    turn.slide(0)
    turn.turn_on(2)  # in the clock of the fifth place
    assert turn.ghost.tip - row[4].middle == pytest.approx(row[2].hand.tip - row[2].middle)


def test_a_square_shows_one_pair_after_another_and_evens_what_was_learned() -> None:
    rng = np.random.default_rng(0)
    clocks, own = (each + each.T for each in rng.uniform(-0.5, 0.5, (2, 6, 6)))
    picture = Likeness([clocks, own], words=4, step=2, side=2.0)
    for apart in range(6):
        expected = np.diagonal(own, apart).mean()
        assert np.allclose(np.diagonal(picture.means, apart), expected)
        assert np.allclose(np.diagonal(picture.means, -apart), expected)

    def drawn() -> float:
        return sum(len(shade.points) for shade in picture.paths) / 16

    for reached, cells in ((-1, 0), (0, 1), (3, 4), (6 + 1, 5), (3 * 6, 16)):
        picture.reach(reached)  # the row of the first word; then a step from the second; then all
        assert drawn() == cells
    picture.go_on(6)
    assert drawn() == 36
    points = np.concatenate([shade.points for shade in picture.paths])
    assert np.abs(points).max() == pytest.approx(1.0)  # whatever is shown stays in the square
    assert picture.cell(5, 5).get_right()[0] == pytest.approx(1.0)


@pytest.mark.parametrize("rate", [0.68, 0.02])
def test_words_round_a_clock_stand_off_it_and_off_each_other_in_the_order_of_their_hands(
    rate: float,
) -> None:
    """Even where their hands nearly agree."""
    words = ["a", "fluffy", "blue", "creature", "roamed", "the", "verdant", "forest"]
    circle = Round(rate, words, Region(-6.6, -2.0, -3.3, 3.5), Region(-2.0, 6.6, -3.3, 3.5))
    assert sorted(circle.order) == list(range(len(words)))
    for word, way in zip(circle.words, circle.ways, strict=True):
        word.shift(way)
    boxes = [area_of(word) for word in circle.words]
    for one, other in combinations(boxes, 2):
        assert (
            one.right < other.left
            or other.right < one.left
            or (one.bottom > other.top or other.bottom > one.top)
        )
    x, y, radius = circle.dial.own
    for box in boxes:
        near = np.clip((x, y), (box.left, box.bottom), (box.right, box.top))
        assert np.hypot(*(near - (x, y))) > radius
