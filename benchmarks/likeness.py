"""How alike two clips look: their frames at a constant rate, and the structural similarity."""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import TypeAlias

import av
import numpy as np
import numpy.typing as npt

from rendering import clips

Luma: TypeAlias = npt.NDArray[np.float32]  # (height, width), 0 to 255

BT709 = np.array([0.2126, 0.7152, 0.0722], dtype=np.float32)
WINDOW = 8  # pixels
C1, C2 = (0.01 * 255) ** 2, (0.03 * 255) ** 2  # Wang et al. 2004


def worst_ssim(one: Path, other: Path, rate: float, every: int = 1) -> float:
    """Return the lowest SSIM of frames shown at the same time, of which every n-th is compared.

    Raises ValueError if one clip lasts longer than the other.
    """
    found = []
    pairs = zip_longest(frames(one, rate), frames(other, rate))
    for number, (here, there) in enumerate(pairs):
        if here is None or there is None:
            raise ValueError(f"{one.name} and {other.name} differ in length at frame {number}")
        if number % every == 0:
            found.append(ssim(luma(here), luma(there)))
    return min(found)


def frames(clip: Path, rate: float) -> Iterator[npt.NDArray[np.uint8]]:
    """Yield what a viewer sees at each frame's time, RGB of shape (height, width, 3)."""
    count, shown = 0, None
    with av.open(clip) as container:
        for frame in container.decode(video=0):
            due = round((frame.time or 0) * rate)
            while shown is not None and count < due:
                yield shown
                count += 1
            shown = np.asarray(frame.to_ndarray(format="rgb24"), dtype=np.uint8)
    assert shown is not None
    for _ in range(count, round(clips.duration(clip) * round(rate))):
        yield shown


def luma(frame: npt.NDArray[np.uint8]) -> Luma:
    """Return the brightness of RGB pixels."""
    return frame.astype(np.float32) @ BT709


def ssim(one: Luma, other: Luma) -> float:
    """Return the mean structural similarity over windows of 8 by 8 pixels, half overlapping."""
    found = [_windows(one, other, start) for start in (0, WINDOW // 2)]
    return float(np.concatenate(found).mean())


def _windows(one: Luma, other: Luma, start: int) -> npt.NDArray[np.float32]:
    """Return the similarity of each window of a tiling that begins at `start`."""
    here, there = (_tiled(image[start:, start:]) for image in (one, other))
    mean_here, mean_there = here.mean(axis=1), there.mean(axis=1)
    product = (here * there).mean(axis=1) - mean_here * mean_there
    spread = here.var(axis=1) + there.var(axis=1)
    alike = (2 * mean_here * mean_there + C1) / (mean_here**2 + mean_there**2 + C1)
    return np.asarray(alike * (2 * product + C2) / (spread + C2), dtype=np.float32)


def _tiled(image: Luma) -> npt.NDArray[np.float32]:
    """Return an image's windows, shape (windows, pixels)."""
    rows, columns = (size // WINDOW for size in image.shape)
    whole = image[: rows * WINDOW, : columns * WINDOW]
    tiles = whole.reshape(rows, WINDOW, columns, WINDOW).transpose(0, 2, 1, 3)
    return tiles.reshape(rows * columns, WINDOW**2)
