"""A film's files are made: clips, captions, posters, the whole film, and the manifest.

The unit of work is one beat's clip; the film is joined from the clips. What is fresh is kept.
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import Any

from rendering import clips, manifest, playing, subtitles
from rendering.crew import Crew, Job, Tell
from rendering.failures import writing
from rendering.manifest import Manifest
from rendering.order import Order
from rendering.scratch import move_all, scratch
from rendering.telling import Teller
from scenes.chapter import Chapter, Said
from scenes.narration import captions


def make(order: Order, crew: Crew, teller: Teller) -> bool:
    """Make what is not fresh of an order; return whether there was anything to do."""
    with writing(order.place):
        old = Manifest.beside(order.place)
        if order.is_fresh(old):
            return False
        chapter = playing.read(order.film, order.request, order.picture.aspect)
        drawn = order.stale_beats(old)
        teller.begin(order.film.slug(), len(drawn))
        with scratch(order.place) as folder:
            making = Making(order, old, chapter, folder, drawn)
            if drawn:
                making.draw(crew, teller.drawn)
            making.measure()
            making.caption()
            files = [name for beat in drawn for name in order.beat_files(beat).values()]
            if not order.beats:
                making.join()
                files += order.film_files.values()
            content = making.content()
            (folder / manifest.NAME).write_text(json.dumps(content, indent=2) + "\n", "utf-8")
            move_all(folder, [*dict.fromkeys(files), manifest.NAME], order.place)
        _remove_former(order.place, old)
    return True


@dataclass
class Making:
    """An order under way: the film as read, the beats that are drawn, and how long each lasts."""

    order: Order
    old: Manifest
    chapter: Chapter
    folder: Path  # a hidden one; what is made stands in it as it will stand in its place
    drawn: Sequence[str]
    played: Mapping[str, Said] = field(default_factory=dict)
    seconds: dict[str, Fraction] = field(default_factory=dict)

    def draw(self, crew: Crew, tell: Tell) -> None:
        """Draw the clips that are not fresh, longest line first."""
        order = self.order
        (self.folder / "beats").mkdir()
        rough = {name: self._rough(name) for name in self.drawn}
        words = {name: float(len(line.split())) for name, line in self.chapter.script()}
        job = Job(order.film, order.request, order.picture, rough, order.place)
        self.played = crew.draw(job, words, tell)
        if order.picture.format == "gif":
            for name in self.drawn:
                clips.make_gif([rough[name]], self._file(name))

    def measure(self) -> None:
        """Find out how long each beat lasts: its clip, or as played where it has none."""
        for name in self.order.names:
            if not self.order.is_still:
                path = self._rough(name) if name in self.drawn else self._file(name)
                self.seconds[name] = clips.duration(path)
            elif name in self.played:
                self.seconds[name] = Fraction(self.played[name].duration)
            else:
                self.seconds[name] = Fraction(self.old.beats[name]["duration"])

    def caption(self) -> None:
        """Write the captions of each clip that was drawn."""
        for name, narration in self.chapter.script():
            if name in self.drawn and not self.order.is_still:
                lines = captions(narration, float(self.seconds[name]))
                (self.folder / self.order.beat_files(name)["vtt"]).write_bytes(subtitles.vtt(lines))

    def join(self) -> None:
        """Make the whole film of its clips, with its captions and its poster."""
        files = {what: self.folder / name for what, name in self.order.film_files.items()}
        shutil.copyfile(self._poster(self.order.film.poster_beat), files["poster"])
        if self.order.is_still:
            shutil.copyfile(self._poster(self.order.names[-1]), files["file"])
            return
        if self.order.picture.format == "gif":
            clips.make_gif([self._rough(name) for name in self.order.names], files["file"])
        else:
            clips.join([self._file(name) for name in self.order.names], files["file"])
        lines = [
            caption
            for name, narration in self.chapter.script()
            for caption in subtitles.later(
                captions(narration, float(self.seconds[name])), self.start(name)
            )
        ]
        files["vtt"].write_bytes(subtitles.vtt(lines))
        files["srt"].write_bytes(subtitles.srt(lines))

    def start(self, name: str) -> float:
        """Return when a beat begins, in seconds from the start of the film."""
        if self.order.beats:
            known = self.old.beats.get(name, {}).get("start")
            return float(self.played[name].start if known is None else known)
        names = self.order.names
        starts = accumulate((self.seconds[each] for each in names), initial=Fraction(0))
        return float(dict(zip(names, starts, strict=False))[name])

    def content(self) -> dict[str, Any]:
        """Return the manifest of what stands in the film's place once this is done."""
        order = self.order
        beats = [self._beat(name, narration) for name, narration in self.chapter.script()]
        length = float(sum(beat["duration"] for beat in beats if beat))
        if order.beats:
            kept = (*order.film_files, "made_from", "files")
            film = {key: self.old.content[key] for key in kept if key in self.old.content}
        else:
            film = manifest.entry(order.film_files, order.recipe, self.folder)
        return {
            **self._shown(),
            "duration": length,
            "versions": manifest.versions(),
            **film,
            "beats": [beat for beat in beats if beat],
        }

    def _shown(self) -> dict[str, Any]:
        """Return what the film shows and how it looks."""
        chapter, picture = self.chapter, self.order.picture
        return {
            "film": chapter.slug(),
            "title": chapter.title,
            "goal": chapter.goal(),
            "prompt": chapter.trace.text,
            "tokens": list(chapter.tokens),
            "checkpoint": self.order.digest,
            "layer": chapter.layer,
            "head": chapter.head,
            "quality": picture.quality,
            "width": picture.width,
            "height": picture.height,
            "fps": picture.fps,
            "aspect": picture.aspect,
            "format": picture.format,
            "transparent": picture.transparent,
            "theme": self.order.request.theme.name,
        }

    def _beat(self, name: str, narration: str) -> dict[str, Any]:
        """Return what the manifest says of a beat; nothing of one that was never made."""
        if name not in self.order.names:
            return dict(self.old.beats.get(name, {}))
        files = self.order.beat_files(name)
        folder = self.folder if name in self.drawn else self.order.place
        return {
            "name": name,
            "narration": narration,
            "start": self.start(name),
            "duration": float(self.seconds[name]),
            **manifest.entry(files, self.order.recipe, folder),
        }

    def _rough(self, name: str) -> Path:
        """Return where a beat's clip is drawn; a GIF is made of it afterwards."""
        return self._file(name).with_suffix(self.order.picture.clip_suffix)

    def _file(self, name: str) -> Path:
        """Return where a beat's clip is now."""
        return self._folder(name) / self.order.beat_files(name)["file"]

    def _poster(self, name: str) -> Path:
        """Return where a beat's last frame is now."""
        return self._folder(name) / self.order.beat_files(name)["poster"]

    def _folder(self, name: str) -> Path:
        return self.folder if name in self.drawn else self.order.place


def _remove_former(place: Path, old: Manifest) -> None:
    """Remove files that the former manifest speaks of and the new one does not."""
    for name in manifest.files_of(old) - manifest.files_of(Manifest.beside(place)):
        path = place / name
        if path.resolve().is_relative_to(place.resolve()):
            path.unlink(missing_ok=True)
