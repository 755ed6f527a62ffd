"""What a film reads is written down as it reads it, and what it does not read is not."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from played import SMALL
from small_films import SmallFilm

from model.tokenizer import Tokenizer
from rendering import playing
from scenes.diary import Diary
from scenes.film import Request, Said


@dataclass(frozen=True)
class Inner:
    depth: int = 3


@dataclass(frozen=True)
class Holder:
    weights: Mapping[str, int]


@dataclass(frozen=True)
class Outer:
    name: str = "outer"
    inner: Inner = Inner()

    def shout(self) -> str:
        return self.name.upper()


def test_a_field_is_noted_when_it_is_read_and_not_before() -> None:
    diary = Diary()
    seen = diary.watch(Outer())
    assert not diary.reads
    assert seen.inner.depth == 3
    assert diary.reads == {"inner.depth": 3}
    assert seen.shout() == "OUTER"
    assert diary.reads == {"inner.depth": 3, "name": "outer"}


def test_a_watched_record_is_still_what_it_was() -> None:
    seen = Diary().watch(Outer())
    assert isinstance(seen, Outer)
    assert replace(seen, name="other").name == "other"


def test_an_entry_is_noted_when_it_is_read_and_its_name_alone_is_no_reading() -> None:
    diary = Diary()
    named = diary.watch_all({"q": np.zeros(2), "k": np.ones(2)})
    assert set(named) == {"q", "k"}
    assert not diary.reads
    assert named["k"].sum() == 2
    assert list(diary.reads) == ["k"]


def test_a_chapter_notes_its_tokens_its_head_and_the_tensors_it_asks_for(
    tiny_checkpoint: Path,
) -> None:
    chapter = playing.read(SmallFilm, Request(checkpoint=tiny_checkpoint))
    assert {"pieces", "head.layer", "head.head"} <= set(chapter.diary.reads)
    assert "pattern" not in chapter.diary.reads
    pattern = chapter.tensor("pattern")
    assert "pattern" not in chapter.diary.reads
    assert pattern.array.ndim == 4
    assert chapter.trace.weights.W_Q.ndim == 4
    assert {"pattern", "weights.W_Q"} <= set(chapter.diary.reads)
    assert "weights.W_K" not in chapter.diary.reads


def test_reading_many_pieces_writes_out_the_tokenizer_once_at_most(
    tiny_checkpoint: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film = playing.read(SmallFilm, Request(checkpoint=tiny_checkpoint))
    written, to_json = [], Tokenizer.to_json
    monkeypatch.setattr(Tokenizer, "to_json", lambda self: written.append(1) or to_json(self))
    assert len(film.vocabulary(range(300))) == 300
    assert len(written) <= 1  # SmolLM2's takes 30 ms


@pytest.mark.parametrize("last", ["it-comes", "it-waits"])
def test_nobody_plays_on_when_nobody_looks_any_more(
    tiny_checkpoint: Path, tmp_path: Path, last: str
) -> None:
    said: list[Said] = []
    request = Request(checkpoint=tiny_checkpoint, until=last)
    playing.draw(SmallFilm, request, SMALL, {last: tmp_path / "clip.mp4"}, said.append)
    assert [each.name for each in said] == [last]


def test_a_film_that_reads_a_layer_notes_this_layer_alone(tiny_checkpoint: Path) -> None:
    chapter = playing.read(SmallFilm, Request(checkpoint=tiny_checkpoint))
    pattern = chapter.tensor("pattern")
    row = pattern[1, 0, -1]
    assert not [name for name in chapter.diary.reads if "pattern" in name]
    assert pattern.shape[:2] == (2, 3)
    assert [value.number for value in row.values] == row.array.tolist()
    noted = {name: data for name, data in chapter.diary.reads.items() if "pattern" in name}
    assert set(noted) == {"shape of pattern", "shape of pattern[1]", "pattern[1]"}
    assert np.array_equal(noted["pattern[1]"], chapter.trace.pattern[1])


def test_a_mapping_in_a_field_is_noted_entry_by_entry() -> None:
    diary = Diary()
    seen = diary.watch(Holder({"W_Q": 1, "W_K": 2}))
    assert seen.weights["W_K"] == 2
    assert diary.reads == {"weights.W_K": 2}
