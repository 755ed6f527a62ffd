"""A film on one sheet: each beat's last frame, and under it what is said."""

import io
import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from manim import Camera, VGroup
from manim.constants import DOWN, LEFT, ORIGIN, UP
from PIL import Image, ImageDraw

from model.files import write_whole
from rendering import playing
from rendering.job import Job
from rendering.pictures import picture
from scenes import theme
from scenes.mobjects.text import Words, em_of
from scenes.theme import INK, NAMED_SIZE, PLAIN_SIZE, QUIET, TITLE_SIZE

NAME = "storyboard.png"
STILL_WIDTH = 960  # pixels
GUTTER = 48  # pixels, between stills and around the sheet
SHEET_SHAPE = 16 / 9  # about, width to height
PIXELS_A_UNIT = 90  # of the text; one of the body size has an em of 28 pixels
COLUMNS = 72  # characters in a line of narration
NAME_IN_STRIP, NAME_IN_COLUMN = 0.5, 0.9  # an em of its height; of a column's width at most
BASELINE_IN_STRIP = 0.15  # of its height, below the middle
LEADING = 1.5  # from line to line, in ems


@dataclass(frozen=True)
class Panel:
    """One beat on the sheet."""

    number: int
    name: str
    narration: str
    still: Image.Image


def write_storyboard(job: Job) -> Path:
    """Draw a film's storyboard into its folder and return its path."""
    size = STILL_WIDTH, round(STILL_WIDTH * job.picture.height / job.picture.width)
    still = picture("h", aspect=job.picture.aspect, file_format="png")
    with TemporaryDirectory() as folder:
        paths = {beat: Path(folder, f"{beat}.png") for beat in job.names}
        said = playing.draw(job.film, job.request, still, paths)
        panels = [
            Panel(number, name, said[name].narration, _resized(path, size))
            for number, (name, path) in enumerate(paths.items(), 1)
        ]
    with theme.using(job.request.theme):
        image = sheet(job.entry.title, f"{job.entry.goal} Prompt: {job.prompt}", panels)
    content = io.BytesIO()
    image.save(content, "PNG", optimize=True)
    path = job.place / NAME
    write_whole({path: content.getvalue()})
    return path


def sheet(title: str, about: str, panels: Sequence[Panel]) -> Image.Image:
    """Set panels in a grid on the theme's background, under the film's title."""
    width, height = panels[0].still.size
    columns = max(1, round(math.sqrt(len(panels) * height / width * SHEET_SHAPE)))
    texts = [_text(width, _lines(panel)) for panel in panels]
    step = width + GUTTER, height + max(text.height for text in texts) + GUTTER
    whole = columns * step[0] + GUTTER
    heading = _text(whole - 2 * GUTTER, [(title, TITLE_SIZE, INK), (about, PLAIN_SIZE, QUIET)])
    top = heading.height + 2 * GUTTER
    rows = math.ceil(len(panels) / columns)
    image = Image.new("RGB", (whole, top + rows * step[1]), theme.color(theme.BACKGROUND))
    image.paste(heading, (GUTTER, GUTTER))
    edge = ImageDraw.Draw(image)
    for place, (panel, text) in enumerate(zip(panels, texts, strict=True)):
        x, y = GUTTER + place % columns * step[0], top + place // columns * step[1]
        image.paste(panel.still, (x, y))
        corners = (x, y, x + width - 1, y + height - 1)
        edge.rectangle(corners, outline=theme.color(theme.QUIET))  # from a sheet of its own colour
        image.paste(text, (x, y + height))
    return image


def names_over_columns(
    names: Sequence[str], size: tuple[int, int], colors: theme.Theme
) -> Image.Image:
    """Set names in a strip of so many pixels, each in the middle of its column."""
    width, height = size
    with theme.using(colors):
        column = width / height / len(names)  # the strip is one unit high
        texts = VGroup(*(Words("{}", name, size=TITLE_SIZE, role=INK) for name in names))
        for place, text in enumerate(texts):
            fit = min(NAME_IN_STRIP / em_of(TITLE_SIZE), NAME_IN_COLUMN * column / text.width)
            text.scale(fit, about_point=ORIGIN).set_x((place - (len(names) - 1) / 2) * column)
            text.shift(BASELINE_IN_STRIP * DOWN)
        return _drawn(texts, width, height, height)


def _resized(still: Path, size: tuple[int, int]) -> Image.Image:
    with Image.open(still) as image:
        return image.resize(size, Image.Resampling.LANCZOS)


def _lines(panel: Panel) -> list[tuple[str, float, theme.Role]]:
    """Return the beat's number and name, and what is said."""
    said = [(line, NAMED_SIZE, INK) for line in textwrap.wrap(panel.narration, COLUMNS)]
    return [(f"{panel.number}  {panel.name}", PLAIN_SIZE, QUIET), *said]


def _text(width: int, lines: Sequence[tuple[str, float, theme.Role]]) -> Image.Image:
    """Set lines one under the other, flush left, in an image of this width in pixels."""
    block, depth = VGroup(), 0.0
    for text, size, role in lines:
        line = Words("{}", text, size=size, role=role)
        if line.width > width / PIXELS_A_UNIT:
            line.scale(width / PIXELS_A_UNIT / line.width, about_point=ORIGIN)
        depth += LEADING * em_of(size)
        block.add(line.align_to(ORIGIN, LEFT).shift(depth * DOWN))
    height = round((depth + em_of(NAMED_SIZE) / 2) * PIXELS_A_UNIT)
    block.shift((width * LEFT + height * UP) / 2 / PIXELS_A_UNIT)
    return _drawn(block, width, height, PIXELS_A_UNIT)


def _drawn(texts: VGroup, width: int, height: int, pixels_a_unit: float) -> Image.Image:
    """Draw texts on the theme's background, an image of so many pixels around the origin."""
    camera = Camera(
        pixel_width=width,
        pixel_height=height,
        frame_width=width / pixels_a_unit,
        frame_height=height / pixels_a_unit,
        background_color=theme.color(theme.BACKGROUND),
    )
    camera.capture_mobjects([texts])
    return camera.get_image().convert("RGB")
