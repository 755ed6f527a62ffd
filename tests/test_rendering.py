"""What stands in a film's folder, what is made again and what is kept, and what a crash leaves."""

import errno
import html
import json
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import pytest
import webvtt
from PIL import Image
from played import SMALL
from small_films import BrokenFilm, DeadlyFilm, SmallFilm

from rendering import clips, storyboard
from rendering.asked import Asked
from rendering.cards import Card
from rendering.claim import LOCK, MAKING
from rendering.crew import crew
from rendering.failures import FilmFailed, Unwritable
from rendering.ledger import Ledger
from rendering.order import Order
from rendering.pictures import FORMATS
from rendering.session import Run
from rendering.telling import Teller
from scenes.narration import CAPTION_COLUMNS, CAPTION_LINES

TESTS = Path(__file__).parent
BEATS = ["01-it-comes", "02-it-waits", "03-it-goes"]


@pytest.fixture
def order(tiny_checkpoint: Path, tmp_path: Path) -> Order:
    return small_order(tiny_checkpoint, tmp_path)


def small_order(folder: Path, media: Path) -> Order:
    """The small film of a checkpoint."""
    asked = Asked(checkpoint=folder)
    return Order(Card.of(SmallFilm), asked, SMALL, media, asked.digest())


def made(order: Order, size: int = 1) -> bool:
    """Make an order with a crew of some size; return whether there was anything to do."""
    with crew(size) as hands, Teller() as teller:
        (outcome,) = Run(hands, teller).make([order])
    if outcome.problem:
        raise outcome.problem
    return not outcome.was_fresh


def files(folder: Path) -> dict[str, bytes]:
    """Every file under a folder, hidden ones included."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def manifest(order: Order) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((order.place / "manifest.json").read_text())
    return content


def spans(path: Path) -> list[tuple[float, float, str]]:
    """The captions of a file: start and end in seconds, and text."""
    srt = path.suffix == ".srt"
    cues = (webvtt.WebVTT.from_srt if srt else webvtt.WebVTT.read)(str(path)).captions
    text = (lambda cue: cue.raw_text) if srt else (lambda cue: html.unescape(cue.raw_text))
    return [(seconds(cue.start), seconds(cue.end), text(cue)) for cue in cues]


def seconds(time: str) -> float:
    hours, minutes, rest = time.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def test_a_film_has_all_its_files_and_nothing_else(order: Order) -> None:
    assert made(order)
    beats = {f"beats/{beat}{end}" for beat in BEATS for end in (".mp4", ".vtt", ".png")}
    film = {"film.mp4", "film.srt", "film.vtt", "poster.png", "manifest.json", "ledger.json"}
    assert set(files(order.place)) == film | beats
    with Image.open(order.place / "poster.png") as poster:
        assert poster.size == (SMALL.width, SMALL.height)
    of_its_beat = (order.place / "beats/02-it-waits.png").read_bytes()
    assert (order.place / "poster.png").read_bytes() == of_its_beat


def test_the_film_is_its_clips_one_after_the_other_with_captions_in_time(order: Order) -> None:
    made(order)
    lengths = [clips.duration(order.place / f"beats/{beat}.mp4") for beat in BEATS]
    assert clips.duration(order.place / "film.mp4") == sum(lengths)
    said = manifest(order)
    assert said["duration"] == float(sum(lengths))
    assert [beat["duration"] for beat in said["beats"]] == [float(each) for each in lengths]
    assert [beat["start"] for beat in said["beats"]] == [
        float(sum(lengths[:number], Fraction(0))) for number in range(3)
    ]
    whole = spans(order.place / "film.vtt")
    assert whole == spans(order.place / "film.srt")
    assert whole[-1][1] == pytest.approx(float(sum(lengths)), abs=1e-3)
    for beat, entry in zip(BEATS, said["beats"], strict=True):
        own = spans(order.place / f"beats/{beat}.vtt")
        assert own[0][0] == 0
        assert own[-1][1] == pytest.approx(entry["duration"], abs=1e-3)
        assert " ".join(text.replace("\n", " ") for *_, text in own) == entry["narration"]
        for start, end, text in own:
            assert any(
                text == there and start + entry["start"] == pytest.approx(begin, abs=2e-3)
                for begin, _, there in whole
            )
            assert start < end
            assert len(text.splitlines()) <= CAPTION_LINES
            assert all(len(line) <= CAPTION_COLUMNS for line in text.splitlines())


def test_at_a_constant_rate_the_frames_of_the_joined_film_are_evenly_spaced(order: Order) -> None:
    order = replace(order, picture=replace(SMALL, constant=True))
    made(order)
    with av.open(order.place / "film.mp4") as film:
        times = [frame.time for frame in film.decode(video=0)]
    assert len(times) == float(clips.duration(order.place / "film.mp4")) * SMALL.fps
    assert times == [pytest.approx(number / SMALL.fps) for number in range(len(times))]


def test_the_manifest_says_how_the_film_was_made(order: Order) -> None:
    made(order)
    said = manifest(order)
    assert said["film"] == "small-films"
    assert (said["title"], said["prompt"]) == ("Small", "a dog")
    assert "".join(said["tokens"]) == "a dog"
    assert said["checkpoint"] == order.digest
    assert (said["width"], said["height"], said["fps"], said["theme"]) == (
        SMALL.width,
        SMALL.height,
        SMALL.fps,
        "dark",
    )
    assert {"layer", "head", "quality", "versions"} <= set(said)
    for beat in said["beats"]:
        assert all((order.place / beat[what]).is_file() for what in ("file", "vtt", "poster"))


@pytest.mark.parametrize("file_format", FORMATS)
def test_two_processes_make_the_same_film_as_one(
    order: Order, tmp_path: Path, file_format: str
) -> None:
    order = replace(order, picture=replace(order.picture, format=file_format))
    alone = replace(order, media=tmp_path / "alone")
    assert made(order, size=2)
    assert made(alone)
    assert files(order.place) == files(alone.place)


def test_what_is_fresh_is_not_made_again_unless_told(order: Order) -> None:
    assert made(order)
    assert not made(order)
    assert made(replace(order, again=True))


@pytest.mark.parametrize("name", ["film.mp4", "film.srt", "poster.png", "beats/03-it-goes.mp4"])
@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        lambda path: path.write_bytes(path.read_bytes()[:-10]),
        lambda path: path.write_bytes(path.read_bytes()[::-1]),
    ],
    ids=["missing", "truncated", "altered"],
)
def test_what_is_missing_or_harmed_is_made_again(
    order: Order, name: str, harm: Callable[[Path], Any], drawn_once: dict[str, bytes]
) -> None:
    restore(order.place, drawn_once)
    harm(order.place / name)
    assert made(order)
    assert files(order.place) == drawn_once


@pytest.fixture(scope="module")
def drawn_once(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of the small film, made once for several tests."""
    drawn = small_order(tiny_checkpoint, tmp_path_factory.mktemp("media"))
    made(drawn)
    return files(drawn.place)


