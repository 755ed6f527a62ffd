"""How letters become tokens: those of one token draw together and fly to its chip.

It knows letters and chips, and no tokenizer.
"""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import bidirectional

import numpy as np
from manim import Scene, VGroup, VMobject, color_to_rgb
from manim.typing import Point3D
from numpy.typing import NDArray

from scenes.animations import Change
from scenes.arrivals import Fade
from scenes.first_mobjects.letters import Letters, Span
from scenes.first_mobjects.outlines import rounded
from scenes.first_mobjects.tokens import Chip, TokenRow
from scenes.mobjects.text import TokenText
from scenes.mobjects.typesetting import Points, set_text
from scenes.presence import hide, take_off
from scenes.theme import CORNER, SLOW

LEAD = 0.35  # of the flight, by which the way aside is ahead of the way up
RIGHT_TO_LEFT = {"R", "AL"}  # Unicode's classes of letters, Hebrew's and Arabic's
LANDED = 0.75  # of the time, when the letters have arrived and the chip's own text takes over


class Gather(Change):
    """The boxes of `letters` become the plates of the chips of `row`, their letters the texts.

    Token i of the row has the bytes `spans[i]`; the chip of one that has none comes in by itself.
    The letters are gone in the end.
    """

    def __init__(
        self, letters: Letters, row: TokenRow, spans: Sequence[Span], run_time: float = SLOW
    ) -> None:
        super().__init__(VGroup(row, letters), run_time=run_time)
        self.letters, self.row = letters, row
        chips = [chip for chip in row if isinstance(chip, Chip)]
        self.tokens = list(zip(chips, spans, strict=True))

    def begin(self) -> None:
        """Remember where plates and letters start, and where they go."""
        hide(self.row)
        self.plates = [
            (chip.plate, _plate_at(self.letters.box(*span)), chip.plate.points.copy())
            for chip, span in self.tokens
            if span[0] < span[1]
        ]
        self.colors = [(chip.plate, *self._colors(chip, span)) for chip, span in self.tokens]
        self.flights = [
            (letter, letter.points.copy(), end)
            for chip, span in self.tokens
            for letter, end in self._landings(chip, span)
        ]
        flying = {id(letter) for letter, _, _ in self.flights}
        stay = [each for each in self.letters.letters if id(each) not in flying]
        first = [Fade(chip.plate, 1.0) for chip, _ in self.tokens]
        self.early = [*first, Fade(self.letters.ground, 0.0), *(Fade(each, 0.0) for each in stay)]
        self.late = [Fade(chip.label, 1.0) for chip, _ in self.tokens]
        self.last = [Fade(letter, 0.0) for letter, _, _ in self.flights]
        for fade in (*self.early, *self.late, *self.last):
            fade.begin()
        super().begin()

    def interpolate(self, alpha: float) -> None:
        """Fly, then let the chips' texts take over from the letters."""
        # First to the side, then up: lines of text that become one line never cross.
        aside, up = (self.eased((alpha / LANDED - late) / (1 - LEAD)) for late in (0, LEAD))
        for shape, start, end in (*self.plates, *self.flights):
            shape.points = start + (end - start) * (aside, up, 0)
        for plate, start, end in self.colors:
            plate.fill_rgbas[:, :3] = (1 - aside) * start + aside * end
        turn = (1 - LANDED) / 2
        for fades, begins in ((self.early, 0.0), (self.late, LANDED), (self.last, LANDED + turn)):
            for fade in fades:
                fade.change(self.eased((alpha - begins) / turn))

    def clean_up_from_scene(self, scene: Scene) -> None:
        """Take the letters off the stage, and leave the row on it."""
        super().clean_up_from_scene(scene)
        take_off(scene, self.mobject)
        scene.add(self.row)

    def _colors(self, chip: Chip, span: Span) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the colour of the box that a plate is at first, and the plate's own."""
        box = np.array(color_to_rgb(self.letters.color_of(*span)))
        return box, chip.plate.fill_rgbas[0, :3].copy()

    def _landings(self, chip: Chip, span: Span) -> list[tuple[TokenText, Points]]:
        """Return the letters of a token, each with its outline as it stands in the chip's text."""
        inside = [
            letter
            for letter, (start, end) in zip(self.letters.letters, self.letters.spans, strict=True)
            if span[0] <= start and end <= span[1]
        ]
        if any(bidirectional(letter.text[0]) in RIGHT_TO_LEFT for letter in inside if letter.text):
            inside.reverse()
        pens = np.cumsum([0.0, *(set_text(letter.text).width for letter in inside)])
        left = float(chip.label.get_left()[0])
        baseline = float(chip.plate.get_y()) - 0.26 * chip.label.em
        landings = []
        for letter, pen in zip(inside, pens, strict=False):
            outline = set_text(letter.text).points
            place = np.array([left + pen * chip.label.em, baseline, 0])
            landings.append((letter, outline * chip.label.em + place))
        return _closed_up(landings, chip.label)


def _closed_up(
    landings: list[tuple[TokenText, Points]], label: VMobject
) -> list[tuple[TokenText, Points]]:
    """Shift outlines along the line, so that first and last stand where those of the text do."""
    if not landings or not all(len(outline) for _, outline in landings):
        return landings
    first, last = landings[0][1][:, 0].min(), landings[-1][1][:, 0].max()
    wanted = float(label.get_left()[0]), float(label.get_right()[0])
    spare = (wanted[1] - wanted[0] - (last - first)) / max(len(landings) - 1, 1)
    offsets = wanted[0] - first + spare * np.arange(len(landings))
    return [
        (letter, outline + _along(offset))
        for (letter, outline), offset in zip(landings, offsets, strict=True)
    ]


def _along(offset: float) -> Point3D:
    return np.array([offset, 0.0, 0.0])


def _plate_at(box: tuple[float, float, float, float]) -> Points:
    corner = np.array([CORNER])
    return rounded([box], corner, corner)
