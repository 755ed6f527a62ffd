"""Films of a few seconds, for the tests of rendering: one that works, and one that fails."""

import os
import signal
import time
from pathlib import Path

from loose_film import Film, beat
from loose_verbs import Appear, Leave

from scenes.mobjects.text import Words


class SmallFilm(Film):
    """A word comes, waits and goes."""

    title = "Small"
    prompt = "a dog"
    seconds = 9
    poster_beat = "it-waits"

    def cast(self) -> None:
        self.word = Words("{}", "word").move_to(self.content.center)

    @beat("It comes & <is> there.")
    def it_comes(self) -> None:
        self.play(Appear(self.word))

    @beat("It waits a while, " + "and a while longer, " * 4 + "as {who} can see from here.")
    def it_waits(self) -> None:
        time.sleep(float(os.environ.get("PATIENCE", "0")))  # so that a test can stop it here

    @beat("It goes.")
    def it_goes(self) -> None:
        self.play(Leave(self.word))

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

    @beat("That is all.")
    def it_says_so(self) -> None:
        self.play(Appear(Words("{}", "all")))


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
    def all_is_well(self) -> None:
        self.play(Appear(Words("{}", "well")))

    @beat("Then comes the end.")
    def the_end_comes(self) -> None:
        victims = Path(os.environ["VICTIMS"])
        if not victims.exists():
            victims.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)


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
    def all_is_well(self) -> None:
        self.rest()

    @beat("Nothing is well.")
    def it_breaks(self) -> None:
        self.rest(1 / len(self.tokens[:0]))
