"""Typst markup in, glyph outlines out. It knows nothing of scenes; it draws nothing itself.

Only the fonts inside Typst's wheel are used (New Computer Modern, its mathematics, DejaVu Sans
Mono), so that the picture is the same on every machine; a script that they lack is set in a font
of the system, and where that lacks it too, as bytes: never as empty boxes. Outlines are made once
for each string and kept.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from xml.etree import ElementTree as ET

import numpy as np
import svgelements
import typst
from numpy.typing import NDArray

from scenes.theme import Role

EM = 100.0  # the size at which Typst sets the text, in points; coordinates keep three decimals
_ROLES = tuple(Role)
_ROLE_MACROS = "\n".join(
    f"#let {role.value}(body) = text(fill: rgb(1, 0, {index}), body)"
    for index, role in enumerate(_ROLES)
)
_PREAMBLE = f"""
#set page(width: auto, height: auto, margin: 0pt, fill: none)
#set text(font: ("New Computer Modern", "DejaVu Sans Mono"), size: {EM}pt,
          top-edge: 0.8em, bottom-edge: -0.3em)
#show math.equation: set text(top-edge: "bounds", bottom-edge: "bounds")
{_ROLE_MACROS}
"""
_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_SVG = "{http://www.w3.org/2000/svg}"
_HREF = "{http://www.w3.org/1999/xlink}href"

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Outline:
    """Outlines of a text at an em of one scene unit, its baseline on y = 0.

    `inks` pairs the role that a part was marked with (None: unmarked) with its cubic curves, four
    points each, shape (4n, 3). `width` is the advance, side bearings included.
    """

    inks: tuple[tuple[Role | None, Points], ...]
    width: float

    @property
    def points(self) -> Points:
        """All curves, whatever their ink."""
        return np.concatenate([points for _, points in self.inks] or [np.zeros((0, 3))])


@cache
def set_text(text: str) -> Outline:
    """Set a plain text: it is data, no character of it is markup."""
    return _outline("#sys.inputs.text", {"text": legible(text)})


@cache
def has_glyphs(text: str) -> bool:
    """Whether the fonts at hand, those of the system included, can draw a text."""
    return text.isascii() or not (_is_lacking(text) and _is_lacking(text, system_fonts=True))


@cache
def borrowed(text: str) -> str:
    """Return a digest of how the system's fonts draw what ours lack of a text; "" for nothing."""
    lacking = sorted(each for each in {*text} if not each.isascii() and _is_lacking(each))
    drawn = (_compile("#sys.inputs.text", {"text": each}, system_fonts=True) for each in lacking)
    return hashlib.sha256("".join(drawn).encode()).hexdigest()[:16] if lacking else ""


@cache
def set_markup(markup: str) -> Outline:
    """Set Typst markup written in a film, such as `$query(q) dot key(k)$`."""
    return _outline(markup, {})


def _outline(body: str, inputs: dict[str, str]) -> Outline:
    svg = _compile(body, inputs, system_fonts=False)
    if _lacks_glyphs(svg):
        svg = _compile(body, inputs, system_fonts=True)
    root = ET.fromstring(svg)  # noqa: S314 # written by Typst a moment ago
    glyphs = {
        symbol.get("id", ""): symbol.find(f"{_SVG}path").get("d", "")  # type: ignore[union-attr]
        for symbol in root.iter(f"{_SVG}symbol")
    }
    drawn = list(_walk(root, np.eye(3), glyphs))
    baseline = next((y for _, _, y in drawn if y is not None), 0.8 * EM)
    inks: dict[Role | None, list[Points]] = {}
    for fill, curves, _ in drawn:
        inks.setdefault(_role(fill), []).append(_to_scene(curves, baseline))
    width = float(root.get("viewBox", "0 0 0 0").split()[2]) / EM
    return Outline(tuple((role, np.concatenate(parts)) for role, parts in inks.items()), width)


def _compile(body: str, inputs: dict[str, str], *, system_fonts: bool) -> str:
    source = (_PREAMBLE + body).encode()
    svg = _compiler(system_fonts=system_fonts).compile(source, format="svg", sys_inputs=inputs)
    assert isinstance(svg, bytes)
    return svg.decode()


@cache
def _compiler(*, system_fonts: bool) -> typst.Compiler:
    """Return what compiles texts; one for all, as to find the fonts takes longer than a text."""
    return typst.Compiler(ignore_system_fonts=not system_fonts)


