"""Check: a film is played unseen and looked at whenever it is at rest. Knows no particular film.

The faults of each kind are found in `layout` and `numerals`; here a film becomes a report.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from checking.layout import Fault, Kind, layout_faults
from checking.numerals import Evidence, number_faults
from checking.stage_view import StageView
from rendering.pictures import picture
from rendering.playing import staged
from scenes import theme
from scenes.film import Film, Request
from scenes.mobjects.text import Numeral
from scenes.region import safe_area


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


def check_film(film: type[Film], request: Request, aspect: str = "16:9") -> Report:
    """Play a film without drawing it and inspect it at rest after every animation.

    Raises `Unusable` for a request that the film cannot show, `FilmFailed` if the film breaks.
    """
    unseen = replace(request, beats=frozenset())
    full_size = picture("h", aspect=aspect, file_format="png")
    with theme.using(request.theme), staged(film, unseen, full_size, Path()) as chapter:
        watcher = Watcher()
        chapter.at_rest = watcher.look
        chapter.render()
    return Report(
        film=film.slug(),
        prompt=chapter.trace.text,
        checkpoint=request.checkpoint,
        findings=tuple(watcher.findings),
        numbers=tuple(watcher.numbers),
    )


class Watcher:
    """Looks at the stage again and again, and keeps what is new."""

    def __init__(self) -> None:
        self.findings: dict[Finding, None] = {}  # in the order in which they come up
        self.numbers: dict[ShownNumber, None] = {}
        self._last: StageView | None = None
        self._numerals: tuple[Numeral, ...] = ()
        self._standing: set[Fault] = set()
        self._evidence: Evidence | None = None

    def look(self, chapter: Film) -> None:
        """Inspect the stage as it stands now, unless it has not changed since the last look."""
        beat = chapter.beats()[len(chapter.timeline)].name
        view = StageView.of(chapter)
        numerals = tuple(numeral for glyphs, _ in view.readable for numeral in glyphs.numerals)
        self._note(beat, numerals)
        if self._last and numerals == self._numerals and view.looks_like(self._last):
            return
        self._evidence = self._evidence or Evidence(chapter)
        faults = dict.fromkeys(layout_faults(view, safe_area()))
        for glyphs, whole in view.readable:
            faults |= dict.fromkeys(number_faults(glyphs, whole, self._evidence))
        for fault in faults:
            if fault not in self._standing:
                self.findings[Finding(beat, fault.kind, fault.message)] = None
        self._last, self._numerals, self._standing = view, numerals, set(faults)

    def _note(self, beat: str, numerals: tuple[Numeral, ...]) -> None:
        for numeral in numerals:
            value = numeral.value
            shown = ShownNumber(beat, numeral.text, value.number, value.source)
            self.numbers[shown] = None
