"""SmolLM2, as `films get smollm2` writes it: it speaks, it is what it was, films show it."""

from pathlib import Path

import pytest
from oracles import agree
from played import checked
from plays import declared_refusals
from transformers import AutoTokenizer, LlamaForCausalLM

from model import checkpoint
from model.checkpoint import Checkpoint
from model.generation import generate
from model.heads import measured
from rendering.failures import PROJECT
from scenes import FILMS
from scenes.film import Film, Request

SMOLLM2 = PROJECT / "models" / "smollm2"
CAPITAL = "The capital of France is"
COURSE = "a fluffy blue creature roamed the verdant forest"

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def smollm2() -> Checkpoint:
    assert SMOLLM2.is_dir(), "run `films get smollm2` first"
    return checkpoint.load(SMOLLM2)


def test_it_knows_the_capital_of_france(smollm2: Checkpoint) -> None:
    ids = smollm2.tokenizer.encode(CAPITAL)
    assert smollm2.tokenizer.decode(generate(smollm2.model, ids, 2)) == " Paris."


def test_it_computes_what_transformers_computes(smollm2: Checkpoint) -> None:
    oracle = LlamaForCausalLM.from_pretrained(SMOLLM2, attn_implementation="eager").eval()
    agree(smollm2, oracle, 2e-3)


def test_its_tokenizer_cuts_as_that_of_transformers(smollm2: Checkpoint) -> None:
    theirs = AutoTokenizer.from_pretrained(SMOLLM2)
    for text in (CAPITAL, COURSE, "In 2026, 3.14 robots: Δx é 🤖\n\tdon't  worry"):
        assert smollm2.tokenizer.encode(text) == theirs.encode(text)


def test_the_story_of_the_course_is_measured_in_it(smollm2: Checkpoint) -> None:
    best = max(measured(smollm2), key=lambda score: score.binding or 0)
    assert (best.layer, best.head) == (13, 1)
    assert (best.binding or 0) > 0.45


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
@pytest.mark.parametrize("prompt", [None, CAPITAL])
def test_a_film_of_it_is_clean(film: type[Film], prompt: str | None) -> None:
    request = Request(prompt=prompt, checkpoint=Path(SMOLLM2))
    with declared_refusals(film):
        report = checked(film, request)
    assert report.findings == ()
