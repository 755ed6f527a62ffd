"""The film that cuts a text shows the tokenizer that it was asked for, and counts truly."""

import re
from itertools import islice
from pathlib import Path

import pytest
from played import checked
from plays import Play, Plays

from checking.report import Report
from model import checkpoint, corpus
from model.corpus.occurrences import COUNTED
from rendering.playing import read
from scenes.analysis.broken_word import RARE
from scenes.film import Request
from scenes.study import SHIPPED
from scenes.vectors.cutting_text_into_tokens import INSIDE, CuttingTextIntoTokens

PACE = {"freeze", "sparse"}  # held for the sentence that the film was made for
PROMPT = CuttingTextIntoTokens.prompt


def film(prompt: str | None = None, folder: Path = SHIPPED) -> CuttingTextIntoTokens:
    found = read(CuttingTextIntoTokens, Request(checkpoint=folder, prompt=prompt))
    assert isinstance(found, CuttingTextIntoTokens)
    return found


def script(prompt: str | None = None) -> dict[str, str]:
    return dict(film(prompt).script())


@pytest.fixture
def shown(plays: Plays) -> Report:
    play = plays.of(CuttingTextIntoTokens, "default")
    assert isinstance(play, Play)
    return play.report


def test_every_id_is_shown(shown: Report) -> None:
    numbers = {number.source: number.value for number in shown.numbers}
    ids = checkpoint.load(SHIPPED).tokenizer.encode(PROMPT)
    assert [numbers[f"cutting.ids[{place}]"] for place in range(len(ids))] == ids
    assert shown.findings == ()


def test_the_word_of_the_opening_is_cut_where_nobody_would_cut_it() -> None:
    tokenizer = checkpoint.load(SHIPPED).tokenizer
    pieces = tokenizer.pieces(tokenizer.encode(f" {RARE[0]}"))
    assert len(pieces) > 2
    assert INSIDE.strip() not in pieces
    assert len(tokenizer.encode(INSIDE)) == 1  # with its space it is a token
    assert len(tokenizer.encode(INSIDE.strip())) > 1  # without it, none


def test_the_opening_shows_the_space_on_which_its_pieces_hang() -> None:
    played = film()
    assert "with the space before it" in script()["where-would-you-cut"]
    assert "".join(played.hook.pieces[place] for place in played.hook.own) == f" {RARE[0]}"


def test_no_document_counted_has_that_word_and_the_others_are_counted_truly() -> None:
    texts = islice(corpus.documents(0, "train"), COUNTED)
    words = [set(re.findall(r"\w+", text.lower())) for text in texts]
    played = film()
    assert played.words_listed[-1] == RARE[0]
    assert [value.number for value in played.found] == [
        sum(word in each for each in words) for word in played.words_listed
    ]
    assert played.found[-1].number == 0


def test_what_is_learned_first_is_what_the_shipped_tokenizer_learned() -> None:
    assert film().is_ours
    assert "it's “h” and “e”" in script()["count-the-neighbours"]
    assert "soon “the” is one piece" in script()["glue-and-count-again"]


@pytest.mark.parametrize(
    ("prompt", "beat", "said"),
    [
        (None, "a-stream-of-numbers", "“rainforest” is 1,606, 1,193 and 329."),
        ("a", "where-would-you-cut", "After “rain”, surely."),
        ("a", "a-stream-of-numbers", "not one letter"),
        ("strawberry", "what-is-left", "“strawberry” in 6 pieces"),
        ("supercalifragilistic", "where-would-you-cut", "11 pieces. Why?"),
        ("el niño", "letters-are-many", "28 pairs, against"),
    ],
)
def test_what_is_said_is_true_for_odd_prompts(prompt: str | None, beat: str, said: str) -> None:
    assert said in script(prompt)[beat]


@pytest.mark.sweep
@pytest.mark.parametrize("prompt", ["a", "2 + 2 = 4", "I love 🤖 robots", "the the the the the"])
@pytest.mark.parametrize("aspect", ["16:9", "9:16", "1:1"])
def test_the_film_is_clean_in_every_shape(prompt: str, aspect: str) -> None:
    report = checked(CuttingTextIntoTokens, Request(prompt=prompt), aspect)
    assert [each for each in report.findings if each.kind not in PACE] == []
