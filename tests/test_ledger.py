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

from model import checkpoint
from model.files import digest
from rendering import asked, recipe, rereading
from rendering.asked import Asked
from rendering.cards import Card, cards
from rendering.crew import Crew, Ears
from rendering.ledger import Ledger
from rendering.order import Order
from rendering.session import Run
from rendering.share import Share
from rendering.survey import survey
from rendering.telling import Teller
from scenes import FILMS

PROJECT = Path(__file__).parents[1]
NOUN = '''"""A noun."""
from scenes.mobjects.text import Number
class Share(Number):
    """A share of attention."""
'''
FILM = '''"""A film."""
from scenes.arrivals import Appear
from scenes.first_edition import Film, beat
from {noun} import {name}
class {film}(Film):
    """It shows one number."""
    title = "One number"
    prompt = "a dog and a cat"
    seconds = 2
    poster_beat = "it-comes"
    def observe(self):
        self.found = self.tensor("pattern")[0, 0, 1, 0].value
    @beat("Here it is.")
    def it_comes(self):
        self.number = {name}(self.found).move_to(self.content.center)
        self.play(Appear(self.number), run_time=0.4)
    @beat("And there.")
    def it_stays(self):
        self.tensor("z")
        self.cut("another text").ids
'''


@pytest.fixture(scope="module")
def studio(
    tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, list[Card]]]:
    """A folder with two films, one of which uses a noun of its own, both made once."""
    folder = tmp_path_factory.mktemp("studio")
    (folder / "own_noun.py").write_text(NOUN)
    plain = {"noun": "scenes.mobjects.text", "name": "Number", "film": "Plain"}
    own = {"noun": "own_noun", "name": "Share", "film": "Own"}
    (folder / "plain_film.py").write_text(FILM.format(**plain))
    (folder / "own_film.py").write_text(FILM.format(**own))
    shutil.copytree(tiny_checkpoint, folder / "gpt")
    sys.path.insert(0, str(folder))
    found = [Card.of(importlib.import_module(f"{name.lower()}_film").__dict__[name])
             for name in ("Plain", "Own")]  # fmt: skip
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(asked, "SHIPPED", folder / "gpt")
        make([order_for(folder, card) for card in found])
    yield folder, found
    sys.path.remove(str(folder))


