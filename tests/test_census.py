"""The house does not grow out of hand: how large it may be, and how its films are built."""

from pathlib import Path

import pytest

from benchmarks.census import FINDINGS, Census, FilmFile

ROOT = Path(__file__).parents[1]
CENSUS = Census()
LINES_OF_A_FILM, LINES_OF_A_SCRIPT = 500, 300  # on the way to 400 and 160
LINES_OF_A_NOUN = 400  # or of a figure
NOUNS = 22
FINDINGS_OF_ONE_FILM = 10  # they have homes by subject, whoever uses them
LINES_OF_SCENES, FILES_OF_SCENES = 32_400, 120
LINES_OF_RENDERING_AND_CHECKING = 6423  # on the way to 3,800; without slides and voice
LINES_OF_SLIDES, LINES_OF_VOICE = 580, 700

each_film = pytest.mark.parametrize("film", CENSUS.films, ids=lambda film: film.module)


@each_film
def test_a_film_is_one_file_that_is_soon_read(film: FilmFile) -> None:
    assert film.lines <= LINES_OF_A_FILM
    assert film.script <= LINES_OF_A_SCRIPT


@each_film
def test_a_film_knows_no_other_film(film: FilmFile) -> None:
    others = {other.module for other in CENSUS.films} - {film.module}
    assert not others & CENSUS.imports[film.module]


def test_no_modules_import_one_another_in_a_circle() -> None:
    assert CENSUS.circles == []


def test_a_noun_serves_two_films_and_a_figure_one() -> None:
    assert CENSUS.misplaced == []
    assert len(CENSUS.found_once) <= FINDINGS_OF_ONE_FILM


def test_nouns_are_few_and_neither_they_nor_figures_are_endless() -> None:
    drawn = {
        name: len(CENSUS.modules[name].read_text(encoding="utf-8").splitlines())
        for name in CENSUS.users
        if not name.startswith(FINDINGS)
    }
    assert {name: lines for name, lines in drawn.items() if lines > LINES_OF_A_NOUN} == {}
    assert len([name for name in drawn if ".mobjects." in name]) <= NOUNS


def test_films_and_all_that_they_show_stay_within_bounds() -> None:
    lines, files = CENSUS.lines_and_files("scenes")
    assert lines <= LINES_OF_SCENES
    assert files <= FILES_OF_SCENES


def test_contributing_names_every_noun_and_figure() -> None:
    said = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = {name.rpartition(".")[2] for name in CENSUS.users if not name.startswith(FINDINGS)}
    assert {name for name in drawn if f"`{name}`" not in said} == set()


def test_what_makes_files_of_films_and_checks_them_stays_small() -> None:
    lines = sum(CENSUS.lines_and_files(area)[0] for area in ("rendering", "checking"))
    slides, _ = CENSUS.lines_and_files("rendering/slides")
    voice, _ = CENSUS.lines_and_files("rendering/voice")
    assert lines - slides - voice <= LINES_OF_RENDERING_AND_CHECKING
    assert slides <= LINES_OF_SLIDES
    assert voice <= LINES_OF_VOICE


def test_it_counts_lines_users_and_circles(tmp_path: Path) -> None:
    files = {
        "scenes/mobjects/once.py": "X = 1\n",
        "scenes/mobjects/twice.py": "from scenes.mobjects.deep import Y\n",
        "scenes/mobjects/deep.py": "Y = 1\n",
        "scenes/figures/own.py": "X = 1\nY = 2\n",
        "scenes/figures/both.py": "X = 1\n",
        "scenes/analysis/found.py": "X = 1\n",
        "scenes/attention/one.py": "from scenes.mobjects import once, twice\n"
        "from scenes.figures import own, both\nfrom scenes.analysis import found\n",
        "scenes/vectors/two.py": "import scenes.mobjects.twice\nimport scenes.figures.both\n\n\n\n",
        "rendering/a.py": "from rendering.b import B\n",
        "rendering/b.py": "def f():\n    from rendering import a\n    return a\nB = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    census = Census(tmp_path)
    assert census.lines_and_files("rendering") == (5, 2)
    assert census.misplaced == ["scenes.figures.both", "scenes.mobjects.once"]
    assert census.found_once == ["scenes.analysis.found"]
    assert census.circles == [["rendering.a", "rendering.b"]]
    assert [(film.module, film.lines, film.figures) for film in census.films] == [
        ("scenes.vectors.two", 5, 1),
        ("scenes.attention.one", 3, 3),
    ]
