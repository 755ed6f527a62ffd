"""Films as slides: a deck is read from films' manifests, and written for those who show it.

manifests -> deck (slides) -> html | pptx | manim_slides (files) -> their place, all or none
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from model.errors import Unusable
from model.files import write_whole
from rendering.folder_lock import remove_empty
from rendering.job import Job
from rendering.pictures import DECKS, Picture
from rendering.slides import html, manim_slides, pptx
from rendering.slides.deck import Deck

Kind = Literal["html", "pptx", "manim-slides"]
PAGES = (".html", ".json")  # they name what they show
SHOWN = re.compile(r'"((?:clips|slides/files)/[\w-]+/[\w.-]+)"')
SUFFIXES = {"html": ".html", "pptx": ".pptx"}  # of a deck that is one file


@dataclass(frozen=True)
class Wanted:
    """How a deck is wanted, and where."""

    kind: Kind
    out: Path | None = None
    whole: bool = False  # whether a slide shows a whole film
    one_file: bool = False
    embed: bool = False  # whether the slides alone are wanted, for a deck that somebody has
    captions: bool = True
    on_click: bool = False  # whether clips wait for a click

    @property
    def is_file(self) -> bool:
        """Whether the deck is one file."""
        return self.one_file or self.kind == "pptx"

    def refuse_unsuited(self, picture: Picture) -> None:
        """Raise `Unusable` if this cannot be, before any film is made for it."""
        if (self.one_file or self.embed) and self.kind != "html":
            raise Unusable(f"--one-file and --embed are for html, not {self.kind}: leave them out.")
        if self.one_file and self.embed:
            raise Unusable("--one-file and --embed do not go together: leave out one of them.")
        if self.on_click and self.kind != "pptx":
            raise Unusable(f"--on-click is for pptx, not {self.kind}: leave it out.")
        if self.kind == "pptx":
            pptx.refuse_without_library()
        if picture.format not in DECKS[self.kind]:
            can = " or ".join(DECKS[self.kind])
            raise Unusable(
                f"Slides of {self.kind} cannot play {picture.format}: use --format {can}."
            )
        if self.out is None:
            if not self.embed:
                raise Unusable("There is no place for the deck: name one with -o.")
            return
        self._refuse_place(self.out)

    def _refuse_place(self, out: Path) -> None:
        suffix = SUFFIXES.get(self.kind, "")
        if self.is_file:
            if out.suffix.lower() != suffix:
                raise Unusable(f"{out} is no name of a {suffix} file: use one like talk{suffix}.")
            if out.is_dir():
                raise Unusable(f"{out} is a folder: name a file for the deck.")
        elif out.exists() and not out.is_dir():
            raise Unusable(
                f"{out} is a file, and the deck is a folder: name another place with -o."
            )
        elif suffix and out.suffix.lower() == suffix and not out.is_dir():
            raise Unusable(f"{out} would be one file: add --one-file, or name a folder with -o.")
        page = out / html.PAGE
        if self.kind == "html" and not self.embed and page.exists() and not html.is_ours(page):
            raise Unusable(f"{page} is no deck made here: name another folder with -o.")
        ground = next(each for each in (out, *out.absolute().parents) if each.exists())
        if not os.access(ground, os.W_OK) or (ground != out and not ground.is_dir()):
            raise Unusable(f"{out} cannot be written: name a place that you may write to with -o.")


def write(jobs: Sequence[Job], wanted: Wanted) -> str:
    """Write the deck of films that have been made; return its path, or the slides to embed."""
    if not jobs:
        raise Unusable("None of these films suits the prompt: leave --prompt out, or change it.")
    deck, out = Deck.of(jobs, whole=wanted.whole), wanted.out
    if out is None:
        return html.snippet(deck, html.from_here, captions=wanted.captions)
    if wanted.embed:
        _write(out, html.media(deck))
        return html.snippet(deck, captions=wanted.captions)
    if wanted.kind == "pptx":
        write_whole({out: pptx.presentation(deck, on_click=wanted.on_click)})
        return str(out)
    if wanted.one_file:
        write_whole({out: html.one_file(deck, captions=wanted.captions)})
        return str(out)
    if wanted.kind == "manim-slides":
        _write(out, manim_slides.folder(deck))
        return str(out)
    _write(out, html.folder(deck, captions=wanted.captions))
    return str(out / html.PAGE)


def _write(folder: Path, files: html.Files) -> None:
    """Write files into a folder: all of them, or none. What a deck no longer shows is removed."""
    former = {folder / name for name in _shown_before(folder, files)}
    paths = {folder / name: content for name, content in files.items()}
    ours = {each for path in paths for each in path.parents}
    new = sorted((each for each in ours if not each.exists()), key=lambda each: -len(each.parts))
    try:
        write_whole(paths)
    except BaseException:
        for each in new:
            remove_empty([each])
        raise
    for each in former - {*paths}:
        each.unlink(missing_ok=True)
        remove_empty([each.parent])


def _shown_before(folder: Path, files: html.Files) -> Iterator[str]:
    """Yield what those pages that stand in a folder, and are about to be replaced, show."""
    for name in files:
        if name.endswith(PAGES):
            with suppress(OSError, UnicodeDecodeError):
                yield from SHOWN.findall((folder / name).read_text(encoding="utf-8"))
