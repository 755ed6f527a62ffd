"""Films with one fault each, in their second beat, and films that only look faulty."""

from collections.abc import Sequence

import numpy as np
from manim import Circle, Dot, Line, Mobject, Rectangle, SurroundingRectangle, VGroup
from manim.constants import DOWN, LEFT, RIGHT, UP

from scenes import theme
from scenes.expressions import Address
from scenes.film import Beat, Film, Shown, beat
from scenes.mobjects.text import Formula, Number, Numeral, TokenText, Words
from scenes.provenance import (
    Value,
    between,
    constant,
    cosine,
    count,
    dot,
    length,
    matmul,
    story,
    total,
)
from scenes.theme import BACKGROUND, INK, LEAST_SIZE, QUIET
from scenes.verbs import Appear, Dim, Disappear, Hold, Pulse, Then, Verb


class Trial(Film):
    """A film of three beats, in which something moves all the time; its fault is in the second."""

    title = "A trial"
    prompt = "a fluffy blue creature roamed"
    seconds = 20
    poster_beat = "the-end"

    @classmethod
    def beats(cls) -> list[Beat]:
        names = ("the_start", "show_fault", "the_end")
        return [getattr(cls, name).beat for name in names]

    def cast(self) -> None:
        area = self.stage.inset(0.5)
        corners = (area.left, area.bottom, 0), (area.right, area.top, 0)
        self.corners = VGroup(*(Dot(corner, radius=0.2) for corner in corners))
        self.well = Words("well").shift(2.5 * DOWN + 4 * RIGHT)
        self.faulty = self.fault()
        self.stand(self.corners, self.well, *self.faulty)

    @beat("All is well at the start.")
    def the_start(self) -> Shown:
        yield Appear(self.well, self.corners), self.sway(1.0)

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        yield Appear(*self.faulty), self.sway(1.0)

    @beat("And then the end.")
    def the_end(self) -> Shown:
        self.play(self.sway(20.0))
        yield None

    def sway(self, seconds: float) -> Verb:
        """Move, and end as it began."""
        return Pulse(self.corners[0], run_time=seconds)

    def fault(self) -> Sequence[Mobject]:
        """Make what is at fault."""
        return ()

    def value(self) -> Value:
        """A number of the trace."""
        return self.tensor("pattern")[0, 0, 2, 1].value

    def plate(self, behind: Mobject, opacity: float = 1.0, color: str = "") -> Rectangle:
        """A filled shape with room around what stands there."""
        return Rectangle(
            width=behind.width + 0.4,
            height=behind.height + 0.4,
            stroke_width=0,
            fill_color=color or theme.color(BACKGROUND),
            fill_opacity=opacity,
        ).move_to(behind)


class Clean(Trial):
    """Everything as it should be, and every form that a source can have."""

    def fault(self) -> Sequence[Mobject]:
        q, k = self.tensor("q")[0, 0], self.tensor("k")[0, 0]
        dots = matmul(k, q[2])
        values = [
            self.value(),
            q[0, 1].value * k[0, 1].value,
            q[0, 1].value - q[1, 1].value * k[0, 1].value,
            dot(q[2], k[1]),
            length(q[2]),
            cosine(q[2], k[1]),
            constant(175e9, "GPT-3, table 2.1"),
            story(0.4, "an example"),
            total(self.tensor("pattern")[0, 0, 2]),
        ]
        numbers = [Number(value).shift(UP - 0.5 * i * UP) for i, value in enumerate(values)]
        said = Words("{} tokens, {:.1e}", count(5, "tokens"), length(dots)).shift(4 * LEFT)
        return [
            *numbers,
            said,
            TokenText("7").shift(4 * LEFT + UP),
            Formula("$q_1 dot k_2$").shift(4 * RIGHT),
        ]


class TextOnText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("under"), Words("over").shift(0.1 * RIGHT)]


class NumberOnFormula(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Formula("$q dot k$"), Number(self.value())]


class LineThroughText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Line(2 * LEFT + 0.3 * DOWN, 2 * RIGHT + 0.3 * UP), Words("crossed out")]


