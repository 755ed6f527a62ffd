"""What is drawn is what manim would draw; what has not changed is not drawn again."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from manim import (
    DOWN,
    LEFT,
    ORIGIN,
    PI,
    RIGHT,
    UP,
    Arrow,
    Camera,
    CapStyleType,
    Circle,
    DashedLine,
    Dot,
    Line,
    LineJointType,
    Mobject,
    Rectangle,
    RegularPolygon,
    Square,
    Star,
    Text,
    ValueTracker,
    VGroup,
    VMobject,
    tempconfig,
)

from rendering.canvas import Canvas
from rendering.paths import Pen, paths
from rendering.pictures import Picture
from rendering.tiles import Tiles
from scenes.mobjects.text import Words
from scenes.presence import parts_of

SMALL = Picture(width=426, height=240, fps=10)
ROUNDING = 16  # levels of 255: Cairo rounds where a part of the frame cuts an edge
FEW = 1e-3  # of the pixels


@pytest.fixture(autouse=True)
def small_frame(tmp_path: Path) -> Iterator[None]:
    with tempconfig(SMALL.settings(str(tmp_path)) | {"background_color": "#0F1218"}):
        yield


def by_manim(mobjects: list[Mobject], like: Camera) -> np.ndarray:
    camera = Camera(background_opacity=like.background_opacity)
    camera.background = like.background
    camera.reset()
    camera.capture_mobjects(mobjects)
    return camera.pixel_array


def assert_same_picture(canvas: Canvas, mobjects: list[Mobject]) -> None:
    apart = np.abs(by_manim(mobjects, canvas).astype(int) - canvas.pixels)
    assert apart.max() <= ROUNDING
    assert (apart > 1).any(axis=2).mean() <= FEW


def parts(stage: list[Mobject]) -> list[VMobject]:
    """Return the shapes on a stage as a film does, in drawing order and each once."""
    found = [part for top in stage for part in parts_of(top) if len(part.points)]
    last = list(dict.fromkeys(reversed(found)))[::-1]
    return sorted(last, key=lambda part: part.z_index)


def every_shape() -> list[Mobject]:
    """Everything that a film may draw, and what must not disturb it."""
    broken, unfinished = VMobject().set_points(np.full((4, 3), np.nan)), Square()
    unfinished.points = unfinished.points[:-1]
    return [
        Square(fill_opacity=0.5).shift(LEFT),
        Circle(stroke_opacity=0.4, stroke_width=20, fill_opacity=0.3).shift(RIGHT),
        Square(fill_opacity=1).set_color([*map(str, ("#ff0000", "#0000ff"))]).shift(UP),
        Circle(sheen_factor=0.5, sheen_direction=UP, fill_opacity=1).shift(DOWN),
        Star(stroke_width=8, joint_type=LineJointType.ROUND),
        RegularPolygon(3, joint_type=LineJointType.BEVEL, stroke_width=12),
        Line(LEFT, 2 * UP, stroke_width=30, cap_style=CapStyleType.ROUND),
        Line(LEFT, 2 * DOWN, stroke_width=30, cap_style=CapStyleType.SQUARE),
        Words("{}", "words").set_background_stroke(width=6, color="#ff00ff"),
        VGroup(*(Dot(x * RIGHT) for x in range(3)), DashedLine(LEFT, RIGHT)),
        Arrow(ORIGIN, RIGHT + UP),
        Rectangle(width=40, height=0.1, fill_opacity=1).rotate(PI / 5),
        Square(fill_opacity=0, stroke_width=0),
        Dot(100 * UP),
        VMobject(),
        broken,
        unfinished,
        ValueTracker(1),
    ]


CHANGES: dict[str, Callable[[list[Mobject]], object]] = {
    "nothing": len,
    "a move": lambda stage: stage[0].shift(0.3 * RIGHT),
    "a move in place": lambda stage: np.add(stage[0].points, 0.1, out=stage[0].points),
    "a fade in place": lambda stage: np.multiply(stage[1].fill_rgbas, 0.5, out=stage[1].fill_rgbas),
    "a stroke": lambda stage: stage[1].set_stroke(width=3),
    "a corner": lambda stage: setattr(stage[5], "joint_type", LineJointType.MITER),
    "an end": lambda stage: setattr(stage[6], "cap_style", CapStyleType.BUTT),
    "a gradient's direction": lambda stage: stage[3].rotate_sheen_direction(PI / 2),
    "a background stroke": lambda stage: stage[8].set_background_stroke(width=1),
    "one goes": lambda stage: stage.pop(4),
    "one comes": lambda stage: stage.insert(3, Circle(fill_opacity=0.5)),
    "a part comes": lambda stage: stage[9].add(Square()),
    "a part goes": lambda stage: stage[9].remove(stage[9][0]),
    "another order": lambda stage: stage.reverse(),
    "another height": lambda stage: stage[0].set_z_index(3),
    "one twice": lambda stage: stage.append(stage[0]),
    "other points": lambda stage: stage[0].become(Star(fill_opacity=0.4)),
    "points go": lambda stage: stage[0].clear_points(),
    "points come": lambda stage: stage[14].become(Square()),
    "points mend": lambda stage: stage[15].become(Square()),
    "out of the frame": lambda stage: stage[0].shift(50 * LEFT),
}
REORDERED = ("another order", "another height", "one twice")


@pytest.mark.parametrize("transparent", [False, True], ids=["opaque", "transparent"])
@pytest.mark.parametrize("change", CHANGES)
def test_after_any_change_the_picture_is_the_one_that_manim_draws(
    change: str,
    transparent: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    canvas = Canvas(background_opacity=0.0 if transparent else 1.0)
    stage = every_shape()
    canvas.show(parts(stage))
    assert_same_picture(canvas, stage)
    before = canvas.pixels.copy()
    canvas.take_changes()
    CHANGES[change](stage)
    canvas.show(parts(stage))
    assert_same_picture(canvas, stage)
    told = np.zeros(before.shape[:2], dtype=bool)
    for left, top, right, bottom in canvas.take_changes():
        assert left % 2 == top % 2 == 0
        told[top:bottom, left:right] = True
    assert not (before != canvas.pixels).any(axis=2)[~told].any()
    assert told.any() == (change != "nothing")
    assert change in REORDERED or told.mean() < 1


def test_only_what_may_change_is_looked_at_again() -> None:
    canvas, stage = Canvas(), every_shape()
    canvas.show(parts(stage))
    stage[0].shift(RIGHT)
    stage[1].set_fill(opacity=0.9)
    canvas.show(parts(stage), changing={id(stage[1])})
    as_told = canvas.pixels.copy()
    canvas.show(parts(stage))
    assert_same_picture(canvas, stage)
    assert (as_told != canvas.pixels).any()
    stage[0].shift(LEFT)
    assert np.abs(by_manim(stage, canvas).astype(int) - as_told).max() <= ROUNDING


def test_where_cairo_is_hidden_manim_draws_every_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rendering.figures.can_be_added", lambda: False)
    canvas, stage = Canvas(), every_shape()
    canvas.show(parts(stage))
    np.testing.assert_array_equal(canvas.pixels, by_manim(stage, canvas))
    stage[0].shift(RIGHT)
    canvas.show(parts(stage))
    assert_same_picture(canvas, stage)


def test_another_background_is_seen_everywhere() -> None:
    canvas, stage = Canvas(), [Square(fill_opacity=0.5)]
    canvas.show(parts(stage))
    canvas.take_changes()
    canvas.background_color = "#FFFFFF"
    canvas.show(parts(stage))
    assert_same_picture(canvas, stage)
    assert canvas.take_changes() == [(0, 0, 426, 240)]


def test_what_is_drawn_again_from_nothing_has_no_past() -> None:
    stage = every_shape()
    fresh, used = Canvas(), Canvas()
    for step in (LEFT, UP, RIGHT):
        used.show(parts(stage))
        stage[0].shift(0.37 * step)
    for canvas in (fresh, used):
        canvas.forget()
        canvas.show(parts(stage))
    np.testing.assert_array_equal(fresh.pixels, used.pixels)


def test_a_path_is_the_one_that_manim_gives_to_cairo() -> None:
    import cairo  # noqa: PLC0415 - only here

    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, 10, 10)
    shapes = [
        each
        for each in parts([*every_shape(), Text("a text of manim's own")])
        if np.isfinite(each.points).all()
    ]
    shapes = [each for each in shapes if len(each.points) and len(each.points) % 4 == 0]
    assert len(shapes) > 20
    sizes = np.array([len(each.points) for each in shapes])
    ours = paths(np.concatenate([each.points for each in shapes]), sizes, 1e-6)
    for shape, path in zip(shapes, ours, strict=True):
        mine, manims = cairo.Context(surface), cairo.Context(surface)
        Pen(mine).add(path)
        Camera().set_cairo_context_path(manims, shape)
        assert list(mine.copy_path()) == list(manims.copy_path())
    assert paths(np.zeros((0, 3)), np.array([], dtype=int), 1e-6) == []


def test_marked_tiles_become_few_rectangles_that_hold_them_all() -> None:
    tiles = Tiles(426, 240)
    assert tiles.take() == []
    tiles.mark((10, 10, 20, 20))
    tiles.mark((300, 200, 1000, 1000))
    tiles.mark((-50, -50, -10, 500))
    tiles.mark((500, 0, 600, 100))
    tiles.mark((5, 5, 5, 5))
    assert tiles.take() == [(0, 0, 32, 32), (288, 192, 426, 240)]
    assert tiles.take() == []
    for place in range(3):
        tiles.mark((70 * place, 70 * place, 70 * place + 20, 70 * place + 20))
    assert tiles.take() == [(0, 0, 32, 32), (64, 64, 96, 96), (128, 128, 160, 160)]
    tiles.mark_all()
    assert tiles.take() == [(0, 0, 426, 240)]
