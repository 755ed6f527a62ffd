"""A film is put together from its clips: joined, with captions, poster, manifest and ledger."""

from __future__ import annotations

import json
import platform
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rendering import captions, clips
from rendering.captions import Caption
from rendering.failures import writing
from rendering.folder_lock import FolderLock, move_all
from rendering.freshness import COMPUTE, DRAW, digests_of, is_joined, joining, versions
from rendering.job import MANIFEST, Job
from rendering.ledger import LEDGER, Entry, Ingredients, clip_entries, exact, played
from rendering.names import title_of
from rendering.pictures import ANIMATED
from rendering.sounding import captions_of, film_beats, film_sound, speech_of, write_wave
from rendering.voice.voices import NONE

OF_A_BEAT = ("narration", "start", "duration")  # in the manifest
OF_A_PICTURE = ("quality", "width", "height", "fps", "aspect", "format", "transparent")


def assemble(job: Job, folder: Path) -> None:
    """Make the whole film of its clips, if it is wanted, and say in the manifest how.

    `folder` is where files are made; those of animated images are still in it as they were drawn.
    """
    made = clip_entries(job)
    with writing(job.place):
        if job.beats:
            write_manifest(folder, _manifest(job, made))
            move_all(folder, [MANIFEST], job.place)
        else:
            _join(job, folder / job.film_files["file"])
            poster = job.place / job.beat_files(job.entry.poster_beat)["poster"]
            made_of = {name: entry.digest for name, entry in made.items()}
            lines = captions_of(film_beats(job))
            complete(folder, job.film_files, poster, lines, _manifest(job, made))
            settle(folder, job.film_files, made_of, job.place, joining(music=job.music))
        _remove_former(job, set(made))


def complete(
    folder: Path,
    files: Mapping[str, str],
    poster: Path,
    lines: Sequence[Caption],
    manifest: Mapping[str, Any],
) -> None:
    """Add to a film's or course's file in a folder what else belongs to it."""
    shutil.copyfile(poster, folder / files["poster"])
    for what, written in (("vtt", captions.vtt), ("srt", captions.srt)):
        if what in files:
            (folder / files[what]).write_bytes(written(lines))
    write_manifest(folder, manifest)


def write_manifest(folder: Path, manifest: Mapping[str, Any]) -> None:
    """Write how something was made, for whoever uses it."""
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def settle(
    folder: Path,
    files: Mapping[str, str],
    made_of: Mapping[str, str],
    place: Path,
    by: Ingredients,
) -> None:
    """Move a film's or course's files to their place, and last what they were made of and `by`."""
    names = [*files.values(), MANIFEST]
    Entry.of_files(folder, names, by, made_of).write(folder / LEDGER)
    move_all(folder, [*names, LEDGER], place)


def join_films(
    place: Path,
    films: Mapping[str, Job],
    by: Ingredients,
    join: Callable[[Path], Mapping[str, str]],
    say: Callable[[str], None],
) -> None:
    """Join films in a place, unless they stand there as they would be joined now, `by` this.

    `join` makes the files in a folder and returns them by what they are.
    """
    with writing(place):
        if not is_joined(place, films, by):
            with FolderLock(place).held(say) as lock:
                if not is_joined(place, films, by):  # another run may have done it meanwhile
                    made_of = digests_of(films)  # first: a film may be made meanwhile
                    settle(lock.scratch, join(lock.scratch), made_of, place, by)


def _join(job: Job, film: Path) -> None:
    """Make a film of its beats' files."""
    drawn = [job.place / job.beat_files(name)["file"] for name in job.names]
    if job.is_still:
        shutil.copyfile(drawn[-1], film)
    elif job.picture.format in ANIMATED:
        beats = film.parent / "beats"
        frames = [(beats / each.name).with_suffix(job.picture.clip_suffix) for each in drawn]
        clips.make_image(frames, film, job.picture.loop)
    else:
        titles = [*map(title_of, job.names)]
        clips.join(drawn, film, titles, film_sound(film_beats(job)))
        if "narration" in job.film_files:
            write_wave(film.with_name("narration.wav"), speech_of(film_beats(job)))


def _remove_former(job: Job, names: set[str]) -> None:
    """Remove the files of beats that the film has no more."""
    place, current = job.place, {job.place / job.entry_of(name) for name in names}
    for path in set(place.glob("beats/*.json")) - current:
        entry = Entry.read(path)
        for name in [*(entry.files if entry else ()), str(path.relative_to(place))]:
            if (place / name).resolve().is_relative_to(place.resolve()):
                (place / name).unlink(missing_ok=True)


def made_by(job: Job) -> dict[str, Any]:
    """Return what the manifests of a film and of the course say of how they were made."""
    return {
        "checkpoint": job.digest,
        **{name: getattr(job.picture, name) for name in OF_A_PICTURE},
        "theme": job.subject.theme,
        "voice": job.voice.name if job.voice else NONE,
        "versions": {"python": platform.python_version()} | versions(DRAW) | versions(COMPUTE),
    }


def _manifest(job: Job, made: Mapping[str, Entry]) -> dict[str, Any]:
    """Return what a film's files show and how they were made, for whoever uses them."""
    beats = played(made, job.entry.beats)
    first = next(iter(beats.values()))
    has_film = not job.beats or all((job.place / name).exists() for name in job.film_files.values())
    return {
        "film": job.entry.slug,
        "title": job.entry.title,
        "goal": job.entry.goal,
        "prompt": job.prompt,
        "tokens": first["tokens"],
        "layer": first["layer"],
        "head": first["head"],
        **made_by(job),
        "duration": float(sum(exact(beat["duration"]) for beat in beats.values())),
        **(job.film_files if has_film else {}),
        "beats": [
            {
                "name": name,
                **{key: beat[key] for key in OF_A_BEAT},
                "loop": beat.get("loop", False),
                **job.beat_files(name),
            }
            for name, beat in beats.items()
        ],
    }
