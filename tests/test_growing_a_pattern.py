"""Promises of the film growing-a-pattern."""

import numpy as np
import pytest
from played import film_of

from model import checkpoint
from model.trace import record
from scenes.attention.growing_a_pattern import COUNTED, WRITTEN, GrowingAPattern, Tally
from scenes.film import Request
from scenes.region import stage_area
from scenes.study import SHIPPED


@pytest.fixture(scope="module")
def film() -> GrowingAPattern:
    return film_of(GrowingAPattern, Request())


def test_the_model_goes_on_with_its_likeliest_tokens(film: GrowingAPattern) -> None:
    loaded = checkpoint.load(SHIPPED)
    text = "".join(film.tokens)
    for piece in film.text[film.first :]:
        trace = record(loaded.model, loaded.tokenizer, text)
        likeliest = int(trace.tensors()["logits"][-1].argmax())
        assert loaded.tokenizer.pieces([likeliest]) == (piece,)
        text += piece
    assert len(film.text) == film.first + WRITTEN


def test_no_old_row_changes_when_a_word_is_added(film: GrowingAPattern) -> None:
    """Each prefix is run by itself, as the simple way does."""
    loaded = checkpoint.load(SHIPPED)
    for size in range(film.first, len(film.text)):
        trace = record(loaded.model, loaded.tokenizer, "".join(film.text[:size]))
        alone = trace.tensors()["pattern"][film.layer, film.head]
        assert np.allclose(alone, film.pattern.array[:size, :size], atol=1e-5)


def test_it_counts_the_weights_that_either_way_works_out(film: GrowingAPattern) -> None:
    sizes = range(film.first + 1, film.first + COUNTED + 1)
    simple = sum(int(np.tri(size).sum()) for size in sizes)
    assert film.words()["naive"] == str(simple)
    assert film.words()["kept"] == str(sum(sizes))


def test_what_is_counted_is_drawn_at_every_instant(film: GrowingAPattern) -> None:
    tally = Tally(film.text[film.first :][:COUNTED], film.sizes[:COUNTED], stage_area())
    for way in tally.ways:
        for reached in np.linspace(0, way.ends[-1], 1000):
            way.draw(float(reached))
            sides = [np.ptp(part.points.reshape(-1, 16, 3)[:, :, 0], 1) for part in way[2:]]
            whole = sum(int(np.isclose(each, way.side).sum()) for each in sides)
            assert way.number.value.number == whole
    every, one = tally.ways
    assert every.number.value.number == film._naive(COUNTED).number
    assert one.number.value.number == film._kept(COUNTED).number