def restore(place: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(data)


def test_a_beat_made_alone_touches_nothing_else(order: Order, drawn_once: dict[str, bytes]) -> None:
    restore(order.place, drawn_once)
    (order.place / "beats/01-it-comes.mp4").write_bytes(b"mine")
    assert made(replace(order, beats=("it-waits",), again=True))
    after = files(order.place)
    assert after.pop("beats/01-it-comes.mp4") == b"mine"
    assert after == {name: data for name, data in drawn_once.items() if name in after}


def test_a_beat_can_be_the_first_thing_made(order: Order) -> None:
    alone = replace(order, beats=("it-goes",))
    assert made(alone)
    assert not made(alone)
    assert set(files(order.place)) == {
        "ledger.json",
        "manifest.json",
        *(f"beats/03-it-goes{end}" for end in (".mp4", ".vtt", ".png")),
    }
    assert [beat["name"] for beat in manifest(order)["beats"]] == ["it-goes"]
    assert made(order)


@pytest.mark.parametrize("file_format", [each for each in FORMATS if each != "mp4"])
def test_every_format_can_be_played(order: Order, file_format: str) -> None:
    made(replace(order, picture=replace(SMALL, format=file_format)))
    place = replace(order, picture=replace(SMALL, format=file_format)).place
    assert place.name.endswith(f"_{file_format}")
    with av.open(place / f"film.{file_format}") as film:
        frames = sum(1 for _ in film.decode(video=0))
    long = json.loads((place / "manifest.json").read_text())["duration"]
    assert 1 <= frames <= long * SMALL.fps
    if file_format != "png":
        assert float(clips.duration(place / f"film.{file_format}")) == pytest.approx(long, abs=0.01)


@pytest.mark.parametrize("file_format", ["mov", "webm", "png"])
def test_a_transparent_film_has_no_background(order: Order, file_format: str) -> None:
    clear = replace(order, picture=replace(SMALL, format=file_format, transparent=True))
    made(clear)
    with Image.open(clear.place / "poster.png") as still:
        assert still.getchannel("A").getextrema() == (0, 255)
        assert still.getchannel("A").getpixel((0, 89)) == 0
    if file_format == "png":
        return
    decoder = av.CodecContext.create({"mov": "qtrle", "webm": "libvpx-vp9"}[file_format], "r")
    with av.open(clear.place / f"film.{file_format}") as film:
        stream = film.streams.video[0]
        if file_format == "mov":
            decoder = stream.codec_context
        frames = [frame for packet in film.demux(stream) for frame in decoder.decode(packet)]
    assert frames[-1].to_ndarray(format="rgba")[89, 0, 3] == 0


def test_a_storyboard_shows_every_beat_at_960_pixels_or_more(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[storyboard.Panel] = []
    draw = storyboard.sheet

    def keep(title: str, about: str, panels: list[storyboard.Panel]) -> Image.Image:
        shown.extend(panels)
        return draw(title, about, panels)

    monkeypatch.setattr(storyboard, "sheet", keep)
    path = storyboard.write_storyboard(order)
    assert path == order.place / "storyboard.png"
    assert [panel.name for panel in shown] == [beat.name for beat in order.film.beats()]
    assert all(panel.still.width >= 960 for panel in shown)
    with Image.open(path) as sheet:
        assert sheet.width >= 960


def test_a_film_that_fails_is_named_with_its_beat_and_line(order: Order) -> None:
    for size in (1, 2):
        with pytest.raises(FilmFailed) as failed:
            made(replace(order, card=Card.of(BrokenFilm)), size)
        assert "broken-film failed in beat it-breaks: ZeroDivisionError" in str(failed.value)
        lines = (TESTS / "small_films.py").read_text().splitlines()
        line = next(number for number, text in enumerate(lines, 1) if "[:0]" in text)
        assert f"tests/small_films.py:{line}" in str(failed.value)
    assert set(files(order.place.parent.parent / "broken-film" / order.variant)) == {
        "ledger.json",
        *(f"beats/01-all-is-well{end}" for end in (".mp4", ".vtt", ".png")),
    }


def test_what_a_process_that_dies_was_drawing_is_drawn_by_another(
    order: Order, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VICTIMS", str(tmp_path / "victims"))
    assert made(replace(order, card=Card.of(DeadlyFilm)), size=2)
    assert (tmp_path / "victims").exists()


def test_a_full_disk_costs_nothing_that_was_there(
    order: Order, drawn_once: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    restore(order.place, drawn_once)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Unwritable, match="no room left"):
        made(replace(order, again=True))
    assert files(order.place) == drawn_once


def test_a_power_cut_finds_no_file_under_its_name_that_is_not_on_the_disk(
    order: Order, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced, named = set[int](), set[Path]()
    sync, rename = os.fsync, os.replace

    def syncing(descriptor: int) -> None:
        sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)

    def renaming(source: Path, target: Path) -> None:
        if order.place / MAKING not in Path(target).parents:
            assert Path(source).stat().st_ino in synced, target
            named.add(Path(target))
        rename(source, target)

    monkeypatch.setattr(os, "fsync", syncing)
    monkeypatch.setattr(os, "replace", renaming)
    made(order)
    assert named == {order.media / name for name in files(order.media) if not name.endswith(LOCK)}
    assert all(path.stat().st_ino in synced for path in (order.place, order.place / "beats"))


@pytest.mark.parametrize("size", [1, 2])
def test_after_a_kill_the_next_run_keeps_what_was_finished_and_clears_up(
    order: Order, size: int
) -> None:
    script = order.media / "make_pickled.py"
    script.write_text(MAKE_PICKLED)
    folders = os.pathsep.join(map(str, (TESTS.parent, TESTS)))
    run = subprocess.Popen(
        [sys.executable, script, pickle.dumps(order).hex(), str(size)],
        env=os.environ | {"PYTHONPATH": folders, "PATIENCE": "600"},
        stderr=subprocess.DEVNULL,
    )
    first = order.place / "beats/01-it-comes.mp4"
    wait_for(lambda: "it-comes" in Ledger.beside(order.place).clips, run)
    run.kill()
    run.wait()
    made_at = first.stat().st_mtime_ns
    assert (order.place / ".making").exists()
    time.sleep(1)  # the crew sees that it is alone
    assert made(order)
    assert first.stat().st_mtime_ns == made_at
    assert not any(".making" in name or ".part" in name for name in files(order.media))
    assert not made(order)


MAKE_PICKLED = """
import pickle, sys
from test_rendering import made
if __name__ == "__main__":
    made(pickle.loads(bytes.fromhex(sys.argv[1])), int(sys.argv[2]))
"""


def wait_for(what: Callable[[], bool], run: "subprocess.Popen[bytes]") -> None:
    """Wait for up to a minute until something is so, while a process runs."""
    deadline = time.monotonic() + 60
    while not what():
        assert run.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.05)
