"""Which words lie beside one another in a table of embeddings, and which steps lead from which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from scenes import expressions
from scenes.provenance import Tensor, Value, added, angle, applied, cosine, count, subtracted

RELATIONS = (  # pairs that stand in one relation; the famous example comes first
    "man woman, king queen, father mother, uncle aunt, brother sister, son daughter, boy girl",
    "man woman, prince princess, husband wife, grandfather grandmother, he she",
    "dog dogs, cat cats, bird birds, horse horses, week weeks, month months",
    "France Paris, Germany Berlin, Italy Rome, England London, Spain Madrid, Japan Tokyo",
    "big small, old young, long short, good bad, black white",
)
SAME, CROWD = 0.9, 20  # the cosine from which two words lie on each other; too many of them
FAMOUS = " man", " woman", " king", " queen"


@dataclass(frozen=True)
class Analogy:
    """A step from a to b, carried to x, where it may lead to y: rows of a table (V, D) of length 1.

    `words` are a, b, x and y as tokens, `ids` their rows; `nearness` (V,) is that of every row to
    where the step ends, times the same number.
    """

    words: tuple[str, ...]
    ids: tuple[int, ...]
    table: Tensor
    nearness: NDArray[np.float64] = field(repr=False, compare=False)

    @cached_property
    def rows(self) -> tuple[Tensor, ...]:
        """The rows of the four words."""
        return tuple(self.table[row] for row in self.ids)

    @cached_property
    def steps(self) -> tuple[Tensor, Tensor]:
        """The way from a to b, and that from x to y."""
        a, b, x, y = self.rows
        return subtracted(b, a), subtracted(y, x)

    @cached_property
    def tip(self) -> Tensor:
        """Where the step from a to b ends that begins at x."""
        return added(self.rows[2], self.steps[0])

    @cached_property
    def ranked(self) -> list[int]:
        """All rows, by their cosine with the tip."""
        return list(np.argsort(-self.nearness).tolist())

    @cached_property
    def places(self) -> tuple[int, int]:
        """The place of y among all rows, and among those that the tip was not made of."""
        nearer = self.nearness > self.nearness[self.ids[3]]
        return 1 + int(nearer.sum()), 1 + int(nearer.sum() - nearer[[*set(self.ids[:3])]].sum())

    @property
    def closeness(self) -> Value:
        """The cosine between the tip and y."""
        return cosine(self.tip, self.rows[3])

    @property
    def angle(self) -> Value:
        """The angle between the two steps, in degrees."""
        return angle(*self.steps)

    def place(self, row: int) -> Value:
        """Return the place of a row among all, by its cosine with the tip."""
        place = self.ranked.index(row)
        nearer = applied(expressions.NEARER, place, self.table, self.tip, self.table[row])
        return nearer + count(1, "the row itself")

    def first(self, number: int) -> list[int]:
        """Return the first rows by their cosine with the tip, and y as the last, if it is none."""
        first = self.ranked[:number]
        return first if self.ids[3] in first else [*first[:-1], self.ids[3]]


def analogies(table: Tensor, pieces: Mapping[int, str]) -> list[Analogy]:
    """Return those of the list whose words are whole tokens; `pieces` are all rows' tokens."""
    rows = {piece: row for row, piece in pieces.items()}
    found = []
    for line in RELATIONS:
        pairs = [tuple(f" {word}" for word in pair.split()) for pair in line.split(", ")]
        both = ((*one, *other) for one, other in permutations(pairs, 2))
        found += [words for words in both if all(word in rows for word in words)]
    ids = np.array([[rows[word] for word in words] for words in found], int).reshape(-1, 4)
    a, b, x, _ = table.double[ids.T]
    nearness = (x + b - a) @ table.double.T  # of all at once: the table is read once
    each = zip(found, ids.tolist(), nearness, strict=True)
    return [Analogy(words, tuple(own), table, near) for words, own, near in each]


def best_and_failing(found: Sequence[Analogy]) -> tuple[Analogy, Analogy]:
    """Return the analogy that holds best, and the first of the others that fails, or the worst.

    It fails where y is not the nearest, even without the words of which the tip was made.
    """
    best = min(found, key=lambda each: (each.places, -each.closeness.number))
    others = [each for each in found if each is not best]
    fails = (each for each in others if each.places[1] > 1)
    return best, next(fails, max(others, key=lambda each: each.places))


def steps_of(good: Analogy, bad: Analogy) -> list[tuple[str, str, Value]]:
    """Return the other steps of two analogies, with their angles to the first one's own, by these.

    A step is its two words; no step comes twice.
    """
    both = ((each, part) for each in (good, bad) for part in (0, 1))
    found = {each.words[2 * part :][:2]: each.steps[part] for each, part in both}
    own = found.pop(good.words[:2])
    angles = [(a, b, angle(own, step)) for (a, b), step in found.items()]
    return sorted(angles, key=lambda each: each[2].number)


def nearest(table: Tensor, row: int, pieces: Mapping[int, str], number: int) -> list[int]:
    """Return the rows nearest to one by cosine, but for the same word written otherwise."""
    own = pieces.get(row, "").strip().casefold()
    order = (int(near) for near in np.argsort(-(table.double @ table[row].double)))
    others = (near for near in order if near != row and near in pieces)
    different = (near for near in others if pieces[near].strip().casefold() != own)
    return [near for near, _ in zip(different, range(number), strict=False)]


def told_apart(
    directions: NDArray[np.floating], among: NDArray[np.floating] | None = None
) -> NDArray[np.bool_]:
    """Return which rows of length one, (n, D), do not lie on many others of them.

    They may be some of the rows of a larger table, `among`. Tokens that training never met keep
    together, all in one direction.
    """
    table = directions if among is None else among
    near = (directions @ table.T > SAME).sum(axis=1) - 1
    return np.asarray(near < CROWD)


def angles_by_chance(directions: NDArray[np.float64], step: Tensor) -> NDArray[np.float64]:
    """Return the angles, in degrees, of steps from word to word of a list, (n, D), to one (D,)."""
    steps = directions - np.roll(directions, 1, axis=0)
    lengths = np.linalg.norm(steps, axis=1).clip(1e-9) * np.linalg.norm(step.double)
    return np.asarray(np.degrees(np.arccos(np.clip(steps @ step.double / lengths, -1, 1))))
