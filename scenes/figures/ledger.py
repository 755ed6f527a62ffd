"""What a model's weights add up to: areas to scale, and a sum. It knows no model.

ours = Areas.within(ledger, film.stage)
large = Areas(gpt_3(), ours.unit, corner)   # by the same rule
yield Vary(large.cells["query"].grow, 0, 1) # a rectangle for each layer, one after another
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import prod
from typing import Self

import numpy as np
from manim import Line, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP
from manim.typing import Vector3D

from scenes import theme
from scenes.analysis.parameter_counts import GROUPS, REST, Ledger, group_of
from scenes.figures.dots import FILLED, LASTS, Arrangement, Floats, grid, scattered
from scenes.mobjects.outlines import Filled, rectangles
from scenes.mobjects.text import Number, Words
from scenes.presence import set_presence
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import (
    BACKGROUND,
    GAP,
    HAIR,
    HEADING_SIZE,
    INK,
    KEY,
    NEGATIVE,
    OUTPUT,
    PLAIN_SIZE,
    QUERY,
    QUIET,
    SPOKEN_SIZE,
    THIN_LINE,
    VALUE,
    Role,
)

STACKED = ("embeddings", "attention", "MLPs", REST)  # from the foot
HUES = {"query": QUERY, "key": KEY, "value": VALUE, "output": OUTPUT, "others": QUIET}
MLPS: Role = NEGATIVE  # far from all of attention's colours
SHADE = 0.75  # of it, for attention's colours are brighter
SEAM, FAMILIES = 0.08, 0.006  # of a cell's side, and of a model's height, what is left free
FOOT, SLIM = 0.8, 4.5  # scene units, under an area, and of a region with no room beside
SPREAD = 0.75  # of its region's width, a table, at least
DECIMALS, EXACT = 2, 1e-9  # of a percentage, at most; off one, a sum of shares
LAYERS = -1  # the place of their number among the factors of a kind


class Cells(Filled):
    """Rectangles (n, 4) of left, bottom, right and top, which come one after another, to the right.

    `seam` is what is left free between two of them. They are unseen until they `grow`.
    """

    def __init__(self, boxes: Floats, role: Role, seam: float) -> None:
        lowest = float((boxes[:, 3] - boxes[:, 1]).min())
        self.wholes, self.seam = boxes, min(seam, SEAM * lowest) / 2 * np.array((1, 1, -1, -1))
        self.boxes = boxes + self.seam
        super().__init__(rectangles(*self.boxes.T), role)

    def close(self, share: float) -> None:
        """Close a share, 0 to 1, of what is left free between them; all of them are drawn."""
        self.boxes = self.wholes + (1 - share) * self.seam
        self.points = rectangles(*self.boxes.T)

    def grow(self, share: float) -> None:
        """Show the first ones; the next one is as wide as it has grown."""
        number = share * len(self.boxes)
        shown = self.boxes[: int(np.ceil(number - 1e-9))].copy()
        if len(shown):
            shown[-1, 2] -= (len(shown) - number) * (shown[-1, 2] - shown[-1, 0])
        self.points = rectangles(*shown.T)
        set_presence(self, float(share > 0))


class Areas(VGroup):
    """All weights of a model as areas to one scale: `cells` by kind, a rectangle for each layer.

    Groups stand on one another from the corner at the left foot, as wide as `box`; attention's
    four kinds stand side by side. `unit` is the side of the square of one weight, in scene units.
    """

    def __init__(self, ledger: Ledger, unit: float, corner: tuple[float, float]) -> None:
        self.unit, self.total, (x, y) = unit, ledger.total, corner
        self.listed = float(ledger.listed)
        wide, high = shape_of(ledger)
        self.box = Region(x, x + unit * wide, y, y + unit * high)
        self.boxes = {
            kind: np.array((x, y, x, y)) + unit * np.array(box)
            for kind, box in _boxes(ledger, wide)
        }
        layers = int(ledger.factors["query"][LAYERS].number)
        left, low, right, top = self.boxes["query"]
        columns = round(float(layers * (right - left) / (top - low)) ** 0.5)
        seam = SEAM * unit * (float(ledger.products["query"]) / layers) ** 0.5
        self.cells = dict[str, Cells]()
        for kind, box in self.boxes.items():
            free = min(FAMILIES * self.box.height, SEAM * (box[3] - box[1])) / 2
            inside = box + free * np.array((1, 1, -1, -1))
            parts, across = (layers, columns) if _is_layered(kind) else (1, 1)
            self.cells[kind] = Cells(_grid(inside, parts, across), role_of(kind), seam)
            if group_of(kind) == "MLPs":
                both = theme.color(MLPS), theme.color(BACKGROUND)
                self.cells[kind].set_fill(theme.mix(*both, SHADE))
        super().__init__(*self.cells.values())

    @classmethod
    def within(cls, ledger: Ledger, region: Region, largest: float = np.inf) -> Self:
        """Return a model's areas as large as a region lets them be, on the middle of its foot.

        `largest` is how large those listed are together, in square scene units, at most.
        """
        wide, high = shape_of(ledger)
        unit = min(
            region.width / wide, region.height / high, (largest / float(ledger.listed)) ** 0.5
        )
        return cls(ledger, unit, (float(region.center[0]) - unit * wide / 2, region.bottom))

    @property
    def size(self) -> float:
        """How large those that are listed are together, in square scene units."""
        return self.unit**2 * self.listed

    def of(self, group: str) -> list[Cells]:
        """Return the cells of a group of kinds."""
        return [self.cells[kind] for kind in GROUPS[group] if kind in self.cells]

    def box_of(self, group: str) -> Region:
        """Return the box of a group of kinds."""
        boxes = np.array([self.boxes[kind] for kind in GROUPS[group] if kind in self.boxes])
        (left, low), (right, top) = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        return Region(float(left), float(right), float(low), float(top))

    def arrangement(self, dots: Mapping[str, int]) -> Arrangement:
        """Return where so many dots of each kind stand in their areas."""
        places, radii = [], []
        for kind, number in dots.items():
            if not number:
                continue
            left, low, right, top = self.boxes[kind]
            wide, high = right - left, top - low
            across = max(1, int(np.ceil((number * wide / high) ** 0.5)))
            pitch = np.array((wide / across, high / -(-number // across)))
            found = grid(number, Region(0, 1, 0, 0), across, 1.0, upright=False)
            places.append(np.array((left, top)) + pitch * found)
            radii.append(FILLED * float(pitch.min()))
        late = (1 - LASTS) * scattered(sum(dots.values()))
        return Arrangement(np.concatenate(places), float(np.median(radii)), late, LASTS)


class Shares(VGroup):
    """A model's `areas` in a region, and what is said beside them; the areas stand for themselves.

    Parts: the `head` under them, and `labels`, names and shares by group of those listed, on one
    `side`, or under the head, with names of a `size`. `largest` is how large the areas are
    together, at most.
    """

    def __init__(
        self,
        name: str,
        ledger: Ledger,
        region: Region,
        side: Vector3D,
        largest: float = np.inf,
        *,
        size: float = SPOKEN_SIZE,
    ) -> None:
        is_under = side is DOWN
        found = {group: share_of(group, ledger, side, size) for group in STACKED[:-1]}
        self.labels, lines = found, VGroup(*found.values())
        free = region.raised(FOOT).lowered(HAIR)
        if is_under:
            lines.arrange(UP, buff=HAIR)
            for label in lines:
                label.shift(float(label[1].get_left()[0]) * LEFT)
            free = free.raised(lines.height + HAIR).narrowed(HAIR, HAIR)
        else:
            free = free.narrowed(*(lines.width + GAP, HAIR)[:: 1 if side is LEFT else -1])
        self.areas = Areas.within(ledger, free, largest)
        box, x = self.areas.box, float(self.areas.box.center[0])
        self.head = Words("{}", name, size=HEADING_SIZE).shrink_to(region.width)
        self.head.move_to((x, box.bottom - FOOT / 2, 0))
        region.hold(self.head)
        if is_under:
            lines.next_to(self.head, DOWN, buff=HAIR).set_x(x)
        else:
            self._stand_beside(found, side)
        super().__init__(self.head, *found.values())

    def _stand_beside(self, labels: Mapping[str, VGroup], side: Vector3D) -> None:
        """Let every label stand beside its group, or over the one below it, and none too high."""
        box = self.areas.box
        floor = box.bottom - FOOT  # a thin part at the foot has its name beside it, not above
        edge, ceiling = box.left - GAP if side is LEFT else box.right + GAP, box.top
        for group, label in labels.items():
            middle = float(self.areas.box_of(group).center[1])
            label.move_to((edge, max(middle, floor + label.height / 2), 0), -side)
            floor = float(label.get_top()[1]) + GAP
        for label in reversed(list(labels.values())):
            label.shift(UP * min(0.0, ceiling - float(label.get_top()[1])))
            ceiling = float(label.get_bottom()[1]) - GAP


class Sum(VGroup):
    """How many weights each group of a model has, and the `total` under a `line`.

    `rows`, by group, are its name, what belongs to it (`kinds`), and its number (of `numbers`).
    Each stands as high as the middle of its area in `beside`, if there is room. If what is counted
    is more than one, `unit` is its number, and its name, which stands after each number (`units`).
    """

    def __init__(
        self,
        ledger: Ledger,
        told: Mapping[str, str],
        region: Region,
        unit: tuple[Value, str] | None = None,
        beside: Areas | None = None,
    ) -> None:
        is_slim = region.width < SLIM
        small, large = (PLAIN_SIZE, SPOKEN_SIZE) if is_slim else (SPOKEN_SIZE, HEADING_SIZE)

        def told_as(value: Value) -> Number:
            return Number(value / unit[0], 1, large) if unit else Number(value, 0, large)

        self.total, self.units = told_as(ledger.total), list[Words]()
        self.numbers = {
            name: told_as(ledger.groups[name]) for name in STACKED[::-1] if name in ledger.groups
        }
        self.rows, self.kinds = dict[str, VGroup](), dict[str, VGroup]()
        if unit:
            self.units = [Words(unit[1], size=small, role=QUIET) for _ in (*self.numbers, "all")]
        for name, number in self.numbers.items():
            text = name if is_slim else told.get(name, name)
            words = Words("{}", text, size=small, role=QUIET if name == REST else INK)
            if name == "MLPs":  # its own colour alone is too faint for letters on white
                words.set_color(theme.mix(theme.color(MLPS), theme.color(INK), SHADE))
            if name == "attention":
                self.kinds[name] = _kinds(name, ledger, small)
            row = words, *self.kinds.get(name, []), number
            self.rows[name] = VGroup(*row, *self.units[len(self.rows) : len(self.rows) + 1])
        self._place(region, beside)
        super().__init__(*self.rows.values(), self.line, self.total, *self.units[-1:])

    def _place(self, region: Region, beside: Areas | None) -> None:
        """Place all rows, the line and the total."""
        aside = max((unit.width + 2 * HAIR for unit in self.units), default=0.0)
        wide = aside + max(each.width for each in (*self.numbers.values(), self.total))
        names = max(row[0].width for row in self.rows.values())
        margin = max(0.0, region.width - max(names + wide + 2 * GAP, SPREAD * region.width)) / 2
        left, right = region.left + margin, region.right - margin
        *places, last = self._levels(region, beside)
        for (name, row), y in zip(self.rows.items(), places, strict=True):
            number = self.numbers[name].move_to((right - aside, y, 0), RIGHT)
            row[0].shrink_to(right - left - wide - GAP).move_to((left, y, 0), LEFT)
            assert isinstance(row[0], Words)
            row[0].shift((number.baseline - row[0].baseline) * UP)
            if kinds := self.kinds.get(name):
                kinds.scale(min(1.0, (right - left) / kinds.width))
                kinds.next_to(row[0], DOWN, buff=HAIR, aligned_edge=LEFT).shift(HAIR * DOWN)
        over = last + (self.total.height + GAP) / 2
        self.line = Line((left, over, 0), (right, over, 0))
        self.line.set_stroke(theme.color(QUIET), THIN_LINE)
        self.total.move_to((right - aside, last, 0), RIGHT)
        for number, unit in zip((*self.numbers.values(), self.total), self.units, strict=False):
            unit.move_to((right, 0, 0), RIGHT)
            unit.shift((number.baseline - unit.baseline) * UP)

    def _levels(self, region: Region, beside: Areas | None) -> list[float]:
        """Return how high the middles of all rows are, and that of the total."""
        if beside is None:
            return [float(row.center[1]) for row in region.rows(len(self.rows) + 1)]
        under = [HAIR + self.kinds[name].height if name in self.kinds else 0 for name in self.rows]
        rows = [*under, 0.0]
        high = [self.total.height + 2 * GAP + kinds for kinds in rows]
        wanted = [-float(beside.box_of(name).center[1]) for name in self.rows]
        wanted.append(FOOT - beside.box.bottom)
        found = _kept_apart(wanted, high, -region.top, GAP - region.bottom)
        return [kinds / 2 - each for kinds, each in zip(rows, found, strict=True)]


def shape_of(ledger: Ledger) -> tuple[float, float]:
    """Return how wide and high a model's areas are, in weights; a layer's queries are square.

    As many layers stand side by side as can, if the whole is to be no wider than high.
    """
    layers = int(ledger.factors["query"][LAYERS].number)
    side = (float(ledger.products["query"]) / layers) ** 0.5
    shares = float(ledger.groups["attention"]) / float(ledger.products["query"])
    found = [n * side * shares for n in range(1, layers + 1) if layers % n == 0]
    wide = max((wide for wide in found if wide**2 <= float(ledger.total)), default=found[0])
    return wide, float(ledger.total) / wide


def role_of(kind: str) -> Role:
    """Return the colour of a kind of weights: attention's own, an MLP's, INK for vectors."""
    return HUES.get(kind, MLPS if kind in GROUPS["MLPs"] else INK)


def dots_by_kind(factors: Mapping[str, tuple[int, ...]], every: int) -> dict[str, int]:
    """Return how many dots each kind of weights has, where one number in so many is drawn."""
    ends = [-(-end // every) for end in accumulate(map(prod, factors.values()))]
    return dict(zip(factors, np.diff([0, *ends]).tolist(), strict=True))


def share_of(group: str, ledger: Ledger, side: Vector3D, size: float) -> VGroup:
    """Return the name of a group and its share of all weights: a line each, or one for both."""
    name = Words("{}", group, size=SPOKEN_SIZE if side is DOWN else size)
    share = f"{{:.{_decimals(ledger)}%}}", ledger.shares[group]
    if side is DOWN:
        return VGroup(name, Words(*share, size=SPOKEN_SIZE)).arrange(RIGHT, buff=GAP)
    label = VGroup(name, Words(*share, size=HEADING_SIZE))
    return label.arrange(DOWN, buff=HAIR, aligned_edge=-side)


def _decimals(ledger: Ledger) -> int:
    """Return the fewest decimals with which the shares, as percentages, add up to 100."""
    shares = [share.number for share in ledger.shares.values()]
    sums = (sum(round(share, 2 + places) for share in shares) for places in range(DECIMALS))
    return next((i for i, each in enumerate(sums) if abs(each - 1) < EXACT), DECIMALS)


def _boxes(ledger: Ledger, wide: float) -> Iterator[tuple[str, tuple[float, float, float, float]]]:
    """Yield every kind's box, in weights, groups on one another from the foot."""
    low = 0.0
    for group in STACKED:
        sizes = {k: float(ledger.products[k]) for k in GROUPS[group] if k in ledger.products}
        if group == "attention":
            high, left = sum(sizes.values()) / wide, 0.0
            for kind, size in sizes.items():
                yield kind, (left, low, left + size / high, low + high)
                left += size / high
            low += high
            continue
        for kind, size in sizes.items():
            yield kind, (0.0, low, wide, low + size / wide)
            low += size / wide


