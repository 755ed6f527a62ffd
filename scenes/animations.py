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
from manim.typing import Point3D, Vector3D

from scenes.presence import hide, parts_of, presence, set_presence, take_off
from scenes.theme import LAG_BUDGET, QUICK, STEADY

VANISHING_SCALE = 0.01  # as good as a point, without losing the shape's proportions


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


class Within(Together):
    """Animations of parts of what is on the stage already, put into groups on the fly.

    Nothing is added to the stage, so that what the parts belong to stays whole.
    """

    def _setup_scene(self, scene: Scene) -> None:
        """Add nothing."""


def one_after_another(animations: Iterable[Any], budget: float = LAG_BUDGET) -> Together:
    """Start animations in their order with a lag, all done within `budget` seconds."""
    queue = [prepare_animation(animation) for animation in animations]
    longest = max((animation.run_time for animation in queue), default=QUICK)
    lag = min(0.25, max(budget / longest - 1, 0.0) / max(len(queue) - 1, 1))
    return Together(queue, lag)


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


class Move(Change):
    """A mobject moves by an offset, in scene units."""

    def __init__(self, mobject: Mobject, offset: Vector3D, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.offset = offset

    def change(self, share: float) -> None:
        """Set the place."""
        self.stand(self.center + share * self.offset, 1.0)


class Settle(Change):
    """A mobject goes to where a shape stands and takes its width; it keeps its proportions."""

    def __init__(self, mobject: Mobject, place: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.place = place

    def begin(self) -> None:
        """Remember how far it is, and how much larger."""
        self.end = self.place.get_center()
        self.growth = self.place.width / self.mobject.width
        super().begin()

    def change(self, share: float) -> None:
        """Set place and size."""
        center = (1 - share) * self.center + share * self.end
        self.stand(center, 1 + share * (self.growth - 1))


class Reshape(Change):
    """A mobject takes the outlines of a twin, made of as many parts with as many points each."""

    def __init__(self, mobject: Mobject, twin: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.ends = [part.points.copy() for part in parts_of(twin)]

    def change(self, share: float) -> None:
        """Set every part's outline."""
        for part, start, end in zip(self.parts, self.shapes, self.ends, strict=True):
            part.points = (1 - share) * start + share * end


class Swell(Change):
    """A mobject becomes larger or smaller by a factor where it stands."""

    def __init__(self, mobject: Mobject, factor: float, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.factor = factor

    def change(self, share: float) -> None:
        """Set the size."""
        self.stand(self.center, 1 + share * (self.factor - 1))


class Tint(Change):
    """A shape's fill goes to another opacity; its colour and outline stay."""

    def __init__(self, shape: VMobject, opacity: float, run_time: float = QUICK) -> None:
        super().__init__(shape, run_time=run_time)
        self.shape, self.opacity = shape, opacity

    def begin(self) -> None:
        """Remember the fill as it is when the shape is in play."""
        self.presence = presence(self.shape)
        set_presence(self.shape, 1.0)
        self.start = float(self.shape.fill_rgbas[0, 3])
        super().begin()

    def change(self, share: float) -> None:
        """Set the fill, as far as the shape is in play."""
        set_presence(self.shape, 1.0)
        self.shape.fill_rgbas[:, 3] = (1 - share) * self.start + share * self.opacity
        set_presence(self.shape, self.presence)


class GrowFrom(Change):
    """A plate grows from a shape until it stands at its own place and size, opaque all the way."""

    def __init__(self, plate: VMobject, shape: Mobject, run_time: float = STEADY) -> None:
        super().__init__(plate, run_time=run_time)
        self.shape = shape

    def begin(self) -> None:
        """Remember the plate as it stands at the shape's place and size."""
        plate, shape = self.mobject, self.shape
        ratio = shape.width / plate.width, shape.height / plate.height, 1
        self.small = shape.get_center() + (plate.points - plate.get_center()) * ratio
        super().begin()

    def change(self, share: float) -> None:
        """Set the plate's place and size."""
        self.mobject.points = (1 - share) * self.small + share * self.shapes[0]


class ShrinkInto(GrowFrom):
    """A plate shrinks into a shape and is gone."""

    def change(self, share: float) -> None:
        """Set the plate's place and size."""
        super().change(1 - share)

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take the plate off the stage, and give it back its size."""
        super().clean_up_from_scene(scene)
        take_off(scene, self.mobject)
        self.stand(self.center, 1.0)


class Exchange(Change):
    """In a group, one member shrinks away and another one grows in its place.

    Letters that turn into other letters path by path are a blur; this stays clean.
    """

    def __init__(self, group: Mobject, old: Mobject, new: Mobject, run_time: float = QUICK) -> None:
        super().__init__(group, run_time=run_time)
        self.old, self.new = old, new

    def begin(self) -> None:
        """Let the new member into the group, unseen, and remember both shapes."""
        self.presence = max((presence(part) for part in parts_of(self.old)), default=1.0)
        hide(self.new)
        self.mobject.add(self.new)
        self.memories = [
            (mobject.get_center(), [(part, part.points.copy()) for part in parts_of(mobject)])
            for mobject in (self.old, self.new)
        ]
        super().begin()

    def change(self, share: float) -> None:
        """Set both members: the old one has gone by the middle."""
        sizes = max(0.0, 1 - 2 * share), max(0.0, 2 * share - 1)
        for size, (center, shapes) in zip(sizes, self.memories, strict=True):
            for part, shape in shapes:
                part.points = center + max(size, VANISHING_SCALE) * (shape - center)
                set_presence(part, size * self.presence)

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take the old member out of the group."""
        super().clean_up_from_scene(scene)
        self.mobject.submobjects.remove(self.old)
