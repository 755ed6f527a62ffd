"""Words, numbers and formulas are set truly, legibly and the same everywhere."""

import numpy as np
import pytest

from scenes import theme
from scenes.mobjects import typesetting
from scenes.mobjects.text import (
    MINUS,
    Chance,
    Formula,
    Glyphs,
    Number,
    TokenText,
    Words,
    called,
    em_of,
    label_of,
    percent,
    visible,
    widest,
    written,
)
from scenes.mobjects.typesetting import set_text
from scenes.provenance import Value, count


def quoted(text: str) -> str:
    """Return a text in quotation marks."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{text}\N{RIGHT DOUBLE QUOTATION MARK}"


HALF, LARGE = Value(0.5, "pattern[0,0,0,0]"), Value(-123.456, "logits[0,0]")


def test_a_number_is_written_with_a_true_minus_sign() -> None:
    assert written(-1.5, 2) == f"{MINUS}1.50"


@pytest.mark.parametrize("number", [-0.0, -0.004, -1e-9])
def test_zero_is_never_negative(number: float) -> None:
    assert written(number, 2) == "0.00"


def test_zero_is_never_negative_in_a_sentence_either() -> None:
    assert Words("{:.1f}", Value(-0.03, "= x")).text == "0.0"


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (1e-9, "<0.01%"),
        (0.0004, "0.04%"),
        (0.03, "3%"),
        (0.997, "99.7%"),
        (0.9996, "99.96%"),
        (1.0, "100%"),
    ],
)
def test_a_percentage_seems_neither_nothing_nor_all_where_it_is_not(
    share: float, text: str
) -> None:
    assert Words("{:share}", Value(share, "= x")).text == percent(share) == text


def test_minus_infinity_is_written_as_such() -> None:
    assert written(-np.inf, 2) == f"{MINUS}\N{INFINITY}"


def test_digits_have_one_width() -> None:
    assert widest([Value(1.11, "count: x")], 2) == pytest.approx(
        widest([Value(8.88, "count: x")], 2), abs=0.15
    )
    ends = {Number(Value(number, "count: x")).get_right()[0] for number in (0.0, 1.0, 7.0)}
    assert max(ends) - min(ends) < 0.05


def test_what_our_own_fonts_draw_is_borrowed_from_no_system() -> None:
    assert [typesetting.borrowed(text) for text in ("a dog", "\N{MINUS SIGN}1", "é", "Δ")] == [
        ""
    ] * 4
    assert typesetting.borrowed("a 犬") == typesetting.borrowed("犬") != ""


def test_a_text_is_one_mobject() -> None:
    assert Words("one path, however long").submobjects == []
    assert Number(LARGE).submobjects == []


def test_the_em_is_what_was_asked_for_and_follows_scaling() -> None:
    text = Words("legible", size=24)
    assert text.em == pytest.approx(em_of(24))
    assert text.scale(0.5).em == pytest.approx(em_of(12))


def test_letters_stand_on_their_baseline() -> None:
    level = [Words(text).points[:, 1].min() for text in ("a", "x", "n")]
    assert np.ptp(level) < 0.02
    assert Words("p").points[:, 1].min() < min(level) - 0.05


def test_a_prompt_is_data_and_never_markup() -> None:
    hostile = '#panic("x") *bold* $x$ {} <b> \\ "'
    assert Words("{}", hostile).text == hostile
    assert len(set_text("#pagebreak()").points) > len(set_text("#").points)


def test_numerals_in_a_text_keep_their_values() -> None:
    text = Words("layer {}, {:.0%}", count(3, "layers"), HALF)
    assert text.text == "layer 3, 50%"
    assert [numeral.text for numeral in text.numerals] == ["3", "50%"]
    assert text.numerals[1].value is HALF


def test_a_tokens_own_digits_are_not_data() -> None:
    text = Words("{} attends", "1992")
    assert text.numerals == ()
    assert not text.has_bare_digits


def test_digits_written_straight_into_a_text_are_noticed() -> None:
    assert Words("about 70 percent").has_bare_digits


def test_small_numbers_are_written_without_padding() -> None:
    assert Words("{:.0e}", Value(3e-7, "= x")).text == f"3e{MINUS}7"


def test_a_formula_takes_the_colours_of_its_roles() -> None:
    parts = Formula("$query(q) dot key(k)$").submobjects
    colors = {part.get_fill_color().to_hex() for part in parts}
    assert {theme.color(theme.QUERY), theme.color(theme.KEY)} <= colors


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        (" blue", "\N{MIDDLE DOT}blue"),
        ("blue", "blue"),
        (" ", "\N{MIDDLE DOT}"),
        ("  ", "\N{MIDDLE DOT}\N{MIDDLE DOT}"),
        ("\n", "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}"),
        ("café", "café"),
        ("\u200b", "⟨U+200B⟩"),
        (" \ufe0f", "\N{MIDDLE DOT}⟨U+FE0F⟩"),
        ("\u2800\u3164", "⟨U+2800⟩⟨U+3164⟩"),
        ("\u2764\ufe0f", "\u2764\ufe0f"),
    ],
)
def test_a_tokens_space_is_seen(piece: str, shown: str) -> None:
    assert visible(piece) == shown
    assert len(TokenText(piece).points) > 0


@pytest.mark.parametrize(
    ("piece", "name"),
    [
        (" blue", "blue"),
        ("blue", "blue"),
        ("\u200b", "⟨U+200B⟩"),
        (" .", quoted(".")),
        ("  ", quoted("\N{MIDDLE DOT}" * 2)),
    ],
)
def test_a_token_is_quoted_in_sentences_and_on_labels_if_it_has_no_word(
    piece: str, name: str
) -> None:
    assert label_of(piece) == name
    assert called(piece) == (name if name == quoted(name[1:-1]) else quoted(name))


def test_a_number_that_changes_keeps_its_edge_and_size() -> None:
    number = Number(HALF)
    em, edge = number.em, number.get_right()[0]
    number.put(LARGE)
    assert number.text == f"{MINUS}123.46"
    assert number.em == pytest.approx(em)
    assert number.get_right()[0] == pytest.approx(edge)


def test_a_character_that_no_font_has_is_shown_as_its_bytes() -> None:
    assert TokenText("\U00012000").points == pytest.approx(TokenText("⟨F0⟩⟨92⟩⟨80⟩⟨80⟩").points)


def test_no_text_is_drawn_as_empty_boxes() -> None:
    box = typesetting.set_text("\U000f0000").points
    assert len(box) == len(typesetting.set_text("⟨F3⟩⟨B0⟩⟨80⟩⟨80⟩").points)


def test_a_script_that_the_fonts_lack_is_no_error() -> None:
    assert isinstance(Words("{}", "日本"), Glyphs)


@pytest.mark.parametrize(
    ("share", "decimals", "shown"),
    [(0.0, 2, "0.00"), (0.0049, 2, "<0.01"), (0.005, 2, "0.01"), (1e-31, 6, "<0.000001")],
)
def test_a_chance_that_is_not_nothing_never_seems_to_be(
    share: float, decimals: int, shown: str
) -> None:
    assert Chance(Value(share, "a chance"), decimals).text == shown
