"""Film F21: the story of one token and the formula for all of them are one computation."""

from __future__ import annotations

from collections.abc import Mapping

from manim import Animation
from manim.constants import DOWN

from scenes import architecture
from scenes.analysis.attention_head import AttentionHead, HeadWeights, token_by_token
from scenes.animations import Together
from scenes.arrivals import Appear, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.equations import Equations, Verdicts
from scenes.first_mobjects.formula_in_matrices import FormulaInMatrices
from scenes.first_mobjects.head_in_matrices import HeadInMatrices
from scenes.first_mobjects.head_pictures import HeadPictures
from scenes.first_mobjects.matrix import Matrix
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.product_picture import Picture, arrive, frame_of, rows_fly_in
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.row_strips import RowStrips
from scenes.first_mobjects.transposition import turn_over
from scenes.head_steps import CHANGE, MAKING, MIXTURE, QUERIES, SCORES, SUM, WEIGHTS, steps
from scenes.presence import hide
from scenes.provenance import Value, added, largest_gap, matmul, stacked
from scenes.theme import GAP, QUERY

LIST_SHARE = 0.34  # of the content, for the equations
LIST_SHARE_NARROW = 0.45  # the same in an upright or square frame
NOTE_HEIGHT = 0.45  # scene units, for a line of small print
NEXT_MATRIX = 0.4  # of the time that a matrix takes to come in, until the next one starts
ONE, ALL = 0, 1  # the columns of the equations
STRIPS = {  # what is told of one token: the matrix, the name of its row, the step
    "q": ("query(q_t)", QUERIES),
    "s": ("s_t", SCORES),
    "a": ("a_t", WEIGHTS),
    "z": ("value(z_t)", MIXTURE),
    "o": ("output(o_t)", CHANGE),
}


