"""What is said of documents is what was counted in them."""

import numpy as np

from model.corpus.occurrences import COUNTED, documents_with
from scenes.documents import Documents


def test_documents_are_counted_and_each_number_says_of_what() -> None:
    texts = ["a dog", "a cow", "the dog"]
    documents = Documents(lambda text: np.array([text in each for each in texts]))
    assert documents.all.number == 3
    assert documents.met("dog") == 2
    assert documents.found("dog").number == 2
    assert documents.found("dog").source == (
        "count: those of the first 3 documents of our corpus in which 'dog' stands"
    )


def test_our_corpus_is_as_long_as_it_is_said_to_be() -> None:
    assert Documents(documents_with).all.number == COUNTED
