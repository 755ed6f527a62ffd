"""Whatever sentence, frame and head are asked for, every film is clean: for `make sweep`."""

import pytest
from plays import declared_refusals

from checking.check import check_film
from scenes import FILMS
from scenes.film import Film, Request
from scenes.theme import DARK, LIGHT, Theme

SENTENCES = (
    "a fluffy blue creature roamed the verdant forest",
    "the small brave old knight saw a tired green dragon",
    "To date, the cleverest thinker of all time was",
    "A robot must obey the orders given it by human beings",
    "I bought an apple and an orange.",
    "American shrew mole",
    "Michael Jordan plays the sport of",
    "How are you?",
    "Once upon a time, there was a",
    "the old man gave a small red apple to the young woman who lived near the",  # sixteen tokens
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
    "the cat sat on the mat and the cat sat on the mat",
    "if you can keep your head when all about you",
)
ODD = (
    "hello",
    "cats dogs",
    "a",
    "?",
    "...",
    "!?!? ... ---",
    "the the the the the",
    "2 + 2 = 4",
    "1234567890",
    "el niño comió café",
    "Straße",
    "je ne mange pas",
    "Δx → 0",
    "日本語",
    "I love 🤖 robots",
    "tab\tand\nline",
    "{a} <b> #c $d",
    "don't say 'never'",
    "supercalifragilistic",
    "NO WAY!",
    "I \u2764\ufe0f cats",  # a heart, and the mark that makes it a picture
    "a\u2060\u3164cat",  # a joiner and a filler, which nobody sees
)
PROMPTS = SENTENCES + ODD
HEADS = ((0, 0), (1, 4), (3, 4), (3, 5))

pytestmark = pytest.mark.sweep

each_film = pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())


def is_clean(film: type[Film], request: Request, aspect: str = "16:9") -> None:
    """Check a film; it may refuse what it says that it cannot show."""
    with declared_refusals(film):
        report = check_film(film, request, aspect)
    assert report.findings == ()
    assert len(report.numbers) > 1


@each_film
@pytest.mark.parametrize("theme", [DARK, LIGHT], ids=lambda theme: theme.name)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_a_film_is_clean_for_any_prompt(film: type[Film], prompt: str, theme: Theme) -> None:
    is_clean(film, Request(prompt=prompt, theme=theme))


@each_film
@pytest.mark.parametrize("aspect", ["9:16", "1:1", "4:3"])
@pytest.mark.parametrize(
    "prompt", [None, "a", "cats dogs", "the old king saw a small red robot and a 🤖 here"]
)
def test_a_film_is_clean_in_any_frame(film: type[Film], prompt: str | None, aspect: str) -> None:
    is_clean(film, Request(prompt=prompt), aspect)


@each_film
@pytest.mark.parametrize(("layer", "head"), HEADS)
def test_a_film_is_clean_for_any_head(film: type[Film], layer: int, head: int) -> None:
    is_clean(film, Request(layer=layer, head=head))
