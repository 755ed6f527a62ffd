"""Making films from Python, and showing them in notebooks."""

from __future__ import annotations

import html
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from rendering import session
from rendering.film_index import FilmEntry, find
from rendering.job import MANIFEST, Job
from rendering.pictures import TYPES, address_inside, picture
from rendering.voice.voices import DEFAULT

if TYPE_CHECKING:
    from scenes.film import Film


@dataclass(frozen=True)
class RenderedFilm:
    """A film that has been made: its file, those of its beats by name, and its manifest.

    As the last line of a notebook's cell it shows itself, with its captions.
    """

    path: Path
    beats: Mapping[str, Path]
    manifest: Mapping[str, Any]

    @classmethod
    def of(cls, job: Job) -> RenderedFilm:
        """Return what has been made for a job."""
        manifest = json.loads((job.place / MANIFEST).read_text(encoding="utf-8"))
        beats = {beat["name"]: job.place / beat["file"] for beat in manifest["beats"]}
        return cls(job.results[0], beats, manifest)

    def _repr_html_(self) -> str:
        """Return an element that holds the film itself, so that it shows wherever it is opened."""
        title = html.escape(self.manifest["title"])
        if not TYPES[self.path.suffix].startswith("video/"):
            return f'<img alt="{title}" src="{address_inside(self.path)}">'
        captions = self.path.with_suffix(".vtt")
        track = f'<track kind="captions" default src="{address_inside(captions)}">'
        return (
            f'<video controls playsinline style="max-width: 100%" aria-label="{title}" '
            f'src="{address_inside(self.path)}">{track if captions.is_file() else ""}</video>'
        )


def render_film(
    film: str | Path | type[Film],
    *,
    prompt: str | None = None,
    checkpoint: str | Path | None = None,
    layer: int | None = None,
    head: int | None = None,
    theme: str = "dark",
    quality: str = "m",
    fps: float | None = None,
    aspect: str = "16:9",
    file_format: str | None = None,
    transparent: bool = False,
    voice: str = DEFAULT,
    beats: Sequence[str] = (),
    media: str | Path = "media",
    jobs: int = 1,
    again: bool = False,
) -> RenderedFilm:
    """Make a film, unless it is fresh, and return what has been made.

    `film` is the name of one of ours, a file with a film, or a class of a film; the rest are the
    options of `films render`. With `jobs` above 1 other processes draw: then a program that calls
    this does so under `if __name__ == "__main__":`. With `beats` these alone are made, and `path`
    is the first of them. Raises `Unusable` for what cannot be carried out and `FilmFailed` if the
    film's own code raises; their messages are sentences.

        film = render_film("dot-product-grid", prompt="a dog saw a cat", quality="l")
        film.beats["read-one-row"]
    """
    chosen = {
        "prompt": prompt, "checkpoint": Path(checkpoint) if checkpoint else None, "layer": layer,
        "head": head, "theme": theme, "voice": voice, "beats": tuple(beats), "media": Path(media),
        "again": again,
    }  # fmt: skip
    wanted = picture(quality, fps, aspect, file_format, transparent=transparent)
    (job,) = session.jobs_of(_entries(film), wanted, chosen)
    session.render([job], session.hire(jobs), lambda _: None, with_course=False)
    return RenderedFilm.of(job)


def _entries(film: str | Path | type[Film]) -> list[FilmEntry]:
    if isinstance(film, str | Path):
        found = find([str(film)])
        if len(found) > 1:
            raise Unusable(f"{film} is more than one film: name one.")
        return found
    if not getattr(sys.modules.get(film.__module__), "__file__", None):
        raise Unusable(
            f"The film {film.__name__} stands in no file, which tells when it is stale: write it "
            "into one (in a notebook with %%writefile my_film.py) and name that."
        )
    return [FilmEntry.of(film)]
