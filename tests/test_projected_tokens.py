"""Strips, speech, ranked bars and spaces show what they are given, to scale."""

import numpy as np
import pytest

from scenes.first_mobjects.projected_tokens import ProjectedTokens, Projection
from scenes.first_mobjects.ranked_bars import RankedBars
from scenes.first_mobjects.space import Named, Space
from scenes.first_mobjects.speech import Dialogue
from scenes.first_mobjects.strip import LEVELS, THINNEST, Strip, shade_levels
from scenes.mobjects.text import Words
from scenes.provenance import Tensor, Value, constant
from scenes.region import Region
from scenes.theme import INK, KEY, QUERY

ROOM = Region(-6.0, 6.0, -3.0, 2.0)


def wave(*shape: int, name: str = "q") -> Tensor:
    array = np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape)
    return Tensor(array, name)


def projected(tokens: int = 4) -> ProjectedTokens:
    projection = Projection(wave(tokens, 4), wave(24, 4, name="w"), QUERY, "q")
    return ProjectedTokens(wave(tokens, 24, name="x"), [projection], ["word"] * tokens, ROOM)


def test_a_shade_is_as_strong_as_its_number() -> None:
    levels = shade_levels(np.array([-1.0, -0.4, 0.0, 0.5, 1.0], dtype=np.float32), 1.0)
    assert levels.tolist() == sorted(levels.tolist())
    assert (levels[0], levels[-1]) == (0, LEVELS - 1)


def test_a_strip_has_a_box_for_every_entry_and_no_more_paths_than_shades() -> None:
    strip = Strip(wave(96), 0.5, 2.0, INK, 1.0)
    assert len(strip) <= LEVELS
    assert sum(len(path.points) for path in strip) == 96 * 4 * 4
    assert (strip.width, strip.height) == pytest.approx((0.5, 2.0))


def test_of_more_entries_than_can_be_told_apart_a_strip_has_the_first_and_the_last() -> None:
    strip = Strip(wave(2048), 0.5, 2.0, INK, 1.0)
    shown = strip.shown.tolist()
    assert (shown[0], shown[-1]) == (0, 2047)
    assert 2.0 / len(shown) >= THINNEST
    assert strip.height == pytest.approx(2.0)


def test_vectors_of_very_different_lengths_are_all_seen_and_fill_no_more_than_their_room() -> None:
    parts = [Projection(wave(4, 8), wave(512, 8, name="w"), QUERY, each) for each in "qkv"]
    tokens = ProjectedTokens(wave(4, 512, name="x"), parts, ["word"] * 4, ROOM)
    assert all(band[0].height >= 0.2 for band in tokens.bands)
    assert tokens.get_bottom()[1] >= ROOM.bottom - 1e-6


def test_a_sixth_of_the_entries_is_a_sixth_as_tall() -> None:
    tokens = projected()
    assert tokens.inputs[0].height == pytest.approx(6 * tokens.bands[0][0].height)


def test_what_a_matrix_makes_of_a_token_stands_under_it() -> None:
    tokens = projected()
    for above, below in zip(tokens.inputs, tokens.bands[0], strict=True):
        assert above.get_x() == pytest.approx(below.get_x())
        assert below.get_top()[1] < above.get_bottom()[1]


@pytest.mark.parametrize("tokens", [1, 16])
def test_the_matrix_that_visits_covers_one_token_at_a_time(tokens: int) -> None:
    row = projected(tokens)
    card = row.entry(0, (11, 16))
    assert card.width < row.pitch
    assert card.get_top()[1] < row.labels.get_bottom()[1]
    passing = row.visit(card, 0, 2.0)
    passing.begin()
    passing.finish()
    assert card.get_x() == pytest.approx(row.inputs[-1].get_x())


def test_a_bar_is_as_long_as_its_share_before_and_after_it_changes() -> None:
    shares = [Value(number, "= a") for number in (1.0, 0.5, 0.25)]
    bars = RankedBars([Words("{}", each) for each in "abc"], shares, ROOM)
    longest = bars.lines[0].bar.width
    assert [line.bar.width / longest for line in bars.lines] == pytest.approx([1, 0.5, 0.25])
    change = bars.change_to([Value(0.5, "= b")] * 3)
    change.begin()
    change.finish()
    assert [line.bar.width / longest for line in bars.lines] == pytest.approx([0.5] * 3)
    assert [line.number.text for line in bars.lines] == ["0.50"] * 3


def test_arrows_keep_their_lengths_and_angles_and_the_first_points_right() -> None:
    arrows = np.array([[3, 4, 0], [0, 2, 0]], dtype=np.float32)  # both lie in a plane
    vectors = [
        Named(Tensor(array, f"x{i}"), "word", role)
        for i, (array, role) in enumerate(zip(arrows, (QUERY, KEY), strict=True))
    ]
    space = Space(vectors, constant(128, "here"), "there", ROOM)
    one, other = (ray.tip.points[0] - ray.shaft.get_start() for ray in space.plane.arrows)
    assert one[1] == pytest.approx(0, abs=1e-6)
    assert one[0] > 0
    assert other[1] > 0
    units = space.plane.units
    assert one[0] == pytest.approx(5 * units, rel=1e-5)
    assert float(one @ other) == pytest.approx(8 * units**2, rel=1e-4)


@pytest.mark.parametrize("height", [2.2, 4.0])
def test_a_space_stays_in_its_region_and_its_note_keeps_clear_of_its_arrows(height: float) -> None:
    region = Region(-3.55, 3.55, -height, 0)
    arrows = np.array([[3, 4, 0], [0, 2, 0]], dtype=np.float32)
    vectors = [Named(Tensor(array, f"x{i}"), "word", KEY) for i, array in enumerate(arrows)]
    space = Space(vectors, constant(128, "here"), "there", region)
    assert region.left - 1e-6 <= space.get_left()[0] <= space.get_right()[0] <= region.right + 1e-6
    assert region.bottom - 1e-6 <= space.get_bottom()[1] <= space.get_top()[1] <= 1e-6
    note = space.plane.note
    for ray in space.plane.arrows:
        is_beside = note.get_right()[0] < ray.get_left()[0]
        assert is_beside or note.get_top()[1] < ray.get_bottom()[1]


def test_a_dialogue_is_badged_as_a_story_and_stays_in_its_region() -> None:
    dialogue = Dialogue([("word", "any adjectives in front of me?" * 2, QUERY)], ROOM)
    assert dialogue.badge in dialogue.submobjects
    assert dialogue.width <= ROOM.width + 1e-6
