"""Words, numbers and formulas: each text is one path, so that it is cheap to move and to draw.

They know how numbers are written, and nothing of what they mean.
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Self

import numpy as np
from manim import Rectangle, VGroup, VMobject
from manim.constants import LEFT, RIGHT, SCALE_FACTOR_PER_FONT_POINT, UP
from manim.typing import Vector3D

from scenes import theme
from scenes.mobjects.typesetting import Outline, Points, set_markup, set_text
from scenes.provenance import Value, between
from scenes.theme import (
    INK,
    LEAST_SIZE,
    NAMED_SIZE,
    SPOKEN_SIZE,
    Role,
)

POINTS_AN_EM = 11.0  # manim sets Typst at 11 points for its font_size
MINUS, TIMES = "\N{MINUS SIGN}", "\N{MULTIPLICATION SIGN}"
BAR = 0.04  # of an em, how thick the bar of a root is
SHARE = "share"  # the format of a share of one, as a percentage
TINY = 1e-4  # of one: smaller shares are only said to be so, and what others miss of all, too
APOSTROPHE = "\N{RIGHT SINGLE QUOTATION MARK}"
OPEN_SPACE = "\N{MIDDLE DOT}"
SIGN_NAMES = {
    ".": "a full stop",
    ",": "a comma",
    "?": "a question mark",
    "!": "an exclamation mark",
    " ": "a space",
    "\n": "a line break",
    "<|endoftext|>": "the text's end",
}
SIGNS = {"\n": "\N{DOWNWARDS ARROW WITH CORNER LEFTWARDS}", "\t": "\N{RIGHTWARDS ARROW TO BAR}"}

# Letters, marks and signs that leave no ink by themselves: Unicode's Default_Ignorable_Code_Point,
# but for control characters, and Braille's empty pattern.
BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]+"
)


def em_of(size: float) -> float:
    """Return the em, in scene units, of a manim font size."""
    return size * POINTS_AN_EM * SCALE_FACTOR_PER_FONT_POINT


@dataclass(frozen=True)
class Numeral:
    """A number as it stands in a text, and the value that it shows."""

    text: str
    value: Value


class Glyphs(VMobject):
    """A text as one filled path. Its `text` is what a reader reads, its `em` the current size."""

    def __init__(self, text: str, outline: Points, size: float, role: Role) -> None:
        super().__init__(stroke_width=0, fill_opacity=1)
        self.text = text
        self.numerals: tuple[Numeral, ...] = ()
        self.has_bare_digits = False
        self._draw(outline, em_of(size))
        self._know(outline)
        self.set_role(role)

    @property
    def em(self) -> float:
        """The size of the letters' em square as they stand now, turned or not, in scene units."""
        return _spread(self.points) / self._unit_spread

    @property
    def baseline(self) -> float:
        """The height of the line that the letters of a level text stand on."""
        return float(self.get_bottom()[1]) - self._depth * self.em

    def set_role(self, role: Role) -> Self:
        """Give the text the colour of a role."""
        self.set_color(theme.color(role))
        return self

    def shrink_to(self, width: float) -> Self:
        """Make the text smaller, down to the least size, until it fits a width."""
        self.scale(max(min(1.0, width / self.width), em_of(LEAST_SIZE) / self.em))
        return self

    def get_points_defining_boundary(self) -> Points:
        """Return the ends of the curves, (2n, 3), by which manim takes its box.

        manim lists them point by point, which takes most of the time of a number that moves.
        """
        return self.points.reshape(-1, 4, 3)[:, ::3].reshape(-1, 3)

    def _draw(self, outline: Points, em: float) -> None:
        self.points = outline * em

    def _know(self, outline: Points) -> None:
        """Remember how far an outline at an em of one spreads, and how deep it reaches."""
        self._unit_spread = _spread(outline)
        self._depth = float(outline[:, 1].min()) if len(outline) else 0.0


