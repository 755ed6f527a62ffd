# ruff: noqa: PLC0415 - torch is slow to import: only numbers that may have changed need it
"""What of an order is fresh, what is not, and why. Knows no particular film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rendering import manifest, recipe
from rendering.ledger import NAME, Entry, Ledger, Stamp
from rendering.numbers import Numbers
from rendering.order import Order
from rendering.recipe import Recipe

State = Literal["fresh", "stale", "missing"]
SHOWN_AS = {"pieces": "tokens"}  # names that say less than they could


@dataclass(frozen=True)
class Survey:
    """What was found of an order: for each beat wanted, and for the film, why it is not fresh."""

    order: Order
    ledger: Ledger
    recipe: Recipe
    clips: Mapping[str, Sequence[str]]
    film: Sequence[str]

    @property
    def is_fresh(self) -> bool:
        """Whether everything that is wanted stands there as it would be made."""
        return not self.film and not any(self.clips.values())

    @property
    def stale_beats(self) -> list[str]:
        """The beats that must be drawn; a GIF is made of all its beats' frames."""
        if self.order.picture.format == "gif" and self.film:
            return list(self.clips)
        return [name for name, reasons in self.clips.items() if reasons]

    @property
    def state(self) -> State:
        """The film's state in one word."""
        if self.is_fresh:
            return "fresh"
        return "stale" if all(path.exists() for path in self.order.results) else "missing"

    @property
    def name(self) -> tuple[str, str]:
        """The film and its variant."""
        return self.order.card.slug, self.order.variant

    def told(self) -> dict[str, Any]:
        """Return what `status --json` tells of it."""
        film, variant = self.name
        return {"film": film, "variant": variant, "state": self.state, "reasons": self.reasons}

    @property
    def reasons(self) -> list[str]:
        """Why it is not fresh, each thing once."""
        if self.is_fresh:
            return []
        if not self.ledger.clips and not self.ledger.film:
            return ["never made" if self.state == "missing" else f"{NAME} missing"]
        every = [*(reason for each in self.clips.values() for reason in each), *self.film]
        return list(dict.fromkeys(every))


def survey(order: Order) -> Survey:
    """Look at what stands in an order's place."""
    ledger, now = Ledger.beside(order.place), recipe.of_clips(order)
    judge = _Judge(order, now)
    clips = {name: judge.clip(name, ledger.clips.get(name)) for name in order.names}
    film = [] if order.beats else judge.film(ledger)
    return Survey(order, ledger, now, clips, film)


@dataclass
class _Judge:
    """Holds entries of a ledger against how things stand."""

    order: Order
    now: Recipe

    def clip(self, name: str, entry: Entry | None) -> list[str]:
        number = f"clip {self.order.number(name):02}"
        if entry is None:
            return [f"{number} missing"]
        if self.order.again:
            return ["to be made again"]
        called = {"file": number, "vtt": f"captions of {number}", "poster": f"poster of {number}"}
        files = {file: called[what] for what, file in self.order.beat_files(name).items()}
        changes = entry.recipe.changes(self.now)
        return [*self._harmed(entry, files), *changes, *self._moved(entry)]

    def film(self, ledger: Ledger) -> list[str]:
        entry = ledger.film
        files = [*self.order.film_files.values(), manifest.NAME]
        if entry is None:
            return [f"{files[0]} missing"]
        if self.order.again:
            return ["to be made again"]
        new = [
            f"clip {self.order.number(name):02} is newer than the film"
            for name, clip in ledger.clips.items()
            if entry.reads.get(name) != digest_of_clip(clip)
        ]
        harmed = self._harmed(entry, {file: file for file in files})
        return [*harmed, *new, *entry.recipe.changes(recipe.of_film())]

    def _harmed(self, entry: Entry, files: Mapping[str, str]) -> list[str]:
        """Return which files are not what was recorded; `files` says what they are called."""
        found = {file: Stamp.of(self.order.place / file) for file in files}
        return [
            f"{called} {'changed' if found[file] else 'missing'}"
            for file, called in files.items()
            if found[file] is None or found[file] != entry.files.get(file)
        ]

    def _moved(self, entry: Entry) -> list[str]:
        """Return which numbers are not what the clip shows, by name."""
        if entry.recipe.key == self.now.key:
            return []
        numbers = Numbers(self.order.media)
        known = numbers.known(self.now.key)
        changed = _changed(entry.reads, known, numbers)
        if not changed and not set(entry.reads) <= set(known):
            from rendering.rereading import reread

            known = reread(self.order, self.now.key, entry.reads)
            changed = _changed(entry.reads, known, numbers)
        unknown = [name for name in entry.reads if name not in known]
        shown = (SHOWN_AS.get(name, name.removeprefix("head.")) for name in changed or unknown)
        return [f"{name} changed" for name in shown]


def _changed(reads: Mapping[str, str], known: Mapping[str, str], numbers: Numbers) -> list[str]:
    """Return which of the names that are known now stand for something else than was read."""
    return [
        name
        for name, digest in reads.items()
        if name in known and not numbers.same(digest, known[name])
    ]


def digest_of_clip(clip: Entry) -> str:
    """Return the digest by which a film knows one of its clips."""
    return "".join(stamp.sha256[:16] for stamp in clip.files.values())
