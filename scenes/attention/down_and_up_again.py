"""Film F23: a value goes down to a head's few numbers and up again, for all heads at once."""

from __future__ import annotations

from collections.abc import Mapping

from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes.analysis.attention_head import AttentionHead
from scenes.animations import GrowFrom, Move
from scenes.architecture import and_a_bias
from scenes.arrivals import Appear, Leave
from scenes.first_edition import Film, beat
from scenes.first_mobjects.areas import area_pairs
from scenes.first_mobjects.company import AloneAndInCompany
from scenes.first_mobjects.factors import FactoredMap
from scenes.first_mobjects.head_stack import HeadStack
from scenes.first_mobjects.joined_vectors import JoinedVectors
from scenes.first_mobjects.notes import Counter
from scenes.first_mobjects.passage import Passage
from scenes.first_mobjects.spectrum import Spectrum
from scenes.first_mobjects.tile_row import row_form
from scenes.first_mobjects.two_routes import TwoRoutes
from scenes.joint_change import JointChange
from scenes.map_sizes import GPT_3, MapSizes
from scenes.mobjects.text import Formula, Words, decimals_for
from scenes.provenance import entry_count, matmul, singular_values
from scenes.theme import GAP, LABEL_SIZE, SLOW

FOOT = 0.55  # scene units, kept free under the picture for one line
PICTURE_SHARE = 0.46  # of the content, for the factors beside their singular values
NOTHING = 1e-6  # a singular value so small, beside the largest, is none
ROW = 0.46  # height of a row of the change, in scene units
NAMES = 3.0  # room left of the weights, for z and the names of heads and rows


