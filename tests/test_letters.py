"""A text's bytes stand in cells in reading order, close up where they merge, and move apart."""

from itertools import pairwise

import numpy as np
import pytest

from scenes import theme
from scenes.figures.letters import Letters
from scenes.mobjects.text import em_of
from scenes.region import Region
from scenes.theme import LEAST_SIZE

WIDE, UPRIGHT = Region(-6.6, 6.6, -3, 3.5), Region(-3.5, 3.5, -6, 6)
WORDS = ((0, 1), (1, 6), (6, 10))
RUNS = ((0, 1), (1, 6), (6, 8), (8, 10))


def letters(region: Region = WIDE, text: str = "a blue dog") -> Letters:
    characters, at = [], 0
    for character in text:
        size = len(character.encode())
        characters.append((at, at + size, character))
        at += size
    if at != 10:
        return Letters(characters, [(0, at)], [(0, at)], region)
    return Letters(characters, RUNS, WORDS, region, order=[2, 1, 3, 4, 6, 8], largest=1.2)


@pytest.mark.parametrize("region", [WIDE, UPRIGHT, Region(-1.6, 1.6, -3, 3)])
@pytest.mark.parametrize("text", ["a blue dog", "é🤖日", "x"])
def test_letters_stand_in_reading_order_inside_the_region(region: Region, text: str) -> None:
    drawn = letters(region, text)
    assert drawn.width <= region.width + 1e-6
    assert drawn.height <= region.height + 1e-6
    for one, other in pairwise(drawn.middles):
        assert other[1] < one[1] or other[0] > one[0]
    for _, _, letter in drawn.letters:
        assert letter.em >= em_of(LEAST_SIZE) - 1e-6


def test_a_word_stays_on_its_line() -> None:
    drawn = letters(Region(-1.6, 1.6, -3, 3))
    for start, end in WORDS:
        assert len(set(drawn.line[start:end])) == 1


def test_a_ring_stands_round_its_letters_at_the_end_of_a_line_too() -> None:
    drawn = letters(Region(-1.6, 1.6, -3, 3))
    assert len(set(drawn.line)) > 1
    for start, end, letter in drawn.letters:
        ring, place = drawn.ring(start, end), drawn.place(start, end)
        assert ring.get_left()[0] < letter.get_left()[0]
        assert letter.get_right()[0] < ring.get_right()[0]
        assert ring.width < place.width + drawn.cell


def test_merges_close_gaps_in_their_order() -> None:
    drawn = letters()
    drawn.merge_to(2.5)
    assert drawn.closed[[2, 1, 3]].tolist() == [1.0, 1.0, 0.5]
    assert not drawn.closed[[0, 4, 5, 6, 7, 8]].any()
    drawn.merge_to(6)
    assert drawn.cells[1].width == pytest.approx(drawn.place(1, 6).width)


def test_runs_that_move_apart_keep_their_letters() -> None:
    drawn = letters()
    before = [letter.get_x() for _, _, letter in drawn.letters]
    drawn.part_to(1.0)
    moved = np.array([letter.get_x() for _, _, letter in drawn.letters]) - before
    assert len(set(moved[1:6].round(6))) == 1
    assert moved[0] < moved[1] < moved[6] < moved[9]


def test_a_run_takes_its_colour_as_it_closes() -> None:
    drawn = letters()
    grey = drawn.cells[3].get_fill_color()
    drawn.merge_to(4)
    assert drawn.cells[1].get_fill_color().to_hex() == drawn.colors[1].upper()
    assert drawn.cells[3].get_fill_color() == grey
    assert theme.contrast(theme.DARK.ink, grey.to_hex()) > 4.5
    drawn.merge_to(6)
    assert [cell.get_fill_color().to_hex() for cell in drawn.cells] == [
        color.upper() for color in drawn.colors
    ]


def test_all_of_the_piece_that_a_gap_makes_takes_its_tint() -> None:
    single = [(place, place + 1) for place in range(4)]
    characters = [(start, end, "a") for start, end in single]
    red, green = "#AA0000", "#00AA00"
    letters = Letters(
        characters, single, [(0, 4)], Region(0, 8, 0, 2), order=[1, 0], tints=[red, green]
    )
    letters.merge_to(1)
    assert [cell.get_fill_color().to_hex() for cell in letters.cells][1:3] == [red, red]
    letters.merge_to(2)
    assert [cell.get_fill_color().to_hex() for cell in letters.cells][:3] == [green] * 3
    assert letters.cells[3].get_fill_color().to_hex() == letters.grey
