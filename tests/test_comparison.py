"""Two models side by side: each half is the film of one of them, and nobody waits in vain."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest
from answers import Ask, refused
from small_films import SmallFilm

from model import checkpoint
from rendering import clips, session
from rendering.comparison import half
from rendering.film_index import FilmEntry
from rendering.pictures import Picture

WHOLE = Picture(width=256, height=144, fps=5)


def compare(media: Path, *checkpoints: Path, **chosen: Any) -> Path:
    given = {"prompt": None, "media": media, **chosen}
    return session.compare("small-films", checkpoints, WHOLE, given, session.hire(1))


@pytest.fixture(autouse=True)
def _small_film(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rendering.film_index.film_index", lambda: (FilmEntry.of(SmallFilm),))


def test_both_films_stand_beside_each_other_as_they_are(
    tiny_checkpoint: Path, other_checkpoint: Path, tmp_path: Path
) -> None:
    film = compare(tmp_path, tiny_checkpoint, other_checkpoint)
    assert film.parent.name == "compare-tiny-and-other_144p5"
    manifest = json.loads((film.parent / "manifest.json").read_text())
    digests = [checkpoint.load(each).digest for each in (tiny_checkpoint, other_checkpoint)]
    assert [each["checkpoint"] for each in manifest["checkpoints"]] == digests
    assert float(clips.duration(film)) == pytest.approx(manifest["duration"])
    side = half(WHOLE).width
    halves = sorted(tmp_path.glob("films/small-films/checkpoint-*/film.mp4"))
    assert len(halves) == 2
    together, (other, one) = shown_last(film), map(shown_last, halves)
    for left, alone in ((0, one), (side, other)):
        here = together[WHOLE.height - side :, left : left + side]
        assert np.abs(here.astype(int) - alone).mean() < 3


def shown_last(film: Path) -> Any:
    with av.open(film) as clip:
        *_, last = clip.decode(video=0)
    return last.to_ndarray(format="rgb24")


def test_what_stands_there_is_not_made_again_unless_a_half_is_another(
    tiny_checkpoint: Path, other_checkpoint: Path, tmp_path: Path
) -> None:
    film = compare(tmp_path, tiny_checkpoint, other_checkpoint)
    made = film.stat().st_mtime_ns
    assert compare(tmp_path, tiny_checkpoint, other_checkpoint).stat().st_mtime_ns == made
    (film.parent / "poster.png").unlink()
    compare(tmp_path, tiny_checkpoint, other_checkpoint)
    assert (film.parent / "poster.png").exists()


def test_the_half_that_is_done_waits_for_the_other(
    tiny_checkpoint: Path, other_checkpoint: Path, tmp_path: Path
) -> None:
    film = compare(tmp_path, tiny_checkpoint, other_checkpoint)
    manifest = json.loads((film.parent / "manifest.json").read_text())
    for beat in manifest["beats"]:
        drawn = tmp_path.glob(f"films/small-films/checkpoint-*/beats/*{beat['name']}.mp4")
        longest = max(map(clips.duration, drawn))
        assert beat["duration"] == pytest.approx(float(longest))


def test_halves_are_squares_of_even_sides() -> None:
    for width in (854, 1280, 1920, 2560, 3840):
        found = half(replace(WHOLE, width=width))
        assert found.width == found.height <= width / 2
        assert found.width % 2 == 0


def test_anything_but_two_models_is_refused(ask: Ask, tiny_checkpoint: Path) -> None:
    for given in ([tiny_checkpoint], [tiny_checkpoint] * 3):
        options = [word for each in given for word in ("--checkpoint", each)]
        refused(ask("compare", "small-films", *options), "give --checkpoint twice")
    same = ["--checkpoint", tiny_checkpoint, "--checkpoint", tiny_checkpoint]
    refused(ask("compare", "small-films", *same), "are the same")
    gone = ["--checkpoint", tiny_checkpoint, "--checkpoint", "nowhere"]
    refused(ask("compare", "small-films", *gone), "no checkpoint folder nowhere")
