"""Matrices as bare areas, all to one scale: an entry has the same area in each. Knows no model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from manim import Rectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.first_mobjects.notes import SmallPrint
from scenes.mobjects.text import Words
from scenes.provenance import Value
from scenes.region import Region
from scenes.theme import GAP, INK

FILL = 0.45  # opacity: an area to compare, not a number
NAMES_HEIGHT = 3.2  # that the names and the gaps between two areas take, in scene units


class NamedArea(VGroup):
    """The area of a matrix, under its name: "GPT-3: 50,257 x 12,288 = 617,558,016"."""

    def __init__(self, name: str, numbers: Sequence[Value], unit: float) -> None:
        rows, columns, _ = (value.number for value in numbers)
        template = "{}: {:,.0f} \N{MULTIPLICATION SIGN} {:,.0f} = {:,.0f}"
        self.label = Words(template, name, *numbers)
        self.area = _lying(unit * rows, unit * columns)
        self.area.next_to(self.label, DOWN, buff=GAP, aligned_edge=LEFT)
        super().__init__(self.label, self.area)


class ToScale(VGroup):
    """Matrices, each by its name with (rows, columns, product), as large as `region` allows.

    They lie on their sides, one under the other. `enlarged` is the first one in its own
    proportions, as long as the longest if there is room for it; it stands where the first one does.
    """

    def __init__(self, matrices: Mapping[str, Sequence[Value]], region: Region) -> None:
        sizes = [(numbers[0].number, numbers[1].number) for numbers in matrices.values()]
        longest, widest = max(sizes)
        length = min(region.width, (region.height - NAMES_HEIGHT) * longest / widest)
        self.areas = [NamedArea(*each, length / longest) for each in matrices.items()]
        super().__init__(*self.areas)
        self.arrange(DOWN, buff=4 * GAP, aligned_edge=LEFT).move_to(region.center)
        self.note = SmallPrint("one scale; each table lies on its side")
        self.note.next_to(self, DOWN, buff=GAP).align_to(self.areas[-1].area, RIGHT)
        rows, columns = sizes[0]
        room = float(self.areas[0].area.get_top()[1]) - region.bottom
        large = min(length, room * rows / columns)
        self.enlarged = _lying(large, large * columns / rows)
        self.enlarged.move_to(self.areas[0].area, LEFT + UP)


def _lying(length: float, height: float) -> Rectangle:
    return Rectangle(
        width=length,
        height=height,
        stroke_width=0,
        fill_color=theme.color(INK),
        fill_opacity=FILL,
    )
