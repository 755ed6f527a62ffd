"""The map of the course: it leads to every film, in viewing order, for any prompt and frame."""

import pytest
from played import film_of

from checking.check import check_film
from rendering.film_index import FilmEntry, course_map, film_index
from scenes import FILMS
from scenes.course_map import CourseMap
from scenes.film import Request
from scenes.theme import LIGHT

OF_THE_COURSE = {"opening", "other-pictures", "close"}  # beats that lead to no film


def test_the_map_leads_to_every_film_in_viewing_order() -> None:
    stops = [name for name in course_map().beats if name not in OF_THE_COURSE]
    assert stops == [entry.slug for entry in film_index()]


def test_the_map_announces_each_part_of_the_course_before_its_first_film() -> None:
    script = dict(film_of(CourseMap, Request()).script())
    acts = {film.slug(): film.__module__.split(".")[1] for film in FILMS}
    firsts = [slug for slug, act in acts.items() if slug == next(s for s in acts if acts[s] == act)]
    announced = [slug for slug in acts if script[slug].startswith("Part ")]
    assert announced == firsts


def test_the_map_is_known_without_being_imported() -> None:
    assert course_map() == FilmEntry.of(CourseMap)


@pytest.mark.parametrize(
    ("request_", "aspect"),
    [
        (Request(), "16:9"),
        (Request(prompt="a", theme=LIGHT), "9:16"),
        pytest.param(
            Request(prompt="the old man gave a small red apple to the dog"),
            "1:1",
            marks=pytest.mark.sweep,
        ),
    ],
    ids=["default", "one token, light, upright", "square"],
)
def test_the_map_is_clean(request_: Request, aspect: str) -> None:
    assert check_film(CourseMap, request_, aspect).findings == ()
