"""Films for tests whose beats set things on the stage and take them off at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from loose_verbs import playable
from manim import Animation, Camera, ManimColor, Mobject, Scene
from manim.constants import LEFT, RIGHT, UP

from scenes import film, theme
from scenes.film import Beat, Said, beat
from scenes.mobjects.text import Words
from scenes.mobjects.tokens import TokenRow
from scenes.narration import captions, time_to_say
from scenes.provenance import count
from scenes.region import Region, safe_area
from scenes.theme import GAP, HAIR, QUIET, REST, SMALL_SIZE, TITLE_SIZE

__all__ = ["Film", "beat"]


class Film(film.Film):
    """A film with a header that stays, whose beats set things on the stage and take them off."""

    edition = 1
    heading: Any
    content: Region  # what is free for the film, under the token row

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
        for each, cues in self._cued():
            self._play_beat(each, cues)
            if each.name == self.request.until:
                break

    def play(self, *animations: Any, **settings: Any) -> None:  # manim's signature
        """Play animations; whoever watches the stage looks at it once it is at rest."""
        moves = playable(animations)  # a grid of one token has no other rows to put back
        if moves:
            Scene.play(self, *moves, **settings)
        if self.at_rest:
            self.at_rest(self)

    def add_mobjects_from_animations(self, animations: list[Animation]) -> None:
        """Add what is animated."""
        Scene.add_mobjects_from_animations(self, animations)

    def get_moving_and_static_mobjects(
        self, animations: Iterable[Animation]
    ) -> tuple[list[Mobject], list[Mobject]]:
        """Return what moves and what stands; of a still, manim would draw all twice."""
        moving, static = Scene.get_moving_and_static_mobjects(self, animations)
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
            self.token_row = TokenRow(self.tokens, area)
        except ValueError as error:
            self.refuse(f"{error} Choose a prompt without it, or a wider frame.")
        lowest = min(self.heading, self.footing, key=lambda text: text.get_bottom()[1])
        self.token_row.next_to(lowest, -UP, buff=GAP).set_x(area.center[0])
        self.content = area.below(self.token_row, GAP)
        self.add(*self.opening())

    def opening(self) -> list[Mobject]:
        """Return what stands there when the film begins. A film may override it."""
        return [self.heading, self.footing, self.token_row]

    def _play_beat(self, each: Beat, cues: Sequence[str]) -> None:
        (narration,) = cues
        drawn = self.request.beats is None or each.name in self.request.beats
        self.next_section(each.name, skip_animations=not drawn)
        start = self.time
        each.show(self)
        said = time_to_say(narration) - (self.time - start)
        self.wait(max(said, REST))
        duration = self.time - start
        self.timeline.append(Said(each.name, narration, start, duration))
        for caption in captions(narration, duration):
            self.add_subcaption(
                caption.text, caption.end - caption.start, offset=caption.start - duration
            )
        if self.at_beat_end:
            self.at_beat_end(self, each)
