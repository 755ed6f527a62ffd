"""Whatever sentence is asked for, every film is clean on the shipped model, in both themes."""

import pytest

from rendering.check import check_film
from scenes import FILMS
from scenes.chapter import Chapter, Request
from scenes.theme import THEMES, Theme

PROMPTS = (
    None,  # the film's own
    "hello",
    "a",
    "?",
    "!?!? ... ---",
    "the the the the the",
    "To date, the cleverest thinker of all time was",
    "A robot must obey the orders given it by human beings",
    "I bought an apple and an orange.",
    "American shrew mole",
    "the old man gave a small red apple to the young woman who lived near the",
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen",
    "Michael Jordan plays the sport of",
    "2 + 2 = 4",
    "el niño comió café",
    "Straße",
    "I love 🤖 robots",
    "日本語",
    "tab\tand\nline",
    "{a} <b> #c $d",
    "supercalifragilistic",
)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("prompt", PROMPTS)
@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_is_clean(film: type[Chapter], prompt: str | None, theme: Theme) -> None:
    report = check_film(film, Request(prompt=prompt, theme=theme))
    assert report.findings == ()
    assert len(report.numbers) > 1