class FaultThatComesBack(LineThroughText):
    """The fault is mended, and then made again."""

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        self.play(Appear(*self.faulty), self.sway(1.0))
        yield Disappear(*self.faulty), self.sway(1.0)

    @beat("And then the end.")
    def the_end(self) -> Shown:
        self.play(Appear(*self.faulty))
        self.play(self.sway(20.0))
        yield None


class LineBetweenLetters(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("ill")
        boxes = np.sort(word.points[:, 0])
        gaps = np.diff(boxes)
        x = boxes[gaps.argmax()] + gaps.max() / 2
        return [word, Line((x, -1, 0), (x, 1, 0), stroke_width=1)]


class CellTooNarrow(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("too wide for its cell")
        return [Rectangle(width=0.7 * word.width, height=1), word]


class TextHalfCovered(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("half hidden")
        return [word, self.plate(word).shift(RIGHT)]


class TextOutside(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("beyond the edge")
        return [word.move_to((self.stage.right, 0, 0))]


class TextOnCaptions(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("where captions stand").move_to((4, self.stage.bottom - 0.2, 0))]


class ShapeOutside(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Circle(radius=0.5).move_to((self.stage.left, 0, 0))]


class SmallText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("tiny", size=0.7 * LEAST_SIZE)]


class ShrunkText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [VGroup(Formula("$q dot k$"), Circle()).scale(0.3)]


class FaintText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("faint").set_opacity(0.4)]


class TextOnItsColor(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("same on same")
        return [self.plate(word, color=theme.color(QUIET)), word]


class TextPartlyOnItsColor(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("part on same")
        return [self.plate(word, color=theme.color(INK)).shift(1.2 * RIGHT), word]


class TextBehindVeil(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("veiled")
        return [word, self.plate(word, 0.7)]


class DigitsInTemplate(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("it is 0.73 here")]


class DigitsInQuotation(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("it is {} here", "0.73")]


class DigitsInFormula(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Formula("$q dot k = 0.73$")]


class WholeNumberInFormula(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Formula("$= 42$")]


class InventedToken(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [TokenText("0.97")]


class NoSource(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Number(Value(0.73, ""))]


class WrongText(Trial):
    def fault(self) -> Sequence[Mobject]:
        shown = Number(self.value())
        shown.numerals = (Numeral(shown.text, Value(9.87, self.value().origin)),)
        return [shown]


class WrongWords(Trial):
    def fault(self) -> Sequence[Mobject]:
        shown = Words("it is {:.1f} here", count(3, "things"))
        shown.numerals = (Numeral("3.0", count(4, "things")),)
        return [shown]


class WrongOutlines(Trial):
    def fault(self) -> Sequence[Mobject]:
        shown, other = (Number(count(number, "things")) for number in (3, 4))
        shown.points = other.points
        return [shown]


class StoppedHalfway(Trial):
    def fault(self) -> Sequence[Mobject]:
        start, end = count(3, "things"), count(4, "things")
        return [Number(between(start, end, 0.5))]


class WrongAddress(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Number(Value(self.value().number + 1e-4, self.value().origin))]


class GoneBeforeRest(WrongAddress):
    """What is at fault comes and goes within one cue: no move ends while it is seen."""

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        yield Then(Appear(*self.faulty), Hold(1.0), Disappear(*self.faulty)), self.sway(1.0)


class WrongArithmetic(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Number(Value(0.9, total(self.tensor("pattern")[0, 0, 2]).origin))]


class SourceInWordsAlone(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Number(Value(0.9, "= about what one expects"))]


class NoSuchAddress(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Number(Value(0.9, Address("pattern", (0, 0, 2, 99))))]


class CoveredText(Trial):
    """A plate hides text, line and number; new text on it is all that is seen."""

    def fault(self) -> Sequence[Mobject]:
        word = Words("hidden under the plate", size=LEAST_SIZE / 2)
        line = Line(word.get_left(), word.get_right())
        wrong = Number(Value(0.73, ""))
        return [word, line, wrong, self.plate(word), Words("seen")]


class RecededText(Trial):
    """What is not in play is faint on purpose."""

    def fault(self) -> Sequence[Mobject]:
        return [Words("not in play")]

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        self.play(Appear(*self.faulty))
        yield Dim(*self.faulty), self.sway(1.0)


class MeasuredScore(Trial):
    """What the head shown was measured to do."""

    def fault(self) -> Sequence[Mobject]:
        return [Number(self.measured())]


class InvisibleText(Trial):
    def fault(self) -> Sequence[Mobject]:
        return [Words("seen"), Words("unseen").set_opacity(0.02)]


class BoxRoundText(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("boxed {:.1f}", count(3, "things"))
        return [word, SurroundingRectangle(word, buff=0.05)]


class SlopedLineByText(Trial):
    """The line runs through the corner of the text's box, where there are no letters."""

    def fault(self) -> Sequence[Mobject]:
        word = Words("Tall and low")
        corner = word.get_corner(UP + RIGHT)
        return [word, Line(corner + (-0.12, 0.05, 0), corner + (0.05, -0.12, 0))]


class TextsSideBySide(Trial):
    def fault(self) -> Sequence[Mobject]:
        word = Words("left")
        return [word, Words("right").next_to(word, RIGHT, buff=0.0)]


class PassingBy(StoppedHalfway):
    """A mixture of two values may be seen while it is on its way."""

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        yield Then(Appear(*self.faulty), Hold(1.0), Disappear(*self.faulty)), self.sway(1.0)


class BackgroundShape(Trial):
    """A fill of the whole frame may reach beyond the safe area."""

    def fault(self) -> Sequence[Mobject]:
        ground = Rectangle(width=99, height=99, stroke_width=0, fill_opacity=0.02)
        return [ground.set_z_index(-1)]


FAULTY: dict[type[Trial], tuple[str, str]] = {
    TextOnText: ("overlap", "'under' and 'over' overlap"),
    NumberOnFormula: ("overlap", "'$q dot k$' and '"),
    LineThroughText: ("overlap", "A line (Line) goes through 'crossed out'"),
    LineBetweenLetters: ("overlap", "goes through 'ill'"),
    CellTooNarrow: ("overlap", "A line (Rectangle) goes through 'too wide for its cell'"),
    TextHalfCovered: ("overlap", "'half hidden' is partly covered"),
    TextOutside: ("outside", "'beyond the edge' reaches"),
    TextOnCaptions: ("outside", "'where captions stand' reaches"),
    ShapeOutside: ("outside", "(Circle) reaches 68 px beyond the left"),
    SmallText: ("small", "'tiny' has an em of 17.3 px"),
    ShrunkText: ("small", "'$q dot k$' has an em of"),
    FaintText: ("contrast", "'faint'"),
    TextOnItsColor: ("contrast", "'same on same'"),
    TextPartlyOnItsColor: ("contrast", "'part on same'"),
    TextBehindVeil: ("contrast", "'veiled'"),
    DigitsInTemplate: ("number", "'it is 0.73 here' has digits that have no source"),
    DigitsInQuotation: ("number", "'it is 0.73 here' has digits that have no source"),
    DigitsInFormula: ("number", "'$q dot k = 0.73$' has digits that have no source"),
    WholeNumberInFormula: ("number", "'$= 42$' has digits that have no source"),
    InventedToken: ("number", "'0.97' has digits that have no source"),
    NoSource: ("number", "'0.73' in '0.73' has no source"),
    WrongText: ("number", "does not show its value 9.87"),
    WrongWords: ("number", "'3.0' in 'it is 3.0 here' does not show its value 4"),
    WrongOutlines: ("number", "'3.00' in '3.00' is drawn as another number"),
    StoppedHalfway: ("number", "'3.50' in '3.50' is at rest on its way"),
    WrongAddress: ("source", "but pattern[0,0,2,1] is"),
    GoneBeforeRest: ("source", "but pattern[0,0,2,1] is"),
    WrongArithmetic: ("source", "but = sum over key of pattern[0,0,2,:] is 1"),
    SourceInWordsAlone: ("number", "'0.90' in '0.90' has no source"),
    NoSuchAddress: (
        "source",
        "worked out (pattern[0,0,2,99]): index 99 is out of bounds",
    ),
}
CLEAN: tuple[type[Trial], ...] = (
    Clean,
    CoveredText,
    MeasuredScore,
    RecededText,
    InvisibleText,
    BoxRoundText,
    SlopedLineByText,
    TextsSideBySide,
    PassingBy,
    BackgroundShape,
)
