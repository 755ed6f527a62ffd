"""A film to be made: what it shows, how it looks, and where its files go. It imports no manim."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rendering.asked import Asked
from rendering.cards import Card
from rendering.pictures import Picture
from rendering.variant import variant

if TYPE_CHECKING:
    from scenes.film import Film, Request

POSTER = "poster.png"


@dataclass(frozen=True)
class Order:
    """One film in one variant; `beats` are those wanted alone, none of them the whole film."""

    card: Card
    asked: Asked
    picture: Picture
    media: Path
    digest: str  # of the checkpoint
    beats: tuple[str, ...] = ()
    again: bool = False  # make also what is fresh

    @cached_property
    def film(self) -> type[Film]:
        """The film itself; asking for it imports it."""
        return self.card.load()

    @cached_property
    def request(self) -> Request:
        """What the film is asked to show; asking for it imports chapters."""
        return self.asked.request()

    @property
    def variant(self) -> str:
        """The name of the folder inside the film's folder; empty for the default."""
        return variant(self.card.prompt, self.asked, self.picture, self.digest)

    @cached_property
    def place(self) -> Path:
        """The folder of the film, or of this variant of it."""
        return self.media / "films" / self.card.slug / self.variant

    @property
    def names(self) -> list[str]:
        """The beats wanted, in the film's order."""
        return [name for name in self.card.beats if not self.beats or name in self.beats]

    @property
    def is_still(self) -> bool:
        """Whether last frames are wanted in place of clips."""
        return self.picture.format == "png"

    def number(self, name: str) -> int:
        """Return a beat's place in the film, from 1."""
        return self.card.beats.index(name) + 1

    def beat_files(self, name: str) -> dict[str, str]:
        """Return a beat's files inside the folder, by what they are: `file`, `vtt`, `poster`."""
        stem = f"beats/{self.number(name):02}-{name}"
        captions = {} if self.is_still else {"vtt": f"{stem}.vtt"}
        return {"file": f"{stem}.{self.picture.format}", **captions, "poster": f"{stem}.png"}

    @property
    def film_files(self) -> dict[str, str]:
        """The files of the film as a whole, in the same way; the manifest is not among them."""
        captions = {} if self.is_still else {"srt": "film.srt", "vtt": "film.vtt"}
        return {"file": f"film.{self.picture.format}", **captions, "poster": POSTER}

    @property
    def results(self) -> list[Path]:
        """What the order is for: the film, or the clips of the beats wanted alone."""
        if not self.beats:
            return [self.place / self.film_files["file"]]
        return [self.place / self.beat_files(name)["file"] for name in self.names]
