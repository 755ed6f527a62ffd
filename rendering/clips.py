"""Clips as files: how long they last, how they join to a film or to an animated image.

It knows containers and streams, and no film.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from heapq import merge
from itertools import accumulate, chain, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import av
from av.audio.frame import AudioFrame
from av.audio.stream import AudioStream
from av.codec.context import CodecContext
from av.container import InputContainer, OutputContainer
from av.filter import Graph
from av.packet import Packet
from av.video.codeccontext import VideoCodecContext
from av.video.frame import VideoFrame
from av.video.stream import VideoStream

from rendering.pictures import FASTSTART, NO_RANDOM_IDS, SOUND_RATE

if TYPE_CHECKING:
    import numpy as np
    from av.container.core import Chapter  # it exists for type checkers alone
    from numpy.typing import NDArray


GIF_CLOCK = Fraction(1, 100)  # seconds, in which a GIF counts time
CODECS: Mapping[str, tuple[str, int, dict[str, str]]] = {  # and their bits a second
    "mp4": ("aac", 128_000, {"aac_coder": "fast"}),  # measured: in half the time, and truer
    "webm": ("libopus", 64_000, {}),
}
MARKS = Fraction(1, 1000)  # seconds, in which the marks of chapters are counted
WEBP = {"quality": "80", "compression_level": "2"}  # measured: a fifth of the bytes without loss
RIFF_HEADER = 12  # bytes
DITHER = "dither=bayer:bayer_scale=5:diff_mode=rectangle"


class Sound(NamedTuple):
    """Parts of one channel, from -1 to 1; so many of its samples a second say it all."""

    parts: Iterable[NDArray[np.float32]]
    rate: int = SOUND_RATE


def duration(clip: Path) -> Fraction:
    """Return how long a clip lasts, in seconds: from its first frame's start to its last's end."""
    with av.open(clip) as container:
        packets, says = _pictures_of(container), container.streams.video[0].metadata.get("DURATION")
    if not packets:
        raise OSError(f"{clip} holds no frame")
    clock, first = packets[0].time_base or Fraction(0), min(each.pts or 0 for each in packets)
    if says:  # webm, of the whole alone
        hours, minutes, seconds = map(Fraction, says.split(":"))
        return (60 * hours + minutes) * 60 + seconds - first * clock
    return (max((each.pts or 0) + (each.duration or 0) for each in packets) - first) * clock


def join(
    clips: Sequence[Path], film: Path, titles: Sequence[str] = (), sound: Sound | None = None
) -> list[float]:
    """Join clips of one encoding to a film by stream copy: no frame is encoded again.

    With `titles`, one a clip, a player shows each clip as a chapter of the film; one without a
    title belongs to the chapter before. What the clips sound like is left aside: the film gets
    the sound that is given, encoded in one go. Returns when each clip starts in the film, and when
    the last one ends, in seconds.
    """
    options = FASTSTART if film.suffix in {".mp4", ".mov"} else {}
    starts = list(accumulate(map(duration, clips), initial=Fraction(0)))
    seconds = [*map(float, starts)]
    with av.open(clips[0]) as first, av.open(film, "w", options=options) as output:
        output.flags |= NO_RANDOM_IDS
        stream = output.add_stream_from_template(first.streams.video[0])
        if first.streams.video[0].metadata.get("alpha_mode") == "1":
            stream.pix_fmt = "yuva420p"  # so that the container says so too
        if titles:
            output.set_chapters([*map(_mark, range(len(clips)), chapters(titles, seconds))])
        streams: list[Iterator[Packet[Any]]] = [_pictures(clips, starts, stream)]
        if sound is not None:
            streams.append(_encoded(sound, _sound_stream(output, sound.rate)))
        for packet in merge(*streams, key=_time):
            output.mux(packet)
    return seconds


def chapters(titles: Sequence[str], starts: Sequence[float]) -> list[tuple[float, float, str]]:
    """Return when the chapters of a film begin and end, as `join` has them, with their titles."""
    begins = [(start, title) for start, title in zip(starts, titles, strict=False) if title]
    ends = [*(start for start, _ in begins[1:]), starts[-1]]
    return [(start, end, title) for (start, title), end in zip(begins, ends, strict=True)]


def make_image(clips: Sequence[Path], image: Path, loop: int = 0) -> None:
    """Make one animated image of clips, a GIF or WebP, played so many times; 0 is for ever."""
    make = make_gif if image.suffix == ".gif" else make_webp
    make(clips, image, loop)


def make_webp(clips: Sequence[Path], webp: Path, loop: int = 0) -> None:
    """Make one animated WebP of clips, with a little loss and, if they have it, transparency."""
    encoder = CodecContext.create("libwebp_anim", "w")
    assert isinstance(encoder, VideoCodecContext)
    with av.open(clips[0]) as first:
        picture = first.streams.video[0]
        encoder.width, encoder.height = picture.width, picture.height
        has_alpha = picture.codec_context.pix_fmt in {"argb", "yuva420p"}
    encoder.pix_fmt = "yuva420p" if has_alpha else "yuv420p"
    encoder.time_base, encoder.options = MARKS, WEBP
    packets: list[Packet[VideoStream]] = []
    for frame in _frames(clips, MARKS):
        shown = frame.reformat(format=encoder.pix_fmt)
        shown.pts, shown.time_base = frame.pts, MARKS
        packets += encoder.encode(shown)
    packets += encoder.encode(None)
    content = bytearray(b"".join(map(bytes, packets)))
    _set_times(content, loop, round(sum(map(duration, clips)) / MARKS))
    webp.write_bytes(content)


def _set_times(webp: bytearray, loop: int, whole: int) -> None:
    """Say in a WebP how often it is played, and for how many milliseconds in all.

    Its encoder does not know how long the last frame lasts.
    """
    place, begins = RIFF_HEADER, 0
    while place < len(webp):
        name, size = webp[place : place + 4], int.from_bytes(webp[place + 4 : place + 8], "little")
        if name == b"ANIM":  # a colour, and how often
            webp[place + 12 : place + 14] = loop.to_bytes(2, "little")
        if name == b"ANMF":  # place and size, three bytes each, and how long
            lasts = slice(place + 20, place + 23)
            begins += int.from_bytes(webp[lasts], "little")
        place += 8 + size + size % 2
    last = whole - begins + int.from_bytes(webp[lasts], "little")
    webp[lasts] = last.to_bytes(3, "little")


def make_gif(clips: Sequence[Path], gif: Path, loop: int = 0) -> None:
    """Make one GIF of clips, in 256 colours chosen from all their frames.

    The clips are read twice, so that a long film need not fit into memory.
    """
    palette = next(_filtered(_frames(clips, GIF_CLOCK), "palettegen", "stats_mode=diff"))
    shown = _filtered(_frames(clips, GIF_CLOCK), "paletteuse", DITHER, palette)
    often = -1 if loop == 1 else loop
    options = {"final_delay": str(round(_last_frame(clips[-1]) / GIF_CLOCK)), "loop": str(often)}
    with av.open(gif, "w", options=options) as output:
        stream = output.add_stream("gif", rate=1 / GIF_CLOCK)
        with av.open(clips[0]) as first:
            size = first.streams.video[0]
            stream.width, stream.height, stream.pix_fmt = size.width, size.height, "pal8"
        for frame in chain(shown, [None]):
            output.mux(stream.encode(frame))


def _mark(number: int, chapter: tuple[float, float, str]) -> Chapter:
    """Return a chapter as a container has it."""
    start, end = (round(seconds / MARKS) for seconds in chapter[:2])
    about = {"title": chapter[2]}
    return {"id": number, "start": start, "end": end, "time_base": MARKS, "metadata": about}


def _last_frame(clip: Path) -> Fraction:
    """Return how long a clip's last frame is shown, in seconds; its container says so."""
    with av.open(clip) as container:
        packets = _pictures_of(container)
        return (packets[-1].duration or 0) * Fraction(packets[-1].time_base or 0)


