"""Sources read back: what an address, or arithmetic on addresses, comes to. Knows no pictures.

The grammar of a source, as `scenes.values` writes it (numbers count from 0):

    source     = address                                  dot_products[1,2,4,3]
               | "=" expression
    expression = product { ("+" | "-") product }
    product    = part { ("*" | "/") part }
    part       = address | "(" expression ")"
               | "sum over" AXIS "of" product             = sum over key of pattern[2,1,4,:]
               | "sum over all entries of" product        = sum over all entries of A[:] * B[:]
               | "length of" part
               | "cosine between" part "and" part
               | "largest difference between" route "and" route
               | TARGET "of layer" N "," "head" N         = adjective_to_noun of layer 2, head 1
    route      = part | "[" expression { "," expression } "]"

A sum over one axis wants an array with that one axis left. A target is one of `model.heads`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float64]
HeadScore: TypeAlias = Callable[[str, int, int], float | None]

ADDRESS = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\[((?:\d+|:)(?:,(?:\d+|:))*)\]")
ARITHMETIC = "= "
TAKEN_AS_IT_IS = ("constant: ", "story: ", "count: ")

_TOKEN = re.compile(rf"\s*({ADDRESS.pattern}|[A-Za-z_]\w*|\d+|[-+*/(),\[\]])")
_OPERATIONS: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
}


class Unreadable(ValueError):  # noqa: N818 # it says what the source is
    """A source that cannot be worked out; its text says why, as the end of a sentence."""


def has_known_form(source: str) -> bool:
    """Whether a text has one of the forms that a source may have."""
    return bool(ADDRESS.fullmatch(source)) or source.startswith((ARITHMETIC, *TAKEN_AS_IT_IS))


def evaluate(source: str, tensors: Mapping[str, NDArray[np.float32]], score: HeadScore) -> float:
    """Return what an address or an expression comes to, in double precision.

    `tensors` holds every array under its name, `score(target, layer, head)` is what a head was
    measured to do. Raises `Unreadable`.
    """
    words = source.removeprefix(ARITHMETIC)
    with np.errstate(all="ignore"):
        found = _Reader(words, tensors, score).read_all()
    if found.ndim:
        raise Unreadable(f"it leaves {found.size} numbers")
    return float(found)


def agree(shown: float, source: str, evaluated: float) -> bool:
    """Whether a number is what its source comes to.

    An entry of a tensor must be that entry, bit for bit in float32. Arithmetic may differ by
    1e-4 of its result and 1e-6; a difference is measured to be small and gets no such 1e-6.
    """
    if ADDRESS.fullmatch(source):
        return bool(np.float32(shown) == np.float32(evaluated))
    slack = 1e-12 if source.startswith("= largest difference") else 1e-6
    return bool(np.isclose(shown, evaluated, rtol=1e-4, atol=slack))


class _Reader:
    """Reads an expression from left to right and works it out on the way."""

    def __init__(
        self, text: str, tensors: Mapping[str, NDArray[np.float32]], score: HeadScore
    ) -> None:
        self.tokens = _split(text)
        self.at = 0
        self.tensors = tensors
        self.score = score

    def read_all(self) -> Numbers:
        found = self.expression()
        if self.next:
            raise Unreadable(f"nothing can be made of '{self.next}'")
        return found

    @property
    def next(self) -> str:
        """The token to be read next; empty at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.at += 1
        return token

    def expect(self, words: str) -> None:
        for word in words.split():
            if self.next != word:
                where = f"'{self.next}'" if self.next else "its end"
                raise Unreadable(f"'{word}' is expected where {where} stands")
            self.at += 1

    def follows(self, words: str) -> bool:
        """Whether these words come next; they are taken if they do."""
        wanted = words.split()
        if self.tokens[self.at : self.at + len(wanted)] != wanted:
            return False
        self.at += len(wanted)
        return True

    def expression(self) -> Numbers:
        found = self.product()
        while self.next in {"+", "-"}:
            found = _combine(self.take(), found, self.product())
        return found

    def product(self) -> Numbers:
        found = self.part()
        while self.next in {"*", "/"}:
            found = _combine(self.take(), found, self.part())
        return found

    def part(self) -> Numbers:
        if self.follows("("):
            found = self.expression()
            self.expect(")")
            return found
        if self.follows("sum over"):
            return self.sum()
        if self.follows("length of"):
            return _length(self.part())
        if self.follows("cosine between"):
            one, other = self.pair(self.part)
            return _dot(one, other) / (_length(one) * _length(other))
        if self.follows("largest difference between"):
            one, other = self.pair(self.route)
            return np.asarray(np.abs(_combine("-", one, other)).max())
        token = self.take()
        matched = ADDRESS.fullmatch(token)
        return self.entry(*matched.groups()) if matched else self.head_score(token)

    def sum(self) -> Numbers:
        if self.follows("all entries of"):
            return _sum(self.product())
        axis = self.take()
        self.expect("of")
        found = self.product()
        if found.ndim != 1:
            raise Unreadable(f"there are {found.ndim} axes to sum over, and it names '{axis}'")
        return _sum(found)

    def pair(self, read: Callable[[], Numbers]) -> tuple[Numbers, Numbers]:
        one = read()
        self.expect("and")
        return one, read()

    def route(self) -> Numbers:
        if not self.follows("["):
            return self.part()
        found = [self.expression()]
        while self.follows(","):
            found.append(self.expression())
        self.expect("]")
        if any(number.ndim for number in found):
            raise Unreadable("a list holds single numbers")
        return np.array(found)

    def entry(self, name: str, index: str) -> Numbers:
        if name not in self.tensors:
            raise Unreadable(f"the trace has no tensor '{name}'")
        tensor = self.tensors[name]
        picked = tuple(slice(None) if each == ":" else int(each) for each in index.split(","))
        if len(picked) != tensor.ndim:
            raise Unreadable(f"'{name}' has {tensor.ndim} axes and {len(picked)} are given")
        try:
            return np.asarray(tensor[picked], dtype=np.float64)
        except IndexError:
            shape = ", ".join(map(str, tensor.shape))
            raise Unreadable(f"{name}[{index}] lies outside the shape ({shape})") from None

    def head_score(self, target: str) -> Numbers:
        if not self.follows("of layer"):
            raise Unreadable(f"nothing can be made of '{target}'" if target else "it ends too soon")
        layer = self.number()
        self.expect(", head")
        head = self.number()
        found = self.score(target, layer, head)
        if found is None:
            raise Unreadable(f"no '{target}' was measured for layer {layer}, head {head}")
        return np.array(found)

    def number(self) -> int:
        token = self.take()
        if not token.isdecimal():
            raise Unreadable(f"a number is expected where '{token}' stands")
        return int(token)


def _split(text: str) -> list[str]:
    tokens, at = list[str](), 0
    while at < len(text.rstrip()):
        found = _TOKEN.match(text, at)
        if not found:
            raise Unreadable(f"nothing can be made of '{text[at:].strip()}'")
        tokens.append(found.group(1))
        at = found.end()
    return tokens


def _combine(operation: str, one: Numbers, other: Numbers) -> Numbers:
    if one.ndim and other.ndim and one.shape != other.shape:
        raise Unreadable(f"arrays of {one.size} and {other.size} entries do not line up")
    return np.asarray(_OPERATIONS[operation](one, other))


def _sum(numbers: Numbers) -> Numbers:
    return np.asarray(numbers.sum())


def _length(vector: Numbers) -> Numbers:
    return np.asarray(np.linalg.norm(vector))


def _dot(one: Numbers, other: Numbers) -> Numbers:
    return _sum(_combine("*", one, other))
