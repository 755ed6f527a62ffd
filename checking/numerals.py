"""Numbers on a stage against their values, and values against the trace. It knows no layout."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations

import numpy as np
from manim import Mobject

from checking.report import Fault
from model.tokenizer import Tokenizer, row_name
from scenes.expressions import Expression, SourceError, agree, evaluate, is_passing
from scenes.film import Film
from scenes.mobjects.text import (
    MINUS,
    Formula,
    Glyphs,
    Number,
    Numeral,
    TokenText,
    Words,
    visible,
)
from scenes.mobjects.typesetting import Points, legible
from scenes.provenance import Array, Value, constant

_NUMERAL = re.compile(r"[-+\N{MINUS SIGN}]?(\d[\d,]*)(\.\d+)?(?:e([-+\N{MINUS SIGN}]?\d+))?(%?)")
_LONE_DIGITS = re.compile(r"(?<![\w.\-])\d[\d.,]*(?!\w)")
_NOT_AN_INDEX = re.compile(r"(?<![_\d])\d")
_QUOTED = re.compile("\N{LEFT DOUBLE QUOTATION MARK}([^\N{RIGHT DOUBLE QUOTATION MARK}]*).")
_TWO_INDICES = re.compile(r"_\(\d+, ?\d+\)")  # row and column, as in E_(3,1)


@dataclass(frozen=True)
class Evidence:
    """What a film's numbers are held against: the trace of its prompt, and its heads' scores."""

    scene: Film
    _evaluated: dict[Expression, float] = field(default_factory=dict)

    @cached_property
    def _arrays(self) -> Mapping[str, Array]:
        """All that an address may name; what a head was not measured to do is no number."""
        heads = self.scene.head_scores()
        shape = heads[-1].layer + 1, heads[-1].head + 1
        scores = [{**head.scores(), "binding": head.binding} for head in heads]
        measured = {
            f"heads.{target}": np.array([each[target] for each in scores], float).reshape(shape)
            for target in scores[0]
        }
        return self.scene.arrays | measured

    @cached_property
    def quotable(self) -> str:
        """The prompt, its characters and its tokens, as shown: digits in them are no data."""
        trace = self.scene.trace
        runs = ("".join(trace.pieces[i:j]) for i, j in combinations(range(len(trace.ids) + 1), 2))
        return " ".join((trace.text, *map(visible, trace.text), *runs))

    def is_token(self, shown: str) -> bool:
        """Whether a text is that of a token of the model's vocabulary, or of the prompt's bytes."""
        text = self.scene.trace.text
        if shown.startswith("⟨") and (shown in legible(text) or shown in map(visible, text)):
            return True
        if shown.endswith("\N{HORIZONTAL ELLIPSIS}"):  # cut to the room that it has
            return any(token.startswith(shown[:-1]) for token in self._vocabulary)
        return not self._vocabulary.isdisjoint((shown, visible(f" {shown}")))  # as in a sentence

    def evaluate(self, origin: Expression) -> float:
        """Return what a number is worked out to; raises `SourceError`. Many stand for a while."""
        if origin not in self._evaluated:
            self._evaluated[origin] = evaluate(origin, self._arrays)
        return self._evaluated[origin]

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        """How every token of the model's vocabulary is shown, and every row that has no piece."""
        return _shown(self.scene.tokenizer, self.scene.trace.probs.shape[1])


@lru_cache(maxsize=2)
def _shown(tokenizer: Tokenizer, rows: int) -> frozenset[str]:
    pieces = tokenizer.vocabulary
    bare = (row_name(row) for row in range(rows) if row not in pieces)
    return frozenset((*map(visible, pieces.values()), *bare))


def number_faults(glyphs: Glyphs, whole: Mobject, evidence: Evidence) -> Iterator[Fault]:
    """Yield what is wrong with the numerals of a text; `whole` is the formula it is part of."""
    if _unsourced_digits(glyphs, whole, evidence):
        yield Fault("number", f"'{glyphs.text}' has digits that have no source.")
    for numeral in glyphs.numerals:
        wrong = _wrong_form(numeral, glyphs)
        if wrong:
            yield Fault("number", f"'{numeral.text}' in '{glyphs.text}' {wrong}.")
        else:
            yield from _source_faults(numeral, evidence)


