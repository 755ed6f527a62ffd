"""What is built from this project, a wheel and an sdist, works wherever it is put."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
BUILD = "import sys; from setuptools import build_meta; build_meta.build_{}(sys.argv[1])"
LEFT_OUT = shutil.ignore_patterns(
    ".*", "media", "build", "*.egg-info", "__pycache__", "checkpoints"
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a wheel and an sdist."""
    source, out = tmp_path_factory.mktemp("source") / "project", tmp_path_factory.mktemp("built")
    shutil.copytree(PROJECT, source, ignore=LEFT_OUT)
    for kind in ("sdist", "wheel"):
        run([sys.executable, "-c", BUILD.format(kind), out], source)
    return out


@pytest.fixture(scope="module")
def site(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the wheel has been unpacked, under a .venv, among a package of others."""
    packages = tmp_path_factory.mktemp("user") / ".venv/lib/site-packages"
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        content.extractall(packages)  # noqa: S202 - it is our own
    (packages / "of_others.py").write_text("X = 1\n")
    return packages


def run(command: list[str | Path], cwd: Path, **environment: str) -> str:
    ended = subprocess.run(command, cwd=cwd, env=os.environ | environment, check=False,
                           capture_output=True, text=True)  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def films(site: Path, cwd: Path, *arguments: str) -> str:
    """What a command of the wheel's answers, as the console script calls it."""
    script = "import sys; from render import main; sys.exit(main(sys.argv[1:]))"
    return run([sys.executable, "-P", "-c", script, *arguments], cwd, PYTHONPATH=str(site))


def test_the_wheel_holds_the_model_and_renders_in_any_folder(site: Path, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("raise SystemExit('mine')\n")  # it must not be in the way
    where = run([sys.executable, "-P", "-c", "import rendering; print(rendering.__file__)"],
                tmp_path, PYTHONPATH=str(site))  # fmt: skip
    assert Path(where.strip()).is_relative_to(site)
    out = films(site, tmp_path, "render", "no-peeking", "-s", "-q", "l", "-j", "1")
    assert (tmp_path / out.strip()).is_file()
    manifest = json.loads((tmp_path / out.strip()).with_name("manifest.json").read_text())
    assert manifest["film"] == "no-peeking"
    entry = next((tmp_path / "media/films/no-peeking").glob("*/beats/*.json"))
    code = json.loads(entry.read_text())["ingredients"]["code"]
    assert "scenes/theme.py" in code
    assert all(name.partition("/")[0] in {"scenes", "rendering", "model"} for name in code)


def test_a_module_of_ones_own_in_the_place_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("weights = 3\n")
    asked = "import model; from rendering import render_film"
    for command in (asked, asked.partition("; ")[2]):
        ended = subprocess.run([sys.executable, "-c", command], cwd=tmp_path, check=False,
                               env=os.environ | {"PYTHONPATH": str(PROJECT)},
                               capture_output=True, text=True)  # fmt: skip
        (said,) = ended.stderr.splitlines()[-1:]
        assert said.startswith("ImportError: ")
        assert f"{tmp_path / 'model.py'} stands in the place of" in said


def test_the_wheel_makes_decks_and_films_of_ones_own(site: Path, tmp_path: Path) -> None:
    films(site, tmp_path, "new", "my_film.py")
    asked = "-q", "l", "--fps", "2", "-j", "1", "--voice", "none"
    assert films(site, tmp_path, "deck", "my_film.py", *asked, "-o", "talk") == "talk/index.html\n"
    assert (tmp_path / "talk/reveal/reveal.js").is_file()


def test_the_sdist_holds_what_is_needed_to_build_and_test_it(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as content:
        names = {name.partition("/")[2] for name in content.getnames()}
    wanted = {
        *("Makefile", "setup.sh", "constraints.txt", "pyproject.toml", "manim.cfg", "README.md"),
        *("assets/gpt/model.safetensors", "tests/conftest.py", "tests/ordinary_blind.txt"),
        *("benchmarks/census.py", "docs/slides.md", "rendering/slides/reveal/reveal.js"),
    }
    assert wanted <= names
