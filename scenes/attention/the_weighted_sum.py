"""Film F20: values are mixed by the weights, and the mixture is added to the word's vector."""

from __future__ import annotations

from collections.abc import Mapping

from manim import VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.architecture import and_a_bias
from scenes.arrivals import Appear, Leave, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.arcs import WeightArcs
from scenes.first_mobjects.future import Future
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.lift import Lift
from scenes.first_mobjects.notes import Counter, SmallPrint, StoryBadge
from scenes.first_mobjects.plane import plane_note
from scenes.first_mobjects.residual_sum import ResidualSum
from scenes.first_mobjects.row_sums import room_for_sums
from scenes.first_mobjects.source_shares import SourceShares
from scenes.first_mobjects.tip_to_tail import TipToTail
from scenes.first_mobjects.weighted_values import WeightedValues
from scenes.mobjects.text import Formula, Words, em_of
from scenes.provenance import count, largest_difference, largest_gap, matmul
from scenes.pushes import Pushes
from scenes.sharing import Sharing
from scenes.story import outcome
from scenes.theme import BODY_SIZE, GAP, HAIR, LABEL_SIZE, OUTPUT, VALUE

REMARK_HEIGHT = 0.55  # scene units, kept free under the picture for one line
S = "\N{RIGHT SINGLE QUOTATION MARK}s"
NAMED = 0.2  # a push this long, as a share of the longest, has its name in the picture


