"""All films one after the other as one film, a chapter each. It knows no particular film."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from rendering import captions, clips
from rendering.assembly import complete, said, settle
from rendering.captions import Caption
from rendering.failures import writing
from rendering.film_index import film_index
from rendering.folder_lock import FolderLock
from rendering.freshness import harmed, joining
from rendering.job import MANIFEST, POSTER, Job, variant
from rendering.ledger import LEDGER, Entry

SLUG, TITLE = "course", "The course"
JOINED = ("mp4", "mov", "webm")  # formats whose films can be joined without encoding them again
SHARED = ("quality", "width", "height", "fps", "aspect", "format", "transparent", "theme")


@dataclass(frozen=True)
class Course:
    """The films of a request in viewing order, all with the same picture."""

    jobs: tuple[Job, ...]

    @classmethod
    def of(cls, jobs: Sequence[Job], left_out: Collection[Job] = ()) -> Course | None:
        """Return the course that these jobs make, if they are all films, whole, and can be.

        Some may be `left_out` of it, but not all.
        """
        has_all = [job.entry for job in jobs] == list(film_index())
        can_be = jobs[0].picture.format in JOINED and not jobs[0].beats
        made = tuple(job for job in jobs if job not in left_out)
        return cls(made) if has_all and can_be and made else None

    @cached_property
    def place(self) -> Path:
        """The course's folder, or that of this variant of it."""
        first = self.jobs[0]
        prompts = {job.entry.prompt for job in self.jobs}
        own = prompts.pop() if len(prompts) == 1 else ""
        return first.media / "films" / SLUG / variant(own, first.subject, first.picture)

    @property
    def files(self) -> dict[str, str]:
        """The files of the course, by what they are."""
        film = f"film.{self.jobs[0].picture.format}"
        texts = {"srt": "film.srt", "vtt": "film.vtt", "chapters": "chapters.vtt"}
        return {"file": film, **texts, "poster": POSTER}

    def is_fresh(self) -> bool:
        """Return whether the course stands there, made of the films as they are now."""
        entry = Entry.read(self.place / LEDGER)
        return (
            entry is not None
            and not self.jobs[0].again
            and entry.reads == self._made_of()
            and not entry.ingredients.changes(joining(Path(__file__)))
            and not any(harmed(self.place, entry, {file: file for file in entry.files}))
        )

    def make(self, say: Callable[[str], None]) -> Path:
        """Join the films, unless the course is fresh; return the path of the whole."""
        if not self.is_fresh():
            with FolderLock(self.place).held(say) as lock, writing(self.place):
                if not self.is_fresh():
                    self._join(lock.scratch)
                    say(f"{SLUG}: {len(self.jobs)} films joined")
        return self.place / self.files["file"]

    def _join(self, folder: Path) -> None:
        made_of = self._made_of()  # first, so that a film made meanwhile is seen to be newer
        films = [job.results[0] for job in self.jobs]
        titles = [job.entry.title for job in self.jobs]
        clips.join(films, folder / self.files["file"], titles)
        starts = list(map(float, accumulate(map(clips.duration, films), initial=0)))
        chapters = [
            Caption(*times, title) for title, times in zip(titles, pairwise(starts), strict=True)
        ]
        (folder / self.files["chapters"]).write_bytes(captions.vtt(chapters))
        lines = [
            line for job, start in zip(self.jobs, starts, strict=False) for line in said(job, start)
        ]
        poster = self.jobs[0].place / POSTER
        complete(folder, self.files, poster, lines, self._manifest(chapters))
        settle(folder, self.files, made_of, self.place, Path(__file__))

    def _made_of(self) -> dict[str, str]:
        """Return the digest of each film, its captions included."""
        films = {job.entry.slug: Entry.read(job.place / LEDGER) for job in self.jobs}
        return {slug: film.digest if film else "" for slug, film in films.items()}

    def _manifest(self, chapters: Sequence[Caption]) -> dict[str, Any]:
        """Return what the course shows and which films it is made of."""
        first = json.loads((self.jobs[0].place / MANIFEST).read_text(encoding="utf-8"))
        films = [
            {
                "film": job.entry.slug,
                "title": chapter.text,
                "start": chapter.start,
                "duration": chapter.end - chapter.start,
            }
            for job, chapter in zip(self.jobs, chapters, strict=True)
        ]
        return {
            "film": SLUG,
            "title": TITLE,
            "checkpoint": first["checkpoint"],
            **{key: first[key] for key in SHARED},
            "duration": chapters[-1].end,
            "versions": first["versions"],
            **self.files,
            "films": films,
        }