def _unsourced_digits(glyphs: Glyphs, whole: Mobject, evidence: Evidence) -> bool:
    """Whether a text has digits that are neither a sourced numeral, an index, nor quoted."""
    if isinstance(glyphs, TokenText):
        return bool(_LONE_DIGITS.search(glyphs.text)) and not evidence.is_token(glyphs.text)
    if isinstance(whole, Formula):
        return bool(_NOT_AN_INDEX.search(_TWO_INDICES.sub("", glyphs.text)))
    quoted = _QUOTED.sub(lambda found: "" if evidence.is_token(found[1]) else found[0], glyphs.text)
    for numeral in glyphs.numerals:
        quoted = quoted.replace(numeral.text, "\N{HORIZONTAL ELLIPSIS}", 1)
    is_bare = isinstance(glyphs, Words) and glyphs.has_bare_digits
    return is_bare or not _lone_digits(quoted) <= _lone_digits(evidence.quotable)


def _lone_digits(text: str) -> set[str]:
    return {digits.rstrip(".,") for digits in _LONE_DIGITS.findall(text)}


def _wrong_form(numeral: Numeral, glyphs: Glyphs) -> str:
    """Return what is wrong with a numeral as it stands, as the end of a sentence."""
    value = numeral.value
    if not isinstance(value.origin, Expression):
        return "has no source"
    if is_passing(value.origin):
        return f"is at rest on its way ({value.source})"
    if numeral.text not in glyphs.text:
        return "is not what the text says"
    if not _shows(numeral.text, value.number):
        return f"does not show its value {value.number:.6g} ({value.source})"
    return _wrong_look(glyphs) if isinstance(glyphs, Number) else ""


def _wrong_look(number: Number) -> str:
    """Return what is wrong with how a number is written or drawn, as the end of a sentence."""
    if number.text != number.write(number.value.number, number.decimals):
        return f"is not how {number.value.number:.6g} is written here"
    return "" if _draws(number, number.value) else "is drawn as another number"


def _shows(text: str, number: float) -> bool:
    """Whether a text is a number rounded as the text is: within half a unit of its last digit."""
    if np.isinf(number):
        return text == (MINUS if number < 0 else "") + "\N{INFINITY}"
    read = _NUMERAL.fullmatch(text.lstrip("<>"))
    if not read or np.isnan(number):
        return False
    whole, decimals, exponent, percent = read.groups()
    power = int((exponent or "0").replace(MINUS, "-")) - (2 if percent else 0)
    size = float(whole.replace(",", "") + (decimals or "")) * 10.0**power
    if text[0] in "<>":
        return number < size if text[0] == "<" else number > size
    sign = -1 if text[0] in {"-", MINUS} else 1
    half = 0.5 * 10.0 ** (power - len((decimals or ".")[1:]))
    gap = abs(sign * size - number)
    return (size > 0 or sign > 0) and gap <= half * (1 + 1e-6) + 1e-12 * size


def _draws(glyphs: Number, value: Value) -> bool:
    """Whether the outlines of a number are those of its value, wherever and however large."""
    drawn = _at_unit_size(glyphs.points)
    meant = _digits(type(glyphs), value.number, glyphs.decimals)  # type: ignore[arg-type]
    return drawn.shape == meant.shape and bool(np.allclose(drawn, meant, atol=0.01))


@lru_cache(maxsize=4096)
def _digits(kind: type[Number], number: float, decimals: int) -> Points:
    return _at_unit_size(kind(constant(number, "as it is meant"), decimals).points)


def _at_unit_size(points: Points) -> Points:
    size = np.ptp(points, axis=0).max() if len(points) else 0.0
    return (points - points.min(axis=0)) / size if size else points


def _source_faults(numeral: Numeral, evidence: Evidence) -> Iterator[Fault]:
    value = numeral.value
    try:
        found = evidence.evaluate(value.origin)
    except SourceError as reason:
        what = f"'{numeral.text}' has a source that cannot be worked out ({value.source})"
        yield Fault("source", f"{what}: {reason}.")
        return
    if not agree(value.number, value.origin, found):
        what = f"'{numeral.text}' stands for {value.number:.6g}"
        yield Fault("source", f"{what}, but {value.source} is {found:.6g}.")
