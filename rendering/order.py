"""A film to be made: what it shows, how it looks, where its files go, and which are still good."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rendering import manifest
from rendering.manifest import Manifest
from rendering.pictures import Picture
from rendering.variant import variant
from scenes.chapter import Chapter, Request

POSTER = "poster.png"


@dataclass(frozen=True)
class Order:
    """One film in one variant; `beats` are those wanted alone, none of them the whole film."""

    film: type[Chapter]
    request: Request
    picture: Picture
    media: Path
    digest: str  # of the checkpoint
    beats: tuple[str, ...] = ()
    again: bool = False  # make also what is fresh

    @property
    def place(self) -> Path:
        """The folder of the film, or of this variant of it."""
        name = variant(self.film, self.request, self.picture, self.digest)
        return self.media / "films" / self.film.slug() / name

    @property
    def names(self) -> list[str]:
        """The beats wanted, in the film's order."""
        names = [beat.name for beat in self.film.beats()]
        return [name for name in names if not self.beats or name in self.beats]

    @property
    def is_still(self) -> bool:
        """Whether last frames are wanted in place of clips."""
        return self.picture.format == "png"

    @cached_property
    def recipe(self) -> str:
        """The digest of all that the files are made from."""
        return manifest.recipe(self.film, self.request, self.picture, self.digest)

    def beat_files(self, name: str) -> dict[str, str]:
        """Return a beat's files inside the folder, by what they are: `file`, `vtt`, `poster`."""
        number = [beat.name for beat in self.film.beats()].index(name) + 1
        stem = f"beats/{number:02}-{name}"
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

    def stale_beats(self, old: Manifest) -> list[str]:
        """Return the beats that must be drawn; a GIF is made of all its beats' frames."""
        stale = [
            name
            for name in self.names
            if self.again
            or not manifest.holds(
                old.beats.get(name, {}), self.beat_files(name), self.recipe, self.place
            )
        ]
        if self.picture.format == "gif" and not self._has_film(old):
            return self.names
        return stale

    def is_fresh(self, old: Manifest) -> bool:
        """Return whether everything that is wanted stands there as it would be made."""
        return not self.stale_beats(old) and self._has_film(old)

    def _has_film(self, old: Manifest) -> bool:
        """Return whether the whole film, if wanted, stands there as it would be made."""
        if self.beats:
            return True
        return not self.again and manifest.holds(
            old.content, self.film_files, self.recipe, self.place
        )
