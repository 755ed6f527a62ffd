"""Vectors, matrices and their products show the numbers that they are given, as one body."""

import numpy as np
import pytest
from played import trace_of

from scenes.figures.product import Factors, Product
from scenes.film import Request
from scenes.mobjects.matrix import Area
from scenes.mobjects.signs import hue
from scenes.mobjects.vector import Heat, Vector
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import stage_area
from scenes.theme import FAINTEST_FILL, NEGATIVE, POSITIVE, QUERY


def tensor(*shape: int) -> Tensor:
    array = np.random.default_rng(0).normal(size=shape).astype(np.float32)
    return Tensor(array, "q")


def test_a_long_vector_shows_its_first_entries_and_its_last() -> None:
    vector = Vector(tensor(96).values, (0.9, 0.5), most=6)
    assert vector.shown == [0, 1, 2, 3, 95]
    assert len(vector.dots) == 1
    assert vector.number(95).value.source == "q[95]"


def test_a_cell_tells_the_sign_by_hue_and_the_size_by_strength() -> None:
    vector = Vector(tensor(8).values, (0.5, 0.5))
    for value, cell in zip(vector.values, vector.cells, strict=True):
        assert cell.own_role is (NEGATIVE if value.number < 0 else POSITIVE)
    assert hue(-1) is NEGATIVE
    assert hue(1) is POSITIVE
    assert hue(-1, QUERY) is QUERY
    order = np.argsort([abs(value.number) for value in vector.values])
    strengths = [vector.cells[i].get_fill_opacity() for i in order]
    assert strengths == sorted(strengths)
    assert strengths[0] >= FAINTEST_FILL


def test_what_is_written_as_zero_shows_no_sign() -> None:
    values = Tensor(np.array([1.0, -0.0004, 0.4], np.float32), "q").values
    vector = Vector(values, (1.5, 0.9))
    _, nearly, _ = vector.cells
    assert nearly.get_fill_opacity() == 0
    assert Vector(values, (1.5, 0.9), numerals=False).cells[1].get_fill_opacity() > 0


def test_a_vector_becomes_an_arrow_and_comes_back() -> None:
    vector = Vector(tensor(5).values, (0.5, 0.5), role=QUERY)
    lying = [part.points.copy() for part in vector.cells]
    start, tip = np.array((1.0, 1.0, 0.0)), np.array((4.0, 5.0, 0.0))
    vector.aim(start, tip).straighten(1)
    assert np.abs(vector.head.points - tip).sum(axis=1).min() < 1e-9
    assert np.linalg.norm(vector.cells[0].points - start, axis=1).min() < 0.05
    vector.straighten(0)
    for part, points in zip(vector.cells, lying, strict=True):
        np.testing.assert_allclose(part.points, points)


@pytest.mark.parametrize("along", [0, 1])
def test_cells_become_an_arrow_untwisted_and_in_their_order(along: int) -> None:
    vector = Vector(tensor(5).values, (0.5, 0.5), upright=bool(along))
    start = np.array((3.0, -1.0, 0.0))
    vector.aim(start, start + 3.0 * np.eye(3)[along]).straighten(0.5)
    middles = [float(cell.get_center()[along]) for cell in vector.cells]
    assert middles in (sorted(middles), sorted(middles, reverse=True))
    for cell in vector.cells:
        across = {round(float(x), 6) for x in cell.points[::4, 1 - along]}
        assert len(across) == 2, "its sides stay level and upright"


def test_areas_and_vectors_have_true_proportions() -> None:
    area, strip = Area(tensor(96, 16), 0.05), Area(tensor(96), 0.05, thickness=0.3)
    assert area.height / area.width == pytest.approx(6, rel=0.02)
    assert strip.height == pytest.approx(area.height)
    heat = Heat(tensor(4000, 700).array, (1.0, 2.0))  # more entries than can be drawn
    assert (heat.width, heat.height) == pytest.approx((1.0, 2.0))


def test_a_product_s_numbers_are_the_model_s_and_come_when_their_column_is_passed(
    asked: Request,
) -> None:
    weights, trace = trace_of(asked).weights, trace_of(asked)
    factors = Factors(
        Tensor(trace.ln1, "ln1")[1, 2],
        Tensor(weights.W_Q, "weights.W_Q")[1, 2],
        QUERY,
        Tensor(weights.b_Q, "weights.b_Q")[1, 2],
    )
    np.testing.assert_allclose(factors.result.array, trace.q[1, 2, 2], atol=1e-5)
    total = sum(term.number for term in factors.terms(0)) + float(weights.b_Q[1, 2, 0])
    assert total == pytest.approx(float(trace.q[1, 2, 2, 0]), abs=1e-5)
    product = Product(factors, ("robot", "W_Q", "query"), stage_area())
    product.sweep(2)
    assert [presence(cell) for cell in product.result.cells[:3]] == [1, 1, 0]
    assert product.window.get_x() == pytest.approx(product.matrix.cell(0, 1).get_x())
    assert product.width <= stage_area().width
    assert product.height <= stage_area().height
