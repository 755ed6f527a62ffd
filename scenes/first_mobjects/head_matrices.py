"""The matrices of many heads, each kind fanned out in depth. It knows arrays, and no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from manim import Animation, VGroup
from manim.constants import DOWN

from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.deck import Deck
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.tiles import WeightPanel
from scenes.mobjects.text import Formula
from scenes.provenance import Tensor, count
from scenes.region import Region
from scenes.theme import GAP, KEY, QUERY, TITLE_SIZE, VALUE

MOST = 8  # rows and columns of a matrix that are drawn
LABEL_ROOM = 1.45  # under the fans, in scene units
KINDS = (("Q", QUERY), ("K", KEY), ("V", VALUE))


class HeadMatrices(VGroup):
    """Three fans side by side: W_Q, W_K and W_V, (D, K) for each head, the head `front` in front.

    Of a kind that groups of heads share there are fewer. They are stacked, as if there were one
    head, until they fan out into `region`.
    """

    def __init__(self, weights: Sequence[Sequence[Tensor]], front: int, region: Region) -> None:
        third = region.width / len(KINDS)
        fans = replace(region, bottom=region.bottom + LABEL_ROOM)
        self.regions = [
            replace(fans, left=fans.left + i * third, right=fans.left + (i + 1) * third - GAP)
            for i in range(len(KINDS))
        ]
        self.decks = [
            Deck(
                [WeightPanel(head, 1.0, MOST) for head in each],
                front * len(each) // len(weights[0]),
                room=len(weights[0]),
            ).stack(place)
            for each, place in zip(weights, self.regions, strict=True)
        ]
        low = min(float(deck.front.get_bottom()[1]) for deck in self.decks)
        self.labels = VGroup()
        for (letter, role), place in zip(KINDS, self.regions, strict=True):
            label = Formula(f"${role.value}(W_{letter}^((h)))$", TITLE_SIZE)
            self.labels.add(label.next_to((place.center[0], low, 0), DOWN, buff=GAP))
        self.note = _note(weights[0][0]).next_to(self.labels, DOWN, buff=GAP)
        region.fit_width(self.note)
        self.note.set_x(region.center[0])
        super().__init__(*self.decks, self.labels, self.note)

    def reveal(self) -> Animation:
        """Let the matrices of one head come in, one kind after another, with their names."""
        pairs = zip(self.decks, self.labels, strict=True)
        return one_after_another(
            [*(Together(map(Appear, pair)) for pair in pairs), Appear(self.note)]
        )

    def fan_out(self) -> Animation:
        """Let the matrices of the other heads slide out from behind."""
        places = zip(self.decks, self.regions, strict=True)
        return Together(deck.fan_out(place) for deck, place in places)


def _note(weights: Tensor) -> SmallPrint:
    """Return what has to be said of the part of a matrix that is drawn."""
    rows, columns = weights.shape
    drawn = [count(min(side, MOST), "weights drawn") for side in (rows, columns)]
    whole = count(rows, "entries of a token's vector"), count(columns, "entries of a head")
    sign = "\N{MULTIPLICATION SIGN}"
    text = f"h: the number of a head; each {{}} {sign} {{}}, the first {{}} {sign} {{}} drawn"
    return SmallPrint(text, *whole, *drawn)