class Words(Glyphs):
    """A text in which every numeral has its source.

    `template` is a format string; a `Value` put into it is a numeral with a source, a string put
    into it is quoted (a token's own digits are not data). The format `{:share}` is `percent`.
    """

    def __init__(
        self,
        template: str,
        *parts: Value | str,
        size: float = NAMED_SIZE,
        role: Role = INK,
    ) -> None:
        text, numerals = _fill(template, parts)
        super().__init__(text, set_text(text).points, size, role)
        self.numerals = numerals
        self.has_bare_digits = any(
            any(character.isdigit() for character in literal)
            for literal, *_ in string.Formatter().parse(template)
        )


class TokenText(Glyphs):
    """A token's own text; the space that it begins with is drawn as a middle dot."""

    def __init__(self, piece: str, size: float = SPOKEN_SIZE, role: Role = INK) -> None:
        shown = visible(piece)
        super().__init__(shown, set_text(shown).points, size, role)


class Rooted(VGroup):
    """Words that begin with the root of their first number, and the bar over it."""

    def __init__(self, template: str, *values: Value, size: float = NAMED_SIZE) -> None:
        words = Words(f"√{template}", *values, size=size)
        start, end = (Words(text, size=size).width for text in ("√", f"√{values[0].number:g}"))
        bar = Rectangle(width=end - start, height=BAR * words.em)
        bar.set_fill(words.get_fill_color(), 1).set_stroke(width=0)
        corner = words.get_corner(UP + LEFT) + start * RIGHT
        super().__init__(words, bar.move_to(corner, UP + LEFT))


class Formula(VGroup):
    """Typst markup; `query(..)`, `key(..)` and the other roles colour what they enclose."""

    def __init__(self, markup: str, size: float = NAMED_SIZE) -> None:
        outline = set_markup(markup)
        super().__init__(
            *(Glyphs(markup, points, size, marked or INK) for marked, points in outline.inks)
        )
        self.text = markup


class Number(Glyphs):
    """A number with its source, in digits of one width and with a true minus sign.

    When it shows another value, its edge towards `anchor` (LEFT or RIGHT) stays where it is.
    """

    def __init__(
        self,
        value: Value,
        decimals: int = 2,
        size: float = NAMED_SIZE,
        role: Role = INK,
        anchor: Vector3D = RIGHT,
    ) -> None:
        self.decimals, self.anchor = decimals, anchor
        text = self.write(value.number, decimals)
        super().__init__(text, spelled(text), size, role)
        self.value = value
        self.numerals = (Numeral(text, value),)

    @staticmethod
    def write(number: float, decimals: int) -> str:
        """Return how a number is written. A kind of numeral may override it."""
        return written(number, decimals)

    def put(self, value: Value) -> Self:
        """Show another value at the same place."""
        text = self.write(value.number, self.decimals)
        if text != self.text:
            em, edge, baseline = self.em, self._edge(), self._baseline()
            self.text, outline = text, spelled(text)
            self._know(outline)
            self._draw(outline, em)
            self.shift((edge - self._edge(), baseline - self._baseline(), 0))
        self.value, self.numerals = value, (Numeral(text, value),)
        return self

    def put_between(self, start: Value, end: Value, share: float) -> Self:
        """Show the mixture of two values, or the end value itself once `share` is 1."""
        return self.put(between(start, end, share))

    def _edge(self) -> float:
        return float(self.get_edge_center(self.anchor)[0])

    def _baseline(self) -> float:
        last_digit = self.points[-len(_glyph(self.text[-1]).points) :]
        low = float(_glyph(self.text[-1]).points[:, 1].min())
        return float(last_digit[:, 1].min()) - low * self.em


class Chance(Number):
    """A share of one: what is not nothing, or not all, never seems to be: `<0.01`, `>0.99`."""

    @staticmethod
    def write(number: float, decimals: int) -> str:
        """Return a share, or on which side it is of one of the last digit, or of all but one."""
        least, shown = 10.0**-decimals, written(number, decimals)
        if 0 < number < least / 2:
            return f"<{written(least, decimals)}"
        return f">{written(1 - least, decimals)}" if number < 1 <= float(shown) else shown


def written(number: float, decimals: int) -> str:
    """Write a number as the films do: fixed decimals, thousands apart, a true minus sign."""
    if np.isinf(number):
        return (MINUS if number < 0 else "") + "\N{INFINITY}"
    return _without_negative_zero(f"{number:,.{decimals}f}").replace("-", MINUS)


