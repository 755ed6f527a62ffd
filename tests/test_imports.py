"""Which files a film is made from is read in its imports."""

from pathlib import Path

import pytest

from rendering import imports
from rendering.failures import PROJECT
from rendering.film_index import FilmEntry, film_index
from rendering.imports import code_of, file_of


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in place of ours."""
    files = {
        "scenes/__init__.py": "from scenes.film import Film\nfrom scenes.other import Other\n",
        "scenes/film.py": "from scenes import nouns, theme\nfrom scenes.chapter import Chapter\n"
        "import scenes.verbs\nclass Film(Chapter): x = nouns, theme\n",
        "scenes/other.py": "from scenes.chapter import Chapter\nclass Other(Chapter): pass\n",
        "scenes/nouns/__init__.py": "from .letters import LETTER\nX = LETTER\n",
        "scenes/nouns/letters.py": "from ..sizes import SIZE\nLETTER = SIZE\n",
        "scenes/sizes.py": "SIZE = 1\n",
        "scenes/theme.py": "from model.text import Text\ndef f(x: Text) -> Text: return x\n",
        "scenes/verbs.py": "def f():\n    from scenes.late import LATE\n    return LATE\n",
        "scenes/late.py": "from model.text import WORDS\nLATE = WORDS\n",
        "scenes/chapter.py": "from scenes.study import Study\nclass Chapter(Study): pass\n",
        "scenes/study.py": "from model.trace import record\nclass Study: r = record\n",
        "model/trace.py": "record = 1\n",
        "model/text.py": "WORDS = 1\nText = str\n",
        "rendering/playing.py": "from rendering.failures import F\nfrom model.trace import record\n"
        "from rendering.canvas import C\nX = F, C, record\n",
        "rendering/failures.py": "F = 1\n",
        "rendering/canvas.py": "import manim\nC = 1\n",
        "rendering/captions.py": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(imports, "PROJECT", tmp_path)
    return tmp_path


def test_a_film_is_made_from_what_it_imports_and_what_that_imports(project: Path) -> None:
    code = code_of("scenes.film", project / "scenes/film.py")
    assert set(code) == {
        *("scenes/film.py", "scenes/chapter.py", "scenes/study.py"),
        *("scenes/theme.py", "scenes/verbs.py"),
        *("scenes/nouns/__init__.py", "scenes/nouns/letters.py", "scenes/sizes.py"),
        *("scenes/late.py", "model/text.py"),  # a noun that asks the model itself depends on it
        *("rendering/playing.py", "rendering/canvas.py"),
    }


def test_the_other_films_and_the_model_behind_a_study_are_no_ingredients(project: Path) -> None:
    code = code_of("scenes.other", project / "scenes/other.py")
    assert {name for name in code if not name.startswith("rendering")} == {
        "scenes/other.py",
        "scenes/chapter.py",
        "scenes/study.py",
    }


def test_a_file_that_changes_has_another_digest_and_the_others_keep_theirs(project: Path) -> None:
    before = code_of("scenes.film", project / "scenes/film.py")
    (project / "scenes/sizes.py").write_text("SIZE = 2\n")
    imports._digest.cache_clear()
    after = code_of("scenes.film", project / "scenes/film.py")
    assert {name for name in after if after[name] != before[name]} == {"scenes/sizes.py"}


def test_code_that_may_be_imported_already_is_recorded_as_it_was(project: Path) -> None:
    """What an edit made while films are drawn: they are drawn by the code of before."""
    before = code_of("scenes.film", project / "scenes/film.py")
    (project / "scenes/sizes.py").write_text("SIZE = 2\n")
    assert code_of("scenes.film", project / "scenes/film.py") == before


@pytest.mark.parametrize("card", film_index(), ids=lambda card: card.slug)
def test_no_film_of_ours_is_drawn_by_the_models_code(card: FilmEntry) -> None:
    """So a model that is written differently and computes the same costs no clip."""
    assert not [file for file in code_of(card.module, card.source) if file.startswith("model/")]


def test_nothing_outside_the_project_is_an_ingredient() -> None:
    assert file_of("manim", PROJECT) is None
    assert file_of("scenes.film", PROJECT) == PROJECT / "scenes/film.py"


def test_what_a_file_imports_is_found_once_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "some.py"
    file.write_text("import a\nfrom b import c, d\nfrom .e import f\nx = a, c, f\n")
    found = imports._imports(file)
    assert found == [("a", ""), ("b", "c"), (".e", "f")]
    monkeypatch.setattr(imports.ast, "parse", None)  # it is not asked again
    assert imports._imports(file) == found