@cache
def _missing_glyph() -> str:
    """Return the outline that stands for a character that no font of the wheel has."""
    svg = _compile("#sys.inputs.text", {"text": "\U000f0000"}, system_fonts=False)
    found = re.search(r'<path d="([^"]*)"', svg)
    return found.group(1) if found else ""


def _lacks_glyphs(svg: str) -> bool:
    """Whether a character has no outline: no font has it, or only one of coloured pictures."""
    return (bool(_missing_glyph()) and f'"{_missing_glyph()}"' in svg) or "<image" in svg


def _is_lacking(text: str, *, system_fonts: bool = False) -> bool:
    """Whether a character of a text has no outline in our own fonts, or in the system's either."""
    return _lacks_glyphs(_compile("#sys.inputs.text", {"text": text}, system_fonts=system_fonts))


def legible(text: str) -> str:
    """Write a character that no font of this machine has as its bytes, such as ⟨F0⟩⟨92⟩."""
    if has_glyphs(text):
        return text
    return "".join(each if has_glyphs(each) else _as_bytes(each) for each in text)


def _as_bytes(character: str) -> str:
    return "".join(f"⟨{byte:02X}⟩" for byte in character.encode())


def _walk(
    element: ET.Element, to_page: Points, glyphs: dict[str, str]
) -> Iterator[tuple[str, Points, float | None]]:
    """Yield (fill, curves in page points with y down, baseline) for all that is drawn."""
    for child in element:
        matrix = to_page @ _matrix(child.get("transform", ""))
        if child.tag == f"{_SVG}use":
            place = np.eye(3)
            place[:2, 2] = float(child.get("x", 0)), float(child.get("y", 0))
            curves = _curves(glyphs[child.get(_HREF, "#")[1:]])
            yield child.get("fill", ""), _apply(matrix @ place, curves), float(matrix[1, 2])
        elif child.tag == f"{_SVG}path" and child.get("stroke"):
            bar = _bar(child.get("d", ""), float(child.get("stroke-width", 0)))
            yield child.get("stroke", ""), _apply(matrix, bar), None
        elif child.tag == f"{_SVG}path":
            yield child.get("fill", ""), _apply(matrix, _curves(child.get("d", ""))), None
        elif child.tag == f"{_SVG}g":
            yield from _walk(child, matrix, glyphs)


def _matrix(transform: str) -> Points:
    numbers = [float(number) for number in _NUMBERS.findall(transform)]
    matrix = np.eye(3)
    if transform.startswith("matrix"):
        matrix[:2] = np.array(numbers).reshape(3, 2).T
    elif transform.startswith("translate"):
        matrix[: len(numbers), 2] = numbers
    return matrix


def _apply(matrix: Points, curves: Points) -> Points:
    return curves @ matrix[:2, :2].T + matrix[:2, 2]


@cache
def _curves(path: str) -> Points:
    """Return the cubic curves of SVG path data, four points each."""
    points: list[tuple[float, float]] = []
    for segment in svgelements.Path(path):
        start, end = segment.start, segment.end
        if isinstance(segment, svgelements.Move) or start == end:
            continue
        points += [(point.x, point.y) for point in _handles(segment, start, end)]
    return np.array(points, dtype=np.float64).reshape(-1, 2)


def _handles(
    segment: svgelements.PathSegment, start: svgelements.Point, end: svgelements.Point
) -> tuple[svgelements.Point, ...]:
    if isinstance(segment, svgelements.CubicBezier):
        return start, segment.control1, segment.control2, end
    if isinstance(segment, svgelements.QuadraticBezier):
        control = segment.control
        return start, start + (control - start) * (2 / 3), end + (control - end) * (2 / 3), end
    return start, start + (end - start) * (1 / 3), start + (end - start) * (2 / 3), end


def _bar(path: str, width: float) -> Points:
    """Return a stroked straight line (a fraction's or a root's) as a filled rectangle."""
    curves = _curves(path)
    (x0, y0), (x1, y1) = curves[0], curves[-1]
    half = width / 2
    return _curves(f"M {x0} {y0 - half} L {x1} {y1 - half} L {x1} {y1 + half} L {x0} {y0 + half} Z")


def _role(fill: str) -> Role | None:
    marked = re.fullmatch(r"#0100([0-9a-f]{2})", fill)
    return _ROLES[int(marked.group(1), 16)] if marked else None


def _to_scene(curves: Points, baseline: float) -> Points:
    flipped = (curves - (0, baseline)) * (1 / EM, -1 / EM)
    return np.column_stack([flipped, np.zeros(len(flipped))])
