"""Decks for a browser: what is in them, and how they play in a real one."""

import errno
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from answers import Ask, refused
from browser import PATIENCE, Browser, Page
from PIL import Image
from played import SMALL
from small_decks import give_sound, small_jobs
from small_films import ShortFilm, SmallFilm

import rendering.film_index
from benchmarks.likeness import luma, ssim
from rendering import slides
from rendering.film_index import FilmEntry
from rendering.job import Job
from rendering.slides import Wanted, html
from rendering.slides.deck import Deck

SIZE = SMALL.width, SMALL.height
ALIKE = 0.97  # a frame in the browser and the film's own still
CLIPS = ["small-films-it-comes", "small-films-it-waits", "small-films-it-goes"]
CLIP = "Reveal.getCurrentSlide().querySelector('video')"
TINY = ("-q", "l", "--fps", "5", "-j", "1")


@pytest.fixture(scope="module")
def jobs(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Job]:
    return small_jobs(tiny_checkpoint, tmp_path_factory.mktemp("media"))


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with Browser(tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture
def talk(jobs: list[Job], tmp_path: Path) -> Path:
    """A deck's folder that has been moved, without captions over the pictures."""
    slides.write(jobs, Wanted("html", tmp_path / "written", captions=False))
    return (tmp_path / "written").rename(tmp_path / "moved to another place")


@pytest.fixture(params=["a folder", "one file"])
def page(request: pytest.FixtureRequest, talk: Path, jobs: list[Job], browser: Browser) -> Page:
    """The deck as it opens by double click."""
    if request.param == "one file":
        alone = talk.parent / "alone.html"
        slides.write(jobs, Wanted("html", alone, one_file=True, captions=False))
        shutil.rmtree(talk)
        return opened(browser, alone)
    return opened(browser, talk / "index.html")


def opened(browser: Browser, file: Path, size: tuple[int, int] = SIZE) -> Page:
    page = browser.page(file.as_uri(), *size)
    page.until("window.Reveal && Reveal.isReady()")
    return page


def go(page: Page, name: str) -> None:
    """Go to a slide, whose clip then plays."""
    page.run(f"location.hash = '/{name}'")
    page.until(f"Reveal.getCurrentSlide().id === '{name}'")
    page.until(f"!{CLIP} || {CLIP}.plays")


def likenesses(page: Page, *stills: Path) -> list[float]:
    """How much one screenshot is like each still."""
    shot = luma(page.screenshot())
    return [ssim(luma(np.asarray(Image.open(still).convert("RGB"))), shot) for still in stills]


def likeness(page: Page, still: Path) -> float:
    return likenesses(page, still)[0]


def wait_until_alike(page: Page, still: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while likeness(page, still) < ALIKE and time.monotonic() < deadline:
        time.sleep(0.1)


def stills(job: Job, name: str) -> tuple[Path, Path]:
    """A beat's first and last frame."""
    files = job.beat_files(name)
    return job.place / files["first"], job.place / files["poster"]


def test_every_clip_plays_holds_its_last_frame_and_starts_again(
    page: Page, jobs: list[Job]
) -> None:
    for slide in CLIPS:
        first, last = stills(jobs[0], slide.removeprefix("small-films-"))
        go(page, slide)
        page.run(f"{CLIP}.currentTime = {CLIP}.duration - 1.2")  # faster, frames are dropped
        page.until(f"{CLIP}.ended")
        wait_until_alike(page, last)  # a busy machine may be late to paint it
        time.sleep(0.3)
        assert likeness(page, last) >= ALIKE
        page.run(f"{CLIP}.plays = 0")
        page.press("ArrowLeft", 37)
        page.until(f"Reveal.getCurrentSlide().id !== '{slide}'")
        page.press("ArrowRight", 39)
        begun, ended = likenesses(page, first, last)  # on a busy machine it may have played on
        assert begun >= min(ended, ALIKE), f"{slide} shows its last frame for a moment"
        page.until(f"Reveal.getCurrentSlide().id === '{slide}' && {CLIP}.plays")
    assert page.complaints == []


def test_a_clip_that_is_wound_to_its_last_picture_holds_it(page: Page, jobs: list[Job]) -> None:
    go(page, CLIPS[1])
    page.run(f"{CLIP}.pause(), {CLIP}.currentTime = {CLIP}.duration - 0.5")
    page.until(f"!{CLIP}.seeking")
    assert not page.run(f"{CLIP}.ended")
    assert likeness(page, stills(jobs[0], "it-waits")[1]) >= ALIKE


def test_what_a_clip_showed_last_is_covered_until_it_is_wound_back(page: Page) -> None:
    go(page, CLIPS[1])
    page.run(f"{CLIP}.pause(), {CLIP}.currentTime = {CLIP}.duration")
    page.until(f"{CLIP}.ended")
    page.run(
        "document.addEventListener('slidechanged', "
        f"() => {{ window.covered = {CLIP}.style.background.includes({CLIP}.poster); }})"
    )
    page.run("Reveal.prev(), Reveal.next()")
    assert page.run("window.covered")
    page.until(f"!{CLIP}.style.background && {CLIP}.currentTime < 9")


def test_a_beat_marked_so_is_played_again_and_again(page: Page) -> None:
    go(page, "short-film-it-says-so")
    page.run(f"{CLIP}.playbackRate = 8")
    page.run(f"window.seeks = 0, {CLIP}.onseeked = () => {{ window.seeks += 1; }}")
    page.until("window.seeks > 1")  # at the end it is wound back
    assert not page.run(f"{CLIP}.ended || {CLIP}.paused")


def test_a_page_that_is_loaded_again_at_once_opens_on_the_same_slide(page: Page) -> None:
    go(page, CLIPS[1])
    page.run("Reveal.next(), window.isOld = true, setTimeout(() => location.reload())")
    page.until("!window.isOld && window.Reveal && Reveal.isReady()")
    assert page.run("Reveal.getCurrentSlide().id") == CLIPS[2]


@pytest.mark.parametrize("size", [(640, 480), (480, 640), (1280, 720)])
def test_no_screen_crops_a_clip(talk: Path, browser: Browser, size: tuple[int, int]) -> None:
    page = opened(browser, talk / "index.html", size)
    go(page, CLIPS[0])
    box = json.loads(page.run(f"JSON.stringify({CLIP}.getBoundingClientRect())"))
    scale = min(size[0] / SIZE[0], size[1] / SIZE[1])
    assert (box["width"], box["height"]) == (
        pytest.approx(SIZE[0] * scale, abs=1.5),
        pytest.approx(SIZE[1] * scale, abs=1.5),
    )
    assert box["x"] == pytest.approx((size[0] - box["width"]) / 2, abs=1)
    assert box["y"] == pytest.approx((size[1] - box["height"]) / 2, abs=1)


def test_captions_show_and_a_key_hides_them(
    jobs: list[Job], tmp_path: Path, browser: Browser
) -> None:
    slides.write(jobs, Wanted("html", tmp_path / "talk"))
    page = opened(browser, tmp_path / "talk/index.html")
    go(page, CLIPS[1])
    page.until(f"{CLIP}.textTracks[0].activeCues?.length")
    assert page.run(f"{CLIP}.textTracks[0].activeCues[0].text").startswith("It waits a while")
    page.press("c", 67)
    assert page.run(f"{CLIP}.textTracks[0].mode") == "disabled"
    page.press("c", 67)
    assert page.run(f"{CLIP}.textTracks[0].mode") == "showing"
    assert page.complaints == []


def test_the_speaker_sees_the_clip_and_what_is_said(page: Page, browser: Browser) -> None:
    go(page, CLIPS[0])
    page.press("s", 83)
    page.until("true")
    (speaker,) = browser.popups(page)
    speaker.until("document.querySelector('.speaker-controls-notes .value')?.innerText.trim()")
    said = speaker.run("document.querySelector('.speaker-controls-notes .value').innerText")
    assert said.strip() == "It comes & <is> there, as you can see."
    assert speaker.complaints == []


def test_the_speaker_sees_the_poster_where_a_clip_is_not_played(
    talk: Path, jobs: list[Job], browser: Browser
) -> None:
    for file in talk.glob("clips/*/*.mp4"):
        give_sound(file)
    index = talk / "index.html"
    index.write_text(index.read_text().replace(" muted", ""))
    page = browser.page(f"{index.as_uri()}?receiver#/{CLIPS[0]}", *SIZE)
    page.until(f"window.Reveal && Reveal.isReady() && {CLIP}?.readyState > 1")
    assert page.run(f"{CLIP}.paused")
    assert likeness(page, stills(jobs[0], "it-comes")[0]) >= ALIKE


def test_sound_begins_with_the_first_key_and_a_button_says_so(
    jobs: list[Job], tmp_path: Path, browser: Browser
) -> None:
    loud = replace(jobs[0], media=tmp_path / "media")
    shutil.copytree(jobs[0].media, loud.media)
    give_sound(loud.place / loud.beat_files("it-waits")["file"])
    slides.write([loud], Wanted("html", tmp_path / "talk"))
    address = (tmp_path / "talk/index.html").as_uri()
    page = browser.page(f"{address}#/{CLIPS[1]}", *SIZE)
    page.until(f"window.Reveal && Reveal.isReady() && {CLIP}?.currentTime")
    assert page.run(f"{CLIP}.muted")
    assert page.run("document.querySelector('.r-media-play-button').textContent") == "Unmute video"
    page.press("x", 88)
    page.until(f"!{CLIP}.muted && !{CLIP}.paused")
    assert not page.run("document.querySelector('.r-media-play-button')")
    go(page, CLIPS[0])
    assert page.run(f"{CLIP}.muted")  # there is nothing to hear


def test_the_slides_can_be_put_into_a_deck_that_one_has(
    jobs: list[Job], tmp_path: Path, browser: Browser
) -> None:
    mine = tmp_path / "mine"
    slides.write(jobs, Wanted("html", mine))  # for its reveal.js
    (mine / "index.html").write_text("mine")
    shutil.rmtree(mine / "clips")
    shown = slides.write(jobs, Wanted("html", mine, embed=True))
    assert (mine / "index.html").read_text() == "mine"
    (mine / "index.html").write_text(
        '<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="reveal/reveal.css">'
        '<div class="reveal"><div class="slides"><section>Mine</section>' + shown + "</div></div>"
        '<script src="reveal/reveal.js"></script><script>Reveal.initialize({hash: true})</script>'
    )
    page = opened(browser, mine / "index.html", (960, 700))
    go(page, CLIPS[0])
    box = f"{CLIP}.getBoundingClientRect()"
    page.until(f"{box}.left >= 0 && {box}.right <= 960 && {box}.top >= 0 && {box}.bottom <= 700")
    page.run(f"{CLIP}.plays = 0, Reveal.next()")
    page.until(f"{CLIP}.plays")
    page.run("Reveal.prev()")
    page.until(f"{CLIP}.plays")
    assert page.complaints == []


def test_a_deck_needs_no_network_and_brings_its_licence(talk: Path, jobs: list[Job]) -> None:
    page = (talk / "index.html").read_text()
    named = re.findall(r'(?:src|href|poster)="([^"]*)"', page)
    assert named
    for name in named:
        assert name.startswith("data:") or (talk / name).is_file()
    assert "Permission is hereby granted" in (talk / "reveal/LICENSE").read_text()
    alone = html.one_file(Deck.of(jobs)).decode()
    assert "Permission is hereby granted" in alone
    assert not re.search(r'<(?:link|script src|video[^>]* (?:data-src|poster)="(?!data:))', alone)


def test_a_deck_has_a_title_a_film_and_a_slide_a_beat_with_what_is_said(jobs: list[Job]) -> None:
    deck = Deck.of(jobs)
    assert [slide.name for slide in deck.slides] == [
        "small-films", *CLIPS, "short-film", "short-film-it-says-so"
    ]  # fmt: skip
    assert deck.slides[1].notes == ("It comes & <is> there, as you can see.",)
    assert "It comes &amp; &lt;is&gt; there" in html.snippet(deck)
    assert [slide.clip.loop for slide in deck.slides if slide.clip] == [False] * 3 + [True]
    whole = Deck.of(jobs, whole=True)
    assert [slide.name for slide in whole.slides] == [
        "small-films", "small-films-film", "short-film", "short-film-film"
    ]  # fmt: skip
    assert [slide.clip.file.name for slide in whole.slides if slide.clip] == ["film.mp4"] * 2


@pytest.fixture
def small_films(monkeypatch: pytest.MonkeyPatch) -> None:
    both = FilmEntry.of(SmallFilm), FilmEntry.of(ShortFilm)
    monkeypatch.setattr(rendering.film_index, "film_index", lambda: both)


@pytest.mark.parametrize("kind", ["html", "manim-slides"])
def test_clips_that_a_deck_no_longer_shows_are_removed(
    jobs: list[Job], tmp_path: Path, kind: slides.Kind
) -> None:
    talk, first = Wanted(kind, tmp_path / "talk"), tmp_path / "first"
    slides.write(jobs[:1], replace(talk, out=first))
    slides.write(jobs[:1], replace(talk, whole=True))
    (tmp_path / "talk/mine.txt").write_text("mine")
    slides.write(jobs[:1], talk)
    found = {
        path.relative_to(tmp_path / "talk")
        for path in (tmp_path / "talk").rglob("*")
        if path.is_file()
    }
    assert found - {Path("mine.txt")} == {
        path.relative_to(first) for path in first.rglob("*") if path.is_file()
    }


@pytest.mark.usefixtures("small_films")
def test_a_deck_makes_the_clips_that_are_missing_and_reuses_the_others(ask: Ask) -> None:
    asked = "deck", "short-film", *TINY, "-o", "talk"
    status, out, err = ask(*asked)
    assert (status, out) == (0, "talk/index.html\n")
    assert "it-says-so drawn, 1 of 1" in err
    status, out, err = ask(*asked)
    assert (status, out, err) == (0, "talk/index.html\n", "short-film: fresh, nothing to do\n")
    assert sorted(path.name for path in Path("talk").iterdir()) == ["clips", "index.html", "reveal"]
    status, out, _ = ask("deck", "short-film", *TINY, "--embed")
    found = re.search(r'data-src="([^"]*)"', out)
    assert found
    assert Path(found[1]).is_file()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], ["no place", "-o"]),
        (["-o", "file"], ["file is a file", "-o"]),
        (["-o", "file/talk"], ["file/talk cannot be written"]),
        (["-o", "talk.html"], ["--one-file"]),
        (["-o", "talk", "--one-file"], ["talk.html"]),
        (["-o", "mine"], ["mine/index.html", "no deck made here"]),
        (["-o", "talk", "--format", "gif"], ["cannot play gif", "mp4 or webm"]),
        (["-o", "talk", "--to", "powerpoint"], ["powerpoint"]),
        (["-o", "talk", "--one-file", "--embed"], ["--one-file and --embed"]),
        (["-o", ""], ["path is empty"]),
    ],
)
@pytest.mark.usefixtures("small_films")
def test_a_deck_that_cannot_be_is_refused_in_a_sentence(
    ask: Ask, arguments: list[str], words: list[str]
) -> None:
    Path("file").write_text("mine")
    Path("mine").mkdir()
    Path("mine/index.html").write_text("mine")
    refused(ask("deck", "short-film", *TINY, *arguments), *words)
    assert sorted(path.name for path in Path().iterdir()) == ["file", "mine"]
    assert Path("mine/index.html").read_text() == "mine"


def test_a_prompt_that_suits_no_film_makes_no_deck(tmp_path: Path) -> None:
    with pytest.raises(slides.Unusable, match="None of these films suits the prompt"):
        slides.write([], Wanted("html", tmp_path / "talk"))
    assert not [*tmp_path.iterdir()]


def test_a_full_disk_leaves_no_half_of_a_deck(
    jobs: list[Job], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for wanted in (
        Wanted("html", tmp_path / "new" / "talk"),
        Wanted("html", tmp_path / "talk.html", one_file=True),
    ):
        with pytest.raises(slides.Unusable, match="cannot be written"):
            slides.write(jobs, wanted)
    assert not [*tmp_path.iterdir()]
