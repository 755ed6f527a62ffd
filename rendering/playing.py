"""Playing a film: read only, unseen for its stills, or drawn beat by beat.

manim's own way of drawing is used through its points of substitution, the renderer and the file
writer; its cache is off.
"""

import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from manim import Mobject, Scene, tempconfig
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter
from PIL import Image
from rich.logging import RichHandler

from model.errors import Unusable
from rendering.failures import film_failed, refusal
from rendering.pictures import Picture, picture
from scenes.chapter import Beat, Chapter, Request, Said


class ClipWriter(SceneFileWriter):
    """Writes every frame of a beat to one clip; beats without a place in `clips` are not kept."""

    clips: Mapping[str, Path] = {}

    @property
    def beat(self) -> str:
        """The name of the beat that is being played."""
        return self.sections[-1].name

    def begin_animation(
        self,
        allow_write: bool = False,  # noqa: FBT001, FBT002 - manim's signature
        *,
        animation_index: int,
        file_path: Any = None,  # noqa: ANN401, ARG002 - manim's signature
    ) -> None:
        """Open the beat's clip with its first animation."""
        if allow_write and self.beat in self.clips and self._current_encode_job is None:
            path = self.clips[self.beat]
            self.open_partial_movie_stream(animation_index=animation_index, file_path=path)

    def end_animation(self, allow_write: bool = False) -> None:  # noqa: FBT001, FBT002
        """Leave the clip open for the beat's next animation."""

    def finish(self) -> None:
        """Close the clip of the beat that has been played."""
        if self._current_encode_job is not None:
            self.close_partial_movie_stream()
            self.join_all_encode_jobs()


class BeatRenderer(CairoRenderer):
    """Draws the beats that are wanted, and nothing of those that are played unseen."""

    file_writer: ClipWriter

    def __init__(self) -> None:
        super().__init__(file_writer_class=ClipWriter)

    def update_frame(
        self,
        scene: Scene,
        mobjects: Iterable[Mobject] | None = None,
        *args: Any,  # noqa: ANN401 - manim's signature
        **settings: Any,  # noqa: ANN401 - manim's signature
    ) -> None:
        """Draw the stage, unless the beat is played unseen."""
        if not self.skip_animations:
            super().update_frame(scene, mobjects, *args, **settings)

    def freeze_current_frame(self, duration: float) -> None:
        """Hold a frame for the nearest number of frames, whatever was played before.

        manim rounds down, so that the last digit of the time since the film's start decides
        whether a clip is a frame shorter.
        """
        self.add_frame(self.get_frame(), max(1, round(duration * self.camera.frame_rate)))

    def still(self, scene: Scene) -> Image.Image:
        """Draw the whole stage as it stands, whether the beat is seen or not."""
        self.static_image = None
        super().update_frame(scene)
        return self.camera.get_image()


@contextmanager
def staged(
    film: type[Chapter], request: Request, picture: Picture, scratch: Path
) -> Iterator[Chapter]:
    """Yield a film ready to be read or played; its failure is told as `FilmFailed`.

    manim may keep files of its own in `scratch`.
    """
    settings = picture.settings(str(scratch)) | {"background_color": request.theme.background}
    with tempconfig(settings):
        _send_logs_to_stderr()
        renderer = BeatRenderer()
        chapter = film(renderer=renderer)
        chapter.request = request
        try:
            yield chapter
        except Unusable:
            raise
        except Exception as error:
            if refusal(error):
                raise
            raise film_failed(film.slug(), _beat(renderer), _source(film), error) from error


def read(film: type[Chapter], request: Request, aspect: str = "16:9") -> Chapter:
    """Return the film with its trace read and its head picked, but not played."""
    with staged(film, request, picture(aspect=aspect, file_format="png"), Path()) as chapter:
        chapter.read()
    return chapter


def draw(
    film: type[Chapter],
    request: Request,
    picture: Picture,
    clips: Mapping[str, Path],
    tell: Callable[[str], None] = lambda _: None,
) -> dict[str, Said]:
    """Play a film and draw the beats named in `clips` to these paths, each with its last frame.

    The last frame goes to the same path with the ending `.png`, once the clip is whole; then
    `tell` hears the beat's name. A picture in the format png has no clips, only last frames.
    Returns how these beats were played.
    """
    moving = {} if picture.format == "png" else clips
    request = replace(request, beats=frozenset(moving))
    with staged(film, request, picture, next(iter(clips.values())).parent) as chapter:
        renderer = chapter.renderer
        assert isinstance(renderer, BeatRenderer)
        renderer.file_writer.clips = moving

        def keep(chapter: Chapter, beat: Beat) -> None:
            if beat.name in clips:
                renderer.file_writer.finish()
                still = renderer.still(chapter)
                kept = still if picture.transparent else still.convert("RGB")
                kept.save(clips[beat.name].with_suffix(".png"))
                tell(beat.name)

        chapter.at_beat_end = keep
        chapter.render()
    return {said.name: said for said in chapter.timeline if said.name in clips}


def stills(film: type[Chapter], request: Request, picture: Picture) -> dict[str, Image.Image]:
    """Play a film unseen and return every beat's last frame."""
    found: dict[str, Image.Image] = {}
    request = replace(request, beats=frozenset())
    with staged(film, request, replace(picture, format="png"), Path()) as chapter:
        renderer = chapter.renderer
        assert isinstance(renderer, BeatRenderer)

        def keep(chapter: Chapter, beat: Beat) -> None:
            found[beat.name] = renderer.still(chapter).convert("RGB")

        chapter.at_beat_end = keep
        chapter.render()
    return found


def _send_logs_to_stderr() -> None:
    """Keep manim's log out of the results on stdout."""
    plain = logging.StreamHandler(sys.stderr)
    for logger in (logging.getLogger("manim"), logging.getLogger()):
        logger.handlers = [
            plain if isinstance(handler, RichHandler) else handler for handler in logger.handlers
        ]


def _beat(renderer: BeatRenderer) -> str:
    """Return where a film is: a beat, or the cast that is made before the first one."""
    name = renderer.file_writer.beat
    return "cast (before the first one)" if name == "autocreated" else name


def _source(film: type[Chapter]) -> Path:
    """Return the file that a film's class stands in."""
    return Path(inspect.getfile(film))
