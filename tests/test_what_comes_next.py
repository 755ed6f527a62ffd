"""Promises of the film what-comes-next."""

import numpy as np
import pytest
from played import numbers

from model import checkpoint
from model.companions import counting, embedding_only, shelf
from model.trace import record
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
    shown = numbers(WhatComesNext, Request(), beat="read-it-all")
    expected = {
        "last_one": embedding_only.probs(shelf.load("embedding-only").tensors, trace.ids)[-1],
        "last_two": counting.probs(shelf.load("counting").tensors, trace.ids)[-1],
    }
    for name, probs in expected.items():
        best = int(np.argmax(probs))
        at = len(trace.ids) - 1
        assert shown[f"{name}.probs[{at},{best}]"] == pytest.approx(probs[best], rel=1e-5)


def test_the_product_is_the_chance_of_the_whole_text() -> None:
    gpt = checkpoint.load(SHIPPED)
    trace = record(gpt.model, gpt.tokenizer, WhatComesNext.prompt)
    came = trace.probs[np.arange(len(trace.ids) - 1), trace.ids[1:]]
    shown = numbers(WhatComesNext, Request(), beat="the-whole-text")
    products = [value for source, value in shown.items() if " * " in source]
    assert min(products) == pytest.approx(came.astype(float).prod(), rel=1e-4)
