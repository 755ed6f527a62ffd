"""All films one after the other as one film, a chapter each. It knows no particular film."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

from rendering import captions, clips
from rendering.assembly import complete, join_films, made_by
from rendering.film_index import course_map, film_index
from rendering.freshness import joining
from rendering.job import POSTER, Job, variant
from rendering.ledger import clip_entries, played
from rendering.sounding import Played, captions_of, film_beats, film_sound

SLUG, TITLE = "course", "The course"
JOINED = ("mp4", "mov", "webm")  # formats whose films can be joined without encoding them again


@dataclass(frozen=True)
class Piece:
    """A file that the course is joined of, and the beats in it."""

    file: Path
    beats: Sequence[tuple[Job, Played]]
    film: str = ""  # the slug, if it is one
    chapter: str = ""  # the title of the chapter that begins with it


@dataclass(frozen=True)
class Course:
    """The films of a request in viewing order, all with the same picture."""

    jobs: tuple[Job, ...]
    map: Job  # the film whose clips stand before, between and after them

    @classmethod
    def of(cls, jobs: Sequence[Job], left_out: Collection[Job] = ()) -> Course | None:
        """Return the course that these jobs make, if they are all films, whole, and can be.

        Some may be `left_out` of it, but not all.
        """
        has_all = [job.entry for job in jobs] == list(film_index())
        can_be = jobs[0].picture.format in JOINED and not jobs[0].beats
        made = tuple(job for job in jobs if job not in left_out)
        if not (has_all and can_be and made):
            return None
        return cls(made, replace(jobs[0], entry=course_map()))

    @cached_property
    def place(self) -> Path:
        """The course's folder, or that of this variant of it."""
        first = self.jobs[0]
        prompts = {job.entry.prompt for job in self.jobs}
        own = prompts.pop() if len(prompts) == 1 else ""
        name = variant(own, first.subject, first.picture, first.media)
        return first.media / "films" / SLUG / name

    @property
    def files(self) -> dict[str, str]:
        """The files of the course, by what they are."""
        film = f"film.{self.jobs[0].picture.format}"
        texts = {"srt": "film.srt", "vtt": "film.vtt", "chapters": "chapters.vtt"}
        return {"file": film, **texts, "poster": POSTER}

    def make(self, say: Callable[[str], None]) -> Path:
        """Join the films, unless the course is made of them as they are; return its path."""

        def join(folder: Path) -> Mapping[str, str]:
            self._join(folder)
            say(f"{SLUG}: {len(self.jobs)} films joined")
            return self.files

        films = {job.entry.slug: job for job in (*self.jobs, self.map)}
        by = joining(Path(__file__), music=self.jobs[0].music)
        join_films(self.place, films, by, join, say)
        return self.place / self.files["file"]

    def _join(self, folder: Path) -> None:
        pieces = list(self._pieces())
        files = [piece.file for piece in pieces]
        titles = [piece.chapter for piece in pieces]
        beats = [beat for piece in pieces for beat in piece.beats]
        starts = clips.join(files, folder / self.files["file"], titles, film_sound(beats))
        chapters = captions.vtt(clips.chapters(titles, starts))
        (folder / self.files["chapters"]).write_bytes(chapters)
        spans = zip(pieces, pairwise(starts), strict=True)
        films = {piece.film: span for piece, span in spans if piece.film}
        poster = self.jobs[0].place / POSTER
        manifest = self._manifest(films, starts[-1])
        complete(folder, self.files, poster, captions_of(beats), manifest)

    def _pieces(self) -> Iterator[Piece]:
        """Yield what the course is joined of: before each film what the map shows on the way.

        A beat of the map that has a film's name leads to this film.
        """
        jobs = {job.entry.slug: job for job in self.jobs}
        left_out = {entry.slug for entry in film_index()} - {*jobs}
        way: list[Piece] = []
        for beat, shown in played(clip_entries(self.map), self.map.names).items():
            if beat in left_out:
                continue
            file = self.map.place / self.map.beat_files(beat)["file"]
            way.append(Piece(file, [(self.map, shown)]))
            if job := jobs.get(beat):
                yield replace(way[0], chapter=job.entry.title)
                yield from way[1:]
                yield Piece(job.results[0], film_beats(job), beat)
                way = []
        yield from way

    def _manifest(
        self, films: Mapping[str, tuple[float, float]], duration: float
    ) -> dict[str, Any]:
        """Return what the course shows and which films it is made of; `films` says from when."""
        titles = {job.entry.slug: job.entry.title for job in self.jobs}
        return {
            "film": SLUG,
            "title": TITLE,
            **made_by(self.jobs[0]),
            "duration": duration,
            **self.files,
            "films": [
                {"film": slug, "title": titles[slug], "start": start, "duration": end - start}
                for slug, (start, end) in films.items()
            ],
        }
