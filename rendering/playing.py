"""Playing a film: read only, unseen for its stills, or drawn beat by beat.

manim's points of substitution are used: the renderer, the camera and the file writer. Its cache is
off.
"""

import gc
import inspect
import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from manim import Scene, tempconfig
from manim.renderer.cairo_renderer import CairoRenderer
from manim.scene.scene_file_writer import SceneFileWriter
from PIL import Image
from rich.logging import RichHandler

from model.errors import Unusable
from rendering.canvas import Canvas
from rendering.encoder import NOTHING, ClipEncoder
from rendering.failures import FilmFailed, code_failed, refusal
from rendering.pictures import Picture, picture
from scenes.film import Beat, Film, Request, Said


class ClipWriter(SceneFileWriter):
    """Writes each beat to one clip; beats without a place in `clips` are not kept."""

    clips: Mapping[str, Path] = {}
    is_constant = False  # whether what stands still is encoded again and again
    is_at_start = True  # whether the beat has no frame yet
    first: Image.Image | None = None  # of the beat's frames

    @property
    def beat(self) -> str:
        """The name of the beat that is being played."""
        return self.sections[-1].name

    @property
    def is_writing(self) -> bool:
        """Whether a clip is open."""
        return self._current_encode_job is not None

    def begin_animation(self, allow_write: bool = False, *, animation_index: int, **_: Any) -> None:  # noqa: ANN401, FBT001, FBT002 - manim's
        """Open the beat's clip with its first animation."""
        if allow_write and self.beat in self.clips and not self.is_writing:
            path = self.clips[self.beat]
            self.open_partial_movie_stream(animation_index=animation_index, file_path=path)
            self.is_at_start = True

    def end_animation(self, allow_write: bool = False) -> None:  # noqa: FBT001, FBT002
        """Leave the clip open for the beat's next animation."""

    def hold(self, canvas: Canvas, frames: int) -> None:
        """Let the clip go on with what the canvas shows, for so many frames' time."""
        job = self._current_encode_job
        if job is None:
            return
        assert isinstance(job.encoder, ClipEncoder)
        changes = canvas.take_changes()
        if self.is_at_start:
            self.is_at_start, changes = False, [canvas.whole]
            self.first = canvas.get_image().copy()
        new = job.encoder.frames.converted(canvas.pixels, changes) if changes else NOTHING
        job.put(frames, cast("Any", new))

    def finish(self) -> None:
        """Close the clip of the beat that has been played."""
        if self.is_writing:
            self.close_partial_movie_stream()
            self.join_all_encode_jobs()

    def _create_segment_encoder(self, target: Path) -> ClipEncoder:
        assert self.video_encoder is not None
        return ClipEncoder(target=target, spec=self.video_encoder, is_constant=self.is_constant)


class BeatRenderer(CairoRenderer):
    """Draws the beats that are wanted, and nothing of those that are played unseen."""

    file_writer: ClipWriter
    camera: Canvas

    def __init__(self) -> None:
        super().__init__(file_writer_class=ClipWriter, camera_class=Canvas)
        self._play = -1  # the last one of which a frame was drawn

    def update_frame(self, scene: Scene, *_: Any, **__: Any) -> None:  # noqa: ANN401 - manim's
        """Draw the stage, unless the beat is played unseen."""
        if self.skip_animations:
            return
        if self.file_writer.is_at_start:
            self.camera.forget()  # a clip is the same, whichever beats were drawn before
        film, is_first = cast("Film", scene), self._play != self.num_plays
        self._play = self.num_plays  # between plays anything may change
        self.camera.show(film.seen(), None if is_first else film.changing)

    def save_static_frame_data(self, *_: Any) -> None:  # noqa: ANN401 - manim's
        """Save nothing: the canvas keeps what stands still."""

    def render(self, scene: Scene, *_: Any, **__: Any) -> None:  # noqa: ANN401 - manim's
        """Draw a frame and hand it to the clip."""
        self.update_frame(scene)
        self._hold(1)

    def freeze_current_frame(self, duration: float) -> None:
        """Hold a frame for the nearest number of frames, where manim would round down."""
        self._hold(max(1, round(duration * self.camera.frame_rate)))

    def still(self, scene: Scene) -> Image.Image:
        """Draw the whole stage as it stands, whether the beat is seen or not."""
        if self.skip_animations:
            self.camera.forget()
        self.camera.show(cast("Film", scene).seen())
        return self.camera.get_image()

    def _hold(self, frames: int) -> None:
        if not self.skip_animations:
            self.time += frames / self.camera.frame_rate
            self.file_writer.hold(self.camera, frames)


@contextmanager
def staged(film: type[Film], request: Request, picture: Picture, scratch: Path) -> Iterator[Film]:
    """Yield a film ready to be read or played; its failure is told as `FilmFailed`.

    manim may keep files of its own in `scratch`.
    """
    settings = picture.settings(str(scratch)) | {"background_color": request.theme.background}
    _send_logs_to_stderr()
    with tempconfig(settings):
        renderer = BeatRenderer()
        scene = film(renderer=renderer)
        scene.request = request
        try:
            yield scene
        except (Unusable, FilmFailed):
            raise
        except Exception as error:
            if refusal(error):
                raise
            beat = renderer.file_writer.beat
            where = "cast (before the first one)" if beat == "autocreated" else beat
            what = f"The film {film.slug()} failed in beat {where}"
            raise code_failed(what, Path(inspect.getfile(film)), error) from error


def read(film: type[Film], request: Request, aspect: str = "16:9") -> Film:
    """Return the film with its trace read and its head picked, but not played."""
    with staged(film, request, picture(aspect=aspect, file_format="png"), Path()) as scene:
        scene.read()
    return scene


def draw(
    film: type[Film],
    request: Request,
    picture: Picture,
    clips: Mapping[str, Path],
    tell: Callable[[Said], None] = lambda _: None,
) -> dict[str, Said]:
    """Play a film and draw the beats named in `clips` to these paths, each with two stills.

    The first and the last frame go to the same path with the endings `.first.png` and `.png`, once
    the clip is whole; then `tell` hears how the beat was played. A picture in the format png has
    no clips, only last frames. Returns how these beats were played.
    """
    moving = {} if picture.format == "png" else clips
    request = replace(request, beats=frozenset(moving))
    with staged(film, request, picture, next(iter(clips.values())).parent) as scene:
        renderer = scene.renderer
        assert isinstance(renderer, BeatRenderer)
        renderer.file_writer.clips = moving
        renderer.file_writer.is_constant = picture.constant

        def keep(scene: Film, beat: Beat) -> None:
            if beat.name in clips:
                renderer.file_writer.finish()
                stills = {".first.png": renderer.file_writer.first, ".png": renderer.still(scene)}
                for ending, still in stills.items():
                    if still:
                        kept = still if picture.transparent else still.convert("RGB")
                        kept.save(clips[beat.name].with_suffix(ending))
                tell(scene.timeline[-1])

        scene.at_beat_end = keep
        with _settled_memory():
            scene.render()
    return {said.name: said for said in scene.timeline if said.name in clips}


@contextmanager
def _settled_memory() -> Iterator[None]:
    """Spare the garbage collector what is there already: the model, manim, the films' code."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _send_logs_to_stderr() -> None:
    """Keep manim's log out of the results on stdout."""
    plain = logging.StreamHandler(sys.stderr)
    for logger in (logging.getLogger("manim"), logging.getLogger()):
        logger.handlers = [
            plain if isinstance(handler, RichHandler) else handler for handler in logger.handlers
        ]
