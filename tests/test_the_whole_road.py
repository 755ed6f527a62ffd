"""Promises of the film the-whole-road."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from played import film_of, numbers

from checking.check import play_and_check
from model import checkpoint
from model.trace import watch
from scenes import theme
from scenes.figures.corridor import CHANGED, ENTRIES, Floats
from scenes.film import SHIPPED, Request
from scenes.presence import presence
from scenes.region import stage_area
from scenes.task.the_whole_road import Gated, TheWholeRoad


@pytest.fixture(scope="module")
def film() -> TheWholeRoad:
    return film_of(TheWholeRoad, Request())


@pytest.fixture
def road(film: TheWholeRoad) -> Gated:
    """Return the film's own road."""
    return gated(film)


def gated(film: TheWholeRoad) -> Gated:
    """Return a film's road, with stops at its ends."""
    begun = film.held("untrained.")
    made = Gated(film.tokens, means(film), film.vectors, stage=stage_area(), begun=begun)
    made.stops = [made.near(0), made.near(made.last)]
    return made


def means(film: TheWholeRoad) -> Floats:
    """Return what the model's layers look at, on the average of their heads."""
    return np.asarray(film.tensor("pattern").double.mean(axis=1))


def test_columns_hold_what_the_model_holds_after_each_step(film: TheWholeRoad, road: Gated) -> None:
    """The model is run once more; each entry's hue is its sign, after every step."""
    sites = watch(checkpoint.load(SHIPPED).model, list(film.trace.ids))
    for step in range(road.last + 1):
        layer, is_after_mlp = divmod(step - 1, 2)
        name = "resid_pre" if not step else ("resid_mid", "resid_post")[is_after_mlp]
        held = sites[name][max(layer, 0)][:, :ENTRIES]
        road.see_from(road.near(step))
        for token, column in enumerate(road.row):
            for number, cell in zip(held[token], column[1:-1], strict=True):
                role = theme.NEGATIVE if number < 0 else theme.POSITIVE
                assert cell.get_fill_color().to_hex() == theme.color(role)


def test_arcs_are_as_wide_as_the_mean_attention_of_their_layer(
    film: TheWholeRoad, road: Gated
) -> None:
    for weights, arcs in zip(means(film), road.arcs, strict=True):
        shown = [float(weights[tuple(pair)]) for pair in arcs.pairs]
        widths = [arc.weight_width for arc in arcs.arcs]
        slope, start = np.polyfit(shown, widths, 1)
        assert slope > 0
        assert np.allclose(start + slope * np.array(shown), widths, atol=1e-4)


def test_all_columns_look_in_every_block(road: Gated) -> None:
    for arcs in road.arcs:
        assert {query for query, _ in arcs.pairs} == set(range(1, len(road.xs)))


def test_the_last_column_looks_first_and_never_twice(road: Gated) -> None:
    seen = []
    for since in np.linspace(0.02, CHANGED, 80):
        road.see_from(road.near(float(since)))
        arcs = road.arcs[0]
        seen.append(
            {int(q) for (q, _), arc in zip(arcs.pairs, arcs.arcs, strict=True) if presence(arc)}
        )
    assert all(len(queries) <= 1 for queries in seen)
    order = [min(queries) for queries in seen if queries]
    turns = [order[0], *(b for a, b in pairwise(order) if a != b)]
    assert turns == [len(road.xs) - 1, *range(1, len(road.xs) - 1)]


def test_the_columns_stand_in_the_same_place_of_the_frame_at_every_step(road: Gated) -> None:
    """The camera goes along with them, so that what rides along need not move."""
    places = [road.place(road.top(-1, step), road.near(step)) for step in range(road.last + 1)]
    assert np.allclose(places, places[0])


@pytest.mark.parametrize("since", [0.1, 0.25, 0.5, 0.65])
def test_arcs_go_over_the_columns_and_never_across_them(road: Gated, since: float) -> None:
    for layer, arcs in enumerate(road.arcs):
        stop = road.near(2 * layer + since)
        road.see_from(stop)
        top = road.place(road.top(-1, stop.walk), stop)[1]
        seen = [arc for arc in arcs if presence(arc)]
        assert seen
        assert all(arc.points[:, 1].min() >= top for arc in seen)


def test_a_set_of_arcs_has_left_before_the_mlp_works(road: Gated) -> None:
    for layer in range(len(road.arcs)):
        for since in (1.0, 1.5, 2.0):
            road.see_from(road.near(2 * layer + since))
            assert not any(presence(arc) for arcs in road.arcs for arc in arcs)


def test_what_an_mlp_adds_grows_over_its_column_and_goes_into_it(road: Gated) -> None:
    """Once it has gone in, the column holds what the model holds after the MLP, not before."""
    last, colors = len(road.xs) - 1, list[list[str]]()
    for walk in (3.5, 3.84):  # the MLP of the second block
        road.see_from(road.near(walk))
        gift, column = road.rising[len(road.xs) + last], road.row[last]
        colors.append([cell.get_fill_color().to_hex() for cell in column[1:-1]])
        if walk < 3.84:
            assert all(presence(part) == 1 for part in gift)
            assert gift.get_bottom()[1] > column.get_top()[1]
            assert np.isclose(gift.get_x(), column.get_x(), atol=0.05)
            added = road.cut[4, last] - road.cut[3, last]
            shades = [road._color_at(float(number), 4) for number in added]
            under = theme.color(theme.BACKGROUND)
            cells = [cell.get_fill_color().to_hex() for cell in gift[1:]]
            assert cells == [theme.mix(color, under, opacity) for color, opacity in shades]
        else:
            assert not any(presence(part) for each in road.rising for part in each)
    after = [theme.NEGATIVE if n < 0 else theme.POSITIVE for n in road.cut[4, last]]
    assert colors[1] == [theme.color(role) for role in after]


