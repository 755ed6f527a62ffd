"""Clips as files: how long they last, how they join to a film, how a GIF is made of them.

It knows containers and streams, and no film.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import av
from av.filter import Graph
from av.filter.context import FilterContext
from av.packet import Packet
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

FASTSTART = {"movflags": "+faststart"}  # a browser can play it before it has all of it


def duration(clip: Path) -> Fraction:
    """Return how long a clip lasts, in seconds: from its first frame's start to its last's end."""
    with av.open(clip) as container:
        return _span(container.streams.video[0], container.demux(video=0))


def join(clips: Sequence[Path], film: Path) -> None:
    """Join clips of one encoding to a film by stream copy: no frame is encoded again."""
    options = FASTSTART if film.suffix in {".mp4", ".mov"} else {}
    with av.open(clips[0]) as first, av.open(film, "w", options=options) as output:
        stream = output.add_stream_from_template(first.streams.video[0])
        if first.streams.video[0].metadata.get("alpha_mode") == "1":
            stream.pix_fmt = "yuva420p"  # so that the container says so too
        start = Fraction(0)
        for clip in clips:
            with av.open(clip) as container:
                packets = [p for p in container.demux(video=0) if p.pts is not None]
                span = _span(container.streams.video[0], packets)
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
        template = first.streams.video[0]
        width, height, rate = template.width, template.height, template.average_rate
    with av.open(gif, "w") as output:
        stream = output.add_stream("gif", rate=rate)
        stream.width, stream.height, stream.pix_fmt = width, height, "pal8"
        for number, frame in enumerate(_in_palette(clips, palette)):
            frame.pts, frame.time_base = number, 1 / Fraction(rate or 1)
            output.mux(stream.encode(frame))
        output.mux(stream.encode(None))


def _span(stream: VideoStream, packets: Iterable[Packet[VideoStream]]) -> Fraction:
    """Return the seconds that a stream's packets cover."""
    one_frame = 1 / Fraction(stream.average_rate or 1)
    ends, starts = [Fraction(0)], []
    for packet in packets:
        if packet.pts is None or packet.time_base is None:
            continue
        starts.append(packet.pts * packet.time_base)
        ends.append(starts[-1] + max((packet.duration or 0) * packet.time_base, one_frame))
    if not starts:
        raise OSError(f"{stream.container.name} holds no frame")
    return max(ends) - min(starts)


def _delay(packet: Packet[VideoStream], start: Fraction) -> None:
    """Move a packet of a clip to its place in the film, `start` seconds later."""
    delay = round(start / (packet.time_base or 1))
    packet.pts = (packet.pts or 0) + delay
    packet.dts = None if packet.dts is None else packet.dts + delay


def _frames(clips: Iterable[Path]) -> Iterator[VideoFrame]:
    """Yield the frames of clips one after the other."""
    for clip in clips:
        with av.open(clip) as container:
            yield from container.decode(video=0)


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
        time_base=frame.time_base or Fraction(1, 30),
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
