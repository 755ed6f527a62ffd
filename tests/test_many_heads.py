"""The film of many heads: two heads of one layer ask two things, and their changes add up."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from played import checked, film_of, numbers, trace_of

from model import checkpoint
from model.errors import Unusable
from model.gpt import GPT, Config
from rendering.pictures import Picture
from rendering.playing import staged
from scenes.attention.many_heads import ManyHeads
from scenes.film import Request

OURS = Request(prompt=ManyHeads.prompt)


def test_the_shipped_model_asks_what_the_forest_is_like_and_which_one() -> None:
    film = film_of(ManyHeads, OURS)
    assert film.is_ours
    for row, key in zip(film.rows, film.keys, strict=True):
        assert row.array[key] > 0.6


@pytest.mark.parametrize(
    ("prompt", "noun", "article"),
    [
        ("a tired robot found the old house", " house", " the"),
        ("the king and a queen walked in the dark garden", " garden", " the"),
        ("the small dog saw a red ball", " ball", " a"),
    ],
)
def test_the_head_that_asks_which_one_finds_the_article_in_other_sentences(
    prompt: str, noun: str, article: str
) -> None:
    ours = film_of(ManyHeads, OURS)
    head, trace = ours.pair.heads[1], trace_of(replace(OURS, prompt=prompt))
    row = trace.pattern[ours.layer, head, trace.pieces.index(noun)]
    assert trace.pieces[int(row.argmax())] == article


def test_the_changes_of_all_heads_and_the_bias_sum_to_what_the_layer_adds(asked: Request) -> None:
    film, trace = film_of(ManyHeads, asked), trace_of(asked)
    parts = trace.head_out[film.layer, :, film.asker].sum(axis=0) + trace.weights.b_O[film.layer]
    assert np.allclose(parts, trace.attn_out[film.layer, film.asker], atol=1e-5)


def test_arrows_of_changes_end_to_end_lie_as_the_changes_do(asked: Request, tmp_path: Path) -> None:
    """The two are true in length and angle; all end where their sum does, seen in that plane."""
    small = Picture(width=256, height=144, fps=5, format="png")
    request = replace(asked, beats=frozenset(), until="two-questions")
    with staged(ManyHeads, request, small, tmp_path) as film:
        assert isinstance(film, ManyHeads)
        film.render()
        drawn = np.array([arrow.tip - arrow.tail for arrow in film.chain.arrows])
        end = film.chain.rest.tip - film.chain.start
    pair = np.stack([film.changes[head].double for head in film.pair.heads])
    np.testing.assert_allclose(
        (drawn @ drawn.T) / (drawn[0] @ drawn[0]), (pair @ pair.T) / (pair[0] @ pair[0]), atol=1e-5
    )
    whole = sum(each.double for each in film.changes)
    np.testing.assert_allclose(
        drawn @ end / (drawn[0] @ drawn[0]), pair @ whole / (pair[0] @ pair[0]), atol=1e-5
    )


def test_half_of_a_row_is_what_both_questions_get(asked: Request) -> None:
    film = film_of(ManyHeads, asked)
    found = numbers(ManyHeads, asked, "asking-twice")
    for key in film.keys:
        assert any(
            value == pytest.approx(sum(float(row.array[key]) for row in film.rows) / 2)
            for value in found.values()
        )


def test_the_two_heads_that_are_said_to_disagree_do(asked: Request) -> None:
    film = film_of(ManyHeads, asked)
    assert [int(row.array.argmax()) for row in film.rows] == list(film.keys)
    said = dict(film.script())["two-rows-leave-their-patterns"]
    assert re.search(f"at {re.escape(film.words()['other'])}", said)


def test_a_layer_of_one_head_is_refused_in_a_sentence(asked: Request, tmp_path: Path) -> None:
    loaded = checkpoint.load(asked.checkpoint)
    model = GPT(Config(1, 1, 24, 48, 64, loaded.tokenizer.d_vocab)).eval()
    checkpoint.save(model, loaded.tokenizer, tmp_path / "one")
    with torch.no_grad(), pytest.raises(Unusable, match="two heads or more"):
        film_of(ManyHeads, replace(asked, checkpoint=tmp_path / "one", layer=0, head=0))


@pytest.mark.sweep
@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert checked(ManyHeads, asked, aspect).findings == ()
