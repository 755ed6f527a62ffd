"""What a deck is: titles and clips, in the order in which they are shown.

It is read from the manifests of films that have been made. It knows no kind of file that decks are
written as, and no film.
"""

from __future__ import annotations

import json
import runpy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import av
from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template

from rendering.failures import PROJECT
from rendering.job import MANIFEST, Job
from rendering.names import title_of

if TYPE_CHECKING:
    from scenes.theme import Theme

HERE = Path(__file__).parent  # templates
COLORS = PROJECT / "scenes" / "theme.py"


@dataclass(frozen=True)
class Clip:
    """What a slide plays: a beat of a film, or a whole film."""

    file: Path
    first: Path  # a still of its first frame
    last: Path  # one of its last frame, or of the film's poster
    vtt: Path
    seconds: float
    loop: bool = False

    @cached_property
    def has_sound(self) -> bool:
        """Whether there is anything to hear."""
        with av.open(self.file) as container:
            return bool(container.streams.audio)


@dataclass(frozen=True)
class Slide:
    """A slide: a film's title, or a clip. `notes` are what its speaker says, by paragraphs."""

    name: str  # like no other in the deck; safe in addresses and names of files
    title: str
    film: str  # the slug
    notes: tuple[str, ...]
    clip: Clip | None = None  # a title has none
    about: tuple[str, ...] = ()  # lines under a title


@dataclass(frozen=True)
class Deck:
    """Slides, with the width and height of their clips in pixels."""

    slides: tuple[Slide, ...]
    width: int
    height: int
    theme: str
    transparent: bool

    @classmethod
    def of(cls, jobs: Sequence[Job], *, whole: bool = False) -> Deck:
        """Return the deck of films that have been made: a slide a beat, or one if `whole`."""
        picture = jobs[0].picture
        slides = tuple(slide for job in jobs for slide in _slides(job, whole=whole))
        size = picture.width, picture.height
        return cls(slides, *size, jobs[0].subject.theme, picture.transparent)

    @property
    def title(self) -> str:
        """What the deck is called: its only film's title, or that of all of them."""
        titles = [slide.title for slide in self.slides if slide.clip is None]
        return titles[0] if len(titles) == 1 else "Transformer films"

    @cached_property
    def colors(self) -> Theme:
        """The colours of the theme that the films were made in.

        They are read from their file: to import the module would import every film.
        """
        themes: Mapping[str, Theme] = runpy.run_path(str(COLORS))["THEMES"]
        return themes[self.theme]


@cache
def template(name: str) -> Template:
    """Return one of the templates that decks are written with."""
    return Environment(
        loader=FileSystemLoader(HERE), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    ).get_template(name)  # fmt: skip


def _slides(job: Job, *, whole: bool) -> Iterator[Slide]:
    """Yield a film's slides, its title first."""
    made: Mapping[str, Any] = json.loads((job.place / MANIFEST).read_text(encoding="utf-8"))
    slug, beats = made["film"], made["beats"]
    quoted = f"\N{LEFT DOUBLE QUOTATION MARK}{made['prompt']}\N{RIGHT DOUBLE QUOTATION MARK}"
    about = made["goal"].rstrip(".") + ".", quoted
    yield Slide(slug, made["title"], slug, about[:1], about=about)
    if whole:
        first = beats[0] | {key: made[key] for key in ("file", "vtt", "poster", "duration")}
        notes = tuple(beat["narration"] for beat in beats)
        yield Slide(f"{slug}-film", made["title"], slug, notes, _clip(job.place, first))
        return
    for beat in beats:
        name, title = f"{slug}-{beat['name']}", title_of(beat["name"])
        yield Slide(name, title, slug, (beat["narration"],), _clip(job.place, beat))


def _clip(place: Path, made: Mapping[str, Any]) -> Clip:
    """Return a clip whose files are named in a manifest."""
    file, first, last, vtt = (place / made[what] for what in ("file", "first", "poster", "vtt"))
    return Clip(file, first, last, vtt, made["duration"], made.get("loop", False))
