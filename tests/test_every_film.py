"""What holds for every film: its numbers are those of the model that it was asked to show."""

import math
import re
from dataclasses import replace
from pathlib import Path

import pytest
from played import numbers

from model import checkpoint
from model.errors import Unusable
from model.gpt import GPT, Config
from rendering.check import check_film
from rendering.pictures import Picture
from rendering.playing import staged
from scenes import FILMS
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.attention.many_heads import ManyHeads
from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.chapter import Chapter, Request

TENSOR = re.compile(r"\b[\w.]+\[[\d,:]+\]")
OF_NO_MODEL = re.compile(r"\b(cutting|random_vectors|one_hot)\b")  # tokens, chance, zeros and ones
SAME_FOR_ALL = re.compile(
    r"= \(*(largest difference|entries in|sum over key of (entry \d+ of |pattern))"
)
SHOWS_NO_NUMBER_OF_THE_MODEL = {"cutting-text-into-tokens", "one-head-as-matrices"}


def comes_from_the_model(source: str) -> bool:
    is_of_a_model = TENSOR.search(source) and not OF_NO_MODEL.search(source)
    return bool(is_of_a_model) and not SAME_FOR_ALL.match(source)


def is_free(number: float) -> bool:
    """Whether a model decides it: the future is hidden in any, and the first token sees itself."""
    return math.isfinite(number) and number != 0 and not math.isclose(number, 1)


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_another_model_changes_every_number_that_comes_from_it(
    film: type[Chapter], asked: Request, other: Request
) -> None:
    before, after = numbers(film, asked), numbers(film, other)
    both = before.keys() & after.keys()
    shared = [each for each in both if comes_from_the_model(each) and is_free(before[each])]
    assert len(shared) > 10 or film.slug() in SHOWS_NO_NUMBER_OF_THE_MODEL
    assert [source for source in shared if before[source] == after[source]] == []


@pytest.mark.parametrize("film", [ScaleThenSoftmax, OneHeadAsMatrices, ManyHeads])
def test_formulas_with_the_root_of_d_head_are_not_shown_of_a_model_without_it(
    film: type[Chapter], asked: Request, tmp_path: Path
) -> None:
    loaded = checkpoint.load(asked.checkpoint)
    assert isinstance(loaded.config, Config)
    unscaled = GPT(replace(loaded.config, scores_over_sqrt_d_head=False))
    unscaled.load_state_dict(loaded.model.state_dict())
    checkpoint.save(unscaled, loaded.tokenizer, tmp_path)
    with pytest.raises(Unusable, match="does not divide dot products"):
        check_film(film, replace(asked, checkpoint=tmp_path))
    assert not check_film(DotProductGrid, replace(asked, checkpoint=tmp_path)).findings


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_lasts_about_as_long_as_it_says(film: type[Chapter]) -> None:
    with staged(film, Request(beats=frozenset()), Picture(), Path()) as played:
        played.render()
    assert sum(said.duration for said in played.timeline) == pytest.approx(film.seconds, rel=0.1)
