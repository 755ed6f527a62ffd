"""Verbs. Each returns an animation; none of them plays it, none of them takes a scene.

Manim takes a group apart when one of its members is added to or removed from the scene by itself.
The verbs here leave groups whole: what is on the stage already stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from manim import AnimationGroup, Mobject, Scene, VMobject
from manim.animation.animation import Animation, prepare_animation
from manim.typing import Point3D

from scenes.theme import LAG_BUDGET, OUT_OF_PLAY, QUICK, STEADY

ARRIVING_SCALE = 0.7


class Together(AnimationGroup):
    """Animations that start together, or one after another with a lag.

    `lag_ratio` is the share of one animation's run time after which the next one starts.
    """

    def __init__(self, animations: Iterable[Any], lag_ratio: float = 0.0) -> None:
        super().__init__(*animations, lag_ratio=lag_ratio, introducer=True)

    def _setup_scene(self, scene: Scene) -> None:
        scene.add_mobjects_from_animations(self.animations)
        super()._setup_scene(scene)


def one_after_another(animations: Iterable[Any], budget: float = LAG_BUDGET) -> Together:
    """Start animations in their order with a lag, all done within `budget` seconds."""
    queue = [prepare_animation(animation) for animation in animations]
    longest = max((animation.run_time for animation in queue), default=QUICK)
    lag = min(0.25, max(budget / longest - 1, 0.0) / max(len(queue) - 1, 1))
    return Together(queue, lag)


class Move(Animation):
    """A mobject moves by an offset, in scene units."""

    def __init__(self, mobject: Mobject, offset: Point3D, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.offset = offset

    def begin(self) -> None:
        """Remember the shapes."""
        self.parts = [part for part in self.mobject.get_family() if isinstance(part, VMobject)]
        self.shapes = [part.points.copy() for part in self.parts]
        super().begin()

    def create_starting_mobject(self) -> Mobject:
        """Copy nothing: the shapes are kept."""
        return self.mobject

    def interpolate(self, alpha: float) -> None:
        """Set the place for time `alpha`, 0 to 1."""
        share = self.rate_func(float(np.clip(alpha, 0, 1)))
        for part, shape in zip(self.parts, self.shapes, strict=True):
            part.points = shape + share * self.offset


class Fade(Animation):
    """A mobject keeps its place and shape; its presence goes to a share of full.

    Presence multiplies the opacity of fill and stroke of every part, so that what comes back
    into play looks as it did before.
    """

    def __init__(self, mobject: Mobject, to: float, run_time: float = QUICK) -> None:
        super().__init__(mobject, run_time=run_time)
        self.to = to

    def begin(self) -> None:
        """Remember where each part starts from."""
        self.parts = [part for part in self.mobject.get_family() if isinstance(part, VMobject)]
        self.starts = [presence(part) for part in self.parts]
        super().begin()

    def create_starting_mobject(self) -> Mobject:
        """Copy nothing: only opacities change."""
        return self.mobject

    def interpolate(self, alpha: float) -> None:
        """Set every part's presence for time `alpha`, 0 to 1."""
        share = self.rate_func(float(np.clip(alpha, 0, 1)))
        for part, start in zip(self.parts, self.starts, strict=True):
            _set_presence(part, (1 - share) * start + share * self.to)


class Appear(Fade):
    """A mobject comes in where it stands, growing a little."""

    def __init__(self, mobject: Mobject, run_time: float = QUICK) -> None:
        super().__init__(mobject, to=1.0, run_time=run_time)

    def begin(self) -> None:
        """Remember the shapes, and make every part unseen."""
        parts = [part for part in self.mobject.get_family() if isinstance(part, VMobject)]
        self.shapes = [part.points.copy() for part in parts]
        self.center = self.mobject.get_center()
        hide(self.mobject)
        super().begin()

    def interpolate(self, alpha: float) -> None:
        """Set size and presence for time `alpha`, 0 to 1."""
        super().interpolate(alpha)
        share = self.rate_func(float(np.clip(alpha, 0, 1)))
        scale = ARRIVING_SCALE + (1 - ARRIVING_SCALE) * share
        for part, shape in zip(self.parts, self.shapes, strict=True):
            part.points = self.center + scale * (shape - self.center)


class Fly(Appear):
    """A mobject comes from somewhere: it starts small on its source and flies to its place."""

    def __init__(self, mobject: Mobject, source: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.source = source.get_center()

    def interpolate(self, alpha: float) -> None:
        """Set place, size and presence for time `alpha`, 0 to 1."""
        super().interpolate(alpha)
        behind = 1 - self.rate_func(float(np.clip(alpha, 0, 1)))
        for part in self.parts:
            part.points = part.points + behind * (self.source - self.center)


class Leave(Fade):
    """A mobject fades out and is gone, from its group as well."""

    def __init__(self, mobject: Mobject, run_time: float = QUICK) -> None:
        super().__init__(mobject, to=0.0, run_time=run_time)

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take the mobject off the stage and restore its parts, should they come back."""
        super().clean_up_from_scene(scene)
        take_off(scene, self.mobject)
        for part in self.parts:
            _set_presence(part, 1.0)


class Sink(Leave):
    """A mobject shrinks into another one and is gone."""

    def __init__(self, mobject: Mobject, into: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.into = into.get_center()

    def begin(self) -> None:
        """Remember the shapes."""
        family = [part for part in self.mobject.get_family() if isinstance(part, VMobject)]
        self.shapes = [part.points.copy() for part in family]
        self.center = self.mobject.get_center()
        super().begin()

    def interpolate(self, alpha: float) -> None:
        """Set place, size and presence for time `alpha`, 0 to 1."""
        super().interpolate(alpha)
        share = self.rate_func(float(np.clip(alpha, 0, 1)))
        center = (1 - share) * self.center + share * self.into
        scale = max(1 - share, 0.02)
        for part, shape in zip(self.parts, self.shapes, strict=True):
            part.points = center + scale * (shape - self.center)


def put_back(mobjects: Iterable[Mobject], run_time: float = QUICK) -> Together:
    """Let mobjects recede: they are not in play."""
    return Together(Fade(mobject, OUT_OF_PLAY, run_time) for mobject in mobjects)


def bring_forward(mobjects: Iterable[Mobject], run_time: float = QUICK) -> Together:
    """Let mobjects that had receded come back into play."""
    return Together(Fade(mobject, 1.0, run_time) for mobject in mobjects)


def hide(mobject: Mobject) -> None:
    """Make a mobject unseen until it appears."""
    for part in mobject.get_family():
        if isinstance(part, VMobject):
            _set_presence(part, 0.0)


def take_off(scene: Scene, mobject: Mobject) -> None:
    """Remove a mobject from the scene, or from the group on the scene that holds it."""
    if mobject in scene.mobjects:
        scene.mobjects.remove(mobject)
        return
    for top in scene.mobjects:
        for holder in top.get_family():
            if mobject in holder.submobjects:
                holder.submobjects.remove(mobject)
                return


def presence(part: Mobject) -> float:
    """Return the share of its own opacity that a part has now."""
    return float(getattr(part, "presence", 1.0))





def _set_presence(part: VMobject, share: float) -> None:
    """Scale the opacities of fill and strokes from what they were made with."""
    arrays = (part.fill_rgbas, part.stroke_rgbas, part.background_stroke_rgbas)
    if not hasattr(part, "own_opacities") or presence(part) == 1.0:
        part.own_opacities = [colors[:, 3].copy() for colors in arrays]
    for colors, own in zip(arrays, part.own_opacities, strict=True):
        colors[:, 3] = own * share
    part.presence = share
