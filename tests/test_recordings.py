"""Recorded voices, music and stems: what is heard, and what is refused in a sentence."""

import wave
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from answers import Ask, refused
from voiced import PACKET, QUIET, WORD, Tones, heard, make, onsets, speaking, spoken

from model.errors import Unusable
from rendering import sounding
from rendering.freshness import freshness
from rendering.job import Job
from rendering.ledger import clip_entries
from rendering.sounding import refuse_unheard, write_wave
from rendering.voice import recordings
from rendering.voice.loudness import TARGET, decibels, loudness
from rendering.voice.music import DUCKED, with_music
from rendering.voice.speech import RATE
from rendering.voice.voices import Voice

BEATS = ("it-comes", "it-waits", "it-goes")


def tone(seconds: float, pitch: float = 200.0, level: float = 0.3) -> np.ndarray:
    times = np.arange(round(seconds * RATE)) / RATE
    return (level * np.sin(2 * np.pi * pitch * times)).astype(np.float32)


def encode(file: Path, codec: str, rate: int, layout: str, sound: np.ndarray) -> None:
    """Write a sound in another format, rate and number of channels."""
    with av.open(file, "w") as output:
        stream: Any = output.add_stream(codec, rate=rate, layout=layout)
        frame = av.AudioFrame.from_ndarray(sound[None], format="fltp", layout="mono")
        frame.sample_rate = RATE
        resampler = av.AudioResampler(stream.format, layout, rate, frame_size=1024)
        for even in (*resampler.resample(frame), *resampler.resample(None), None):
            output.mux(stream.encode(even))


@pytest.fixture
def job(tiny_checkpoint: Path, tmp_path: Path) -> Job:
    """The small film, with a folder of recordings."""
    folder = tmp_path / "voice"
    folder.mkdir()
    return spoken(tiny_checkpoint, tmp_path / "media", str(folder))


def folder(job: Job) -> Path:
    return Path(job.voice_name)


@pytest.mark.parametrize(
    ("suffix", "codec", "rate", "layout"),
    [
        ("wav", "pcm_s16le", 8_000, "mono"),
        ("wav", "pcm_s16le", 96_000, "stereo"),
        ("mp3", "libmp3lame", 44_100, "stereo"),
        ("m4a", "aac", 44_100, "mono"),
        ("ogg", "libopus", 48_000, "stereo"),
        ("flac", "flac", 22_050, "stereo"),
    ],
)
def test_any_file_that_holds_sound_is_read(
    suffix: str, codec: str, rate: int, layout: str, tmp_path: Path
) -> None:
    file = tmp_path / f"said.{suffix}"
    encode(file, codec, rate, layout, np.concatenate([0 * tone(1), tone(2), 0 * tone(1)]))
    found = recordings.recording(file)
    assert len(found) / RATE == pytest.approx(2, abs=0.1)
    assert np.abs(found).max() > 0.15


def test_a_film_is_heard_as_it_was_recorded_and_its_other_beats_by_the_default_voice(
    job: Job, capsys: pytest.CaptureFixture[str]
) -> None:
    write_wave(folder(job) / "02-it-waits.wav", [tone(7.0, level=0.05)])
    with speaking(Tones()) as engine:
        make(job)
    assert engine.lines == len(BEATS)
    played = {name: entry.played for name, entry in clip_entries(job).items()}
    assert played["it-waits"]["duration"] == pytest.approx(7.35, abs=0.2)
    assert played["it-goes"]["duration"] == pytest.approx(2 * WORD + QUIET + 0.35, abs=0.2)
    clip = heard(job.place / "beats/02-it-waits.mp4")
    assert loudness(clip) == pytest.approx(TARGET, abs=1)
    said = capsys.readouterr().err
    assert "it-comes is not recorded, heart says it" in said
    assert "it-waits is not recorded" not in said


def test_a_beat_recorded_anew_is_the_only_one_that_is_made_again(job: Job) -> None:
    for number, name in enumerate(BEATS, 1):
        write_wave(folder(job) / f"{number:02}-{name}.wav", [tone(2.0 + number)])
    with speaking(Tones()):
        make(job)
        write_wave(folder(job) / "03-it-goes.wav", [tone(4.0)])
        assert make(replace(job)).drawn == ["it-goes"]
        write_wave(folder(job) / "03-it-goes.wav", [tone(4.0, level=0.1)])
        assert not make(replace(job)).drawn


def test_films_have_folders_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    write_wave(tmp_path / "one" / "01-a.wav", [tone(1)])
    one = Voice.of(str(tmp_path), tmp_path, "one", ["a", "b"])
    two = Voice.of(str(tmp_path), tmp_path, "two", ["a", "b"])
    assert one is not None
    assert two is not None
    assert [*one.recordings] == ["a"]
    assert one.missing(["a", "b"]) == ["b"]
    assert not two.recordings


def test_phrases_of_a_recording_begin_at_its_pauses(job: Job) -> None:
    spoken_apart = np.concatenate([tone(1.0), 0 * tone(0.4), tone(2.0)])
    write_wave(folder(job) / "01-it-comes.wav", [spoken_apart])
    with speaking(Tones()):
        voice = job.voice
        assert voice is not None
        said = voice.say("it-comes", ["one two", "three four five six"])
    assert said.starts == pytest.approx([0, 1.4], abs=0.05)


# Bad input


def bad(file: Path, make_file: Callable[[Path], None], job: Job) -> str:
    make_file(file)
    with pytest.raises(Unusable) as refusal:
        refuse_unheard([job])
    return str(refusal.value)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("01-it-comes.wav", b"", "cannot be heard"),
        ("01-it-comes.mp3", b"no sound at all" * 99, "cannot be heard"),
        ("01-it-comes.wav", b"RIFF\x24\x00\x00\x00WAVEfmt ", "01-it-comes.wav"),
    ],
)
def test_what_is_no_sound_is_refused(job: Job, name: str, content: bytes, words: str) -> None:
    assert words in bad(folder(job) / name, lambda file: file.write_bytes(content) and None, job)


