"""Every film of a Llama is clean, and says and shows what such a model has."""

from pathlib import Path

import numpy as np
import pytest
from foreign import write_llama
from played import film_of, shown, turned_entries
from plays import declared_refusals

from checking.check import check_film, play_and_check
from model import checkpoint
from model.trace import Trace, record
from scenes import FILMS
from scenes.attention.queries_keys_values import QueriesKeysValues
from scenes.film import Film, Request

PROMPT = "the old king saw"


@pytest.fixture(scope="module")
def llama(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = (tiny_checkpoint / "tokenizer.json").read_text()
    return write_llama(tmp_path_factory.mktemp("llama"), words)


@pytest.fixture(scope="module")
def request_of(llama: Path) -> Request:
    return Request(prompt=PROMPT, checkpoint=llama, layer=1, head=2)


@pytest.fixture(scope="module")
def trace(llama: Path) -> Trace:
    loaded = checkpoint.load(llama)
    return record(loaded.model, loaded.tokenizer, PROMPT)


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", [PROMPT, "a"])
@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_is_clean_and_what_it_calls_equal_is(
    film: type[Film], prompt: str, llama: Path
) -> None:
    with declared_refusals(film):
        report = check_film(film, Request(prompt=prompt, checkpoint=llama))
    assert report.findings == ()
    gaps = [each for each in report.numbers if each.source.startswith("= largest difference")]
    assert all(gap.value < 1e-4 for gap in gaps)


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_nothing_is_said_of_biases_or_added_positions(
    film: type[Film], request_of: Request
) -> None:
    said = " ".join(line for _, line in film_of(film, request_of).script())
    assert "bias" not in said
    assert "position" not in said


def test_gpt_2_s_own_steps_are_shown_where_they_are(asked: Request, request_of: Request) -> None:
    biases = []
    for request in (asked, request_of):
        film, _ = play_and_check(QueriesKeysValues, request)
        assert isinstance(film, QueriesKeysValues)
        biases.append([each.text for each in film.work.bias])
    assert biases == [["constant"], []]
    assert "turn" not in dict(film_of(QueriesKeysValues, asked).script())["every-column"]


def test_the_query_is_worked_out_and_then_turned_and_so_is_the_key_shown(
    request_of: Request, trace: Trace
) -> None:
    report, film = check_film(QueriesKeysValues, request_of), film_of(QueriesKeysValues, request_of)
    places, values = turned_entries(report, "W_Q")
    assert places
    assert values == pytest.approx(trace.q[1, 2, film.asker][places], abs=1e-4)
    key = shown(report)[f"k[1,2,{film.found},0]"]
    assert key == pytest.approx(trace.k[1, 2, film.found, 0], abs=1e-4)
    for letter, token in (("Q", film.asker), ("K", film.found)):
        vector = getattr(trace, letter.lower())[1, 2, token]
        unturned = trace.ln1[1, token] @ trace.weights[f"W_{letter}"][1, 2]
        assert np.allclose(unturned, vector, atol=1e-2) == (token == 0)  # whose angle is 0
