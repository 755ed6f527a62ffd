"""Promises of the film build-a-block."""

import numpy as np
import pytest
from manim import VMobject
from played import film_of, numbers

from checking.check import play_and_check
from model import checkpoint
from model.trace import watch
from scenes import theme
from scenes.block.build_a_block import BuildABlock
from scenes.camera import box_of
from scenes.figures.route import widest_way
from scenes.figures.tower import (
    BESIDE,
    LEAST,
    SLIMMEST,
    UNLIT,
    WHOLE_WIDTH,
    Pose,
    layers_drawn,
    on_ground,
)
from scenes.film import SHIPPED, Request
from scenes.presence import parts_of, presence


@pytest.fixture(scope="module")
def film() -> BuildABlock:
    return film_of(BuildABlock, Request())


def test_a_change_never_goes_to_the_left(film: BuildABlock) -> None:
    """Both texts are run once more; the columns before the swapped word stay as they are."""
    model = checkpoint.load(SHIPPED).model
    ids = list(film.trace.ids)
    swapped = [*ids[: film.place], film.new_id, *ids[film.place + 1 :]]
    for site in ("resid_pre", "resid_mid", "resid_post"):
        before, after = (watch(model, text)[site] for text in (ids, swapped))
        assert np.array_equal(before[:, : film.place], after[:, : film.place])
        assert (before[:, film.place :] != after[:, film.place :]).any()
    assert all(row[i].number == 0 for row in film.changes for i in range(film.place))


def test_it_spreads_sideways_in_attention_alone(film: BuildABlock) -> None:
    changed = [[change.number > 1e-6 for change in row] for row in film.changes]
    assert sum(changed[0]) == 1
    for layer in range(film.layers):
        after_attention, after_mlp = changed[2 * layer + 1], changed[2 * layer + 2]
        assert after_attention == after_mlp


def test_the_last_block_guesses_what_the_model_guesses(film: BuildABlock) -> None:
    piece, chance = film.guesses[0][-1]
    assert chance.number == pytest.approx(float(film.trace.probs[-1].max()), abs=1e-5)
    (own,) = checkpoint.load(SHIPPED).tokenizer.pieces([int(film.trace.probs[-1].argmax())])
    assert piece == own


def test_the_guess_sharpens_and_the_other_word_gives_another_one(film: BuildABlock) -> None:
    (first, other) = (guesses[-1][0] for guesses in film.guesses)
    assert (first, other) == (" queen", " princess")
    chances = film.tensor("early.probs").array[:, int(film.trace.probs[-1].argmax())]
    assert (np.diff(chances) > -0.01).all()
    assert chances[-1] > 0.9
    assert chances[0] < 0.1


def test_the_word_that_is_swapped_changes_the_guess_most(film: BuildABlock) -> None:
    """Every other word is swapped for its own stand-in, too."""
    model, ids = checkpoint.load(SHIPPED).model, film.trace.ids
    table = film.trace.weights.W_E

    def gap(place: int) -> float:
        new = film._stand_in(table, ids[place])
        text = [*ids[:place], new, *ids[place + 1 :]]
        return float(np.abs(watch(model, text)["probs"][-1] - film.trace.probs[-1]).sum())

    gaps = [gap(place) for place in range(len(ids) - 1)]
    assert int(np.argmax(gaps)) == film.place


def test_no_common_word_is_swapped_where_a_rarer_one_stands() -> None:
    film = film_of(BuildABlock, Request(prompt="Zürich 12 and the old king"))
    assert film.tokens[film.place] == " old"


def test_all_mlps_that_carry_the_change_are_lit_as_it_goes_up(film: BuildABlock) -> None:
    """So the picture holds both steps of every block, not attention alone."""
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    tower.see(Pose(blocks=film.layers, flow=2.0 * film.layers, light=1.0))
    for layer, (_, _, after) in enumerate(tower.changes):
        for token, change in enumerate(after):
            box = tower.boxes[layer][token]
            assert presence(box) == 1
            light = UNLIT + (1 - UNLIT) * min(float(change), 1.0)
            assert box.get_fill_color().to_hex() == on_ground(theme.OUTPUT, light)


def test_in_the_end_one_way_leads_from_the_swapped_word_to_the_answer(film: BuildABlock) -> None:
    """It is the widest way: no other one has a wider narrowest step sideways."""
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    start, *_, end = tower.route.corners
    assert start == pytest.approx((tower.xs[film.place], tower.foot))
    assert end == pytest.approx((tower.xs[-1], tower.top))
    assert tower.route.hops
    lit = [box for row in tower.boxes for box in row if _is_lit(box)]
    assert lit == [tower.boxes[i][tower.route.column(i)] for i in range(film.layers)]
    assert not any(presence(pink) for row in tower.pink for pink in row)


def _is_lit(box: VMobject) -> bool:
    return bool(box.get_fill_color().to_hex() == on_ground(theme.OUTPUT, 1.0))


