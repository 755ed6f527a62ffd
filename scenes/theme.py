"""Every colour, size and duration, by meaning. It knows nothing of any mobject or film.

Sizes are in manim's font units or scene units (the frame's short side is 8 units, 1080 pixels at
1080p), durations in seconds.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a colour means. A film names a role; the theme in force knows its colour."""

    BACKGROUND = "background"
    PANEL = "panel"
    INK = "ink"
    QUIET = "quiet"
    QUERY = "query"
    KEY = "key"
    VALUE = "value"
    OUTPUT = "output"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    ACCENT = "accent"


BACKGROUND, PANEL, INK, QUIET = Role.BACKGROUND, Role.PANEL, Role.INK, Role.QUIET
QUERY, KEY, VALUE, OUTPUT = Role.QUERY, Role.KEY, Role.VALUE, Role.OUTPUT
POSITIVE, NEGATIVE, ACCENT = Role.POSITIVE, Role.NEGATIVE, Role.ACCENT


@dataclass(frozen=True)
class Theme:
    """A colour, as #RRGGBB, for every role."""

    name: str
    background: str
    panel: str
    ink: str
    quiet: str
    query: str
    key: str
    value: str
    output: str
    positive: str
    negative: str
    accent: str

    def color(self, role: Role) -> str:
        """Return the #RRGGBB of a role."""
        color: str = getattr(self, role.value)
        return color


DARK = Theme(
    name="dark",
    background="#0F1218",
    panel="#1A1F2A",
    ink="#F2F4F8",
    quiet="#8A94A6",
    query="#F9E92C",
    key="#44F1EB",
    value="#E46568",
    output="#947AF7",
    positive="#3A8AF9",
    negative="#EF7B1C",
    accent="#FF8AF5",
)
LIGHT = Theme(
    name="light",
    background="#FBFAF7",
    panel="#F3F1EB",
    ink="#171A21",
    quiet="#646B78",
    query="#806604",
    key="#12766F",
    value="#830431",
    output="#632F9C",
    positive="#1F6FE0",
    negative="#C25A06",
    accent="#C4109B",
)
THEMES = {theme.name: theme for theme in (DARK, LIGHT)}

_in_force: ContextVar[Theme] = ContextVar("theme", default=DARK)


def use(theme: Theme) -> None:
    """Make a theme the one in force for everything drawn from here on."""
    _in_force.set(theme)


@contextmanager
def using(theme: Theme) -> Iterator[None]:
    """Put a theme in force for the length of a `with` block."""
    token = _in_force.set(theme)
    try:
        yield
    finally:
        _in_force.reset(token)


def color(role: Role) -> str:
    """Return the #RRGGBB that a role has in the theme in force."""
    return _in_force.get().color(role)


def current() -> Theme:
    """Return the theme in force."""
    return _in_force.get()


def mix(over: str, under: str, share: float) -> str:
    """Blend two #RRGGBB colours as the eye sees `over` at opacity `share` upon `under`."""
    pairs = zip(_channels(over), _channels(under), strict=True)
    return "#" + "".join(f"{round(share * a + (1 - share) * b):02X}" for a, b in pairs)


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two #RRGGBB colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def ink_on(fill: str, opacity: float = 1.0) -> str:
    """Return white or black, whichever reads better on a #RRGGBB fill: 4.58 to 1 at the worst.

    The fill covers the background by its opacity.
    """
    shown = mix(fill, color(BACKGROUND), opacity)
    return max(("#FFFFFF", "#000000"), key=lambda text: contrast(text, shown))


def _channels(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luminance(color: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (channel / 255 for channel in _channels(color))
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


LEAST_CONTRAST = 4.5  # of a text with what it stands on (WCAG 2.2, AA)

# Type, in manim's font units: one scale, from what stands alone to what is barely legible.
HEADING_SIZE = 44
TITLE_SIZE = 40  # formulas and names that stand alone, and a row of tokens
SPOKEN_SIZE = 36  # what is said aloud, at least
NAMED_SIZE = 34  # numerals that are named, at least
PLAIN_SIZE = 29  # everything else, at least, where there is room
LEAST_SIZE = 16  # an em of 24 pixels at 1080p: nothing is smaller

# Space, in scene units.
SAFE_MARGIN = 0.45
CAPTIONS = 0.7  # scene units at the foot of the frame, kept free
GAP = 0.25
HAIR = 0.1
THIN_LINE = 2.0  # stroke widths, in manim's hundredths of a unit
BOLD_LINE = 4.0
CORNER = 0.08

# Opacity.
OUT_OF_FOCUS = 0.5
FAINTEST_FILL = 0.35  # of a role's colour, for what is not zero
STRONGEST_FILL = 0.7  # a cell's fill for the largest number of its grid: one ink reads on all

# Time, in seconds.
QUICK = 0.6
STEADY = 1.2
SLOW = 2.0
REST = 0.4
LAG_BUDGET = 2.0  # however many things come in one after another
WORDS_A_SECOND = 2.5
BREATH = 0.35  # after a beat's last word
TITLE_STANDS = 2.0  # then title and small print leave