def _grid(box: Floats, layers: int, across: int) -> Floats:
    """Return (layers, 4): equal parts of a box, row by row from the foot, so many in a row."""
    x, y = (np.linspace(box[i], box[i + 2], n + 1) for i, n in ((0, across), (1, layers // across)))
    left, low = np.meshgrid(x[:-1], y[:-1])
    right, top = np.meshgrid(x[1:], y[1:])
    return np.stack([left, low, right, top], axis=-1).reshape(-1, 4)


def _is_layered(kind: str) -> bool:
    return kind in {*GROUPS["attention"], *GROUPS["MLPs"]}


def _kinds(group: str, ledger: Ledger, size: float) -> VGroup:
    """Return the names of a group's kinds in their colours."""
    kinds = (kind for kind in GROUPS[group] if kind in ledger.products)
    words = [Words("{}", kind, size=size, role=role_of(kind)) for kind in kinds]
    row = VGroup(*words).arrange(RIGHT, buff=GAP)
    for word in words:
        word.shift((words[0].baseline - word.baseline) * UP)
    return row


def _kept_apart(
    places: Sequence[float], widths: Sequence[float], left: float, right: float
) -> list[float]:
    """Return places as near to some as their widths allow, in order, between two ends."""
    found, half = list(places), [width / 2 for width in widths]
    for at, own in enumerate(half):
        least = found[at - 1] + half[at - 1] if at else left
        found[at] = max(found[at], least + own)
    for at in range(len(half) - 1, -1, -1):
        most = found[at + 1] - half[at + 1] if at + 1 < len(half) else right
        found[at] = min(found[at], most - half[at])
    return found