def _pictures_of(container: InputContainer) -> list[Packet[VideoStream]]:
    """Return the packets of a clip's pictures."""
    return [packet for packet in container.demux(video=0) if packet.pts is not None]


def _pictures(
    clips: Sequence[Path], starts: Sequence[Fraction], stream: VideoStream
) -> Iterator[Packet[VideoStream]]:
    """Yield the packets of clips for a film's stream, each at its time in the film."""
    for clip, (start, end) in zip(clips, pairwise(starts), strict=True):
        with av.open(clip) as container:
            packets = _pictures_of(container)
            for packet in packets:
                later = round(start / (packet.time_base or 1))
                packet.pts = (packet.pts or 0) + later
                packet.dts = None if packet.dts is None else packet.dts + later
                packet.stream = stream
            last = packets[-1]
            if not last.duration:  # as webm has it
                last.duration = round(end / (last.time_base or 1)) - (last.pts or 0)
            yield from packets


def _sound_stream(output: OutputContainer, rate: int) -> AudioStream:
    """Add a stream of one channel to a film, encoded as its container has it."""
    codec, bits, options = CODECS.get(output.format.name, CODECS["mp4"])
    stream = output.add_stream(codec, rate=rate, options=options)
    assert isinstance(stream, AudioStream)
    stream.layout, stream.bit_rate = "mono", bits * rate // SOUND_RATE
    return stream


