# ruff: noqa: PLC0415 - a worker first sees to its signals, and the parent never needs manim
"""Films divided among workers: some beats of a film, drawn in one go by one of them.

Whoever draws beats of a film first has to read it, and plays all beats before its last one; so a
film is divided no further than it takes to keep everybody busy. Each clip is drawn into a folder
of the share; once its files are whole they move to their place at once, what it was made from
beside them, so that nothing of it is lost, whatever becomes of the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from rendering import clips
from rendering.failures import FilmFailed, making_failed, writing
from rendering.folder_lock import move_all
from rendering.freshness import said_with
from rendering.job import Job
from rendering.ledger import Entry, Ingredients
from rendering.sounding import add_words, timed

if TYPE_CHECKING:
    from scenes.film import Said

READING = 6.0  # what reading and playing a film costs, in words of narration that are drawn
FINEST = 3  # shares of a film for each worker


@dataclass(frozen=True)
class Share:
    """Beats of a job, in the film's order, and the folder that they are drawn into."""

    job: Job
    beats: tuple[str, ...]
    folder: Path
    ingredients: Ingredients = field(compare=False, repr=False)

    def clip(self, beat: str) -> Path:
        """Return where a beat's clip is drawn; an animated image is made of it afterwards."""
        return self.file(beat, "file").with_suffix(self.job.picture.clip_suffix)

    def file(self, beat: str, what: str) -> Path:
        """Return where one of a beat's files is made: its `file`, `vtt` and so on."""
        return self.folder / self.job.beat_files(beat)[what]

    def mark(self, beat: str) -> Path:
        """Return the file which says that the beat's clip is in its place."""
        return self.folder / f"{beat}.done"


def divide(work: Mapping[Job, Sequence[str]], workers: int) -> list[tuple[Job, tuple[str, ...]]]:
    """Return shares of jobs, the longest first, so that `workers` end as soon as they can.

    `work` has the beats that are to be drawn. Of the ways to divide the films the one with the
    fewest shares is taken that is about as quick as any.
    """
    words = {
        job: {beat: job.entry.words[job.entry.beats.index(beat)] for beat in beats}
        for job, beats in work.items()
    }
    plans = [_divided(words, count) for count in range(1, FINEST * workers + 1)]
    best = min(plans, key=lambda plan: _time([effort for effort, *_ in plan], workers))
    return [(job, beats) for _, job, beats in best]


def draw(share: Share, tell: Callable[[str], object] = lambda _: None) -> None:
    """Draw a share's beats in this process; `tell` hears of each that is in its place.

    Raises `FilmFailed` or `Unusable`; their sentences say where, which no other process could.
    """
    try:
        with writing(share.job.place):
            _draw(share, tell)
    except (FilmFailed, Unusable):
        raise
    except Exception as error:
        raise making_failed(share.job.entry.slug, error) from error


def _draw(share: Share, tell: Callable[[str], object]) -> None:
    from rendering import playing
    from rendering.numbers import KeptNumbers
    from scenes.diary import Diary

    job, diary, digests = share.job, Diary(), dict[str, str]()
    kept = KeptNumbers(job.media)
    (share.folder / "beats").mkdir(parents=True, exist_ok=True)

    def keep(said: Said) -> None:
        _refuse_other_model(job)
        new = {name: data for name, data in diary.reads.items() if name not in digests}
        digests.update(kept.keep(new))
        move_all(share.folder, _complete(share, said, diary.reads, digests), job.place)
        share.mark(said.name).touch()
        tell(said.name)

    request = replace(job.request, until=share.beats[-1], diary=diary, timed=timed(job))
    paths = {beat: share.clip(beat) for beat in share.beats}
    playing.draw(job.film, request, job.picture, paths, keep)


def _refuse_other_model(job: Job) -> None:
    """Raise an error if the model is no longer the one that the job is for."""
    if job.subject.digest() != job.digest:
        changed = f"The checkpoint {job.subject.folder} changed while {job.entry.slug} was drawn"
        raise FilmFailed(f"{changed}: run it again.")


def _complete(
    share: Share, said: Said, reads: Mapping[str, Any], digests: Mapping[str, str]
) -> list[str]:
    """Complete the files of a beat, its entry last; return their names in the share's folder."""
    from scenes.narration import captions as captions_of

    job, seconds = share.job, float(_seconds(share, said))
    lines = captions_of(said.narration, seconds, said.cues)
    played = {
        "name": said.name,
        "narration": said.narration,
        "start": said.start,
        "duration": seconds,
        "captions": [(line.start, line.end, line.text) for line in lines],
        "cues": [(cue.start, cue.seconds, cue.spoken) for cue in said.cues],
        "tokens": list(reads["pieces"]),
        "layer": reads["head.layer"],
        "head": reads["head.head"],
        "loop": said.loop,
    }
    add_words(job, played, share.file(said.name, "file"), share.folder)
    kept = [*job.beat_files(said.name).values(), *job.stem_of(said.name)]
    files = dict.fromkeys(kept)  # a still is its own poster
    name = job.entry_of(said.name)
    entry = Entry.of_files(share.folder, files, share.ingredients, dict(digests), played)
    replace(entry, said=said_with(job, said.name)).write(share.folder / name)
    return [*files, name]


def _seconds(share: Share, said: Said) -> Fraction:
    """Return how long a beat lasts: its clip, or as played where it has none."""
    if share.job.is_still:
        return Fraction(said.duration)
    clip, file = share.clip(said.name), share.file(said.name, "file")
    if clip != file:
        clips.make_image([clip], file, share.job.picture.loop)
    return clips.duration(clip)


def _divided(
    words: Mapping[Job, Mapping[str, int]], count: int
) -> list[tuple[float, Job, tuple[str, ...]]]:
    """Divide every film that is larger than one of `count` equal parts of all the work."""
    whole = sum(sum(beats.values()) for beats in words.values()) or 1
    shares = [
        (READING + sum(beats[beat] for beat in run), job, tuple(run))
        for job, beats in words.items()
        for run in _runs(beats, max(1, round(count * sum(beats.values()) / whole)))
    ]
    return sorted(shares, key=lambda share: -share[0])


def _runs(beats: Mapping[str, int], count: int) -> list[list[str]]:
    """Divide beats, kept in their order, into up to `count` runs of about equal work.

    Runs, so that only the last one has to play the film to its end.
    """
    runs: list[list[str]] = [[]]
    done, whole = 0.0, sum(beats.values())
    for beat, each in beats.items():
        if runs[-1] and done + each / 2 > whole * len(runs) / count:
            runs.append([])
        runs[-1].append(beat)
        done += each
    return runs


def _time(efforts: Sequence[float], workers: int) -> float:
    """Return when the last worker is done, if each takes the largest share that is left."""
    busy = [0.0] * workers
    for effort in efforts:
        busy[busy.index(min(busy))] += effort
    return max(busy)
