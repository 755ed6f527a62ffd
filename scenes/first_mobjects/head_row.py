"""The heads of a layer side by side: where each pattern stands, and what is said under it.

It knows names and scores, and no model; cards are put there by a `deck`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from manim import Animation, Mobject, Square, VGroup
from manim.constants import DOWN, LEFT

from scenes.analysis.head_names import MEANINGS, HeadName, threshold
from scenes.animations import Settle, Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.deck import CROWD, row_places
from scenes.first_mobjects.head_tag import HeadTag, tag_height
from scenes.first_mobjects.notes import SmallPrint
from scenes.mobjects.text import Words, em_of
from scenes.presence import hide
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import GAP, HAIR, LABEL_SIZE, QUIET

LOWER_SHARE = 0.38  # of the region, under the row of patterns
NARROWEST = 0.8  # scene units for a card and what stands under it
GROWTH = 1.3  # of patterns that stand in a row with only numbers under them, at most
MUCH = 1.4  # how much larger they must become for them to stand in more rows


class HeadRow(VGroup):
    """Places for the patterns of the heads named, their tags, and under them what names mean.

    `middle` are larger places in the middle of the region, for patterns of which only the numbers
    are said; `places` are those over the tags; `lower` is the region under them, where the legend
    stands. All of it is unseen until it is revealed, in the order of the methods.
    """

    def __init__(self, names: Sequence[HeadName], region: Region) -> None:
        upper = region.raised(LOWER_SHARE * region.height)
        self.lower = replace(region, top=upper.bottom - GAP)
        first = row_places(len(names), upper, tag_height(NARROWEST), NARROWEST)
        slot = _slot(first)
        self.places = row_places(len(names), upper, tag_height(slot), slot)
        self.middle = _middle(self.places, slot, region)
        self.tags = [
            HeadTag(name.head, name.text if name.is_known else "", name.score, slot).under(place)
            for name, place in zip(names, self.places, strict=True)
        ]
        self.titles = [tag.title for tag in self.tags]
        self.homes = [title.copy() for title in self.titles]
        for title, place in zip(self.titles, self.middle, strict=True):
            title.next_to(place, DOWN, buff=HAIR)
        self.legend = VGroup(*_meanings(names)).arrange(DOWN, buff=GAP, aligned_edge=LEFT)
        self.lower.fit(self.legend)
        super().__init__(*self.tags, self.legend)
        hide(self)

    def number(self) -> Animation:
        """Let the heads' numbers come in, under the larger places."""
        return one_after_another(map(Appear, self.titles))

    def move_up(self) -> Animation:
        """Let the numbers go to where names and scores will stand under them."""
        pairs = zip(self.titles, self.homes, strict=True)
        return Together(Settle(title, home) for title, home in pairs)

    def say_names(self) -> Animation:
        """Let names and scores come in."""
        return one_after_another(Appear(tag.label) for tag in self.tags)

    def explain(self) -> Animation:
        """Let the legend come in, line by line."""
        return one_after_another(map(Appear, self.legend))

    @property
    def gap(self) -> float:
        """What is free between two places, in scene units; nothing beside a lone one."""
        return _slot(self.places) - float(self.places[0].width)


def _meanings(names: Sequence[HeadName]) -> list[Words]:
    """Return a line for each name given, one for heads without, and what the number is."""
    said: Mapping[str, str] = {name.target: name.text for name in names if name.is_known}
    lines = [Words(f"{text}: {MEANINGS[each]}", size=LABEL_SIZE) for each, text in said.items()]
    if not all(name.is_known for name in names):
        text = "no name: less than {:.2f} for any of {} targets"
        targets = count(len(MEANINGS), "targets that are measured")
        lines.append(Words(text, threshold(), targets, size=LABEL_SIZE, role=QUIET))
    text = "mean attention given, over text that the model was not trained on"
    return [*lines, SmallPrint(text)]


def _middle(places: Sequence[Square], slot: float, region: Region) -> VGroup:
    """Return larger squares: in the rows that `places` have, or in more where that helps much."""
    side = min(GROWTH * places[0].width, slot / (1 + CROWD))
    grown = VGroup(*(Square(side).move_to(place) for place in places))
    line = HAIR + em_of(LABEL_SIZE)
    in_more_rows = row_places(len(places), region, line + GAP, NARROWEST)
    if in_more_rows[0].width > MUCH * side:
        return VGroup(*in_more_rows)
    return grown.move_to((region.center[0], region.center[1] + line / 2, 0))


def _slot(places: Sequence[Mobject]) -> float:
    """Return how far cards in a row are apart, in scene units; a lone one has its own width."""
    if len(places) < 2:
        return float(places[0].width)
    return float(places[1].get_x() - places[0].get_x()) or float(places[0].width)
