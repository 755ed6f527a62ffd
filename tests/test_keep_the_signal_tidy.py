"""Promises of the film keep-the-signal-tidy."""

import numpy as np
import pytest
import torch
from played import film_of, numbers

from scenes.analysis.tidied import Tidied
from scenes.block.keep_the_signal_tidy import LAST, KeepTheSignalTidy
from scenes.film import Request
from scenes.mobjects.ways import Way
from scenes.provenance import Tensor
from scenes.region import Region
from scenes.theme import INK


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


def test_the_run_that_tidies_a_copy_gives_the_next_word_a_larger_chance(
    film: KeepTheSignalTidy,
) -> None:
    """The chance is the geometric mean over the last steps, found here from the losses."""
    shown = numbers(KeepTheSignalTidy, Request(), beat="two-runs")
    chances = []
    for run in ("pre_norm", "post_norm"):
        last = np.exp(-film.runs[run].double[-LAST:])
        (told,) = (value for source, value in shown.items() if f"{run}.loss" in source)
        assert told == pytest.approx(float(np.prod(last) ** (1 / LAST)))
        chances.append(told)
    assert chances[0] > 5 * chances[1]


def test_both_ways_have_one_ruler_and_what_is_left_is_told_of_both_runs(
    film: KeepTheSignalTidy,
) -> None:
    region, ends = Region(-6.0, 6.0, -2.0, 2.0), (film.layers[0], film.layers[1])
    one, other = (Way(region, "any", INK, ends, on_copy=on_copy) for on_copy in (True, False))
    assert (one.unit, one.one) == pytest.approx((other.unit, other.one))
    shown = numbers(KeepTheSignalTidy, Request(), beat="what-is-left")
    for run, kept in zip(("pre_norm", "post_norm"), film.kept, strict=True):
        told = [value for source, value in shown.items() if f"{run}.kept" in source]
        assert told == [value.number for value in kept]
