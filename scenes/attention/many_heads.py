"""Film F22: heads run in parallel and find different patterns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce

from manim.constants import DOWN

from scenes import architecture
from scenes.analysis.attention_head import HeadWeights, attention_head
from scenes.analysis.head_names import head_name
from scenes.animations import Reshape, Settle, one_after_another
from scenes.arrivals import Appear, Fade, Fly, Leave, bring_forward, put_back
from scenes.first_edition import Film, beat
from scenes.first_mobjects.company import AloneAndInCompany
from scenes.first_mobjects.deck import Deck
from scenes.first_mobjects.head_matrices import HeadMatrices
from scenes.first_mobjects.head_row import HeadRow
from scenes.first_mobjects.labelled_grid import LabelledGrid
from scenes.first_mobjects.leaders import Leaders
from scenes.first_mobjects.notes import Counter
from scenes.first_mobjects.pattern_panel import PatternPanel
from scenes.first_mobjects.pattern_rows import PatternRows
from scenes.first_mobjects.pattern_wall import PatternWall
from scenes.first_mobjects.proposals import Proposals
from scenes.first_mobjects.ring import Ring
from scenes.heads_compared import Difference, how_alike, how_many_named
from scenes.mobjects.text import Words
from scenes.narration import counted
from scenes.provenance import added, count, largest_gap
from scenes.theme import GAP, HAIR, LABEL_SIZE, QUERY, SLOW, STEADY

REMARK_HEIGHT = 0.55  # scene units, kept free under the grid, as in the films before
MATRICES_SHARE = 0.6  # of the content, for the three fans of matrices
WALL_SHARE = 0.58  # of the content, for the wall
COUNTER_HEIGHT = 0.4  # scene units under the proposals


class ManyHeads(Film):
    """Heads run in parallel with their own matrices, and find different patterns."""

    title = "Many heads"
    prompt = "a fluffy blue creature roamed the verdant forest"
    seconds = 79
    poster_beat = "matrices-of-its-own"

    def observe(self) -> None:
        """Name every head, and find the token at which two heads of the layer differ most."""
        self.scaling = architecture.scaling(self.traits, self.layer)
        self.patterns = self.tensor("pattern")
        self.pattern = self.patterns[self.layer]
        self.layers, self.heads = self.patterns.shape[:2]
        self.names = [
            head_name(each.scores(), each.layer, each.head) for each in self.head_scores()
        ]
        self.here = [name for name in self.names if name.layer == self.layer]
        self.difference = Difference.of(self.pattern.array)
        self.split, self.pair = self.difference.query, self.difference.heads
        self.asker = self.followed()
        self.query = self.tensor("q")[self.layer, self.head, self.asker]

    def words(self) -> Mapping[str, str]:
        """Count the heads, and say what they were found to do."""
        found = [self.name_to(self.split, key) for key in self.difference.keys]
        tokens = len(self.tokens)
        return {
            "asker": self.name_of(self.asker),
            "heads": counted(self.heads, "head")
            + (", and all work at the same time" if self.heads > 1 else ""),
            "matrices": architecture.of_own_matrices(self.traits),
            "and_a_bias": architecture.and_a_bias(self.traits, ", with one bias"),
            "alike": how_alike(self.heads, tokens),
            "named": how_many_named(self.here),
            "disagree": self.difference.sentence(self.name_of(self.split), found, tokens),
            "all": counted(self.layers * self.heads, "pattern"),
            "head": str(self.head),
            "scaled": self.scaling.sentence(self.query),
        }

    def cast(self) -> None:
        """Make the panels of the layer's heads, and whatever is said of them."""
        region = self.content.raised(REMARK_HEIGHT)
        self.board = LabelledGrid(self.pattern[self.head], self.tokens, region)
        grid = self.board.grid
        self.wide = PatternPanel(self.pattern[self.head], grid.width, height=grid.height)
        self.add(self.wide.move_to(grid), self.board.queries, self.board.keys)
        panels = [PatternPanel(each, 1.0) for each in self.pattern]
        self.deck = Deck(panels, self.head).stack(self.content)
        self.row = HeadRow(self.here, self.content)
        self._cast_matrices()
        self._cast_rows()
        self._cast_wall()
        self._cast_proposals()

    @beat(
        "This is the pattern of one head: how much each token looks at each. Its layer has {heads}."
    )
    def one_head_becomes_many(self) -> None:
        self.rest()
        self.play(Leave(self.board.queries), Leave(self.board.keys))
        self.play(Reshape(self.wide, self.deck.front))
        self.remove(self.wide)
        self.add(self.deck)
        self.play(self.deck.fan_out(self.content))

    @beat("{matrices}")
    def matrices_of_its_own(self) -> None:
        self.play(self.deck.fan_out(self.right))
        self.play(self.matrices.reveal())
        self.play(self.matrices.fan_out())

    @beat("Lay their patterns side by side. {alike}")
    def side_by_side(self) -> None:
        self.play(Leave(self.matrices))
        self.add(self.row)
        self.play(self.deck.lay_out(self.row.middle))
        self.play(self.row.number())

    @beat(
        "What is each one doing? Over other text, we measured what it gives "
        "most of its attention to. {named}"
    )
    def named_by_measurement(self) -> None:
        self.play(self.deck.lay_out(self.row.places, STEADY), self.row.move_up())
        self.play(self.row.say_names())
        self.play(self.row.explain())

    @beat("{disagree}")
    def two_heads_disagree(self) -> None:
        rest = [i for i in range(self.heads) if i not in self.pair]
        aside = [part for i in rest for part in (self.deck.cards[i], self.row.titles[i])]
        aside += [tag.label for tag in self.row.tags]
        self.play(Leave(self.row.legend), put_back(aside), Appear(self.chip_ring))
        self.play(*map(Appear, self.rings))
        self.add(self.rows)
        self.play(self.rows.unfold(self.looks))
        self.play(self.rows.name_keys())
        for row in self.rows.rows:
            self.play(row.tell())
            self.rest()

    @beat(
        "Now every layer: {all} for one sentence, ours framed. All heads share one formula; "
        "what each does lies in its weights. GPT-3 has over nine thousand heads."
    )
    def a_wall_of_heads(self) -> None:
        gone = self.rows, *self.rings, self.chip_ring, self.row
        self.play(*map(Leave, gone), bring_forward(self.deck.cards))
        self.play(self.deck.lay_out(self.wall.places[self.layer]))
        self.play(one_after_another(map(Appear, self.others)), Appear(self.wall.labels))
        self.play(Appear(self.wall_ring))
        self.play(self.leaders.point_out())
        self.play(Appear(self.leaders.larger))

    @beat(
        "Every head proposes a change to the vector of {asker}. All are added{and_a_bias}, "
        "and that sum is what the layer's attention adds."
    )
    def every_head_proposes(self) -> None:
        gone = self.wall_ring, self.wall.labels, *self.others, *self.leaders
        aside = [self.deck.cards[i] for i in range(self.heads) if i not in self.proposals.shown]
        self.play(*map(Leave, gone), *(Fade(card, 0.0) for card in aside))
        self.add(self.proposals)
        self.play(self.proposals.receive(self.deck.cards), Appear(self.token_ring))
        self.play(self.proposals.propose(self.deck.cards))
        self.play(self.proposals.measure())
        self.play(self.proposals.add_up())
        self.play(Appear(self.sum_counter))

    @beat(
        "No head waits for another. Worked out alone, from its own matrices, "
        "head {head} gives the pattern that it has among all the others.{scaled}"
    )
    def alone_or_in_company(self) -> None:
        self.play(*map(Leave, (self.proposals, self.sum_counter, self.token_ring)))
        self.play(bring_forward(self.deck.cards), self.deck.fan_out(self.check.fan))
        self.play(*map(Appear, (self.check.fan_name, self.check.own, self.check.name_alone)))
        self.play(Fly(self.check.pattern, self.check.own))
        self.play(Settle(self.check.pattern.copy(), self.deck.front, SLOW))
        self.play(one_after_another(map(Appear, self.check.notes)))

    def _cast_matrices(self) -> None:
        left, right = self.content.split(MATRICES_SHARE)
        self.right = right.apart(left, GAP)
        every = [list(self.tensor(f"weights.W_{kind}")[self.layer]) for kind in "QKV"]
        weights = [
            each[::step] for each, step in zip(every, (1, *2 * [self.traits.sharing]), strict=True)
        ]
        self.matrices = HeadMatrices(weights, self.head, left)
        head = HeadWeights.of(self.tensor, self.layer, self.head, self.turns)
        lone = attention_head(self.tensor("ln1")[self.layer], head, self.scaling)
        own = [matrix for matrix, _ in head.making]
        z = self.tensor("z")[self.layer, self.head]
        more = self.scaling.note(self.query)
        self.check = AloneAndInCompany(
            lone, self.head, self.pattern, own, z=z, region=self.content, more=more
        )

    def _cast_rows(self) -> None:
        names = [Words("head {}", count(head, "a head"), size=LABEL_SIZE) for head in self.pair]
        rows = [self.pattern[head, self.split] for head in self.pair]
        self.rows = PatternRows(rows, names, self.tokens, self.row.lower)
        places = [self.row.places[head] for head in self.pair]
        panels = [PatternPanel(self.pattern[head], places[0].width) for head in self.pair]
        for panel, place in zip(panels, places, strict=True):
            panel.move_to(place)
        self.rings = [panel.ring(self.split, self.row.gap / 2 or HAIR) for panel in panels]
        self.looks = [panel.row(self.split) for panel in panels]
        self.chip_ring, self.token_ring = (
            Ring(self.token_row[token], role=QUERY) for token in (self.split, self.asker)
        )

    def _cast_wall(self) -> None:
        left, right = self.content.split(WALL_SHARE)
        self.wall = PatternWall(self.patterns, left)
        self.others = [row for i, row in enumerate(self.wall.rows) if i != self.layer]
        self.wall_ring = self.wall.ring(self.layer, self.head)
        self.leaders = Leaders(self.names, self.wall, right.apart(left, GAP))

    def _cast_proposals(self) -> None:
        heads = self.tensor("head_out")[self.layer]
        whole = self.tensor("attn_out")[self.layer]
        bias = self.tensor("weights.b_O")[self.layer] if self.traits.has_biases else None
        proposals = [head[self.asker] for head in heads]
        room = self.content.raised(COUNTER_HEIGHT)
        self.proposals = Proposals(proposals, bias, whole[self.asker], room)
        addends = [*heads, *([] if bias is None else [bias])]
        gap = largest_gap(reduce(added, addends), whole)
        self.sum_counter = Counter("the sum and what the layer adds, all tokens", gap)
        foot = self.content.center[0], self.content.bottom, 0
        self.sum_counter.move_to(foot, aligned_edge=DOWN)
