"""The film of the mask shows the model's own pattern, and what hiding the future costs."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from played import checked, film_of, shown, trace_of

from model import checkpoint
from model.errors import Unusable
from scenes.analysis.selection import is_whole_word
from scenes.attention.no_peeking import LIKELY, NoPeeking
from scenes.figures.exam import Exam
from scenes.film import Request
from scenes.region import Region


def test_the_numbers_are_those_of_pytorch_and_of_the_model(asked: Request) -> None:
    report = checked(NoPeeking, asked)
    assert report.findings == ()
    found, trace = shown(report), trace_of(asked)
    film = film_of(NoPeeking, asked)
    scores = torch.from_numpy(trace.scores[film.layer, film.head].copy()).double()
    weights = np.tril(torch.softmax(scores, dim=-1).numpy())
    for left, row in zip(film.left, weights, strict=True):
        assert left.number == pytest.approx(row.sum(), rel=1e-5)
        assert found[left.source] == left.number
    where = f"{film.layer},{film.head}"
    for query, key in zip(*np.triu_indices(len(weights), 1), strict=True):
        assert found[f"masked[{where},{query},{key}]"] == -np.inf
        assert found[f"pattern[{where},{query},{key}]"] == 0
    for pos, after in enumerate(trace.ids[1:]):
        assert found[f"probs[{pos},{after}]"] == pytest.approx(float(trace.probs[pos, after]))


def test_both_ways_of_hiding_lead_to_the_same_pattern(asked: Request) -> None:
    film = film_of(NoPeeking, asked)
    assert np.abs(film.repaired.array - film.pattern.array).max() < 1e-6


def test_in_the_shipped_model_the_first_guess_is_hard_and_a_row_of_some_words_loses_most() -> None:
    film = film_of(NoPeeking, Request())
    assert film.chances[film.hardest].number < 0.1
    assert film.poorest > 0  # sharing out again is seen where there is more than one to share it
    assert film.left[film.poorest].number < 0.5
    said = dict(film.script())
    assert "Almost anything could" in said["the-next-word"]
    assert not film.is_read(film.trace.text)  # "honest-guesses" need not tell of memory


@pytest.mark.parametrize("prompt", ["a fluffy blue creature roamed", "the old king"])
def test_what_is_bet_on_the_first_word_adds_up_to_one(asked: Request, prompt: str) -> None:
    film = film_of(NoPeeking, replace(asked, prompt=prompt))
    answers, region = [("next", chance) for chance in film.chances], Region(-6, 6, -3, 3)
    bets = answers, film.likeliest
    exam = Exam(film.tokens, *bets, region, hardest=film.hardest)
    told = [film.chances[film.hardest], *(rival.value for rival in exam.rivals)]
    assert sum(bet.number for bet in told) == pytest.approx(1, abs=1e-5)


def test_whole_words_are_those_that_no_letters_follow() -> None:
    pieces = ["a", " do", "g", " saw", " 12", " old", ",", " king"]
    assert [at for at in range(1, 8) if is_whole_word(pieces, at)] == [3, 5, 7]


def test_where_one_next_word_is_likely_nobody_says_that_anything_could_come(asked: Request) -> None:
    film = film_of(NoPeeking, replace(asked, prompt="Zürich 12 and the old king"))
    likeliest = film.tensor("probs").array[film.hardest].max()
    said = dict(film.script())["the-next-word"]
    assert ("Almost anything could" in said) == (likeliest <= LIKELY)


@pytest.mark.parametrize("prompt", ["the old king", "the the the the", "a red bird saw a dog"])
def test_what_is_said_names_the_hardest_guess(asked: Request, prompt: str) -> None:
    film = film_of(NoPeeking, replace(asked, prompt=prompt))
    words = [at for at in range(1, len(film.tokens)) if is_whole_word(film.tokens, at)]
    assert film.chances[film.hardest].number == min(film.chances[at - 1].number for at in words)
    answer = film.tokens[film.hardest + 1].strip()
    assert f"And “{answer}”, which does come next, gets" in dict(film.script())["the-next-word"]


def test_a_short_prompt_is_clean_and_a_shorter_one_refused(asked: Request) -> None:
    assert checked(NoPeeking, replace(asked, prompt="the old king")).findings == ()
    with pytest.raises(Unusable, match="three tokens or more: try"):
        film_of(NoPeeking, replace(asked, prompt="the old"))


@pytest.mark.sweep
@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_the_film_is_clean_in_other_frames(asked: Request, aspect: str) -> None:
    assert checked(NoPeeking, asked, aspect).findings == ()


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
        checked(NoPeeking, replace(asked, checkpoint=tmp_path / "sure"))
