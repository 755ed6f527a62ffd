"""Promises of the film where-parameters-live."""

from copy import deepcopy
from math import prod

import numpy as np
import pytest
from manim.constants import RIGHT
from played import film_of, numbers

from model import checkpoint
from model.descent import descend
from model.gpt import Transformer
from model.llama import Llama, LlamaConfig
from model.one_step import LAST_RATE, after_a_step, rows_of_a_step
from model.parameters import factors, one_in, ordered
from model.trace import watch
from model.train import loss_on
from scenes.analysis.parameter_counts import LARGE, gpt_3
from scenes.block.where_parameters_live import COPIES, PAIRS, WhereParametersLive
from scenes.figures.enlargement import Columns, Enlargement
from scenes.figures.growth import Growth
from scenes.figures.ledger import Areas, Cells, dots_by_kind
from scenes.film import SHIPPED, Request
from scenes.region import Region

UNTIED = LlamaConfig(2, 4, 32, 48, 64, 600, n_key_heads=2, d_head=8)


@pytest.fixture(scope="module")
def film() -> WhereParametersLive:
    return film_of(WhereParametersLive, Request())


@pytest.fixture(scope="module")
def gpt() -> checkpoint.Checkpoint:
    return checkpoint.load(SHIPPED)


@pytest.mark.parametrize("model", [checkpoint.load(SHIPPED).model, Llama(UNTIED)])
def test_the_table_of_a_model_adds_up_to_all_its_weights(model: Transformer) -> None:
    counted = factors(model)
    assert sum(map(prod, counted.values())) == sum(p.numel() for p in model.parameters())
    paths = dict(model.named_parameters())
    of_value = [p for path, p in paths.items() if path.endswith("W_V")]
    assert prod(counted["value"]) == sum(weight.numel() for weight in of_value)
    assert sum(dots_by_kind(counted, 100).values()) == len(one_in(100, paths.values()))


def test_the_film_counts_every_weight_once(film: WhereParametersLive) -> None:
    shown = numbers(WhereParametersLive, Request(), beat="count-ours").values()
    assert 846_912 in shown
    assert film.ours.total.number == 846_912
    assert {393_216, 147_456, 294_912, 11_328} <= set(shown)


@pytest.mark.parametrize("ledger", ["ours", "published"])
def test_every_area_is_to_one_scale(film: WhereParametersLive, ledger: str) -> None:
    """A matrix's area is the number of its weights, but for seams; a layer's queries are square."""
    drawn = Areas(getattr(film, ledger), 1.0, (0.0, 0.0))
    for kind, product in getattr(film, ledger).products.items():
        left, low, right, top = drawn.boxes[kind]
        assert (right - left) * (top - low) == pytest.approx(product.number)
        cells = drawn.cells[kind].boxes
        seen = ((cells[:, 2] - cells[:, 0]) * (cells[:, 3] - cells[:, 1])).sum()
        assert 0.7 * product.number < seen < product.number
    left, low, right, top = drawn.cells["query"].boxes[0]
    assert right - left == pytest.approx(top - low, rel=0.02)


def test_gpt_3_is_drawn_by_the_rule_of_this_model(film: WhereParametersLive) -> None:
    """One of its query matrices is 96 times as long as high, and 96 of them are a square."""
    stage = Region(-6.0, 6.0, -3.0, 3.0)
    ours, theirs = stage.in_columns(2)
    small = Areas.within(film.ours, ours)
    drawn = Enlargement(film.published, small, stage, (ours, theirs), RIGHT)
    assert len(drawn.heads.boxes) == len(drawn.queries.boxes) == 96
    unit = Areas.within(film.ours, ours).unit
    left, low, right, top = drawn.heads.boxes[0]
    assert right - left == pytest.approx(12_288 * unit, rel=0.2)
    assert top - low == pytest.approx(128 * unit, rel=0.2)
    (block,) = drawn.block.boxes
    size = (block[2] - block[0]) * (block[3] - block[1])
    by = size / (small.box.width * small.box.height)  # as the two numbers over them say
    assert by == pytest.approx(12_288 * 128 / float(film.ours.total))


@pytest.mark.parametrize("width", [2.7, 6.0])
def test_vectors_twice_as_long_make_a_table_twice_as_large_and_a_square_four_times(
    width: float,
) -> None:
    """With GPT-3's proportions, and within the room that there is."""
    grown = Growth(gpt_3(), Region(0.0, width, -3.0, 3.0))
    areas = [one.width * one.height for pair in grown.pairs for one in pair]
    assert areas[1] / areas[0] == pytest.approx(2)
    assert areas[3] / areas[2] == pytest.approx(4)
    assert grown.table_twice.width / grown.table_twice.height == pytest.approx(50_257 / 12_288)
    assert grown.square_twice.width == pytest.approx(grown.table_twice.height)
    assert grown.width <= width + 0.01  # the handles of curves reach out


def test_an_mlp_matrix_of_gpt_3_is_as_large_as_all_of_attention_in_its_block() -> None:
    products = gpt_3().products
    attention = sum(products[kind].number for kind in ("query", "key", "value", "output"))
    assert products["up"].number == products["down"].number == attention


