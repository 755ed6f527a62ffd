"""What is written and what is said: symbols, formulas, tokens that are no words."""

from pathlib import Path

import pytest
from played import film_of
from small_films import SmallFilm

from checking.check import speech_faults
from scenes.film import Film, Request, Shown, beat
from scenes.pronunciation import spelled, spoken


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("The matrix W_Q makes the query.", "The matrix W sub Q makes the query."),
        ("e to the \N{MINUS SIGN}\N{INFINITY} is zero", "e to the minus infinity is zero"),
        ("rain, fore and st. Why?", "rain, fore and S T. Why?"),
        ("In GPT-3, over 150 million.", "In GPT-3, over 150 million."),
        ("2,704 pairs, 99.8% of {them}", "2,704 pairs, 99.8% of them"),
        ("Δx é 🤖", "delta x e robot face"),
        (
            "it doesn\N{RIGHT SINGLE QUOTATION MARK}t see ⟨U+200B⟩",
            "it doesn't see character 2 0 0 B",
        ),
        ("Swap ⟨AF⟩ and it", "Swap byte A F and it"),
        ("Is that so? It is!", "Is that so? It is!"),
        (
            "it says \N{LEFT DOUBLE QUOTATION MARK}?!\N{RIGHT DOUBLE QUOTATION MARK}.",
            "it says question mark exclamation mark.",
        ),
    ],
)
def test_it_is_said_as_somebody_would_read_it(written: str, said: str) -> None:
    assert spoken(written.replace("{", "").replace("}", "")) == said


def test_nothing_that_voices_cannot_read_is_left() -> None:
    every = "".join(map(chr, (*range(32, 0x3000), *range(0x1F300, 0x1F700))))
    assert spoken(every).isascii()


def test_what_would_be_spelled_is_told() -> None:
    assert spelled("Every word, 64 numbers, don't stop: W_Q!") == []
    assert spelled("the qkv of x² and st") == ["qkv", "st", "²"]


class Symbols(Film):
    """It says one thing, and shows another."""

    title = "Symbols"
    prompt = "a dog"
    seconds = 2
    poster_beat = "it-says-so"

    @beat("A qkv, | of {who}.", spoken="A query, | of {who}.")
    def it_says_so(self) -> Shown:
        yield None
        yield None

    @beat("The qkv of {who}.")
    def it_spells(self) -> Shown:
        yield None

    def words(self) -> dict[str, str]:
        return {"who": "xyz"}


def test_check_lists_what_a_film_would_have_spelled(asked: Request) -> None:
    film = film_of(Symbols, asked)
    says, spells = film.beats()
    assert not [*speech_faults(film, says)]
    (fault,) = speech_faults(film, spells)
    assert fault.kind == "speech"
    assert "'qkv'" in fault.message
    assert not [*speech_faults(film_of(SmallFilm, asked), SmallFilm.beats()[1])]


def test_a_line_of_its_own_is_spoken(tiny_checkpoint: Path) -> None:
    film = film_of(Symbols, Request(checkpoint=tiny_checkpoint))
    assert film._filled(film.beats()[0].spoken_line(film.circumstances())) == (
        "A query,",
        "of xyz.",
    )