def test_silence_is_refused(job: Job) -> None:
    file = folder(job) / "01-it-comes.wav"
    assert "silent" in bad(file, lambda file: write_wave(file, [0 * tone(2)]), job)


def test_three_hours_are_refused_at_once(job: Job) -> None:
    def long(file: Path) -> None:
        with wave.open(str(file), "wb") as written:
            written.setnchannels(1)
            written.setsampwidth(1)
            written.setframerate(1000)
            written.writeframes(bytes(3 * 3600 * 1000))

    assert "longer than 5 minutes" in bad(folder(job) / "01-it-comes.wav", long, job)


def test_a_folder_without_any_recording_of_the_film_is_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    refused(ask("render", "no-peeking", "--voice", tmp_path / "empty"), "01-the-next-word.wav")
    write_wave(tmp_path / "empty" / "song.wav", [tone(1)])
    refused(ask("render", "no-peeking", "--voice", tmp_path / "empty"), "films script no-peeking")


def test_a_recording_that_is_nearly_named_after_a_beat_is_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    write_wave(tmp_path / "mine" / "01-the-next-word.wav", [tone(1)])
    write_wave(tmp_path / "mine" / "02-the-answer-is-her.wav", [tone(1)])
    refused(ask("render", "no-peeking", "--voice", tmp_path / "mine"), "02-the-answer-is-there.wav")


@pytest.mark.parametrize("package", ["piper-tts"])
def test_an_engine_that_is_not_there_says_how_to_get_it(ask: Ask, package: str) -> None:
    refused(ask("render", "no-peeking", "--voice", "piper:voice.onnx"), f"pip install {package}")


def test_a_voice_of_another_language_is_refused(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rendering.voice.voices.find_spec", lambda _: True)
    (tmp_path / "v.onnx").write_bytes(b"weights")
    (tmp_path / "v.onnx.json").write_text('{"language": {"code": "de_DE"}}')
    refused(ask("render", "no-peeking", "--voice", f"piper:{tmp_path / 'v.onnx'}"), "de_DE")
    refused(ask("render", "no-peeking", "--voice", "piper:nothing.onnx"), "nothing.onnx")


def test_music_that_is_none_is_refused(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "music.mp3").write_bytes(b"no music")
    refused(ask("render", "no-peeking", "--music", tmp_path / "music.mp3"), "music.mp3")


# Music and stems


def test_music_is_soft_under_speech_and_fades_out(tmp_path: Path) -> None:
    write_wave(tmp_path / "music.wav", [tone(5.0, pitch=1000)])
    speech = np.zeros(20 * RATE, np.float32)
    speech[8 * RATE : 12 * RATE] = tone(4.0)
    mixed = with_music([speech], tmp_path / "music.wav")
    assert len(mixed) == len(speech)

    def music_in(begin: float, end: float) -> float:
        part = mixed[round(begin * RATE) : round(end * RATE)]
        times = np.arange(len(part)) / RATE
        return float(abs(np.mean(part * np.exp(2000j * np.pi * times))))

    assert music_in(9, 11) / music_in(2, 4) == pytest.approx(decibels(DUCKED), rel=0.2)
    assert music_in(19.9, 20) < 0.1 * music_in(2, 4)
    assert loudness(mixed) == pytest.approx(TARGET, abs=1)


def test_music_is_no_reason_to_draw(tiny_checkpoint: Path, tmp_path: Path) -> None:
    write_wave(tmp_path / "music.wav", [tone(5.0, pitch=1000)])
    job = spoken(tiny_checkpoint, tmp_path / "media")
    with speaking(Tones()):
        make(job)
        with_it = replace(job, music=tmp_path / "music.wav")
        before = len(heard(job.results[0]))
        assert freshness(with_it).reasons == [f"music not set -> {digest(with_it)}"]
        assert not make(with_it).drawn
        assert make(with_it).was_fresh
    assert abs(len(heard(job.results[0])) - before) / RATE < PACKET


def digest(job: Job) -> str:
    assert job.music
    return sounding.sha256(job.music)[:16]


def test_stems_are_what_is_heard(tiny_checkpoint: Path, tmp_path: Path) -> None:
    job = spoken(tiny_checkpoint, tmp_path)
    with speaking(Tones()):
        make(job)
        asked = replace(job, stems=True)
        assert not make(asked).drawn
        assert make(replace(asked)).was_fresh
    for name, entry in clip_entries(job).items():
        stem = heard(job.place / asked.stem_of(name)[0])
        assert len(stem) / RATE == pytest.approx(entry.played["duration"], abs=1e-3)
        clip = heard(job.place / job.beat_files(name)["file"])
        assert onsets(stem) == pytest.approx(onsets(clip), abs=0.01)
    narration = heard(job.place / "narration.wav")
    whole = sum(entry.played["duration"] for entry in clip_entries(job).values())
    assert len(narration) / RATE == pytest.approx(whole, abs=1e-3)


def test_a_script_says_what_to_read_and_how_to_call_it(ask: Ask, tmp_path: Path) -> None:
    prompt = ("--prompt", "the old king saw a robot")
    status, out, err = ask("script", "no-peeking", *prompt)
    assert status == 0, err
    assert "## 01-the-next-word.wav" in out
    assert "|" not in out
    films = "no-peeking", "queries-keys-values"
    status, path, err = ask("script", *films, *prompt, "-o", tmp_path / "s.md")
    assert status == 0, err
    assert Path(path.strip()).read_text().startswith(out)
