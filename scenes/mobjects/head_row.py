"""The heads of a layer side by side: where each pattern stands, and what is said under it.

It knows names and scores, and no model; cards are put there by a `deck`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from manim import Mobject, Square, VGroup
from manim.constants import DOWN, LEFT

from scenes.head_names import MEANINGS, HeadName, threshold
from scenes.mobjects.deck import CROWD, row_places
from scenes.mobjects.head_tag import HeadTag, tag_height
from scenes.mobjects.notes import SmallPrint
from scenes.mobjects.text import Words
from scenes.stage import Region
from scenes.theme import GAP, LABEL_SIZE, QUIET
from scenes.values import count

LOWER_SHARE = 0.38  # of the region, under the row of patterns
NARROWEST = 0.8  # scene units for a card and what stands under it
GROWTH = 1.3  # of patterns that stand in a row with nothing under them, at most


class HeadRow(VGroup):
    """Places for the patterns of the heads named, their tags, and under them what names mean.

    `middle` are larger places in the middle of the region, for patterns that have no tags yet;
    `places` are those over the tags; `lower` is the region under them, where the legend stands.
    """

    def __init__(self, names: Sequence[HeadName], region: Region) -> None:
        upper = region.raised(LOWER_SHARE * region.height)
        self.lower = replace(region, top=upper.bottom - GAP)
        first = row_places(len(names), upper, tag_height(NARROWEST), NARROWEST)
        slot = _slot(first)
        self.places = row_places(len(names), upper, tag_height(slot), slot)
        self.middle = VGroup(*(_grown(place, slot) for place in self.places))
        self.middle.set_y(region.center[1])
        self.tags = [
            HeadTag(name.head, name.text if name.is_known else "", name.score, slot).under(place)
            for name, place in zip(names, self.places, strict=True)
        ]
        self.legend = VGroup(*_meanings(names)).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        self.lower.fit(self.legend)
        super().__init__(*self.tags, self.legend)

    @property
    def gap(self) -> float:
        """What is free between two places, in scene units; nothing beside a lone one."""
        return _slot(self.places) - float(self.places[0].width)


def _meanings(names: Sequence[HeadName]) -> list[Words]:
    """Return a line for each name given, one for heads without, and what the number is."""
    said: Mapping[str, str] = {name.target: name.text for name in names if name.is_known}
    lines = [Words(f"{text}: {MEANINGS[each]}", size=LABEL_SIZE) for each, text in said.items()]
    if not all(name.is_known for name in names):
        text = "no name: less than {:.0%} for any of {} targets"
        targets = count(len(MEANINGS), "targets that are measured")
        lines.append(Words(text, threshold(), targets, size=LABEL_SIZE, role=QUIET))
    text = "mean attention given, over text that the model was not trained on"
    return [*lines, SmallPrint(text)]


def _grown(place: Mobject, slot: float) -> Square:
    side = min(GROWTH * place.width, slot / (1 + CROWD))
    return Square(side).move_to(place)


def _slot(places: Sequence[Mobject]) -> float:
    """Return how far cards in a row are apart, in scene units; a lone one has its own width."""
    if len(places) < 2:
        return float(places[0].width)
    return float(places[1].get_x() - places[0].get_x()) or float(places[0].width)
