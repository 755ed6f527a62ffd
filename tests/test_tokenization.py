"""A text is cut as the tokenizer cuts it: the merges told are those that it makes, in its order."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from tokenizers import decoders, models, pre_tokenizers

from model.corpus.occurrences import COUNTED, documents_with_word
from model.token_bytes import byte_characters
from model.tokenization import Cutting, cut
from model.tokenizer import Tokenizer

SHIPPED = Path(__file__).parents[1] / "assets" / "gpt" / "tokenizer.json"
TEXTS = (
    "a fluffy blue creature roamed the verdant forest",
    "A robot must obey the orders given it by human beings",
    "the the the the the",
    "supercalifragilistic",
    "I love 🤖 robots",
    "el niño comió café",
    "日本語",
    "2 + 2 = 4",
    "?",
    "tab\tand\nline  two",
)


@pytest.fixture(scope="module")
def words() -> Tokenizer:
    return Tokenizer.load(SHIPPED)


@pytest.mark.parametrize("text", TEXTS)
def test_the_tokens_are_those_of_the_tokenizer(words: Tokenizer, text: str) -> None:
    cutting = cut(words, text)
    assert list(cutting.ids) == words.encode(text)
    assert cutting.raw == text.encode()
    assert [cutting.raw[a:b] for a, b in cutting.spans] == [
        words.token_bytes(token) for token in cutting.ids
    ]


@pytest.mark.parametrize("text", TEXTS)
def test_every_merge_is_the_best_placed_pair_that_is_present(words: Tokenizer, text: str) -> None:
    listed = json.loads(SHIPPED.read_text(encoding="utf-8"))["model"]["merges"]
    places = {tuple(pair): place for place, pair in enumerate(listed, start=1)}
    cutting = cut(words, text)
    ends = {end for _, end in cutting.words}
    edges = list(range(len(cutting.raw) + 1))

    def written(start: int, end: int) -> str:
        return "".join(byte_characters()[byte] for byte in cutting.raw[start:end])

    def present() -> list[int]:
        triples = zip(edges, edges[1:], edges[2:], strict=False)
        pairs = [(written(a, b), written(b, c)) for a, b, c in triples if b not in ends]
        return [places[pair] for pair in pairs if pair in places]

    for merge in cutting.merges:
        assert merge.place == min(present())
        assert listed[merge.place - 1] == [
            written(merge.start, merge.middle),
            written(merge.middle, merge.end),
        ]
        edges.remove(merge.middle)
    assert present() == []
    assert tuple(pairwise(edges)) == cutting.spans


def test_the_places_of_neighbours_are_those_of_the_list(words: Tokenizer) -> None:
    cutting = cut(words, "the one")
    merges = words.merges
    assert cutting.pairs.tolist() == [
        float(merges.get(pair, np.inf))
        for pair in (*pairwise("the"), ("e", "never"), *pairwise("Ġone"))
    ]


def test_characters_cover_the_bytes(words: Tokenizer) -> None:
    assert cut(words, "aé🤖").characters == ((0, 1, "a"), (1, 3, "é"), (3, 7, "🤖"))


def test_merges_of_one_pair_are_one_rule(words: Tokenizer) -> None:
    cutting = cut(words, "the the the")
    assert [len(rule) for rule in cutting.rules] == [3, 2, 2, 1]
    assert cutting.rules[0][0].place == 1


def test_addresses_name_what_was_cut(words: Tokenizer) -> None:
    tensors = cut(words, "the dog").tensors()
    assert tensors["cutting.bytes"].tolist() == list(b"the dog")
    assert tensors["cutting.ids"].tolist() == words.encode("the dog")
    assert {array.dtype for array in tensors.values()} == {np.dtype(np.float32)}


def tokenizer_without_merges() -> Tokenizer:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: i for i, piece in enumerate([*alphabet, "low"])}
    backend = tokenizers.Tokenizer(models.WordLevel(vocabulary, "?"))
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    return Tokenizer(backend)


def test_a_tokenizer_that_does_not_merge_has_no_merges() -> None:
    cutting: Cutting = cut(tokenizer_without_merges(), "low")
    assert (cutting.merges, cutting.listed) == ((), 0)
    assert (cutting.pieces, cutting.spans) == (("low",), ((0, 3),))
    assert np.isinf(cutting.pairs).all()


@pytest.mark.parametrize("first", ["<0x00>", "<0xC3>"])
def test_a_character_comes_as_bytes_whichever_byte_is_the_first_token(first: str) -> None:
    """`é` is the bytes C3 and A9, and a byte may be token 0."""
    lone = [first, *(byte for n in range(256) if (byte := f"<0x{n:02X}>") != first)]
    vocabulary = {token: index for index, token in enumerate([*lone, "a", "<unk>"])}
    backend = tokenizers.Tokenizer(
        models.BPE(vocab=vocabulary, merges=[], byte_fallback=True, unk_token="<unk>")  # noqa: S106
    )
    backend.decoder = decoders.Sequence([decoders.ByteFallback(), decoders.Fuse()])
    assert Tokenizer(backend).units("aé") == [("a", 1), ("<0xC3>", 1), ("<0xA9>", 1)]


def test_documents_are_counted_one_by_one() -> None:
    found = documents_with_word("the")
    assert found.shape == (COUNTED,)
    assert 0.5 < found.mean() < 1
    assert (documents_with_word("The") == found).all()
    assert not documents_with_word("zyzzyva").any()
    assert not documents_with_word("th").any()
