"""Check finds films that stand still for too long, empty stages and sparse pictures."""

from typing import Any

import pytest
from manim import Circle

from checking.check import check_film
from checking.report import Finding
from scenes.film import Beat, Film, Request, Shown, beat
from scenes.verbs import Appear, Disappear, Hold, MoveTo, Pulse, Then, Verb


class Staged(Film):
    """Something large moves nearly all the time; a subclass shows its fault in the second beat."""

    title = "A trial"
    prompt = "a fluffy blue creature roamed"
    seconds = 40
    poster_beat = "the-end"

    @classmethod
    def beats(cls) -> list[Beat]:
        return [getattr(cls, name).beat for name in ("the_start", "show_fault", "the_end")]

    def cast(self) -> None:
        self.ball = Circle(2.4).move_to(self.stage.center)
        self.stand(self.ball)

    def sway(self, seconds: float) -> Verb:
        """Go and come back, so that both ends look the same."""
        return Pulse(self.ball, run_time=seconds)

    @beat("All is well at the start.")
    def the_start(self) -> Shown:
        self.play(Appear(self.ball))
        yield self.sway(2.0)

    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        self.play(self.sway(1.2))
        self.fault()
        yield self.sway(1.6)

    @beat("And then the end.")
    def the_end(self) -> Shown:
        self.play(self.sway(30.0))
        yield None

    def fault(self) -> None:
        """Do as a film should not."""


class LongRest(Staged):
    def fault(self) -> None:
        self.wait(1.4)
        self.wait(1.3)


class PlayOfNothing(Staged):
    """A play in which nothing changes is a rest."""

    def fault(self) -> None:
        self.wait(1.3)
        self.play(MoveTo(self.ball, self.ball.get_center(), run_time=1.4))


class RestInPlay(Staged):
    """A play may begin with a rest."""

    def fault(self) -> None:
        self.play(Hold(2.75), Pulse(self.ball, run_time=0.25))


class LongLastRest(Staged):
    @beat("Then comes the fault, and it takes as long as it takes to say all this slowly, once.")
    def show_fault(self) -> Shown:
        yield self.sway(1.0)


class EmptyStage(Staged):
    def fault(self) -> None:
        self.play(Disappear(self.ball))
        self.wait(0.2)
        self.play(Appear(self.ball))


class EmptyOnTheWay(Staged):
    """A stage may not be empty between two things either, while they move."""

    def fault(self) -> None:
        self.play(Then(Disappear(self.ball), Hold(0.5), Appear(self.ball)))


class SparsePicture(Staged):
    @beat("Then comes the fault.")
    def show_fault(self) -> Shown:
        yield MoveTo(self.ball, self.ball, scale=0.7, run_time=1.6)

    @beat("And then the end.")
    def the_end(self) -> Shown:
        yield Then(MoveTo(self.ball, self.ball, scale=1 / 0.7), self.sway(30.0))


class MostlyAtRest(Staged):
    @beat("And then the end.")
    def the_end(self) -> Shown:
        self.wait(2.0)
        yield self.sway(1.0)


def found(film: type[Film], request: Request) -> tuple[Finding, ...]:
    return check_film(film, request).findings


@pytest.mark.parametrize(
    ("film", "kind", "message"),
    [
        (LongRest, "freeze", " s of the film; 2.5 s is the most."),
        (PlayOfNothing, "freeze", " s of the film; 2.5 s is the most."),
        (RestInPlay, "freeze", " s of the film; 2.5 s is the most."),
        (LongLastRest, "freeze", "s in the beat's last rest; 4.0 s is the most."),
        (EmptyStage, "blank", "Nothing is seen but what the film stands in."),
        (EmptyOnTheWay, "blank", " s of the film."),
        (SparsePicture, "sparse", "of its width; it needs 60% or 70%"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_fault_of_staging_is_found_in_its_beat(
    film: type[Staged], kind: str, message: str, asked: Request
) -> None:
    (finding,) = found(film, asked)
    assert (finding.beat, finding.kind) == ("show-fault", kind)
    assert message in finding.message


def test_a_film_that_mostly_stands_still_is_told_so(asked: Request) -> None:
    (finding,) = found(MostlyAtRest, asked)
    assert (finding.beat, finding.kind) == ("whole-film", "freeze")
    assert "of the film; 20% is the most." in finding.message


@pytest.mark.parametrize("changes", [{}, {"fault": lambda film: film.wait(1.0)}])
def test_nothing_is_found_where_the_staging_is_right(
    changes: dict[str, Any], asked: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, change in changes.items():
        monkeypatch.setattr(Staged, name, change)
    assert found(Staged, asked) == ()
