"""Promises of the film clocks-for-positions."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from manim import VMobject
from played import film_of

from scenes.analysis.waves import keeps_pace, waves
from scenes.figures.kept_hands import ON, KeptHand, Stride
from scenes.figures.place_maps import Drowned, PlaceWaves
from scenes.film import Request
from scenes.mobjects.clock import Clock, Ride, Round, Turn
from scenes.provenance import constant
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
    clock = Clock(rate, np.array([2.0, 1.0]), 0.8)
    turn = Turn(clock, step, since=0)
    for since in (0, 4):
        turn.begin_at(since)
        for place, hand in ((since, turn.ghost), (since + step, turn.hand)):
            clock.turn_to(place)
            assert hand.tip == pytest.approx(clock.hand.tip)


def test_a_step_s_arc_leads_from_a_word_to_the_one_so_many_on(film: ClocksForPositions) -> None:
    words, across = [VMobject() for _ in range(8)], [1.5 * t - 6 for t in range(8)]
    room = Region(-6.6, 6.6, -2.0, 3.0)
    stride = Stride(room, film.rates.values[:3], 3, words, across)
    for place in (0, 4, 2):
        stride.begin_at(place)
        assert stride.arc.points[0][0] == pytest.approx(across[place])
        assert stride.arc.points[-1][0] == pytest.approx(across[place + 3])
    assert [told.get_y() > 0 for told in stride.degrees] == [True] * 3


def test_a_large_clock_goes_along_a_row_and_shows_the_time_of_each() -> None:
    row = [Clock(0.7, np.array([1.5 * t, 1.0]), 0.5, t) for t in range(8)]
    ride = Ride(row, Region(-1.0, 12.0, -2.0, 1.0))
    for place, clock in enumerate(row):
        ride.go_to(place)
        own, way = (each.hand.tip - each.hand.tail for each in (clock, ride.clock))
        assert way / np.hypot(*way) == pytest.approx(own / np.hypot(*own), abs=1e-6)
    ride.go_to(3)
    assert ride.clock.middle[0] == pytest.approx(row[3].middle[0])


def test_waves_are_drawn_within_their_rows_and_further_hands_are_slower(
    film: ClocksForPositions,
) -> None:
    numbers, rates = film.waves.double, film.rates.values
    drawn = PlaceWaves([numbers], film.hands, 8, rates, Region(-6.0, 6.0, -3.0, 3.0))
    assert drawn.rows == drawn.first + len(drawn.slower)
    for places in (8, 20.5, len(numbers)):
        drawn.go_on(places)
        points = np.concatenate([bars.points for bars in drawn.bars])
        assert points[:, 0].max() <= drawn.box.right + 1e-9
    drawn.deepen(1)
    bars = sum(len(bars.points) for bars in drawn.bars) / 16
    assert 0.9 * drawn.rows * len(numbers) < bars < drawn.rows * len(numbers)


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


def test_the_hand_that_is_shown_keeps_within_thirty_degrees_of_its_pace(
    film: ClocksForPositions,
) -> None:
    """Its two numbers before training are a sine and a cosine of its rate times the place."""
    assert film.kept is not None
    pair = slice(2 * film.kept, 2 * film.kept + 2)
    started, own = (film.tensor(name).double[:, pair] for name in ("started", "own"))
    rate = np.arctan2(*started[1])
    assert 0 < rate < np.pi / 2
    expected = waves(np.array([rate]), len(started))
    assert np.allclose(started, np.abs(started).max() * expected, atol=1e-4)
    off = np.degrees(np.arctan2(*own[: ON + 1].T) - np.arctan2(*started[: ON + 1].T))
    assert np.abs((off + 180) % 360 - 180).max() < 30
    assert film.circumstances()["from_waves"]


def test_the_fastest_hand_that_points_alike_is_kept_unless_it_turns_a_quarter() -> None:
    one = waves(np.array([0.3, 1.1, 1.7]), 8)
    assert keeps_pace(one, 2 * one) == 1
    turned = one.copy()
    turned[:, 2:4] = np.stack([one[:, 3], -one[:, 2]], axis=1)
    assert keeps_pace(one, turned) == 0
    assert keeps_pace(one[:, 4:], one[:, 4:]) is None


def test_a_hand_goes_on_beside_what_it_was(film: ClocksForPositions) -> None:
    assert film.kept is not None
    pair = slice(2 * film.kept, 2 * film.kept + 2)
    pictures = [film.tensor(name).double[:, pair] for name in ("started", "own")]
    dial = KeptHand(pictures, film.rates[0].value, Region(-6.0, 6.0, -3.0, 3.0))
    for trained, place in ((0, 0), (0, 3), (1, 3), (1, ON)):
        dial.train(trained)
        dial.turn_to(place)
        for hand, shown in ((dial.made, 0), (dial.clock.hand, trained)):
            way = hand.tip - hand.tail
            assert way / np.hypot(*way) == pytest.approx(
                pictures[shown][place] / np.hypot(*pictures[shown][place]), abs=1e-6
            )


def test_what_is_added_lifts_bars_of_one_scale_within_their_room() -> None:
    room = Region(-6.0, 6.0, -3.0, 3.0)
    pairs = [(constant(own, "own"), constant(own + 8, "sum")) for own in (0.2, -0.1, 0.0)]
    drowned = Drowned(pairs, room)
    for share in (0.0, 0.4, 1.0):
        drowned.add_up(share)
        points = np.concatenate([path.points for path in (*drowned.own, drowned.added)])
        assert points[:, 1].min() >= room.bottom - 1e-6
        assert max(number.get_top()[1] for number in drowned.numerals) <= room.top + 1e-6
    assert [number.text for number in drowned.numerals] == ["8.20", "7.90", "8.00"]
    unit = np.ptp(drowned.added.points[:, 1]) / 8.0
    assert np.ptp(drowned.own[0].points[:, 1]) == pytest.approx(0.2 * unit)