def _encoded(sound: Sound, stream: AudioStream) -> Iterator[Packet[AudioStream]]:
    """Yield the packets of parts of a sound that follow one another, at the stream's rate."""
    at, every = 0, SOUND_RATE // stream.rate
    for part in sound.parts:
        for begin in range(-at % every, len(part), SOUND_RATE):  # a little, for films are long
            heard = part[None, begin : begin + SOUND_RATE : every]
            frame = AudioFrame.from_ndarray(heard.copy(), format="fltp", layout="mono")
            frame.sample_rate, frame.time_base = stream.rate, Fraction(1, stream.rate)
            frame.pts = (at + begin) // every
            yield from stream.encode(frame)
        at += len(part)
    yield from stream.encode(None)


def _time(packet: Packet[Any]) -> float:
    """Return when a packet has to be there, in seconds."""
    return (packet.dts or 0) * float(packet.time_base or 0)


def _frames(clips: Iterable[Path], clock: Fraction) -> Iterator[VideoFrame]:
    """Yield the frames of clips one after the other, each at its time in the film, by a clock."""
    start = Fraction(0)
    for clip in clips:
        with av.open(clip) as container:
            for frame in container.decode(video=0):
                begins = start + (frame.pts or 0) * (frame.time_base or 0)
                frame.pts, frame.time_base = round(begins / clock), clock
                yield frame
        start += duration(clip)


def _filtered(
    frames: Iterator[VideoFrame], name: str, how: str, palette: VideoFrame | None = None
) -> Iterator[VideoFrame]:
    """Yield what a filter makes of frames, and of a palette that is led to it beside them."""
    first, graph = next(frames), Graph()
    step, sink = graph.add(name, how), graph.add("buffersink")
    sources = [
        graph.add_buffer(None, each.width, each.height, each.format, time_base=GIF_CLOCK)
        for each in (first, palette)
        if each
    ]
    for pad, source in enumerate(sources):
        source.link_to(step, 0, pad)
    step.link_to(sink)
    graph.configure()
    for source in sources[1:]:
        source.push(palette)
        source.push(None)
    for frame in chain([first], frames, [None]):
        sources[0].push(frame)
        with suppress(av.BlockingIOError, av.EOFError):  # it has no more ready
            while True:
                found = graph.pull()
                assert isinstance(found, VideoFrame)
                yield found
