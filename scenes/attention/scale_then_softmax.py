"""Film F18: dot products are scaled, and softmax makes weights of them."""

from __future__ import annotations

from collections.abc import Mapping

from manim import Mobject, VGroup
from manim.constants import DOWN

from scenes import architecture
from scenes.analysis.softmax import softmax
from scenes.animations import GrowFrom, ShrinkInto
from scenes.arrivals import Appear, Fade, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.plate import Plate
from scenes.first_mobjects.ranked_bars import RankedBars
from scenes.first_mobjects.ring import Ring
from scenes.first_mobjects.row_sums import RowSums, room_for_sums
from scenes.first_mobjects.softmax_workings import SoftmaxWorkings
from scenes.first_mobjects.spreads import Sample, Spreads
from scenes.mobjects.text import Words
from scenes.provenance import count, total
from scenes.scaled_row import ScaledRow
from scenes.theme import GAP, HAIR, LABEL_SIZE

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid, as in the film of dot products
LENGTHS = (4, 16, 64, 256)  # of the random vectors


class ScaleThenSoftmax(Film):
    """Raw scores become weights without saturating.

    Every key is still seen by every query: the future is hidden in the next film.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 84
    poster_beat = "the-row-is-readable"

    def observe(self) -> None:
        """Find the query to follow and the key that softmax gives most to."""
        where = self.layer, self.head
        self.dots, self.scores = self.tensor("dot_products")[where], self.tensor("scores")[where]
        self.weights = softmax(self.scores)
        self.asker = self.followed()
        self.row = ScaledRow(
            self.dots[self.asker],
            self.scores[self.asker],
            self.tensor("q")[where][self.asker],
            architecture.scaling(self.traits, self.layer),
        )
        self.top = self.row.top
        self.samples = [self._sample(length) for length in LENGTHS]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its row shows."""
        return {
            "asker": self.name_of(self.asker),
            "no_weights": self.row.say_no_weights(self.name_of(self.asker)),
            "unscaled": self.row.say_unscaled(self.name_to(self.asker, self.top)),
            "divide": self.row.say_divide(),
            "scaled": self.row.say_scaled(),
            "slopes": self.row.say_slopes(),
            "next_film": self._say_next_film(),
        }

    def cast(self) -> None:
        """Make the grid as the film of dot products leaves it, and what will stand on plates."""
        region, room = self.content.raised(REMARK_HEIGHT), room_for_sums(self.content)
        self.board = LabelledGrid.beside(self.dots, self.tokens, region, room)
        grid = self.board.grid
        grid.standing(grid.dot)
        self.add(self.board)
        self.cells = grid.row(self.asker)
        self.plate = Plate(self.content.width, self.content.height).move_to(self.content.center)
        inside = self.content.inset(GAP)
        rows, divisor = (self.row.dots, self.row.scores), self.row.scaling.markup
        self.workings = SoftmaxWorkings(*rows, self.tokens, self.asker, inside, divisor=divisor)
        self.spreads = Spreads(self.samples, inside.raised(2 * GAP))
        self.origin = SmallPrint(
            "{:,.0f} random queries and keys of each length, every entry of variance {}",
            count(len(self.samples[0].dots), "pairs drawn by chance"),
            count(1, "the variance of an entry"),
        )
        inside.fit_width(self.origin)
        self.origin.move_to((inside.center[0], inside.bottom, 0), DOWN)
        self._cast_notes()
        self._cast_slopes()
        sums = [total(row) for row in self.weights]
        self.sums = RowSums(grid, sums, room)
        self._cast_remark()

    @beat("{no_weights}")
    def no_weights_yet(self) -> None:
        self.play(put_back(self.board.but_row(self.asker)))
        self.play(GrowFrom(self.plate, self.cells))
        self.add(self.workings)
        self.play(self.workings.reveal_given(self._cells()))
        self.play(self.workings.add_up_given())

    @beat("{unscaled}")
    def softmax_without_scaling(self) -> None:
        self.play(self.workings.reveal_weights())

    @beat(
        "Large numbers make softmax extreme. Take random queries and keys: the longer they are, "
        "the wider their dot products spread, as the square root of the length."
    )
    def the_spread_grows(self) -> None:
        self.play(Fade(self.workings, 0.0))
        self.add(self.spreads, self.origin)
        self.play(self.spreads.reveal_heads(), Appear(self.origin))
        self.play(self.spreads.reveal())
        self.play(self.spreads.reveal_roots())

    @beat("{divide} Whatever the length, the spread, a standard deviation, is close to one.")
    def divide_by_the_root(self) -> None:
        self.play(self.spreads.divide())

    @beat("{scaled}")
    def the_row_is_readable(self) -> None:
        self.play(Leave(self.spreads), Leave(self.origin))
        self.play(self.workings.come_back())
        self.play(self.workings.divide_given())
        self.play(self.workings.reweigh())
        self.play(*map(Appear, self.notes))

    @beat("{slopes}")
    def softmax_can_learn(self) -> None:
        self.play(self.workings.step_back(), Appear(self.measure), *map(Leave, self.notes))
        for bar in self.bars:
            self.play(Appear(bar))

    @beat(
        "This is how softmax does it. Raise e to each score: all are positive now. "
        "Add them up. Divide each by the sum."
    )
    def one_row_worked_out(self) -> None:
        self.play(self.workings.clear_weights(), Leave(self.bars), Leave(self.measure))
        self.play(self.workings.exponentiate())
        self.play(self.workings.add_up_exponentials())
        self.play(self.workings.share_out())

    @beat("Each row is done by itself. A weight is a disc, and its area is the weight.")
    def every_row(self) -> None:
        grid, others = self.board.grid.hold(self.weights), self._others()
        grid.settle(self.asker)
        self.play(Leave(self.workings))
        self.play(ShrinkInto(self.plate, self.cells))
        self.play(bring_forward(self.board.but_row(self.asker)))
        self.play(grid.become_weights(others))

    @beat("Every row adds up to one: this is an attention pattern. {next_film}")
    def rows_add_up_to_one(self) -> None:
        self.play(self.sums.reveal())
        self.play(Appear(self.ring), Appear(self.remark))

    def _others(self) -> list[int]:
        return [query for query in range(len(self.tokens)) if query != self.asker]

    def _cells(self) -> list[Mobject]:
        return [cell.face for cell in self.board.grid.cells[self.asker]]

    def _sample(self, length: int) -> Sample:
        dots = self.tensor(f"random_vectors.dots_{length}")
        return Sample(dots, self.tensor(f"random_vectors.q_{length}")[0])

    def _cast_notes(self) -> None:
        """Say beside the workings what is unusual in how this model scales."""
        self.notes = [SmallPrint(template, *numbers) for template, numbers in self.row.notes()]
        if self.notes:
            self.workings.between.fit(VGroup(*self.notes).arrange(DOWN, buff=HAIR))

    def _cast_slopes(self) -> None:
        middle = self.workings.middle
        names = [Words(each, size=LABEL_SIZE) for each in self.row.names_of_slopes]
        self.bars = RankedBars(names, self.row.slopes, middle)
        self.measure = SmallPrint("slope: the size of softmax's Jacobian")
        self.measure.next_to(self.bars, DOWN, buff=2 * GAP)
        middle.fit(VGroup(self.bars, self.measure))

    def _cast_remark(self) -> None:
        cell = self.board.grid.cell(self.asker, self.top)
        self.ring = Ring(cell.face)
        weight = self.weights[self.asker, self.top].value
        names = self.name_of(self.asker), self.name_to(self.asker, self.top)
        self.remark = Words("{} gives {} a weight of {:.2f}", *names, weight)
        self.content.fit_width(self.remark)
        self.remark.next_to(self.board, DOWN, buff=GAP).set_x(self.content.center[0])

    def _say_next_film(self) -> str:
        if len(self.tokens) == 1:
            return "With one token it is a single weight of one."
        if self.top > self.asker:
            asker, top = self.name_of(self.asker), self.name_of(self.top)
            return (
                f"But {asker} looks most at {top}, which comes after it. "
                "The model hides that, as the next film shows."
            )
        return (
            "But here words still see those after them. "
            "The model hides these, as the next film shows."
        )
