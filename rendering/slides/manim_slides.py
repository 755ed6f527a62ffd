"""A deck for manim-slides: its presentation file for each film, beside clips and their reverses.

`manim-slides present SLUG` and `manim-slides convert SLUG deck.html` read it in the deck's folder.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import av
from av.codec.context import Flags
from av.video.frame import VideoFrame

from rendering.pictures import H264, NO_RANDOM_IDS
from rendering.slides.deck import Deck, Slide

SLIDES = "slides"  # where manim-slides looks, unless told


def folder(deck: Deck) -> Mapping[str, bytes | Path]:
    """Return the files of a deck's folder, by name: what is in them, or a file to copy.

    A film's title is in its first clip: these slides have no page of text.
    """
    files: dict[str, bytes | Path] = {}
    for film, slides in groupby(deck.slides, key=lambda slide: slide.film):
        presented = {
            "slides": [_presented(slide, files) for slide in slides if slide.clip],
            "resolution": (deck.width, deck.height),
            "background_color": deck.colors.background,
        }
        files[f"{SLIDES}/{film}.json"] = json.dumps(presented, indent=2).encode()
    return files


def _presented(slide: Slide, files: dict[str, bytes | Path]) -> dict[str, Any]:
    """Return what manim-slides wants to know of a slide, and add to `files` what it plays."""
    assert slide.clip
    name = f"{SLIDES}/files/{slide.film}/{slide.clip.file.name}"
    reverse = str(Path(name).with_suffix(f".reversed{slide.clip.file.suffix}"))
    files[name], files[reverse] = slide.clip.file, backwards(slide.clip.file)
    notes = "\n\n".join(slide.notes)
    return {"file": name, "rev_file": reverse, "loop": slide.clip.loop, "notes": notes}


def backwards(clip: Path) -> bytes:
    """Return an mp4 of a clip's frames from the last to the first, each as long as it is shown."""
    content = io.BytesIO()
    with av.open(clip) as source, av.open(content, "w", format="mp4") as made:
        made.flags |= NO_RANDOM_IDS
        picture = source.streams.video[0]
        stream = made.add_stream("libx264", rate=picture.average_rate, options=H264)
        stream.width, stream.height, stream.pix_fmt = picture.width, picture.height, "yuv420p"
        codec, old = stream.codec_context, picture.codec_context
        codec.flags |= Flags.frame_duration
        codec.color_primaries, codec.color_trc = old.color_primaries, old.color_trc
        codec.colorspace, codec.color_range = old.colorspace, old.color_range
        assert picture.time_base
        stream.time_base = codec.time_base = picture.time_base
        time = 0
        for frame, lasts in _from_the_end(clip):
            frame.pts, frame.time_base, frame.duration = time, picture.time_base, lasts
            time += lasts
            made.mux(stream.encode(frame))
        made.mux(stream.encode(None))
    return content.getvalue()


def _from_the_end(clip: Path) -> Iterator[tuple[VideoFrame, int]]:
    """Yield a clip's frames from its end, and for how many units of its time base each is shown.

    No more of them are in memory than from one key frame to the next.
    """
    with av.open(clip) as source:
        packets = [each for each in source.demux(video=0) if each.pts is not None]
        lasts = {each.pts: each.duration or 0 for each in packets}
        keys = [each.pts or 0 for each in packets if each.is_keyframe]
        picture = source.streams.video[0]
        for begins, ends in reversed([*zip(keys, [*keys[1:], sys.maxsize], strict=True)]):
            source.seek(begins, stream=picture)
            run: list[VideoFrame] = []
            for frame in source.decode(picture):
                if (frame.pts or 0) >= ends:
                    break
                run.append(frame)
            yield from ((frame, lasts[frame.pts]) for frame in reversed(run))
