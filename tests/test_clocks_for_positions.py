"""Promises of the film clocks-for-positions."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
import torch
from manim import VMobject
from played import film_of

from scenes.analysis.waves import in_time, read_most, waves
from scenes.expressions import looks_back
from scenes.figures.kept_hands import ON, KeptHands, Stride
from scenes.figures.place_maps import LookLine, NextTime, PlaceWaves
from scenes.film import Request
from scenes.mobjects.clock import LENGTH, Clock, Ride, Round, Turn
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


def test_by_places_alone_a_head_looks_one_place_back(film: ClocksForPositions) -> None:
    """Of one word, again and again, nothing but its places can tell."""
    weights = film.tensor("repeated.pattern").array
    assert weights.shape[-1] == len(film.waves)
    rows = weights[tuple(film.looking)]
    assert (rows[1:].argmax(axis=-1) == np.arange(len(rows) - 1)).all()
    assert np.diagonal(rows, -1).min() > 0.9
    assert film.hits.number == film.asked == len(rows) - 1
    assert film.circumstances()["from_waves"]


def test_the_head_is_asked_that_looks_as_far_back_at_the_most_places() -> None:
    """The first key has no other to look at and is not counted; to look at oneself is not back."""
    oneself, noise = np.eye(6), np.tri(6) * np.array([0, 0, 0, 0, 1, 0])[:, None]
    two_back = np.eye(6, k=-2) + np.diag([1, 1, 0, 0, 0, 0])
    weights = np.stack([[oneself, noise], [noise, two_back]])
    assert looks_back(weights) == (1, 1, 2, 4)


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


def test_turned_on_by_a_place_a_hand_shows_the_time_of_the_next_one(
    film: ClocksForPositions,
) -> None:
    """So a place finds its own time in the word before it."""
    points = waves(np.radians([film.a_word.number]), 8)[5:7]
    pair = NextTime(film.a_word, points, film.tokens[-2:], Region(-6.0, 6.0, -3.0, 3.0))
    pair.carried.open(1)
    pair.carried.go_over(1)
    one, other = pair.carried.hand, pair.clocks[1].hand
    assert one.tip == pytest.approx(other.tip, abs=1e-6)
    assert one.tail == pytest.approx(other.tail)


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


def test_the_hand_that_is_turned_on_keeps_time_within_twenty_degrees(
    film: ClocksForPositions,
) -> None:
    """It is the one that the head reads most; so it nearly shows the next word's time."""
    hand = film.turning[0]
    assert read_most(film.tensor("weights.W_Q").double[tuple(film.looking)])[0] == hand
    angles = np.degrees(np.arctan2(*film.tensor("own").double[:16, 2 * hand :].T[:2]))
    off = np.diff(angles) - film.tensor("started_rates").double[hand]
    assert np.abs((off + 180) % 360 - 180).max() < 20


def test_the_head_turns_the_hands_that_it_reads_back_by_a_word(film: ClocksForPositions) -> None:
    """Of each, its scores are all but a rotation; by the seven alone, it looks one back."""
    query, key = (film.tensor(f"weights.{n}").double[tuple(film.looking)] for n in ("W_Q", "W_K"))
    own, rates = film.tensor("own").double, film.tensor("started_rates").double
    scores = np.zeros((len(own), len(own)))
    for hand in film.turning:
        pair = slice(2 * hand, 2 * hand + 2)
        block = query[pair] @ key[pair].T
        turned = np.hypot(block[0, 0] + block[1, 1], block[0, 1] - block[1, 0])
        mirrored = np.hypot(block[0, 0] - block[1, 1], block[0, 1] + block[1, 0])
        assert turned > 7 * mirrored
        back = np.degrees(np.arctan2(block[0, 1] - block[1, 0], block[0, 0] + block[1, 1]))
        assert back == pytest.approx(rates[hand], abs=12)
        scores += own[:, pair] @ block @ own[:, pair].T
    seen = np.where(np.tri(len(own)) > 0, scores, -np.inf)
    assert (seen[1:].argmax(axis=1) == np.arange(len(own) - 1)).all()


def test_hands_that_keep_time_are_those_that_the_head_reads(film: ClocksForPositions) -> None:
    """All but one; the others point elsewhere than before training, and are shorter."""
    own = film.tensor("own").double
    lengths = np.linalg.norm(own.reshape(len(own), -1, 2), axis=-1).mean(axis=0)
    read = [*film.turning]
    lost = [hand for hand in range(len(lengths)) if hand not in film.in_time]
    assert (len(film.in_time), len(read)) == (8, 7)
    assert lengths[read].min() > 2 * np.median(lengths[lost])