@pytest.fixture
def orders(
    studio: tuple[Path, list[Card]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Order, Order]:
    """The two films, just made, in a folder that a test may change."""
    folder, films = studio
    shutil.copytree(folder, tmp_path / "studio")
    here = tmp_path / "studio"
    monkeypatch.setattr(asked, "SHIPPED", here / "gpt")
    plain, own = (order_for(here, replace(card, source=here / card.source.name)) for card in films)
    for order in (plain, own):  # the same code, at another place
        ledger = (order.place / "ledger.json").read_text()
        (order.place / "ledger.json").write_text(ledger.replace(str(folder), str(here)))
    return plain, own


def order_for(folder: Path, card: Card) -> Order:
    request = Asked()
    return Order(card, request, SMALL, folder / "media", request.digest())


def make(orders: list[Order]) -> None:
    with Teller() as teller:
        outcomes = Run(Crew(), teller).make(orders)
    assert not [each.problem for each in outcomes if each.problem]


def why(order: Order) -> list[str]:
    found = survey(replace(order, digest=order.asked.digest()))
    assert (found.state == "fresh") == (not found.reasons)
    return found.reasons


def change_weights(change: Callable[[str, torch.Tensor], torch.Tensor]) -> None:
    """Save the model again with some weights changed."""
    loaded = checkpoint.load(asked.SHIPPED)
    with torch.no_grad():
        for name, weight in loaded.model.named_parameters():
            weight.copy_(change(name, weight))
    checkpoint.save(loaded.model, loaded.tokenizer, asked.SHIPPED)


def test_what_was_just_made_is_fresh(orders: tuple[Order, Order]) -> None:
    assert [why(order) for order in orders] == [[], []]


def test_a_clip_records_what_had_been_read_by_its_end(orders: tuple[Order, Order]) -> None:
    clips = Ledger.beside(orders[0].place).clips
    assert "pattern" in clips["it-comes"].reads
    assert "z" not in clips["it-comes"].reads
    assert {"pattern", "z", "pieces"} <= set(clips["it-stays"].reads)


def test_a_model_written_differently_that_computes_the_same_changes_nothing(
    orders: tuple[Order, Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipe, "_model_code", lambda: "rewritten")
    assert [why(order) for order in orders] == [[], []]


def test_one_changed_weight_makes_stale_what_shows_it_and_names_it(
    orders: tuple[Order, Order],
) -> None:
    def other_values(name: str, weight: torch.Tensor) -> torch.Tensor:
        return weight * 1.5 if name == "blocks.1.attn.W_V" else weight

    change_weights(other_values)
    assert why(orders[0]) == ["z changed"]
    found = survey(replace(orders[0], digest=orders[0].asked.digest()))
    assert found.stale_beats == ["it-stays"]  # nothing before it shows a value


def test_a_model_trained_anew_makes_everything_stale(orders: tuple[Order, Order]) -> None:
    torch.manual_seed(1)
    change_weights(lambda _, weight: torch.randn_like(weight))
    assert all("pattern changed" in why(order) for order in orders)


def test_a_change_smaller_than_the_stated_precision_is_none(orders: tuple[Order, Order]) -> None:
    change_weights(lambda _, weight: weight * (1 + 1e-7))
    assert [why(order) for order in orders] == [[], []]
    shutil.rmtree(orders[0].media / ".numbers")  # what was read is forgotten: better safe
    assert "pattern changed" in why(orders[0])


def test_numbers_that_are_asked_for_again_are_kept(
    orders: tuple[Order, Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    change_weights(lambda _, weight: weight * (1 + 1e-7))
    assert why(orders[0]) == []
    monkeypatch.setattr(rereading, "reread", None)
    assert why(orders[0]) == []


def test_without_what_is_kept_an_unchanged_film_is_still_fresh(
    orders: tuple[Order, Order],
) -> None:
    shutil.rmtree(orders[0].media / ".numbers")
    assert why(orders[0]) == []


def test_an_edited_film_is_stale_and_no_other(orders: tuple[Order, Order]) -> None:
    plain, own = orders
    plain.card.source.write_text(plain.card.source.read_text() + "# edited\n")
    assert why(plain) == [f"{plain.card.source} changed"]
    assert why(own) == []


def test_an_edited_noun_makes_stale_the_films_that_use_it(orders: tuple[Order, Order]) -> None:
    plain, own = orders
    noun = own.card.source.with_name("own_noun.py")
    noun.write_text(NOUN + "# edited\n")
    assert why(own) == [f"{noun} changed"]
    assert why(plain) == []


def test_another_version_is_named_with_the_one_before(
    orders: tuple[Order, Order], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = recipe.versions(recipe.DRAW) | {"manim": "0.99.0"}
    monkeypatch.setattr(recipe, "versions", lambda _: now)
    assert f"manim {recipe._version('manim')} -> 0.99.0" in why(orders[0])


@pytest.mark.parametrize(
    "other", [Asked(prompt="the cat"), Asked(theme="light"), Asked(layer=1), Asked(head=0)]
)
def test_another_request_is_another_film(orders: tuple[Order, Order], other: Asked) -> None:
    asked_for = replace(orders[0], asked=other)
    assert why(asked_for) == ["never made"]
    assert survey(asked_for).state == "missing"
    assert why(orders[0]) == []


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
        ("film.mp4", truncated, "film.mp4 changed"),
        ("manifest.json", Path.unlink, "manifest.json missing"),
    ],
)
def test_a_file_that_is_not_what_was_recorded_is_named(
    orders: tuple[Order, Order], name: str, harm: Callable[[Path], Any], reason: str
) -> None:
    harm(orders[0].place / name)
    assert why(orders[0]) == [reason]
    assert why(orders[1]) == []


def test_a_film_without_its_main_file_is_missing(orders: tuple[Order, Order]) -> None:
    (orders[0].place / "film.mp4").unlink()
    assert survey(orders[0]).state == "missing"
    (orders[1].place / "film.vtt").unlink()
    assert survey(orders[1]).state == "stale"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"clips": {"it-comes": 3}, "film": null}'])
def test_a_ledger_that_cannot_be_read_is_none(orders: tuple[Order, Order], content: str) -> None:
    (orders[0].place / "ledger.json").write_text(content)
    assert why(orders[0]) == ["ledger.json missing"]


def test_a_clip_made_alone_leaves_the_film_to_be_joined_anew(orders: tuple[Order, Order]) -> None:
    plain = orders[0]
    entry = Ledger.beside(plain.place)
    stamp = entry.clips["it-comes"].files["beats/01-it-comes.mp4"]
    content = json.loads((plain.place / "ledger.json").read_text())
    text = json.dumps(content).replace(stamp.sha256, "0" * 64)
    (plain.place / "ledger.json").write_text(text)
    assert "clip 01 is newer than the film" in why(plain)


def test_a_clip_of_a_model_that_changed_meanwhile_is_not_kept(orders: tuple[Order, Order]) -> None:
    class LateCrew(Crew):
        def draw(self, shares: Sequence[Share], ears: Ears) -> None:
            change_weights(lambda _, weight: weight * 1.3)
            super().draw(shares, ears)

    order = replace(orders[0], media=orders[0].media / "other")
    with Teller() as teller:
        (outcome,) = Run(LateCrew(), teller).make([order])
    assert f"changed while {order.card.slug} was drawn: run it again." in str(outcome.problem)
    assert not Ledger.beside(order.place).clips


def test_the_file_of_a_beat_that_is_a_gif_is_also_made_by_what_makes_gifs(
    orders: tuple[Order, Order],
) -> None:
    still = replace(orders[0], picture=replace(SMALL, format="gif"))
    assert "rendering/clips.py" in recipe.of_clips(still).code
    assert "rendering/clips.py" not in recipe.of_clips(orders[0]).code


def test_a_checkpoint_is_known_by_the_same_digest_with_and_without_torch(
    tiny_checkpoint: Path,
) -> None:
    assert Asked(checkpoint=tiny_checkpoint).digest() == checkpoint.load(tiny_checkpoint).digest
    names = ["config.json", "tokenizer.json", "model.safetensors"]
    assert digest(tiny_checkpoint, names) == checkpoint.load(tiny_checkpoint).digest


def test_what_is_read_in_a_films_source_is_what_its_class_says() -> None:
    assert list(cards()) == [Card.of(film) for film in FILMS]


def test_films_are_judged_without_torch_or_manim(tmp_path: Path) -> None:
    program = (
        "import sys, render; "
        f"status = render._status(['status', '--json', '--media_dir', {str(tmp_path)!r}]); "
        "sys.exit(status or bool({'manim', 'torch', 'scenes'} & set(sys.modules)))"
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
