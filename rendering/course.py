"""All films one after the other as one film, a chapter each. It knows no particular film."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from rendering import clips, recipe, subtitles
from rendering.cards import cards
from rendering.claim import Claim, alive
from rendering.failures import writing
from rendering.ledger import Entry, Ledger, Stamp
from rendering.manifest import NAME as MANIFEST
from rendering.order import POSTER, Order
from rendering.scratch import move_all
from rendering.variant import variant

SLUG, TITLE = "course", "The course"
JOINED = ("mp4", "mov", "webm")  # formats whose films can be joined without encoding them again


@dataclass(frozen=True)
class Course:
    """The films of a request in viewing order, all with the same picture."""

    orders: tuple[Order, ...]

    @classmethod
    def of(cls, orders: Sequence[Order]) -> Course | None:
        """Return the course that these orders make, if they are all films, whole, and can be."""
        has_all = [order.card for order in orders] == list(cards())
        can_be = orders[0].picture.format in JOINED and not orders[0].beats
        return cls(tuple(orders)) if has_all and can_be else None

    @cached_property
    def place(self) -> Path:
        """The course's folder, or that of this variant of it."""
        first = self.orders[0]
        prompts = {order.card.prompt for order in self.orders}
        own = prompts.pop() if len(prompts) == 1 else ""
        name = variant(own, first.asked, first.picture, first.digest)
        return first.media / "films" / SLUG / name

    @property
    def files(self) -> dict[str, str]:
        """The files of the course, by what they are."""
        film = f"film.{self.orders[0].picture.format}"
        texts = {"srt": "film.srt", "vtt": "film.vtt", "chapters": "chapters.vtt"}
        return {"file": film, **texts, "poster": POSTER}

    def is_fresh(self) -> bool:
        """Return whether the course stands there, made of the films as they are now."""
        entry = Ledger.beside(self.place).film
        return (
            entry is not None
            and not self.orders[0].again
            and entry.reads == self._made_of()
            and not entry.recipe.changes(recipe.of_course())
            and all(Stamp.of(self.place / name) == stamp for name, stamp in entry.files.items())
        )

    def make(self, say: Callable[[str], None]) -> Path:
        """Join the films, unless the course is fresh; return the path of the whole."""
        claim = Claim(self.place)
        if not self.is_fresh():
            claim.wait(say)
            try:
                with alive([claim]), writing(self.place):
                    if not self.is_fresh():
                        self._join(claim.scratch)
                        say(f"{SLUG}: {len(self.orders)} films joined")
            finally:
                claim.release()
        return self.place / self.files["file"]

    def _join(self, folder: Path) -> None:
        made_of = self._made_of()  # first, so that a film made meanwhile is seen to be newer
        files = {what: folder / name for what, name in self.files.items()}
        clips.join(self._films, files["file"], [order.card.title for order in self.orders])
        shutil.copyfile(self.orders[0].place / POSTER, files["poster"])
        said = list(self._captions())
        files["vtt"].write_bytes(subtitles.vtt(said))
        files["srt"].write_bytes(subtitles.srt(said))
        files["chapters"].write_bytes(subtitles.vtt(self._chapters()))
        (folder / MANIFEST).write_text(json.dumps(self._manifest(), indent=2) + "\n", "utf-8")
        stamps = {name: Stamp.of(folder / name) for name in (*self.files.values(), MANIFEST)}
        move_all(folder, stamps, self.place)
        made = {name: stamp for name, stamp in stamps.items() if stamp}
        Ledger(self.place, {}, Entry(recipe.of_course(), made_of, made)).write()

    @property
    def _films(self) -> list[Path]:
        return [order.results[0] for order in self.orders]

    def _made_of(self) -> dict[str, str]:
        """Return the digest of each film, its captions included."""
        films = {order.card.slug: Ledger.beside(order.place).film for order in self.orders}
        return {
            slug: "".join(stamp.sha256[:16] for stamp in film.files.values()) if film else ""
            for slug, film in films.items()
        }

    def _starts(self) -> list[Fraction]:
        """Return when each film starts, and at last when the course ends, in seconds."""
        return list(accumulate(map(clips.duration, self._films), initial=Fraction(0)))

    def _captions(self) -> Iterator[subtitles.Caption]:
        for order, start in zip(self.orders, self._starts(), strict=False):
            for beat in Ledger.beside(order.place).played(order.names).values():
                at = float(start) + beat["start"]
                for begin, end, text in beat["captions"]:
                    yield subtitles.Caption(at + begin, at + end, text)

    def _chapters(self) -> list[subtitles.Caption]:
        starts = [float(start) for start in self._starts()]
        return [
            subtitles.Caption(start, end, order.card.title)
            for order, start, end in zip(self.orders, starts, starts[1:], strict=False)
        ]

    def _manifest(self) -> dict[str, Any]:
        """Return what the course shows and which films it is made of."""
        first = json.loads((self.orders[0].place / MANIFEST).read_text(encoding="utf-8"))
        same = ("quality", "width", "height", "fps", "aspect", "format", "transparent", "theme")
        chapters = self._chapters()
        return {
            "film": SLUG,
            "title": TITLE,
            "checkpoint": first["checkpoint"],
            **{key: first[key] for key in same},
            "duration": chapters[-1].end,
            "versions": first["versions"],
            **self.files,
            "films": [
                {
                    "film": order.card.slug,
                    "title": order.card.title,
                    "start": chapter.start,
                    "duration": chapter.end - chapter.start,
                }
                for order, chapter in zip(self.orders, chapters, strict=True)
            ],
        }
