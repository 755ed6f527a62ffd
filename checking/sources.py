"""Sources read back: what an address, or arithmetic on addresses, comes to. Knows no pictures.

The grammar of a source, as `scenes.provenance` writes it (numbers count from 0):

    source     = address                                  dot_products[1,2,4,3]
               | "=" expression
    expression = product { ("+" | "-") product }
    product    = part { ("*" | "/" | "@") part }          "@" is the matrix product
    part       = address | "(" expression ")"
               | "sum over" AXIS "of" product             = sum over key of pattern[2,1,4,:]
               | "sum over all entries of" product        = sum over all entries of A[:] * B[:]
               | "entry" N { "," N } "of" part            = entry 6 of softmax over key of A[:]
               | WORDS part                               = square root of entries in q[2,1,4,:]
               | "cosine between" part "and" part
               | "largest difference between" part "and" part
               | "[" expression { "," expression } "]"    the rows of an array
               | "share of squared length in" N "principal axes of" product
               | "singular value" N "of" product          = singular value 0 of weights.W_V[0,0,:,:]
               | TARGET "of layer" N "," "head" N         = adjective_to_noun of layer 2, head 1
               | "number of layer" N                      counted from 1, as no other number is

A sum over one axis wants an array with that one axis left. Principal axes go through the origin.
A target is one of `model.heads`, WORDS are those of `checking.operations`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from checking.operations import UNARY, length

Numbers: TypeAlias = NDArray[np.float64]
HeadScore: TypeAlias = Callable[[str, int, int], float | None]

ADDRESS = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)\[((?:\d+|:)(?:,(?:\d+|:))*)\]")
ARITHMETIC = "= "
TAKEN_AS_IT_IS = ("constant: ", "story: ", "count: ")

_TOKEN = re.compile(rf"\s*({ADDRESS.pattern}|[A-Za-z_]\w*|\d+|[-+*/@(),\[\]])")
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
        while self.next in {"*", "/", "@"}:
            found = _combine(self.take(), found, self.part())
        return found

    def part(self) -> Numbers:
        for words, work in UNARY.items():
            if self.follows(words):
                return np.asarray(work(self.part()))
        for words, read in _FORMS.items():
            if self.follows(words):
                return read(self)
        token = self.take()
        matched = ADDRESS.fullmatch(token)
        return self.entry(*matched.groups()) if matched else self.head_score(token)

    def bracket(self) -> Numbers:
        found = self.expression()
        self.expect(")")
        return found

    def cosine(self) -> Numbers:
        one, other = self.pair(self.part)
        return _dot(one, other) / (length(one) * length(other))

    def difference(self) -> Numbers:
        one, other = self.pair(self.part)
        return np.asarray(np.abs(_combine("-", one, other)).max())

    def sum(self) -> Numbers:
        if self.follows("all entries of"):
            return _sum(self.product())
        axis = self.take()
        self.expect("of")
        found = self.product()
        if found.ndim != 1:
            raise Unreadable(f"there are {found.ndim} axes to sum over, and it names '{axis}'")
        return _sum(found)

    def picked(self) -> Numbers:
        entry = [self.number()]
        while self.follows(","):
            entry.append(self.number())
        self.expect("of")
        found = self.part()
        if any(i >= n for i, n in zip(entry, found.shape, strict=False)) or len(entry) > found.ndim:
            raise Unreadable(f"entry {entry} lies outside the shape {found.shape}")
        return np.asarray(found[tuple(entry)])

    def pair(self, read: Callable[[], Numbers]) -> tuple[Numbers, Numbers]:
        one = read()
        self.expect("and")
        return one, read()

    def listed(self) -> Numbers:
        found = [self.expression()]
        while self.follows(","):
            found.append(self.expression())
        self.expect("]")
        if len({number.shape for number in found}) > 1:
            raise Unreadable("a list holds single numbers, or vectors of one length")
        return np.array(found)

    def matrix(self) -> Numbers:
        found = self.product()
        if found.ndim != 2:
            raise Unreadable(f"a matrix is wanted, and this has {found.ndim} axes")
        return found

    def principal_share(self) -> Numbers:
        axes = self.number()
        self.expect("principal axes of")
        sizes = np.linalg.svd(self.matrix(), compute_uv=False) ** 2
        return np.asarray(sizes[:axes].sum() / sizes.sum() if sizes.sum() else 1.0)

    def singular_value(self) -> Numbers:
        place = self.number()
        self.expect("of")
        sizes = np.linalg.svd(self.matrix(), compute_uv=False)
        if place >= len(sizes):
            raise Unreadable(f"there are {len(sizes)} singular values, counted from 0")
        return np.asarray(sizes[place])

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

    def layer_number(self) -> Numbers:
        return np.asarray(float(self.number() + 1))

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


_FORMS: Mapping[str, Callable[[_Reader], Numbers]] = {
    "(": _Reader.bracket,
    "[": _Reader.listed,
    "sum over": _Reader.sum,
    "entry": _Reader.picked,
    "cosine between": _Reader.cosine,
    "largest difference between": _Reader.difference,
    "share of squared length in": _Reader.principal_share,
    "singular value": _Reader.singular_value,
    "number of layer": _Reader.layer_number,
}


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
    if operation == "@":
        return _matmul(one, other)
    if operation == "+" and one.ndim == 2 and one.shape[1:] == other.shape:
        return np.asarray(one + other)  # a bias is added to each of its rows
    if one.ndim and other.ndim and one.shape != other.shape:
        raise Unreadable(f"arrays of {one.size} and {other.size} entries do not line up")
    return np.asarray(_OPERATIONS[operation](one, other))


def _matmul(one: Numbers, other: Numbers) -> Numbers:
    if not one.ndim or not other.ndim or one.shape[-1] != other.shape[0]:
        shapes = " and ".join(str(each.shape) for each in (one, other))
        raise Unreadable(f"shapes {shapes} have no matrix product")
    return np.asarray(one @ other)


def _sum(numbers: Numbers) -> Numbers:
    return np.asarray(numbers.sum())


def _dot(one: Numbers, other: Numbers) -> Numbers:
    return _sum(_combine("*", one, other))