def test_hands_in_time_point_alike_and_those_read_most_have_the_largest_weights() -> None:
    one = waves(np.array([0.3, 1.1]), 8)
    assert in_time(one, 2 * one) == [0, 1]
    turned = np.stack([one[:, 1], -one[:, 0], one[:, 2], one[:, 3]], axis=1)
    assert in_time(one, turned) == [1]
    assert read_most(np.diag([1.0, 1, 3, 3, 2, 2])[:, 2:]) == [1, 2]


def test_hands_are_drawn_as_they_were_made_then_as_training_left_them_and_at_last_by_themselves(
    film: ClocksForPositions,
) -> None:
    """No hand is drawn longer than it was made."""
    started, own = (film.tensor(name).double for name in ("started", "own"))
    stage = Region(-6.0, 6.0, -3.0, 3.0)
    kept = KeptHands([started, own], [4], 4, stage)
    made = np.hypot(*started[0, 8:10])
    for trained, place in ((0.0, 0), (0.0, 3), (1.0, 3), (1.0, len(own) - 1)):
        kept.train(trained)
        kept.turn_to(place)
        hand, (right, up) = kept.clocks[4].hand, (own if trained else started)[place, 8:10]
        way = hand.tip - hand.tail
        assert np.arctan2(*way) == pytest.approx(np.arctan2(right, up), abs=1e-6)
        whole = LENGTH * kept.clocks[4].radius
        assert np.hypot(*way) == pytest.approx(whole * min(np.hypot(right, up) / made, 1.0))
        right, up = started[place, 8:10]
        old = kept.old[4].tip - kept.old[4].tail
        assert np.arctan2(*old) == pytest.approx(np.arctan2(right, up), abs=1e-6)
    before = kept.clocks[4].radius
    kept.gather(1.0)
    assert kept.clocks[4].radius > 2 * before


def test_the_hands_that_are_kept_turn_as_fast_as_they_did_at_the_start(
    film: ClocksForPositions,
) -> None:
    """A hand's two numbers before training are a sine and a cosine of its rate times the place."""
    rates, started = film.tensor("started_rates").double, film.tensor("started").double
    expected = waves(np.radians(rates), len(started))
    assert np.allclose(started, np.abs(started).max() * expected, atol=1e-4)
    assert {*film.turning} <= {*film.in_time}


def test_arcs_lead_back_to_where_a_place_looks_most_and_the_line_goes_on_to_the_last(
    film: ClocksForPositions,
) -> None:
    """An arc whose end is not seen is not drawn, nor is one from a place to itself."""
    weights = np.eye(12, k=-1)
    weights[0, 0] = 1
    weights[7] = np.eye(12)[7]
    found = film.hits, film.a_word, film.a_word
    line = LookLine(weights, "so", found, [film.a_word] * 2, Region(-6.0, 6.0, -3.0, 3.0))

    def arcs() -> int:
        return sum(bool(np.ptp(arc.points)) for arc in line.arcs)

    for places, number in ((0, 0), (1, 1), (2, 2), (line.slots - 1, line.slots - 1)):
        line.reach(places)
        assert arcs() == number
    line.go_on(11)
    assert arcs() == line.slots - 1 - (12 - line.slots < 7)
    assert max(arc.points[:, 0].max() for arc in line.arcs) < 6


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


def test_hands_that_are_kept_are_seen_near_their_old_ones_and_most_others_shrank(
    film: ClocksForPositions,
) -> None:
    """Where they stop; the one that comes near turns less than a quarter a word, so it is seen."""
    pictures = [film.tensor(name).double for name in ("started", "own")]
    kept = KeptHands(pictures, film.in_time, film.turning[0], Region(-6.0, 6.0, -3.0, 3.0))
    assert kept.near in film.in_time
    assert kept.angles[0, 1, kept.near] < np.pi / 2
    off = np.abs(kept.angles[1, ON] - kept.angles[0, ON])[film.in_time]
    assert np.degrees(off).max() < 40
    assert kept.lengths[1, ON, film.in_time].min() > 0.8
    lost = [hand for hand in kept.hands if hand not in film.in_time]
    assert np.median(kept.lengths[1, :, lost].mean(axis=-1)) < 0.5
