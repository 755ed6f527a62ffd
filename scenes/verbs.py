"""Verbs: animations of what stands on the stage. A frame is a function of time.

A verb returns an animation and plays nothing. It begins when its turn comes, remembers what it
starts from, and changes presence, place, shape or colour; nothing is added to the stage, nothing
is taken from it, no group is taken apart.

    yield Appear(board.faces), Flow(Appear(label) for label in board.queries)
    yield Then(MoveTo(ring, cell), Pulse(cell))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Self

import numpy as np
from manim import Animation, Mobject, Scene, VMobject
from manim.typing import Point3D, Vector3D
from manim.utils.rate_functions import linear, smooth, there_and_back
from numpy.typing import NDArray

from scenes import theme
from scenes.mobjects.text import Number
from scenes.presence import own_colors, parts_of, presence, set_presence
from scenes.provenance import Value
from scenes.theme import LAG_BUDGET, OUT_OF_FOCUS, QUICK, REST, SLOW, STEADY, Role

ARRIVING_SCALE = 0.85
PULSE = 1.12  # times as large, at its height
LONGEST_LAG = 0.25  # of one animation's time, before the next of a flow begins
COMING = 0.25  # of its way, in which what travels comes in

Place = Mobject | Point3D | tuple[float, float, float]


class Verb(Animation):
    """An animation of mobjects that stand on the stage. It copies nothing.

    A kind of verb says in `start` what it remembers, in `change` how it looks after a share (0
    to 1) of its time.
    """

    def __init__(
        self,
        *mobjects: Mobject,
        run_time: float = STEADY,
        rate_func: Callable[[float], float] = smooth,
    ) -> None:
        self.subjects = mobjects
        subject = mobjects[0] if mobjects else Mobject()
        super().__init__(subject, run_time=run_time, rate_func=rate_func)
        self._has_begun = self._is_over = False

    @property
    def touched(self) -> list[Mobject]:
        """All that it may change."""
        return [part for subject in self.subjects for part in subject.get_family()]

    def within(self, seconds: float) -> Self:
        """Take so many seconds at most."""
        self.run_time = min(self.run_time, seconds)
        return self

    def start(self) -> None:
        """Remember what it starts from. A kind of verb may override it."""

    def change(self, share: float) -> None:
        """Make `share` of the change, 0 to 1. A kind of verb overrides it."""

    def begin(self) -> None:
        """Start at once; manim calls it."""
        self._has_begun = self._is_over = False
        self.show_at(0.0)

    def interpolate(self, alpha: float) -> None:
        """Show the stage at a share of the run time; manim calls it for every frame."""
        self.show_at(alpha)

    def finish(self) -> None:
        """Make the whole change."""
        self.show_at(1.0)

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Leave the stage as it is."""

    def _setup_scene(self, scene: Scene) -> None:
        """Add nothing to the stage."""

    def show_at(self, alpha: float) -> None:
        """Show the change at a share of the run time; the first call begins it."""
        if self._is_over:
            return
        if not self._has_begun:
            self._has_begun = True
            self.start()
        self._is_over = alpha >= 1
        self.change(float(self.rate_func(float(np.clip(alpha, 0.0, 1.0)))))


class Together(Verb):
    """Verbs that begin together; each takes its own time."""

    def __init__(self, *verbs: Verb | Iterable[Verb]) -> None:
        self.verbs = _listed(verbs)
        super().__init__(run_time=self._length(), rate_func=linear)

    @property
    def touched(self) -> list[Mobject]:
        """All that its verbs may change."""
        return [part for verb in self.verbs for part in verb.touched]

    def start(self) -> None:
        """Work out when each verb begins and ends, as shares of the whole."""
        begins, length = self._begins(), self._length() or 1.0
        self.spans = [
            (begin / length, (begin + verb.run_time) / length)
            for begin, verb in zip(begins, self.verbs, strict=True)
        ]
        for verb in self.verbs:
            verb._has_begun = verb._is_over = False  # noqa: SLF001 - its own kind

    def change(self, share: float) -> None:
        """Show each verb whose turn has come."""
        for (begin, end), verb in zip(self.spans, self.verbs, strict=True):
            if share >= end:
                verb.show_at(1.0)
            elif share >= begin:
                verb.show_at((share - begin) / (end - begin))

    def _begins(self) -> Sequence[float]:
        """Return when each verb begins, in seconds."""
        return [0.0] * len(self.verbs)

    def _length(self) -> float:
        """Return how long it takes until the last verb has ended, in seconds."""
        ends = [
            begin + verb.run_time for begin, verb in zip(self._begins(), self.verbs, strict=True)
        ]
        return max(ends, default=0.0)


