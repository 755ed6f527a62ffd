"""Films speak: words and pictures meet, the sound fits, and it is made once."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answers import Ask, refused
from played import SMALL
from scipy.signal import resample_poly
from small_films import ShortFilm, SmallFilm, SmallMap
from voiced import FULL_LOUD, PACKET, QUIET, WORD, Tones, heard, make, onsets, speaking, spoken

from rendering import clips, course, session
from rendering.film_index import FilmEntry
from rendering.freshness import freshness
from rendering.job import Job
from rendering.ledger import clip_entries
from rendering.progress import Summary
from rendering.voice import voices
from rendering.voice.engines import Heart
from rendering.voice.loudness import TARGET, levelled, loudness
from rendering.voice.speech import RATE, Speech, joined, located, shares_of, voiced
from rendering.voice.voices import NONE, PACE, SEED
from rendering.workers import Workers
from scenes.film import Film, Shown, beat
from scenes.mobjects.text import Words
from scenes.verbs import Appear, Disappear

MEET = 0.15  # seconds that words and pictures may be apart
LINE = ["Look into one cell:", "the query of creature,", "blue's key.", "Multiply, and add up."]
FORMATS = ("mp4", "webm", "mov")


class Cues(Film):
    """A word comes, another comes, and one goes."""

    title = "Cues"
    prompt = "a dog"
    seconds = 5
    poster_beat = "it-comes"

    def cast(self) -> None:
        self.one, self.two = Words("{}", "one"), Words("{}", "two").move_to((0, 2, 0))
        self.stand(self.one, self.two)

    @beat("One word comes. | Then comes another one, | and one goes.")
    def it_comes(self) -> Shown:
        yield Appear(self.one)
        yield Appear(self.two)
        yield Disappear(self.one)


@pytest.fixture(scope="module")
def job(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Job:
    """The small film, made with tones for a voice."""
    job = spoken(tiny_checkpoint, tmp_path_factory.mktemp("media"))
    with speaking(Tones()):
        make(job)
    return job


def peak(sound: np.ndarray) -> float:
    """The highest peak between samples, in dB of full scale."""
    return float(20 * np.log10(np.abs(resample_poly(sound, 4, 1)).max()))


# The embedded voice


@pytest.fixture(scope="module")
def heart() -> Heart:
    return Heart(PACE, SEED)


def test_the_voice_says_the_same_line_the_same_way_again(heart: Heart) -> None:
    one, other = heart.say(LINE), Heart(PACE, SEED).say(LINE)
    assert one.samples.tobytes() == other.samples.tobytes()
    assert one.starts == other.starts


def test_the_voice_knows_when_each_phrase_begins(heart: Heart) -> None:
    line = heart.say(LINE)
    assert len(line.starts) == len(LINE)
    begins = onsets(line.samples / line.samples.max(), quiet=0.05)
    for start in line.starts:
        assert min(abs(start - begin) for begin in begins) < MEET


@pytest.mark.parametrize("line", [["", "a"], ["a" * 900], ["é 🤖 ⟨U+0000⟩", "[x](/y/)", "..."]])
def test_the_voice_says_whatever_a_film_may_say(heart: Heart, line: list[str]) -> None:
    said = heart.say(line)
    assert len(said.starts) == len(line)
    assert all(0 <= start <= said.seconds for start in said.starts)


def test_the_voice_takes_about_the_words_a_second_that_films_are_paced_for(heart: Heart) -> None:
    line = "Every query meets every key, and each pair of them leaves one number in the grid."
    assert len(line.split()) / heart.say([line]).seconds == pytest.approx(2.6, abs=0.5)


# Speech as samples


def test_every_line_has_the_same_loudness_and_no_peak_is_cut(heart: Heart) -> None:
    for factor in (0.05, 1.0, 3.0):
        level = levelled(heart.say(LINE).samples * np.float32(factor))
        assert loudness(level) == pytest.approx(TARGET, abs=0.3)
        assert peak(level) < -1
    assert not levelled(np.zeros(RATE, np.float32)).any()


def test_sentences_are_joined_without_the_silence_around_them() -> None:
    tone, quiet = np.ones(RATE, np.float32), np.zeros(RATE, np.float32)
    one = Speech(np.concatenate([quiet, tone, quiet]), (1.0, 1.5))
    both = joined([one, one])
    assert both.seconds == pytest.approx(2.7, abs=0.2)
    assert both.starts == pytest.approx([0, 0.55, 1.4, 1.9], abs=0.15)
    assert voiced(both.samples)[0] == 0


def test_phrases_of_a_recording_are_found_by_its_pauses() -> None:
    phrases = ["one two three", "four five", "six seven eight nine"]
    line = Tones().say(phrases)
    assert located(line.samples, shares_of(phrases)).starts == pytest.approx(line.starts, abs=0.02)


def test_a_phrase_that_waits_for_its_picture_is_moved_and_nothing_is_lost() -> None:
    line = Tones().say(["one two", "three"])
    moved = line.paused([0, line.starts[1] + 0.5], len(line.samples) + RATE)
    assert onsets(moved) == pytest.approx([0, line.starts[1] + 0.5], abs=0.01)
    assert np.abs(moved).sum() == pytest.approx(np.abs(line.samples).sum(), rel=1e-5)
    assert len(line.paused(line.starts, 100)) == 100


# Films


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When each animation of films that are played began, in seconds of its film."""
    begun: list[float] = []
    play = Film.play

    def noted(film: Film, *animations: Any, **settings: Any) -> None:
        begun.append(float(film.time))
        play(film, *animations, **settings)

    monkeypatch.setattr(Film, "play", noted)
    return begun


