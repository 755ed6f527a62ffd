"""Decks for manim-slides: it reads them, and converts them with every clip."""

import base64
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import av
import numpy as np
import pytest
from small_decks import small_jobs

from rendering import clips, slides
from rendering.job import Job
from rendering.slides import Wanted
from rendering.slides.manim_slides import backwards

MANIM_SLIDES = Path(sys.executable).with_name("manim-slides")


@pytest.fixture(scope="module")
def jobs(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Job]:
    return small_jobs(tiny_checkpoint, tmp_path_factory.mktemp("media"))


def test_manim_slides_converts_it_with_every_clip(jobs: list[Job], tmp_path: Path) -> None:
    slides.write(jobs, Wanted("manim-slides", tmp_path / "written"))
    talk = (tmp_path / "written").rename(tmp_path / "moved")
    convert = [MANIM_SLIDES, "convert", "--one-file", "small-films", "short-film"]
    subprocess.run([*convert, "talk.html"], cwd=talk, check=True, capture_output=True,
                   env=os.environ | {"PYTHONWARNINGS": "ignore"})  # fmt: skip
    page = (talk / "talk.html").read_text()
    inside = {
        base64.b64decode(each) for each in re.findall(r"data:video/mp4;base64,([^'\"]+)", page)
    }
    beats = [job.place / job.beat_files(name)["file"] for job in jobs for name in job.names]
    assert len(beats) == 4
    assert {beat.read_bytes() for beat in beats} <= inside


def test_its_file_names_clips_by_relative_paths_with_notes_and_loops(
    jobs: list[Job], tmp_path: Path
) -> None:
    slides.write(jobs, Wanted("manim-slides", tmp_path))
    small, short = (
        json.loads((tmp_path / f"slides/{job.entry.slug}.json").read_text())["slides"]
        for job in jobs
    )
    assert [slide["loop"] for slide in small + short] == [False, False, False, True]
    assert small[0]["notes"] == "It comes & <is> there, as you can see."
    for slide in small + short:
        assert (tmp_path / slide["file"]).is_file()
        assert (tmp_path / slide["rev_file"]).is_file()


def test_backwards_a_clip_shows_its_frames_from_the_end_for_as_long(jobs: list[Job]) -> None:
    clip = jobs[0].place / jobs[0].beat_files("it-comes")["file"]
    shown, again = frames(clip), frames(io.BytesIO(backwards(clip)))
    whole = float(clips.duration(clip))
    assert [begins for begins, _ in again] == [
        pytest.approx(whole - end) for end, _ in reversed([*shown[1:], (whole, None)])
    ]
    for (_, one), (_, other) in zip(shown, reversed(again), strict=True):
        assert np.abs(one.astype(int) - other).mean() < 3


def frames(file: object) -> list[tuple[float, np.ndarray]]:
    with av.open(file) as clip:
        return [(frame.time, frame.to_ndarray(format="rgb24")) for frame in clip.decode(video=0)]
