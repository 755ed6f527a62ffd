"""The command line: what it answers, where, with which exit status, and how long it takes."""

import configparser
import errno
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from answers import Ask, refused
from safetensors.numpy import load_file
from small_films import BrokenFilm, SmallFilm

import render
import rendering.film_index
import scenes
from model.errors import Unusable
from rendering.film_index import FilmEntry, find
from rendering.options import prompt
from scenes import FILMS

PROJECT = Path(__file__).parents[1]
TINY = ("-q", "l", "--fps", "5", "-j", "1")


@pytest.fixture
def small_films(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the films for tests in place of the real ones."""
    both = (FilmEntry.of(SmallFilm), FilmEntry.of(BrokenFilm))
    monkeypatch.setattr(rendering.film_index, "film_index", lambda: both)
    monkeypatch.setattr(scenes, "FILMS", (SmallFilm, BrokenFilm))


@pytest.mark.parametrize(
    ("name", "meant"),
    [("dot-produkt-grid", "dot-product-grid"), ("DotProduct", "dot-product-grid"), ("al", "all")],
)
def test_an_unknown_film_is_answered_with_the_nearest_one(ask: Ask, name: str, meant: str) -> None:
    for arguments in (("render", name), (name,), ("check", name), ("storyboard", name)):
        refused(ask(*arguments), name, f"did you mean {meant}?")


def test_a_mistyped_command_is_answered_with_the_nearest_one(ask: Ask) -> None:
    refused(ask("storybord"), "did you mean storyboard?")


def test_a_film_goes_by_its_slug_its_class_and_all_in_any_case() -> None:
    film = FILMS[0]
    names = [film.slug(), film.__name__, film.slug().upper(), film.__name__.lower(), "ALL"]
    assert all(FilmEntry.of(film) in find([name]) for name in names)
    assert find([*names, "all"]) == [find([names[0]])[0], *map(FilmEntry.of, FILMS[1:])]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--beat", "it-wait"], ["it-wait", "it-waits"]),
        (["--layer", "2"], ["layers 0 to 1"]),
        (["--layer", "-1"], ["layers 0 to 1"]),
        (["--head", "3"], ["heads 0 to 2"]),
        (["--prompt", ""], ["empty"]),
        (["--prompt", " \n"], ["empty"]),
        (["--prompt", "one\x07two"], ["control character", "U+0007"]),
        (["--prompt", "one\x00two"], ["control character", "U+0000"]),
        (["--prompt", "one\x1b[31mtwo"], ["control character", "U+001B"]),
        (["--prompt", "one\udcfftwo"], ["U+DCFF"]),
        (["--prompt", "a " * 17], ["tokens", "16"]),
        (["--prompt", "a " * 700], ["tokens", "64"]),
        (["-t", "--format", "mp4"], ["mp4 cannot be transparent"]),
        (["-t", "--format", "gif"], ["gif cannot be transparent"]),
        (["-s", "--format", "gif"], ["-s", "gif"]),
        (["-q", "x"], ["'x'"]),
        (["--fps", "0"], ["--fps"]),
        (["--fps", "nan"], ["--fps"]),
        (["-j", "0"], ["-j"]),
        (["--aspect", "3:2"], ["3:2"]),
        (["--loop", "1"], ["--loop is for gif and webp"]),
        (["--loop", "2", "--format", "gif"], ["--loop"]),
        (["--theme", "sepia"], ["sepia"]),
        (["--nonsense"], ["--nonsense"]),
        (["--checkpoint", "nowhere"], ["no checkpoint folder nowhere"]),
        (["--checkpoint", "~/nowhere"], ["no checkpoint folder /"]),
        (["--checkpoint", "~nobody-at-all"], ["~nobody-at-all"]),
        (["--checkpoint", "x/" * 3000], ["too long for a path"]),
        (["--checkpoint", ""], ["path is empty"]),
        (["--media_dir", ""], ["path is empty"]),
        (["--media_dir", "file/media"], ["file/media", "cannot be written"]),
    ],
)
@pytest.mark.usefixtures("small_films")
def test_what_cannot_be_done_is_refused_in_a_sentence(
    ask: Ask, arguments: list[str], words: list[str]
) -> None:
    Path("file").write_text("mine")
    refused(ask("small-films", *TINY, *arguments), *words)
    assert Path("file").read_text() == "mine"
    assert [path.name for path in Path().iterdir()] == ["file"]


def truncate(folder: Path) -> None:
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1000])


def pickled(folder: Path) -> None:
    (folder / "model.safetensors").unlink()
    torch.save({}, folder / "pytorch_model.bin")


def misfit(folder: Path) -> None:
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"n_layer": 3}))


@pytest.mark.parametrize(
    ("harm", "word"), [(truncate, "damaged"), (pickled, "pickled"), (misfit, "3 layers")]
)
def test_a_checkpoint_that_cannot_be_used_is_refused_by_every_command(
    ask: Ask, tiny_checkpoint: Path, harm: Callable[[Path], None], word: str
) -> None:
    shutil.copytree(tiny_checkpoint, "harmed")
    harm(Path("harmed"))
    for command in (
        "render all",
        "check dot-product-grid",
        "storyboard dot-product-grid",
        "heads",
        "trace -o x",
    ):
        refused(ask(*command.split(), "--checkpoint", "harmed"), word)


@pytest.mark.usefixtures("small_films")
def test_results_go_to_stdout_and_progress_to_stderr_line_by_line(ask: Ask) -> None:
    status, out, err = ask("--media_dir", "here", "small-films", *TINY)
    assert status == 0
    assert out == f"{Path('here/films/small-films/480p5/film.mp4')}\n"
    assert Path(out.strip()).is_file()
    assert err.splitlines()[-1].endswith("3 clips drawn, 0 reused")
    assert [line.partition(" in ")[0] for line in err.splitlines()] == [
        "small-films: it-comes drawn, 1 of 3",
        "small-films: it-waits drawn, 2 of 3",
        "small-films: it-goes drawn, 3 of 3",
        "small-films: made",
    ]
    assert "\x1b" not in err
    status, again, err = ask("render", "SmallFilm", "--media-dir", "here", *TINY)
    assert (status, again) == (0, out)
    assert err == "small-films: fresh, nothing to do\n"


@pytest.mark.usefixtures("small_films")
def test_a_run_tells_scripts_what_became_of_each_film(ask: Ask) -> None:
    status, out, err = ask("broken-film", "small-films", *TINY, "--json")
    told = json.loads(out)
    broken, small = told["films"]
    assert status == 1
    assert set(told) == {"films", "course", "seconds"}
    assert told["course"] is None
    assert broken["drawn"] == ["all-is-well"]  # what comes before the failure is kept
    assert not broken["files"]
    assert "failed in beat it-breaks" in broken["problem"]
    assert small["files"] == [str(Path("media/films/small-films/480p5/film.mp4"))]
    assert (small["drawn"], small["problem"]) == (["it-comes", "it-waits", "it-goes"], None)
    assert "1 of 2 films are there: 4 clips drawn, 0 reused" in err
    status, out, _ = ask("small-films", *TINY, "--json")
    assert json.loads(out)["films"][0]["reused"] == ["it-comes", "it-waits", "it-goes"]
    status, out, _ = ask("status", "all", *TINY[:4], "--json")
    states = {film["film"]: film["state"] for film in json.loads(out)["films"]}
    assert states == {"small-films": "fresh", "broken-film": "missing"}
    assert "clip 02 missing" in ask("status", "broken-film", *TINY[:4])[1]


@pytest.mark.usefixtures("small_films")
def test_a_film_that_fails_does_not_stop_the_others(ask: Ask) -> None:
    status, out, err = ask("broken-film", "small-films", *TINY)
    assert status == 1
    assert out == f"{Path('media/films/small-films/480p5/film.mp4')}\n"
    last = err.splitlines()[-1]
    assert "broken-film failed in beat it-breaks: ZeroDivisionError" in last
    assert "tests/small_films.py:" in last
    assert "Traceback" not in err


@pytest.mark.usefixtures("small_films")
def test_beats_wanted_alone_are_the_results(ask: Ask) -> None:
    status, out, _ = ask("small-films", *TINY, "--beat", "it-goes", "--beat", "it-comes")
    beats = Path("media/films/small-films/480p5/beats")
    assert status == 0
    assert out.splitlines() == [str(beats / "01-it-comes.mp4"), str(beats / "03-it-goes.mp4")]


@pytest.mark.usefixtures("small_films")
def test_json_is_one_document_on_stdout(ask: Ask) -> None:
    status, out, _ = ask("list", "--json")
    film = json.loads(out)["films"][0]
    assert status == 0
    assert {"film", "act", "title", "goal", "length", "prompt", "beats"} <= set(film)
    assert (film["film"], film["goal"]) == ("small-films", "A word comes, waits and goes.")
    assert film["beats"][1]["narration"].endswith("as everybody can see from here.")
    status, out, _ = ask("check", "small-films", "--json")
    assert set(json.loads(out)["films"][0]) == {
        "film", "prompt", "checkpoint", "findings", "numbers",
    }  # fmt: skip
    status, out, _ = ask("heads", "--json")
    heads = json.loads(out)["heads"]
    assert [(head["layer"], head["head"]) for head in heads] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]
    assert set(heads[0]["scores"]) == {
        "previous_token", "first_token", "same_token", "induction", "adjective_to_noun",
    }  # fmt: skip


def test_several_processes_find_what_one_finds_in_the_same_order(
    ask: Ask, tiny_checkpoint: Path
) -> None:
    asked = "check", "scale-then-softmax", "dot-product-grid", "--checkpoint", str(tiny_checkpoint)
    asked += "--prompt", "the cat sat", "--json"
    alone, together = (ask(*asked, "-j", jobs) for jobs in ("1", "2"))
    assert together == alone
    assert [film["film"] for film in json.loads(alone[1])["films"]] == [*asked[1:3]]


def test_check_exits_with_1_and_a_sentence_when_it_finds_something(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    from faulty_films import TextOnText  # noqa: PLC0415 - only here

    monkeypatch.setattr(rendering.film_index, "film_index", lambda: (FilmEntry.of(TextOnText),))
    status, out, err = ask("check", "all")
    assert status == 1
    assert "overlap" in out
    assert err.splitlines()[-1].startswith("check found ")


@pytest.mark.usefixtures("small_films")
def test_list_and_heads_are_for_people_too(ask: Ask) -> None:
    assert "small-films: Small (" in ask("list")[1]
    assert "induction" in ask("heads")[1]


def test_json_is_alone_on_stdout_whatever_manim_has_to_say(
    tmp_path: Path, tiny_checkpoint: Path
) -> None:
    film = FilmEntry.of(FILMS[0])
    command = [sys.executable, PROJECT / "render.py", film.slug, *TINY, "--beat", film.beats[0]]
    command += ["--json", "--format", "webm", "--media_dir", tmp_path]
    command += ["--checkpoint", tiny_checkpoint, "--prompt", "a dog and a cat"]
    run = subprocess.run(command, check=True, capture_output=True, text=True)
    assert json.loads(run.stdout)["films"][0]["drawn"] == [film.beats[0]]
    assert "WARNING" not in run.stderr


@pytest.mark.parametrize("make", [lambda path: path.mkdir(), os.mkfifo], ids=["folder", "pipe"])
def test_a_trace_takes_no_place_of_what_is_no_file(ask: Ask, make: Callable[[Path], None]) -> None:
    make(Path("taken"))
    kind = Path("taken").stat().st_mode
    refused(ask("trace", "-o", "taken", "--prompt", "a dog"), "taken is no file")
    assert Path("taken").stat().st_mode == kind


def test_a_trace_goes_where_a_link_leads_to(ask: Ask) -> None:
    Path("link").symlink_to("trace.safetensors")
    assert ask("trace", "-o", "link", "--prompt", "a dog")[0] == 0
    assert Path("link").is_symlink()
    assert "pattern" in load_file("trace.safetensors")


def test_a_prompt_from_standard_input_that_is_closed_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(Unusable, match="Standard input is closed"):
        prompt("-")


@pytest.mark.parametrize(
    ("error", "status", "sentence"),
    [
        (SyntaxError("invalid syntax", ("scenes/f.py", 3, 1, "x")), 1, "scenes/f.py, line 3,"),
        (configparser.MissingSectionHeaderError("manim.cfg", 1, "x"), 2, "A manim.cfg cannot"),
        (OSError(errno.ENOSPC, "No space left on device"), 2, "no room where the output goes"),
    ],
    ids=["a film that is no Python", "manim's settings", "output on a full disk"],
)
def test_what_the_user_can_mend_is_not_for_us_to_hear_of(
    error: Exception, status: int, sentence: str
) -> None:
    found, said = render._ending(error)
    assert found == status
    assert sentence in said
    assert "report" not in said


def test_prompts_are_looked_at_side_by_side(ask: Ask) -> None:
    status, out, _ = ask("look", "--prompt", "a dog", "the old king", "--json")
    assert status == 0
    assert [each["prompt"] for each in json.loads(out)["prompts"]] == ["a dog", "the old king"]
    assert "the old king" in ask("look", "--prompt", "a dog", "--prompt", "the old king")[1]
    refused(ask("look"), "--prompt")
    refused(ask("look", "--prompt", "a dog", " "), "empty")


def test_a_new_film_needs_a_name_and_an_act(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(render, "new_film", lambda slug, act: [Path(act, slug)])
    assert ask("new", "what-it-finds", "--act", "task") == (0, "task/what-it-finds\n", "")
    refused(ask("new", "what-it-finds"), "--act")


def test_a_trace_is_written_with_the_weights(ask: Ask) -> None:
    status, out, _ = ask("trace", "-o", "trace.safetensors", "--prompt", "a dog")
    assert (status, out) == (0, "trace.safetensors\n")
    tensors = load_file("trace.safetensors")
    assert tensors["pattern"].shape[:2] == (2, 3)
    assert "weights.W_Q" in tensors


@pytest.mark.usefixtures("small_films")
def test_films_that_are_fresh_do_not_wait_for_manim_or_torch(
    ask: Ask, tiny_checkpoint: Path
) -> None:
    assert ask("all", *TINY)[0] == 1  # one of them breaks
    assert ask("small-films", *TINY)[0] == 0
    stored = [pickle.dumps(replace(FilmEntry.of(SmallFilm), film=None)).hex()]
    program = (
        "import pickle, sys; from pathlib import Path; import render, rendering.film_index, "
        "rendering.job, rendering.course; "
        f"entries = tuple(pickle.loads(bytes.fromhex(each)) for each in {stored!r}); "
        "rendering.film_index.film_index = lambda: entries; "
        f"rendering.job.SHIPPED = Path({str(tiny_checkpoint)!r}); "
        f"status = render._status(['render', 'small-films', *{TINY!r}]); "
        "sys.exit(status or bool({'manim', 'torch', 'scenes'} & set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    run = subprocess.run([sys.executable, "-c", program], check=False, env=environment)
    assert run.returncode == 0


def test_help_and_wrong_options_do_not_wait_for_manim_or_torch() -> None:
    for arguments in (["--help"], ["render", "--help"], ["list", "-h"], ["x", "--fps", "no"]):
        program = (
            f"import sys, render; render._status({arguments!r}); "
            "sys.exit(bool({'manim', 'torch', 'numpy'} & set(sys.modules)))"
        )
        run = subprocess.run([sys.executable, "-c", program], check=False, cwd=PROJECT)
        assert run.returncode == 0


# Once a clip is drawn, a signal strikes where the run has just taken a lock that others wait for;
# where it takes none, half a second later.
STRIKE_IN_A_LOCK = """
import os, signal, threading
from rendering.progress import Display
drawn, enter, armed = Display.drawn, threading.Condition.__enter__, []
def tell(*told):
    threading.Timer(0.5, strike).start()
    armed.append(drawn(*told))
def take(condition):
    entered = enter(condition)
    if armed and threading.current_thread() is threading.main_thread():
        strike()
    return entered
def strike():
    while armed:
        armed.clear()
        os.kill(os.getpid(), signal.SIGTERM)
Display.drawn, threading.Condition.__enter__ = tell, take
"""


@pytest.mark.parametrize(
    ("jobs", "ending", "before"),
    [
        ("1", signal.SIGINT, ""),
        ("2", signal.SIGINT, ""),
        ("2", signal.SIGTERM, ""),
        pytest.param("2", signal.SIGTERM, STRIKE_IN_A_LOCK, id="2-15-in a lock"),
        ("1", signal.SIGHUP, ""),
    ],
)
def test_a_signal_ends_a_run_within_two_seconds_and_leaves_nothing_half_done(
    tiny_checkpoint: Path, tmp_path: Path, jobs: str, ending: signal.Signals, before: str
) -> None:
    (tmp_path / "render_small_films.py").write_text(before + RENDER_SMALL_FILMS)
    arguments = ["small-films", "-q", "l", "-j", jobs, "--checkpoint", str(tiny_checkpoint)]
    folders = os.pathsep.join(map(str, (PROJECT, PROJECT / "tests")))
    with subprocess.Popen(
        [sys.executable, "render_small_films.py", *arguments],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": folders, "PATIENCE": "600"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        assert run.stderr
        first = run.stderr.readline()
        pressed = time.monotonic()
        if not before:
            os.killpg(run.pid, ending)
        try:
            out, err = run.communicate(timeout=30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(run.pid, signal.SIGKILL)
        assert time.monotonic() - pressed < 2
    assert "it-" in first
    assert run.returncode == 128 + ending
    assert not out
    assert err.strip().splitlines()[-1].startswith("Interrupted: ")
    assert "Traceback" not in err
    (place,) = (tmp_path / "media/films/small-films").iterdir()
    kept = sorted(str(path.relative_to(place)) for path in place.rglob("*") if path.is_file())
    assert kept == [
        f"beats/01-it-comes{end}" for end in (".first.png", ".json", ".mp4", ".png", ".vtt")
    ]


RENDER_SMALL_FILMS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background ignores
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # which nohup ignores
import render, rendering.film_index, small_films
from rendering.film_index import FilmEntry
if __name__ == "__main__":
    rendering.film_index.film_index = lambda: (FilmEntry.of(small_films.SmallFilm),)
    render.main()
"""
