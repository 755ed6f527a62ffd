"""The moving picture in the README: some beats of a film as one animated WebP.

`make picture` renders it anew.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import av
from PIL import Image

from rendering.pictures import picture
from rendering.playing import draw
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.film import Film, Request

WHERE = Path(__file__).parents[1] / "assets/stills/dot-product-grid.webp"
FILM: type[Film] = DotProductGrid
BEATS = ("look-into-one-cell", "dots-fill-the-grid", "read-one-row")
SIZE = 800, 450
FPS = 12
MOST_BYTES = 3_000_000  # of the picture in a README
QUALITIES = (80, 70, 60, 50, 40)


def frames(film: type[Film] = FILM, beats: tuple[str, ...] = BEATS) -> Iterator[Image.Image]:
    """Yield the frames of some beats, at an even pace."""
    small = replace(picture("m"), width=SIZE[0], height=SIZE[1], fps=FPS, constant=True)
    with TemporaryDirectory() as folder:
        clips = {beat: Path(folder) / f"{beat}.mp4" for beat in beats}
        draw(film, Request(), small, clips)
        for clip in clips.values():
            with av.open(str(clip)) as video:
                yield from (
                    Image.fromarray(frame.to_ndarray(format="rgb24"))
                    for frame in video.decode(video=0)
                )


def write(where: Path = WHERE) -> None:
    """Write the picture in the best quality that keeps it small enough."""
    first, *rest = frames()
    for quality in QUALITIES:
        first.save(
            where,
            save_all=True,
            append_images=rest,
            duration=round(1000 / FPS),
            loop=0,
            quality=quality,
            method=4,
        )
        if where.stat().st_size < MOST_BYTES:
            return
    raise SystemExit(f"The picture has {where.stat().st_size:,} bytes: show fewer beats.")


if __name__ == "__main__":
    write()
    sys.stdout.write(f"{WHERE}\n")
