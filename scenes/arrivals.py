"""Verbs by which things come, recede and go. Each returns an animation; none of them plays it."""

from __future__ import annotations

from collections.abc import Iterable

from manim import Mobject, Scene
from manim.typing import Vector3D
from manim.utils.rate_functions import linear

from scenes.animations import Change, Move, Together
from scenes.presence import hide, parts_of, presence, set_presence, take_off
from scenes.theme import OUT_OF_PLAY, QUICK, STEADY

ARRIVING_SCALE = 0.7
COMING = 0.15  # of its way, in which what sweeps over comes in, and in which it goes


class Fade(Change):
    """A mobject keeps its place and shape; its presence goes to a share of full.

    Presence multiplies the opacity of fill and stroke of every part, so that what comes back
    into play looks as it did before.
    """

    def __init__(self, mobject: Mobject, to: float, run_time: float = QUICK) -> None:
        super().__init__(mobject, run_time=run_time)
        self.to = to

    def begin(self) -> None:
        """Remember where each part starts from."""
        self.starts = [presence(part) for part in parts_of(self.mobject)]
        super().begin()

    def change(self, share: float) -> None:
        """Set every part's presence."""
        for part, start in zip(self.parts, self.starts, strict=True):
            set_presence(part, (1 - share) * start + share * self.to)


class Show(Fade):
    """A mobject comes in where it stands, at its full size."""

    def __init__(self, mobject: Mobject, run_time: float = QUICK) -> None:
        super().__init__(mobject, to=1.0, run_time=run_time)

    def begin(self) -> None:
        """Start unseen."""
        hide(self.mobject)
        super().begin()


class Appear(Show):
    """A mobject comes in where it stands, growing a little."""

    def change(self, share: float) -> None:
        """Set size and presence."""
        super().change(share)
        self.stand(self.center, ARRIVING_SCALE + (1 - ARRIVING_SCALE) * share)


class Fly(Appear):
    """A mobject comes from somewhere: it starts small on its source and flies to its place."""

    def __init__(self, mobject: Mobject, source: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.source = source

    def begin(self) -> None:
        """Remember where the source stands now."""
        self.from_here = self.source.get_center()
        super().begin()

    def change(self, share: float) -> None:
        """Set place, size and presence."""
        super().change(share)
        place = (1 - share) * self.from_here + share * self.center
        self.stand(place, ARRIVING_SCALE + (1 - ARRIVING_SCALE) * share)


class Unfold(Show):
    """A mobject comes out of a twin, made of as many parts with as many points each.

    It starts unseen, with the twin's outlines, and takes its own place and shape.
    """

    def __init__(self, mobject: Mobject, twin: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.twin = twin

    def begin(self) -> None:
        """Start unseen, and remember how the twin stands now."""
        self.origins = [part.points.copy() for part in parts_of(self.twin)]
        super().begin()

    def change(self, share: float) -> None:
        """Set every part's outline and presence."""
        super().change(share)
        for part, origin, shape in zip(self.parts, self.origins, self.shapes, strict=True):
            part.points = (1 - share) * origin + share * shape


class Leave(Fade):
    """A mobject fades out and is gone, from its group as well."""

    def __init__(self, mobject: Mobject, run_time: float = QUICK) -> None:
        super().__init__(mobject, to=0.0, run_time=run_time)

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take the mobject off the stage, and restore it, should it come back."""
        super().clean_up_from_scene(scene)
        take_off(scene, self.mobject)
        self.stand(self.center, 1.0)
        for part, start in zip(self.parts, self.starts, strict=True):
            set_presence(part, start)


class Sweep(Move):
    """A mobject is seen on its way by an offset, at an even pace, and then is back unseen."""

    def __init__(self, mobject: Mobject, offset: Vector3D, run_time: float = STEADY) -> None:
        super().__init__(mobject, offset, run_time)
        self.set_rate_func(linear)

    def change(self, share: float) -> None:
        """Set place and presence: it comes in at the start of the way and goes at its end."""
        super().change(share)
        for part in self.parts:
            set_presence(part, min(1.0, share / COMING, (1 - share) / COMING))

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Set the mobject back where it started."""
        super().clean_up_from_scene(scene)
        self.stand(self.center, 1.0)


def put_back(mobjects: Iterable[Mobject], run_time: float = QUICK) -> Together:
    """Let mobjects recede: they are not in play."""
    return Together(Fade(mobject, OUT_OF_PLAY, run_time) for mobject in mobjects)


def bring_forward(mobjects: Iterable[Mobject], run_time: float = QUICK) -> Together:
    """Let mobjects that had receded come back into play."""
    return Together(Fade(mobject, 1.0, run_time) for mobject in mobjects)
