"""What a film is made from, apart from the numbers that it reads: code, picture, versions."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from rendering.failures import PROJECT
from rendering.imports import code_in, code_of, code_of_joining
from rendering.order import Order

DRAW = ("manim", "av", "typst", "svgelements", "numpy", "pycairo", "pillow", "transformer-films")
COMPUTE = ("torch", "tokenizers", "numpy")
JOIN = ("av", "transformer-films")


@dataclass(frozen=True)
class Recipe:
    """The ingredients; `key` stands for a film, a model, a prompt, and a choice of layer and head.

    The same key gives the same numbers. Another one may, too: then the numbers are compared.
    """

    key: str
    code: Mapping[str, str]  # digests, by file
    picture: Mapping[str, Any]
    versions: Mapping[str, str]

    def changes(self, now: "Recipe") -> list[str]:
        """Return what of it is different now, the numbers left aside, each thing by its name."""
        return [
            *(f"{file} changed" for file in _differing(self.code, now.code)),
            *_steps(self.picture, now.picture),
            *_steps(self.versions, now.versions),
        ]


def of_clips(order: Order) -> Recipe:
    """Return what the clips of an order are made from as things stand."""
    code = code_of(order.card.module, order.card.source)
    if order.picture.format == "gif":
        code |= code_of_joining()
    picture = asdict(order.picture) | {"theme": order.asked.theme}
    del picture["quality"]
    return Recipe(key(order), code, picture, versions(DRAW))


def of_film() -> Recipe:
    """Return what joins clips to a film as things stand."""
    return Recipe("", code_of_joining(), {}, versions(JOIN))


def of_course() -> Recipe:
    """Return what joins films to a course as things stand."""
    code = {"rendering/course.py": code_of_joining("rendering.course")["rendering/course.py"]}
    return Recipe("", code_of_joining() | code, {}, versions(JOIN))


def key(order: Order) -> str:
    """Return the key of the numbers that an order's film can read, some of its own among them."""
    asked, card = order.asked, order.card
    prompt = card.prompt if asked.prompt is None else asked.prompt
    choice = [order.digest, prompt, asked.layer, asked.head]
    source = [card.module, *choice, _model_code(), versions(COMPUTE)]
    return hashlib.sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:32]


@cache
def versions(names: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of packages, by name."""
    return {name: _version(name) for name in names}


@cache
def _model_code() -> str:
    return code_in(PROJECT / "model")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:  # ourselves, where nobody has installed us
        return "not installed"


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return [name for name in {**one, **other} if one.get(name) != other.get(name)]


def _steps(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    return [
        f"{name} {one.get(name, 'not set')} -> {other.get(name, 'not set')}"
        for name in _differing(one, other)
    ]
