"""A clip is made again when what it was made from has changed, and not otherwise."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from played import SMALL

from model import checkpoint, files
from rendering.film_index import FilmEntry, film_index
from rendering.freshness import DRAW, freshness, ingredients, versions
from rendering.job import Job, Subject
from rendering.ledger import Entry, clip_entries
from rendering.progress import Display
from rendering.session import Run
from rendering.shares import Share
from rendering.workers import Hooks, Workers
from scenes import FILMS

PROJECT = Path(__file__).parents[1]
NOUN = '''"""A noun."""
from scenes.mobjects.text import Number
class Share(Number):
    """A share of attention."""
'''
FILM = '''"""A film."""
from scenes.film import Film, beat
from scenes.verbs import Appear
from {noun} import {name}
class {film}(Film):
    """It shows one number."""
    title = "One number"
    prompt = "a dog and a cat"
    seconds = 2
    poster_beat = "it-comes"
    def observe(self):
        self.found = self.tensor("pattern")[0, 0, 1, 0].value
    def cast(self):
        self.number = {name}(self.found).move_to(self.stage.center)
        self.stand(self.number)
    @beat("Here it is.")
    def it_comes(self):
        yield Appear(self.number)
    @beat("And there.")
    def it_stays(self):
        assert self.tensor("z")[0].array.ndim
        self.cut("another text").ids
'''


@pytest.fixture(scope="module")
def studio(
    tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[FilmEntry]]]:
    """A folder with two films, one of which uses a noun of its own, both made once."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "own_noun.py").write_text(NOUN)
    plain = {"noun": "scenes.mobjects.text", "name": "Number", "film": "Plain"}
    own = {"noun": "own_noun", "name": "Share", "film": "Own"}
    (folder / "plain_film.py").write_text(FILM.format(**plain))
    (folder / "own_film.py").write_text(FILM.format(**own))
    shutil.copytree(tiny_checkpoint, folder / "gpt")
    sys.path.insert(0, str(folder))
    found = [FilmEntry.of(importlib.import_module(f"{name.lower()}_film").__dict__[name])
             for name in ("Plain", "Own")]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("rendering.job.SHIPPED", folder / "gpt")
        make([order_for(folder, card) for card in found])
    yield folder, found
    sys.path.remove(str(folder))


