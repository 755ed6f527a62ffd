"""Several films at once: what goes wrong with one does not stop the others."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from rendering import films
from rendering.asked import Asked
from rendering.claim import Claim, alive, sweep
from rendering.course import Course
from rendering.crew import Crew, Ears
from rendering.failures import FilmFailed, Unwritable, making_failed
from rendering.making import Making
from rendering.numbers import Numbers
from rendering.order import Order
from rendering.pictures import Picture
from rendering.plan import plan
from rendering.share import Report, Share
from rendering.summary import Outcome, Summary, raise_together
from rendering.survey import Survey, survey
from rendering.telling import Teller

if TYPE_CHECKING:
    from scenes.film import Request


def request(chosen: dict[str, Any]) -> Request:
    """Return what the options `prompt`, `checkpoint`, `layer`, `head` and `theme` ask for."""
    return Asked.of(chosen).request()


def orders(
    names: Sequence[str], picture: Picture, chosen: dict[str, Any], commands: Sequence[str] = ()
) -> list[Order]:
    """Return an order for each film named; `Unusable` if one cannot be carried out."""
    found = films.find(names, commands)
    beats = tuple(chosen.get("beats", ()))
    films.refuse_unknown_beats(found, beats)
    asked = Asked.of(chosen)
    digest = asked.digest()
    again = chosen.get("again", False)
    return [Order(card, asked, picture, chosen["media"], digest, beats, again) for card in found]


class Run:
    """Films being made together by one crew."""

    def __init__(self, crew: Crew, teller: Teller) -> None:
        self.crew, self.teller = crew, teller
        crew.say = teller.say
        self._outcomes: dict[Order, Outcome] = {}
        self._makings: dict[Order, Making] = {}
        self._shares: dict[Order, int] = {}  # that have not ended
        self._began = time.monotonic()

    @property
    def outcomes(self) -> list[Outcome]:
        """What has become of each order so far."""
        return list(self._outcomes.values())

    def make(self, wanted: Sequence[Order]) -> list[Outcome]:
        """Make what is not fresh of some orders; those of another run come last."""
        for order in wanted:
            self._outcomes[order] = Outcome(order)
        stale = [order for order in wanted if not self._look(order).is_fresh]
        if stale:
            sweep(wanted[0].media)
            claims = {order: Claim(order.place) for order in stale}
            with ExitStack() as ending:
                for claim in claims.values():
                    ending.callback(claim.release)
                held = [order for order in stale if claims[order].take()]
                self._make(held, claims)
                for order in stale:
                    if order not in held:
                        self._make_after_others(order, claims)
            Numbers(wanted[0].media).trim()
        return self.outcomes

    def _look(self, order: Order) -> Survey:
        found, outcome = survey(order), self._outcomes[order]
        outcome.reused = [name for name in order.names if name not in found.stale_beats]
        outcome.was_fresh = found.is_fresh
        if found.is_fresh:
            self.teller.say(f"{order.card.slug}: fresh, nothing to do")
        return found

    def _make_after_others(self, order: Order, claims: Mapping[Order, Claim]) -> None:
        try:
            claims[order].wait(self.teller.say)
        except FilmFailed as problem:
            self._failed(order, problem)
        else:
            self._make([order], claims)

    def _make(self, held: Sequence[Order], claims: Mapping[Order, Claim]) -> None:
        """Make films whose folders are held, all at once; let go of each as it is done.

        They are looked at once more: another run may just have let go of one.
        """
        with alive([claims[order] for order in held]):
            stale = [found for order in held if not (found := self._look(order)).is_fresh]
            self._makings = {found.order: Making(found, claims[found.order]) for found in stale}
            for order in set(held) - set(self._makings):
                claims[order].release()
            shares = self._plan()
            for making in self._makings.values():
                self.teller.begin(making.order.card.slug, len(making.open))
                if not making.open:
                    self._finish(making)
            if shares:
                self.crew.draw(shares, Ears(self._clip, self._end))

    def _plan(self) -> list[Share]:
        work = {
            making.order: {
                beat: float(words)
                for beat, words in zip(
                    making.order.card.beats, making.order.card.words, strict=True
                )
                if beat in making.open
            }
            for making in self._makings.values()
            if making.open
        }
        parts = plan(work, self.crew.size) if work else []
        self._shares = {order: sum(part.film is order for part in parts) for order in work}
        return [Share(part.film, part.beats, self._makings[part.film].folder) for part in parts]

    def _clip(self, share: Share, report: Report) -> None:
        making = self._makings[share.order]
        if (problem := _moved(share.order)) is not None:
            self._failed(share.order, problem)
            return
        making.take_in(share, report)
        self._outcomes[share.order].drawn.append(report.beat)
        frames = report.duration * share.order.picture.fps
        self.teller.drawn(share.order.card.slug, report.beat, frames)
        if not making.open:
            self._finish(making)

    def _end(self, share: Share, error: Exception | None) -> None:
        self._shares[share.order] -= 1
        if error is not None:
            self._failed(share.order, error)
        if not self._shares[share.order] and self._makings[share.order].open:
            self._makings[share.order].claim.release()

    def _finish(self, making: Making) -> None:
        try:
            making.finish()
        except Unwritable:
            raise
        except Exception as error:  # noqa: BLE001 - the other films go on
            self._failed(making.order, error)
            return
        finally:
            making.claim.release()
        outcome = self._outcomes[making.order]
        outcome.seconds = time.monotonic() - self._began
        clips = f"{len(outcome.drawn)} clips drawn, {len(outcome.reused)} reused"
        self.teller.say(f"{making.order.card.slug}: made in {outcome.seconds:.0f} s, {clips}")

    def _failed(self, order: Order, error: Exception) -> None:
        """Note what went wrong; a folder that cannot be written is the same for all."""
        if isinstance(error, Unwritable):
            raise error
        known = isinstance(error, FilmFailed | Unusable)
        problem = error if known else making_failed(order.card.slug, error)
        outcome = self._outcomes[order]
        if outcome.problem is None:
            outcome.problem = problem
            if len(self._outcomes) > 1:
                self.teller.say(str(problem))


def _moved(order: Order) -> Exception | None:
    """Return what is wrong if the model is no longer the one that the order is for."""
    try:
        if order.asked.digest() == order.digest:
            return None
    except Unusable as problem:
        return problem
    return FilmFailed(
        f"The checkpoint {order.asked.folder} changed while {order.card.slug} was drawn: run it "
        "again."
    )


def render(wanted: Sequence[Order], hands: Crew, tell: Callable[[Summary], None]) -> None:
    """Make the files of films; in the end, however it comes, `tell` hears what became of them.

    Raises what went wrong, as one sentence for all, once everything else is made.
    """
    began, summary = time.monotonic(), Summary([], None, 0.0)
    try:
        with Teller() as teller, hands:
            run = Run(hands, teller)
            try:
                run.make(wanted)
            finally:
                summary.outcomes = run.outcomes
            course = Course.of(wanted)
            if course and all(each.is_done for each in run.outcomes):
                summary.course = course.make(teller.say)
            summary.seconds = time.monotonic() - began
            if len(wanted) > 1:
                teller.say(str(summary))
    finally:
        tell(summary)
    summary.raise_problems()


def for_each(
    wanted: Sequence[Order], act: Callable[[Order], None], say: Callable[[str], None]
) -> None:
    """Do something with every order; raise in the end if some failed, told by `say` before.

    A media directory that cannot be written is the same for all, and is raised at once.
    """
    problems: list[Exception] = []
    for order in wanted:
        try:
            act(order)
        except Unwritable:
            raise
        except (FilmFailed, Unusable) as problem:
            problems.append(problem)
        except Exception as error:  # noqa: BLE001 - the other films go on
            problems.append(making_failed(order.card.slug, error))
        else:
            continue
        if len(wanted) > 1:
            say(str(problems[-1]))
    raise_together(problems, len(wanted))
