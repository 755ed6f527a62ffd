"""The options that commands share, and what they refuse before anything slow is imported."""

import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from model.errors import Unusable
from rendering.pictures import ASPECTS, FORMATS, QUALITIES

THEMES = ("dark", "light")  # the names of scenes.theme.THEMES, which is slow to import
CONTROL = {"Cc", "Cs"}  # Unicode's categories of control characters and of half characters
ALLOWED = "\n\t"

Command = TypeVar("Command", bound=Callable[..., Any])


class Prompt(click.ParamType[str]):
    """Text that a model can read and a film can show."""

    name = "text"

    def convert(
        self,
        value: str,
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,  # noqa: ARG002 - click's signature
    ) -> str:
        """Refuse nothing at all, control characters and broken Unicode."""
        if not value.strip():
            raise Unusable("The prompt is empty: give at least one word.")
        for place, character in enumerate(value, 1):
            if unicodedata.category(character) in CONTROL and character not in ALLOWED:
                raise Unusable(
                    f"The prompt has a control character or half a character, "
                    f"U+{ord(character):04X}, at place {place}: take it out."
                )
        return value


SHARED: dict[str, Callable[[Any], Any]] = {
    "films": click.argument("names", metavar="FILM...", nargs=-1, required=True),
    "films or all": click.argument("names", metavar="[FILM]...", nargs=-1),
    "prompt": click.option(
        "--prompt", type=Prompt(), help="Text to show; each film has one of its own."
    ),
    "checkpoint": click.option(
        "--checkpoint",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="A GPT-2 as transformers saves it; ours unless told.",
    ),
    "layer": click.option("--layer", type=int, metavar="N", help="Layer to show, from 0."),
    "head": click.option("--head", type=int, metavar="N", help="Head to show, from 0."),
    "theme": click.option(
        "--theme", type=click.Choice(THEMES), default=THEMES[0], show_default=True
    ),
    "aspect": click.option(
        "--aspect", type=click.Choice(ASPECTS), default=ASPECTS[0], show_default=True
    ),
    "media": click.option(
        "--media_dir",
        "--media-dir",
        "media",
        type=click.Path(path_type=Path),
        metavar="DIR",
        default=Path("media"),
        show_default=True,
        help="Folder of all films' files.",
    ),
    "json": click.option("--json", "as_json", is_flag=True, help="Print one JSON document."),
    "quality": click.option(
        "-q",
        "--quality",
        type=click.Choice(list(QUALITIES)),
        default="m",
        show_default=True,
        help="480p15, 720p30, 1080p60, 1440p60 or 2160p60.",
    ),
    "fps": click.option("--fps", type=click.FloatRange(1, 240), help="Frames a second."),
    "format": click.option(
        "--format", "file_format", type=click.Choice(FORMATS), help="mp4 unless told."
    ),
    "last frame": click.option("-s", "last_frame", is_flag=True, help="The last frame, as png."),
    "transparent": click.option(
        "-t", "--transparent", is_flag=True, help="Without background, as mov, webm or png."
    ),
    "constant": click.option(
        "--constant-frame-rate",
        "constant",
        is_flag=True,
        help="Store what stands still again and again, for editors that need it.",
    ),
    "preview": click.option("-p", "--preview", is_flag=True, help="Open what was made."),
    "beat": click.option(
        "--beat", "beats", metavar="NAME", multiple=True, help="Only this beat; repeatable."
    ),
    "jobs": click.option(
        "-j", "jobs", type=click.IntRange(1), metavar="N", help="Processes; all cores unless told."
    ),
    "scheduler": click.option(
        "--scheduler", metavar="ADDRESS", help="Draw on a Dask cluster, such as tcp://host:8786."
    ),
    "again": click.option("-f", "again", is_flag=True, help="Make again even what is fresh."),
}
PICTURE = ("quality", "fps", "format", "last frame", "transparent", "constant")
REQUEST = ("prompt", "checkpoint", "layer", "head", "theme")


def options(*names: str) -> Callable[[Command], Command]:
    """Give a command some of the shared options, in this order in its help."""

    def give(command: Command) -> Command:
        for name in reversed(names):
            command = SHARED[name](command)
        return command

    return give
