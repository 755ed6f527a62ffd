"""Promises of the film what-comes-next."""

from itertools import pairwise

import numpy as np
import pytest
from played import film_of, numbers

from model import checkpoint
from model.companions import counting, embedding_only, shelf
from model.trace import record, watch
from scenes.film import Request
from scenes.study import SHIPPED
from scenes.task.what_comes_next import WhatComesNext


def test_what_is_listed_after_each_prefix_adds_up_to_one() -> None:
    shown = numbers(WhatComesNext, Request(), beat="a-chance-for-each")
    assert shown["= sum over key of probs[0,:]"] == pytest.approx(1, abs=1e-5)
    chances = [number for source, number in shown.items() if "count" not in source]
    assert sum(chances) == pytest.approx(2, abs=1e-4)  # the parts, and the whole


def test_the_simpler_models_say_what_counting_and_two_tables_give() -> None:
    gpt = checkpoint.load(SHIPPED)
    trace = record(gpt.model, gpt.tokenizer, WhatComesNext.prompt)
    shown = numbers(WhatComesNext, Request(), beat="with-less")
    expected = {
        "last_one": embedding_only.probs(shelf.load("embedding-only").tensors, trace.ids)[-1],
        "last_two": counting.probs(shelf.load("counting").tensors, trace.ids)[-1],
    }
    for name, probs in expected.items():
        best = int(np.argmax(probs))
        at = len(trace.ids) - 1
        assert shown[f"{name}.probs[{at},{best}]"] == pytest.approx(probs[best], rel=1e-5)


def test_what_is_likeliest_in_a_gap_inside_is_so_for_the_whole_text() -> None:
    film = film_of(WhatComesNext, Request())
    named = [film.words()[name] for name in ("leader", "winner")]
    assert named == ["Japan", "Italy"]
    gpt = checkpoint.load(SHIPPED)
    wholes = []
    for token in film.contenders:
        ids = [*film.trace.ids[: film.place], token, *film.trace.ids[film.place + 1 :], film.answer]
        probs = watch(gpt.model, ids)["probs"].astype(float)
        wholes.append(probs[np.arange(len(ids) - 1), ids[1:]][film.place - 1 :].prod())
    ends = [chances[-1].number for chances in film.so_far]
    assert ends == pytest.approx(wholes, rel=1e-4)
    assert film.winner == int(np.argmax(wholes))
    shown = numbers(WhatComesNext, Request(), beat="a-gap-inside")
    products = [value for source, value in shown.items() if " * " in source]
    assert max(wholes) in [pytest.approx(each, rel=1e-4) for each in products]


def test_the_word_that_is_named_at_the_end_is_one_of_those_needed_most() -> None:
    film = film_of(WhatComesNext, Request())
    assert film.name_of(film.needed) == "Italy"
    assert film.without[film.needed].number < 0.1 * film.own.number
    assert film.without[1].number == pytest.approx(film.own.number, abs=0.02)  # "famous"


def test_what_no_longer_fits_stays_listed_for_a_while_and_the_answer_always_is() -> None:
    film = film_of(WhatComesNext, Request())
    for before, after in pairwise(film.first[1:]):
        assert before[0] in after
        assert film.answer in after