class DownAndUpAgain(Film):
    """A head's value map is a thin matrix down and a thin one up, and all the ups are W_O.

    What all heads give a token is one product: their z end to end, times W_O.
    """

    title = "Down and up again"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 71
    poster_beat = "only-so-many-directions"

    def observe(self) -> None:
        """Find the head's matrices, the singular values of two, and one token's change."""
        self.where = self.layer, self.head
        self.query, self.key, self.down, self.up = (
            self.tensor(f"weights.W_{name}")[self.where] for name in "QKVO"
        )
        self.map = matmul(self.down, self.up)
        self.ours = MapSizes.of(self.map, self.key)
        self.sizes = singular_values(self.map)
        largest = self.sizes[0].number
        self.rank = sum(size.number > NOTHING * largest for size in self.sizes)
        self.token = self.followed()
        has_bias = self.traits.has_biases
        self.change = JointChange.of(self.tensor, self.layer, self.token, biased=has_bias)

    def words(self) -> Mapping[str, str]:
        """Give the sizes of this checkpoint and the name of the token that is followed."""
        wide, thin = self.down.shape
        return {
            "wide": str(wide),
            "thin": str(thin),
            "square": f"{wide**2:,}",
            "smaller": "just as large" if wide == thin else f"{wide / thin:.0f} times smaller",
            "pushes": "can push in all directions"
            if self.rank == wide
            else f"can push in only {self.rank} directions",
            "rank": str(self.rank),
            "bias_last": and_a_bias(self.traits, " The bias comes last."),
            "same_bias": and_a_bias(self.traits, ", and the same bias"),
            "token": self.name_of(self.token),
        }

    def cast(self) -> None:
        """Make the head's matrices, the areas, the factors and the stack of all heads."""
        self.pairs = area_pairs((self.ours, GPT_3), self.content)
        self._cast_opening()
        self._cast_factors()
        self._cast_stack()
        self._cast_counter()

    @beat(
        "To make a change straight from a word's vector, W V would have to be square: "
        "{square} weights here, more than 150 million in GPT-3, for one head."
    )
    def a_square_map(self) -> None:
        ours, theirs = self.pairs
        self.rest()
        self.play(*map(Leave, self.besides))
        self.play(GrowFrom(ours.square, self.value_panel), Leave(self.value_matrix))
        self.play(Appear(ours.title), Appear(ours.lines[0]))
        self.play(*map(Appear, (theirs.title, theirs.square, theirs.lines[0])))

    @beat(
        "A key matrix, drawn to the same scale, is {smaller} here, "
        "and 96 times smaller in GPT-3. Values should not cost so much more than keys."
    )
    def beside_a_key_matrix(self) -> None:
        ours, theirs = self.pairs
        self.play(Appear(self.key_matrix))
        self.play(GrowFrom(ours.strip, self.key_panel), Leave(self.key_matrix))
        self.play(Appear(ours.lines[1]), Appear(theirs.strip), Appear(theirs.lines[1]))
        for pair in self.pairs:
            self.play(pair.fill(), Appear(pair.lines[2]))

    @beat(
        "So the map is made of two: W V goes down to {thin} numbers, "
        "the head's own part of W O goes up again to {wide}."
    )
    def down_and_up(self) -> None:
        square = self.pairs[0].square.copy()
        self.play(*map(Leave, self.pairs), GrowFrom(self.factors.square, square))
        self.play(self.factors.fall_apart())
        self.play(self.passage.begin())
        self.play(self.passage.go_down())
        self.play(self.passage.cross())
        self.play(self.passage.go_up())
        self.play(Appear(self.saved))

    @beat(
        "Their product is still {wide} by {wide}, but it {pushes}: "
        "of its {wide} singular values, {rank} are not zero."
    )
    def only_so_many_directions(self) -> None:
        self.play(Leave(self.passage), Appear(self.factors.label))
        self.play(Move(VGroup(self.factors, self.saved), self.aside))
        self.play(self.spectrum.reveal(), Appear(self.spectrum.title))
        self.play(*map(Appear, self.spectrum.notes))

    @beat("Every head has its own way up, from {thin} numbers to {wide}.")
    def every_head_goes_up(self) -> None:
        gone = self.spectrum, self.spectrum.title, *self.spectrum.notes, self.saved
        self.play(*map(Leave, (*gone, *self.factors.all_but_up)))
        self.add(self.stack)
        self.play(Leave(self.factors.up), self.stack.reveal_head(self.head, self.factors.up))
        self.play(self.stack.reveal_others(self.head))

    @beat("Staple them together, one under the other: that is the matrix W O of the layer.")
    def staple_the_ups(self) -> None:
        self.play(self.stack.staple())
        self.play(Appear(self.stack.title))

    @beat(
        "Put what the heads found for {token}, their z, end to end, and multiply once.{bias_last}"
    )
    def multiply_once(self) -> None:
        once, name = self.routes.rows[0], self.routes.names[0]
        self.play(self.stack.make_room())
        self.add(self.z)
        self.play(self.z.reveal(self.token_row[self.token]))
        self.play(Appear(name), Appear(once))
        products = self.change.products(once.shown)
        self.play(
            once.add_up_in_turn(products, self.routes.ends[0], 2 * SLOW), self.z.pass_over(2 * SLOW)
        )

    @beat(
        "Head by head, {token} gets the same: every head's change, added up"
        "{same_bias}. One product does the work of them all."
    )
    def the_same_as_the_sum(self) -> None:
        summed, name = self.routes.rows[1], self.routes.names[1]
        self.play(self.stack.recede(), Appear(name), Appear(summed))
        steps = self.change.steps
        time = 2 * SLOW * len(self.change.changes) / len(steps)
        self.play(
            summed.add_up(steps, self.routes.ends[1], 2 * SLOW),
            self.stack.head_after_head(time),
            self.z.pass_one_by_one(self.stack.turns(time)),
        )
        self.play(Appear(self.counter))

    def _cast_opening(self) -> None:
        """Set the head's matrices and pattern as the film of many heads leaves them."""
        head = AttentionHead.given(self.tensor, *self.where)
        patterns, weights = self.tensor("pattern")[self.layer], (self.query, self.key, self.down)
        before = AloneAndInCompany(
            head, self.head, patterns, weights, z=head.z, region=self.content
        )
        query, self.key_matrix, self.value_matrix = before.own
        self.key_panel, self.value_panel = self.key_matrix[1], self.value_matrix[1]
        self.besides = query, self.key_matrix.copy(), before.pattern, before.name_alone
        self.add(*self.besides, self.value_matrix)
        self.key_matrix.align_to(self.pairs[0].strip, LEFT).set_y(self.pairs[0].strip.get_y())

    def _cast_factors(self) -> None:
        picture, beside = self.content.parts(PICTURE_SHARE)
        self.factors = FactoredMap(self.ours.sides, picture.raised(FOOT))
        weights = entry_count(self.down) + entry_count(self.up)
        text = "{:,.0f} weights instead of {:,.0f}"
        self.saved = Words(text, weights, self.ours.square, size=LABEL_SIZE)
        picture.fit_width(self.saved)
        self.saved.next_to(self.factors, DOWN, buff=GAP).set_x(picture.center[0])
        self.aside = picture.center - self.content.center
        VGroup(self.factors, self.saved).shift(-self.aside)
        self.passage = Passage(self.factors, self.ours.sides)
        beside = beside.apart(picture, 2 * GAP).raised(FOOT)
        product = Formula("$value(W_V^h) output(W_O^h)$", LABEL_SIZE)
        title = VGroup(Words("singular values of", size=LABEL_SIZE), product)
        self.spectrum = Spectrum(self.sizes, self.rank, beside, title.arrange(RIGHT, buff=GAP / 2))

    def _cast_stack(self) -> None:
        """Make the stack of the heads' ways up, with the change in two ways under it."""
        change = self.change
        ends = change.at_once.values, change.head_by_head.values
        values = [*ends[0], *(value for row in change.steps for value in row)]
        width, decimals = self.content.width - NAMES - GAP, decimals_for(ends[0], 2)
        form = row_form(values, len(ends[0]), width, ROW, decimals)
        height = self.content.height - FOOT - 2 * ROW - 5 * GAP
        columns = form.pitch, form.most
        self.stack = HeadStack(change.ups, columns, height, NAMES, self.content)
        z = [change.z[head] for head in self.stack.heads]
        self.z = JoinedVectors(z, self.stack.strips, self.stack.beside)
        self.stack.spread(self.content)
        high = self.content.bottom + FOOT + 1.5 * ROW + GAP
        place = float(self.stack.strips[0].get_left()[0]), high
        nothing = [value - value for value in change.steps[0]]
        self.routes = TwoRoutes(("all at once", "head by head"), ends, nothing, form, place)

    def _cast_counter(self) -> None:
        self.counter = Counter("all at once and head by head", self.change.gap)
        self.content.set_at_foot(self.counter, FOOT)
