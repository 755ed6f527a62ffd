# ruff: noqa: PLC0415 - numpy and torch are slow to import: only numbers that may differ need them
"""What of a job is fresh, what is not, and why. Knows no particular film.

A clip is fresh if its files are what was recorded, if code, picture and versions are what it was
made from, and if the film would read the same numbers again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Literal

from model.files import model_code, sha256
from rendering.failures import PROJECT
from rendering.imports import CAPTIONS, JOINING, SPEAKING, code_by, code_of
from rendering.job import MANIFEST, Job
from rendering.ledger import LEDGER, SILENT, Entry, Ingredients, clip_entries
from rendering.pictures import ANIMATED

State = Literal["fresh", "stale", "missing"]
DRAW = ("manim", "av", "typst", "svgelements", "numpy", "pycairo", "pillow", "transformer-films")
COMPUTE = ("torch", "tokenizers", "numpy")
JOIN = ("av", "transformer-films")
WRITES_MANIFESTS = PROJECT / "rendering" / "assembly.py"
CALLED = {
    "file": "{}",
    "first": "first frame of {}",
    "poster": "poster of {}",
    "vtt": "captions of {}",
}
SHOWN_AS = {"pieces": "tokens", "pieces of": "tokens"}  # names that say less than they could
AGAIN = "to be made again"


@dataclass(frozen=True)
class Freshness:
    """What was found of a job: for each beat wanted, and for the film, why it is not fresh."""

    job: Job
    ingredients: Ingredients  # of its clips, as things stand
    clips: Mapping[str, Sequence[str]]
    said: Mapping[str, Sequence[str]]  # for each clip that is fresh, why what is said is not
    film: Sequence[str]
    is_known: bool  # whether any of it was ever made

    @property
    def is_fresh(self) -> bool:
        """Whether everything that is wanted stands there as it would be made."""
        return not (self.film or any(self.clips.values()) or any(self.said.values()))

    @property
    def unsaid_beats(self) -> list[str]:
        """The beats whose pictures are fresh, and whose sound or captions are not."""
        return [name for name, reasons in self.said.items() if reasons]

    @property
    def stale_beats(self) -> list[str]:
        """The beats that must be drawn; an animated image is made of all frames."""
        if self.job.picture.format in ANIMATED and self.film:
            return list(self.clips)
        return [name for name, reasons in self.clips.items() if reasons]

    @property
    def state(self) -> State:
        """The film's state in one word."""
        if self.is_fresh:
            return "fresh"
        return "stale" if all(path.exists() for path in self.job.results) else "missing"

    @property
    def reasons(self) -> list[str]:
        """Why it is not fresh, each thing once."""
        if not self.is_fresh and not self.is_known:
            return ["never made" if self.state == "missing" else f"{LEDGER} missing"]
        clips, said = self.clips.values(), self.said.values()
        every = [*(reason for each in (*clips, *said) for reason in each), *self.film]
        return list(dict.fromkeys(every))

    def told(self) -> dict[str, Any]:
        """Return what `status --json` tells of it."""
        return {
            "film": self.job.entry.slug,
            "variant": self.job.variant,
            "state": self.state,
            "reasons": self.reasons,
        }


def freshness(job: Job) -> Freshness:
    """Look at what stands in a job's place."""
    made, now, film = clip_entries(job), ingredients(job), Entry.read(job.place / LEDGER)
    reads = cache(lambda: _digests(job, now.key))
    clips = {name: list(_of_clip(job, name, made.get(name), now, reads)) for name in job.names}
    said = {name: _of_words(job, name, made[name]) for name in job.names if not clips[name]}
    of_film = [] if job.beats else list(_of_film(job, film, made))
    return Freshness(job, now, clips, said, of_film, bool(made or film))


def ingredients(job: Job) -> Ingredients:
    """Return what the clips of a job are made from as things stand."""
    code = code_of(job.entry.module, job.entry.source)
    if job.picture.format in ANIMATED:
        code |= code_by(JOINING)
    settings = asdict(job.picture) | {"theme": job.subject.theme} | versions(DRAW)
    del settings["quality"]
    if not job.prompt.isascii():
        from scenes.mobjects.typesetting import borrowed

        if fonts := borrowed(job.prompt):  # how this machine's draw what ours lack
            settings["fonts of the system"] = fonts
    choice = [job.digest, job.prompt, job.subject.layer, job.subject.head]
    source = [job.entry.module, *choice, model_code(), versions(COMPUTE)]
    key = hashlib.sha256(json.dumps(source, sort_keys=True).encode()).hexdigest()[:32]
    return Ingredients(key, code, settings)


def said_with(job: Job, beat: str) -> Ingredients:
    """Return what a clip's sound and captions are made from as things stand, besides its words."""
    code = {} if job.is_still else code_by(CAPTIONS)
    if job.voice is None:
        return Ingredients("", code, SILENT)
    return Ingredients("", code | code_by(SPEAKING), job.voice.made_of(beat))


