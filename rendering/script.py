"""What a speaker reads: a film's lines, beat by beat, with the names of their recordings."""

from collections.abc import Iterator

from rendering import playing
from rendering.job import Job
from scenes.narration import cues_of, time_to_say
from scenes.theme import BREATH


def script(job: Job) -> str:
    """Return the script of a film in Markdown."""
    film = playing.read(job.film, job.request, job.picture.aspect)
    beats = film.script()
    whole = sum(time_to_say(line) + BREATH for _, line in beats)
    how = (
        "Record each beat in a file of its own, named as it is here (wav, mp3, m4a, ogg or flac), "
        f"in a folder. Then `films render {job.entry.slug} --voice FOLDER`. Times are for "
        f"unhurried speech; the film, {_clock(whole)} long, takes yours."
    )
    return "\n\n".join([f"# {job.entry.title}", how, *_beats(beats)]) + "\n"


def _beats(beats: list[tuple[str, str]]) -> Iterator[str]:
    start = 0.0
    for number, (name, line) in enumerate(beats, 1):
        seconds = time_to_say(line)
        yield f"## {number:02}-{name}.wav\n\n{_clock(start)}, {seconds:.0f} s"
        yield " ".join(cues_of(line))
        start += seconds + BREATH


def _clock(seconds: float) -> str:
    """Return seconds as minutes and seconds, such as 1:05."""
    minutes, left = divmod(round(seconds), 60)
    return f"{minutes}:{left:02}"