class OneHeadAsMatrices(Film):
    """What we told of one token and the formula for all tokens are the same computation."""

    title = "One head as matrices"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 73
    poster_beat = "one-line"

    def observe(self) -> None:
        """Take this head's matrices, and find the token to follow."""
        where = self.layer, self.head
        self.scaling = architecture.scaling(self.traits, self.layer)
        self.model = AttentionHead.given(self.tensor, *where)
        self.weights = HeadWeights.of(self.tensor, *where, self.turns)
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
        share = LIST_SHARE_NARROW if self.content.is_narrow else LIST_SHARE
        left, right = self.content.parts(share)
        self.stage = right.apart(left, GAP).raised(NOTE_HEIGHT)
        self.equations = Equations(
            steps(self.scaling, turned=self.turns is not None),
            ("one token", "all tokens"),
            left.raised(NOTE_HEIGHT),
        )
        self.add(self.equations)
        self.m = HeadInMatrices.of(self.model, self.weights, self.x, self.stream, self.moved)
        self.m.level(self.asker)
        rows, _ = self.m.pick(*STRIPS)
        names = [name for name, _ in STRIPS.values()]
        self.strips = RowStrips(rows, names, self.asker, self.stage)
        self.line = FormulaInMatrices(self.m, self.scaling.markup, self.content)
        self.pictures = HeadPictures.of(self.m, self.asker, self.stage)
        self.chip_ring = Ring(self.token_row[self.asker], role=QUERY)
        self._cast_notes()
        self.verdicts = Verdicts(self.equations, self._gaps(), self.content)

    @beat(
        "So far we followed one token: its query, its scores, its weights, "
        "the mixture of values, and the change that comes out."
    )
    def one_token_at_a_time(self) -> None:
        every = range(len(self.equations.lines))
        self.play(self.equations.reveal(ONE, *every), Appear(self.chip_ring))
        for (_, step), strip in zip(STRIPS.values(), self.strips.lines, strict=True):
            self.play(self.equations.focus(step), Appear(strip))

    @beat(
        "The model stacks all tokens as the rows of one matrix. One product makes every query, "
        "a second every key, a third every value."
    )
    def all_tokens_at_once(self) -> None:
        making, m = self.pictures.making, self.m
        self.play(Leave(self.strips), self.equations.focus(*MAKING))
        self._bring_on(m.x)
        self.play(frame_of(m.x), rows_fly_in(m.x, self.token_row))
        self.play(self.equations.reveal(ALL, *MAKING), *map(Appear, making.notes))
        self.play(*map(Appear, (m.w_q, m.w_k, m.w_v, making.labels)))
        self._bring_on(m.q, m.k, m.v)
        self.play(Together(map(arrive, (m.q, m.k, m.v)), lag_ratio=NEXT_MATRIX))

    @beat(
        "Queries times keys, transposed: every score at once.{scaled} "
        "Row {place} is what {asker} worked out alone, and each token has a row."
    )
    def every_score(self) -> None:
        scoring = self.pictures.scoring
        self.play(self.pictures.making.leave(self.m.q, self.m.k), self.equations.focus(SCORES))
        self.remove(self.m.k)
        self.add(self.m.kt)
        self.play(scoring.settle(0), turn_over(self.m.k, self.m.kt))
        self.play(self.equations.reveal(ALL, SCORES), Appear(scoring.labels))
        self.play(*map(Appear, scoring.notes))
        self.play(self._fill(scoring))

    @beat("Softmax goes along each row, with the future left out: the attention pattern.")
    def every_weight(self) -> None:
        weighing = self.pictures.weighing
        self.play(self.pictures.scoring.leave(self.m.s), self.equations.focus(WEIGHTS))
        self.play(weighing.settle(0), self.equations.reveal(ALL, WEIGHTS))
        self.play(Appear(weighing.labels), *map(Appear, weighing.notes))
        self.play(self._fill(weighing))

    @beat("Weights times values: each row is one token's mixture.")
    def every_mixture(self) -> None:
        mixing = self.pictures.mixing
        self.play(self.pictures.weighing.leave(self.m.a), self.equations.focus(MIXTURE))
        mixing.put(1)
        self.play(mixing.settle(0), self.equations.reveal(ALL, MIXTURE))
        self.play(Appear(self.m.v), Appear(mixing.labels))
        self.play(self._fill(mixing))

    @beat(
        "The output matrix takes every mixture back to {d_model} numbers, "
        "and they are added to what was there."
    )
    def back_to_the_stream(self) -> None:
        lifting, adding = self.pictures.lifting, self.pictures.adding
        self.play(self.pictures.mixing.leave(self.m.z), self.equations.focus(CHANGE))
        self.play(lifting.settle(0), self.equations.reveal(ALL, CHANGE))
        self.play(Appear(self.m.w_o), Appear(lifting.labels))
        self.play(self._fill(lifting))
        self.play(lifting.leave(self.m.o), self.equations.focus(SUM))
        self.play(adding.settle(1), Appear(self.m.stream), self.equations.reveal(ALL, SUM))
        self.play(Appear(adding.labels), *map(Appear, adding.notes))
        self.play(self._fill(adding))

    @beat(
        "All of it is one line. Compare,{and_scale} turn scores into weights, and mix the values."
    )
    def one_line(self) -> None:
        self.play(self.pictures.adding.leave(), Leave(self.equations), Leave(self.chip_ring))
        self.add(self.line)
        self.play(Appear(self.line.formula))
        for term in range(len(self.line.terms)):
            self.play(self.line.say(term))
            self.rest()
        self.play(self.line.say_all())

    @beat(
        "Authors who set tokens as columns write it the other way round. "
        "The numbers are the same; our tokens stay on the rows."
    )
    def tokens_as_columns(self) -> None:
        self.play(put_back(self.line.aside))
        self.play(self.line.to_columns())
        self.rest()
        self.play(self.line.to_rows())
        self.play(bring_forward(self.line.aside))

    @beat("Token by token or all at once: every matrix agrees, up to rounding.")
    def the_same_numbers(self) -> None:
        self.play(Leave(self.line))
        self.play(Appear(self.equations))
        self.play(self.verdicts.make_room())
        self.play(self.verdicts.reveal())

    def _cast_notes(self) -> None:
        a_bias = architecture.and_a_bias(self.traits, " and a bias")
        template, numbers = self.scaling.note(self.query)
        at = self.pictures
        remarks = [
            (at.making, SmallPrint(architecture.of_the_bar(self.traits))),
            (at.weighing, SmallPrint("softmax leaves out the keys that come after a query")),
            (at.adding, SmallPrint(f"one head's share: the other heads{a_bias} are added, too")),
            *([(at.scoring, SmallPrint(template, *numbers))] if template else []),
        ]
        for picture, note in remarks:
            note.move_to((self.stage.center[0], self.content.bottom, 0), aligned_edge=DOWN)
            self.content.hold(note)
            picture.remark(note)

    def _bring_on(self, *matrices: Matrix) -> None:
        """Set matrices on the stage, unseen, so that they stay whole while their parts come in."""
        for matrix in matrices:
            hide(matrix)
            self.add(matrix)

    def _fill(self, picture: Picture) -> Animation:
        """Return how the last matrix of a picture comes in."""
        self._bring_on(picture.matrices[-1])
        return picture.fill()

    def _gaps(self) -> list[Value]:
        """Return for each line how far the rows worked out singly are from the matrix."""
        masked = self.tensor("masked")[self.layer, self.head]
        alone = token_by_token(self.model, self.x, masked, self.weights, self.scaling)
        z = self.tensor("z")[self.layer, self.head]
        changes = [matmul(row, self.weights.w_o) for row in z]
        sums = [added(*pair) for pair in zip(self.stream, changes, strict=True)]
        return [*alone.gaps(self.model), largest_gap(stacked(sums), self.moved)]
