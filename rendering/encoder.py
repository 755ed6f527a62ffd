"""Frames become a clip: converted where they have changed, encoded once for as long as they last.

It knows no film and no mobject.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from av.codec.context import Flags
from av.video.frame import PictureType, VideoFrame
from av.video.plane import VideoPlane
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
from rendering.pictures import FASTSTART, NO_RANDOM_IDS

Pixels: TypeAlias = npt.NDArray[np.uint8]  # (height, width, 4), RGBA
Plane: TypeAlias = npt.NDArray[np.uint8]  # (rows, columns)
Part: TypeAlias = tuple[Rectangle, VideoFrame]  # its place in a frame, and what is there

PLANES = "yuv420p"  # Y, and U and V of half its rows and columns
# Parts come out as in the whole; measured: in half the time of ACCURATE_RND.
BY_PAIRS = Interpolation.AREA | Interpolation.FULL_CHR_H_INP | Interpolation.BITEXACT
STILL = 0.25  # seconds: what lasts as long is encoded anew, and nothing is left of what has gone
TILE = 16  # pixels, a side of what is looked at together
FLAT = 2  # levels, between the pixels of a tile where nothing is drawn
EMPTIED = 0.01  # of all tiles: once so many are, all is encoded anew, though others still change
NOTHING: Sequence[Part] = ()  # in place of a frame that is like the one before


class Frames:
    """Turns pixels into the frames of a clip, as its encoder takes them.

    Of `PLANES` only what has changed is converted, into a frame that stays where it is.
    """

    def __init__(self, width: int, height: int, pixel_format: str) -> None:
        self._format = pixel_format
        self._whole = 0, 0, width, height
        self._frame = VideoFrame(width, height, PLANES)
        self._planes = _planes(self._frame)
        self.luma = self._planes[0]  # of the frame that stands; blank in another format

    def converted(self, pixels: Pixels, changes: Sequence[Rectangle]) -> list[Part]:
        """Convert pixels of which only the rectangles, whose corners are even, may be new."""
        parts = changes if self._format == PLANES else [self._whole]
        return [(each, _converted(_cut(pixels, each), self._format)) for each in parts]

    def frame(self, parts: Sequence[Part]) -> VideoFrame:
        """Put the parts in their places, in a frame that stands until the next one is asked for.

        Encoders of these planes copy a frame that they keep.
        """
        if self._format != PLANES:
            return parts[0][1]
        for (left, top, _, _), part in parts:
            for plane, new, scale in zip(self._planes, _planes(part), (1, 2, 2), strict=True):
                x, y = left // scale, top // scale
                plane[y : y + new.shape[0], x : x + new.shape[1]] = new
        return self._frame


class Traces:
    """Finds out that something has gone from a frame whose other parts go on changing.

    Of that the encoder may leave a trace. Every so many frames, `often`, it looks at their luma:
    a tile that has changed since all was `cleaned`, and that is now flat and rests, has emptied.
    """

    def __init__(self, luma: Plane, often: float) -> None:
        rows, columns = (side - side % TILE for side in luma.shape)
        self._luma, self._often = luma[:rows, :columns], often
        self._seen, self._at = self._luma.copy(), 0
        self._has_changed = np.zeros((rows // TILE, columns // TILE), np.bool_)

    def cleaned(self, at: int) -> None:
        """Note that the frame `at` this number is encoded by itself."""
        self._has_changed[:] = False
        self._look(at)

    def are_left(self, at: int) -> bool:
        """Whether enough has emptied at the frame of this number, if it is time to look again."""
        if at - self._at < self._often:
            return False
        # One axis after the other takes a tenth of the time of both at once.
        changes = np.any(_tiles(self._luma != self._seen).any(axis=1), axis=-1)
        resting, enough = self._has_changed & ~changes, EMPTIED * changes.size
        self._has_changed |= changes
        self._look(at)
        if resting.sum() < enough:
            return False
        tiles = _tiles(self._luma)
        is_flat = tiles.max(1).max(2) - tiles.min(1).min(2) <= FLAT
        return bool((resting & is_flat).sum() >= enough)

    def _look(self, at: int) -> None:
        self._seen[:], self._at = self._luma, at


class ClipEncoder(VideoSegmentEncoder):
    """Writes frames to a clip: each once, or, if `is_constant`, once for every frame's time."""

    def __init__(self, *, target: Path, spec: VideoEncoderSpec, is_constant: bool) -> None:
        super().__init__(target=target, spec=spec)
        self.frames = Frames(spec.width, spec.height, spec.pixel_format)
        self._is_constant = is_constant
        self._held = VideoFrame()  # the last one, while it is unknown how long it lasts
        self._frames = 0  # of its time so far
        self._still = STILL * float(spec.frame_rate)
        self._traces = Traces(self.frames.luma, self._still)
        self._container.flags |= NO_RANDOM_IDS
        if spec.container_format in {"mp4", "mov"}:
            self._container.options.update(FASTSTART)
        assert isinstance(self._stream, VideoStream)
        codec = self._stream.codec_context
        codec.flags |= Flags.frame_duration
        if spec.pixel_format.startswith("yuv"):
            codec.color_primaries, codec.color_trc = ColorPrimaries.BT709, ColorTrc.BT709
            codec.colorspace, codec.color_range = Colorspace.ITU709, ColorRange.MPEG

    def write_frame(self, pixels: Any, *, repeat: int = 1) -> None:  # noqa: ANN401 - converted
        """Take in what lasts for `repeat` frames' time; with `NOTHING` the last one goes on."""
        if pixels is not NOTHING:
            self._encode_held()
            self._held = self.frames.frame(pixels)
        self._frames += repeat

    def finish(self) -> None:
        """Encode the last frame, and close the clip.

        Its last sample is as short as can be: webm does not say how long it lasts, and a browser
        takes a seek into it for the end.
        """
        if self._frames > 1:
            self._frames -= 1
            self._encode_held()
            self._frames = 1
        self._encode_held()
        super().finish()

    def _encode_held(self) -> None:
        """Encode the frame that is held, now that it is known how long it lasts."""
        samples = [1] * self._frames if self._is_constant else [self._frames] * bool(self._frames)
        begins, is_still, self._frames = self._next_pts, self._frames >= self._still, 0
        by_itself = not begins or is_still or self._traces.are_left(begins)
        if by_itself:
            self._traces.cleaned(begins)
        try:
            for place, frames in enumerate(samples):
                self._encode(frames, PictureType.I if by_itself and not place else PictureType.NONE)
        except BaseException as error:
            raise self._operation_error("encode", error) from error

    def _encode(self, frames: int, kind: PictureType) -> None:
        """Encode the frame that is held, to last for so many frames' time."""
        frame, rate = self._held, self.spec.frame_rate
        assert isinstance(self._stream, VideoStream)
        frame.pts, frame.time_base, frame.duration = self._next_pts, 1 / rate, frames
        frame.pict_type, self._next_pts = kind, self._next_pts + frames
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


def _cut(pixels: Pixels, rectangle: Rectangle) -> Pixels:
    left, top, right, bottom = rectangle
    return pixels[top:bottom, left:right]


def _planes(frame: VideoFrame) -> list[Plane]:
    """Return views of a frame's planes, without the bytes that fill up their rows."""
    return [_rows(plane)[:, : plane.width] for plane in frame.planes]


def _rows(plane: VideoPlane) -> Plane:
    whole = np.frombuffer(plane, np.uint8)  # type: ignore[call-overload] # types of 3.11 lack buffers
    return np.asarray(whole.reshape(plane.height, plane.line_size))


def _tiles(plane: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return a view of a plane by tiles, (rows of tiles, rows, columns of tiles, columns)."""
    rows, columns = plane.shape
    return plane.reshape(rows // TILE, TILE, columns // TILE, TILE)
