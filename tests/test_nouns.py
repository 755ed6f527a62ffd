"""What every noun that fills a region promises: it stays inside, is legible, and has its sources.

A noun has one maker here; what is true of all of them is asked of all of them.
"""

from collections.abc import Callable

import numpy as np
import pytest
from manim import Mobject, RoundedRectangle
from numpy.typing import NDArray

from scenes.analysis.softmax import softmax
from scenes.analysis.tidied import Tidied
from scenes.figures.columns import Columns
from scenes.figures.dot_product import EntryByEntry, Meeting
from scenes.figures.hills import Hills
from scenes.figures.letters import Letters
from scenes.figures.ranked_list import RankedList
from scenes.figures.road import Road
from scenes.figures.softmax_row import SoftmaxRow
from scenes.figures.weighted_sum import WeightedSum
from scenes.mobjects.attention_grid import AttentionGrid
from scenes.mobjects.bars import Bars, Stack
from scenes.mobjects.outlines import Rounded
from scenes.mobjects.ranking import Ranking
from scenes.mobjects.space import Space
from scenes.mobjects.text import Glyphs, TokenText, em_of
from scenes.mobjects.tokens import TokenCards, TokenRow
from scenes.presence import parts_of, presence
from scenes.provenance import Tensor, constant, count
from scenes.region import Region
from scenes.theme import LEAST_SIZE, PLAIN_SIZE

REGIONS = {
    "wide": Region(-6.6, 6.6, -3.2, 3.4),
    "upright": Region(-3.6, 3.6, -6.0, 6.0),
    "aside": Region(-1.0, 5.6, -3.0, 2.0),
}
PIECES = ["a", " fluffy", " blue", " creature", " roamed", " the", " verdant", " forest"]
NEAR = 1e-6  # scene units


def normal(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(1).normal(size=shape).astype(np.float32)


def patterns(*shape: int) -> NDArray[np.float32]:
    allowed = np.tril(np.exp(normal(*shape, len(PIECES), len(PIECES))))
    return np.asarray(allowed / allowed.sum(axis=-1, keepdims=True), np.float32)


SCORES = Tensor(normal(len(PIECES)), "scores")
SHARES = softmax(SCORES)
CHANCES = SHARES.values
ANGLES = [constant(angle, "a test") for angle in (40.0, 52.5, 88.0)]
LINE = [(at, at + 1, letter) for at, letter in enumerate("a blue dog")]


def names(size: float = PLAIN_SIZE) -> list[TokenText]:
    return [TokenText(piece, size) for piece in PIECES]


def ranking(region: Region) -> Ranking:
    return Ranking(names(), [dict(enumerate(CHANCES))], region, decimals=2)


MAKERS: dict[str, Callable[[Region], Mobject]] = {
    "grid": lambda region: AttentionGrid(PIECES, region),
    "bars": lambda region: Bars(CHANCES, region, names()),
    "bars across": lambda region: Bars(SCORES.values, region, names(), across=True),
    "bars with a tail": lambda region: Bars(SCORES.values, region, tail=True),
    "stack": lambda region: Stack(CHANCES, region, names()),
    "columns": lambda region: Columns(PIECES, normal(8, 4), patterns(), region, 0.5),
    "meeting": lambda region: Meeting(SCORES, [Tensor(normal(3, 8)[1], "k")], region),
    "entry by entry": lambda region: EntryByEntry(SCORES, SHARES, region, upright=region.is_narrow),
    "hills": lambda region: Hills(
        [Tidied.of(Tensor(row, "resid_pre"), has_mean=True) for row in normal(4, 96)],
        [*names()[:4]],
        region,
    ),
    "letters": lambda region: Letters(LINE, [(0, 10)], [(0, 1), (1, 6), (6, 10)], region),
    "ranking": ranking,
    "ranked list": lambda region: RankedList(
        ANGLES,
        PIECES[:3],
        [count(1, "st"), count(2, "nd"), count(15, "th")],
        region,
        heading="degrees",
    ),
    "road": lambda region: Road(PIECES, normal(8, 4), patterns(4, 6), abs(normal(4, 8)), region),
    "softmax": lambda region: SoftmaxRow(SCORES, SHARES, PIECES, region),
    "space": lambda region: Space([normal(8, 3)], PIECES, region),
    "tokens": lambda region: TokenRow(PIECES, region),
    "cards": lambda region: TokenCards([count(7, "of a test")] * 8, PIECES, region),
    "weighted sum": lambda region: WeightedSum(
        CHANCES, Tensor(normal(8, 16), "v"), Tensor(normal(16), "z"), region, names=1.0
    ),
}

every_noun = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
every_region = pytest.mark.parametrize("region", REGIONS.values(), ids=REGIONS)


@every_noun
@every_region
def test_a_noun_stays_inside_its_region(make: Callable[[Region], Mobject], region: Region) -> None:
    seen = [part for part in parts_of(make(region)) if len(part.points) and presence(part)]
    points = np.concatenate([part.points for part in seen])
    assert points[:, 0].min() >= region.left - NEAR
    assert points[:, 0].max() <= region.right + NEAR
    assert points[:, 1].min() >= region.bottom - NEAR
    assert points[:, 1].max() <= region.top + NEAR


@every_noun
@every_region
def test_its_texts_are_legible_and_its_digits_have_sources(
    make: Callable[[Region], Mobject], region: Region
) -> None:
    for text in (part for part in parts_of(make(region)) if isinstance(part, Glyphs)):
        assert text.em >= em_of(LEAST_SIZE) - NEAR or not text.text
        assert not text.has_bare_digits


@every_noun
def test_it_is_the_same_each_time(make: Callable[[Region], Mobject]) -> None:
    one, other = (parts_of(make(REGIONS["wide"])) for _ in range(2))
    for part, again in zip(one, other, strict=True):
        np.testing.assert_array_equal(part.points, again.points)


@pytest.mark.parametrize("size", [(2.0, 1.0), (0.15, 1.0), (1.0, 0.1)])
def test_a_rectangle_with_round_corners_is_the_one_of_manim(size: tuple[float, float]) -> None:
    theirs = RoundedRectangle(corner_radius=0.1, width=size[0], height=size[1])
    assert Rounded(0.1, *size).points == pytest.approx(theirs.points, abs=NEAR)
