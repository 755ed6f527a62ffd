"""Letters stand in their cells, close up where bytes merge, and become the chips of a row."""

from itertools import pairwise

import numpy as np
import pytest

from checking.layout import PIXELS
from scenes.first_mobjects.gathering import Gather
from scenes.first_mobjects.letters import Letters
from scenes.first_mobjects.outlines import rounded
from scenes.first_mobjects.pair_places import PairPlaces
from scenes.first_mobjects.spelled_word import SpelledWord
from scenes.first_mobjects.tokens import TokenRow
from scenes.mobjects.text import Words
from scenes.presence import parts_of, presence
from scenes.provenance import Value, count
from scenes.region import Region
from scenes.theme import SMALLEST_SIZE

PLACE = Region(-6, 6, -3, 2)
TEXT = "a blue dog"
WORDS = ((0, 1), (1, 6), (6, 10))


def letters(region: Region = PLACE, text: str = TEXT) -> Letters:
    characters, at = [], 0
    for character in text:
        size = len(character.encode())
        characters.append((at, at + size, character))
        at += size
    return Letters(characters, WORDS if text == TEXT else [(0, at)], region)


def test_all_letters_stand_inside_the_region_in_reading_order() -> None:
    drawn = letters(Region(-1.5, 1.5, -3, 2))
    places = [(-letter.get_y(), letter.get_x()) for letter in drawn.letters]
    lines = drawn.line.tolist()
    assert lines == sorted(lines)
    assert drawn.ground.width <= 3 + 1e-6
    for one, other in pairwise(places):
        assert one[1] < other[1] or one[0] < other[0]


def test_a_word_stays_on_its_line() -> None:
    drawn = letters(Region(-1.5, 1.5, -3, 2))
    for start, end in WORDS:
        assert len(set(drawn.line[start:end].tolist())) == 1


def test_a_letter_is_as_large_as_its_cell_allows_and_never_too_small() -> None:
    for letter in letters(Region(-1, 1, -3, 2)).letters:
        assert letter.em * PIXELS >= 20
    with pytest.raises(ValueError, match="too long"):
        letters(Region(-0.3, 0.3, -0.3, 0.3))


def test_boxes_that_close_up_leave_no_gap_between_them() -> None:
    drawn = letters()
    closing = drawn.close([2, 3], run_time=1)
    closing.begin()
    closing.interpolate(1)
    boxes = drawn.boxes.points.reshape(-1, 32, 3)
    left, right = boxes[:, :, 0].min(axis=1), boxes[:, :, 0].max(axis=1)
    same_line = np.diff(drawn.line) == 0
    gaps = (left[1:] - right[:-1])[same_line]
    at = np.flatnonzero(same_line)
    assert all(gap <= 0 for gap, i in zip(gaps, at, strict=True) if i in {2, 3})
    assert all(gap > 0 for gap, i in zip(gaps, at, strict=True) if i not in {2, 3})


def test_gaps_close_one_after_another() -> None:
    drawn = letters()
    closing = drawn.close([2, 7], run_time=2)
    closing.begin()
    closing.interpolate(0.3)
    assert drawn.closed[2] == 1
    assert drawn.closed[7] == 0


def test_numbers_stand_under_their_bytes_and_gaps() -> None:
    drawn = letters()
    numbers = drawn.numbers({2: count(7, "a byte"), 3.5: count(9, "a gap")})
    shown = [numeral.value.number for part in numbers for numeral in part.numerals]
    assert shown == [7, 9]
    assert numbers.get_top()[1] < drawn.letters[2].get_bottom()[1]
    assert len(drawn.numbers({})) == 0


def test_a_character_of_several_bytes_stands_over_them_all() -> None:
    drawn = letters(text="né")
    assert drawn.spans == [(0, 1), (1, 3)]
    assert drawn.letters[1].get_x() == pytest.approx(drawn.middles[1:3, 0].mean())


def test_a_character_without_a_glyph_is_shown_by_its_bytes() -> None:
    drawn = letters(text="a\U000f0000")
    assert [letter.text for letter in drawn.letters] == ["a", "⟨F3⟩", "⟨B0⟩", "⟨80⟩", "⟨80⟩"]


def test_gathered_letters_end_where_the_chips_have_theirs() -> None:
    drawn = letters()
    row = TokenRow(("a", " blue", " dog"), 12).move_to((0, 3, 0))
    plates = [chip.plate.points.copy() for chip in row]
    move = Gather(drawn, row, WORDS)
    move.begin()
    move.interpolate(1)
    for chip, plate in zip(row, plates, strict=True):
        assert chip.plate.points == pytest.approx(plate)
    for (start, end), chip in zip(WORDS, row, strict=True):
        inside = drawn.letters[start:end]
        assert inside[0].get_left()[0] == pytest.approx(chip.label.get_left()[0], abs=0.02)
        assert inside[-1].get_right()[0] == pytest.approx(chip.label.get_right()[0], abs=0.02)


def test_on_their_way_to_the_row_two_tokens_never_overlap() -> None:
    drawn, row = letters(), TokenRow(["a", " blue", " dog"], 7.0)
    plates = [chip.plate for chip in row]
    own = [plate.fill_rgbas.copy() for plate in plates]
    move = Gather(drawn, row, WORDS)
    move.begin()
    for share in np.linspace(0, 1, 21):
        move.interpolate(float(share))
        for one, other in pairwise(plates):
            assert one.get_right()[0] <= other.get_left()[0] + 1e-6
    for plate, color in zip(plates, own, strict=True):
        assert plate.fill_rgbas[:, :3] == pytest.approx(color[:, :3])


def test_places_stand_under_the_pairs_that_have_one_and_the_best_stands_out() -> None:
    drawn = letters()
    numbers = [Value(each, "x") for each in (np.inf, 3, 1, *[np.inf] * 6)]
    places = PairPlaces(drawn, numbers, [((2, 4), 2)])
    texts = [
        [numeral.text for line in group for numeral in line.numerals]
        for group in (places.others, places.best)
    ]
    assert texts == [["3"], ["1"]]
    assert places.ring.get_x() == pytest.approx(places.best.get_x(), abs=0.05)
    assert all(presence(part) == 0 for part in parts_of(places))


def test_a_spelled_word_keeps_its_note_beside_its_letters() -> None:
    for region in (PLACE, Region(-3, 3, -3, 2)):
        word = SpelledWord([(0, 1, "a"), (1, 2, "b")], [0], [Words("note")], region)
        beside = word.note.get_left()[0] > word.letters.ground.get_right()[0]
        under = word.note.get_top()[1] < word.letters.ground.get_bottom()[1]
        assert beside or under
        assert word.width <= region.width


def test_outlines_are_closed_and_as_large_as_their_boxes() -> None:
    points = rounded([(0, 0, 2, 1), (3, 0, 4, 1)], [0.1, 0], [0.2, 0.3]).reshape(2, 8, 4, 3)
    assert points[:, :-1, 3] == pytest.approx(points[:, 1:, 0])
    assert points[:, -1, 3] == pytest.approx(points[:, 0, 0])
    low, high = points.min(axis=(1, 2)), points.max(axis=(1, 2))
    assert low[:, :2].tolist() == [[0, 0], [3, 0]]
    assert high[:, :2].tolist() == [[2, 1], [4, 1]]


def test_the_smallest_size_is_legible() -> None:
    assert Words("x", size=SMALLEST_SIZE).em * PIXELS >= 20
