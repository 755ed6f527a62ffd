"""Promises of the film the-whole-road."""

from dataclasses import replace

import numpy as np
import pytest
from played import film_of, numbers

from model import checkpoint
from model.trace import watch
from scenes import theme
from scenes.film import SHIPPED, Request
from scenes.mobjects.arcs import SEEN
from scenes.mobjects.corridor import ENTRIES, Corridor
from scenes.presence import presence
from scenes.region import stage_area
from scenes.task.the_whole_road import Gated, TheWholeRoad


@pytest.fixture(scope="module")
def film() -> TheWholeRoad:
    return film_of(TheWholeRoad, Request())


@pytest.fixture
def road(film: TheWholeRoad) -> Corridor:
    changes = np.linalg.norm(film.tensor("mlp_out").double, axis=2)
    embeddings, patterns = (film.tensor(name).double for name in ("embed", "pattern"))
    stage = stage_area()
    made = Corridor(film.tokens, embeddings, patterns, changes, film.vectors, stage=stage)
    made.stops = [made.near(0), made.near(made.last)]
    return made


def gated(film: TheWholeRoad) -> Gated:
    """Return the film's own road."""
    changes = np.linalg.norm(film.tensor("mlp_out").double, axis=2)
    patterns, begun, embeddings = (
        film.tensor(name).double for name in ("pattern", "untrained.pattern", "embed")
    )
    before = film.tokens, embeddings, begun, changes, film.held("untrained.")
    walked = film.tokens, embeddings, patterns, changes, film.vectors
    return Gated(before, *walked, stage=stage_area(), more=0)


def test_columns_hold_what_the_model_holds_after_each_step(
    film: TheWholeRoad, road: Corridor
) -> None:
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
    film: TheWholeRoad, road: Corridor
) -> None:
    mean = film.trace.pattern.mean(axis=1)
    for layer, arcs in enumerate(road.arcs):
        weights = np.sort(mean[layer][np.tril_indices_from(mean[layer], -1)])
        widths = np.sort([arc.weight_width for arc in arcs])
        shown = weights[len(weights) - len(widths) :]
        slope, start = np.polyfit(shown, widths, 1)
        assert slope > 0
        assert np.allclose(start + slope * shown, widths, atol=1e-4)


def test_the_columns_stand_in_the_same_place_of_the_frame_at_every_step(road: Corridor) -> None:
    """The camera goes along with them, so that what rides along need not move."""
    places = [road.place(road.top(-1, step), road.near(step)) for step in range(road.last + 1)]
    assert np.allclose(places, places[0])


@pytest.mark.parametrize("since", [0.1, 0.25, 0.5, 0.7])
def test_arcs_go_over_the_columns_and_never_across_them(road: Corridor, since: float) -> None:
    for layer, arcs in enumerate(road.arcs):
        stop = road.near(2 * layer + since)
        road.see_from(stop)
        top = road.place(road.top(-1, stop.walk), stop)[1]
        seen = [arc for arc in arcs if presence(arc)]
        assert seen
        assert all(arc.points[:, 1].min() >= top for arc in seen)


def test_a_set_of_arcs_has_left_before_the_mlp_works(road: Corridor) -> None:
    for layer in range(len(road.arcs)):
        for since in (1.0, 1.5, 2.0):
            road.see_from(road.near(2 * layer + since))
            assert not any(presence(arc) for arcs in road.arcs for arc in arcs)


def test_what_an_mlp_adds_grows_over_its_column_and_goes_into_it(road: Corridor) -> None:
    """Once it has gone in, the column holds what the model holds after the MLP, not before."""
    last, colors = len(road.xs) - 1, []
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
    assert colors[1] == [theme.color(role) for role in after] != colors[0]


def test_at_the_end_the_last_column_alone_shows_what_it_looked_at(road: Corridor) -> None:
    road.see_from(road.near(road.last, arcs=1.0))
    seen = [arc for arcs in road.arcs for arc in arcs if presence(arc)]
    assert seen == [a for a, own in zip(road.arcs[-1], road.arcs[-1].is_last, strict=True) if own]


def test_every_column_has_its_word_under_it_wherever_it_is(road: Corridor) -> None:
    for walk in np.linspace(0, road.last, 17):
        stop = road.near(float(walk))
        road.see_from(stop)
        for token, (chip, column) in enumerate(zip(road.chips, road.row, strict=True)):
            assert presence(chip.plate) == 1
            foot = column[0].get_bottom()[1]
            assert chip.get_top()[1] < foot
            assert abs(chip.get_x() - column[0].get_x()) < 0.2 * road.lane, token


