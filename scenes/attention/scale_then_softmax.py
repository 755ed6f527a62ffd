"""Film F18: dot products are scaled, and softmax makes weights of them."""

from __future__ import annotations

from collections.abc import Mapping

from manim import Mobject
from manim.constants import DOWN

from scenes.animations import Appear, Fade, GrowFrom, Leave, ShrinkInto, bring_forward, put_back
from scenes.chapter import Chapter, beat
from scenes.mobjects.labelled_grid import LabelledGrid
from scenes.mobjects.notes import SmallPrint
from scenes.mobjects.plate import Plate
from scenes.mobjects.ranked_bars import RankedBars
from scenes.mobjects.ring import Ring
from scenes.mobjects.row_sums import RowSums, room_for_sums
from scenes.mobjects.softmax_workings import SoftmaxWorkings
from scenes.mobjects.spreads import Sample, Spreads
from scenes.mobjects.text import Words, written
from scenes.softmax import entries, root, slope, softmax, total
from scenes.theme import GAP, LABEL_SIZE
from scenes.values import count

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid, as in the film of dot products
BARS_SHARE = 0.62  # of the room for the slopes; the rest says how they are measured
MUCH = 0.8  # a share above which the others get little
MOST = 0.95  # a share above which they get hardly anything
FLAT = 0.05  # a slope below which weights hardly move
LENGTHS = (4, 16, 64, 256)  # of the random vectors


