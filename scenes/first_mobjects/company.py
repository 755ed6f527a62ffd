"""One head worked out alone, beside all heads of its layer at once. It knows arrays, no model."""

from __future__ import annotations

from collections.abc import Sequence

from manim import Mobject, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes.analysis.attention_head import AttentionHead
from scenes.first_mobjects.deck import fan_places
from scenes.first_mobjects.head_matrices import KINDS, MOST
from scenes.first_mobjects.notes import Counter, SmallPrint
from scenes.first_mobjects.pattern_panel import PatternPanel
from scenes.first_mobjects.tiles import WeightPanel
from scenes.mobjects.text import Formula, Words
from scenes.provenance import Tensor, Value, count, largest_gap
from scenes.region import Region
from scenes.theme import GAP, HAIR, LABEL_SIZE

NOTES_HEIGHT = 1.2  # scene units under the pictures, for three lines
NOTE_HEIGHT = 0.4  # scene units, for one line more
NAME_HEIGHT = 0.65  # scene units under each of the pictures, for its name


class AloneAndInCompany(VGroup):
    """`head` worked out alone, and beside it room for the fan of all patterns (H, T, T).

    `weights` are its W_Q, W_K and W_V, `z` its weighted sums of values as the model has them.
    `fan` is the region for the patterns of all heads, the one shown in front; `more` is a template
    and its numbers, for a line of small print besides.
    """

    def __init__(
        self,
        lone: AttentionHead,
        head: int,
        patterns: Tensor,
        weights: Sequence[Tensor],
        *,
        z: Tensor,
        region: Region,
        more: tuple[str, tuple[Value, ...]] = ("", ()),
    ) -> None:
        template, numbers = more
        besides = [SmallPrint(template, *numbers)] if template else []
        whole = region.raised(NOTES_HEIGHT + NOTE_HEIGHT * len(besides))
        beside, company = whole.parts(0.5)
        self.fan = company.raised(NAME_HEIGHT)
        front = fan_places(len(patterns), self.fan)[0]
        self.pattern = PatternPanel(lone.pattern, front.width)
        self.own = _own(weights, front.width).next_to(self.pattern, LEFT, buff=2 * GAP)
        sign = "\N{MULTIPLICATION SIGN}"
        sizes = [count(size, "sides of the pattern") for size in patterns.shape]
        self.fan_name = Words(f"all heads at once: {{}} {sign} {{}} {sign} {{}}", *sizes)
        low = float(front.get_bottom()[1])
        self.fan_name.next_to((self.fan.center[0], low, 0), DOWN, buff=GAP)
        region.hold(self.fan_name)
        self.name_alone = Words("head {} alone", count(head, "the head shown"))
        self._set_beside(beside, front)
        self.notes = VGroup(
            SmallPrint("from the layer's normalised input, and this head's weights only"),
            *besides,
            Counter("pattern, alone and in company", largest_gap(lone.pattern, patterns[head])),
            Counter("weighted sums of values, alone and in company", largest_gap(lone.z, z)),
        ).arrange(DOWN, buff=HAIR)
        region.fit_width(self.notes)
        self.notes.move_to((region.center[0], region.bottom, 0), aligned_edge=DOWN)
        super().__init__(self.own, self.pattern, self.fan_name, self.name_alone, self.notes)

    def _set_beside(self, region: Region, front: Mobject) -> None:
        """Set what is alone level with the fan, or over it: the way to its front card is free."""
        low = float(front.get_bottom()[1])
        pictures = VGroup(self.own, self.pattern)
        if region.bottom > low:
            self.own.next_to(self.pattern, RIGHT, buff=2 * GAP)
            reach = float(pictures.get_right()[0] - self.pattern.get_x())
            pictures.scale(min(1.0, (region.right - front.get_x()) / reach))
            pictures.move_to(region.lowered(NAME_HEIGHT).center)
            pictures.shift(RIGHT * (front.get_x() - self.pattern.get_x()))
            self.name_alone.next_to(pictures, UP, buff=GAP)
            return
        apart = region.width - 2 * GAP
        pictures.scale(min(1.0, apart / pictures.width))
        foot = region.left + apart / 2, low, 0
        pictures.move_to(foot, aligned_edge=DOWN)
        self.name_alone.next_to(foot, DOWN, buff=GAP)


def _own(weights: Sequence[Tensor], height: float) -> VGroup:
    """Return the three matrices of a head, in small, with their names."""
    rows = VGroup()
    for (letter, role), each in zip(KINDS, weights, strict=True):
        panel = WeightPanel(each, (height - 2 * HAIR) / len(KINDS), MOST)
        name = Formula(f"${role.value}(W_{letter})$", LABEL_SIZE)
        rows.add(VGroup(name, panel).arrange(RIGHT, buff=HAIR))
    return rows.arrange(DOWN, buff=HAIR, aligned_edge=RIGHT)
