"""Films are clean for any tokenizer, and the one that cuts a text tells the truth of it."""

from pathlib import Path
from typing import Any

import pytest
import tokenizers
from foreign import BEGIN, KINDS, begun, gapped, open_boxes, three_words, word_pieces, write_gpt
from played import film_of
from plays import declared_refusals

from checking.check import check_film
from checking.report import Finding
from model.tokenization import Cutting, cut
from model.tokenizer import Tokenizer
from scenes import FILMS
from scenes.film import Film, Request
from scenes.vectors.cutting_text_into_tokens import CuttingTextIntoTokens
from scenes.vectors.from_one_hot_to_embedding import FromOneHotToEmbedding

pytestmark = pytest.mark.sweep  # many models by many films: for `make sweep`

SHORT, ODD, LONGER = "the blue", "é 🤖 the", "the blue forest"
OF_TOKENS = (CuttingTextIntoTokens, FromOneHotToEmbedding)


def findings(film: type[Film], request: Request) -> tuple[Finding, ...]:
    """Check a film of a model that it can show; skip where it says what it lacks."""
    with declared_refusals(film):
        return check_film(film, request).findings


def cut_by(kind: Any, text: str) -> Cutting:
    return cut(Tokenizer(tokenizers.Tokenizer.from_str(kind().to_str())), text)


def script(folder: Path, prompt: str) -> dict[str, str]:
    return dict(film_of(CuttingTextIntoTokens, Request(prompt=prompt, checkpoint=folder)).script())


@pytest.fixture(scope="module", params=KINDS.values(), ids=KINDS.keys())
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_gpt(tmp_path_factory.mktemp("foreign"), request.param())


@pytest.mark.parametrize("prompt", [SHORT, ODD])
@pytest.mark.parametrize("film", OF_TOKENS, ids=lambda film: film.slug())
def test_a_film_of_tokens_is_clean(folder: Path, film: type[Film], prompt: str) -> None:
    with declared_refusals(film):
        assert check_film(film, Request(prompt=prompt, checkpoint=folder)).findings == ()


@pytest.mark.parametrize(
    "film", [film for film in FILMS if film not in OF_TOKENS], ids=lambda film: film.slug()
)
@pytest.mark.parametrize("kind", [open_boxes, begun, word_pieces, gapped])
def test_any_other_film_is_clean(film: type[Film], kind: Any, tmp_path: Path) -> None:
    folder = write_gpt(tmp_path, kind())
    with declared_refusals(film):
        assert findings(film, Request(prompt=LONGER, checkpoint=folder)) == ()


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_is_clean_for_one_small_head(film: type[Film], tmp_path: Path) -> None:
    sizes = {"n_layer": 1, "n_head": 1, "n_embd": 8, "n_positions": 8, "vocab_size": 4}
    folder = write_gpt(tmp_path, three_words(), **sizes)
    with declared_refusals(film):
        assert findings(film, Request(prompt="a b a", checkpoint=folder)) == ()


@pytest.mark.parametrize("text", [SHORT, ODD, "fluffy  forest"])
@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS.keys())
def test_spans_cover_the_bytes_and_are_the_tokens(kind: Any, text: str) -> None:
    cutting = cut_by(kind, text)
    assert len(cutting.spans) == len(cutting.ids) == len(cutting.pieces)
    assert "".join(f"{a}-{b}," for a, b in cutting.spans).startswith("0-")
    assert [b for _, b in cutting.spans[:-1]] == [a for a, _ in cutting.spans[1:]]
    assert cutting.spans[-1][1] == len(cutting.raw)
    assert cutting.words[-1][1] == len(cutting.raw)


def test_tokens_put_around_a_text_are_shown_and_not_spelled_out() -> None:
    for kind, name in ((begun, BEGIN), (open_boxes, "<s>")):
        cutting = cut_by(kind, "the blue")
        assert cutting.pieces[0] == name
        assert cutting.spans[0] == (0, 0)
        assert cutting.around == (name,)
        assert cutting.raw.strip() == b"the blue"


def test_what_looks_like_such_a_token_in_a_text_is_its_text() -> None:
    assert cut_by(begun, BEGIN).raw == BEGIN.encode()


def test_an_unknown_part_stands_for_its_own_bytes() -> None:
    cutting = cut_by(word_pieces, "🤖 the")
    assert cutting.raw == "🤖 the".encode()
    assert cutting.pieces[0] == "[UNK]"
    assert not cutting.is_known


def test_merges_of_characters_lead_to_the_tokens() -> None:
    cutting = cut_by(open_boxes, "the fluffy blue")
    assert cutting.is_merged
    assert cutting.raw == b" the fluffy blue"
    gaps = {gap for start, end in cutting.spans for gap in range(start, end - 1)}
    assert {merge.middle - 1 for merge in cutting.merges} == gaps


def test_a_character_of_several_bytes_that_is_known_is_never_in_parts() -> None:
    backend = tokenizers.Tokenizer(
        tokenizers.models.BPE({"é": 0, "a": 1, "éa": 2, "▁": 3}, [("é", "a")])
    )
    cutting = cut(Tokenizer(backend), "éa")
    assert (cutting.whole, cutting.is_merged) == ((0,), True)
    assert [(merge.start, merge.middle, merge.end) for merge in cutting.merges] == [(0, 2, 3)]


def test_a_space_that_only_the_tokenizer_puts_there_is_told_of(tmp_path: Path) -> None:
    folder = write_gpt(tmp_path, open_boxes())
    film = film_of(CuttingTextIntoTokens, Request(prompt="the blue", checkpoint=folder))
    assert isinstance(film, CuttingTextIntoTokens)
    assert film.cutting.raw == b" the blue"
    assert [film.cutting.pieces[0], film.cutting.own[0]] == ["<s>", 1]


def test_a_tokenizer_without_merges_is_told_of_truly(tmp_path: Path) -> None:
    said = script(write_gpt(tmp_path, word_pieces()), "the blue")
    assert "it looks for them" in said["glue-in-the-same-order"]
    assert "This language model does not" in said["where-would-you-cut"]


def test_gaps_in_a_vocabulary_are_counted(tmp_path: Path) -> None:
    said = script(write_gpt(tmp_path, gapped()), "the")
    assert "1 pieces are kept" in said["glue-in-the-same-order"]
    assert not Tokenizer(gapped()).has(0)
    assert Tokenizer(gapped()).has(899)
    assert not Tokenizer(gapped()).has(-1)
