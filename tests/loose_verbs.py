"""Verbs for films of tests that add to the stage and take from it, as manim's own do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from manim import AnimationGroup, Mobject, Scene
from manim.animation.animation import Animation
from manim.typing import Point3D

from scenes.presence import hide, parts_of, presence, set_presence, take_off
from scenes.theme import OUT_OF_PLAY, QUICK

ARRIVING_SCALE = 0.7


class Together(AnimationGroup):
    """Animations that start together, or one after another with a lag.

    `lag_ratio` is the share of one animation's run time after which the next one starts. Groups in
    which there is nothing to play are left out.
    """

    def __init__(self, animations: Iterable[Any], lag_ratio: float = 0.0) -> None:
        super().__init__(*playable(animations), lag_ratio=lag_ratio, introducer=True)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to play."""
        return not self.animations

    def _setup_scene(self, scene: Scene) -> None:
        scene.add_mobjects_from_animations(self.animations)
        super()._setup_scene(scene)


def playable(animations: Iterable[Any]) -> list[Any]:
    """Return animations without groups in which there is nothing to play, which manim refuses."""
    return [each for each in animations if not (isinstance(each, Together) and each.is_empty)]


class Change(Animation):
    """An animation that copies nothing: what it starts from it remembers in `begin`."""

    mobject: Mobject  # type: ignore[assignment] # we draw with Cairo only

    def begin(self) -> None:
        """Remember every part and its shape."""
        self.parts = parts_of(self.mobject)
        self.shapes = [part.points.copy() for part in self.parts]
        self.center = self.mobject.get_center()
        super().begin()

    def create_starting_mobject(self) -> Mobject:
        """Copy nothing."""
        return self.mobject

    def eased(self, alpha: float) -> float:
        """Return how far the change has come at time `alpha`, both 0 to 1."""
        return float(self.rate_func(float(np.clip(alpha, 0, 1))))

    def interpolate(self, alpha: float) -> None:
        """Make the change as far as time `alpha`, 0 to 1, has come."""
        self.change(self.eased(alpha))

    def change(self, share: float) -> None:
        """Make `share` of the change, 0 to 1."""

    def stand(self, center: Point3D, scale: float) -> None:
        """Draw every part at a scale, the middle of the whole at `center`."""
        for part, shape in zip(self.parts, self.shapes, strict=True):
            part.points = center + scale * (shape - self.center)


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


def put_back(mobjects: Iterable[Mobject], run_time: float = QUICK) -> Together:
    """Let mobjects recede: they are not in play."""
    return Together(Fade(mobject, OUT_OF_PLAY, run_time) for mobject in mobjects)
