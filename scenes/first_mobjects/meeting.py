"""A query and one key after another as two arrows, with what their lengths and angle come to.

The arrows are `arrows`, their product `shadow_product`. It knows vectors and names, and no model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from manim import Animation, VGroup
from manim.constants import DOWN, UP

from scenes.animations import Together
from scenes.arrivals import Appear, Fade
from scenes.first_mobjects.arrows import ArrowPair
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.shadow_product import Shadow, ShadowProduct
from scenes.mobjects.text import Words
from scenes.presence import hide
from scenes.provenance import Tensor, Value, cosine, length
from scenes.region import Region
from scenes.theme import GAP, HAIR, KEY, LABEL_SIZE, QUERY

ARROWS_SHARE = 0.58  # of the region, for the two arrows
NAME_ROOM = 0.6  # scene units, over and under the arrows, for their names


@dataclass(frozen=True)
class Met:
    """A key (n,) that a query meets, whose token's name it has, and their dot product."""

    name: str
    key: Tensor
    product: Value


class Meeting(VGroup):
    """The arrow of a query (n,) and, in the plane that holds both, that of the first key met.

    Beside or below them stands their dot product as a length times a shadow, and a note at the
    foot of the region. Nothing of it is to be seen until it is revealed, in the order of the
    methods.
    """

    def __init__(
        self, name: str, query: Tensor, keys: Sequence[Met], note: SmallPrint, region: Region
    ) -> None:
        self.name_of_query = Words("{}", f"query of {name}", size=LABEL_SIZE, role=QUERY)
        self.note = note
        region.fit_width(note)
        note.move_to((region.center[0], region.bottom, 0), DOWN)
        place, beside = region.raised(note.height + GAP).split(ARROWS_SHARE)
        long = length(query)
        self.ends = [(length(met.key).number, cosine(query, met.key).number) for met in keys]
        self.arrows = ArrowPair(
            long.number, self.ends, place.width - 1, place.height - 2 * NAME_ROOM
        )
        self.arrows.next_to((place.center[0], place.bottom + NAME_ROOM, 0), UP, buff=0)
        self.name_of_query.next_to(self.arrows.query, DOWN, buff=GAP)
        self.names_of_keys = [
            self._name_at_tip(met.name, end, region)
            for met, end in zip(keys, self.ends, strict=True)
        ]
        self.shadows = [Shadow(met.product / long, met.product) for met in keys]
        self.equation = ShadowProduct(long, self.shadows, beside)
        names = self.name_of_query, *self.names_of_keys
        super().__init__(self.arrows, *names, self.equation, note)
        for text in (*names, note):
            hide(text)

    def reveal(self) -> Animation:
        """Let the two arrows come in, with their names and the note."""
        named = self.name_of_query, self.names_of_keys[0], self.note
        return Together([self.arrows.meet(), *map(Appear, named)])

    def cast_shadow(self) -> Animation:
        """Let the key's shadow fall on the query's line; it is said what to do with it."""
        return Together([self.arrows.cast_shadow(), self.equation.reveal_names()])

    def reveal_factors(self) -> Animation:
        """Let the length of the one and of the other's shadow come from the arrows."""
        return self.equation.reveal_factors(self.arrows.query, self.arrows.shadow)

    def reveal_result(self) -> Animation:
        """Let their product come out."""
        return self.equation.reveal_result()

    def turn_to(self, place: int) -> Animation:
        """Let the key's arrow become that of another key, and the numbers run to its own."""
        moves = self.arrows.turn_to(self.ends[place]), self.equation.run_to(self.shadows[place])
        return Together([Fade(self.names_of_keys[place - 1], 0.0), *moves])

    def reveal_name(self, place: int) -> Animation:
        """Let the name of a key come in at its tip."""
        return Appear(self.names_of_keys[place])

    def _name_at_tip(self, name: str, end: tuple[float, float], region: Region) -> Words:
        words = Words("{}", f"key of {name}", size=LABEL_SIZE, role=KEY)
        words.next_to(self.arrows.tip_of(end), UP, buff=HAIR)
        region.hold(words)
        return words