class TheWeightedSum(Film):
    """The values are mixed by one row of weights, and the mixture moves the word's vector.

    One head is followed to its end; the layer adds what all of its heads find, and a bias.
    """

    title = "The weighted sum"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 79
    poster_beat = "each-source-pushes"

    def observe(self) -> None:
        """Find the query to follow, its sources, and how far each of them pushes it."""
        where = self.layer, self.head
        self.pattern, self.v = self.tensor("pattern")[where], self.tensor("v")[where]
        self.asker = self.followed()
        self.weights = self.pattern[self.asker]
        self.z, self.out = (self.tensor(name)[where][self.asker] for name in ("z", "head_out"))
        self.lifting = self.tensor("weights.W_O")[where]
        self.x = self.tensor("resid_pre")[self.layer, self.asker]
        ends, sources = (self.x, self.out), self.asker + 1
        self.pushes = Pushes.of(ends, self.weights, self.v, self.lifting, sources)
        self.ratio = self.pushes.ratio
        self.sharing = Sharing(self.asker, self.weights, self.name_of)
        self.outcome = outcome(self.tokens, self.asker)

    def words(self) -> Mapping[str, str]:
        """Name the tokens of this prompt, and say what its weights and its change are."""
        return {
            "asker": self.name_of(self.asker),
            "entries": str(len(self.z)),
            "lifted": str(len(self.out)),
            "scaling": self.sharing.scaling,
            "moved": f"{self.ratio.number:.0%}".replace("%", " percent"),
            "everywhere": self._say_everywhere(),
            "story": self._say_story(),
        }

    def cast(self) -> None:
        """Make the pattern, the weighted values, the lift, the plane, the sum and the ending."""
        self.picture = self.content.raised(REMARK_HEIGHT)
        self._cast_pattern()
        self._cast_values()
        self._cast_lift()
        self._cast_plane()
        self._cast_sum()
        self._cast_arcs()
        self._cast_story()
        self.add(self.board)

    @beat("One row of the attention pattern says how much {asker} takes from each token.")
    def one_row_of_weights(self) -> None:
        self.rest()
        self.play(put_back(self.board.but_row(self.asker)))

    @beat(
        "Beside each weight stands its token's value: {entries} numbers, "
        "made from the normalised vector by the matrix W V."
    )
    def a_value_beside_each_weight(self) -> None:
        cells = self.board.grid.row(self.asker)
        self.play(self.mixture.reveal_sources(cells, self.token_row), Leave(self.board))
        self.play(self.mixture.reveal_values(), Appear(self.norm_note))

    @beat("{scaling}")
    def weights_scale_values(self) -> None:
        self.play(self.mixture.scale_values())

    @beat("Add up what is left, entry by entry. The sum is what this head found for {asker}: z.")
    def add_them_up(self) -> None:
        self.play(Leave(self.norm_note), self.mixture.reveal_total())
        self.play(self.mixture.add_up())
        self.play(Appear(self.sum_counter))

    @beat(
        "But z has {entries} numbers, and the word's vector {lifted}. "
        "The head's own part of W O lifts z to {lifted}: the change."
    )
    def lift_to_full_size(self) -> None:
        self.add(self.lift)
        self.play(Leave(self.mixture), Leave(self.sum_counter), self.lift.bring(self.mixture.total))
        self.play(self.lift.reveal_matrix(), Appear(self.lift_name))
        self.play(self.lift.pass_over())
        self.play(self.lift.finish(), Appear(self.change_name))
        self.play(Appear(self.lift_counter))

    @beat(
        "As arrows: the vector of {asker}, and what each source adds to it, tip to tail. "
        "Together they are {moved} as long as the vector itself."
    )
    def each_source_pushes(self) -> None:
        self.play(*map(Leave, (self.lift, self.lift_counter, self.lift_name, self.change_name)))
        self.add(self.plane)
        self.play(self.plane.reveal_first(), Appear(self.plane.note))
        self.play(self.plane.reveal_steps())
        self.play(self.plane.reveal_whole(), Appear(self.remark))

    @beat(
        "The vector itself goes straight on. The head's change is added to it, "
        "and so are the changes of the layer's other heads."
    )
    def straight_on_and_added(self) -> None:
        self.play(Leave(self.plane), Leave(self.remark))
        self.play(self.sum.reveal_vector())
        self.play(self.sum.go_straight_on())
        self.play(self.sum.reveal_branch())
        self.play(self.sum.add_change(), Appear(self.share_note))

    @beat("{everywhere}")
    def all_tokens_at_once(self) -> None:
        self.play(Leave(self.sum), Leave(self.share_note))
        self.play(self.arcs.reveal_names(self.token_row), Appear(self.arcs_note))
        self.play(self.arcs.draw(self.asker))
        self.play(self.arcs.draw_all_but(self.asker))

    @beat("{story}")
    def the_story_and_the_sources(self) -> None:
        self.play(Leave(self.arcs), Leave(self.arcs_note))
        self.play(Appear(self.badge), Appear(self.tale))
        self.play(self.shares.reveal())
        self.play(Appear(self.verdict))

    def _cast_pattern(self) -> None:
        """Set the pattern as the film of the mask leaves it: what looks ahead is hatched."""
        room = room_for_sums(self.content)
        self.board = LabelledGrid.beside(self.pattern, self.tokens, self.picture, room)
        grid = self.board.grid
        grid.hold(self.tensor("masked")[self.layer, self.head])
        Future(grid).stand_hatched()
        grid.hold(self.pattern).standing(grid.weight)

    def _cast_values(self) -> None:
        pieces = self.tokens[: self.asker + 1]
        self.mixture = WeightedValues(self.weights, self.v, pieces, self.picture)
        self.norm_note = self._at_foot(
            SmallPrint("values are made from normalised vectors; later tokens have no weight")
        )
        difference = largest_difference(self.mixture.sums, self.z.values)
        self.sum_counter = self._at_foot(Counter(f"this sum and the model{S} z", difference))

    def _cast_lift(self) -> None:
        place = self.picture.lowered(em_of(BODY_SIZE) + GAP)
        self.lift = Lift(self.z, self.lifting, place, (VALUE, OUTPUT))
        whole = [count(size, "sides of a head's part of W_O") for size in self.lifting.shape]
        text = "of this head: {} \N{MULTIPLICATION SIGN} {}"
        symbol, name = Formula("$output(W_O)$", LABEL_SIZE), Words(text, *whole, size=LABEL_SIZE)
        self.lift_name = VGroup(symbol, name).arrange(RIGHT, buff=HAIR)
        self.lift_name.next_to(self.lift.matrix, UP, buff=GAP)
        self.change_name = Words("change", size=LABEL_SIZE, role=OUTPUT)
        self.change_name.next_to(self.lift.under, LEFT, buff=HAIR)
        self.content.hold(self.change_name)
        gap = largest_gap(matmul(self.z, self.lifting), self.out)
        self.lift_counter = self._at_foot(Counter(f"this change and the model{S}", gap))

    def _cast_plane(self) -> None:
        plane, name = self.pushes.plane(), self.name_of(self.asker)
        givers = [
            self.name_to(self.asker, j) if self.pushes.is_far(j, NAMED) else None
            for j in self.pushes.order
        ]
        names = [name, *givers, f"{name} after this head"]
        note = plane_note(len(self.x), plane.share)
        self.plane = TipToTail(self.pushes.tips(plane), names, note, self.picture)
        text = "this head's change is {:.0%} as long as the vector"
        self.remark = self._at_foot(Words(text, self.ratio, size=LABEL_SIZE))

    def _cast_sum(self) -> None:
        name = self.name_of(self.asker)
        names = f"vector of {name}", f"this head{S} change", f"with this head{S} change"
        self.sum = ResidualSum(self.x, self.out, names, "head", self.picture)
        heads = count(self.tensor("pattern").shape[1], "heads of a layer")
        text = "one head's share: the layer adds the changes of all {} heads"
        text += and_a_bias(self.traits)
        self.share_note = self._at_foot(SmallPrint(text, heads))

    def _cast_arcs(self) -> None:
        self.arcs = WeightArcs(self.pattern, self.tokens, self.picture)
        text = "an arc is as wide as its weight; weights near zero leave none"
        self.arcs_note = self._at_foot(SmallPrint(text))

    def _cast_story(self) -> None:
        self.badge = StoryBadge()
        self.tale = Words("{}", self.outcome, size=BODY_SIZE)
        top = VGroup(self.badge, self.tale).arrange(RIGHT, buff=GAP)
        self.content.fit_width(top)
        top.next_to((self.content.center[0], self.content.top, 0), DOWN, buff=0)
        pieces, changes = self.tokens[: self.asker + 1], self.pushes.shares
        weights = [self.weights[j].value for j in range(len(pieces))]
        columns = [("share of the weight", weights), ("share of the change", changes)]
        self.shares = SourceShares(pieces, columns, self.picture.below(top, GAP))
        best = self.sharing.favourite
        text = "measured: {} gives {:.0%} of the weight and {:.0%} of the change"
        shares = weights[best], changes[best]
        self.verdict = self._at_foot(Words(text, self.name_of(best), *shares, size=LABEL_SIZE))

    def _at_foot(self, words: Words) -> Words:
        self.content.set_at_foot(words, REMARK_HEIGHT)
        return words

    def _say_everywhere(self) -> str:
        if len(self.tokens) == 1:
            return (
                "With a single token there is one arc, from the token to itself. "
                "In a longer text every token gets a sum of its own, all at once."
            )
        return (
            "The same is done for every token at once. Values flow along the arcs, "
            "and each arc is as wide as its weight."
        )

    def _say_story(self) -> str:
        giver = self.name_to(self.asker, self.sharing.favourite)
        return (
            f"The story goes: {self.outcome}. Measured, {self.name_of(self.asker)} takes most "
            f"from {giver}, {self.sharing.most} of its weight. "
            "What the change means, no number here says."
        )