def test_at_the_end_both_are_as_large_and_the_shares_that_are_shown_add_up(
    film: WhereParametersLive,
) -> None:
    """As columns: the heights are the shares, and a band leads from each to the other's."""
    ledgers, stage = (film.ours, film.published), Region(-6.0, 6.0, -3.0, 3.0)
    models = [(ledger, Areas(ledger, 0.001, (0.0, 0.0))) for ledger in ledgers]
    columns = Columns(("ours", "theirs"), models, stage)
    assert columns.boxes[0].width == pytest.approx(columns.boxes[1].width)
    assert columns.boxes[0].height == pytest.approx(columns.boxes[1].height)
    for side, (ledger, twin) in enumerate(zip(ledgers, columns.twins, strict=True)):
        for group, share in ledger.shares.items():
            cells, band = twin.of(group), columns.bands[group]
            ends = [edge(cell) for cell in cells for edge in (Cells.get_bottom, Cells.get_top)]
            highs = [float(end[1]) for end in ends]
            assert min(highs) == pytest.approx(band.ends[side, 0], abs=0.05)
            assert max(highs) == pytest.approx(band.ends[side, 1], abs=0.05)
            high = float(np.ptp(band.ends[side]))
            assert high == pytest.approx(share.number * columns.boxes[0].height)
        assert sum(round(100 * share.number) for share in ledger.shares.values()) == 100
    assert film.ours.listed.number == 846_912 - 11_328


def test_gpt_3_has_eight_rows_that_add_up_as_published() -> None:
    ledger, rows = gpt_3(), [prod(size for size, _ in sizes) for sizes in LARGE.values()]
    assert len(rows) == 8
    assert [value.number for value in ledger.products.values()] == rows
    assert ledger.total.number == sum(rows) == 175_181_291_520
    assert ledger.shares["attention"].number == pytest.approx(57_982_058_496 / 175_181_291_520)


def test_another_text_changes_every_activation_that_is_counted_and_is_not_zero(
    film: WhereParametersLive, gpt: checkpoint.Checkpoint
) -> None:
    """All of them are compared, and those drawn are taken from them."""
    sites = [watch(gpt.model, ids) for ids in (film.trace.ids, film.other_ids)]
    closed = np.triu(np.ones((len(film.trace.ids),) * 2, dtype=bool), 1)
    size = sites[0]["resid_pre"][0].size
    assert (sites[0]["resid_pre"][0] != sites[1]["resid_pre"][0]).all()
    for name in set(sites[0]) - COPIES:
        here, there = (np.array(each[name]) for each in sites)
        same = here == there
        if name in PAIRS:
            same[..., closed] = False
            same[..., 0, 0] &= name != "pattern"
            size -= here.shape[0] * here.shape[1] * (closed.sum() + (name == "pattern"))
        assert not here[same].any(), name  # GELU makes a few of both texts zero
        assert same.mean() < 1e-3
        size += here.size
    assert size == film.computed
    assert (film.activations.array != film.others.array).all()
    assert len(film.activations) == -(-size // film.every)


def test_a_dot_is_one_of_as_many_numbers_on_both_sides(
    film: WhereParametersLive, gpt: checkpoint.Checkpoint
) -> None:
    every = np.concatenate([weight.detach().numpy().ravel() for _, weight in ordered(gpt.model)])
    np.testing.assert_array_equal(film.weights.array, every[:: film.every])
    shares = len(film.weights) / len(film.others), len(every) / film.computed
    assert shares[0] == pytest.approx(shares[1], rel=0.01)


def test_the_step_is_the_one_that_training_would_take(
    film: WhereParametersLive, gpt: checkpoint.Checkpoint
) -> None:
    """PyTorch's own AdamW takes it with a copy of the model, which itself stays as it is."""
    before = one_in(film.every, gpt.model.parameters())
    read = rows_of_a_step(gpt, 0)
    ours = after_a_step(gpt.model, read, film.every)
    copy = deepcopy(gpt.model)
    rates = [0.0] * (len(read) - 1) + [LAST_RATE]
    list(descend(copy, zip(rates, read, strict=True), lambda rows: loss_on(copy, rows)))
    theirs = one_in(film.every, [weight for _, weight in ordered(copy)])
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-7)
    np.testing.assert_array_equal(ours, film.stepped.array)
    np.testing.assert_array_equal(before, one_in(film.every, gpt.model.parameters()))
    assert all(weight.grad is None for weight in gpt.model.parameters())
    assert (film.stepped.array != film.weights.array).all()


def test_the_edges_of_what_grew_fit_two_times_into_a_table_and_four_times_into_a_square() -> None:
    grown = Growth(gpt_3(), Region(0.0, 6.0, -3.0, 3.0))
    twins = grown.table_twice, grown.square_twice
    for edge, twin, times in zip(grown.before, twins, (2, 4), strict=True):
        assert twin.width * twin.height == pytest.approx(times * edge.width * edge.height)
        assert twin.get_corner((-1, 1, 0)) == pytest.approx(edge.get_corner((-1, 1, 0)))
