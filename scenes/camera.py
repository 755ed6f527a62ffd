"""The viewpoint: what part of the world fills the stage, and how it travels.

Places in a film never change when the camera moves: only where they are seen does. Lines keep
their width on the screen, texts are outlines and stay sharp.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from manim import Camera, Mobject
from numpy.typing import NDArray

from scenes.region import Region
from scenes.theme import SLOW
from scenes.verbs import Verb

Flat: TypeAlias = tuple[float, float]

FILLED = 0.9  # of the stage, by what the camera has zoomed into
CLOSEST = 40.0  # times as large as the world is drawn


@dataclass(frozen=True)
class View:
    """Where the world is seen: the point `center` stands at `at`, all `zoom` times as large."""

    center: Flat = (0.0, 0.0)
    zoom: float = 1.0
    at: Flat = (0.0, 0.0)

    def seen(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the world, shape (n, 3), are seen in the frame."""
        offset = np.array([*self.at, 0.0]) - self.zoom * np.array([*self.center, 0.0])
        return self.zoom * np.asarray(points) + offset

    def behind(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the points of the world, shape (n, 3), that are seen at points of the frame."""
        return (points - (*self.at, 0.0)) / self.zoom + (*self.center, 0.0)

    def toward(self, other: View, share: float) -> View:
        """Return the view after `share` of the way, 0 to 1; what is looked at moves evenly."""
        zoom = self.zoom ** (1 - share) * other.zoom**share
        if abs(other.zoom - self.zoom) < 1e-9:
            walked = share
        else:  # so that the point that both views hold still stands still on the way
            walked = (1 / zoom - 1 / self.zoom) / (1 / other.zoom - 1 / self.zoom)
        return View(
            _between(self.center, other.center, walked), zoom, _between(self.at, other.at, walked)
        )

    def into(self, mobject: Mobject, stage: Region, filled: float = FILLED) -> View:
        """Return the view in which a mobject of the world fills `filled` of a stage."""
        return self.onto(box_of(mobject), stage, filled)

    def onto(self, box: Region, stage: Region, filled: float = FILLED) -> View:
        """Return the view in which a part of the world fills `filled` of a stage."""
        zoom = filled * min(stage.width / box.width, stage.height / box.height)
        (x, y, _), (u, v, _) = box.center, stage.center
        return View((float(x), float(y)), min(CLOSEST, zoom), (float(u), float(v)))


WHOLE = View()  # the world as films are laid out


class FilmCamera(Camera):
    """Manim's camera, looking through a view; what is pinned to the frame it sees as it is."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401 - manim's signature
        super().__init__(**settings)
        self.view = WHOLE

    def transform_points_pre_display(
        self,
        mobject: Mobject,
        points: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Return where a mobject's points are seen; manim asks before it draws."""
        seen = points if self.view is WHOLE or is_pinned(mobject) else self.view.seen(points)
        return np.asarray(super().transform_points_pre_display(mobject, seen))


class Viewpoint(Mobject):
    """What moves when the camera does; it has no shape."""

    def __init__(self, camera: FilmCamera) -> None:
        super().__init__()
        self.camera = camera


class Travel(Verb):
    """The camera goes to another view."""

    def __init__(self, viewpoint: Viewpoint, view: View, run_time: float = SLOW) -> None:
        super().__init__(viewpoint, run_time=run_time)
        self.camera, self.view = viewpoint.camera, view

    def start(self) -> None:
        """Remember the view that is left."""
        self.left = self.camera.view

    def change(self, share: float) -> None:
        """Look from where the camera has come to."""
        self.camera.view = self.view if share >= 1 else self.left.toward(self.view, share)


def pin(*mobjects: Mobject) -> None:
    """Let mobjects stand in the frame, wherever the camera looks: titles, remarks."""
    for mobject in mobjects:
        for part in mobject.get_family():
            vars(part)["pinned"] = True


def unpin(*mobjects: Mobject) -> None:
    """Let mobjects that stood in the frame stand in the world again."""
    for mobject in mobjects:
        for part in mobject.get_family():
            vars(part)["pinned"] = False


def is_pinned(mobject: Mobject) -> bool:
    """Whether a mobject stands in the frame and not in the world."""
    return bool(vars(mobject).get("pinned", False))


def run_on(*mobjects: Mobject) -> None:
    """Let mobjects reach beyond the frame when the camera is near, as it travels along them."""
    for mobject in mobjects:
        for part in mobject.get_family():
            vars(part)["running_on"] = True


def runs_on(mobject: Mobject) -> bool:
    """Whether a mobject may reach beyond the frame when the camera is near."""
    return bool(vars(mobject).get("running_on", False))


def place_inside(content: Mobject, cell: Mobject, stage: Region) -> None:
    """Make what was laid out for the whole stage so small that it stands in a cell.

    Once the camera has zoomed into the cell, the content is seen as it was laid out.
    """
    view = WHOLE.into(cell, stage)
    for part in content.get_family():
        if len(part.points):
            part.points = view.behind(part.points)


def box_of(mobject: Mobject) -> Region:
    """Return the part of the world that a mobject takes."""
    return Region(
        left=float(mobject.get_left()[0]),
        right=float(mobject.get_right()[0]),
        bottom=float(mobject.get_bottom()[1]),
        top=float(mobject.get_top()[1]),
    )


def _between(one: Flat, other: Flat, share: float) -> Flat:
    (x, y), (u, v) = one, other
    return (1 - share) * x + share * u, (1 - share) * y + share * v
