"""Which head asks for adjectives, as a list of bars. It knows measured scores, and no model."""

from __future__ import annotations

from manim import Animation, VGroup
from manim.constants import DOWN, LEFT

from scenes.animations import Together
from scenes.arrivals import Appear, Fade, Leave, put_back
from scenes.binding_heads import Contest, score_of
from scenes.first_mobjects.notes import SmallPrint
from scenes.first_mobjects.ranked_bars import RankedBars
from scenes.first_mobjects.ring import Ring
from scenes.mobjects.text import Words
from scenes.presence import hide
from scenes.provenance import count
from scenes.region import Region
from scenes.theme import BODY_SIZE, GAP, HAIR, LABEL_SIZE, OUT_OF_PLAY, QUIET, SLOW

NOTE_ROOM = 0.8  # under the list, in scene units
GIVEN = "attention of nouns to their adjectives"
STRICT = "if each adjective got only as much as the least"
OVER = "mean over nouns with two or three adjectives"


class HeadContest(VGroup):
    """The heads listed with the attention that nouns give to their adjectives, then more strictly.

    Nothing is on the stage until it is revealed, in the order of the methods.
    """

    def __init__(self, found: Contest, region: Region) -> None:
        self.found = found
        self.title, self.strict = (Words(text, size=LABEL_SIZE) for text in (GIVEN, STRICT))
        self.title.move_to((region.left, region.top, 0), aligned_edge=LEFT)
        self.strict.next_to(self.title, DOWN, buff=HAIR, aligned_edge=LEFT)
        names = [_name(each.layer, each.head) for each in found.listed]
        self.bars = RankedBars(names, found.given, region.below(self.strict, GAP).raised(NOTE_ROOM))
        self.remark = _looks_back(found)
        self.over = SmallPrint(OVER)
        region.fit_width(self.remark)
        self.remark.next_to(self.bars, DOWN, buff=2 * GAP, aligned_edge=LEFT)
        self.over.move_to(self.remark).align_to(self.remark, LEFT)
        VGroup(self.title, self.strict, self.bars, self.remark, self.over).move_to(region.center)
        self.ring = self._ring()
        parts = self.title, self.strict, self.bars, self.remark, self.over, self.ring
        super().__init__(*parts)
        hide(self.ring)

    def _ring(self) -> Ring:
        """Return what points at the best head, as long as its line is before and after."""
        place = self.found.place_of_best
        line, longest = self.bars.lines[place], self.found.given[place]
        line.put(self.found.bound[place])
        ring = Ring(line, HAIR)
        line.put(longest)
        return ring

    def reveal(self) -> Animation:
        """Let the list come in."""
        return Together([Appear(self.title), self.bars.reveal()])

    def expose(self) -> Animation:
        """Say of the first head that it only looks one token back, if it does."""
        if not self.found.first_looks_back:
            return Together([])
        return Together([Appear(self.remark), Fade(self.bars.lines[0], OUT_OF_PLAY)], lag_ratio=1.0)

    def count_the_least(self) -> Animation:
        """Let every bar shrink to what is left if each adjective counts as the least one."""
        leaving = [Leave(self.remark)] if self.found.first_looks_back else []
        moves = [Appear(self.strict), self.bars.change_to(self.found.bound, SLOW)]
        return Together([*leaving, Together([*moves, Appear(self.over)])], lag_ratio=1.0)

    def point_at_best(self) -> Animation:
        """Let all heads but the best one recede."""
        best = self.found.place_of_best
        others = [line for i, line in enumerate(self.bars.lines) if i != best]
        return Together([Fade(self.ring, 1.0), put_back(others)])


class NothingMeasured(VGroup):
    """Stands where the list would, for a model of which it cannot be made."""

    def __init__(self, region: Region) -> None:
        self.title = Words(GIVEN, size=LABEL_SIZE, role=QUIET)
        self.note = Words("not measured in this model", size=BODY_SIZE)
        super().__init__(self.title, self.note)
        self.arrange(DOWN, buff=GAP).move_to(region.center)

    def reveal(self) -> Animation:
        """Let the note come in."""
        return Together([Appear(self.title), Appear(self.note)], lag_ratio=1.0)

    def expose(self) -> Animation:
        """Change nothing."""
        return Together([])

    count_the_least = point_at_best = expose


def _name(layer: int, head: int) -> Words:
    numbers = count(layer, "the head's layer, from 0"), count(head, "the head, from 0")
    return Words("layer {}, head {}", *numbers, size=LABEL_SIZE)


def _looks_back(found: Contest) -> SmallPrint:
    first = found.first
    text = "layer {}, head {} gives the token just before it {:.0%}, whatever it is"
    numbers = count(first.layer, "the head's layer"), count(first.head, "the head")
    return SmallPrint(text, *numbers, score_of(first, "previous_token"))
