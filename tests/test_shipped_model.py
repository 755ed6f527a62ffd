"""The shipped model has learned what the films show of it."""

import os
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of
from transformers import GPT2LMHeadModel

from model import checkpoint, evaluation, heads
from model.checkpoint import Checkpoint
from model.trace import record
from scenes.attention.no_peeking import NoPeeking
from scenes.film import Film, Request
from scenes.vectors.clocks_for_positions import ClocksForPositions

FOLDER = Path(__file__).parent.parent / "assets" / "gpt"
PROMPTS = (
    evaluation.CREATURE,
    evaluation.THINKER,
    evaluation.SPORT,
    "A robot must obey the orders given it by human beings",
    "Once upon a time, there was a little girl who lived in a small house.",
    "User: what is the capital of France?\nAI Assistant:",
    "hello => bonjour\ncat => chat\ndog =>",
    "naïve café 東京 🙂",
    "?",
)


@cache
def shipped() -> Checkpoint:
    return checkpoint.load(FOLDER)


@cache
def learned() -> evaluation.Evaluation:
    return evaluation.evaluate(shipped())


@cache
def scores() -> tuple[heads.HeadScores, ...]:
    return heads.measure(shipped())


@pytest.mark.parametrize(
    ("target", "floor"),
    [("previous_token", 0.8), ("adjective_to_noun", 0.6), ("induction", 0.4)],
)
def test_there_is_a_head_for_it(target: str, floor: float) -> None:
    assert max(head.scores()[target] or 0 for head in scores()) >= floor


def test_the_head_shown_gathers_all_adjectives_of_a_noun() -> None:
    shown = max(scores(), key=lambda head: head.binding or 0)
    assert (shown.binding or 0) >= 0.35
    assert (shown.adjective_to_noun or 0) >= 0.55


def test_a_creature_keeps_its_adjectives() -> None:
    assert learned().creature >= 0.7


def test_other_nouns_keep_theirs_too() -> None:
    assert learned().binding >= 0.6


def test_michael_jordan_plays_basketball() -> None:
    assert learned().sport >= 0.8


def test_facts_are_known() -> None:
    assert learned().facts >= 0.8


def test_the_cleverest_thinker_stays_an_open_question() -> None:
    assert learned().openness >= 2.5
    assert learned().choices >= 10


def test_the_model_fits_the_screen_and_the_repository() -> None:
    config = shipped().config
    assert 3 <= config.n_layers <= 6
    assert 4 <= config.n_heads <= 8
    assert config.d_head <= 16
    assert config.n_ctx >= 64
    assert 2000 <= config.d_vocab <= 4096
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) <= 10 * 2**20


@pytest.mark.parametrize("prompt", PROMPTS)
def test_transformers_reads_it_and_computes_the_same(prompt: str) -> None:
    oracle = GPT2LMHeadModel.from_pretrained(FOLDER, attn_implementation="eager")
    trace = record(shipped().model, shipped().tokenizer, prompt)
    with torch.inference_mode():
        out = oracle(torch.tensor([trace.ids]), output_attentions=True, output_hidden_states=True)
    np.testing.assert_allclose(trace.logits, out.logits[0], atol=1e-4, rtol=0)
    np.testing.assert_allclose(trace.pattern, np.stack([a[0] for a in out.attentions]), atol=1e-5)
    np.testing.assert_allclose(
        trace.resid_pre, np.stack([h[0] for h in out.hidden_states[:-1]]), atol=1e-4, rtol=0
    )
    np.testing.assert_allclose(trace.ln_final, out.hidden_states[-1][0], atol=1e-4, rtol=0)


@pytest.mark.parametrize("film", [NoPeeking, ClocksForPositions])
def test_films_know_it_by_any_path(film: type[Film]) -> None:
    other_way = Request(checkpoint=Path(os.path.relpath(FOLDER)))
    assert film_of(film, other_way).script() == film_of(film, Request()).script()
