"""Merges are learned by counting, and what is counted is what the tokenizer's list says."""

from itertools import islice

import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from model import checkpoint, corpus
from model.byte_pairs import merge_rounds, neighbours
from model.corpus.occurrences import learning
from scenes.study import SHIPPED


def test_each_round_merges_what_the_library_merges() -> None:
    texts = list(islice(corpus.documents(3, "train"), 200))
    backend = tokenizers.Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(vocab_size=300, show_progress=False)
    backend.train_from_iterator(texts, trainer)
    merged = [piece for piece, _ in sorted(backend.get_vocab().items(), key=lambda item: item[1])]
    rounds = merge_rounds(texts, 6, 4)
    expected = [piece for piece in merged if len(piece) > 1][:6]
    assert ["".join(each[0].pair).replace(" ", "Ġ") for each in rounds] == expected


def test_counts_are_those_of_neighbours_within_words() -> None:
    (first, *_), second = merge_rounds(["the the then", "he"], 2, 3)
    assert (first.pair, first.number) == (("h", "e"), 4)
    assert (second[0].pair, second[0].number) == (("t", "he"), 3)


def test_the_first_rounds_give_the_beginning_of_the_shipped_tokenizers_list() -> None:
    listed = list(islice(checkpoint.load(SHIPPED).tokenizer.merges, 8))
    found = learning(8, 5)
    shown = [tuple(part.replace(" ", "Ġ") for part in each[0].pair) for each in found.rounds[:8]]
    assert shown == listed
    assert len(found.rounds) == 9
    assert len(found.gaps[0]) == len(found.gaps[-1]) == 2  # both stand in the text twice


def test_a_text_is_counted_pair_after_pair_and_only_within_its_words() -> None:
    gaps, tally = neighbours("the he, the", 2)
    assert gaps == (0, 1, 3, 4, 7, 8, 9)
    shown = [{"".join(each.pair): each.number for each in counted} for counted in tally]
    assert shown[0] == {"he": 0, "th": 0}
    assert shown[2] == {"he": 1, "th": 1}
    assert shown[-1] == {"he": 3, "th": 2}
