"""Weights are mapped from files that all processes share, in whatever precision they come."""

from pathlib import Path
from typing import Any

import pytest
import torch
from oracles import agree, written
from test_families import FAMILIES

from model.checkpoint import load
from model.files import cache_folder
from model.huggingface import weights


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where weights in float32 are kept, of models of any size."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(weights, "MAPPED_FROM", 0)
    return cache_folder() / "float32"


def half(seed: int = 0) -> Any:
    torch.manual_seed(seed)
    return FAMILIES["qwen3"].made(rms_norm_eps=1e-6 * (seed + 1)).to(torch.bfloat16)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("name", ["qwen2", "gpt_neox", "phi3"])
def test_a_model_s_weights_are_its_file_s_own_memory(tmp_path: Path, name: str) -> None:
    folder = written(FAMILIES[name].made(), tmp_path)
    model, maps = load(folder).model, Path("/proc/self/maps")
    if not maps.exists():
        pytest.skip("this system does not tell what is mapped")
    mapped = [line.split()[0] for line in maps.read_text().splitlines() if str(folder) in line]
    ranges = [range(*(int(end, 16) for end in each.split("-"))) for each in mapped]
    for path, matrix in model.named_parameters():
        assert any(matrix.data_ptr() in each for each in ranges), path


@pytest.mark.parametrize("name", ["qwen2", "gpt_neox", "phi3"])
def test_a_small_model_stays_as_it_was_read_when_its_file_is_written_in_place(
    tmp_path: Path, name: str
) -> None:
    oracle = FAMILIES[name].made()
    folder = written(oracle, tmp_path)
    read = load(folder)
    for file in folder.glob("*.safetensors"):
        with file.open("r+b") as opened:
            opened.write(bytes(file.stat().st_size))
    agree(read, oracle)


def test_half_precision_is_widened_once_for_all_processes(tmp_path: Path, kept: Path) -> None:
    oracle = half()
    folder = written(oracle, tmp_path / "there")
    agree(load(folder), oracle.float())
    (file,) = kept.iterdir()
    written_at = file.stat().st_ino
    agree(load(folder), oracle)
    assert file.stat().st_ino == written_at


def test_a_kept_file_that_is_damaged_is_passed_over(tmp_path: Path, kept: Path) -> None:
    oracle = half()
    folder = written(oracle, tmp_path / "there")
    load(folder)
    (file,) = kept.iterdir()
    file.write_bytes(file.read_bytes()[:-9])
    agree(load(folder), oracle.float())
    assert not file.exists()
    agree(load(folder), oracle)
    assert file.exists()


def test_a_cache_that_cannot_be_written_costs_only_memory(tmp_path: Path, kept: Path) -> None:
    oracle = half()
    kept.parent.parent.mkdir()
    kept.parent.write_text("no folder")
    agree(load(written(oracle, tmp_path / "there")), oracle.float())


def test_the_models_that_were_shown_last_are_kept(tmp_path: Path, kept: Path) -> None:
    for seed in range(4):
        load(written(half(seed), tmp_path / str(seed)))
    assert len(list(kept.iterdir())) == 2
