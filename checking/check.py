"""Check: a film is played unseen and looked at whenever it is at rest. Knows no particular film.

The faults of each kind are found in `layout` and `numerals`; here a film becomes a report.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from checking.layout import Fault, Kind, empty_stage, layout_faults, sparse_picture
from checking.numerals import Evidence, number_faults
from checking.pacing import Pacing
from checking.stage_view import StageView
from rendering.pictures import picture
from rendering.playing import staged
from scenes import theme
from scenes.film import Beat, Film, Request
from scenes.mobjects.text import Numeral
from scenes.region import safe_area

OPENING = 1.0  # seconds, in which a stage may be empty
WHOLE = "whole-film"  # in place of a beat


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
    return play_and_check(film, request, aspect)[1]


def play_and_check(film: type[Film], request: Request, aspect: str = "16:9") -> tuple[Film, Report]:
    """Return a film as it was played, and what was found in it; see `check_film`."""
    unseen = replace(request, beats=frozenset())
    full_size = picture("h", aspect=aspect, file_format="png")
    with theme.using(request.theme), staged(film, unseen, full_size, Path()) as played:
        watcher = Watcher()
        played.at_rest = watcher.look
        if film.edition > 1:  # those before it do not keep its rules
            watcher.watch_staging(played)
        played.render()
        watcher.end_film()
    report = Report(
        film=film.slug(),
        prompt=played.trace.text,
        checkpoint=request.checkpoint,
        findings=tuple(watcher.findings),
        numbers=tuple(watcher.numbers),
    )
    return played, report


class Watcher:
    """Looks at the stage again and again, and keeps what is new."""

    def __init__(self) -> None:
        self.findings: dict[Finding, None] = {}  # in the order in which they come up
        self.numbers: dict[ShownNumber, None] = {}
        self._last: StageView | None = None
        self._numerals: tuple[Numeral, ...] = ()
        self._standing: set[Fault] = set()
        self._evidence: Evidence | None = None
        self._pacing: Pacing | None = None

    def watch_staging(self, scene: Film) -> None:
        """Find from here on empty and sparse stages, and rests that are too long."""
        self._pacing = Pacing(scene)
        scene.at_rest, scene.at_beat_end = self._look_at_stage, self._end_beat

    def _look_at_stage(self, scene: Film) -> None:
        self.look(scene)
        if scene.time > OPENING:
            beat = scene.beats()[len(scene.timeline)].name
            self._find(beat, empty_stage(StageView.of(scene).picture))

    def _end_beat(self, scene: Film, beat: Beat) -> None:
        assert self._pacing
        self._find(beat.name, sparse_picture(StageView.of(scene).picture, scene.stage))
        self._find(beat.name, self._pacing.end_beat())

    def end_film(self) -> None:
        """Inspect how much of the film moved."""
        if self._pacing:
            self._find(WHOLE, self._pacing.end_film())

    def _find(self, beat: str, faults: Iterable[Fault]) -> None:
        self.findings |= {Finding(beat, fault.kind, fault.message): None for fault in faults}

    def look(self, scene: Film) -> None:
        """Inspect the stage as it stands now, unless it has not changed since the last look."""
        beat = scene.beats()[len(scene.timeline)].name
        view = StageView.of(scene)
        numerals = tuple(numeral for glyphs, _ in view.readable for numeral in glyphs.numerals)
        self._note(beat, numerals)
        if self._last and numerals == self._numerals and view.looks_like(self._last):
            return
        self._evidence = self._evidence or Evidence(scene)
        area = scene.stage if scene.edition > 1 else safe_area()
        faults = dict.fromkeys(layout_faults(view, area))
        for glyphs, whole in view.readable:
            faults |= dict.fromkeys(number_faults(glyphs, whole, self._evidence))
        self._find(beat, (fault for fault in faults if fault not in self._standing))
        self._last, self._numerals, self._standing = view, numerals, set(faults)

    def _note(self, beat: str, numerals: tuple[Numeral, ...]) -> None:
        for numeral in numerals:
            value = numeral.value
            shown = ShownNumber(beat, numeral.text, value.number, value.source)
            self.numbers[shown] = None
