# ruff: noqa: PLC0415 - a silent film needs no numpy, and the parent no film
"""A film is heard and read: its voice times its beats, and their speech joins the pictures.

A clip's sound is encoded for itself, that of a film or a course in one go from the same samples:
so nothing is cut at the joins, and nothing drifts.
"""

from __future__ import annotations

import wave
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from model.errors import Unusable
from model.files import sha256
from rendering import captions, clips
from rendering.captions import Caption
from rendering.failures import writing
from rendering.folder_lock import move_all
from rendering.freshness import said_with
from rendering.job import Job
from rendering.ledger import SILENT, Entry, clip_entries, exact, played
from rendering.pictures import SOUND_RATE
from rendering.voice.voices import NAMES

if TYPE_CHECKING:
    from rendering.voice.speech import Samples
    from scenes.narration import Timed, Timing

Played: TypeAlias = Mapping[str, Any]  # a beat, as its entry has it


def timed(job: Job) -> Timed:
    """Return how a film's lines are timed: as its voice says them, or else by their words."""
    from scenes.narration import Timing, by_words
    from scenes.pronunciation import spoken

    voice = job.voice
    if voice is None:
        return by_words

    def by_voice(beat: str, cues: Sequence[str]) -> Timing:
        said = tuple(map(spoken, cues))
        speech = voice.say(beat, said)
        return Timing(speech.starts, speech.seconds, said)

    return by_voice


def add_words(job: Job, beat: Played, clip: Path, folder: Path) -> list[str]:
    """Write a beat's captions, and its clip with speech if somebody speaks, into a folder.

    `clip` has the pictures, and may stand there itself. Returns the files' names in the folder.
    """
    files, written = job.beat_files(beat["name"]), job.stem_of(beat["name"])
    for stem in written:
        write_wave(folder / stem, speech_of([(job, beat)]))
    if job.voice:
        heard = folder / files["file"]
        aside = heard.with_stem(f"{heard.stem}.heard")
        clips.join([clip], aside, sound=clips.Sound(speech_of([(job, beat)]), job.voice.rate))
        aside.replace(heard)
        written.append(files["file"])
    if "vtt" in files:
        (folder / files["vtt"]).write_bytes(captions.vtt(beat["captions"]))
        written.append(files["vtt"])
    return written


def film_beats(job: Job) -> list[tuple[Job, Played]]:
    """Return the beats of a film as they were played, each with its job."""
    return [(job, beat) for beat in played(clip_entries(job), job.names).values()]


def captions_of(beats: Sequence[tuple[Job, Played]]) -> list[Caption]:
    """Return the captions of beats that follow one another, the first one's start being 0."""
    lengths = (exact(beat["duration"]) for _, beat in beats)
    starts = map(float, accumulate(lengths, initial=Fraction(0)))
    return [
        (start + begin, start + end, text)
        for start, (_, beat) in zip(starts, beats, strict=False)
        for begin, end, text in beat["captions"]
    ]


def speech_of(beats: Sequence[tuple[Job, Played]]) -> Iterator[Samples]:
    """Yield what is said in beats that follow one another, sample by sample, or their silence."""
    import numpy as np

    lengths = (exact(beat["duration"]) for _, beat in beats)
    places = [round(start * SOUND_RATE) for start in accumulate(lengths, initial=Fraction(0))]
    for (job, beat), (begin, end) in zip(beats, pairwise(places), strict=True):
        if job.voice is None:
            yield np.zeros(end - begin, np.float32)
        else:
            speech = job.voice.say(beat["name"], [text for *_, text in beat["cues"]])
            yield speech.paused([start for start, *_ in beat["cues"]], end - begin)


def film_sound(beats: Sequence[tuple[Job, Played]]) -> clips.Sound | None:
    """Return what is heard in a film or course of these beats, music included."""
    job, _ = beats[0]
    if job.music is None:
        rates = [each.voice.rate for each, _ in beats if each.voice]
        return clips.Sound(speech_of(beats), max(rates)) if rates else None
    from rendering.voice.music import with_music

    return clips.Sound([with_music(speech_of(beats), job.music)])


def write_wave(file: Path, sound: Iterable[Samples]) -> None:
    """Write a sound as it is, in 16 bits."""
    import numpy as np

    with wave.open(str(file), "wb") as written:
        written.setnchannels(1)
        written.setsampwidth(2)
        written.setframerate(SOUND_RATE)
        for part in sound:
            written.writeframes(np.rint(32767 * part).astype("<i2").tobytes())


def speak_anew(job: Job, names: Sequence[str], folder: Path) -> list[str]:
    """Give clips whose pictures are fresh the sound and captions that they should have now.

    Returns the beats whose times are no longer what they were drawn for. `folder` is where files
    are made.
    """
    made = clip_entries(job)
    drawn_anew = [name for name in names if not _fits(job, made[name])]
    for name in names:
        if name not in drawn_anew:
            with writing(job.place):
                _speak_anew(job, name, made[name], folder)
    return drawn_anew


def _speak_anew(job: Job, name: str, entry: Entry, folder: Path) -> None:
    file, record = job.beat_files(name)["file"], job.entry_of(name)
    (folder / file).parent.mkdir(parents=True, exist_ok=True)
    made = add_words(job, entry.played, job.place / file, folder)
    files = {**entry.files} | {each: sha256(folder / each) for each in made}
    replace(entry, files=files, said=said_with(job, name)).write(folder / record)
    move_all(folder, [*made, record], job.place)


def _fits(job: Job, made: Entry) -> bool:
    """Return whether a beat's pictures have the times that its words would have now."""
    voice, cues = job.voice, made.played["cues"]
    if voice is None:
        return made.said.settings == SILENT
    speech = voice.say(made.played["name"], [text for *_, text in cues])
    times = pairwise([*speech.starts, speech.seconds])
    return [end - start for start, end in times] == [lasts for _, lasts, _ in cues]


def refuse_unheard(jobs: Sequence[Job]) -> None:
    """Raise `Unusable` for voices, recordings and music that cannot be used, before all else."""
    voices = [job.voice for job in jobs]
    recorded = [file for voice in voices if voice for file in voice.recordings.values()]
    folder = Path(jobs[0].voice_name).expanduser()
    if any(voices) and jobs[0].voice_name not in NAMES and folder.is_dir() and not recorded:
        slug, first = jobs[0].entry.slug, jobs[0].entry.beats[0]
        raise Unusable(
            f"{folder} has no recording of {slug}: name them after its beats, such as "
            f"01-{first}.wav; `films script {slug}` says what to read."
        )
    if recorded:
        from rendering.voice.recordings import recording

        for file in recorded:
            recording(file)
    if jobs[0].music:
        from rendering.voice.recordings import sound

        sound(jobs[0].music, 1.0)
