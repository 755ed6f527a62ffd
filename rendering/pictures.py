"""The picture that is asked for: its size, rate and file format. Knows no film and no manim."""

import math
from base64 import b64encode
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.errors import Unusable

QUALITIES = {  # the width and height of 16:9 in pixels, and the frames a second, as manim has them
    "l": (854, 480, 15),
    "m": (1280, 720, 30),
    "h": (1920, 1080, 60),
    "p": (2560, 1440, 60),
    "k": (3840, 2160, 60),
}
ASPECTS = ("16:9", "9:16", "1:1", "4:3")
FORMATS = ("mp4", "webm", "mov", "gif", "webp", "png")
ANIMATED = ("gif", "webp")  # images, which are made of all their frames at once
DECKS = {  # kinds of decks, and the formats of clips that their slides can play
    "html": ("mp4", "webm"),
    "pptx": ("mp4",),
    "manim-slides": ("mp4",),
}
WITH_ALPHA = ("webm", "mov", "webp", "png")
WITH_SOUND = ("mp4", "webm", "mov")
SOUND_RATE = 48_000  # samples a second of what is heard with it
SHORT_SIDE = 8.0  # of the frame, in scene units

H264 = {  # measured: about as good as manim's choice, in a quarter of the time or less
    "preset": "superfast",
    "qp": "26",  # of every frame, so that none is looked at twice
    "crf": "-1",  # not the one of manim, which x264 prefers to a quantiser
    "x264-params": "aq-mode=0:psy=0:subme=0:weightp=0:scenecut=0",  # nothing fades, nothing is cut
    "bf": "0",  # frames in their own order, so that clips of uneven frames can be joined
    "threads": "1",  # the same bytes on every machine; beats are drawn side by side
}
FASTSTART = {"movflags": "+faststart"}  # a browser can play it before it has all of it
NO_RANDOM_IDS = 0x400  # AVFMT_FLAG_BITEXACT of a container: the same file every time
DRAWN_AS: dict[str, tuple[str, dict[str, str]]] = {  # container and encoder options of a clip
    "mp4": ("mp4", H264),
    "mov": ("mov", H264),
    "webm": ("webm", {"cpu-used": "4", "threads": "1"}),
    "gif": ("mov", {}),  # without loss, for its colours are chosen from these frames
    "webp": ("mov", {}),
    "png": ("none", {}),
}

TYPES = {  # of the files that pages show, by their endings
    ".mp4": "video/mp4",
    ".webm": "video/webm",
    ".mov": "video/quicktime",
    ".gif": "image/gif",
    ".webp": "image/webp",
    ".png": "image/png",
    ".vtt": "text/vtt",
}


def address_inside(file: Path) -> str:
    """Return an address that holds a file, for a page that must not need another one."""
    return f"data:{TYPES[file.suffix]};base64,{b64encode(file.read_bytes()).decode()}"


@dataclass(frozen=True)
class Picture:
    """Width and height in pixels, frames a second, and how they are stored."""

    width: int = 1280
    height: int = 720
    fps: float = 30
    aspect: str = "16:9"
    format: str = "mp4"
    transparent: bool = False
    constant: bool = False  # whether every frame lasts equally long, stills too
    loop: int = 0  # times that an animated image is played; 0 for ever
    quality: str = field(default="m", compare=False)  # the letter that it was asked for by

    @property
    def rate(self) -> str:
        """Lines and frames a second, such as `1080p60`."""
        return f"{min(self.width, self.height)}p{self.fps:g}"

    @property
    def clip_suffix(self) -> str:
        """The ending of a clip as it is drawn, before an animated image is made of it."""
        return ".png" if self.format == "png" else f".{DRAWN_AS[self.format][0]}"

    def settings(self, media_dir: str) -> dict[str, Any]:
        """Return manim's settings for drawing this picture; files of its own go to `media_dir`.

        What a manim.cfg of the user could change in our films is set back.
        """
        unit = SHORT_SIDE / min(self.width, self.height)
        container, options = DRAWN_AS[self.format]
        lossless = self.format in ANIMATED
        if self.transparent and container == "mov":
            options = {}  # of another encoder
        return {
            "verbosity": "ERROR",  # first, for manim remarks upon some of the others
            "media_dir": media_dir,
            "pixel_width": self.width,
            "pixel_height": self.height,
            "frame_width": self.width * unit,
            "frame_height": self.height * unit,
            "frame_rate": self.fps,
            "dry_run": self.format == "png",
            "format": container,
            "transparent": self.transparent,
            "background_opacity": 0.0 if self.transparent else 1.0,
            "video_codec": "qtrle" if lossless else "auto",
            "pixel_format": "rgb24" if lossless and not self.transparent else "auto",
            "video_encoder_options": options,
            "encoder_queue_size": 4,  # frames; few, so that Ctrl-C need not wait for them
            "save_sections": False,
            "disable_caching": True,
            "renderer": "cairo",
            "progress_bar": "none",
            "preview": False,
            "output_file": "",
            "log_to_file": False,
            "from_animation_number": 0,
            "upto_animation_number": -1,
        }


def picture(
    quality: str = "m",
    fps: float | None = None,
    aspect: str = "16:9",
    file_format: str | None = None,
    *,
    last_frame: bool = False,
    transparent: bool = False,
    constant: bool = False,
    loop: int | None = None,
) -> Picture:
    """Return the picture that options ask for; `Unusable` if they do not go together."""
    if fps is not None and not math.isfinite(fps):
        raise Unusable(f"--fps {fps} is no number of frames: use one like 30.")
    if last_frame and file_format not in {None, "png"}:
        raise Unusable(
            f"-s draws the last frame alone, as png: leave out either -s or --format {file_format}."
        )
    chosen = "png" if last_frame else file_format or ("webm" if transparent else "mp4")
    if transparent and chosen not in WITH_ALPHA:
        raise Unusable(f"{chosen} cannot be transparent: use --format webm or mov with -t.")
    if loop is not None and chosen not in ANIMATED:
        raise Unusable(f"--loop is for gif and webp, not {chosen}: leave it out.")
    width, height, usual_fps = QUALITIES[quality]
    sizes = {
        "16:9": (width, height),
        "9:16": (height, width),
        "1:1": (height, height),
        "4:3": (height * 4 // 3, height),
    }
    rate = fps or usual_fps
    rate = int(rate) if rate == int(rate) else rate
    return Picture(*sizes[aspect], rate, aspect, chosen, transparent, constant, loop or 0, quality)
