"""Film F21: the story of one token and the formula for all of them are one computation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields

from manim import Animation, Mobject, VGroup
from manim.constants import DOWN

from scenes import architecture
from scenes.animations import (
    Appear,
    Fly,
    Leave,
    Reshape,
    Together,
    bring_forward,
    hide,
    one_after_another,
    put_back,
)
from scenes.chapter import Chapter, beat
from scenes.mobjects.equations import Equations, Verdicts
from scenes.mobjects.head_in_matrices import HeadInMatrices
from scenes.mobjects.matrix import Matrix
from scenes.mobjects.notes import SmallPrint
from scenes.mobjects.one_line import CLOSING, MIXED, OPENING, PRODUCT, SCALE, OneLine
from scenes.mobjects.product_picture import (
    ProductPicture,
    RowPicture,
    frame_of,
    mirrored,
    other_rows_arrive,
    row_arrives,
)
from scenes.mobjects.ring import Ring
from scenes.mobjects.row_strips import RowStrips
from scenes.one_head import HeadWeights, OneHead, word_by_word
from scenes.stage import Region
from scenes.theme import GAP, QUERY, SLOW, TITLE_SIZE
from scenes.values import Value, added, largest_gap, matmul, stacked

LIST_SHARE = 0.34  # of the content's width, for the equations; more of an upright or square frame
LIST_SHARE_NARROW = 0.45
NOTE_HEIGHT = 0.45  # scene units, for a line of small print
FORMULA_HEIGHT = 1.1  # scene units, for the formula in one line
FORMULA_SIZE = 1.4 * TITLE_SIZE
ARROW = "\N{RIGHTWARDS ARROW}"
ONE, ALL = 0, 1  # the columns of the equations
SQUARE = (2, 3)  # S and A in the overview: mirrored, they keep their outline
MAKING, SCORES, WEIGHTS, MIXTURE, CHANGE, SUM = (0, 1, 2), 3, 4, 5, 6, 7  # their lines
LINES = (
    ("$query(q_t) = macron(x)_t W_Q$", "$query(Q) = macron(X) W_Q$"),
    ("$key(k_t) = macron(x)_t W_K$", "$key(K) = macron(X) W_K$"),
    ("$value(v_t) = macron(x)_t W_V$", "$value(V) = macron(X) W_V$"),
    ("$s_t = query(q_t) key(K)^T{over}$", "$S = query(Q) key(K)^T{over}$"),
    ('$a_t = op("softmax")(s_t)$', '$A = op("softmax")(S)$'),
    ("$value(z_t) = a_t value(V)$", "$value(Z) = A value(V)$"),
    ("$output(o_t) = value(z_t) W_O$", "$output(O) = value(Z) W_O$"),
    ("$x'_t = x_t + output(o_t)$", "$X' = X + output(O)$"),
)
TURNED = (  # the first lines, where places turn queries and keys
    ("$query(q_t) = macron(x)_t W_Q R_t$", "$query(Q) = R(macron(X) W_Q)$"),
    ("$key(k_t) = macron(x)_t W_K R_t$", "$key(K) = R(macron(X) W_K)$"),
)
STRIPS = ("query(q_t)", "s_t", "a_t", "value(z_t)", "output(o_t)")


class OneHeadAsMatrices(Chapter):
    """What we told of one token and the formula for all tokens are the same computation."""

    title = "One head as matrices"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 75
    poster_beat = "one-line"

    def observe(self) -> None:
        """Take this head's matrices, and find the token to follow."""
        where = self.layer, self.head
        self.scaling = architecture.scaling(self.traits, self.layer)
        names = ("q", "k", "v", "scores", "pattern", "z", "head_out")
        self.model = OneHead(*(self.tensor(name)[where] for name in names))
        self.weights = HeadWeights.of(self.tensor, *where, self.turns)
        self.lines = self._lines()
        self.x = self.tensor("ln1")[self.layer]
        self.stream = self.tensor("resid_pre")[self.layer]
        self.moved = added(self.stream, self.model.out)
        self.asker = self.followed()
        self.query = self.tensor("q")[self.layer, self.head, self.asker]

    def words(self) -> Mapping[str, str]:
        """Name the token that is followed, and say how long vectors are."""
        return {
            "asker": self.name_of(self.asker),
            "d_model": str(self.x.shape[1]),
            "place": str(self.asker + 1),
            "scaled": self.scaling.sentence(self.query),
            "and_scale": " scale," if self.scaling.divides else "",
        }

    def cast(self) -> None:
        """Make the equations, the matrices, and the pictures in which they meet."""
        left, right = self._parts()
        self.stage = right.apart(left, GAP).raised(NOTE_HEIGHT)
        titles = "one token", "all tokens"
        self.equations = Equations(
            self.lines, titles, left if self.is_upright else left.raised(NOTE_HEIGHT)
        )
        self.add(self.equations)
        self.m = HeadInMatrices.of(self.model, self.weights, self.x, self.stream, self.moved)
        rows, _ = self.m.pick("q", "s", "a", "z", "o")
        self.strips = RowStrips(rows, STRIPS, self.asker, self.stage)
        self._cast_pictures()
        self._cast_formula()
        self._cast_notes()
        self.verdicts = Verdicts(self.equations, self._gaps(), self.content)

    @beat(
        "So far we followed one token: its query, its scores, its weights, "
        "the mixture of values, and the change that comes out."
    )
    def one_token_at_a_time(self) -> None:
        self.play(self.equations.reveal(ONE, *range(len(LINES))), Appear(self.chip_ring))
        for line, strip in zip(
            (0, SCORES, WEIGHTS, MIXTURE, CHANGE), self.strips.lines, strict=True
        ):
            self.play(self.equations.focus(line), Appear(strip))

    @beat(
        "The model stacks all tokens as the rows of one matrix. One product makes every query, "
        "a second every key, a third every value."
    )
    def all_tokens_at_once(self) -> None:
        self.play(Leave(self.strips), self.equations.focus(*MAKING))
        self.play(Appear(self.m.x), self.equations.reveal(ALL, *MAKING), Appear(self.norm_note))
        weights = self.m.w_q, self.m.w_k, self.m.w_v
        self.play(one_after_another(map(Appear, (*weights, self.making.labels))))
        self.play(one_after_another(Fly(each, self.m.x) for each in (self.m.q, self.m.k, self.m.v)))

    @beat(
        "Queries times keys, transposed: every score at once.{scaled} "
        "Row {place} is what {asker} worked out alone, and each token has a row."
    )
    def every_score(self) -> None:
        gone = self.m.x, self.m.w_q, self.m.w_k, self.m.w_v, self.m.v, self.making.labels
        self.play(*map(Leave, (*gone, self.norm_note)), self.equations.focus(SCORES))
        self.play(self.scoring.settle(0), Reshape(self.m.k, self.turned, SLOW))
        self.play(self.equations.reveal(ALL, SCORES), Appear(self.scoring.labels))
        self.play(*map(Appear, self.scale_notes))
        self.play(self._arrival(self.m.s, self.rings[0]))

    @beat("Softmax goes along each row, with the future left out: the attention pattern.")
    def every_weight(self) -> None:
        gone = self.m.q, self.m.k, self.scoring.labels, self.rings[0], *self.scale_notes
        self.play(*map(Leave, gone), self.equations.focus(WEIGHTS))
        self.play(self.weighing.settle(0), self.equations.reveal(ALL, WEIGHTS))
        self.play(Appear(self.weighing.labels), Appear(self.mask_note))
        self.play(self._arrival(self.m.a, self.rings[1]))

    @beat("Weights times values: each row is one token's mixture.")
    def every_mixture(self) -> None:
        gone = self.m.s, self.weighing.labels, self.rings[1], self.mask_note
        self.play(*map(Leave, gone), self.equations.focus(MIXTURE))
        self.mixing.put(1)
        self.play(self.mixing.settle(0), self.equations.reveal(ALL, MIXTURE))
        self.play(Appear(self.m.v), Appear(self.mixing.labels))
        self.play(self._arrival(self.m.z, self.rings[2]))

    @beat(
        "The output matrix takes every mixture back to {d_model} numbers, "
        "and they are added to what was there."
    )
    def back_to_the_stream(self) -> None:
        gone = self.m.a, self.m.v, self.mixing.labels, self.rings[2]
        self.play(*map(Leave, gone), self.equations.focus(CHANGE))
        self.play(self.lifting.settle(0), self.equations.reveal(ALL, CHANGE))
        self.play(Appear(self.m.w_o), Appear(self.lifting.labels))
        self.play(self._arrival(self.m.o, self.rings[3]))
        gone = self.m.z, self.m.w_o, self.lifting.labels, self.rings[3]
        self.play(*map(Leave, gone), self.equations.focus(SUM))
        self.play(self.adding.settle(1), Appear(self.m.stream), self.equations.reveal(ALL, SUM))
        self.play(Appear(self.adding.labels), Appear(self.signs), Appear(self.share_note))
        self.play(self._arrival(self.m.moved, self.rings[4]))

    @beat(
        "All of it is one line. Compare,{and_scale} turn scores into weights, and mix the values."
    )
    def one_line(self) -> None:
        gone = self.m.stream, self.m.o, self.m.moved, self.adding.labels, self.signs
        rest = self.rings[4], self.share_note, self.equations, self.chip_ring
        self.play(*map(Leave, (*gone, *rest)))
        self.play(Appear(self.formula))
        for parts, shown in self.terms:
            self.play(self.formula.focus(*parts), one_after_another(map(Appear, shown)))
            self.rest()
        self.play(self.formula.focus(*range(5)))

    @beat(
        "Authors who set tokens as columns write it the other way round. "
        "The numbers are the same; our tokens stay on the rows."
    )
    def tokens_as_columns(self) -> None:
        aside = [each for i, each in enumerate(self.shown) if i not in SQUARE]
        self.play(put_back(aside))
        self.play(self.formula.to_columns(), self._mirror(self.mirrors))
        self.rest()
        self.play(self.formula.to_rows(), self._mirror(self.originals))
        self.play(bring_forward(aside))

    @beat("Token by token or all at once: every matrix agrees, up to rounding.")
    def the_same_numbers(self) -> None:
        gone = self.formula, *(each for _, shown in self.terms for each in shown)
        self.play(*map(Leave, gone))
        self.play(Appear(self.equations))
        self.play(self.verdicts.make_room())
        self.play(self.verdicts.reveal())

    def _lines(self) -> list[tuple[str, str]]:
        """Return the equations of this model."""
        turned = () if self.turns is None else TURNED
        over = f" slash {self.scaling.markup}" if self.scaling.divides else ""
        return [
            (one.replace("{over}", over), every.replace("{over}", over))
            for one, every in (*turned, *LINES[len(turned) :])
        ]

    def _parts(self) -> tuple[Region, Region]:
        """Return where the list of equations stands, and where the matrices do."""
        if self.is_upright:
            return self.content.split(LIST_SHARE_NARROW)
        narrow = self.content.is_narrow
        return self.content.columns(LIST_SHARE_NARROW if narrow else LIST_SHARE)

    @property
    def is_upright(self) -> bool:
        """Whether there is more height than width."""
        return self.content.height > self.content.width

    def _cast_pictures(self) -> None:
        """Make the pictures before any matrix moves: their scale is taken from it."""
        stage, m = self.stage, self.m
        making = ("x", "w_q", "q", "w_k", "k", "w_v", "v")
        self.making = ProductPicture(*m.pick(*making), stage)
        self.scoring = ProductPicture(*m.pick("q", "kt", "s"), stage)
        self.weighing = RowPicture(*m.pick("s", "a"), stage)
        self.mixing = ProductPicture(*m.pick("a", "v", "z"), stage)
        self.lifting = ProductPicture(*m.pick("z", "w_o", "o"), stage)
        self.adding = RowPicture(*m.pick("stream", "o", "moved"), stage)
        pictures = self.scoring, self.weighing, self.mixing, self.lifting, self.adding
        self.rings = [picture.ring(self.asker) for picture in pictures]
        self._cast_overview()
        self.making.put(*range(7))
        self.turned = mirrored(m.k)
        place = self.scoring.places[1]
        self.turned.scale(place.width / self.turned.width).move_to(place)
        for picture, first in zip(pictures, (2, 1, 2, 1, 0), strict=True):
            picture.put(first)
        self.lifting.put(2)
        self.adding.put(2)
        self.signs = self.adding.signs({0: "+", 1: "="})
        self.chip_ring = Ring(self.token_row[self.asker], role=QUERY)

    def _cast_overview(self) -> None:
        """Set copies of the matrices in the formula side by side under it, or on two lines."""
        under = self.content.lowered(FORMULA_HEIGHT)
        regions = under.split(0.5) if self.is_upright else (under,)
        names = ("q", "kt", "s", "a", "v", "z")
        cut = len(names) // len(regions)
        lines = [names[i : i + cut] for i in range(0, len(names), cut)]
        self.parts, self.shown, self.steps = list[Matrix](), list[VGroup](), list[VGroup]()
        for line, region in zip(lines, regions, strict=True):
            matrices, formulas = self.m.pick(*line)
            picture = RowPicture([matrix.copy() for matrix in matrices], formulas, region)
            picture.put(*range(len(line)))
            self.parts += picture.matrices
            self.shown += [
                VGroup(*each) for each in zip(picture.matrices, picture.labels, strict=True)
            ]
            arrows = {line.index(name): ARROW for name in ("kt", "s", "v") if name in line[:-1]}
            self.steps += [VGroup(sign) for sign in picture.signs(arrows)]
        if self.is_upright:
            self.steps.insert(1, VGroup())  # from one line to the next

    def _cast_formula(self) -> None:
        usual = OneLine(FORMULA_SIZE, self.scaling.markup)
        size = FORMULA_SIZE * min(1.0, self.content.width / sum(usual.widths))
        self.formula = OneLine(size, self.scaling.markup)
        self.formula.next_to((self.content.center[0], self.content.top, 0), DOWN)
        self.originals = [self.parts[i].copy() for i in SQUARE]
        self.mirrors = [mirrored(self.parts[i]) for i in SQUARE]
        shown, steps = self.shown, self.steps
        self.terms = (
            ((PRODUCT,), shown[0:2]),
            ((PRODUCT, SCALE), [*steps[0], shown[2]]),
            ((OPENING, CLOSING), [*steps[1], shown[3]]),
            ((MIXED,), [shown[4], *steps[2], shown[5]]),
        )

    def _cast_notes(self) -> None:
        a_bias = architecture.and_a_bias(self.traits, " and a bias")
        self.norm_note, self.mask_note, self.share_note = (
            SmallPrint(text)
            for text in (
                architecture.of_the_bar(self.traits),
                "softmax leaves out the keys that come after a query",
                f"one head's share: the other heads{a_bias} are added, too",
            )
        )
        template, numbers = self.scaling.note(self.query)
        self.scale_notes = [SmallPrint(template, *numbers)] if template else []
        for note in (self.norm_note, self.mask_note, self.share_note, *self.scale_notes):
            note.move_to((self.stage.center[0], self.content.bottom, 0), aligned_edge=DOWN)
            self.content.hold(note)

    def _arrival(self, matrix: Matrix, ring: Mobject) -> Animation:
        """Return how a result fills: its brackets, the row that is followed, the other rows."""
        hide(matrix)
        self.add(matrix)
        row = Together([Appear(ring), row_arrives(matrix, self.asker)])
        rest = other_rows_arrive(matrix, self.asker)
        steps = [frame_of(matrix), row, *([] if rest.is_empty else [rest])]
        return Together(steps, lag_ratio=1.0)

    def _mirror(self, shapes: Sequence[Mobject]) -> Animation:
        pairs = zip(SQUARE, shapes, strict=True)
        return Together(Reshape(self.parts[i], shape, SLOW) for i, shape in pairs)

    def _gaps(self) -> list[Value]:
        """Return for each line how far the rows worked out singly are from the matrix."""
        masked = self.tensor("masked")[self.layer, self.head]
        model = self.model
        alone = word_by_word(model, self.x, masked, self.weights, self.scaling)
        gaps = [
            largest_gap(getattr(alone, step.name), getattr(model, step.name))
            for step in fields(OneHead)
        ]
        z = self.tensor("z")[self.layer, self.head]
        changes = [matmul(row, self.weights.w_o) for row in z]
        sums = [added(*pair) for pair in zip(self.stream, changes, strict=True)]
        return [*gaps, largest_gap(stacked(sums), self.moved)]