@pytest.mark.parametrize("word", [0.12, WORD, 0.8])
def test_words_and_pictures_meet(
    word: float, begun: list[float], tiny_checkpoint: Path, tmp_path: Path
) -> None:
    job = replace(spoken(tiny_checkpoint, tmp_path), entry=FilmEntry.of(Cues))
    job = replace(job, picture=replace(SMALL, fps=15))
    with speaking(Tones(word)):
        make(job)
    words = onsets(heard(job.place / job.beat_files("it-comes")["file"]))
    assert max(min(abs(start - each) for each in begun) for start in words) < MEET
    (entry,) = clip_entries(job).values()
    assert [start for start, *_ in entry.played["cues"]] == pytest.approx(words, abs=0.03)
    assert entry.played["duration"] >= 10 * word + 3 * QUIET


@pytest.mark.parametrize("file_format", FORMATS)
def test_a_film_and_its_clips_sound_the_same_to_the_sample(
    file_format: str, tiny_checkpoint: Path, tmp_path: Path
) -> None:
    job = spoken(tiny_checkpoint, tmp_path)
    job = replace(job, picture=replace(SMALL, format=file_format))
    with speaking(Tones()):
        make(job)
    film = heard(job.results[0])
    for name, entry in clip_entries(job).items():
        clip = heard(job.place / job.beat_files(name)["file"])
        start = round(beats(job)[name]["start"] * RATE)
        length = round(entry.played["duration"] * RATE)
        part = film[start : start + length]
        assert abs(lag(part, clip[:length])) <= RATE // 1000
    assert len(film) / RATE == pytest.approx(float(clips.duration(job.results[0])), abs=0.03)
    assert freshness(job).is_fresh


def lag(one: np.ndarray, other: np.ndarray) -> int:
    """By how many samples the second sound is behind the first."""
    length = 2 * max(len(one), len(other))
    alike = np.fft.irfft(np.fft.rfft(other, length) * np.conj(np.fft.rfft(one, length)), length)
    found = int(np.argmax(alike))
    return found - length if found > length // 2 else found


def beats(job: Job) -> dict[str, dict[str, object]]:
    """The beats of a film's manifest, by name."""
    told = json.loads((job.place / "manifest.json").read_text())
    return {beat["name"]: beat for beat in told["beats"]}


def test_a_film_is_as_loud_as_it_should_be(job: Job) -> None:
    film = heard(job.results[0])
    assert loudness(film) == pytest.approx(TARGET, abs=1)
    assert peak(film) < -1


