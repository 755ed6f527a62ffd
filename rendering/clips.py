"""Clips as files: how long they last, how they join to a film, how a GIF is made of them.

It knows containers and streams, and no film.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import av
from av.container import InputContainer
from av.filter import Graph
from av.filter.context import FilterContext
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from rendering.pictures import NO_RANDOM_IDS

if TYPE_CHECKING:
    from av.container.core import Chapter  # it exists for type checkers alone

GIF_CLOCK = 100  # a GIF counts time in hundredths of a second
MARKS = Fraction(1, 1000)  # seconds, in which the marks of chapters are counted
FASTSTART = {"movflags": "+faststart"}  # a browser can play it before it has all of it


def duration(clip: Path) -> Fraction:
    """Return how long a clip lasts, in seconds: from its first frame's start to its last's end."""
    with av.open(clip) as container:
        return _span(container, container.demux(video=0))


def join(clips: Sequence[Path], film: Path, titles: Sequence[str] = ()) -> None:
    """Join clips of one encoding to a film by stream copy: no frame is encoded again.

    With `titles`, one a clip, a player shows each clip as a chapter of the film.
    """
    options = FASTSTART if film.suffix in {".mp4", ".mov"} else {}
    with av.open(clips[0]) as first, av.open(film, "w", options=options) as output:
        output.flags |= NO_RANDOM_IDS
        stream = output.add_stream_from_template(first.streams.video[0])
        if first.streams.video[0].metadata.get("alpha_mode") == "1":
            stream.pix_fmt = "yuva420p"  # so that the container says so too
        if titles:
            output.set_chapters(_chapters(titles, [duration(clip) for clip in clips]))
        start = Fraction(0)
        for clip in clips:
            with av.open(clip) as container:
                packets = [p for p in container.demux(video=0) if p.pts is not None]
                span = _span(container, packets)
                for packet in packets:
                    _delay(packet, start)
                    packet.stream = stream
                    output.mux(packet)
                start += span


def make_gif(clips: Sequence[Path], gif: Path) -> None:
    """Make one GIF of clips, in 256 colours chosen from all their frames.

    The clips are read twice, so that a long film need not fit into memory.
    """
    palette = _palette(clips)
    with av.open(clips[0]) as first:
        width, height = first.streams.video[0].width, first.streams.video[0].height
    options = {"final_delay": str(round(_last_frame(clips[-1]) * GIF_CLOCK))}
    with av.open(gif, "w", options=options) as output:
        stream = output.add_stream("gif", rate=GIF_CLOCK)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        for frame in _in_palette(clips, palette):
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))


def _chapters(titles: Sequence[str], spans: Sequence[Fraction]) -> list[Chapter]:
    """Return the marks of chapters that last so many seconds, one after the other."""
    ends = [round(end / MARKS) for end in accumulate(spans)]
    return [
        {"id": number, "start": start, "end": end, "time_base": MARKS, "metadata": {"title": title}}
        for number, (title, start, end) in enumerate(zip(titles, [0, *ends], ends, strict=False))
    ]


def _span(container: InputContainer, packets: Iterable[Packet[VideoStream]]) -> Fraction:
    """Return the seconds that the packets of a clip's stream cover."""
    starts, ends = [], []
    for packet in packets:
        if packet.pts is None or packet.time_base is None:
            continue
        starts.append(packet.pts * packet.time_base)
        ends.append(starts[-1] + (packet.duration or 0) * packet.time_base)
    if not starts:
        raise OSError(f"{container.name} holds no frame")
    if ends[-1] == starts[-1]:  # some containers say only how long the whole lasts
        ends.append(Fraction(container.duration or 0, av.time_base))
    return max(ends) - min(starts)


def _last_frame(clip: Path) -> Fraction:
    """Return how long a clip's last frame is shown, in seconds; its container says so."""
    with av.open(clip) as container:
        packets = [each for each in container.demux(video=0) if each.pts is not None]
        return (packets[-1].duration or 0) * Fraction(packets[-1].time_base or 0)


def _delay(packet: Packet[VideoStream], start: Fraction) -> None:
    """Move a packet of a clip to its place in the film, `start` seconds later."""
    delay = round(start / (packet.time_base or 1))
    packet.pts = (packet.pts or 0) + delay
    packet.dts = None if packet.dts is None else packet.dts + delay


def _frames(clips: Iterable[Path]) -> Iterator[VideoFrame]:
    """Yield the frames of clips one after the other, each at its time in the film."""
    start = Fraction(0)
    for clip in clips:
        with av.open(clip) as container:
            for frame in container.decode(video=0):
                frame.pts = round((start + (frame.pts or 0) * (frame.time_base or 0)) * GIF_CLOCK)
                frame.time_base = Fraction(1, GIF_CLOCK)
                yield frame
        start += duration(clip)


def _palette(clips: Sequence[Path]) -> VideoFrame:
    """Return the 256 colours that show the clips' frames best, as a frame of 16 by 16."""
    graph = Graph()
    source = None
    for frame in _frames(clips):
        source = source or _chain(graph, [_buffer(graph, frame)], "palettegen", "stats_mode=diff")
        source.push(frame)
    if source is None:
        raise OSError(f"{clips[0]} holds no frame")
    source.push(None)
    return _pulled(graph)[0]


def _in_palette(clips: Sequence[Path], palette: VideoFrame) -> Iterator[VideoFrame]:
    """Yield the clips' frames in the colours of a palette."""
    graph = Graph()
    source = None
    for frame in _frames(clips):
        if source is None:
            colours = _buffer(graph, palette)
            source = _buffer(graph, frame)
            how = "dither=bayer:bayer_scale=5:diff_mode=rectangle"
            _chain(graph, [source, colours], "paletteuse", how)
            colours.push(palette)
            colours.push(None)
        source.push(frame)
        yield from _pulled(graph)
    if source is not None:
        source.push(None)
        yield from _pulled(graph)


def _buffer(graph: Graph, frame: VideoFrame) -> FilterContext:
    """Return a source of a graph for frames like this one."""
    return graph.add_buffer(
        width=frame.width,
        height=frame.height,
        format=frame.format,
        time_base=Fraction(1, GIF_CLOCK),
    )


def _chain(graph: Graph, sources: list[FilterContext], name: str, how: str) -> FilterContext:
    """Lead sources through one filter to the graph's sink; return the first source."""
    step, sink = graph.add(name, how), graph.add("buffersink")
    for pad, source in enumerate(sources):
        source.link_to(step, 0, pad)
    step.link_to(sink)
    graph.configure()
    return sources[0]


def _pulled(graph: Graph) -> list[VideoFrame]:
    """Return the frames that a graph has ready."""
    frames = list[VideoFrame]()
    while True:
        try:
            frame = graph.pull()
        except (av.BlockingIOError, av.EOFError):
            return frames
        if isinstance(frame, VideoFrame):
            frames.append(frame)
