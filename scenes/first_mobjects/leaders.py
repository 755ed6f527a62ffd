"""Which head of a model is best at what it is called after, beside a wall of all heads.

It knows names and scores, and no model.
"""

from __future__ import annotations

from collections.abc import Sequence

from manim import Animation, VGroup
from manim.constants import DOWN, LEFT, RIGHT

from scenes.analysis.head_names import MEANINGS, HeadName, largest_score
from scenes.animations import Together, one_after_another
from scenes.arrivals import Appear
from scenes.first_mobjects.pattern_wall import PatternWall
from scenes.mobjects.text import Words, em_of
from scenes.provenance import Value, constant, count
from scenes.region import Region, safe_area
from scenes.theme import BODY_SIZE, GAP, LABEL_SIZE, QUIET

PITCH = 2.7  # from one target's baseline to the next one's, in ems of the body's size
PITCH_NARROW = 1.8  # the same in a narrow frame
SECOND = 1.15  # from a target's baseline to that of the line under it, in the same ems
GPT_3 = "Brown et al. 2020, Language Models are Few-Shot Learners, table 2.1"


class Leaders(VGroup):
    """A line for each target with the head that gives it most, and one on a far larger model.

    Only heads that are called after the target count. `rings` are frames on the wall.
    """

    def __init__(self, names: Sequence[HeadName], wall: PatternWall, region: Region) -> None:
        self.best = [_best(names, target) for target in MEANINGS]
        self.lines = [
            _entry(target, best, largest_score(names, target))
            for target, best in zip(MEANINGS, self.best, strict=True)
        ]
        self.rings = [
            VGroup(wall.ring(best.layer, best.head, QUIET)) if best else VGroup()
            for best in self.best
        ]
        parts = [_published(96, what) for what in ("layers", "heads")]
        text = "{}: {} layers of {} heads, {:,.0f} in all"
        self.larger = Words(text, "GPT-3", *parts, _published(96 * 96, "both"), size=LABEL_SIZE)
        lines = VGroup(*self.lines, self.larger)
        pitch = PITCH_NARROW if safe_area().is_narrow else PITCH
        for place, line in enumerate(lines):  # by baselines: letters that reach down do not matter
            line.align_to(lines, LEFT).shift(DOWN * place * pitch * em_of(BODY_SIZE))
        region.fit(lines)
        super().__init__(*lines, *self.rings)

    def point_out(self) -> Animation:
        """Let each line come in with a ring around its head."""
        pairs = zip(self.lines, self.rings, strict=True)
        return one_after_another(Together(map(Appear, (line, *rings))) for line, rings in pairs)


def _best(names: Sequence[HeadName], target: str) -> HeadName | None:
    called = [name for name in names if name.target == target and name.is_known]
    return max(called, key=lambda name: name.score.number, default=None)


def _entry(target: str, best: HeadName | None, most: Value | None) -> VGroup:
    """Return a target over its best head, or beside it in a narrow frame; the baseline is at 0.

    Without a head that is called after it, the line says how much any head gives it at most.
    """
    title = Words("{}", target.replace("_", " "))
    if most is None:
        rest = Words("not measured", size=LABEL_SIZE, role=QUIET)
    elif best is None:
        rest = Words("no head: at most {:.2f}", most, size=LABEL_SIZE, role=QUIET)
    else:
        where = count(best.layer, "a layer"), count(best.head, "a head")
        text = "layer {}, head {}: {:.2f}"
        rest = Words(text, *where, best.score, size=LABEL_SIZE, role=QUIET)
    if safe_area().is_narrow:
        rest.shift(RIGHT * (title.get_right()[0] + GAP - rest.get_left()[0]))
    else:
        rest.align_to(title, LEFT).shift(DOWN * SECOND * em_of(BODY_SIZE))
    return VGroup(title, rest)


def _published(number: int, what: str) -> Value:
    return constant(number, f"{GPT_3}, {what}")
