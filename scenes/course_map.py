"""What the course shows between its films. It is no film of the list: only the course has it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import pairwise

import numpy as np
from manim import Mobject, Square, VGroup
from manim.constants import DOWN, RIGHT, UP

from scenes.analysis.direct_effect import pushing_neuron
from scenes.camera import WHOLE, View, pin
from scenes.figures.road import Road
from scenes.film import Film, Shown, beat
from scenes.mobjects.bars import percentage
from scenes.mobjects.marks import Ring
from scenes.mobjects.text import Formula, Words, called
from scenes.mobjects.tokens import Chip
from scenes.provenance import count
from scenes.theme import (
    GAP,
    HAIR,
    HEADING_SIZE,
    PLAIN_SIZE,
    QUIET,
    SPOKEN_SIZE,
    STEADY,
)
from scenes.verbs import (
    Appear,
    Dim,
    Disappear,
    Draw,
    Flow,
    MoveTo,
    Pulse,
    Then,
    Together,
    Undim,
    Vary,
    Verb,
    Visit,
)

FILLED, NEAR = 0.85, 0.4  # of the stage, by a head, by a word
SIDE = 0.2  # of the stage, beside what is looked at, for a way to write it
BESIDE = 0.62, 0.72  # of the stage, by a head that words stand beside, or above and below
SLIGHTLY = 1.03  # times as large, the ring where it has come to
MOST_LAYERS, FEW_LAYERS = 6, 4  # that are drawn; of more, at least so many
GUESS_ROOM = 1.0  # scene units at the top of the stage


class CourseMap(Film):
    """Where each film stands on the road from a sentence to its next word."""

    title = "From a sentence to its next word"
    prompt = "a fluffy blue creature roamed the verdant"
    seconds = 103
    poster_beat = "close"

    def observe(self) -> None:
        self.asker = self.followed()
        self.deep, _ = pushing_neuron(self.trace.tensors())
        layers = len(self.tensor("pattern").array)
        self.drawn = layers_drawn(layers, (self.layer, self.deep))
        self.next_id = self.continued(1)[-1]
        self.guess = self.piece(self.next_id)
        self.chance = self.tensor("probs")[-1, self.next_id].value

    def words(self) -> Mapping[str, str]:
        then = "and" if self.traits.side_by_side else "then"
        return {"guess": called(self.guess), "then": then}

    @beat(
        "A language model reads a text | and guesses what comes next. "
        "| How does it get from these words | to that one? | Each word becomes a list of numbers. "
        "| Layer by layer, words look at one another, | {then} each thinks for itself, "
        "| and the last one says: {guess}."
    )
    def opening(self) -> Shown:
        road = self.road
        yield Flow(map(Appear, road.chips))
        yield Draw(road.blank), Pulse(road.blank)
        yield self.pull_back(), Flow(map(Draw, road.streams))
        yield Pulse(road.blank)
        yield Flow(map(Appear, road.cells))
        yield Flow(Appear(each.ground, *each.patterns) for each in road.blocks)
        yield Flow(Appear(*each.changes) for each in road.blocks), *map(Appear, road.gaps)
        yield Then(Appear(self.says), Draw(self.ring))

    @beat("Part one: the task.")
    def what_comes_next(self) -> Shown:
        blank = self.road.blank
        yield self.go_to(blank, self.near(blank, NEAR), blank)

    @beat("One word is guessed. And the next?")
    def one_token_at_a_time(self) -> Shown:
        blank = self.road.blank
        yield self.go_to(blank, self.near(blank, 1.8 * NEAR), blank)

    @beat("What happens in between?")
    def the_whole_road(self) -> Shown:
        road, back = self.road, Together(self.pull_back(STEADY), Undim(*self.road.parts))
        wave = Flow((Pulse(each.ground, scale=1.03) for each in road.blocks), STEADY)
        yield Visit(self.ring, [road], STEADY), Then(back, wave)

    @beat("Part two: text becomes vectors.")
    def cutting_text_into_tokens(self) -> Shown:
        chips = self.road.chips
        yield self.go_to(VGroup(*chips), WHOLE, *chips)

    @beat("Each piece is now a number.")
    def from_one_hot_to_embedding(self) -> Shown:
        cells = self.road.cells[self.asker]
        yield self.go_to(cells, self.near(cells, NEAR), cells)

    @beat("Now it's a list of numbers.")
    def a_space_with_directions(self) -> Shown:
        cells = self.road.cells
        yield self.go_to(VGroup(*cells), WHOLE, *cells)

    @beat("But which word came first?")
    def shuffle_the_words(self) -> Shown:
        chips = self.road.chips
        yield self.go_to(VGroup(*chips), WHOLE, *chips)

    @beat("So places need numbers, too.")
    def clocks_for_positions(self) -> Shown:
        cells = self.road.cells
        yield self.go_to(VGroup(*cells), WHOLE, *cells)

    @beat("Part three: attention.")
    def queries_keys_values(self) -> Shown:
        yield self.go_to(self.one), Appear(*self.one.edges)

    @beat("Now queries meet keys.")
    def dot_product_grid(self) -> Shown:
        yield self.go_to(self.one.pattern)

    @beat("Scores are no shares yet.")
    def scale_then_softmax(self) -> Shown:
        yield self.go_to(self.one.pattern.row(self.asker))

    @beat("And nobody may look ahead.")
    def no_peeking(self) -> Shown:
        yield self.go_to(self.future)

    @beat("What do these shares bring?")
    def the_weighted_sum(self) -> Shown:
        yield self.go_to(self.one.found)

    @beat("That's one head, all of it.")
    def one_head_as_matrices(self) -> Shown:
        yield self.go_to(self.one)

    @beat(
        "Other books draw this turned round: | queries along the top, keys down the side. "
        "| There, vectors are columns, and a matrix stands before them. "
        "| In our formulas, they are rows, and it comes after. | The numbers are the same."
    )
    def other_pictures(self) -> Shown:
        turn, elsewhere, here = self.one.turn, self.elsewhere, self.here
        beside = BESIDE[int(self.stage.height > self.stage.width)]
        yield self.zoom_into(self.one, beside), Disappear(self.ring, *self.others())
        yield Vary(turn, 0.0, 180.0), Appear(elsewhere[0])
        yield Appear(elsewhere[1]), Pulse(elsewhere[1])
        yield Vary(turn, 180.0, 0.0), Appear(here)
        yield Pulse(here[1], elsewhere[1]), Pulse(self.one, scale=1.04)

    @beat("But one head isn't enough.")
    def many_heads(self) -> Shown:
        block, around = self.block, Appear(*self.others(), scale=1.0)
        leave = Disappear(self.here, self.elsewhere)
        yield leave, around, self.go_to(block.ground, WHOLE, block.ground, *block.heads)

    @beat("What can one head change?")
    def down_and_up_again(self) -> Shown:
        yield self.go_to(self.one.found)

    @beat("And when the text grows?")
    def growing_a_pattern(self) -> Shown:
        yield self.go_to(self.one.pattern.row(len(self.tokens) - 1))

    @beat("Part four: the block around it.")
    def keep_the_signal_tidy(self) -> Shown:
        ground = self.block.ground
        yield self.go_to(ground, WHOLE, ground, *self.block.heads)

    @beat("And each word works alone.")
    def thinking_alone(self) -> Shown:
        change = self.road.blocks[self.drawn.index(self.deep)].changes[-1]
        yield self.go_to(change, self.near(change, NEAR), change)

    @beat("Both together are a block.")
    def build_a_block(self) -> Shown:
        first = self.road.blocks[0]
        yield self.go_to(VGroup(first.ground, *first.changes), WHOLE, *first)

    @beat("Where are all its weights?")
    def where_parameters_live(self) -> Shown:
        blocks = self.road.blocks
        yield self.go_to(VGroup(*blocks), WHOLE, *(part for block in blocks for part in block))

    @beat("Part five: how a model learns.")
    def every_prefix_is_an_exam(self) -> Shown:
        answers = self.road.chips[1:] or self.road.chips
        yield self.go_to(VGroup(*answers), WHOLE, *answers)

    @beat(
        "That was the road: | from letters to numbers, | through heads, where words look at words, "
        "| to the next word: {guess}. | Now the text is one word longer, "
        "| and the road begins again."
    )
    def close(self) -> Shown:
        road, start = self.road, VGroup(self.road.chips[-1], self.road.cells[-1])
        around = self.others(*start)
        yield self.pull_back(), Disappear(self.ring), Undim(*road.parts)
        yield self.travel_to(self.near(start, NEAR)), Dim(*around)
        yield self.zoom_into(self.one, BESIDE[0]), Undim(self.one), Dim(*start)
        yield self.zoom_into(self.says, NEAR), Dim(self.one)
        yield Then(
            Together(self.pull_back(STEADY), Disappear(self.says[1], road.blank)),
            MoveTo(self.says[0], road.blank),
        )
        yield Undim(*road.parts), Draw(self.again), Appear(self.fresh)

    def small_print(self) -> Words:
        """Say how many layers and heads the model has."""
        layers, heads = self.tensor("pattern").array.shape[:2]
        numbers = count(layers, "layers of the model"), count(heads, "heads of a layer")
        return Words("{} layers of {} heads", *numbers, size=PLAIN_SIZE, role=QUIET)

    def go_to(self, place: Mobject, view: View | None = None, *lit: Mobject) -> Verb:
        """Come out of where the last film was, and go into where the next one is.

        What is `lit` there stays, or else the head that is shown; all around it recedes.
        """
        view, around = view or self.near(self.one), [*self.road.parts, self.says]
        others = [*self.others(*lit), self.says]
        there, told = Visit(self.ring, [place], STEADY), Pulse(self.ring, scale=SLIGHTLY)
        if self.view == view:
            return Then(Together(there, Undim(*lit), Dim(*others)), told)
        out = Together(self.pull_back(STEADY), Undim(*around))
        into = Together(self.travel_to(view, STEADY), Dim(*others))
        return Then(Together(there, out), into, told)

    def others(self, *lit: Mobject) -> list[Mobject]:
        """Return the parts of the road but some, or but the head that is shown."""
        return [part for part in self.road.parts if part not in (lit or [self.one])]

    def near(self, mobject: Mobject, filled: float = FILLED) -> View:
        """Return the view in which a mobject fills so much of the stage."""
        return WHOLE.into(mobject, self.stage, filled)

    def cast(self) -> None:
        """Make the road, a head's edges, the guess, the ring, and two ways to draw a head."""
        drawn, room = self.drawn, self.stage.lowered(GUESS_ROOM)
        changes = np.linalg.norm(self.tensor("mlp_out").double[drawn], axis=2)
        embeddings, patterns = self.tensor("embed").double, self.tensor("pattern").double[drawn]
        skipped = [at for at, (low, high) in enumerate(pairwise(drawn)) if high - low > 1]
        self.road = road = Road(self.tokens, embeddings, patterns, changes, room, skipped=skipped)
        self.block = road.blocks[drawn.index(self.layer)]
        self.one = self.block.heads[self.head]
        half = Square(self.one.pattern.plate.width / 2)
        self.future = half.move_to(self.one.pattern.plate.get_corner(UP + RIGHT), UP + RIGHT)
        chip = Chip(self.guess, road.size)
        self.says = VGroup(chip, percentage(self.chance))
        self.says.arrange(RIGHT, buff=GAP).next_to(road.end, UP, buff=HAIR)
        self.stage.hold(self.says)
        self.ring = Ring(road.chips[self.asker], corner=0.0)
        x = road.blank.get_x()
        self.fresh = road.embedding(self.tensor("weights.W_E")[self.next_id].double)
        self.fresh.move_to((x, road.cells[0].get_y(), 0))
        self.again = road.stream(x)
        self.here = _way("here", "$q = x W_Q$")
        self.elsewhere = _way("elsewhere", "$q = W_Q^top x$")
        self.here.move_to(self.stage.split(SIDE)[0].center)
        self.elsewhere.move_to(self.stage.split(1 - SIDE)[1].center)
        x, y, _ = self.stage.center
        self.view = View((x, road.chips[0].get_y()), at=(x, y))
        self.stand(self.again, road, self.fresh, self.says, self.ring, self.here, self.elsewhere)


def layers_drawn(layers: int, shown: Collection[int]) -> list[int]:
    """Return which layers a map of so many draws: all, or a few, with those that are shown."""
    if layers <= MOST_LAYERS:
        return [*range(layers)]
    wanted = {0, layers - 1, *shown}
    for layer in (1, layers - 2, 2):
        wanted |= {layer} if len(wanted) < FEW_LAYERS else set()
    return sorted(wanted)


def _way(name: str, formula: str) -> VGroup:
    """Return how others, or these films, write a query, under its name; it stands in the frame."""
    way = VGroup(Words(name, size=SPOKEN_SIZE), Formula(formula, HEADING_SIZE))
    way.arrange(DOWN, buff=GAP)
    pin(way)
    return way
