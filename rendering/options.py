"""The options that commands share, and what they refuse before anything slow is imported."""

import errno
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, TypeVar

import click

from model.collection.shelf import SMOLLM2, folder_of
from model.errors import Unusable
from rendering import job
from rendering.pictures import ASPECTS, FORMATS, QUALITIES
from rendering.voice.voices import DEFAULT, NAMES

THEMES = ("dark", "light")  # the names of scenes.theme.THEMES, which is slow to import
CONTROL = {"Cc", "Cs"}  # Unicode's categories of control characters and of half characters
ALLOWED = "\n\t"
STANDARD_INPUT = "-"  # in place of a prompt
LONGEST = 1_000_000  # bytes of a prompt; no film shows as much, and standard input may be endless

Command = TypeVar("Command", bound=Callable[..., Any])


def prompt(given: str) -> str:
    """Return a text that a model can read and a film can show, perhaps from standard input.

    Nothing at all, control characters and broken Unicode are refused.
    """
    if given == STANDARD_INPUT:
        if sys.stdin is None:
            raise Unusable("Standard input is closed: give the prompt itself.")
        given = _decoded(sys.stdin.buffer, "what came on standard input")
    return _shown(given)


def place(given: str | Path) -> Path:
    """Return the path of a file or folder; `~` is the user's own, also where no shell says so."""
    if given == "" or "\0" in str(given):
        raise Unusable("A path is empty: give the name of a file or folder.")
    try:
        path = Path(given).expanduser()
        path.is_file()
    except RuntimeError as error:
        raise Unusable(f"{given} names no folder of a user here: give a path.") from error
    except OSError as error:
        if error.errno == errno.ENAMETOOLONG:
            raise Unusable(f"{given:.40}... is too long for a path.") from error
    return path


def _checkpoint(given: str) -> Path:
    """Return a checkpoint's folder; one that was fetched has a name."""
    found = folder_of(place(given))
    if given == job.SHIPPED.name and not found.exists():
        return job.SHIPPED
    if given == SMOLLM2 and not found.exists():
        raise Unusable(f"The model {SMOLLM2} is not here yet: fetch it with `films get {SMOLLM2}`.")
    return found


def checked(check: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback of click's that passes what is given through a function."""
    return lambda _context, _option, given: None if given is None else check(given)


def _shown(text: str) -> str:
    if not text.strip():
        raise Unusable("The prompt is empty: give at least one word.")
    for number, character in enumerate(text, 1):
        if unicodedata.category(character) in CONTROL and character not in ALLOWED:
            raise Unusable(
                f"The prompt has a control character or half a character, "
                f"U+{ord(character):04X}, at place {number}: take it out."
            )
    return text


def _prompt_in_file(name: str) -> str:
    try:
        with Path(name).open("rb") as file:
            return _shown(_decoded(file, f"the file {name}"))
    except OSError as error:
        raise Unusable(
            f"The prompt's file {name} cannot be read ({error.strerror}): check its name."
        ) from error


def _decoded(file: BinaryIO, what: str) -> str:
    """Return a prompt without the line break at its end."""
    raw = file.read(LONGEST + 1)
    if len(raw) > LONGEST:
        raise Unusable(f"The prompt is too long: {what} has more than {LONGEST:,} bytes.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(
            f"The prompt is no UTF-8: {what} has a bad byte at place {error.start + 1}; save it as "
            "UTF-8."
        ) from error
    return text.replace("\r\n", "\n").removesuffix("\n")


def _take_prompt(context: click.Context, option: click.Parameter, given: str | None) -> None:
    """Read the one prompt that is given, as a text or in a file: `prompt`."""
    found = context.params.setdefault("prompt", None)
    if None not in (given, found):
        raise Unusable("There are two prompts: give --prompt or --prompt-file, not both.")
    if given is not None:
        read = prompt if option.name == "prompt" else _prompt_in_file
        context.params["prompt"] = read(given)


def _either_prompt(command: Command) -> Command:
    """Give a command a prompt from the command line, standard input or a file: `prompt`."""
    told = "Text to show, - for standard input; each film has one of its own."
    text = click.option("--prompt", callback=_take_prompt, expose_value=False, help=told)
    told = "A file with such a text, UTF-8."
    file = click.option("--prompt-file", callback=_take_prompt, expose_value=False, help=told)
    return text(file(command))


SHARED: dict[str, Callable[[Any], Any]] = {
    "films": click.argument("names", metavar="FILM...", nargs=-1, required=True),
    "film": click.argument("name", metavar="FILM"),
    "films or all": click.argument("names", metavar="[FILM]...", nargs=-1),
    "prompt": _either_prompt,
    "checkpoint": click.option(
        "--checkpoint",
        callback=checked(_checkpoint),
        metavar="DIR",
        help="A model as transformers saves it, or a name of `list-models`; ours unless told.",
    ),
    "two checkpoints": click.option(
        "--checkpoint",
        "checkpoints",
        callback=lambda _context, _option, given: [*map(_checkpoint, given)],
        metavar="DIR",
        multiple=True,
        required=True,
        help="The two to compare, in the same way each; gpt is ours.",
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
        callback=checked(place),
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
        "-t",
        "--transparent",
        is_flag=True,
        help="Without background: as webm, which slides can play, unless --format says otherwise.",
    ),
    "loop": click.option(
        "--loop",
        type=click.IntRange(0, 1),
        help="How often a gif or webp plays: 1, once; 0, for ever, unless told.",
    ),
    "constant": click.option(
        "--constant-frame-rate",
        "constant",
        is_flag=True,
        help="Store what stands still again and again, for editors that need it.",
    ),
    "voice": click.option(
        "--voice",
        envvar="FILMS_VOICE",
        metavar="NAME",
        default=DEFAULT,
        show_default=True,
        help=f"Who speaks: {', '.join(NAMES)}, or a folder with a recording a beat.",
    ),
    "music": click.option(
        "--music",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        metavar="FILE",
        help="Music under films and the course, softer where somebody speaks.",
    ),
    "stems": click.option("--stems", is_flag=True, help="Write what is said as sound files, too."),
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
PICTURE = ("quality", "fps", "format", "last frame", "transparent", "loop", "constant")
REQUEST = ("prompt", "checkpoint", "layer", "head", "theme")


def options(*names: str) -> Callable[[Command], Command]:
    """Give a command some of the shared options, in this order in its help."""

    def give(command: Command) -> Command:
        for name in reversed(names):
            command = SHARED[name](command)
        return command

    return give
