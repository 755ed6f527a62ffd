from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import pytest

from model import corpus, lexicon
from model.corpus.grammar import rules
from model.corpus.seeds import document_seeds, is_held_document, is_held_pair

if TYPE_CHECKING:
    from collections.abc import Iterator

MANY = 10_000


@pytest.fixture(scope="module")
def train() -> list[str]:
    return list(islice(corpus.documents(0, "train"), MANY))


def pairs(text: str) -> Iterator[tuple[str, str]]:
    """Each adjective with the noun that it is said of, as far as the text shows plainly."""
    kinds = lexicon.sections("adjectives")
    adjectives = {word for words in kinds.values() for word in words}
    nouns = {
        noun.singular for kind in ("animal", "person", "nature") for noun in lexicon.nouns(kind)
    }
    for sentence in re.split(r"[.!?,:;\n]", text.lower()):
        words = sentence.split()
        for index, word in enumerate(words):
            if word not in nouns or (index and word in adjectives):
                continue
            before = index - 1
            while before >= 0 and words[before] in adjectives:
                yield words[before], word
                before -= 1
            said = words[index + 2 : index + 3]
            if words[index + 1 : index + 2] == ["was"] and adjectives.issuperset(said):
                yield from ((adjective, word) for adjective in said)


def test_the_same_seed_writes_the_same_text() -> None:
    first, second = (list(islice(corpus.documents(7, "train"), 500)) for _ in range(2))
    assert first == second
    assert first != list(islice(corpus.documents(8, "train"), 500))


def test_held_out_documents_are_never_trained_on() -> None:
    trained = set(islice(document_seeds(0, "train"), MANY))
    held = set(islice(document_seeds(0, "held_out"), 1_000))
    assert all(is_held_document(seed) for seed in held)
    assert not any(is_held_document(seed) for seed in trained)


def test_held_out_pairs_never_meet_in_training() -> None:
    text = corpus.documents(1, "train")
    met = {pair for _, document in zip(range(3000), text, strict=False) for pair in pairs(document)}
    assert len(met) > 1000
    assert sorted(pair for pair in met if is_held_pair(*pair)) == []


def test_one_pair_in_ten_is_held_out() -> None:
    nouns = [noun.singular for noun in lexicon.nouns("animal")]
    held = [is_held_pair(word, noun) for word in lexicon.adjectives("colour") for noun in nouns]
    assert 0.05 < sum(held) / len(held) < 0.15


def test_documents_are_short(train: list[str]) -> None:
    words = sorted(len(re.findall(r"\w+|[^\w\s]", document)) for document in train)
    assert words[0] >= 1
    assert words[-1] <= 110
    assert 8 <= words[len(words) // 2] <= 60


def test_no_slot_is_left_empty(train: list[str]) -> None:
    assert [
        document
        for document in train
        if re.search(r"[{}]|\b(a a|the the)\b", document) and "dict_en2fr" not in document
    ] == []


def test_every_rule_can_be_written() -> None:
    written = {part for alternatives in rules().values() for row in alternatives for part in row}
    assert len(written) > 1000


def test_the_article_fits_the_word_after_it(train: list[str]) -> None:
    text = "\n".join(document for document in train if "=>" not in document)
    wrong = re.findall(
        r"\b(?:a (?:apple|old|angry|orange|empty)|an (?:dog|big|blue|uniform))\b", text
    )
    assert wrong == []


def test_a_sentence_starts_with_a_capital_or_the_whole_text_has_none(train: list[str]) -> None:
    broken = [text for text in train if re.search(r"[A-Z].*[a-z][.?] [a-z]", text)]
    assert len(broken) < len(train) / 20


def test_the_sentences_of_the_films_occur(train: list[str]) -> None:
    text = "\n".join(train).lower()
    for sentence in (
        "a fluffy blue creature roamed the verdant forest. the creature was fluffy and blue.",
        "a robot must obey the orders given it by human beings",
        "to date, the cleverest thinker of all time was",
        "once upon a time, there was a",
        "michael jordan plays the sport of basketball",
        "i bought an apple watch",
        "the animal didn't cross the street because it was too",
        "how are you?",
        "american shrew mole",
        "user: ",
        "apple => pomme",
    ):
        assert sentence in text, sentence


def test_the_cleverest_thinker_may_be_many_people() -> None:
    prompt = "the cleverest thinker of all time was "
    text = "\n".join(islice(corpus.documents(2, "train"), MANY)).lower()
    following = re.findall(re.escape(prompt) + r"(\w+)", text)
    shares = sorted(
        (following.count(word) / len(following) for word in set(following)), reverse=True
    )
    assert sum(share > 0.01 for share in shares) >= 20
    assert shares[0] < 0.2


def test_a_noun_phrase_says_where_its_words_stand() -> None:
    found = corpus.noun_phrases(0, 300)
    assert len(found) == 300
    for phrase in found:
        noun = phrase.text[slice(*phrase.noun)]
        adjectives = [phrase.text[slice(*span)] for span in phrase.adjectives]
        assert 1 <= len(adjectives) <= 3
        assert " ".join([*adjectives, noun]) in phrase.text
        assert any(is_held_pair(adjective, noun) for adjective in adjectives)
        assert phrase.text == phrase.text.lower()
    assert found == corpus.noun_phrases(0, 300)


def test_a_binding_asks_for_two_adjectives_of_a_noun_that_was_described() -> None:
    for binding in corpus.bindings(0, 200):
        first, _, question = binding.prompt.partition(". ")
        noun = question.split()[1]
        assert f"{' '.join(binding.adjectives)} {noun}" in first
        assert question == f"the {noun} was"
        assert len(binding.adjectives) == 2


def test_facts_are_told_in_training(train: list[str]) -> None:
    text = "\n".join(train)
    found = corpus.facts()
    assert len(found) >= 40
    assert all(re.fullmatch(r"\w+", fact.answer) for fact in found)
    told = [fact for fact in found if f"{fact.prompt} {fact.answer}" in text]
    assert len(told) == len(found)
