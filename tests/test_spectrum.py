"""Singular values are bars of true height; those that are nothing are dots."""

import numpy as np
import pytest

from scenes.first_mobjects.spectrum import Spectrum
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region

REGION = Region(-3.0, 3.0, -2.0, 2.0)
NUMBERS = [4.0, 2.0, 1.0, 0.0, 0.0]


def spectrum(numbers: list[float], kept: int) -> Spectrum:
    values = [Value(n, f"s[{i}]") for i, n in enumerate(numbers)]
    return Spectrum(values, kept, REGION, Words("sizes"))


def test_a_bar_is_as_high_as_its_number() -> None:
    points = spectrum(NUMBERS, 3).bars.points.reshape(3, -1, 3)
    heights = np.ptp(points[:, :, 1], axis=1)
    np.testing.assert_allclose(heights / heights[0], [1, 0.5, 0.25])


def test_what_is_nothing_is_a_dot() -> None:
    assert len(spectrum(NUMBERS, 3).dots.points) == 2 * 16


def test_a_matrix_of_full_rank_has_no_dots() -> None:
    assert len(spectrum([3.0, 2.0], 2).dots.points) == 0


def test_dots_that_would_lie_on_one_another_are_thinned_out_and_keep_to_the_base() -> None:
    picture = spectrum([1.0] * 64 + [0.0] * 2000, 64)
    assert len(picture.dots.points) < 200 * 16
    assert picture.dots.get_left()[0] >= picture.bars.get_right()[0] - 0.01
    assert picture.dots.get_right()[0] <= REGION.right + 1e-6


def test_words_under_a_part_stay_in_the_region() -> None:
    picture = spectrum(NUMBERS, 3)
    for note in picture.notes:
        assert note.get_left()[0] >= REGION.left - 1e-6
        assert note.get_right()[0] <= REGION.right + 1e-6


def test_what_is_said_of_both_parts_keeps_apart() -> None:
    for kept in range(1, 5):
        (_, one), (_, other) = spectrum(NUMBERS, kept).notes
        beside = one.get_right()[0] < other.get_left()[0]
        assert beside or one.get_bottom()[1] > other.get_top()[1]


def test_a_matrix_of_full_rank_has_nothing_said_of_zeros() -> None:
    assert len(spectrum([3.0, 2.0], 2).notes) == 1


@pytest.mark.parametrize("many", [1, 96])
def test_it_fits_its_region(many: int) -> None:
    picture = spectrum([1.0] * many, many)
    assert picture.width <= REGION.width + 0.5
    assert picture.height <= REGION.height + 1e-6
