"""Frames become a clip: converted where they have changed, encoded once for as long as they last.

It knows no film and no mobject.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from av.codec.context import Flags
from av.video.frame import VideoFrame
from av.video.reformatter import (
    ColorPrimaries,
    ColorRange,
    Colorspace,
    ColorTrc,
    Interpolation,
    VideoReformatter,
)
from av.video.stream import VideoStream
from manim._config.video_encoder import VideoEncoderSpec
from manim.scene.video_segment_encoder import VideoSegmentEncoder

from rendering.figures import Rectangle

Pixels: TypeAlias = npt.NDArray[np.uint8]  # (height, width, 4), RGBA
Plane: TypeAlias = npt.NDArray[np.uint8]  # (rows, columns)

PLANES = "yuv420p"  # Y, and U and V of half its rows and columns
BY_PAIRS = Interpolation.AREA | Interpolation.ACCURATE_RND  # parts come out as in the whole
TIMED = ("mp4", "mov")  # containers that say how long the last frame lasts


class Converter(Protocol):
    """Turns pixels into frames as an encoder takes them."""

    def take_in(self, pixels: Pixels, changes: Sequence[Rectangle]) -> None:
        """Take the pixels in; only the rectangles may differ from those before."""

    def frame(self) -> VideoFrame:
        """Return the pixels as a frame that nobody changes any more."""


class Planes:
    """Keeps the planes of Y, U and V, and converts into them what has changed."""

    def __init__(self, width: int, height: int) -> None:
        self._all = np.zeros((height * 3 // 2, width), dtype=np.uint8)
        self._planes = _planes(self._all, width, height)

    def take_in(self, pixels: Pixels, changes: Sequence[Rectangle]) -> None:
        """Convert the rectangles, whose corners are even."""
        for left, top, right, bottom in changes:
            part = np.asarray(
                _converted(pixels[top:bottom, left:right], PLANES).to_ndarray(), dtype=np.uint8
            )
            parts = _planes(part, right - left, bottom - top)
            for plane, new, scale in zip(self._planes, parts, (1, 2, 2), strict=True):
                x, y = left // scale, top // scale
                plane[y : y + new.shape[0], x : x + new.shape[1]] = new

    def frame(self) -> VideoFrame:
        """Return a frame of its own."""
        return VideoFrame.from_numpy_buffer(self._all.copy(), PLANES)


class Whole:
    """Converts every frame as a whole, to any format."""

    def __init__(self, pixel_format: str) -> None:
        self._format = pixel_format

    def take_in(self, pixels: Pixels, changes: Sequence[Rectangle]) -> None:  # noqa: ARG002 - all
        """Convert the pixels."""
        self._frame = _converted(pixels, self._format)

    def frame(self) -> VideoFrame:
        """Return the frame converted last."""
        return self._frame


def converter(spec: VideoEncoderSpec) -> Converter:
    """Return what converts pixels for an encoder."""
    if spec.pixel_format == PLANES:
        return Planes(spec.width, spec.height)
    return Whole(spec.pixel_format)


class ClipEncoder(VideoSegmentEncoder):
    """Writes frames to a clip: each once, or, if `is_constant`, once for every frame's time."""

    def __init__(self, *, target: Path, spec: VideoEncoderSpec, is_constant: bool) -> None:
        super().__init__(target=target, spec=spec)
        self._is_constant = is_constant
        self._held: VideoFrame | None = (
            None  # the last frame, while it is unknown how long it lasts
        )
        self._frames = 0  # of its time so far
        assert isinstance(self._stream, VideoStream)
        codec = self._stream.codec_context
        codec.flags |= Flags.frame_duration
        if spec.pixel_format.startswith("yuv"):
            codec.color_primaries, codec.color_trc = ColorPrimaries.BT709, ColorTrc.BT709
            codec.colorspace, codec.color_range = Colorspace.ITU709, ColorRange.MPEG

    def write_frame(self, pixels: Any, *, repeat: int = 1) -> None:  # noqa: ANN401 - a VideoFrame
        """Take in a frame that lasts for `repeat` frames' time; the same one again lasts longer."""
        if pixels is not self._held:
            self._encode_held()
            self._held = pixels
        self._frames += repeat

    def finish(self) -> None:
        """Encode the last frame, and close the clip."""
        if self.spec.container_format not in TIMED and self._frames > 1:
            self._frames -= 1
            self._encode_held()
            self._frames = 1
        self._encode_held()
        super().finish()

    def _encode_held(self) -> None:
        """Encode the frame that is held, now that it is known how long it lasts."""
        samples = [1] * self._frames if self._is_constant else [self._frames] * bool(self._frames)
        self._frames = 0
        try:
            for frames in samples:
                self._encode(frames)
        except BaseException as error:
            raise self._operation_error("encode", error) from error

    def _encode(self, frames: int) -> None:
        """Encode the frame that is held, to last for so many frames' time."""
        frame, rate = self._held, self.spec.frame_rate
        assert frame is not None
        assert isinstance(self._stream, VideoStream)
        frame.pts, frame.time_base, frame.duration = self._next_pts, 1 / rate, frames
        self._next_pts += frames
        for packet in self._stream.encode(frame):
            self._container.mux(packet)


def _converted(pixels: Pixels, pixel_format: str) -> VideoFrame:
    """Convert pixels, to BT.709 in the limited range where the format has Y, U and V."""
    frame = VideoFrame.from_numpy_buffer(pixels, "rgba")
    return VideoReformatter().reformat(
        frame,
        format=pixel_format,
        dst_colorspace=Colorspace.ITU709,
        dst_color_range=ColorRange.MPEG,
        interpolation=BY_PAIRS,
        threads=1,
    )


def _planes(frame: Plane, width: int, height: int) -> tuple[Plane, Plane, Plane]:
    """Return views of the planes of Y, U and V, which lie one after the other."""
    flat, whole, quarter = frame.reshape(-1), width * height, width * height // 4
    return (
        flat[:whole].reshape(height, width),
        flat[whole : whole + quarter].reshape(height // 2, width // 2),
        flat[whole + quarter :].reshape(height // 2, width // 2),
    )