def widest(values: Iterable[Value], decimals: int, kind: type[Number] = Number) -> float:
    """Return the width of the widest of some numbers of a kind, in ems."""
    texts = {kind.write(value.number, decimals) for value in values}
    return max(float(np.ptp(spelled(text)[:, 0])) for text in texts)


def visible(piece: str) -> str:
    """Return a token's text as it is shown: leading spaces as dots, line breaks as arrows.

    A character that nobody could see otherwise is shown by its number, such as ⟨U+200B⟩.
    """
    word = piece.lstrip(" ")
    dots = OPEN_SPACE * (len(piece) - len(word))
    seen = _by_number if BLANK.fullmatch(word) else _seen
    return dots + "".join(map(seen, word))


def called(piece: str) -> str:
    """Return how a token is called in a sentence: quoted, as it is shown, without its space."""
    shown = visible(piece.strip() or piece)
    return f"\N{LEFT DOUBLE QUOTATION MARK}{shown}\N{RIGHT DOUBLE QUOTATION MARK}"


def sign_name(piece: str) -> str:
    """Return the name of a sign of which hardly anything is seen, or nothing."""
    return SIGN_NAMES.get(piece.strip() or piece, "")


def called_aloud(piece: str) -> str:
    """Return how a token is called where a voice reads it: a sign by its name, others quoted."""
    is_read = (piece.strip() or piece).isprintable()
    return sign_name(piece) or (called(piece) if is_read else "a sign that is no letter")


def label_of(piece: str) -> str:
    """Return how a token is written beside what is its: quoted only if it is nothing but signs."""
    shown = visible(piece.strip() or piece)
    return shown if any(map(str.isalnum, shown)) else called(piece)


def _seen(character: str) -> str:
    if character in SIGNS:
        return SIGNS[character]
    if character == " " or unicodedata.category(character)[0] not in "CZ":
        return character
    return _by_number(character)


def _by_number(character: str) -> str:
    return f"⟨U+{ord(character):04X}⟩"


def _fill(template: str, parts: tuple[Value | str, ...]) -> tuple[str, tuple[Numeral, ...]]:
    texts: list[str] = []
    numerals: list[Numeral] = []
    remaining = iter(parts)
    for literal, name, spec, _ in string.Formatter().parse(template):
        texts.append(literal.replace("'", APOSTROPHE))
        if name is None:
            continue
        part = next(remaining)
        if isinstance(part, Value):
            shown = _formatted(part.number, spec or ".0f")
            numerals.append(Numeral(shown, part))
            texts.append(shown)
        else:
            texts.append(part)
    return "".join(texts), tuple(numerals)


def percent(share: float) -> str:
    """Write a share of one so that it shows a first figure, and does not seem all if it is not."""
    if share < TINY:
        return f"<{TINY:.2%}"
    places = max(0, -int(np.floor(np.log10(100 * share))))
    while 1 - share > TINY and round(100 * share, places) == 100:
        places += 1
    return f"{share:.{places}%}"


def _formatted(number: float, spec: str) -> str:
    """Format a number for a text: a true minus sign, and 3e-7 rather than 3e-07."""
    if spec == SHARE:
        return percent(number)
    text = re.sub(r"e([+-])0(?=\d)", r"e\1", format(number, spec))
    return _without_negative_zero(text).replace("-", MINUS)


def _without_negative_zero(text: str) -> str:
    return text if re.search("[1-9]", text) else text.lstrip("-")


def _spread(points: Points) -> float:
    """Return how far points lie from their middle, all together; 1 if there are none."""
    if not len(points):
        return 1.0
    around = (points - np.add.reduce(points) / len(points)).ravel()
    return float(np.sqrt(around @ around))


@cache
def _glyph(character: str) -> Outline:
    return set_text(character)


@cache
def spelled(text: str) -> Points:
    """Return the outline of a text at an em of one, its characters side by side."""
    x, parts = 0.0, []
    for character in text:
        glyph = _glyph(character)
        parts.append(glyph.points + (x, 0, 0))
        x += glyph.width
    return np.concatenate(parts)
