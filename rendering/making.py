"""A film's files come together: clips as they are finished, then the film, and its manifest.

Whatever is finished moves to its place at once, with what it was made from in the ledger, so that
a run which ends early loses nothing of it.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

from rendering import clips, manifest, recipe, subtitles
from rendering.claim import Claim
from rendering.failures import writing
from rendering.ledger import NAME, Entry, Ledger, Stamp
from rendering.numbers import Numbers
from rendering.scratch import move_all
from rendering.share import NUMBERS, Report, Share
from rendering.survey import Survey, digest_of_clip

KEPT = ("narration", "start", "duration", "captions", "tokens", "layer", "head")  # of a report


class Making:
    """An order under way. `open` are the beats whose clips are not there yet."""

    def __init__(self, survey: Survey, claim: Claim) -> None:
        self.survey, self.order, self.claim = survey, survey.order, claim
        self.folder = claim.scratch
        self.ledger: Ledger = survey.ledger
        self.open = set(survey.stale_beats)
        self._former = self.ledger.files
        self._rough: dict[str, Path] = {}  # clips of which a GIF is made

    def take_in(self, share: Share, report: Report) -> None:
        """Put a finished clip in its place, with its captions, its poster and its entry."""
        name, files = report.beat, self.order.beat_files(report.beat)
        with writing(self.order.place):
            self._rough[name] = share.clip(name)
            self._keep_numbers(report)
            stamps = {file: _stamp(self.folder / file) for file in files.values()}
            said = {key: value for key, value in asdict(report).items() if key in KEPT}
            move_all(self.folder, stamps, self.order.place)
            self.ledger.clips[name] = Entry(self.survey.recipe, report.reads, stamps, said)
            self.ledger.write()
        self.open.discard(name)

    def finish(self) -> None:
        """Make the whole film of its clips, if it is wanted, and say in the manifest how."""
        with writing(self.order.place):
            files: dict[str, str] = {}
            self._set_in_order()
            if not self.order.beats:
                self._join()
                files = self.order.film_files
            content = manifest.content(self.order, self.ledger.played(self.order.card.beats))
            written = json.dumps(content, indent=2) + "\n"
            (self.folder / manifest.NAME).write_text(written, "utf-8")
            stamps = {name: _stamp(self.folder / name) for name in (*files.values(), manifest.NAME)}
            move_all(self.folder, stamps, self.order.place)
            if not self.order.beats:
                made_of = {name: digest_of_clip(clip) for name, clip in self.ledger.clips.items()}
                self.ledger.film = Entry(recipe.of_film(), made_of, stamps)
            self.ledger.write()
            for name in self._former - self.ledger.files - {NAME}:
                _remove(self.order.place, name)

    def _keep_numbers(self, report: Report) -> None:
        folder = self.folder / NUMBERS
        paths = {digest: folder / f"{digest}.npy" for digest in report.reads.values()}
        arrays = {digest: path.read_bytes() for digest, path in paths.items() if path.exists()}
        numbers = Numbers(self.order.media)
        numbers.keep(self.survey.recipe.key, report.reads, arrays)

    def _set_in_order(self) -> None:
        """Leave in the ledger the beats of the film, in their order, and when each starts."""
        clips, played = self.ledger.clips, self.ledger.played(self.order.card.beats)
        self.ledger.clips = {name: replace(clips[name], said=said) for name, said in played.items()}

    def _join(self) -> None:
        """Make the film, its captions and its poster in the folder."""
        order, place = self.order, self.order.place
        files = {what: self.folder / name for what, name in order.film_files.items()}
        shutil.copyfile(place / order.beat_files(order.card.poster_beat)["poster"], files["poster"])
        whole = [place / order.beat_files(name)["file"] for name in order.names]
        if order.is_still:
            shutil.copyfile(whole[-1], files["file"])
            return
        if order.picture.format == "gif":
            clips.make_gif([self._rough[name] for name in order.names], files["file"])
        else:
            clips.join(whole, files["file"], [_title(name) for name in order.names])
        lines = [
            subtitles.Caption(start + entry["start"], end + entry["start"], text)
            for entry in self.ledger.played(order.names).values()
            for start, end, text in entry["captions"]
        ]
        files["vtt"].write_bytes(subtitles.vtt(lines))
        files["srt"].write_bytes(subtitles.srt(lines))


def _title(beat: str) -> str:
    """Return a beat's name as the title of a chapter."""
    return beat.replace("-", " ").capitalize()


def _stamp(file: Path) -> Stamp:
    stamp = Stamp.of(file)
    if stamp is None:
        raise FileNotFoundError(file)
    return stamp


def _remove(place: Path, name: str) -> None:
    """Remove a file of a film that has none of that name any more."""
    path = place / name
    if path.resolve().is_relative_to(place.resolve()):
        path.unlink(missing_ok=True)
