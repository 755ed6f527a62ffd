"""Numbers are the same if a film could not show the difference."""

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from rendering.numbers import NEAR_ZERO, PRECISION, KeptNumbers, agree, digest_of


def test_numbers_agree_up_to_the_stated_precision() -> None:
    numbers = np.array([1e-3, 0.5, -20.0, -np.inf], dtype=np.float32)
    assert agree(numbers, numbers * np.float32(1 + PRECISION / 2))
    assert not agree(numbers, numbers * np.float32(1 + PRECISION * 10))
    assert agree(numbers, numbers + np.float32(NEAR_ZERO / 2))
    assert not agree(np.array([0.0, 0.5]), np.array([NEAR_ZERO * 3, 0.5]))


@pytest.mark.parametrize("other", [[40000.0, 1.0], [40001.0, 2.0]])
def test_places_and_ids_agree_only_if_they_are_equal(other: list[float]) -> None:
    ids = np.array([40000.0, 2.0], dtype=np.float32)
    assert agree(ids, ids.copy())
    assert not agree(ids, np.array(other, dtype=np.float32))


def test_other_shapes_and_what_is_not_kept_do_not_agree() -> None:
    assert not agree(np.zeros(3), np.zeros((1, 3)))
    assert not agree(None, np.zeros(3))
    assert not agree(None, None)


def test_what_is_equal_has_the_same_digest_and_nothing_else_has() -> None:
    @dataclass(frozen=True)
    class Record:
        name: str
        numbers: tuple[int, ...]

    data = [
        np.zeros(3), np.zeros(3, np.float32), np.zeros((3, 1)), 0.0, 0, 1, True, None, "0", b"0",
        (0,), (0, 0), Record("a", (1, 2)), Record("a", (1, 3)), {1: "a"}, {1: "b"},
    ]  # fmt: skip
    digests = [digest_of(each) for each in data]
    assert len(set(digests)) == len(data)
    assert digests == [digest_of(each) for each in data]


def keep(media: Path, *arrays: np.ndarray) -> KeptNumbers:
    """Arrays as a run keeps them."""
    kept = KeptNumbers(media)
    kept.keep({str(number): each for number, each in enumerate(arrays)})
    return kept


def test_numbers_are_kept_by_name_and_compared_when_they_differ(tmp_path: Path) -> None:
    one, near, far = np.array([0.5]), np.array([0.50001]), np.array([0.6])
    numbers = keep(tmp_path, one, near, far)
    assert numbers.keep({"pattern": one, "z": "text"}) == {
        "pattern": digest_of(one),
        "z": digest_of("text"),
    }
    assert numbers.same(digest_of(one), digest_of(near))
    assert not numbers.same(digest_of(one), digest_of(far))


def test_a_kept_array_that_was_altered_counts_for_nothing(tmp_path: Path) -> None:
    one, near = np.array([0.5]), np.array([0.50001])
    numbers = keep(tmp_path, one, near)
    np.save(tmp_path / ".numbers" / f"{digest_of(near)}.npy", one)
    assert not numbers.same(digest_of(one), digest_of(near))


@pytest.mark.parametrize("harm", ["[", "3", ""])
def test_what_is_read_under_a_key_is_read_once_unless_its_record_is_harmed(
    tmp_path: Path, harm: str
) -> None:
    numbers, one = KeptNumbers(tmp_path), np.array([0.5])
    found = {"pattern": digest_of(one)}
    assert numbers.digests("key", lambda: {"pattern": one}) == found
    assert numbers.digests("key", dict) == found
    (tmp_path / ".numbers" / "key.json").write_text(harm)
    assert numbers.digests("key", dict) == {}


def test_the_oldest_go_when_there_is_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arrays = [np.full(1000, 0.5 + number) for number in range(3)]
    numbers = keep(tmp_path, *arrays)
    paths = [tmp_path / ".numbers" / f"{digest_of(each)}.npy" for each in arrays]
    for age, path in enumerate(paths):
        os.utime(path, (1000 - age, 1000 - age))
    being_written = tmp_path / ".numbers" / ".other.npy.1.part"
    being_written.write_bytes(bytes(20_000))
    monkeypatch.setattr("rendering.numbers.ROOM", 20_000)
    numbers.trim()
    assert [path.exists() for path in paths] == [True, True, False]
    assert being_written.exists()