def test_the_widest_way_is_as_wide_as_its_narrowest_step() -> None:
    carried = np.zeros((3, 3, 3))
    carried[0, 2, 0] = 0.1  # straight across
    carried[0, 1, 0], carried[2, 2, 1] = 0.5, 0.4  # or in two steps
    carried[2, 2, 0] = 0.3
    assert widest_way(carried, 0) == [(0, 0, 1), (2, 1, 2)]
    assert widest_way(np.zeros((3, 3, 3)), 0) == []


def test_bars_tell_how_much_the_last_column_differs(film: BuildABlock) -> None:
    model, ids = checkpoint.load(SHIPPED).model, list(film.trace.ids)
    swapped = [*ids[: film.place], film.new_id, *ids[film.place + 1 :]]
    before, after = (watch(model, text)["resid_post"][:, -1] for text in (ids, swapped))
    shares = np.linalg.norm(after - before, axis=1) / np.linalg.norm(before, axis=1)
    shown = numbers(BuildABlock, Request(), beat="further-up").items()
    told = sorted(value for source, value in shown if "blocks up to here" not in source)
    assert np.allclose(sorted(shares), told[-len(shares) :], atol=1e-4)


def test_pink_in_columns_is_as_wide_as_they_differ(film: BuildABlock) -> None:
    """By one rule, before, between and after the steps of each block, as the film measured it."""
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    tower.see(Pose(blocks=film.layers, flow=2.0 * film.layers, light=1.0))
    for layer, pinks in enumerate(tower.pink):
        for token, pink in enumerate(pinks):
            steps = film.changes[2 * layer : 2 * layer + 3]
            before, _, after = (step[token].number for step in steps)
            assert presence(pink) == float(after > LEAST)
            for change, height in ((before, 0), (after, -1)):
                if change <= LEAST:
                    continue
                levels = np.unique(pink.points[:, 1].round(6))
                level = pink.points[np.isclose(pink.points[:, 1], levels[height], atol=1e-5), 0]
                wide = max(min(change, 1.0) * WHOLE_WIDTH * tower.pitch, SLIMMEST)
                assert np.ptp(level) == pytest.approx(wide, abs=1e-4)


@pytest.mark.parametrize("prompt", [None, "Zürich 12 and the old king"])
def test_a_change_is_told_only_when_it_has_arrived(prompt: str | None) -> None:
    film, _ = play_and_check(BuildABlock, Request(prompt=prompt), "16:9")
    assert isinstance(film, BuildABlock)
    tower = film.tower
    for layer, told in enumerate(tower.told):
        for flow in np.linspace(0, len(tower.told) * 2, 65):
            tower.see(Pose(blocks=len(tower.told), flow=float(flow), light=1.0))
            assert presence(parts_of(told)[-1]) == float(flow >= 2 * layer + 2)


def test_a_change_goes_sideways_to_the_right_alone(film: BuildABlock) -> None:
    """Along each way on which attention carries some of it; from columns that have changed."""
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    tower.see(Pose(blocks=film.layers, flow=2.0 * film.layers, light=1.0))
    for layer, (pairs, ways) in enumerate(zip(tower.pairs, tower.lit, strict=True)):
        changed = [change.number > LEAST for change in film.changes[2 * layer]]
        assert pairs
        for (query, key), way in zip(pairs, ways, strict=True):
            assert changed[key]
            assert query > key
            assert way.points[0, 0] == pytest.approx(tower.xs[key])
            assert way.points[-1, 0] == pytest.approx(tower.xs[query])


def test_where_a_change_comes_from_is_seen_as_it_is_followed() -> None:
    film, _ = play_and_check(BuildABlock, Request(), "16:9")
    assert isinstance(film, BuildABlock)
    for part in (film.small_chip, film.tower.boxes[0][-1], film.topic, *film.tower.told):
        box = box_of(part)
        assert film.stage.left <= box.left
        assert box.right <= film.stage.right
        assert film.stage.bottom <= box.bottom
        assert box.top <= film.stage.top


def test_blocks_are_equally_high_and_fill_the_room_as_the_change_goes_up(film: BuildABlock) -> None:
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    for flow in range(2 * film.layers + 1):
        tower.see(Pose(blocks=film.layers, flow=flow, light=1.0))
        assert np.ptp(np.diff(tower.floors)) == pytest.approx(0, abs=1e-9)
        assert tower.floors[-1] == pytest.approx(tower.top)


def test_each_mlp_stands_beside_its_column_clear_of_the_next_one() -> None:
    """So a column goes straight up through both steps, to which it is added alike."""
    film, _ = play_and_check(BuildABlock, Request(), "16:9")
    assert isinstance(film, BuildABlock)
    first, tower = film.first, film.tower
    for drawn, boxes in ((first, first.boxes), *((tower, row) for row in tower.boxes)):
        for x, box in zip(drawn.xs, boxes, strict=True):
            assert x < float(box.get_left()[0])
            assert float(box.get_right()[0]) < x + (1 + BESIDE) / 2 * drawn.pitch


def test_of_many_blocks_the_first_and_the_last_are_drawn() -> None:
    assert layers_drawn(1) == ([0], None)
    assert layers_drawn(5) == ([0, 1, 2, 3, 4], None)
    assert layers_drawn(30) == ([0, 1, 27, 28, 29], 2)