class ScaleThenSoftmax(Chapter):
    """Raw scores become weights without saturating.

    Every key is still seen by every query: the future is hidden in the next film.
    """

    title = "Scale, then softmax"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 80
    poster_beat = "the-row-is-readable"

    def observe(self) -> None:
        """Find the query to follow and the key that softmax gives most to."""
        self.refuse_other_scaling()
        where = self.layer, self.head
        self.dots, self.scores = self.tensor("dot_products")[where], self.tensor("scores")[where]
        self.weights = softmax(self.scores)
        self.asker = self.followed()
        self.top = int(self.dots[self.asker].array.argmax())
        self.length = entries(self.tensor("q")[where][self.asker])
        self.samples = [self._sample(length) for length in LENGTHS]
        row = self.dots[self.asker], self.scores[self.asker]
        self.slopes = [slope(each) for each in row]
        self.largest = [softmax(each)[self.top].value.number for each in row]

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its row shows."""
        return {
            "asker": self.name_of(self.asker),
            "no_weights": self._say_no_weights(),
            "unscaled": self._say_unscaled(),
            "scaled": self._say_scaled(),
            "slopes": self._say_slopes(),
            "next_film": self._say_next_film(),
        }

    def cast(self) -> None:
        """Make the grid as the film of dot products leaves it, and what will stand on plates."""
        region, room = self.content.raised(REMARK_HEIGHT), room_for_sums(self.content)
        self.board = LabelledGrid.beside(self.dots, self.tokens, region, room)
        grid = self.board.grid
        grid.standing(grid.dot)
        self.add(self.board)
        self.row = grid.row(self.asker)
        self.plate = Plate(self.content.width, self.content.height).move_to(self.content.center)
        inside = self.content.inset(GAP)
        self.workings = SoftmaxWorkings(
            self.dots[self.asker], self.scores[self.asker], self.tokens, self.asker, inside
        )
        self.spreads = Spreads(self.samples, inside.raised(2 * GAP))
        self.origin = SmallPrint(
            "{:,.0f} random queries and keys of each length, every entry of variance {}",
            count(len(self.samples[0].dots), "pairs drawn by chance"),
            count(1, "the variance of an entry"),
        )
        inside.fit_width(self.origin)
        self.origin.move_to((inside.center[0], inside.bottom, 0), DOWN)
        self._cast_slopes()
        sums = [total(row) for row in self.weights]
        self.sums = RowSums(grid, sums, room)
        self._cast_remark()

    @beat("{no_weights}")
    def no_weights_yet(self) -> None:
        self.play(put_back(self.board.but_row(self.asker)))
        self.play(GrowFrom(self.plate, self.row))
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

    @beat(
        "So divide every dot product by that root. Whatever the length, the spread, "
        "a standard deviation, is close to one."
    )
    def divide_by_the_root(self) -> None:
        self.play(self.spreads.divide())

    @beat("{scaled}")
    def the_row_is_readable(self) -> None:
        self.play(Leave(self.spreads), Leave(self.origin))
        self.play(self.workings.come_back())
        self.play(self.workings.divide_given())
        self.play(self.workings.reweigh())

    @beat("{slopes}")
    def softmax_can_learn(self) -> None:
        self.play(self.workings.step_back(), Appear(self.measure))
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
        self.play(ShrinkInto(self.plate, self.row))
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

    def _cast_slopes(self) -> None:
        place, beside = self.workings.between.split(BARS_SHARE)
        names = [Words(f"slope, {each}", size=LABEL_SIZE) for each in ("unscaled", "scaled")]
        self.bars = RankedBars(names, self.slopes, place)
        self.measure = SmallPrint("slope: the size of softmax's Jacobian").move_to(beside.center)

    def _cast_remark(self) -> None:
        cell = self.board.grid.cell(self.asker, self.top)
        self.ring = Ring(cell.face)
        weight = self.weights[self.asker, self.top].value
        names = self.name_of(self.asker), self.name_to(self.asker, self.top)
        self.remark = Words("{} gives {} a weight of {:.2f}", *names, weight)
        self.content.fit_width(self.remark)
        self.remark.next_to(self.board, DOWN, buff=GAP).set_x(self.content.center[0])

    def _say_no_weights(self) -> str:
        row = self.dots[self.asker]
        added, negative = written(total(row).number, 1), int((row.array < 0).sum())
        if len(row) == 1:
            return f"With one token there is one dot product, {added}. It is no weight yet."
        signs = ("None is", "One is", "Some are")[min(negative, 2)]
        end = (
            "it is chance that they add up to 1.0"
            if added == "1.0"
            else (f"they add up to {added}, not to one")
        )
        return (
            f"These are the dot products of {self.name_of(self.asker)} with every key. "
            f"{signs} negative, and {end}. They are no weights yet."
        )

    def _say_unscaled(self) -> str:
        if len(self.tokens) == 1:
            return "Softmax makes shares that add up to one. A single key gets all of it."
        share, nearly = _percent(self.largest[0]), self.largest[0] > MOST
        how = "nearly everything" if nearly else "the largest share"
        return (
            "Softmax makes shares of them that add up to one. "
            f"As they are, {how} goes to {self.name_to(self.asker, self.top)}: {share}."
        )

    def _say_scaled(self) -> str:
        length, by = self.length.number, root(self.length).number
        start = f"A query here has {length:.0f} entries, so divide by {by:.3g}. "
        before, after = map(_percent, self.largest)
        if len(self.tokens) == 1:
            return start + "A single key still gets everything."
        if before == after:
            return start + f"The largest share stays at {after}: this row is very sure."
        end = "the others have a say again" if self.largest[1] < MUCH else "the others get a little"
        end = "still nearly everything" if self.largest[1] > MOST else end
        return start + f"The largest share falls from {before} to {after}: {end}."

    def _say_slopes(self) -> str:
        start = (
            "Learning needs slopes: how far do the weights move when the numbers move a little? "
        )
        unscaled, scaled = (f"{each.number:.2f}" for each in self.slopes)
        if len(self.tokens) == 1:
            return start + "A single weight is always one and cannot move."
        if scaled == unscaled:
            return start + f"Here both slopes are {scaled}."
        if float(scaled) < float(unscaled):
            return start + f"Here {unscaled} and {scaled}: this row was never stuck."
        end = "softmax can learn again" if self.slopes[0].number < FLAT else "the slope has grown"
        return start + f"Unscaled {unscaled}, scaled {scaled}: {end}."

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


def _percent(share: float) -> str:
    if share > 0.9995:
        return "more than 99.9%"
    return f"{share:.1%}" if share > 0.99 else f"{share:.0%}"
