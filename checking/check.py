"""Check: a film is played unseen and looked at whenever it is at rest. Knows no particular film.

The faults of each kind are found in `layout` and `numerals`; here a film becomes a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from checking.layout import empty_stage, layout_faults, sparse_picture
from checking.numerals import Evidence, number_faults
from checking.pacing import OPENING, Pacing
from checking.report import Fault, Finding, Report, ShownNumber
from checking.stage_view import Floats, StageView, are_alike
from rendering.pictures import picture
from rendering.playing import staged
from scenes import theme
from scenes.film import Beat, Film, Request
from scenes.mobjects.text import Glyphs, Numeral
from scenes.narration import cues_of
from scenes.pronunciation import spelled

WHOLE = "whole-film"  # in place of a beat
GAP = re.compile(r"\{[^}]*\}")  # what stands there is the prompt's, and spelled if it has to be


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
        watcher = Watcher(played)
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
    """Looks at a film's stage again and again while it is played, and keeps what is new."""

    def __init__(self, film: Film) -> None:
        self.findings: dict[Finding, None] = {}  # in the order in which they come up
        self.numbers: dict[ShownNumber, None] = {}
        self._film = film
        self._evidence = Evidence(film)
        self._pacing = Pacing(film, self._look_in_passing)
        self._passing: dict[Glyphs, Floats] = {}  # the outlines of numbers, when last looked at
        self._last: StageView | None = None
        self._numerals: tuple[Numeral, ...] = ()
        self._standing: set[Fault] = set()
        film.at_rest, film.at_beat_end = self._look, self._end_beat

    def end_film(self) -> None:
        """Inspect how much of the film moved."""
        self._find(WHOLE, self._pacing.end_film())

    def _look(self, film: Film) -> None:
        """Inspect the stage as it stands now; all but its numbers only if it has changed."""
        beat, view = self._beat, StageView.of(film)
        if self._last and view.looks_like(self._last):
            view = self._last  # of which much has been worked out
        if film.time > OPENING:
            self._find(beat, empty_stage(view.picture))
        numerals = tuple(numeral for glyphs, _ in view.readable for numeral in glyphs.numerals)
        for glyphs, _ in view.readable:
            self.numbers |= self._told(glyphs)
        if view is self._last and numerals == self._numerals:
            return
        faults = dict.fromkeys(layout_faults(view, film.stage))
        for glyphs, whole in view.readable:
            faults |= dict.fromkeys(number_faults(glyphs, whole, self._evidence))
        self._find(beat, self._new(faults))
        self._last, self._numerals, self._standing = view, numerals, set(faults)

    def _look_in_passing(self, view: StageView) -> None:
        """Inspect the numbers that stand still within a move: they may be gone when it ends."""
        before, self._passing = self._passing, dict(view.standing_numbers)
        new = {
            glyphs
            for glyphs, outline in self._passing.items()
            if glyphs in before and are_alike(outline, before[glyphs])
            if not self._told(glyphs).keys() <= self.numbers.keys()
        }
        for glyphs, whole in view.readable if new else ():
            if glyphs in new:
                self.numbers |= self._told(glyphs)
                self._find(self._beat, self._new(number_faults(glyphs, whole, self._evidence)))

    def _told(self, glyphs: Glyphs) -> dict[ShownNumber, None]:
        """Return what the report says of a text's numbers, in their order."""
        told = ((each.text, each.value.number, each.value.source) for each in glyphs.numerals)
        return {ShownNumber(self._beat, *each): None for each in told}

    def _new(self, faults: Iterable[Fault]) -> Iterator[Fault]:
        return (fault for fault in faults if fault not in self._standing)

    @property
    def _beat(self) -> str:
        return self._film.beats()[len(self._film.timeline)].name

    def _end_beat(self, film: Film, beat: Beat) -> None:
        self._find(beat.name, sparse_picture(StageView.of(film).picture, film.stage))
        self._find(beat.name, self._pacing.end_beat())
        self._find(beat.name, speech_faults(film, beat))

    def _find(self, beat: str, faults: Iterable[Fault]) -> None:
        self.findings |= {Finding(beat, fault.kind, fault.message): None for fault in faults}


def speech_faults(film: Film, beat: Beat) -> Iterator[Fault]:
    """Yield what of a beat's line is neither a word nor a sign that voices read."""
    circumstances = film.circumstances()
    line = beat.spoken_line(circumstances) or beat.line(circumstances)
    for each in spelled(GAP.sub(" ", " ".join(cues_of(line)))):
        cure = "say it in words, or give the beat a line to be spoken"
        yield Fault("speech", f"A voice would spell out '{each}': {cure}.")
