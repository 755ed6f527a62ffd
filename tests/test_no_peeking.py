"""The film of the mask shows the model's own pattern, and what hiding the future costs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of, shown, trace_of

from checking.check import check_film
from model import checkpoint
from model.errors import Unusable
from model.trace import Trace
from scenes.attention.no_peeking import NoPeeking
from scenes.film import Request
from scenes.hidden_future import KEPT


def unmasked(trace: Trace) -> np.ndarray:
    scores = torch.from_numpy(trace.scores[1, 2].copy()).double()
    return np.asarray(torch.softmax(scores, dim=-1))


def test_the_rows_lose_what_stood_on_the_future(asked: Request) -> None:
    found, weights = shown(check_film(NoPeeking, asked)), unmasked(trace_of(asked))
    for query, left in enumerate(np.tril(weights).sum(axis=-1)):
        source = f"= sum over key of entry {query} of past of softmax over key of scores[1,2,:,:]"
        assert found[source] == pytest.approx(left, rel=1e-5)


def test_both_ways_of_hiding_agree_and_the_counter_says_how_closely(asked: Request) -> None:
    found, trace = shown(check_film(NoPeeking, asked)), trace_of(asked)
    zeroed = np.tril(unmasked(trace))
    shared = zeroed / zeroed.sum(axis=-1, keepdims=True)
    (gap,) = (value for source, value in found.items() if "largest difference" in source)
    assert gap == pytest.approx(np.abs(shared - trace.pattern[1, 2]).max(), rel=1e-3)
    assert gap < 1e-6


def test_the_future_is_minus_infinity_and_then_exactly_nothing(asked: Request) -> None:
    found, tokens = shown(check_film(NoPeeking, asked)), len(trace_of(asked).ids)
    for query in range(tokens):
        for key in range(query + 1, tokens):
            assert found[f"masked[1,2,{query},{key}]"] == -np.inf
            assert found[f"pattern[1,2,{query},{key}]"] == 0


def test_each_exam_shows_the_models_probability_of_the_true_next_token(asked: Request) -> None:
    found, trace = shown(check_film(NoPeeking, asked)), trace_of(asked)
    chances = {source: value for source, value in found.items() if source.startswith("probs")}
    assert chances == {
        f"probs[{pos},{after}]": float(trace.probs[pos, after])
        for pos, after in enumerate(trace.ids[1:])
    }


def test_the_close_up_would_be_the_same_if_the_sentence_ended_there(asked: Request) -> None:
    whole = trace_of(asked)
    three = trace_of(replace(asked, prompt="the old king"))
    assert three.ids == whole.ids[: len(three.ids)]
    first = len(three.ids)
    assert np.allclose(three.pattern[1, 2], whole.pattern[1, 2, :first, :first], atol=1e-6)


@pytest.mark.parametrize("prompt", ["the old king", "the the the the", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_whoever_peeks_has_something_to_peek_at(asked: Request, prompt: str, layer: int) -> None:
    film = film_of(NoPeeking, replace(asked, prompt=prompt, layer=layer))
    assert film.asker < len(film.tokens) - 1
    said = dict(film.script())
    answer = film.tokens[film.asker + 1].strip()
    assert f"the answer, {answer}, is there already" in said["the-answer-is-in-the-input"]
    left = film.ways.left[film.asker].number
    assert f"keeps {left:.2f}" in said["set-the-future-to-zero"]


@pytest.mark.parametrize("prompt", ["a", "the old king", "a red bird saw a dog"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_sum_that_is_pointed_at_is_the_one_that_is_told(
    asked: Request, prompt: str, layer: int
) -> None:
    film = film_of(NoPeeking, replace(asked, prompt=prompt, layer=layer))
    said = dict(film.script())["set-the-future-to-zero"]
    short = film.ways.short(film.asker)
    assert (short is None) == ("keeps" not in said)
    if short is not None:
        left = film.ways.left[short].number
        assert left < KEPT
        assert f"{film.name_of(short)} keeps {left:.2f}." in said


@pytest.mark.parametrize(("prompt", "words"), [("a", "one token"), ("the old", "first two tokens")])
def test_a_short_prompt_is_told_of_truly(asked: Request, prompt: str, words: str) -> None:
    request = replace(asked, prompt=prompt)
    film = film_of(NoPeeking, request)
    assert words in dict(film.script())["a-close-up"]
    assert check_film(NoPeeking, request).findings == ()


@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_the_film_is_clean_in_other_frames(asked: Request, aspect: str) -> None:
    assert check_film(NoPeeking, asked, aspect).findings == ()


def test_a_head_so_sure_that_nothing_is_left_to_share_out_is_told(
    asked: Request, tmp_path: Path
) -> None:
    loaded = checkpoint.load(asked.checkpoint)
    with torch.no_grad():
        for block in loaded.model.blocks:
            block.attn.W_Q.mul_(300)
            block.attn.W_K.mul_(300)
    checkpoint.save(loaded.model, loaded.tokenizer, tmp_path / "sure")
    with pytest.raises(Unusable, match="nothing is left to share out: choose another head"):
        check_film(NoPeeking, replace(asked, checkpoint=tmp_path / "sure"))
