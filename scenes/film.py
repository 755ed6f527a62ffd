"""A film: its cast, its beats, and how they are played. It knows no model.

A film is a subclass of `Film`. `cast` makes everything that it ever shows and sets it on the stage
with `stand`, unseen. Each method under `@beat(...)` says one line and moves the cast: the line is
cut into cues at its bars, and the method yields, for each cue, what is shown while it is said.

    @beat("Look into one cell: | the query of {asker}, | {answer}'s key.", alone="...")
    def look_into_one_cell(self) -> Shown:
        yield self.zoom_into(self.board.cell(self.asker, self.answer))
        yield Appear(self.work.query)
        yield Appear(self.work.key), Pulse(self.answer_name)

The words set the time: a cue lasts until its words have been said, and what it shows is paced to
them. What a film asks of the model, it asks as a `Study`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, TypeVar

from manim import Animation, ManimColor, Mobject, Scene, VGroup, VMobject, Wait
from manim.constants import LEFT, RIGHT, UP

from scenes import theme
from scenes.analysis.selection import followed_query
from scenes.camera import WHOLE, FilmCamera, Travel, View, Viewpoint, pin
from scenes.diary import Diary
from scenes.mobjects.text import Words, called
from scenes.narration import Cue, Timed, by_words, captions, cues_of
from scenes.presence import Part, hide, presence, standing_parts
from scenes.provenance import count
from scenes.region import Region, stage_area
from scenes.study import SHIPPED, Study
from scenes.theme import (
    BREATH,
    GAP,
    HEADING_SIZE,
    PLAIN_SIZE,
    QUICK,
    QUIET,
    REST,
    SLOW,
    TITLE_STANDS,
)
from scenes.verbs import Begun, Disappear, Hold, Then, Together, Verb

ROUNDING = 1e-3  # frames; more than the error of a float, and less than anybody sees
RESTS = 0.2  # of a head's attention: where first tokens get more of it, it is told
LATE = 0.1  # seconds by which a picture may lag behind its words; then the words wait for it
FILLED = 0.96  # of a cue's time, by what is shown in it, where its pace allows
SLOWEST, FASTEST = 3.5, 0.65  # times its own run time that a cue may stretch what it shows

Shown: TypeAlias = Iterator[Verb | tuple[Verb, ...] | None]
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
    diary: Diary | None = field(default=None, compare=False)  # hears what the film reads
    timed: Timed = field(default=by_words, compare=False)  # when the cues of each line are said


@dataclass(frozen=True)
class Beat:
    """One idea of a film: its name, the lines that may be said, and the method that shows it."""

    name: str
    template: str
    show: Callable[[Any], Shown | None]
    variants: Mapping[str, str]  # by the circumstance that asks for it
    loop: bool = False  # whether a slide plays it again and again
    spoken: str = ""  # the usual line as it is said, where it is written otherwise

    def spoken_line(self, circumstances: Mapping[str, bool]) -> str:
        """Return the line that is to be said where it is not the one that is shown."""
        return self.spoken if self.line(circumstances) == self.template else ""

    def line(self, circumstances: Mapping[str, bool]) -> str:
        """Return the line for the first circumstance that holds, or the usual one."""
        return next(
            (line for name, line in self.variants.items() if circumstances[name]), self.template
        )


@dataclass(frozen=True)
class Said:
    """A beat as it was played: when it began and how long it took, in seconds."""

    name: str
    narration: str
    start: float
    duration: float
    cues: tuple[Cue, ...] = ()
    loop: bool = False  # as in `Beat`


@dataclass(frozen=True)
class Need:
    """What a film needs of a prompt: a condition, the words for it, and a prompt that has it."""

    name: str
    holds: Callable[[Film], bool]
    example: str


TWO_TOKENS = Need("two tokens or more", lambda film: len(film.tokens) > 1, "the blue forest")
THREE_TOKENS = Need("three tokens or more", lambda film: len(film.tokens) > 2, "the blue forest")


def beat(
    narration: str, *, loop: bool = False, spoken: str = "", **variants: str
) -> Callable[[Callable[[FilmT], Shown | None]], Callable[[FilmT], Shown | None]]:
    """Mark a method as a beat and give it its line, cut into cues at bars.

    `{asker}` is filled in from `words()`. A variant, such as `alone="..."`, is said instead where
    the circumstance of that name holds. With `loop`, a slide that shows it plays it again and
    again; its last frame should look like its first. `spoken` is the usual line as a voice says it,
    cut into as many cues, where `scenes.pronunciation` cannot know.
    """

    def mark(show: Callable[[FilmT], Shown | None]) -> Callable[[FilmT], Shown | None]:
        name = show.__name__.replace("_", "-")
        show.beat = Beat(name, narration, show, variants, loop, spoken)  # type: ignore[attr-defined]
        return show

    return mark


class Film(Study, Scene):
    """A film. The first line of a film's docstring is its goal, in one sentence."""

    title: ClassVar[str]
    prompt: ClassVar[str]  # shown unless another one is asked for
    seconds: ClassVar[int]  # about how long the film lasts
    poster_beat: ClassVar[str]  # the beat whose last frame stands for the film
    needs: ClassVar[tuple[Need, ...]] = ()
    reads_after_attention: ClassVar[bool] = False  # an MLP that it shows
    shows_windows: ClassVar[bool] = False  # that a query sees only so many tokens, if not one
    most_tokens: ClassVar[int] = 16
    most_tokens_narrow: ClassVar[int] = 12  # in an upright or square frame

    request: Request = Request()
    heading: VGroup  # title and small print
    stage: Region  # what films may draw on
    under_title: Region  # that, while the heading stands
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

    # What a film overrides

    def observe(self) -> None:
        """Find in the trace what the film will point at."""

    def words(self) -> Mapping[str, str]:
        """Return what fills the gaps in the narration."""
        return {}

    def circumstances(self) -> Mapping[str, bool]:
        """Return, by name, whether what a variant of a line is for holds here."""
        return {
            "alone": len(self.tokens) == 1,
            "without_bias": "b_Q" not in self.traits.biases,
            "sized": self.traits.head_norm is not None,
            "turned_in_part": self.traits.turned is not None,
            "side_by_side": self.traits.side_by_side,
            "turned": not self.traits.adds_positions,
            "shared_keys": self.traits.sharing > 1,
        }

    def cast(self) -> None:
        """Make everything that the film ever shows, and set it on the stage with `stand`."""

    # What a film calls

    def stand(self, *mobjects: Mobject) -> None:
        """Set mobjects on the stage, unseen, each above those before it; `cast` calls it."""
        for mobject in mobjects:
            hide(mobject)
        self.add(*mobjects)

    def zoom_into(self, mobject: Mobject, filled: float = 0.9, run_time: float = SLOW) -> Verb:
        """Return the animation in which the world grows until a mobject fills the stage."""
        return self.travel_to(self.view.into(mobject, self.stage, filled), run_time)

    def pull_back(self, run_time: float = SLOW) -> Verb:
        """Return the animation in which the whole stage comes into view again."""
        return self.travel_to(WHOLE, run_time)

    def travel_to(self, view: View, run_time: float = SLOW) -> Verb:
        """Return the animation in which the camera goes to a view."""
        return Travel(self.viewpoint, view, run_time)

    def followed(self) -> int:
        """Return the place of the token that the course follows, in the head shown."""
        pattern = self.tensor("pattern")[self.layer, self.head]
        return followed_query(self.tokens, pattern.array)

    def name_of(self, token: int) -> str:
        """Return how the token at a place of the prompt is called in a sentence."""
        return called(self.tokens[token])

    def name_to(self, asker: int, token: int) -> str:
        """Return how a token is called where it is said what `asker` finds: perhaps itself."""
        return "itself" if token == asker else self.name_of(token)

    def resting(self, asker: int, ranked: Sequence[int]) -> str:
        """Return what is said after a favourite that is the first token, where heads often rest.

        `ranked` are the tokens that `asker` can see, the favourite first. How much the head gives
        to first tokens was measured on other texts. Of this habit: Xiao et al. 2023,
        arXiv:2309.17453.
        """
        if ranked[0] or len(ranked) < 3:
            return ""
        habit = ", where this head often rests" * (self.score.first_token > RESTS)
        return f": the first token{habit}. Then comes {self.name_to(asker, ranked[1])}"

    @property
    def view(self) -> View:
        """What the camera shows now."""
        camera = self.camera
        assert isinstance(camera, FilmCamera)
        return camera.view

    @view.setter
    def view(self, view: View) -> None:
        """Look through a view from the first frame on; `cast` may set it."""
        camera = self.camera
        assert isinstance(camera, FilmCamera)
        camera.view = view

    # How it is played

    def read(self) -> None:
        """Run the model on the prompt and find what to point at; draws nothing."""
        asked = self.request
        self.diary = asked.diary or Diary()
        self.run(asked.checkpoint, self.prompt if asked.prompt is None else asked.prompt)
        self._refuse_long_prompt()
        self.gather()
        self._refuse_unmet_needs()
        self.choose_head(asked.layer, asked.head)
        self.observe()

    def script(self) -> list[tuple[str, str]]:
        """Return (name, narration) of every beat, after `read`."""
        return [(each.name, " ".join(cues)) for each, cues in self._cued()]

    def setup(self) -> None:
        """Put the theme in force and read the trace; manim calls it before `construct`."""
        theme.use(self.request.theme)
        if not isinstance(self.camera, FilmCamera):  # the plain manim command
            self.renderer.camera = FilmCamera()
        camera = self.camera
        assert isinstance(camera, FilmCamera)
        camera.view = WHOLE
        camera.background_color = ManimColor(theme.color(theme.BACKGROUND))
        self.viewpoint = Viewpoint(camera)
        self.timeline: list[Said] = []
        self.stage = stage_area()
        self.read()

    def construct(self) -> None:
        """Play the film: the cast is made, then every beat says its line."""
        self._make_heading()
        self.cast()
        self.add(self.heading, self.viewpoint)
        self.parts = sorted(
            (part for top in self.mobjects for part in standing_parts(top)),
            key=lambda part: part.z_index,
        )
        # Everything that may be seen now, and whether it is seen and stays so.
        self.any_part = [(part, False) for part in self.parts]
        self.may_be_seen: Sequence[tuple[Part, bool]] = self.any_part
        self.touched = set[int]()  # the ids of what may change now
        self.changing: set[int] | None = None  # and of what may look otherwise; None: any may
        family = [part for top in self.mobjects for part in top.get_family()]
        self.standing = {id(part) for part in family}
        self.updated = [part for part in family if part.updaters]
        for each, cues in self._cued():
            self._play_beat(each, cues)
            if each.name == self.request.until:
                break

    def seen(self, also: Collection[int] = ()) -> list[VMobject]:
        """Return the shapes that are seen, in drawing order, and `also` those with these ids."""
        return [
            part
            for part, is_still in self.may_be_seen
            if is_still or ((part.presence or (also and id(part) in also)) and len(part.points))
        ]

    def update_mobjects(self, dt: float) -> None:
        """Call the updaters that parts had after `cast`; manim would ask all parts each frame."""
        for part in self.updated:
            part.update(dt, recursive=False)

    def play(self, *animations: Any, **settings: Any) -> None:  # noqa: ANN401 # manim's signature
        """Play verbs together; whoever watches the stage looks at it once it is at rest."""
        if isinstance(animations[0], Wait):
            super().play(*animations, **settings)
        elif (verbs := Together(*animations)).run_time:
            touched = verbs.touched
            self._refuse_strangers(touched)
            with self._changing_only(touched):
                super().play(verbs, **settings)
        if self.at_rest:
            self.at_rest(self)

    def wait(self, duration: float = REST, *conditions: Any, **more: Any) -> None:  # noqa: ANN401
        """Hold for the nearest number of frames, where manim itself would round down."""
        rate = float(self.camera.frame_rate)
        frames = max(1, round(duration * rate))
        super().wait((frames + ROUNDING) / rate, *conditions, **more)

    def should_update_mobjects(self) -> bool:
        """Whether anything may change while a film waits; manim would ask all parts."""
        waits = [each for each in self.animations or () if isinstance(each, Wait)]
        is_watched = any(each.stop_condition for each in waits)
        return is_watched or any(part.has_time_based_updater() for part in self.updated)

    def add_mobjects_from_animations(self, animations: list[Animation]) -> None:
        """Add nothing: what verbs change stands on the stage already."""

    def get_moving_and_static_mobjects(
        self,
        animations: Iterable[Animation],  # noqa: ARG002 - what they touch is known
    ) -> tuple[list[Any], list[Any]]:  # of mobjects
        """Return what has to be drawn for every frame, and what once; what is unseen, never.

        Of a still, manim would draw all twice.
        """
        seen = self.seen(self.touched)
        if self.changing is None:
            return seen, []
        first = next((i for i, part in enumerate(seen) if id(part) in self.touched), len(seen))
        return (seen[first:], seen[:first]) if first < len(seen) else (seen, [])

    def _cued(self) -> list[tuple[Beat, tuple[str, ...]]]:
        """Return every beat with its cues, as they are said here."""
        return [(each, self._filled(each.line(self._holding)) or ("",)) for each in self.beats()]

    def _filled(self, line: str) -> tuple[str, ...]:
        """Return the cues of a line, their gaps filled; none of an empty one."""
        return tuple(cue.format_map(self._gaps) for cue in cues_of(line)) if line else ()

    @cached_property
    def _holding(self) -> Mapping[str, bool]:
        """Whether what each variant of a line is for holds, found out once."""
        return self.circumstances()

    @cached_property
    def _gaps(self) -> Mapping[str, str]:
        """What fills the gaps of every line, found out once."""
        return self.words()

    def _play_beat(self, each: Beat, cues: Sequence[str]) -> None:
        drawn = self.request.beats is None or each.name in self.request.beats
        self.next_section(each.name, skip_animations=not drawn)
        spoken = self._filled(each.spoken_line(self._holding)) or cues
        timing, start, said = self.request.timed(each.name, spoken), self.time, list[Cue]()
        if len(spoken) != len(cues):
            raise ValueError(f"{each.name} is spoken in {len(spoken)} cues and has {len(cues)}.")
        steps, waited = each.show(self), 0.0
        for place, text in enumerate(cues):
            if self.time - start > timing.starts[place] + waited + LATE:
                waited = self.time - start - timing.starts[place]
            start_of_words, lasts = timing.starts[place] + waited, timing.lasts(place)
            said.append(Cue(start_of_words, text, lasts, timing.said[place]))
            ends = start + said[-1].start + said[-1].seconds
            if steps is not None:
                self._show(self._next(steps, each, place, len(cues)), ends - self.time)
            left, is_last = ends - self.time, place == len(cues) - 1
            if left > 0 or is_last:
                self._rest(max(left, 0.0) + (BREATH if is_last else 0.0))
        if steps is not None and next(steps, self) is not self:
            raise ValueError(
                f"{each.name} shows more than its {len(cues)} cues: add bars to its line."
            )
        self._note(each, said, start)

    def _next(self, steps: Shown, each: Beat, place: int, count: int) -> Verb:
        try:
            shown = next(steps)
        except StopIteration:
            raise ValueError(
                f"{each.name} has {count} cues and shows only {place}: yield for each of them."
            ) from None
        return Together(*shown) if isinstance(shown, tuple) else shown or Together()

    def _show(self, verb: Verb, seconds: float) -> None:
        """Play what a cue shows, paced to the seconds that its words take."""
        if not verb.run_time:
            return
        longest = SLOWEST * verb.run_time
        if not self.timeline and not self.time:  # the film's first frame is a picture already
            verb = Begun(verb, seconds=min(QUICK, verb.run_time / 2))
        wanted = max(FILLED * seconds, FASTEST * verb.run_time)
        verb.run_time = min(wanted, longest)
        leave = TITLE_STANDS - self.time
        if presence(self._heading_part) and leave + QUICK <= verb.run_time:
            verb = Together(verb, self._leave_heading(max(leave, 0.0)))
        self.play(verb)

    def _rest(self, seconds: float) -> None:
        """Let time pass; the heading leaves when it has stood."""
        leave = TITLE_STANDS - self.time
        if presence(self._heading_part) and leave + QUICK <= seconds:
            if leave > 0:
                self.wait(leave)
            self.play(Disappear(self.heading))
            seconds -= max(leave, 0.0) + QUICK
        self.wait(max(seconds, 1 / float(self.camera.frame_rate)))

    def _leave_heading(self, after: float) -> Verb:
        from_here = Disappear(self.heading)
        return Then(Hold(after), from_here) if after else from_here

    def _note(self, each: Beat, said: Sequence[Cue], start: float) -> None:
        duration, narration = self.time - start, " ".join(cue.text for cue in said)
        self.timeline.append(Said(each.name, narration, start, duration, tuple(said), each.loop))
        for caption in captions(narration, duration, said):
            self.add_subcaption(
                caption.text, caption.end - caption.start, offset=caption.start - duration
            )
        if self.at_beat_end:
            self.at_beat_end(self, each)

    def _refuse_long_prompt(self) -> None:
        is_narrow = stage_area().is_narrow
        most = self.most_tokens_narrow if is_narrow else self.most_tokens
        where = " in a frame of this shape" if is_narrow else ""
        if len(self.trace.ids) > most:
            self.refuse(
                f"The prompt has {len(self.trace.ids)} tokens and {self.slug()} shows at most "
                f"{most}{where}: shorten it."
            )
        window = self.traits.window
        is_shown = window is None or len(self.trace.ids) <= window
        if not is_shown and not (self.shows_windows and window != 1):
            self.leave_out(
                f"The prompt has {len(self.trace.ids)} tokens and this model's queries see at most "
                f"{window}, of which {self.slug()} does not tell: shorten it."
            )

    def _refuse_unmet_needs(self) -> None:
        if self.reads_after_attention and self.traits.side_by_side:
            self.leave_out(
                f"{self.slug()} shows MLPs that read what attention has added, and in this model "
                "the two stand side by side: choose another film or model."
            )
        for need in self.needs:
            if not need.holds(self):
                self.leave_out(
                    f"{self.slug()} needs a prompt with {need.name}: try '{need.example}'."
                )

    @contextmanager
    def _changing_only(self, mobjects: Sequence[Mobject]) -> Iterator[None]:
        """Say of every part whether it may change with these, so that frames ask no other."""
        touched = {id(part) for part in chain(mobjects, self.updated)}
        seen = {id(part) for part in self.seen()}
        asked, still = seen | touched, seen - touched
        parts = ((id(part), part) for part in self.parts)
        self.may_be_seen = [(part, key in still) for key, part in parts if key in asked]
        self.touched = touched
        self.changing = None if id(self.viewpoint) in touched else touched
        try:
            yield
        finally:
            self._let_all_change()

    def _let_all_change(self) -> None:
        """Say of no part that it stays as it is."""
        self.may_be_seen, self.touched, self.changing = self.any_part, set(), None

    def _refuse_strangers(self, touched: Sequence[Mobject]) -> None:
        """Refuse to animate what `cast` has not set on the stage: it would never be seen."""
        for mobject in touched:
            if len(mobject.points) and id(mobject) not in self.standing:
                raise ValueError(f"{mobject} is not on the stage: name it in self.stand(...).")

    def _make_heading(self) -> None:
        """Make the title and the small print; they stand at the top for two seconds."""
        area = self.stage
        title, small = Words(self.title, size=HEADING_SIZE), self.small_print()
        area.fit_width(title)
        area.fit_width(small)
        title.move_to((area.left, area.top, 0), aligned_edge=LEFT + UP)
        small.next_to(title, RIGHT, buff=2 * GAP)
        small.shift(UP * (title.get_bottom()[1] - small.get_bottom()[1]))
        if small.get_right()[0] > area.right:
            small.next_to(title, -UP, buff=GAP, aligned_edge=LEFT)
        self.heading = VGroup(title, small)
        pin(self.heading)
        self.under_title = area.below(self.heading, GAP)
        self._heading_part = title

    def small_print(self) -> Words:
        """Return the line that names the layer and head; a film without one may override it."""
        layer = count(self.layer + 1, "the layer shown, counted from one")
        head = count(self.head + 1, "the head shown, counted from one")
        return Words("layer {}, head {}", layer, head, size=PLAIN_SIZE, role=QUIET)
