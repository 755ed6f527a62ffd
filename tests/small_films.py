"""Films of a few seconds, for the tests of rendering: one that works, and one that fails."""

import os
import signal
import time
from pathlib import Path

from manim import Square, VGroup

from scenes.film import Film, Shown, beat
from scenes.mobjects.text import Words
from scenes.verbs import Appear, Disappear, Hold, Pulse


class SmallFilm(Film):
    """A word comes, waits and goes."""

    title = "Small"
    prompt = "a dog"
    seconds = 9
    poster_beat = "it-waits"

    def cast(self) -> None:
        word = Words("{}", "word").move_to(self.stage.center)
        self.word = VGroup(word, Square(fill_opacity=1).next_to(word))
        self.stand(self.word)

    @beat("It comes & <is> there, as you can see.")
    def it_comes(self) -> Shown:
        yield Appear(self.word)

    @beat("It waits a while, " + "and a while longer, " * 4 + "as {who} can see from here.")
    def it_waits(self) -> Shown:
        ends = time.monotonic() + float(os.environ.get("PATIENCE", "0"))
        while time.monotonic() < ends:  # so that a test can stop it here
            time.sleep(0.05)  # short: what comes just before a sleep is heard after it
        yield None

    @beat("It goes.")
    def it_goes(self) -> Shown:
        yield Disappear(self.word)

    def words(self) -> dict[str, str]:
        return {"who": "everybody"}


class ShortFilm(Film):
    """It says one thing."""

    title = "Short"
    prompt = "a dog"
    seconds = 2
    poster_beat = "it-says-so"

    @classmethod
    def slug(cls) -> str:
        return "short-film"

    def cast(self) -> None:
        self.word = Words("{}", "all")
        self.stand(self.word)

    @beat("That is all.", loop=True)
    def it_says_so(self) -> Shown:
        yield Appear(self.word)


class DeadlyFilm(Film):
    """Whoever plays its second beat for the first time is killed."""

    title = "Deadly"
    prompt = "a dog"
    seconds = 2
    poster_beat = "all-is-well"

    @classmethod
    def slug(cls) -> str:
        return "deadly-film"

    @beat("All is well.")
    def all_is_well(self) -> Shown:
        yield None

    @beat("Then comes the end.")
    def the_end_comes(self) -> Shown:
        victims = Path(os.environ["VICTIMS"])
        if not victims.exists():
            victims.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        yield None


class BrokenFilm(Film):
    """Its second beat divides by zero."""

    title = "Broken"
    prompt = "a dog"
    seconds = 2
    poster_beat = "all-is-well"

    @classmethod
    def slug(cls) -> str:
        return "broken-film"

    @beat("All is well.")
    def all_is_well(self) -> Shown:
        yield None

    @beat("Nothing is well.")
    def it_breaks(self) -> Shown:
        yield Hold(1 / len(self.tokens[:0]))


class SmallMap(Film):
    """What a course of the short and the small film shows between them."""

    title = "Map"
    prompt = "a dog"
    seconds = 8
    poster_beat = "opening"

    @classmethod
    def slug(cls) -> str:
        return "small-map"

    def cast(self) -> None:
        self.word = Words("{}", "map")
        self.stand(self.word)

    @beat("Two films.")
    def opening(self) -> Shown:
        yield Appear(self.word)

    @beat("")
    def short_film(self) -> Shown:
        yield Pulse(self.word)

    @beat("")
    def small_films(self) -> Shown:
        yield Pulse(self.word)

    @beat("That was all.")
    def close(self) -> Shown:
        yield Disappear(self.word)
