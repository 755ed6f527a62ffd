"""Weights scale values in view, and the rows add up to their sum."""

import numpy as np
import pytest
from manim import Scene, VGroup

from scenes.first_mobjects.tile_row import TileRow, row_form
from scenes.first_mobjects.weighted_values import WeightedValues
from scenes.mobjects.text import Words
from scenes.provenance import Tensor
from scenes.region import Region

REGION = Region(-6.0, 6.0, -3.0, 2.0)
WEIGHTS = np.array([0.25, 0.75, 0.0], dtype=np.float32)
VALUES = np.array([[4.0, -2, 8, 1], [0, 4, -4, 1], [9, 9, 9, 9]], dtype=np.float32)


def mixture(region: Region = REGION) -> WeightedValues:
    weights, values = Tensor(WEIGHTS, "w"), Tensor(VALUES, "v")
    return WeightedValues(weights, values, ["one", " two"], region)


def test_only_the_tokens_that_may_be_seen_have_a_row() -> None:
    assert [source.token.text for source in mixture().sources] == ["one", "·two"]


def test_a_scaled_row_shows_the_weight_times_the_value_and_fades_with_it() -> None:
    mixed = mixture()
    row = mixed.sources[0].row
    before = [float(tile.get_fill_opacity()) for tile in row.tiles]
    scaling = row.count_to(mixed.scaled[0])
    scaling.begin()
    scaling.interpolate(1.0)
    assert [number.text for number in row.numbers] == ["1.00", "\N{MINUS SIGN}0.50", "2.00", "0.25"]
    assert row.numbers[0].value.source == "= w[0] * v[0,0]"
    after = [float(tile.get_fill_opacity()) for tile in row.tiles]
    np.testing.assert_allclose(after, 0.25 * np.array(before), atol=1e-6)


def test_the_sum_is_that_of_all_rows() -> None:
    mixed = mixture()
    adding = mixed.total.add_up(mixed.scaled, mixed.sums)
    adding.begin()
    adding.interpolate(1.0)
    np.testing.assert_allclose(
        [number.value.number for number in mixed.total.numbers], WEIGHTS @ VALUES
    )


def test_the_area_of_a_disc_is_its_weight() -> None:
    small, large = (source.disc.width for source in mixture().sources)
    assert (large / small) ** 2 == pytest.approx(3, rel=1e-6)


@pytest.mark.parametrize("width", [12.0, 6.5])
@pytest.mark.parametrize("tokens", [1, 8, 16])
def test_sixteen_sources_fit_where_one_does(tokens: int, width: float) -> None:
    region = Region(-width / 2, width / 2, -2.5, 2.2)
    values = Tensor(np.full((tokens, 16), -1.25, dtype=np.float32), "v")
    weights = Tensor(np.full(tokens, 1 / tokens, dtype=np.float32), "w")
    mixed = WeightedValues(weights, values, [" creature"] * tokens, region)
    assert mixed.width <= region.width + 1e-6
    assert mixed.height <= region.height + 1e-6
    assert mixed.sources[0].number.em * 135 >= 20


def test_numbers_that_grow_longer_keep_their_right_edge() -> None:
    short, long = ([v] for v in (Tensor(VALUES, "v")[0, 3].value, Tensor(VALUES, "v")[1, 2].value))
    form = row_form([*short, *long], 1, 4.0, 0.5)
    rows = [TileRow(values, form, 4.0) for values in (short, long)]
    edges = [row.numbers[0].get_right()[0] - row.tiles[0].get_x() for row in rows]
    assert edges[0] == pytest.approx(edges[1], abs=1e-6)


def test_a_row_is_named_by_words_that_have_no_digits() -> None:
    heads: VGroup = mixture().heads
    assert all(isinstance(head, Words) and not head.has_bare_digits for head in heads)


def test_what_was_scaled_is_no_longer_called_a_value() -> None:
    mixed = mixture()
    value = mixed.heads[1]
    scaling = mixed.scale_values()
    scaling.begin()
    scaling.interpolate(1.0)
    scaling.clean_up_from_scene(Scene())
    assert value not in mixed.heads
    assert mixed.heads[-1].width > value.width
    assert mixed.heads[-1].get_x() == pytest.approx(mixed.sources[0].row.get_x())