def test_every_column_has_its_word_under_it_wherever_it_is(road: Gated) -> None:
    for walk in np.linspace(0, road.last, 17):
        stop = road.near(float(walk))
        road.see_from(stop)
        for token, (chip, column) in enumerate(zip(road.chips, road.row, strict=True)):
            assert presence(chip.plate) == 1
            foot = column[0].get_bottom()[1]
            assert chip.get_top()[1] < foot
            assert abs(chip.get_x() - column[0].get_x()) < 0.2 * road.lane, token


def test_of_all_gates_that_through_which_columns_walk_can_be_read(
    film: TheWholeRoad, road: Gated
) -> None:
    for block in range(film.blocks):
        road.see_from(road.among(2 * block))
        read = [sign[1].text for sign in road.signs if presence(sign[1])]
        assert read == [f"block {block + 1} of {film.blocks}"]
        road.see_from(road.near(2 * block))
        assert not any(
            map(presence, [*road.gates, *(part for each in road.signs for part in each)])
        )


def test_a_gate_goes_along_with_its_sign_until_the_next_one(road: Gated) -> None:
    for walk in (2.0, 2.5, 3.0):
        stop = road.among(walk)
        road.see_from(stop)
        assert presence(road.gates[1]) == 1
        top = road.place(np.array((0.0, road.top(0, walk)[1], road.high)), stop)
        assert np.isclose(road.gates[1].get_top()[1], top[1], atol=1e-3)
        sign = road.signs[1]  # it hangs clear of the gate's line, by half of its own height or so
        assert 0.2 * sign.height < top[1] - sign.get_top()[1] < sign.height


def test_columns_wait_for_each_step_of_the_first_block_alone(road: Gated) -> None:
    """There the steps are explained; from then on one walks without a halt."""
    walked = [
        float(road.top(-1, walk)[1]) for walk in np.linspace(0, road.last, 20 * road.last + 1)
    ]
    ways = np.diff(walked)
    assert (ways[:40] == 0).any()
    assert (ways[40:] > 0).all()


def test_what_is_farther_is_smaller_and_what_is_upright_stays_so(road: Gated) -> None:
    stop = road.near(0)
    (near, far), sizes = stop.seen(np.array([(1.0, 3.0, 0.0), (1.0, 9.0, 0.0)]))
    assert sizes[0] > sizes[1]
    assert near[0] > far[0] > 0
    foot, top = stop.seen(np.array([(1.0, 3.0, 0.0), (1.0, 3.0, 2.0)]))[0]
    assert foot[0] == top[0] < top[1] + foot[0] - foot[1]


def test_the_bars_are_the_chances_of_the_model(film: TheWholeRoad) -> None:
    logits = watch(checkpoint.load(SHIPPED).model, list(film.trace.ids))["logits"][-1]
    chances = np.exp(logits - logits.max())
    best = np.sort(chances / chances.sum())[::-1]
    shown = numbers(TheWholeRoad, Request(), beat="its-shares")
    bars = sorted((v for source, v in shown.items() if source.startswith("probs[")), reverse=True)
    assert np.allclose(bars, best[: len(bars)], atol=1e-5)
    assert len(bars) > 1


def test_before_training_columns_hold_what_the_model_as_it_began_holds(
    film: TheWholeRoad, road: Gated
) -> None:
    begun = film.tensor("untrained.resid_post").array[-1][:, :ENTRIES]
    road.see_from(replace(road.near(road.last), trained=0.0))
    for column, held in zip(road.row, begun, strict=True):
        for cell, number in zip(column[1:-1], held, strict=True):
            role = theme.NEGATIVE if number < 0 else theme.POSITIVE
            assert cell.get_fill_color().to_hex() == theme.color(role)


def test_before_training_bars_are_the_chances_of_the_model_as_it_began(film: TheWholeRoad) -> None:
    """Of the words that are listed, and of all others together; then they are its own again."""
    probs = film.tensor("untrained.probs").array[-1]
    told = numbers(TheWholeRoad, Request(), beat="who-made-it")
    begun = {source: value for source, value in told.items() if "untrained.probs" in source}
    assert np.allclose(sorted(begun.values())[:-1], sorted(probs[film.best]), atol=1e-6)
    assert np.isclose(max(begun.values()), 1 - probs[film.best].sum(), atol=1e-5)
    assert film.chances[0].source in told
    assert max(probs[film.best]) < 0.01 < film.chances[0].number


def test_the_last_column_is_seen_with_all_of_its_word_when_it_is_read() -> None:
    """Where a text has few words, columns are wide, and so is what stands before them."""
    film, _ = play_and_check(TheWholeRoad, Request("a yesterday"), "16:9")
    assert isinstance(film, TheWholeRoad)
    film.road.see_from(film.stops["reading"])
    assert presence(film.road.row[-1][0]) == 1
    assert presence(film.road.chips[-1].label) == 1
