"""A new film renders from the first minute, and nothing that is there is written over."""

import importlib.util
import re
import sys
from pathlib import Path

import pytest

from checking.check import check_film
from model.errors import Unusable
from rendering.failures import PROJECT
from rendering.new_film import ACTS, new_film
from scenes.film import Film, Request

SLUG = "what-it-finds"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project of which only the films' index and the map of the course are there."""
    for folder in ("scenes/attention", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    for file in ("scenes/__init__.py", "scenes/course_map.py"):
        (tmp_path / file).write_text((PROJECT / file).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "scenes/attention/__init__.py").write_text('"""An act."""\n', encoding="utf-8")
    return tmp_path


def test_a_new_film_is_clean_as_it_is(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = new_film(SLUG, "attention", root)[0]
    spec = importlib.util.spec_from_file_location("what_it_finds", source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "what_it_finds", module)
    spec.loader.exec_module(module)
    film: type[Film] = module.WhatItFinds
    assert check_film(film, Request()).findings == ()
    alone = check_film(film, Request(prompt="hello"))
    assert {finding.kind for finding in alone.findings} <= {"sparse", "freeze"}
    assert alone.numbers


def test_it_is_entered_as_the_last_film_and_its_import_where_it_belongs(root: Path) -> None:
    new_film("before-all-others", "task", root)
    index = (root / "scenes/__init__.py").read_text(encoding="utf-8")
    assert index.rstrip().endswith("    BeforeAllOthers,\n)")
    imports = [line for line in index.splitlines() if line.startswith("from ")]
    assert imports == sorted(imports)
    assert "from scenes.task.before_all_others import BeforeAllOthers" in imports


def test_the_map_of_the_course_leads_to_it_after_all_others(root: Path) -> None:
    new_film("one-more", "task", root)
    road = (root / "scenes/course_map.py").read_text(encoding="utf-8")
    assert re.findall(r"def (\w+)\(self\) -> Shown:", road)[-2:] == ["one_more", "close"]


def test_a_new_act_is_called_by_its_name(root: Path) -> None:
    new_film(SLUG, "training", root)
    assert ACTS["training"] in (root / "scenes/training/__init__.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("slug", ["What", "a b", "../x", "", "é", "1-film", "x--y", "class"])
def test_a_name_that_is_none_is_refused(root: Path, slug: str) -> None:
    with pytest.raises(Unusable, match="no name for a film"):
        new_film(slug, "attention", root)


def test_a_film_that_is_there_is_not_written_over(root: Path) -> None:
    (film, *_) = new_film(SLUG, "attention", root)
    before = film.read_bytes()
    for act in ("attention", "task"):
        with pytest.raises(Unusable, match="is there already"):
            new_film(SLUG, act, root)
    assert film.read_bytes() == before
