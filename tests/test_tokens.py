"""Chips show a text's tokens in reading order, inside their region, on few lines."""

from itertools import pairwise

import pytest

from scenes import theme
from scenes.mobjects.tokens import Chip, TokenCards, TokenRow, tint
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import LEAST_SIZE

WIDE, UPRIGHT = Region(-6.6, 6.6, -3, 3.5), Region(-3.5, 3.5, -6, 6)
SENTENCE = ["a", " fluffy", " blue", " creature", " roamed", " the", " verdant", " forest"]


@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
@pytest.mark.parametrize("pieces", [["a"], SENTENCE, SENTENCE * 2, ["\n", "⟨F0⟩", "🤖"]])
def test_chips_stand_in_reading_order_inside_their_region(
    region: Region, pieces: list[str]
) -> None:
    row = TokenRow(pieces, region)
    assert row.size >= LEAST_SIZE
    assert row.width <= region.width + 1e-6
    assert row.height <= region.height + 1e-6
    for one, other in pairwise(row.chips):
        below = other.get_top()[1] < one.get_bottom()[1]
        assert below or other.get_left()[0] > one.get_right()[0]


def test_a_sentence_stands_on_one_line_where_there_is_room() -> None:
    assert TokenRow(SENTENCE, WIDE).lines == 1
    assert TokenRow(SENTENCE, UPRIGHT).lines > 1
    column = TokenRow(SENTENCE, WIDE, lines=len(SENTENCE))
    assert len({round(float(chip.get_x()), 6) for chip in column.chips}) == 1


def test_a_text_that_is_too_wide_is_cut_and_says_so() -> None:
    chip = Chip("pneumonoultramicroscopic", widest=2.0)
    assert chip.width <= 2.0
    assert chip.label.text.endswith("…")


@pytest.mark.parametrize("look", theme.THEMES.values(), ids=theme.THEMES.keys())
def test_letters_are_legible_on_every_tint(look: theme.Theme) -> None:
    with theme.using(look):
        for place in range(8):
            assert theme.contrast(look.ink, tint(place)) > 4.5
            assert tint(place) != tint(place + 1)


@pytest.mark.parametrize("region", [WIDE, UPRIGHT])
@pytest.mark.parametrize("number", [1, 8, 16])
def test_cards_show_numbers_and_pieces_inside_the_region(region: Region, number: int) -> None:
    ids = [count(50000 + place, "of a test") for place in range(number)]
    cards = TokenCards(ids, (SENTENCE * 2)[:number], region)
    assert cards.width <= region.width + 1e-6
    assert cards.height <= region.height + 1e-6
    for plate, shown, name in zip(cards.plates, cards.numbers, cards.names, strict=True):
        assert shown.width < plate.width
        assert name.get_top()[1] < shown.get_bottom()[1]
        assert name.get_bottom()[1] > plate.get_bottom()[1]
