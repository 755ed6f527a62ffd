"""Promises of the film keep-the-signal-tidy."""

from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of, numbers

from rendering.pictures import Picture
from rendering.playing import staged
from scenes.analysis.tidied import Tidied
from scenes.block.keep_the_signal_tidy import LAST, KeepTheSignalTidy
from scenes.figures.hills import Heap, Hill, Hills, _bricks
from scenes.figures.ways import Way
from scenes.film import Request
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import GAP, INK


@pytest.fixture(scope="module")
def film() -> KeepTheSignalTidy:
    return film_of(KeepTheSignalTidy, Request())


def test_what_is_tidied_is_what_layer_norm_makes_before_it_stretches(
    film: KeepTheSignalTidy,
) -> None:
    for each in film.layers:
        found = (each.vector.double + each.off) / each.spread.number
        vector = torch.from_numpy(each.vector.double.copy())
        expected = torch.nn.functional.layer_norm(vector, vector.shape, eps=0.0)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        np.testing.assert_allclose(each.tidied, expected, atol=1e-9)
        assert each.tidied.std() == pytest.approx(1.0)


def test_without_a_mean_a_vector_comes_to_a_mean_square_of_one() -> None:
    vector = Tensor(np.array([3.0, -1.0, 2.0]), "any")
    each = Tidied.of(vector, has_mean=False)
    assert each.off == 0
    assert ((vector.double / each.spread.number) ** 2).mean() == pytest.approx(1)


def test_the_stream_of_the_default_prompt_grows_with_every_layer(film: KeepTheSignalTidy) -> None:
    spreads = [each.spread.number for each in film.layers]
    assert spreads == sorted(spreads)
    assert spreads[-1] > 10 * spreads[0]


def test_bricks_stand_in_bins_of_one_width(
    film: KeepTheSignalTidy,
) -> None:
    region = Region(-6.0, 6.0, -3.0, 3.0)
    rows = Hills(film.layers, [], region)
    heap = Heap(film.layers, np.zeros((len(film.layers[0].vector), 2)), region, rows.ruler)
    for each in heap.numbers:
        often, _ = np.histogram(each, heap.bins)
        bricks = _bricks(each, heap.bins, heap.high)
        middle, foot, width, tall = bricks[bricks[:, 2] > 0].T
        assert np.ptp(width) == np.ptp(tall) == 0
        places = np.digitize(middle, heap.bins) - 1
        assert np.bincount(places, minlength=len(often)).tolist() == often.tolist()
        assert (foot + tall).max() == pytest.approx(heap.high)


def test_only_the_fast_run_that_tidies_the_stream_is_stuck(film: KeepTheSignalTidy) -> None:
    """The chance is the geometric mean over the last steps, found here from the losses."""
    shown = numbers(KeepTheSignalTidy, Request())
    chances = {}
    for run in ("pre_norm", "post_norm", "pre_norm_slow", "post_norm_slow"):
        last = np.exp(-film.tensor(f"norms.{run}.loss").double[-LAST:])
        chances[run] = float(np.prod(last) ** (1 / LAST))
        told = [value for source, value in shown.items() if f"{run}.loss" in source]
        assert told == ([pytest.approx(chances[run])] if run in film.runs else [])
    stuck = chances.pop("post_norm")
    assert min(chances.values()) > 5 * stuck


def test_the_same_weights_make_sums_as_many_times_as_large_as_is_said(
    film: KeepTheSignalTidy,
) -> None:
    tensors = film.trace.tensors()
    ends = tensors["resid_pre"][0], tensors["resid_post"][-1]
    sums = [each[film.hero].astype(np.float64) @ tensors["weights.W_in"][0] for each in ends]
    sizes = [float(np.std(each)) for each in sums]
    assert film.words()["times"] == f"{sizes[1] / sizes[0]:.0f}"


def test_sums_stand_on_the_ground_of_rows_and_the_stream_ends_in_its_box(tmp_path: Path) -> None:
    """What is compared stands side by side, or one over the other."""
    request, small = Request(beats=frozenset()), Picture(width=256, height=144, fps=5, format="png")
    with staged(KeepTheSignalTidy, request, small, tmp_path) as film:
        assert isinstance(film, KeepTheSignalTidy)
        film.render()
        for heaps in film.reading.sums:
            for heap, row in zip(heaps, film.rows.shapes, strict=True):
                assert heap.foot[1] == pytest.approx(row.foot[1])
                assert heap.foot[0] > row.foot[0]
        for way in film.ways:
            assert way.ways_of_sum[-1].foot[0] == pytest.approx(film.ways[1].norm[0].get_x())


def test_both_ways_have_one_ruler(film: KeepTheSignalTidy) -> None:
    region, ends = Region(-6.0, 6.0, -2.0, 2.0), (film.layers[0], film.layers[1])
    one, other = (Way(region, INK, ends, on_copy=on_copy) for on_copy in (True, False))
    assert (one.unit, one.one) == pytest.approx((other.unit, other.one))


def test_one_ruler_goes_from_hills_to_hills_and_stands_at_minus_one_and_one(
    film: KeepTheSignalTidy,
) -> None:
    region = Region(-6.0, 6.0, -3.0, 3.0)
    rows = Hills(film.layers, [], region)
    hill = Hill(film.layers[-1], region, rows.ruler)
    assert hill.ruler is rows.ruler
    for hills in (hill, rows):
        hills.ruled().show_at(1.0)
        lines = [float(hills.ruler[at].get_x()) for at in (0, 2)]
        assert lines == pytest.approx([hills.middle - hills.unit, hills.middle + hills.unit])


@pytest.mark.parametrize("size", [1.0, 1000.0])
def test_the_marks_of_a_ruler_keep_apart_however_narrow_it_is(size: float) -> None:
    wide = Tidied.of(Tensor(np.linspace(-size, size, 64), "any"), has_mean=True)
    _, minus_one, _, one = Hills([wide], [], Region(-6.0, 6.0, -3.0, 3.0)).ruler
    assert one.get_left()[0] - minus_one.get_right()[0] >= GAP - 1e-6


def test_tidied_ends_make_sums_of_like_size_of_what_layer_norm_makes_of_them(
    film: KeepTheSignalTidy,
) -> None:
    tensors = film.trace.tensors()
    ends = (tensors[name][at, film.hero] for name, at in (("resid_pre", 0), ("resid_post", -1)))
    copies = (torch.from_numpy(end.copy()) for end in ends)
    tidied = [torch.nn.functional.layer_norm(each, each.shape, eps=0.0) for each in copies]
    sums = [each.double().numpy() @ tensors["weights.W_in"][0] for each in tidied]
    for made, expected in zip(film.sums[1], sums, strict=True):
        np.testing.assert_allclose(made.vector.double, expected, atol=1e-4)
    one, other = (each.spread.number for each in film.sums[1])
    assert 1 / 2 < other / one < 2