def test_captions_follow_the_voice(job: Job) -> None:
    for name, entry in clip_entries(job).items():
        begins = [begin for begin, _, _ in entry.played["captions"]]
        clip = job.place / job.beat_files(name)["file"]
        words = onsets(np.abs(heard(clip)))[0]
        assert begins[0] == pytest.approx(words, abs=MEET)


def test_speech_is_made_once(job: Job) -> None:
    with speaking(Tones()) as engine:
        assert make(job).was_fresh
        assert make(replace(job, again=True)).drawn
    assert engine.lines == 0


def test_a_voice_with_the_same_times_is_written_without_drawing(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    job = spoken(tiny_checkpoint, tmp_path)
    with speaking(Tones()):
        make(job)
    before = heard(job.results[0])
    with speaking(Tones(pitch=500.0)), another_version("higher"):
        assert "spoken by" in freshness(replace(job)).reasons[0]
        outcome = make(replace(job))
        assert not outcome.drawn
        assert len(outcome.reused) == len(job.names)
        assert freshness(replace(job)).is_fresh
    assert lag(before, heard(job.results[0])) < RATE
    assert np.abs(heard(job.results[0]) - before).max() > FULL_LOUD


def test_a_slower_voice_draws_the_beats_whose_times_it_moves(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    job = spoken(tiny_checkpoint, tmp_path)
    with speaking(Tones()):
        make(job)
    with speaking(Tones(word=0.4)), another_version("slower"):
        assert make(replace(job)).drawn == job.names


@contextmanager
def another_version(version: str) -> Iterator[None]:
    """Let the default voice be another version of itself."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(voices, "PACE", version)
        yield


def test_a_silent_film_has_no_sound(tiny_checkpoint: Path, tmp_path: Path) -> None:
    job = spoken(tiny_checkpoint, tmp_path, NONE)
    make(job)
    assert not len(heard(job.results[0]))
    assert json.loads((job.place / "manifest.json").read_text())["voice"] == NONE
    with speaking(Tones()):
        given_a_voice = replace(job, voice_name=voices.DEFAULT)
        assert freshness(given_a_voice).reasons[0] == "voice none -> heart"
        assert make(given_a_voice).drawn
    assert len(heard(job.results[0]))
    assert make(job).drawn
    assert not len(heard(job.results[0]))


@pytest.mark.parametrize("file_format", ["gif", "png"])
def test_what_has_no_sound_is_timed_by_words(file_format: str, tiny_checkpoint: Path) -> None:
    job = spoken(tiny_checkpoint, Path())
    assert replace(job, picture=replace(SMALL, format=file_format)).voice is None


def test_the_course_does_not_drift(tiny_checkpoint: Path, tmp_path: Path) -> None:
    films = [FilmEntry.of(kind) for kind in (ShortFilm, SmallFilm)]
    one = spoken(tiny_checkpoint, tmp_path)
    jobs = [replace(one, entry=entry) for entry in films]
    told: list[Summary] = []
    with pytest.MonkeyPatch.context() as patch, speaking(Tones()):
        patch.setattr(course, "film_index", lambda: tuple(films))
        patch.setattr(course, "course_map", lambda: FilmEntry.of(SmallMap))
        session.render(jobs, Workers(), told.append)
    assert told[0].course
    whole = heard(told[0].course)
    last = replace(one, entry=FilmEntry.of(SmallMap))
    end = heard(last.place / last.beat_files("close")["file"])
    seconds = float(clips.duration(told[0].course))
    assert 0 <= len(whole) / RATE - seconds < PACKET
    start = round(seconds * RATE) - round(clip_entries(last)["close"].played["duration"] * RATE)
    assert abs(lag(whole[start:], end)) < 0.02 * RATE


# The command line


def test_a_voice_that_there_is_not_is_refused(ask: Ask) -> None:
    refused(ask("render", "no-peeking", "--voice", "hart"), "hart", "heart")
    refused(ask("check", "no-peeking", "--voice", "nobody"), "nobody")


def test_a_voice_without_its_engine_says_how_to_install_it(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(voices, "find_spec", lambda _: None)
    refused(ask("render", "no-peeking", "--voice", "heart"), "pip install hibari-tts")
