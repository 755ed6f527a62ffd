"""What checking finds in a film."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

OfLayout: TypeAlias = Literal["overlap", "outside", "small", "contrast", "blank", "sparse"]
Kind: TypeAlias = OfLayout | Literal["freeze", "number", "source", "speech"]


@dataclass(frozen=True)
class Fault:
    """What is wrong, in one sentence for who made the film."""

    kind: Kind
    message: str


@dataclass(frozen=True)
class Finding:
    """A fault, and the beat in which it comes up; one that stays is told once."""

    beat: str
    kind: Kind
    message: str


@dataclass(frozen=True)
class ShownNumber:
    """A numeral that a viewer sees in a beat: as it is drawn, its value, and where that is from."""

    beat: str
    text: str
    value: float
    source: str


@dataclass(frozen=True)
class Report:
    """What was found in a film, and every number that it shows."""

    film: str
    prompt: str
    checkpoint: Path
    findings: tuple[Finding, ...]
    numbers: tuple[ShownNumber, ...]
