"""A film's files come together: clips as they are finished, then the film, and its manifest.

Whatever is finished moves to its place at once, with what it was made from beside it, so that a
run which ends early loses nothing of it.
"""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Mapping
from typing import Any

from rendering import captions, clips
from rendering.failures import writing
from rendering.folder_lock import FolderLock, move_all
from rendering.freshness import COMPUTE, DRAW, Freshness, joining, versions
from rendering.job import MANIFEST, Job
from rendering.ledger import LEDGER, Entry, clip_entries, exact, played
from rendering.numbers import KeptNumbers
from rendering.shares import NUMBERS, Share

OF_A_BEAT = ("narration", "start", "duration")  # in the manifest
OF_A_PICTURE = ("quality", "width", "height", "fps", "aspect", "format", "transparent")


class Assembly:
    """A film that is being made. `open` are the beats whose clips are not there yet."""

    def __init__(self, found: Freshness, lock: FolderLock) -> None:
        self.job, self.lock, self.folder = found.job, lock, lock.scratch
        self.ingredients = found.ingredients
        self.open = set(found.stale_beats)

    def keep(self, share: Share, beat: str, entry: Entry) -> None:
        """Put a finished clip in its place, with its captions, its poster and its entry."""
        with writing(self.job.place):
            kept = KeptNumbers(self.job.media)
            kept.keep(share.folder / NUMBERS, entry.reads.values())
            kept.note(entry.ingredients.key, entry.reads)
            move_all(share.folder, [*entry.files, self.job.entry_of(beat)], self.job.place)
        self.open.discard(beat)

    def finish(self) -> None:
        """Make the whole film of its clips, if it is wanted, and say in the manifest how."""
        job, made = self.job, clip_entries(self.job)
        with writing(job.place):
            files = {} if job.beats else job.film_files
            if not job.beats:
                self._join(made)
            manifest = json.dumps(_manifest(job, made), indent=2) + "\n"
            (self.folder / MANIFEST).write_text(manifest, encoding="utf-8")
            names = [*files.values(), MANIFEST]
            if not job.beats:
                made_of = {name: entry.digest for name, entry in made.items()}
                Entry.of_files(self.folder, names, joining(), made_of).write(self.folder / LEDGER)
                names.append(LEDGER)
            move_all(self.folder, names, job.place)
            self._remove_former(set(made))

    def _join(self, made: Mapping[str, Entry]) -> None:
        """Make the film, its captions and its poster in the folder."""
        job, place = self.job, self.job.place
        files = {what: self.folder / name for what, name in job.film_files.items()}
        shutil.copyfile(place / job.beat_files(job.entry.poster_beat)["poster"], files["poster"])
        whole = [place / job.beat_files(name)["file"] for name in job.names]
        if job.is_still:
            shutil.copyfile(whole[-1], files["file"])
            return
        if job.picture.format == "gif":
            drawn = (self.folder / job.beat_files(name)["file"] for name in job.names)
            clips.make_gif(
                [each.with_suffix(job.picture.clip_suffix) for each in drawn], files["file"]
            )
        else:
            titles = [name.replace("-", " ").capitalize() for name in job.names]
            clips.join(whole, files["file"], titles)
        lines = [
            captions.Caption(start + beat["start"], end + beat["start"], text)
            for beat in played(made, job.names).values()
            for start, end, text in beat["captions"]
        ]
        files["vtt"].write_bytes(captions.vtt(lines))
        files["srt"].write_bytes(captions.srt(lines))

    def _remove_former(self, names: set[str]) -> None:
        """Remove the files of beats that the film has no more."""
        place = self.job.place
        current = {place / self.job.entry_of(name) for name in names}
        for path in set(place.glob("beats/*.json")) - current:
            entry = Entry.read(path)
            for name in [*(entry.files if entry else ()), str(path.relative_to(place))]:
                if (place / name).resolve().is_relative_to(place.resolve()):
                    (place / name).unlink(missing_ok=True)


def _manifest(job: Job, made: Mapping[str, Entry]) -> dict[str, Any]:
    """Return what a film's files show and how they were made, for whoever uses them."""
    beats = played(made, job.entry.beats)
    first = next(iter(beats.values()))
    has_film = not job.beats or all((job.place / name).exists() for name in job.film_files.values())
    return {
        "film": job.entry.slug,
        "title": job.entry.title,
        "goal": job.entry.goal,
        "prompt": job.prompt,
        "tokens": first["tokens"],
        "checkpoint": job.digest,
        "layer": first["layer"],
        "head": first["head"],
        **{name: getattr(job.picture, name) for name in OF_A_PICTURE},
        "theme": job.subject.theme,
        "duration": float(sum(exact(beat["duration"]) for beat in beats.values())),
        "versions": {"python": platform.python_version()} | versions(DRAW) | versions(COMPUTE),
        **(job.film_files if has_film else {}),
        "beats": [
            {"name": name, **{key: beat[key] for key in OF_A_BEAT}, **job.beat_files(name)}
            for name, beat in beats.items()
        ],
    }
