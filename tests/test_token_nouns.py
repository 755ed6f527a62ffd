"""Squares, fields, ids and the vocabulary draw what they count; what is said of a text is true."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from scenes.first_mobjects.dot_field import DotField, DotFields
from scenes.first_mobjects.pair_square import PairSquare, PairSquares
from scenes.first_mobjects.token_ids import TokenIds
from scenes.first_mobjects.tokens import TokenRow
from scenes.first_mobjects.vocabulary import LookUp, VocabularyList
from scenes.mobjects.text import Words
from scenes.narration import counted
from scenes.pieces import common_word, rare_word, spoken, units_of
from scenes.presence import presence
from scenes.provenance import count
from scenes.region import Region

PLACE = Region(-6, 6, -3, 2)


@pytest.mark.parametrize("number", [1, 2, 8, 48])
def test_the_area_of_a_square_is_the_number_of_pairs(number: int) -> None:
    square = PairSquare(number, 0.1)
    assert square.width * square.height == pytest.approx(number**2 * 0.01)


@pytest.mark.parametrize("region", [PLACE, Region(-3, 3, -6, 5)])
def test_squares_of_one_scale_stand_apart_inside_their_region(region: Region) -> None:
    drawn = PairSquares({"letters": 48, "tokens": 8, "words": 7}, region)
    widths = [square.width for square in drawn.squares]
    assert np.divide(widths, widths[0]) == pytest.approx([1, 8 / 48, 7 / 48])
    assert drawn.width <= region.width + 1e-6
    assert drawn.height <= region.height + 1e-6
    assert drawn.squares[0].width > 0.5 * min(region.width, region.height)
    for one, other in combinations((*drawn.squares, *drawn.labels), 2):
        beside = (
            one.get_right()[0] < other.get_left()[0] or other.get_right()[0] < one.get_left()[0]
        )
        assert (
            beside
            or one.get_bottom()[1] > other.get_top()[1]
            or (other.get_bottom()[1] > one.get_top()[1])
        )


def test_a_field_lights_as_many_dots_as_are_flagged() -> None:
    flags = np.array([True, False, True, True, False])
    field = DotField(flags, 3, 0.1)
    curves = 16  # points of a disc
    assert len(field.lit.points) == curves * flags.sum()
    assert len(field.rest.points) == curves * len(flags)


@pytest.mark.parametrize("region", [PLACE, Region(-3.5, 3.5, -3, 2), Region(-3.5, 3.5, -6, 4)])
@pytest.mark.parametrize("fields", [1, 2, 3, 4])
def test_fields_stand_apart_inside_their_region(region: Region, fields: int) -> None:
    flags = [np.arange(1000) < 10 * i for i in range(fields)]
    texts = [(Words("the whole text"), Words("{:.0f}", count(i, "it"))) for i in range(fields)]
    drawn = DotFields(flags, texts, region)
    assert drawn.width <= region.width + 1e-6
    assert drawn.height <= region.height + 1e-6
    boxes = [(p.get_left()[0], p.get_bottom()[1], p.get_right()[0], p.get_top()[1]) for p in drawn]
    for i, one in enumerate(boxes):
        for other in boxes[i + 1 :]:
            apart = one[2] <= other[0] or other[2] <= one[0]
            assert apart or one[1] >= other[3] or other[1] >= one[3]


def test_the_others_of_a_row_are_all_chips_but_one() -> None:
    row = TokenRow(["a", " dog", "a"], 7.0)
    assert row.others(1) == [row[0], row[2]]


@pytest.mark.parametrize("pieces", [("a", " blue", " dog"), ("1",) * 16, ("⟨F0⟩",) * 16])
def test_ids_stand_under_their_chips_without_touching(pieces: tuple[str, ...]) -> None:
    row = TokenRow(pieces, 7.0)
    ids = TokenIds([count(4000 + i, "an id") for i in range(len(pieces))], row)
    assert ids.get_top()[1] < row.get_bottom()[1]
    for i, one in enumerate(ids.numbers):
        assert row.get_left()[0] - 1e-6 <= one.get_left()[0]
        for other in ids.numbers[i + 1 :]:
            level = abs(one.get_y() - other.get_y()) < 0.05
            assert not level or one.get_right()[0] < other.get_left()[0]


def rows() -> VocabularyList:
    return VocabularyList([(count(i, "a row"), f" {i}") for i in (0, 1, 5, 6, 9)], PLACE)


def test_gaps_in_the_vocabulary_are_ellipses() -> None:
    drawn = rows()
    marks = [part.text for part in drawn if isinstance(part, Words)]
    assert marks == ["⋮", "⋮"]
    assert drawn.place == {0: 0, 1: 1, 5: 3, 6: 4, 9: 6}


def test_the_row_that_is_looked_up_stands_at_the_top_and_in_full() -> None:
    drawn = rows()
    for index in (0, 6):
        scroll = drawn.scroll_to(index)
        scroll.begin()
        scroll.interpolate(1)
        row = drawn.row(index)
        assert row.id.get_y() == pytest.approx(PLACE.top - drawn.pitch / 2, abs=0.2)
        assert presence(row.id) == pytest.approx(1)
    assert presence(drawn.row(0).id) == 0


@pytest.mark.parametrize("region", [PLACE, replace(PLACE, left=-2.5, right=2.5)])
def test_the_note_on_the_vocabulary_stands_clear_of_the_list(region: Region) -> None:
    entries = [(count(i, "a row"), f" {i}") for i in range(9)]
    look_up = LookUp(entries, [Words("nine rows"), Words("and more elsewhere")], region)
    row, plate, note = look_up.list.row(0), look_up.plate, look_up.note
    assert plate.get_left()[0] < row.get_left()[0]
    assert row.get_right()[0] < plate.get_right()[0]
    assert plate.get_bottom()[1] < row.id.get_y() < plate.get_top()[1]
    beside = note.get_left()[0] > plate.get_right()[0]
    assert beside or note.get_top()[1] < plate.get_bottom()[1]
    assert note.get_right()[0] <= region.right + 1e-6


TEXT = b"a red dog"
SPANS = ((0, 1), (1, 5), (5, 9))


def often(text: str) -> int:
    return {" red": 5, " dog": 2}.get(text, 0)


def test_units_are_nested_and_the_token_is_the_rarest_that_is_met() -> None:
    units = units_of(TEXT, SPANS, often)
    assert [unit.text for unit in units] == ["d", " dog", " red dog", "a red dog"]


@pytest.mark.parametrize("text", ["a", "hello", "?", " ", "日"])
def test_units_of_a_single_token_come_once(text: str) -> None:
    raw = text.encode()
    units = units_of(raw, [(0, len(raw))], lambda _: 0)
    texts = [unit.text.strip() for unit in units]
    assert len(texts) == len(set(texts))
    assert units


def test_a_broken_word_of_the_text_comes_before_an_invented_one() -> None:
    pieces = {" cat": 1, " robots": 2, " tokenization": 5, " water": 1}.__getitem__
    assert rare_word([" cat", " robots"], pieces) == " robots"
    assert rare_word([" cat"], pieces) == " tokenization"
    assert common_word([" cat", " robots"], pieces) == " cat"
    assert common_word([" robots"], pieces) == " water"


def test_pieces_are_named_as_a_lecturer_would() -> None:
    assert spoken(b" ") == "the space"
    assert spoken(b" t") == "t with its space"
    assert spoken(b"\xe6") == "byte 230"
    assert counted(1, "pair") == "1 pair"
    assert counted(2304, "pair") == "2,304 pairs"