@pytest.fixture
def jobs(
    studio: tuple[Path, list[FilmEntry]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Job, Job]:
    """The two films, just made, in a folder that a test may change."""
    folder, films = studio
    shutil.copytree(folder, tmp_path / "studio")
    here = tmp_path / "studio"
    monkeypatch.setattr("rendering.job.SHIPPED", here / "gpt")
    plain, own = (order_for(here, replace(card, source=here / card.source.name)) for card in films)
    for job in (plain, own):  # the same code, at another place
        for entry in job.place.rglob("*.json"):
            entry.write_text(entry.read_text().replace(str(folder), str(here)))
    return plain, own


def order_for(folder: Path, card: FilmEntry) -> Job:
    request = Subject()
    return Job(card, request, SMALL, folder / "media", request.digest())


def make(jobs: list[Job]) -> None:
    with Display() as display:
        outcomes = Run(Workers(), display).make(jobs)
    assert not [each.problem for each in outcomes if each.problem]


def why(job: Job) -> list[str]:
    found = freshness(replace(job, digest=job.subject.digest()))
    assert (found.state == "fresh") == (not found.reasons)
    return found.reasons


def change_weights(change: Callable[[str, torch.Tensor], torch.Tensor]) -> None:
    """Save the model again with some weights changed."""
    folder = Subject().folder
    loaded = checkpoint.load(folder)
    with torch.no_grad():
        for name, weight in loaded.model.named_parameters():
            weight.copy_(change(name, weight))
    checkpoint.save(loaded.model, loaded.tokenizer, folder)


def test_what_was_just_made_is_fresh(jobs: tuple[Job, Job]) -> None:
    assert [why(job) for job in jobs] == [[], []]


def test_a_clip_records_what_had_been_read_by_its_end(jobs: tuple[Job, Job]) -> None:
    clips = clip_entries(jobs[0])
    assert "pattern[0]" in clips["it-comes"].reads
    assert "z[0]" not in clips["it-comes"].reads
    assert {"pattern[0]", "z[0]", "pieces"} <= set(clips["it-stays"].reads)


def test_a_model_written_differently_that_computes_the_same_changes_nothing(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rendering.freshness.model_code", lambda: "rewritten")
    assert [why(job) for job in jobs] == [[], []]


def test_other_fonts_make_stale_what_ours_cannot_draw_alone(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_by = "scenes.mobjects.typesetting.borrowed"
    odd = replace(jobs[0], subject=replace(jobs[0].subject, prompt="a 犬"))
    monkeypatch.setattr(drawn_by, lambda text: f"one font for {text}")
    before = ingredients(odd)
    monkeypatch.setattr(drawn_by, lambda text: f"another for {text}")
    assert before.changes(ingredients(odd)) == [
        "fonts of the system one font for a 犬 -> another for a 犬"
    ]
    assert why(jobs[0]) == []


def test_a_manifest_written_by_other_code_is_written_anew_without_drawing(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = jobs[0].media / "assembly.py"
    other.write_text("# edited")
    monkeypatch.setattr("rendering.freshness.WRITES_MANIFESTS", other)
    found = freshness(jobs[0])
    assert not found.is_fresh
    assert found.stale_beats == []


def test_captions_written_by_other_code_or_lost_are_written_anew_without_drawing(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    job, *_ = jobs
    monkeypatch.setattr("rendering.freshness.CAPTIONS", ("rendering.names",))
    assert why(job) == ["rendering/captions.py changed", "rendering/names.py changed"]
    lost = job.place / job.beat_files(job.names[0])["vtt"]
    written = lost.read_bytes()
    lost.unlink()
    assert "captions of clip 01 missing" in why(job)
    drawn = {name: (job.place / job.beat_files(name)["file"]).stat() for name in job.names}
    monkeypatch.setattr("rendering.shares.draw", refused)
    make([job])
    assert why(job) == []
    assert lost.read_bytes() == written
    assert drawn == {name: (job.place / job.beat_files(name)["file"]).stat() for name in job.names}


def refused(*_: object) -> None:
    raise AssertionError


def test_one_changed_weight_makes_stale_what_shows_it_and_names_it(
    jobs: tuple[Job, Job],
) -> None:
    def other_values(name: str, weight: torch.Tensor) -> torch.Tensor:
        return weight * 1.5 if name == "blocks.0.attn.W_V" else weight

    change_weights(other_values)
    assert why(jobs[0]) == ["z changed"]
    found = freshness(replace(jobs[0], digest=jobs[0].subject.digest()))
    assert found.stale_beats == ["it-stays"]  # nothing before it shows a value


def test_a_change_in_a_layer_that_is_not_shown_makes_nothing_stale(
    jobs: tuple[Job, Job],
) -> None:
    def other_values(name: str, weight: torch.Tensor) -> torch.Tensor:
        return weight * 1.5 if name.startswith("blocks.1.") else weight

    change_weights(other_values)
    assert why(jobs[0]) == []


def test_a_model_trained_anew_makes_everything_stale(jobs: tuple[Job, Job]) -> None:
    torch.manual_seed(1)
    change_weights(lambda _, weight: torch.randn_like(weight))
    assert all("pattern changed" in why(job) for job in jobs)


def test_a_change_smaller_than_the_stated_precision_is_none(jobs: tuple[Job, Job]) -> None:
    change_weights(lambda _, weight: weight * (1 + 1e-7))
    assert [why(job) for job in jobs] == [[], []]
    shutil.rmtree(jobs[0].media / ".numbers")  # what was read is forgotten: better safe
    assert "pattern changed" in why(jobs[0])


def test_numbers_that_are_asked_for_again_are_kept(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    change_weights(lambda _, weight: weight * (1 + 1e-7))
    assert why(jobs[0]) == []
    monkeypatch.setattr("rendering.freshness._read_again", None)
    assert why(jobs[0]) == []


def test_without_what_is_kept_an_unchanged_film_is_still_fresh(
    jobs: tuple[Job, Job],
) -> None:
    shutil.rmtree(jobs[0].media / ".numbers")
    assert why(jobs[0]) == []


def test_an_edited_film_is_stale_and_no_other(jobs: tuple[Job, Job]) -> None:
    plain, own = jobs
    plain.entry.source.write_text(plain.entry.source.read_text() + "# edited\n")
    assert why(plain) == [f"{plain.entry.source} changed"]
    assert why(own) == []


def test_an_edited_noun_makes_stale_the_films_that_use_it(jobs: tuple[Job, Job]) -> None:
    plain, own = jobs
    noun = own.entry.source.with_name("own_noun.py")
    noun.write_text(NOUN + "# edited\n")
    assert why(own) == [f"{noun} changed"]
    assert why(plain) == []


def test_another_version_is_named_with_the_one_before(
    jobs: tuple[Job, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = versions(DRAW)
    now = installed | {"manim": "0.99.0"}
    monkeypatch.setattr("rendering.freshness.versions", lambda _: now)
    assert f"manim {installed['manim']} -> 0.99.0" in why(jobs[0])


@pytest.mark.parametrize(
    "other", [Subject(prompt="the cat"), Subject(theme="light"), Subject(layer=1), Subject(head=0)]
)
def test_another_request_is_another_film(jobs: tuple[Job, Job], other: Subject) -> None:
    asked_for = replace(jobs[0], subject=other)
    assert why(asked_for) == ["never made"]
    assert freshness(asked_for).state == "missing"
    assert why(jobs[0]) == []


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def replaced(path: Path) -> None:
    shutil.copyfile(path.with_name("02-it-stays" + path.suffix), path)


@pytest.mark.parametrize(
    ("name", "harm", "reason"),
    [
        ("beats/01-it-comes.mp4", Path.unlink, "clip 01 missing"),
        ("beats/01-it-comes.mp4", truncated, "clip 01 changed"),
        ("beats/01-it-comes.mp4", replaced, "clip 01 changed"),
        ("beats/01-it-comes.vtt", replaced, "captions of clip 01 changed"),
        ("beats/01-it-comes.png", Path.unlink, "poster of clip 01 missing"),
        ("beats/01-it-comes.first.png", Path.unlink, "first frame of clip 01 missing"),
        ("film.mp4", truncated, "film.mp4 changed"),
        ("manifest.json", Path.unlink, "manifest.json missing"),
    ],
)
def test_a_file_that_is_not_what_was_recorded_is_named(
    jobs: tuple[Job, Job], name: str, harm: Callable[[Path], Any], reason: str
) -> None:
    harm(jobs[0].place / name)
    assert why(jobs[0]) == [reason]
    assert why(jobs[1]) == []


def test_a_film_without_its_main_file_is_missing(jobs: tuple[Job, Job]) -> None:
    (jobs[0].place / "film.mp4").unlink()
    assert freshness(jobs[0]).state == "missing"
    (jobs[1].place / "film.vtt").unlink()
    assert freshness(jobs[1]).state == "stale"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"clips": {"it-comes": 3}, "film": null}'])
def test_a_ledger_that_cannot_be_read_is_none(jobs: tuple[Job, Job], content: str) -> None:
    (jobs[0].place / "ledger.json").write_text(content)
    assert why(jobs[0]) == ["ledger.json missing"]


def test_a_clip_made_alone_leaves_the_film_to_be_joined_anew(jobs: tuple[Job, Job]) -> None:
    plain = jobs[0]
    path = plain.place / "beats/01-it-comes.json"
    entry = Entry.read(path)
    assert entry
    digest = entry.files["beats/01-it-comes.mp4"]
    path.write_text(path.read_text().replace(digest, "0" * 64))
    assert "clip 01 is newer than the film" in why(plain)


def test_a_clip_of_a_model_that_changed_meanwhile_is_not_kept(jobs: tuple[Job, Job]) -> None:
    class LateWorkers(Workers):
        def draw(self, shares: Sequence[Share], ears: Hooks) -> None:
            change_weights(lambda _, weight: weight * 1.3)
            super().draw(shares, ears)

    job = replace(jobs[0], media=jobs[0].media / "other")
    with Display() as display:
        (outcome,) = Run(LateWorkers(), display).make([job])
    assert f"changed while {job.entry.slug} was drawn: run it again." in str(outcome.problem)
    assert not clip_entries(job)


def test_the_file_of_a_beat_that_is_a_gif_is_also_made_by_what_makes_gifs(
    jobs: tuple[Job, Job],
) -> None:
    still = replace(jobs[0], picture=replace(SMALL, format="gif"))
    assert "rendering/clips.py" in ingredients(still).code
    assert "rendering/clips.py" not in ingredients(jobs[0]).code


def test_a_checkpoint_is_known_by_the_same_digest_with_and_without_torch(
    tiny_checkpoint: Path,
) -> None:
    assert Subject(checkpoint=tiny_checkpoint).digest() == checkpoint.load(tiny_checkpoint).digest
    names = ["config.json", "tokenizer.json", "model.safetensors"]
    assert files.digest(tiny_checkpoint, names) == checkpoint.load(tiny_checkpoint).digest


def test_what_is_read_in_a_films_source_is_what_its_class_says() -> None:
    assert list(film_index()) == [FilmEntry.of(film) for film in FILMS]


def test_films_are_judged_without_torch_or_manim(tmp_path: Path) -> None:
    program = (
        "import sys, render; "
        f"status = render._status(['status', '--json', '--media_dir', {str(tmp_path)!r}]); "
        "sys.exit(status or bool({'manim', 'torch', 'scenes', 'numpy'} & set(sys.modules)))"
    )
    environment = os.environ | {"PYTHONPATH": str(PROJECT)}
    run = subprocess.run(
        [sys.executable, "-c", program], check=False, cwd=PROJECT, env=environment,
        capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)["films"]
    assert [each["film"] for each in told] == [film.slug() for film in FILMS]
    assert {each["state"] for each in told} == {"missing"}
    assert np.all([set(each) == {"film", "variant", "state", "reasons"} for each in told])