def test_of_all_gates_that_through_which_columns_walk_can_be_read(film: TheWholeRoad) -> None:
    road = gated(film)
    for block in range(film.blocks):
        road.see_from(road.near(2 * block, gates=1.0))
        read = [sign[1].text for sign in road.signs if presence(sign[1])]
        assert read == [f"block {block + 1}"]
        road.see_from(road.near(2 * block))
        assert not any(
            map(presence, [*road.gates, *(part for each in road.signs for part in each)])
        )


def test_columns_wait_for_each_step_of_the_first_block_alone(road: Corridor) -> None:
    """There the steps are explained; from then on one walks without a halt."""
    walked = [
        float(road.top(-1, walk)[1]) for walk in np.linspace(0, road.last, 20 * road.last + 1)
    ]
    ways = np.diff(walked)
    assert (ways[:40] == 0).any()
    assert (ways[40:] > 0).all()


def test_what_is_farther_is_smaller_and_what_is_upright_stays_so(road: Corridor) -> None:
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
    shown = numbers(TheWholeRoad, Request(), beat="the-last-column")
    bars = sorted((v for source, v in shown.items() if source.startswith("probs[")), reverse=True)
    assert np.allclose(bars, best[: len(bars)], atol=1e-5)
    assert len(bars) > 1


def test_the_whole_road_is_lit_at_the_end(road: Corridor) -> None:
    whole = road.far(stage_area().top - 1, road.last)
    road.see_from(replace(whole, lit=0.0))
    dark = [presence(arc) for arcs in road.arcs for arc in arcs]
    road.see_from(whole)
    lit = [presence(arc) for arcs in road.arcs for arc in arcs]
    assert min(lit) == 1 > max(dark)
    assert all(presence(part) == 1 for column in road.row for part in column)


def test_before_training_columns_look_anywhere(film: TheWholeRoad) -> None:
    """Of the tokens that it sees, an untrained model gives none twice its even share."""
    pattern = film.tensor("untrained.pattern").double.mean(axis=1)
    for weights in pattern:
        for query, row in enumerate(weights):
            assert row.max() < 2 / (query + 1) + (not query)


def test_arcs_grow_from_untrained_weights_into_trained_ones(film: TheWholeRoad) -> None:
    begun, patterns = (film.tensor(name).double for name in ("untrained.pattern", "pattern"))
    road = gated(film)
    whole = road.far(stage_area().top - 1, road.last)
    for share, weights in ((0.0, begun), (0.999, patterns)):
        road.see_from(replace(whole, trained=share))
        assert not any(presence(arc) for arcs in road.arcs for arc in arcs)
        for layer, arcs in enumerate(road.learning):
            seen = {
                tuple(pair) for pair, arc in zip(arcs.pairs, arcs, strict=True) if presence(arc)
            }
            strong = np.argwhere(np.tril(weights[layer].mean(axis=0), -1) >= SEEN)
            assert {tuple(pair) for pair in strong} <= seen
    road.see_from(whole)
    assert not any(presence(arc) for arcs in road.learning for arc in arcs)
    assert all(presence(arc) for arcs in road.arcs for arc in arcs)


def test_before_training_the_same_columns_and_blocks_stand_there(film: TheWholeRoad) -> None:
    """Only their numbers and what they look at are others: those of the model as it began."""
    road = gated(film)
    whole, begun = road.far(stage_area().top - 1, road.last), film.tensor("untrained.resid_post")
    for share, columns in ((0.0, road.begun.row), (1.0, road.row)):
        road.see_from(replace(whole, trained=share))
        for row in (road.row, road.begun.row):
            seen = {presence(part) for column in row for part in column}
            assert seen == ({1.0} if row is columns else {0.0})
        strips = [part for rows in road.rows[1::2] for part in rows.values()]
        assert all(presence(part) > 0.5 for part in strips)
    held = begun.array[-1][:, :ENTRIES]
    for column, numbers_of in zip(road.begun.row, held, strict=True):
        for cell, number in zip(column[1:-1], numbers_of, strict=True):
            role = theme.NEGATIVE if number < 0 else theme.POSITIVE
            assert cell.get_fill_color().to_hex() == theme.color(role)


def test_our_columns_stay_in_front_of_the_blocks_of_gpt_3(road: Corridor) -> None:
    """Ours hold fewer numbers than its columns: they are seen, and go no further."""
    road.see_from(road.near(road.last, beyond=1.0))
    assert all(presence(part) for column in (*road.row, *road.chips) for part in column)
    assert road.top(-1, road.last)[1] < road.end[1]


def test_each_block_on_the_whole_road_leaves_a_strip_for_its_mlp(road: Corridor) -> None:
    road.see_from(road.far(stage_area().top - 1, road.last))
    strips = [part for rows in road.rows[1::2] for part in rows.values()]
    assert len(strips) == 2 * len(road.arcs)
    for strip in strips:
        assert strip.get_fill_color().to_hex() == theme.color(theme.OUTPUT)
        assert presence(strip) > 0.5
