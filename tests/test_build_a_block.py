"""Promises of the film build-a-block."""

import numpy as np
import pytest
from played import film_of, numbers

from checking.check import play_and_check
from model import checkpoint
from model.trace import watch
from scenes import theme
from scenes.block.build_a_block import BuildABlock
from scenes.camera import WHOLE
from scenes.film import SHIPPED, Request
from scenes.mobjects.tower import UNLIT, layers_drawn
from scenes.presence import hide, parts_of, presence


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


def test_all_mlps_that_carry_the_change_are_lit_in_the_end() -> None:
    """So the last picture holds both steps of every block, not attention alone."""
    film, _ = play_and_check(BuildABlock, Request(), "16:9")
    assert isinstance(film, BuildABlock)
    tower = film.tower
    for layer in range(film.layers):
        for token, is_changed in enumerate(tower.changed[layer + 1]):
            box, way = tower.boxes[layer][token], tower.taken[layer][token]
            assert presence(box) == 1
            assert presence(way) == float(is_changed)
            light = tower.lights[layer][token] if is_changed else UNLIT
            shade = theme.mix(theme.color(theme.OUTPUT), theme.color(theme.BACKGROUND), light)
            assert box.get_fill_color().to_hex() == shade
            assert light > UNLIT or not is_changed


def test_bars_tell_how_much_the_last_column_differs(film: BuildABlock) -> None:
    model, ids = checkpoint.load(SHIPPED).model, list(film.trace.ids)
    swapped = [*ids[: film.place], film.new_id, *ids[film.place + 1 :]]
    before, after = (watch(model, text)["resid_post"][:, -1] for text in (ids, swapped))
    shares = np.linalg.norm(after - before, axis=1) / np.linalg.norm(before, axis=1)
    shown = numbers(BuildABlock, Request(), beat="watch-it-spread")
    assert np.allclose(sorted(shares), sorted(shown.values())[-len(shares) :], atol=1e-4)


def test_pink_rises_in_columns_as_high_as_they_differ(film: BuildABlock) -> None:
    """From nothing, by one rule: a change of 2 % is not to look like one of 26 %."""
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    for step in range(film.layers + 1):
        shares = [share.number for share in film.changes[2 * step] if share.number > 1e-6]
        for share, glow in zip(shares, tower.glows(step), strict=True):
            column, level = glow.submobjects
            assert level.height / column.height == pytest.approx(min(share, 1.0))
            assert level.get_bottom()[1] == pytest.approx(column.get_bottom()[1])


@pytest.mark.parametrize("prompt", [None, "Zürich 12 and the old king"])
def test_a_change_is_told_only_when_it_has_arrived(prompt: str | None) -> None:
    film, _ = play_and_check(BuildABlock, Request(prompt=prompt), "16:9")
    assert isinstance(film, BuildABlock)
    for layer, told in zip(film.told, film.measures, strict=True):
        column = film.tower.glows(layer + 1)[-1]
        for each in (column, told):
            hide(each)
        on = film._carry_on(layer)
        for share in np.linspace(0, 1, 200):
            on.show_at(share)
            assert not presence(parts_of(told)[0]) or presence(column)
        assert presence(parts_of(told)[0]) == 1


def test_where_a_change_comes_from_is_seen_as_it_is_followed() -> None:
    film, _ = play_and_check(BuildABlock, Request(), "16:9")
    assert isinstance(film, BuildABlock)
    for part in (film.small_chip, film.tower.boxes[0][-1], film.topic, *film.measures):
        assert WHOLE.shows(part, film.stage)


def test_a_change_takes_no_way_that_attention_did_not_show() -> None:
    tower = play_and_check(BuildABlock, Request(), "16:9")[0].tower  # type: ignore[attr-defined]
    for lines, lit in zip(tower.lines, tower.lit, strict=True):
        ways = {(*line.get_start(), *line.get_end()) for line in lines}
        assert ways >= {(*line.get_start(), *line.get_end()) for line in lit}


def test_of_many_blocks_the_first_and_the_last_are_drawn() -> None:
    assert layers_drawn(1) == ([0], None)
    assert layers_drawn(5) == ([0, 1, 2, 3, 4], None)
    assert layers_drawn(30) == ([0, 1, 27, 28, 29], 2)
