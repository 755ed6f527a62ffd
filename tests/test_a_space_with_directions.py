"""Promises of the film a-space-with-directions."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from played import SMALL, film_of

from model import checkpoint
from rendering.playing import staged
from scenes.analysis.analogies import (
    analogies,
    angles_by_chance,
    best_and_failing,
    nearest,
    told_apart,
)
from scenes.figures.cloud import Carried, Slice
from scenes.film import Beat, Film, Request
from scenes.presence import presence
from scenes.provenance import Tensor, angle
from scenes.study import SHIPPED
from scenes.vectors.a_space_with_directions import ASpaceWithDirections

Floats = NDArray[np.float64]


@pytest.fixture(scope="module")
def film() -> ASpaceWithDirections:
    return film_of(ASpaceWithDirections, Request())


@pytest.fixture(scope="module")
def rows() -> Mapping[str, Floats]:
    """The rows of the table by their words, each of length one, found without any film."""
    loaded = checkpoint.load(SHIPPED)
    table = loaded.model.W_E.detach().double().numpy()
    pieces = loaded.tokenizer.pieces(range(len(table)))
    return {piece: row / np.linalg.norm(row) for piece, row in zip(pieces, table, strict=True)}


def closest(rows: Mapping[str, Floats], aim: Floats) -> list[str]:
    """Return all words, by their cosine with a vector."""
    words = list(rows)
    return [words[i] for i in np.argsort(-(np.stack(list(rows.values())) @ aim))]


def test_the_step_leads_where_it_should_with_and_without_the_words_put_in(
    film: ASpaceWithDirections, rows: Mapping[str, Floats]
) -> None:
    for analogy in (film.good, film.bad):
        a, b, x, y = analogy.words
        order = closest(rows, rows[b] - rows[a] + rows[x])
        others = [word for word in order if word not in (a, b, x)]
        assert analogy.places == (order.index(y) + 1, others.index(y) + 1)
    assert film.good.places == (1, 1)
    assert film.bad.places[1] > 1


def test_the_nearest_words_are_those_with_the_largest_cosines(
    film: ASpaceWithDirections, rows: Mapping[str, Floats]
) -> None:
    word = film.pieces[film.word]
    assert word in film.tokens
    found = [film.pieces[row] for row in film.near]
    assert found == closest(rows, rows[word])[1 : len(found) + 1]


def test_three_axes_hold_the_share_that_is_said(film: ASpaceWithDirections) -> None:
    """The oracle is the singular value decomposition, in plain NumPy."""
    points = film.tensor("drawn").array.astype(np.float64)
    sizes = np.linalg.svd(points - points.mean(axis=0), compute_uv=False) ** 2
    assert film.spread.three.number == pytest.approx(sizes[:3].sum() / sizes.sum())


def test_four_words_and_the_tip_lose_nothing_in_their_slice(film: ASpaceWithDirections) -> None:
    five = *film.good.rows, film.good.tip
    points, cut = np.stack([each.double for each in five]), Carried(five).slices[0]
    seen = (points - cut.middle) @ cut.axes.T
    for one, other in zip(points[1:] - points[:-1], seen[1:] - seen[:-1], strict=True):
        assert np.linalg.norm(one) == pytest.approx(np.linalg.norm(other))


def test_every_slice_on_the_way_to_another_one_is_orthonormal() -> None:
    one, other = (np.eye(6)[list(rows)] for rows in ((0, 1, 2), (3, 1, 4)))
    nothing = np.zeros(6)
    for share in (0.0, 0.3, 0.5, 0.9, 1.0):
        axes = Slice(one, nothing, 1.0).toward(Slice(other, nothing, 2.0), share).axes
        assert np.allclose(axes @ axes.T, np.eye(3))


def test_a_word_written_otherwise_is_no_neighbour_and_a_poor_vocabulary_has_no_analogy() -> None:
    table = Tensor(np.array([[1, 0], [1, 0.1], [0, 1]], np.float32), "table")
    pieces = {0: " blue", 1: "Blue", 2: " red"}
    assert nearest(table, 0, pieces, 2) == [2]
    assert analogies(table, pieces) == []


def test_the_first_of_the_list_that_fails_is_shown_to_fail() -> None:
    """In a plane, men and women lie as they should, and a queen lies apart."""
    pieces = dict(enumerate((" man", " woman", " king", " queen", " father", " mother", " else")))
    table = np.array([[1, 0], [1, 1], [2, 0], [-1, 0], [1, 0.1], [1, 1.1], [0, -1]], np.float32)
    unit = table / np.linalg.norm(table, axis=1, keepdims=True)
    best, failing = best_and_failing(analogies(Tensor(unit, "table"), pieces))
    assert best.places[1] == 1
    assert failing.words == (" man", " woman", " king", " queen")


def test_words_that_training_never_met_are_not_drawn() -> None:
    """They lie on one another: of twenty-four copies and a word of its own, one is left."""
    alike = np.tile(np.eye(3)[0], (24, 1))
    assert told_apart(np.vstack([alike, np.eye(3)[1:2]])).tolist() == [False] * 24 + [True]


def test_steps_between_words_of_no_relation_stand_across(film: ASpaceWithDirections) -> None:
    """What is drawn as chance is near a right angle, as for any two directions of many axes."""
    angles = angles_by_chance(film.tensor("drawn").double, film.good.steps[0])
    assert len(angles) == len(film.drawn)
    assert np.median(angles) == pytest.approx(90, abs=3)


def test_every_other_step_is_measured_once_against_the_first_one(
    film: ASpaceWithDirections, rows: Mapping[str, Floats]
) -> None:
    a, b = film.good.words[:2]
    assert len({each[:2] for each in film.steps} | {(a, b)}) == 1 + len(film.steps) == 4
    for one, other, degrees in film.steps:
        own, step = rows[b] - rows[a], rows[other] - rows[one]
        cosine = own @ step / np.linalg.norm(own) / np.linalg.norm(step)
        assert degrees.number == pytest.approx(np.degrees(np.arccos(cosine)), abs=0.01)


def test_the_step_that_goes_elsewhere_is_named_and_not_its_like(
    film: ASpaceWithDirections, rows: Mapping[str, Floats]
) -> None:
    """From king to queen is the way of uncle and aunt; with that step, a king leads to a queen."""
    assert film.bad.words == (" man", " woman", " king", " queen")
    angles = [[angle(own, step).number for step in film.good.steps] for own in film.bad.steps]
    assert min(angles[0]) > 70 > max(angles[1])
    a, b = film.good.words[:2]
    assert closest(rows, rows[" king"] + rows[b] - rows[a])[0] == " queen"


def test_a_step_among_random_ones_is_not_said_to_be_nearer(film: ASpaceWithDirections) -> None:
    """That from man to woman is one; the other two are nearer than each of 900."""
    directions, own = film.tensor("drawn").double, film.good.steps[0]
    nearest_one = angles_by_chance(directions, own).min()
    nearer = [(one, other) for one, other, each in film.steps if each.number < nearest_one]
    assert nearer == [(" father", " mother"), (" king", " queen")]
    said = dict(film.script())["side-by-side"]
    assert "Of our other three, two are nearer than any of those. So steps can be alike" in said


def test_the_angle_at_a_tip_has_opened_all_the_way_to_its_words_arrow(tmp_path: Path) -> None:
    """At the end of each beat that measures one; as it is drawn, to a hundredth of a degree."""
    found: dict[str, float] = {}

    def measure(chapter: Film, ended: Beat) -> None:
        assert isinstance(chapter, ASpaceWithDirections)
        for way in (chapter.good_way, chapter.bad_way):
            if presence(way.wedge):
                start, end = chapter.stars.seen(way.steps[-1].ends)[0]
                side, origin = way.wedge.points[[-4, -1], :2]
                found[ended.name] = turn_between(side - origin, end - start)

    asked = Request(beats=frozenset())
    with staged(ASpaceWithDirections, asked, replace(SMALL, format="png"), tmp_path) as film:
        film.at_beat_end = measure
        film.render()
    assert set(found) == {"at-the-tip", "one-that-fails"}
    assert max(found.values()) < 0.01


def turn_between(one: Floats, other: Floats) -> float:
    """Return the angle between two arrows on the stage, in degrees."""
    cosine = one @ other / np.linalg.norm(one) / np.linalg.norm(other)
    return float(np.degrees(np.arccos(np.clip(cosine, -1, 1))))