def joining(*more: Path, music: Path | None = None) -> Ingredients:
    """Return what joins clips to a film as things stand; `more` files have a hand in it, too."""
    settings = versions(JOIN) | ({"music": sha256(music)[:16]} if music else {})
    return Ingredients("", code_by(JOINING, WRITES_MANIFESTS, *more), settings)


@cache
def versions(names: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of packages, by name."""
    found = dict.fromkeys(names, "not installed")  # ourselves, where nobody has installed us
    for name in names:
        with suppress(PackageNotFoundError):
            found[name] = version(name)
    return found


def digests_of(films: Mapping[str, Job]) -> dict[str, str]:
    """Return the digest of each film as it stands there, its captions included."""
    entries = {name: Entry.read(job.place / LEDGER) for name, job in films.items()}
    return {name: entry.digest if entry else "" for name, entry in entries.items()}


def is_joined(place: Path, films: Mapping[str, Job], by: Ingredients) -> bool:
    """Return whether what was joined of some films stands there as it would be joined now."""
    entry = Entry.read(place / LEDGER)
    return (
        entry is not None
        and not any(job.again for job in films.values())
        and entry.reads == digests_of(films)
        and not entry.ingredients.changes(by)
        and not any(harmed(place, entry, {file: file for file in entry.files}))
    )


def harmed(place: Path, entry: Entry, files: Mapping[str, str]) -> Iterator[str]:
    """Yield which files are not what was recorded; `files` says what they are called."""
    for file, called in files.items():
        found = sha256(place / file)
        if not found or found != entry.files.get(file):
            yield f"{called} {'changed' if found else 'missing'}"


def _of_clip(
    job: Job,
    name: str,
    entry: Entry | None,
    now: Ingredients,
    reads: Callable[[], Mapping[str, str]],
) -> Iterator[str]:
    number = _number(job, name)
    if entry is None:
        yield f"{number} missing"
    elif job.again:
        yield AGAIN
    else:
        pictures = {what: file for what, file in job.beat_files(name).items() if what != "vtt"}
        files = {file: CALLED[what].format(number) for what, file in pictures.items()}
        yield from harmed(job.place, entry, files)
        yield from entry.ingredients.changes(now)
        if entry.ingredients.key != now.key:
            yield from _other_numbers(job, entry, reads())


def _of_words(job: Job, name: str, entry: Entry) -> list[str]:
    now, was = said_with(job, name), entry.said
    if SILENT in (was.settings, now.settings) and was.settings != now.settings:
        return [f"voice {was.settings.get('voice')} -> {now.settings['voice']}"]
    files = {file: file for file in job.stem_of(name)}
    if captions := job.beat_files(name).get("vtt"):
        files[captions] = CALLED["vtt"].format(_number(job, name))
    return [*was.changes(now), *harmed(job.place, entry, files)]


def _number(job: Job, name: str) -> str:
    return f"clip {job.entry.beats.index(name) + 1:02}"


def _of_film(job: Job, entry: Entry | None, made: Mapping[str, Entry]) -> Iterator[str]:
    files = [*job.film_files.values(), MANIFEST]
    if entry is None:
        yield f"{LEDGER if (job.place / files[0]).exists() else files[0]} missing"
    elif job.again:
        yield AGAIN
    else:
        yield from harmed(job.place, entry, {file: file for file in files})
        for number, name in enumerate(job.entry.beats, 1):
            if name in made and entry.reads.get(name) != made[name].digest:
                yield f"clip {number:02} is newer than the film"
        yield from entry.ingredients.changes(joining(music=job.music))


def _other_numbers(job: Job, entry: Entry, now: Mapping[str, str]) -> Iterator[str]:
    """Yield which numbers are not what a clip shows; `now` are the digests of what they are now."""
    from rendering.numbers import KeptNumbers

    kept = KeptNumbers(job.media)
    for name, digest in entry.reads.items():
        if not kept.same(digest, now.get(name, "")):
            whole = name.removeprefix("shape of ").partition("[")[0].strip()
            yield f"{SHOWN_AS.get(whole, whole.removeprefix('head.'))} changed"


def _digests(job: Job, key: str) -> Mapping[str, str]:
    """Return the digests, by name, of what the film reads as things stand, played unseen."""
    from rendering.numbers import KeptNumbers

    try:
        return KeptNumbers(job.media).digests(key, lambda: _read_again(job))
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the film is made
        return {}


def _read_again(job: Job) -> Mapping[str, object]:
    from rendering import playing
    from scenes.diary import Diary

    unseen = replace(job.request, beats=frozenset(), diary=Diary())
    with playing.staged(job.film, unseen, replace(job.picture, format="png"), Path()) as film:
        film.render()
    return film.diary.reads
