"""Films of one's own: from any file, by the command line and from Python."""

import json
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from answers import Ask, refused
from small_films import ShortFilm

from model.errors import Unusable
from rendering import render_film
from rendering.film_index import find

PROJECT = Path(__file__).parents[1]
SHIPPED = PROJECT / "assets" / "gpt"
TINY = ("-q", "l", "--fps", "5", "-j", "1")
FILM = """
from helping import LINE
from scenes.film import Film, Shown, beat
from scenes.mobjects.text import Words
from scenes.verbs import Appear


class {name}(Film):
    '''It shows one word.'''

    title, prompt, seconds, poster_beat = "Mine", "a dog", 2, "it-comes"

    def cast(self) -> None:
        self.word = Words("{{}}", "word")
        self.stand(self.word)

    @beat(LINE)
    def it_comes(self) -> Shown:
        yield Appear(self.word)
"""


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder with a film and what it imports; afterwards nothing of it is left in Python."""
    modules, paths = {*sys.modules}, [*sys.path]
    place = tmp_path / "of my own"
    place.mkdir()
    (place / "helping.py").write_text("LINE = 'It comes.'")
    (place / "my_film.py").write_text(FILM.format(name="Mine"))
    (place / "two_films.py").write_text(FILM.format(name="FirstOne") + FILM.format(name="OtherOne"))
    yield place
    sys.path[:] = paths
    for name in {*sys.modules} - modules:
        if str(place) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def test_a_film_in_any_file_is_rendered_and_its_status_known(ask: Ask, folder: Path) -> None:
    file = folder / "my_film.py"
    status, out, err = ask(file, *TINY)
    assert (status, out) == (0, "media/films/my-film/480p5/film.mp4\n"), err
    manifest = json.loads(Path("media/films/my-film/480p5/manifest.json").read_text())
    assert (manifest["title"], len(manifest["beats"])) == ("Mine", 1)
    assert ask("render", file, *TINY)[2] == "my-film: fresh, nothing to do\n"
    assert "my-film 480p5: fresh" in ask("status", file, *TINY[:4])[1]
    status, out, _ = ask("check", file, "--json")
    assert json.loads(out)["films"][0]["film"] == "my-film"
    status, out, _ = ask("deck", file, *TINY, "-o", "talk")
    assert (status, out) == (0, "talk/index.html\n")
    (folder / "helping.py").write_text("LINE = 'Now it comes.'")
    said = subprocess.run(
        [sys.executable, "-m", "render", "status", file, *TINY[:4]],
        capture_output=True, text=True, check=False,
        env={"PYTHONPATH": str(Path(__file__).parents[1]), "PATH": ""},
    )  # fmt: skip
    assert "helping.py changed" in said.stdout, said.stderr


def test_of_several_films_in_a_file_one_is_named(ask: Ask, folder: Path) -> None:
    file = folder / "two_films.py"
    refused(ask("render", file, *TINY), "several films", "FirstOne, OtherOne")
    status, out, err = ask("render", file, "OtherOne", *TINY)
    assert (status, out) == (0, "media/films/other-one/480p5/film.mp4\n"), err


def test_other_processes_draw_it_too(ask: Ask, folder: Path, tiny_checkpoint: Path) -> None:
    asked = *TINY[:4], "-j", "2", "--checkpoint", tiny_checkpoint
    status, out, err = ask("render", folder / "my_film.py", *asked)
    assert status == 0, err
    assert Path(out.strip()).is_file()


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("nowhere.py", None, ["no file", "nowhere.py"]),
        ("empty.py", "", ["no film in"]),
        ("my-film.py", "", ["my-film.py cannot be imported", "my_film.py"]),
        ("json.py", "", ["json.py is called like a module"]),
        ("model.py", "", ["model.py is called like a module"]),
        ("no_peeking.py", FILM.format(name="Mine"), ["called like a film that is there"]),
        ("silent.py", FILM.format(name="Mine").replace("@beat(LINE)", ""), ["no beat", "@beat"]),
        ("unsaid.py", FILM.format(name="Mine").replace("title,", "name,"), ["no title"]),
        ("unseen.py", FILM.format(name="Mine").replace("it-comes", "it-goes"), ["it-goes"]),
    ],
)
def test_what_holds_no_film_is_refused_in_a_sentence(
    ask: Ask, folder: Path, name: str, text: str | None, words: list[str]
) -> None:
    if text is not None:
        (folder / name).write_text(text)
    refused(ask("render", folder / name, *TINY), *words)
    assert not Path("media").exists()


def test_what_its_own_code_raises_is_told_with_the_line(ask: Ask, folder: Path) -> None:
    (folder / "broken.py").write_text("x = 1\nx / 0\n")
    status, _, err = ask("render", folder / "broken.py", *TINY)
    assert status == 1
    assert "broken.py cannot be imported: ZeroDivisionError" in err
    assert "broken.py:2" in err
    (folder / "unread.py").write_text("x = = 1\n")
    status, _, err = ask("render", folder / "unread.py", *TINY)
    assert status == 1
    assert "unread.py, line 1, is no Python" in err


def test_the_skeleton_of_a_film_of_ones_own_is_clean_as_it_is(ask: Ask, folder: Path) -> None:
    file = folder / "what_it_sees.py"
    assert ask("new", file)[:2] == (0, f"{file}\n")
    status, out, err = ask("check", file, "--checkpoint", SHIPPED)
    assert status == 0, out + err
    refused(ask("new", file), "is there already")
    refused(ask("new", "what-it-sees"), "--act", "what-it-sees.py")


def test_the_film_of_the_documentation_is_clean(ask: Ask, folder: Path) -> None:
    page = (PROJECT / "docs/your-own-film.md").read_text()
    written = re.search(r"\n    from scenes.film.*?\n(?=\S)", page, re.DOTALL)
    assert written
    (folder / "what_it_sees.py").write_text(textwrap.dedent(written[0]))
    status, out, err = ask("check", folder / "what_it_sees.py", "--checkpoint", SHIPPED)
    assert status == 0, out + err


def test_python_makes_a_film_and_a_notebook_shows_it(
    tiny_checkpoint: Path, folder: Path, tmp_path: Path
) -> None:
    asked = {"checkpoint": tiny_checkpoint, "quality": "l", "fps": 5, "media": tmp_path / "media"}
    made = render_film(folder / "my_film.py", **asked)
    assert made.path.is_file()
    assert made.beats["it-comes"].is_file()
    assert made.manifest["title"] == "Mine"
    shown = made._repr_html_()
    assert shown.startswith("<video controls")
    assert "data:video/mp4;base64," in shown
    assert '<track kind="captions" default src="data:text/vtt;base64,' in shown
    moving = render_film(ShortFilm, file_format="webp", **asked)
    assert moving._repr_html_().startswith('<img alt="Short" src="data:image/webp;base64,')
    with pytest.raises(Unusable, match="did you mean"):
        render_film("no-peaking", **asked)


def test_the_notebook_has_been_executed_and_names_what_there_is() -> None:
    notebook = json.loads((PROJECT / "docs/trace-and-film.ipynb").read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == [1, 2, 3]
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert "error" not in {output["output_type"] for output in outputs}
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/png", "text/html"} <= kinds
    assert "<video" in "".join(outputs[-1]["data"]["text/html"])
    (beat,) = re.findall(r'beats=\["([^"]+)"', "".join(cells[-1]["source"]))
    (film,) = find(["no-peeking"])
    assert beat in film.beats


def test_a_film_that_stands_in_no_file_is_refused_in_a_sentence() -> None:
    film = type("InACell", (ShortFilm,), {"__module__": "__main__ of a notebook"})
    with pytest.raises(Unusable, match="%%writefile"):
        render_film(film)
