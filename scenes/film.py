"""A film: its cast and its beats, and how they are played. It knows no model.

A film is a subclass of `Film`. It makes in `cast()` whatever outlives a beat; each method
under `@beat(...)` says one line and moves the cast. The line sets the time: a beat holds until it
has been said. What it asks of the model, it asks as a `Study`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from manim import Animation, Camera, ManimColor, Mobject, Scene
from manim.constants import LEFT, RIGHT, UP

from scenes import readings, theme
from scenes.animations import playable
from scenes.diary import Diary
from scenes.mobjects.text import Words, called
from scenes.mobjects.tokens import TokenRow
from scenes.narration import captions, time_to_say
from scenes.provenance import count
from scenes.region import Region, safe_area
from scenes.study import Study
from scenes.theme import GAP, HAIR, QUIET, REST, SMALL_SIZE, TITLE_SIZE

SHIPPED = Path(__file__).parents[1] / "assets" / "gpt"

ROUNDING = 1e-3  # frames; more than the error of a float, and less than anybody sees

FilmT = TypeVar("FilmT", bound="Film")


@dataclass(frozen=True)
class Request:
    """What a film is asked to show; None leaves the choice to the film."""

    prompt: str | None = None
    checkpoint: Path = SHIPPED
    layer: int | None = None
    head: int | None = None
    theme: theme.Theme = theme.DARK
    beats: frozenset[str] | None = None  # the beats to draw; the others are played unseen
    until: str | None = None  # the beat after which nobody looks
    diary: Diary | None = field(default=None, compare=False)  # hears what the film reads and says


@dataclass(frozen=True)
class Beat:
    """One idea of a film: its name, the line that is said, and the method that shows it."""

    name: str
    template: str
    show: Callable[[Any], None]


@dataclass(frozen=True)
class Said:
    """A beat as it was played: when it began and how long it took, in seconds."""

    name: str
    narration: str
    start: float
    duration: float


def beat(narration: str) -> Callable[[Callable[[FilmT], None]], Callable[[FilmT], None]]:
    """Mark a method as a beat and give it its line; `{asker}` is filled in from `words()`."""

    def mark(show: Callable[[FilmT], None]) -> Callable[[FilmT], None]:
        show.beat = Beat(show.__name__.replace("_", "-"), narration, show)  # type: ignore[attr-defined]
        return show

    return mark


class Film(Study, Scene):
    """A film. The first line of a film's docstring is its goal, in one sentence."""

    title: ClassVar[str]
    prompt: ClassVar[str]  # shown unless another one is asked for
    seconds: ClassVar[int]  # about how long the film lasts
    poster_beat: ClassVar[str]  # the beat whose last frame stands for the film
    most_tokens: ClassVar[int] = 16
    most_tokens_narrow: ClassVar[int] = 12  # in an upright or square frame

    request: Request = Request()
    content: Region  # what is free for the film, under the token row
    at_rest: Callable[[Film], None] | None = None  # called after every animation
    at_beat_end: Callable[[Film, Beat], None] | None = None

    @classmethod
    def slug(cls) -> str:
        """Return the film's name on the command line."""
        return cls.__module__.rpartition(".")[2].replace("_", "-")

    @classmethod
    def goal(cls) -> str:
        """Return what a viewer understands at the end, in one sentence."""
        return (cls.__doc__ or "").strip().partition("\n")[0]

    @classmethod
    def beats(cls) -> list[Beat]:
        """Return the beats in the order in which the film's class has them."""
        return [member.beat for member in vars(cls).values() if hasattr(member, "beat")]

    def read(self) -> None:
        """Run the model on the prompt and find what to point at; draws nothing."""
        asked = self.request
        self.diary = asked.diary or Diary()
        self.run(asked.checkpoint, self.prompt if asked.prompt is None else asked.prompt)
        self._refuse_long_prompt()
        self.gather()
        self.choose_head(asked.layer, asked.head)
        self.observe()

    def observe(self) -> None:
        """Find in the trace what the film will point at. A film may override it."""

    def words(self) -> Mapping[str, str]:
        """Return what fills the gaps in the narration. A film may override it."""
        return {}

    def script(self) -> list[tuple[str, str]]:
        """Return (name, narration) of every beat, after `read`."""
        words = self.words()
        return [(beat.name, beat.template.format_map(words)) for beat in self.beats()]

    def followed(self) -> int:
        """Return the place of the token that the course follows, in the head shown."""
        pattern = self.tensor("pattern")[self.layer, self.head]
        return readings.followed(self.tokens, pattern.array)

    def name_of(self, token: int) -> str:
        """Return how the token at a place of the prompt is called in a sentence."""
        return called(self.tokens[token])

    def name_to(self, asker: int, token: int) -> str:
        """Return how a token is called where it is said what `asker` finds: perhaps itself."""
        return "itself" if token == asker else self.name_of(token)

    def setup(self) -> None:
        """Put the theme in force and read the trace; manim calls it before `construct`."""
        theme.use(self.request.theme)
        if isinstance(self.camera, Camera):
            self.camera.background_color = ManimColor(theme.color(theme.BACKGROUND))
        self.timeline: list[Said] = []
        self.read()

    def construct(self) -> None:
        """Play the film: the cast is made, then every beat says its line."""
        self._set_header()
        self.cast()
        for each, (_, narration) in zip(self.beats(), self.script(), strict=True):
            self._play_beat(each, narration)
            if each.name == self.request.until:
                break

    def cast(self) -> None:
        """Make whatever outlives a beat. A film overrides it."""

    def play(self, *animations: Any, **settings: Any) -> None:  # noqa: ANN401 # manim's signature
        """Play animations; whoever watches the stage looks at it once it is at rest."""
        moves = playable(animations)  # a grid of one token has no other rows to put back
        if moves:
            super().play(*moves, **settings)
        if self.at_rest:
            self.at_rest(self)

    def wait(self, duration: float = REST, *conditions: Any, **more: Any) -> None:  # noqa: ANN401
        """Hold for the nearest number of frames, where manim itself would round down."""
        rate = float(self.camera.frame_rate)
        frames = max(1, round(duration * rate))
        super().wait((frames + ROUNDING) / rate, *conditions, **more)

    def get_moving_and_static_mobjects(
        self, animations: Iterable[Animation]
    ) -> tuple[list[Mobject], list[Mobject]]:
        """Return what moves and what stands; of a still, manim would draw all twice."""
        moving, static = super().get_moving_and_static_mobjects(animations)
        return (moving, static) if moving else (static, [])

    def rest(self, duration: float = REST) -> None:
        """Let a change worth seeing be seen."""
        self.wait(duration)

    def small_print(self) -> Words:
        """Return the line that names the layer and head and gives the measured score."""
        layer, head = count(self.layer, "the layer shown"), count(self.head, "the head shown")
        score = self.measured()
        if np.isnan(score.number):
            return Words("layer {}, head {}", layer, head, size=SMALL_SIZE, role=QUIET)
        text = "layer {}, head {}: a noun gives its adjectives {:.0%} of its attention (measured)"
        return Words(text, layer, head, score, size=SMALL_SIZE, role=QUIET)

    def _refuse_long_prompt(self) -> None:
        is_narrow = safe_area().is_narrow
        most = self.most_tokens_narrow if is_narrow else self.most_tokens
        where = " in a frame of this shape" if is_narrow else ""
        if len(self.trace.ids) > most:
            self.refuse(
                f"The prompt has {len(self.trace.ids)} tokens and {self.slug()} shows at most "
                f"{most}{where}: shorten it."
            )

    def _set_header(self) -> None:
        area = safe_area()
        self.heading = Words(self.title, size=TITLE_SIZE)
        self.heading.move_to((area.left, area.top, 0), aligned_edge=LEFT + UP)
        self.footing = self.small_print()
        area.fit_width(self.footing)
        self.footing.next_to(self.heading, RIGHT, buff=GAP).align_to((area.right, 0, 0), RIGHT)
        if self.footing.get_left()[0] < self.heading.get_right()[0] + GAP:
            self.footing.next_to(self.heading, -UP, buff=HAIR, aligned_edge=LEFT)
        try:
            self.token_row = TokenRow(self.tokens, area.width)
        except ValueError as error:
            self.refuse(f"{error} Choose a prompt without it, or a wider frame.")
        lowest = min(self.heading, self.footing, key=lambda text: text.get_bottom()[1])
        self.token_row.next_to(lowest, -UP, buff=GAP).set_x(area.center[0])
        self.content = area.below(self.token_row, GAP)
        self.add(*self.opening())

    def opening(self) -> list[Mobject]:
        """Return what stands there when the film begins. A film may override it."""
        return [self.heading, self.footing, self.token_row]

    def _play_beat(self, each: Beat, narration: str) -> None:
        drawn = self.request.beats is None or each.name in self.request.beats
        self.next_section(each.name, skip_animations=not drawn)
        start = self.time
        each.show(self)
        said = time_to_say(narration) - (self.time - start)
        self.wait(max(said, REST))
        duration = self.time - start
        self.timeline.append(Said(each.name, narration, start, duration))
        self.diary.said.append(self.timeline[-1])
        for caption in captions(narration, duration):
            self.add_subcaption(
                caption.text, caption.end - caption.start, offset=caption.start - duration
            )
        if self.at_beat_end:
            self.at_beat_end(self, each)