class Then(Together):
    """Verbs one after another, each when the one before has ended."""

    def _begins(self) -> Sequence[float]:
        times = [verb.run_time for verb in self.verbs]
        return [sum(times[:place]) for place in range(len(times))]


class Flow(Together):
    """Verbs one after another, overlapping, all begun within `budget` seconds.

    With `gathering` the first come slowly and the rest faster and faster.
    """

    def __init__(
        self, verbs: Iterable[Verb], budget: float = LAG_BUDGET, *, gathering: bool = False
    ) -> None:
        self.budget, self.gathering = budget, gathering
        super().__init__(verbs)

    def _begins(self) -> Sequence[float]:
        last = len(self.verbs) - 1
        longest = max((verb.run_time for verb in self.verbs), default=0.0)
        span = min(self.budget, last * (longest if self.gathering else LONGEST_LAG * longest))
        shares = np.arange(last + 1) / max(last, 1)
        paced = np.sqrt(shares) if self.gathering else shares
        return [float(span * share) for share in paced]


class Begun(Together):
    """Verbs that have been going on for some seconds when they are first seen."""

    def __init__(self, *verbs: Verb, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(*verbs)

    def _begins(self) -> Sequence[float]:
        return [-self.seconds] * len(self.verbs)


class Hold(Verb):
    """Nothing happens for some seconds, while other verbs go on."""

    def __init__(self, seconds: float = REST) -> None:
        super().__init__(run_time=seconds)


class Fade(Verb):
    """Mobjects keep place and shape; their presence, a share of their opacities, changes."""

    def __init__(self, *mobjects: Mobject, to: float, run_time: float = QUICK) -> None:
        super().__init__(*mobjects, run_time=run_time)
        self.to = to

    def start(self) -> None:
        """Remember how much of each part is there."""
        self.parts = [part for each in self.subjects for part in parts_of(each)]
        self.starts = [presence(part) for part in self.parts]
        self.ends = [self.end_of(start) for start in self.starts]

    def end_of(self, start: float) -> float:  # noqa: ARG002 - kinds of it decide by the start
        """Return the presence that a part comes to."""
        return self.to

    def change(self, share: float) -> None:
        """Set every part's presence."""
        for part, start, end in zip(self.parts, self.starts, self.ends, strict=True):
            if start != end:
                set_presence(part, (1 - share) * start + share * end)


class Appear(Fade):
    """Mobjects come in where they stand, each growing a little."""

    def __init__(
        self, *mobjects: Mobject, run_time: float = QUICK, scale: float = ARRIVING_SCALE
    ) -> None:
        super().__init__(*mobjects, to=1.0, run_time=run_time)
        self.scale = scale

    def start(self) -> None:
        """Remember where everything stands that is not there yet."""
        super().start()
        self.shapes = [
            _Shape(each) for each in self.subjects if all(not presence(p) for p in parts_of(each))
        ]

    def change(self, share: float) -> None:
        """Set size and presence."""
        super().change(share)
        for shape in self.shapes:
            shape.stand(shape.center, self.scale + (1 - self.scale) * share)


class Disappear(Fade):
    """Mobjects fade out where they stand; they may appear again."""

    def __init__(self, *mobjects: Mobject, run_time: float = QUICK) -> None:
        super().__init__(*mobjects, to=0.0, run_time=run_time)


class Dim(Fade):
    """What is seen of mobjects recedes: it is out of focus for now."""

    def __init__(self, *mobjects: Mobject, run_time: float = QUICK) -> None:
        super().__init__(*mobjects, to=OUT_OF_FOCUS, run_time=run_time)

    def end_of(self, start: float) -> float:
        """Let what is unseen stay so."""
        return min(start, self.to)


class Undim(Fade):
    """What is seen of mobjects, if only dimly, is in focus again."""

    def __init__(self, *mobjects: Mobject, run_time: float = QUICK) -> None:
        super().__init__(*mobjects, to=1.0, run_time=run_time)

    def end_of(self, start: float) -> float:
        """Let what is unseen stay so."""
        return self.to if start else 0.0


class MoveTo(Verb):
    """A mobject goes to where another one stands, or to a point; its size may change.

    `scale` is a factor; `fit` gives it the other mobject's width instead.
    """

    def __init__(
        self,
        mobject: Mobject,
        place: Place,
        *,
        scale: float = 1.0,
        fit: bool = False,
        run_time: float = STEADY,
    ) -> None:
        super().__init__(mobject, run_time=run_time)
        self.place, self.scale, self.fit = place, scale, fit

    def start(self) -> None:
        """Remember where it stands and how far it has to go."""
        self.shape = _Shape(self.subjects[0])
        self.end = _center(self.place)
        if self.fit and isinstance(self.place, Mobject):
            self.scale = self.place.width / self.subjects[0].width

    def change(self, share: float) -> None:
        """Set place and size."""
        center = (1 - share) * self.shape.center + share * self.end
        self.shape.stand(center, 1 + share * (self.scale - 1))


class Shift(Verb):
    """Mobjects move by an offset, in scene units; the middle of their way lies aside by `bow`."""

    def __init__(
        self,
        *mobjects: Mobject,
        by: Vector3D,
        run_time: float = STEADY,
        bow: float | Vector3D = 0.0,
    ) -> None:
        super().__init__(*mobjects, run_time=run_time)
        self.by, self.bow = np.asarray(by, dtype=np.float64), np.asarray(bow)

    def start(self) -> None:
        """Remember where they stand."""
        self.shapes = [_Shape(each) for each in self.subjects]

    def change(self, share: float) -> None:
        """Set the places."""
        for shape in self.shapes:
            shape.stand(shape.center + share * self.by + 4 * share * (1 - share) * self.bow, 1.0)


class ComeFrom(Verb):
    """A mobject that was unseen comes from a source, in its place and size, to its own.

    So a chip of the sentence becomes a row's label. Every part keeps its proportions. `bow` is an
    offset, in scene units, by which the middle of its way lies aside.
    """

    def __init__(
        self,
        mobject: Mobject,
        source: Place,
        run_time: float = STEADY,
        *,
        fit: bool = True,
        bow: Vector3D | None = None,
    ) -> None:
        super().__init__(mobject, run_time=run_time)
        self.source, self.fit, self.bow = source, fit, np.zeros(3) if bow is None else bow

    def start(self) -> None:
        """Remember the way."""
        self.shape = _Shape(self.subjects[0])
        self.origin = _center(self.source)
        height = self.source.height if self.fit and isinstance(self.source, Mobject) else 0.0
        self.scale = height / self.subjects[0].height if height else ARRIVING_SCALE
        self.scale = float(np.clip(self.scale, 0.05, 20.0))

    def change(self, share: float) -> None:
        """Set place, size and presence."""
        center = (1 - share) * self.origin + share * self.shape.center
        center = center + 4 * share * (1 - share) * self.bow
        self.shape.stand(center, (1 - share) * self.scale + share)
        for part in self.shape.parts:
            set_presence(part, min(1.0, share / COMING))


class GoInto(Verb):
    """A mobject goes to where another one stands, shrinks into it and is not seen any more.

    Afterwards it stands unseen at its own place, in its own size.
    """

    def __init__(self, mobject: Mobject, goal: Place, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.goal = goal

    def start(self) -> None:
        """Remember the way, and how much of each part is there."""
        self.shape = _Shape(self.subjects[0])
        self.end = _center(self.goal)
        height = self.goal.height if isinstance(self.goal, Mobject) else 0.0
        own = self.subjects[0].height
        self.scale = float(np.clip(height / own, 0.05, 1.0)) if height and own else 0.3
        self.starts = [presence(part) for part in self.shape.parts]

    def change(self, share: float) -> None:
        """Set place, size and presence."""
        here = 0.0 if share >= 1 else share
        center = (1 - here) * self.shape.center + here * self.end
        self.shape.stand(center, 1 + here * (self.scale - 1))
        for part, start in zip(self.shape.parts, self.starts, strict=True):
            set_presence(part, start * min(1.0, (1 - share) / COMING))


class Become(Verb):
    """A mobject takes the outlines and colours of a twin with as many parts and points each.

    The twin need not be on the stage.
    """

    def __init__(self, mobject: Mobject, twin: Mobject, run_time: float = STEADY) -> None:
        super().__init__(mobject, run_time=run_time)
        self.twin = twin

    def start(self) -> None:
        """Remember both."""
        self.parts, twins = parts_of(self.subjects[0]), parts_of(self.twin)
        self.points = [
            (p.points.copy(), t.points.copy()) for p, t in zip(self.parts, twins, strict=True)
        ]
        self.colors = [
            (own_colors(p), own_colors(t)) for p, t in zip(self.parts, twins, strict=True)
        ]

    def change(self, share: float) -> None:
        """Set every part's outline and colours."""
        for part, (here, there), (before, after) in zip(
            self.parts, self.points, self.colors, strict=True
        ):
            part.points = (1 - share) * here + share * there
            _paint(part, [(1 - share) * a + share * b for a, b in zip(before, after, strict=True)])


class TurnInto(Verb):
    """One mobject becomes another one of whatever shape: it goes over into the other's box.

    Both stand on the stage; the first is unseen afterwards, at its own place and size.
    """

    def __init__(self, old: Mobject, new: Mobject, run_time: float = STEADY) -> None:
        super().__init__(old, new, run_time=run_time)

    def start(self) -> None:
        """Remember both boxes."""
        old, new = self.subjects
        self.old, self.new = _Shape(old), _Shape(new)
        self.starts = [presence(part) for part in self.old.parts]
        self.ratio = _ratio(new.width, old.width), _ratio(new.height, old.height)

    def change(self, share: float) -> None:
        """Set both: each has the box between the two, and fades into the other."""
        center = (1 - share) * self.old.center + share * self.new.center
        growth = np.array([ratio**share for ratio in self.ratio] + [1.0])
        left = 1 - share
        if share >= 1:
            self.old.stand(self.old.center, 1.0)
        else:
            self.old.stand(center, growth)
        self.new.stand(center, growth / np.array([*self.ratio, 1.0]))
        for part, start in zip(self.old.parts, self.starts, strict=True):
            set_presence(part, start * min(1.0, 1.6 * left))
        for part in self.new.parts:
            set_presence(part, min(1.0, 1.6 * share))


class Recolor(Verb):
    """Shapes take a role's colour; the fill's opacity changes too, if one is given."""

    def __init__(
        self, *mobjects: Mobject, role: Role, opacity: float | None = None, run_time: float = QUICK
    ) -> None:
        super().__init__(*mobjects, run_time=run_time)
        self.role, self.opacity = role, opacity

    def start(self) -> None:
        """Remember the colours."""
        self.parts = [part for each in self.subjects for part in parts_of(each)]
        self.before = [own_colors(part) for part in self.parts]
        code = theme.color(self.role)
        self.rgb = np.array([int(code[i : i + 2], 16) / 255 for i in (1, 3, 5)])

    def change(self, share: float) -> None:
        """Set the colours."""
        for part, before in zip(self.parts, self.before, strict=True):
            after = [color.copy() for color in before]
            for color in after:
                color[:, :3] = (1 - share) * color[:, :3] + share * self.rgb
            if self.opacity is not None:
                after[0][:, 3] = (1 - share) * after[0][:, 3] + share * self.opacity
            _paint(part, after)


class Pulse(Verb):
    """Mobjects swell a little and come back: this is what is being named."""

    def __init__(self, *mobjects: Mobject, run_time: float = QUICK, scale: float = PULSE) -> None:
        super().__init__(*mobjects, run_time=run_time, rate_func=there_and_back)
        self.scale = scale

    def start(self) -> None:
        """Remember the shapes."""
        self.shapes = [_Shape(each) for each in self.subjects]

    def change(self, share: float) -> None:
        """Set the size."""
        for shape in self.shapes:
            shape.stand(shape.center, 1 + share * (self.scale - 1))


class Draw(Verb):
    """Lines are drawn from their starts to their ends; fills come with them."""

    def __init__(self, *mobjects: Mobject, run_time: float = STEADY) -> None:
        super().__init__(*mobjects, run_time=run_time)

    def start(self) -> None:
        """Remember the whole lines."""
        parts = [part for each in self.subjects for part in parts_of(each) if len(part.points)]
        self.lines = [(part, part.copy()) for part in parts]

    def change(self, share: float) -> None:
        """Draw the first part of every line."""
        for part, whole in self.lines:
            if share >= 1:
                part.points = whole.points.copy()
            else:
                part.pointwise_become_partial(whole, 0.0, max(share, 1e-3))
            set_presence(part, min(1.0, 4 * share))


class Visit(Verb):
    """A marker, such as a ring, goes from one place to the next and takes each one's box.

    Its sides grow and its corners keep their shape.
    """

    def __init__(self, marker: Mobject, places: Sequence[Mobject], run_time: float = SLOW) -> None:
        super().__init__(marker, run_time=run_time, rate_func=linear)
        self.places = places

    def start(self) -> None:
        """Remember the boxes."""
        marker = self.subjects[0]
        self.shape = _Shape(marker)
        self.size = _size(marker)
        self.stops = [(self.shape.center, self.size)]
        self.stops += [(place.get_center(), _size(place)) for place in self.places]
        curves = self.shape.around.reshape(-1, 4, 3)
        along = curves[:, 3:] - curves[:, :1]
        off = np.linalg.norm(np.cross(along, curves - curves[:, :1]), axis=(1, 2))
        self.straight = off < 1e-6  # curves that are to stay so

    def change(self, share: float) -> None:
        """Stand at a place, or between two."""
        at = min(share * len(self.places), len(self.places) - 1e-9)
        leg, way = int(at), smooth(at - int(at))
        (center, size), (goal, end) = self.stops[leg], self.stops[leg + 1]
        grown = ((1 - way) * size + way * end - self.size) / 2
        middle = (1 - way) * center + way * goal
        around = self.shape.around
        points = middle + around + np.sign(np.round(around, 6)) * grown
        curves = points.reshape(-1, 4, 3)
        sides = curves[self.straight]
        for at in (1, 2):
            curves[self.straight, at] = sides[:, 0] + at / 3 * (sides[:, 3] - sides[:, 0])
        self.shape.draw(points)
        for part in self.shape.parts:
            set_presence(part, 1.0)


class Vary(Verb):
    """A noun's own setting goes from one number to another: `Vary(cloud.turn_to, 0, 30)`.

    `setter` is a method of a mobject that stands on the stage. What turns on through several cues
    goes evenly: `rate_func=linear`.
    """

    def __init__(
        self,
        setter: Callable[[float], Any],
        start: float,
        end: float,
        run_time: float = STEADY,
        rate_func: Callable[[float], float] = smooth,
    ) -> None:
        owner = getattr(setter, "__self__", None)
        assert isinstance(owner, Mobject), "a setting belongs to a mobject"
        super().__init__(owner, run_time=run_time, rate_func=rate_func)
        self.setter, self.ends = setter, (start, end)

    def change(self, share: float) -> None:
        """Set the number."""
        start, end = self.ends
        self.setter((1 - share) * start + share * end)


class Count(Verb):
    """A number runs from the value it shows to another; on its way it is their mixture."""

    def __init__(self, number: Number, value: Value, run_time: float = STEADY) -> None:
        super().__init__(number, run_time=run_time)
        self.number, self.value = number, value

    def start(self) -> None:
        """Remember the value that is shown."""
        self.before = self.number.value

    def change(self, share: float) -> None:
        """Show the mixture; at the end it is the value itself."""
        self.number.put_between(self.before, self.value, share)


class _Shape:
    """A mobject's parts as they were: their outlines and their common middle."""

    def __init__(self, mobject: Mobject) -> None:
        self.parts = [part for part in parts_of(mobject) if len(part.points)]
        ends = np.cumsum([len(part.points) for part in self.parts])
        self.places = [slice(*ends) for ends in pairwise((0, *ends.tolist()))]
        self.center = np.array(mobject.get_center())
        outlines = [np.zeros((0, 3)), *(part.points for part in self.parts)]
        self.around = np.concatenate(outlines) - self.center  # all points, one part after another

    def stand(self, center: Point3D, scale: float | NDArray[np.float64]) -> None:
        """Draw the parts at a scale, the middle of the whole at `center`."""
        self.draw(center + scale * self.around)

    def draw(self, points: NDArray[np.float64]) -> None:
        """Give the parts their points, one after another."""
        for part, place in zip(self.parts, self.places, strict=True):
            part.points = points[place]


def _listed(verbs: Iterable[Verb | Iterable[Verb]]) -> list[Verb]:
    """Return verbs in one list; groups in which there is nothing to play are left out."""
    found: list[Verb] = []
    for verb in verbs:
        found += [verb] if isinstance(verb, Verb) else list(verb)
    return [verb for verb in found if not (isinstance(verb, Together) and not verb.verbs)]


def _center(place: Place) -> Point3D:
    return np.array(place.get_center() if isinstance(place, Mobject) else place, dtype=np.float64)


def _size(mobject: Mobject) -> NDArray[np.float64]:
    return np.array([mobject.width, mobject.height, 0.0])


def _ratio(one: float, other: float) -> float:
    return one / other if one > 1e-6 and other > 1e-6 else 1.0


def _paint(part: VMobject, colors: Sequence[NDArray[np.float64]]) -> None:
    """Give a part its own colours: fill, line and the line behind; it keeps its presence."""
    share = presence(part)
    set_presence(part, 1.0)
    part.fill_rgbas, part.stroke_rgbas, part.background_stroke_rgbas = (c.copy() for c in colors)
    if share < 1.0:
        set_presence(part, share)
