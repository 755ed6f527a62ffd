# ruff: noqa: PLC0415 - films and torch are slow to import: only what plays a film does
"""A film to be rendered: what it shows, how it looks, and where its files go. It imports no manim.

media/films/dot-product-grid/                         the default
media/films/dot-product-grid/prompt-a-dog_light_9x16/ a variant, named after what is different
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from model.huggingface import folder
from rendering.failures import PROJECT
from rendering.film_index import FilmEntry
from rendering.names import checkpoint_name, readable
from rendering.pictures import WITH_SOUND, Picture
from rendering.voice.voices import NONE, Voice

if TYPE_CHECKING:
    from scenes.film import Film, Request

SHIPPED = PROJECT / "assets" / "gpt"  # as in scenes.film
POSTER, MANIFEST = "poster.png", "manifest.json"
DEFAULT = Picture()


@dataclass(frozen=True)
class Subject:
    """What films are to show; None leaves the choice to the film."""

    prompt: str | None = None
    checkpoint: Path | None = None  # the shipped one unless told
    layer: int | None = None
    head: int | None = None
    theme: str = "dark"

    @classmethod
    def of(cls, chosen: Mapping[str, Any]) -> Subject:
        """Return what the options of a command ask for."""
        names = ("prompt", "checkpoint", "layer", "head", "theme")
        return cls(**{name: chosen[name] for name in names if name in chosen})

    @property
    def folder(self) -> Path:
        """The checkpoint's folder."""
        return self.checkpoint or SHIPPED

    def digest(self) -> str:
        """Return the digest of the checkpoint, as `model.checkpoint` takes it.

        Raises `Unusable` for a folder that is not one.
        """
        try:
            return folder.digest(self.folder)
        except (OSError, Unusable):
            from model import checkpoint

            return checkpoint.load(self.folder).digest  # says in a sentence what is wrong

    def request(self) -> Request:
        """Return it as a film understands it."""
        from scenes import theme
        from scenes.film import Request

        return Request(self.prompt, self.folder, self.layer, self.head, theme.THEMES[self.theme])


@dataclass(frozen=True)
class Job:
    """One film in one variant; `beats` are those wanted alone, none of them the whole film."""

    entry: FilmEntry
    subject: Subject
    picture: Picture
    media: Path
    digest: str  # of the checkpoint
    beats: tuple[str, ...] = ()
    again: bool = False  # make also what is fresh
    voice_name: str = NONE
    music: Path | None = None  # under the film's speech
    stems: bool = False  # whether speech is written as files of its own, too

    @cached_property
    def film(self) -> type[Film]:
        """The film itself; asking for it imports it."""
        return self.entry.load()

    @cached_property
    def request(self) -> Request:
        """What the film is asked to show; asking for it imports films."""
        return self.subject.request()

    @cached_property
    def voice(self) -> Voice | None:
        """Who speaks; a format without sound is as silent as the voice `none`."""
        name = self.voice_name if self.picture.format in WITH_SOUND else NONE
        return Voice.of(name, self.media, self.entry.slug, self.entry.beats)

    @property
    def prompt(self) -> str:
        """The prompt that the film shows."""
        return self.entry.prompt if self.subject.prompt is None else self.subject.prompt

    @property
    def variant(self) -> str:
        """The name of the folder inside the film's folder; empty for the default."""
        return variant(self.entry.prompt, self.subject, self.picture, self.media)

    @cached_property
    def place(self) -> Path:
        """The folder of the film, or of this variant of it."""
        return self.media / "films" / self.entry.slug / self.variant

    @property
    def label(self) -> str:
        """What the job is called where runs are told of."""
        named = self.subject.checkpoint and f" ({self.subject.folder.name})"
        return f"{self.entry.slug}{named or ''}"

    @property
    def names(self) -> list[str]:
        """The beats wanted, in the film's order."""
        return [name for name in self.entry.beats if not self.beats or name in self.beats]

    @property
    def is_still(self) -> bool:
        """Whether last frames are wanted in place of clips."""
        return self.picture.format == "png"

    def beat_files(self, name: str) -> dict[str, str]:
        """Return a beat's files inside the folder, by what they are.

        `file`, `vtt`, `first` and `poster`: the clip, its captions, its first and last frame.
        """
        stem = self._stem(name)
        moving = {} if self.is_still else {"vtt": f"{stem}.vtt", "first": f"{stem}.first.png"}
        return {"file": f"{stem}.{self.picture.format}", **moving, "poster": f"{stem}.png"}

    def stem_of(self, name: str) -> list[str]:
        """Return the file of a beat's speech inside the folder, if it is wanted."""
        return [f"{self._stem(name)}.wav"] if self.stems and self.voice else []

    def entry_of(self, name: str) -> str:
        """Return the file inside the folder that says what a beat's files were made from."""
        return f"{self._stem(name)}.json"

    @property
    def film_files(self) -> dict[str, str]:
        """The files of the film as a whole, in the same way; the manifest is not among them."""
        more = {} if self.is_still else {"srt": "film.srt", "vtt": "film.vtt"}
        if self.stems and self.voice:
            more["narration"] = "narration.wav"
        return {"file": f"film.{self.picture.format}", **more, "poster": POSTER}

    @property
    def results(self) -> list[Path]:
        """What the job is for: the film, or the clips of the beats wanted alone."""
        if not self.beats:
            return [self.place / self.film_files["file"]]
        return [self.place / self.beat_files(name)["file"] for name in self.names]

    def _stem(self, name: str) -> str:
        return f"beats/{self.entry.beats.index(name) + 1:02}-{name}"


def variant(prompt: str, subject: Subject, picture: Picture, media: Path = Path()) -> str:
    """Return the variant's folder name, empty for the default; `prompt` is the film's own one.

    The parts stand in a fixed order: `prompt-a-robot-must-obey_light_9x16`.
    """
    is_ours = subject.folder.resolve() == SHIPPED.resolve()
    checkpoint = "" if is_ours else checkpoint_name(subject.folder, media)
    parts = {
        f"prompt-{readable(subject.prompt or '')}": subject.prompt not in {None, prompt},
        f"checkpoint-{checkpoint}": not is_ours,
        f"layer-{subject.layer}": subject.layer is not None,
        f"head-{subject.head}": subject.head is not None,
        subject.theme: subject.theme != Subject.theme,
        picture.aspect.replace(":", "x"): picture.aspect != DEFAULT.aspect,
        picture.rate: picture.rate != DEFAULT.rate,
        picture.format: picture.format != DEFAULT.format,
        "transparent": picture.transparent,
        "constant-frame-rate": picture.constant,
        "once": picture.loop == 1,
    }
    return "_".join(part for part, is_other in parts.items() if is_other)
