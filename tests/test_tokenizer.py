"""Our tokenizer keeps ordinary words whole, and gives every text back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from model import byte_pairs, corpus, lexicon
from model.token_bytes import byte_characters
from model.tokenizer import END_OF_TEXT, Tokenizer

HERE = Path(__file__).parent
SHIPPED = HERE.parent / "assets" / "gpt" / "tokenizer.json"
SOME, ALL = 2_000, 100_000  # documents to learn from; the shipped one learned from all
WORD = re.compile(r"(?<!\w['\u2019])\b[^\W\d_]+")  # the t of don't is its apostrophe's
FILM_WORDS = (
    *("fluffy", "blue", "creature", "roamed", "verdant", "forest", "robot", "must", "obey"),
    *("orders", "given", "human", "beings", "cleverest", "thinker", "apple", "orange", "watch"),
    *("banana", "lemon", "king", "queen", "man", "woman", "mole", "basketball"),
)
STRANGE_TEXTS = (
    "",
    " ",
    "a  b\n\n\tc ",
    "Grüße, naïve Æsop!",
    "こんにちは世界",
    "مرحبا 🤖👩‍👩‍👧 ok",
    "e\u0301 \u200b \ufeff \x00 \x7f",
    f"before{END_OF_TEXT}after",
    "Ġ Ċ ⟨F0⟩",
)


def trained(documents: int) -> Tokenizer:
    texts = corpus.tokenizer_texts(0, documents)
    return Tokenizer(byte_pairs.train(texts, 4096, corpus.tokenizer_worth()))


@pytest.fixture(scope="module", params=["shipped", "trained on some documents"])
def tokens(request: pytest.FixtureRequest) -> Tokenizer:
    return Tokenizer.load(SHIPPED) if request.param == "shipped" else trained(SOME)


@pytest.mark.sweep
def test_the_shipped_tokenizer_is_the_one_that_our_text_gives() -> None:
    assert json.loads(trained(ALL).to_json()) == json.loads(SHIPPED.read_text(encoding="utf-8"))


def share_of_whole_words(tokens: Tokenizer, file: str) -> float:
    whole = total = 0
    for sentence in (HERE / file).read_text(encoding="utf-8").splitlines():
        spans = set(tokens.offsets(sentence))
        for word in WORD.finditer(sentence):
            space_before = word.start() > 0 and sentence[word.start() - 1] == " "
            total += 1
            whole += (word.start() - space_before, word.end()) in spans
    return whole / total


def test_words_of_the_films_are_one_token(tokens: Tokenizer) -> None:
    assert [word for word in FILM_WORDS if len(tokens.encode(f" {word}")) != 1] == []
    starts = ("a", "A", "The", "To", "I", "Once", "How", "Michael")
    assert [word for word in starts if len(tokens.encode(word)) != 1] == []


def test_ordinary_words_are_one_token(tokens: Tokenizer) -> None:
    assert share_of_whole_words(tokens, "ordinary_sentences.txt") >= 0.95
    assert share_of_whole_words(tokens, "ordinary_check.txt") >= 0.95
    assert share_of_whole_words(tokens, "ordinary_blind.txt") >= 0.95


def test_measured_phrases_and_facts_are_whole(tokens: Tokenizer) -> None:
    phrases = corpus.noun_phrases(0, 300)
    whole = [
        all(len(tokens.encode(f" {p.text[a:b]}")) == 1 for a, b in (p.noun, *p.adjectives))
        for p in phrases
    ]
    assert sum(whole) >= 0.99 * len(phrases)
    answers = {fact.answer for fact in corpus.facts()}
    assert [answer for answer in answers if len(tokens.encode(f" {answer}")) != 1] == []


def test_every_merge_makes_a_token_of_tokens(tokens: Tokenizer) -> None:
    model = json.loads(tokens.to_json())["model"]
    made = {left + right for left, right in model["merges"]}
    characters = set(byte_characters().values())
    assert made | characters | {END_OF_TEXT} == set(model["vocab"])
    assert sorted(model["vocab"].values()) == list(range(4096))
    for left, right in model["merges"]:
        assert {left, right} <= made | characters


def test_merges_left_out_are_no_step_to_a_piece_that_stays() -> None:
    texts = ["low lower lowest new newer newest wide wider widest"] * 5
    words = Tokenizer(byte_pairs.train(texts, 265, {" widest": 2, " wide": 1, " never": 9}))
    assert len(words.encode(" widest")) == 1
    assert words.d_vocab == 265


def test_rare_words_break_into_pieces(tokens: Tokenizer) -> None:
    for word in (" photosynthesis", " electroencephalography", " Grundgesetz"):
        assert len(tokens.encode(word)) > 1


@pytest.mark.parametrize("text", STRANGE_TEXTS)
def test_any_text_comes_back_as_it_was(tokens: Tokenizer, text: str) -> None:
    assert tokens.decode(tokens.encode(text)) == text


def test_documents_come_back_as_they_were(tokens: Tokenizer) -> None:
    for _, text in zip(range(300), corpus.documents(3, "held_out"), strict=False):
        assert tokens.decode(tokens.encode(text)) == text


def test_a_control_token_in_a_prompt_is_only_text(tokens: Tokenizer) -> None:
    assert tokens.end_of_text not in tokens.encode(END_OF_TEXT)
    assert tokens.decode([tokens.end_of_text]) == END_OF_TEXT


def test_pieces_of_plain_text_join_to_the_text(tokens: Tokenizer) -> None:
    text = "a fluffy blue creature\nroamed the Grundgesetz."
    pieces = tokens.pieces(tokens.encode(text))
    assert "".join(pieces) == text
    assert pieces[1] == " fluffy"


def test_bytes_that_are_no_whole_character_are_shown_as_numbers(tokens: Tokenizer) -> None:
    assert "".join(tokens.pieces(tokens.encode("🤖"))) == "⟨F0⟩⟨9F⟩⟨A4⟩⟨96⟩"


def test_offsets_cover_the_text(tokens: Tokenizer) -> None:
    text = "a fluffy blue creature"
    assert tokens.offsets(text) == [(0, 1), (1, 8), (8, 13), (13, 22)]


def test_every_byte_has_a_token(tokens: Tokenizer) -> None:
    singles = {tokens.token_bytes(token) for token in range(tokens.d_vocab)}
    assert {bytes([byte]) for byte in range(256)} <= singles
    assert tokens.d_vocab == 4096


def test_a_saved_tokenizer_is_the_same(tokens: Tokenizer, tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text(tokens.to_json(), encoding="utf-8")
    again = Tokenizer.load(tmp_path / "tokenizer.json")
    for text in STRANGE_TEXTS:
        assert again.encode(text) == tokens.encode(text)


def test_transformers_reads_the_saved_tokenizer(tokens: Tokenizer, tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    (tmp_path / "tokenizer.json").write_text(tokens.to_json(), encoding="utf-8")
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    text = "To date, the cleverest thinker of all time was 🤖."
    assert theirs(text)["input_ids"] == tokens.encode(text)
    assert theirs.decode(tokens.encode(text)) == text


def test_the_same_text_gives_the_same_tokenizer() -> None:
    first, second = (byte_pairs.train(corpus.tokenizer_texts(0, 500), 600) for _ in range(2))
    assert first.to_str() == second.to_str()


def test_the_lexicon_has_at_least_1500_words_with_their_parts_of_speech() -> None:
    words = {word: parts for word, parts in lexicon.lemmas().items() if " " not in word}
    assert len(words) >= 1500
    assert all(words.values())
