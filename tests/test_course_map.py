"""The map of the course: it leads to every film, in viewing order, for any prompt and frame."""

import numpy as np
import pytest
from played import film_of

from checking.check import check_film
from rendering.film_index import FilmEntry, course_map, film_index
from scenes import FILMS
from scenes.course_map import CourseMap, layers_drawn
from scenes.figures.road import Road
from scenes.film import Request
from scenes.region import Region
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
        (Request(prompt="How are you?"), "16:9"),
        pytest.param(
            Request(prompt="the old man gave a small red apple to the dog"),
            "1:1",
            marks=pytest.mark.sweep,
        ),
    ],
    ids=["default", "one token, light, upright", "a blank without neighbours in sight", "square"],
)
def test_the_map_is_clean(request_: Request, aspect: str) -> None:
    assert check_film(CourseMap, request_, aspect).findings == ()


def test_the_map_of_a_deep_model_draws_a_few_layers_and_those_that_films_look_at() -> None:
    assert layers_drawn(4, (2, 3)) == [0, 1, 2, 3]
    for shown in ((0, 29), (7, 8), (29, 29), (1, 15)):
        drawn = layers_drawn(30, shown)
        assert {0, 29, *shown} <= {*drawn}
        assert drawn == sorted({*drawn})
        assert len(drawn) == 4


def test_dots_stand_where_a_road_skips_layers_and_streams_are_broken_there() -> None:
    patterns, changes = np.full((3, 2, 2, 2), 0.5), np.ones((3, 2))
    room = Region(-5.0, 5.0, -3.0, 3.0)
    road = Road(["a", "b"], np.ones((2, 8)), patterns, changes, room, skipped=(1,))
    (dots,) = road.gaps
    below, above = road.blocks[1:]
    assert below.get_top()[1] < dots.get_bottom()[1] < dots.get_top()[1]
    assert dots.get_top()[1] < above.ground.get_bottom()[1]
    heights = road.streams[0].points[:, 1].reshape(-1, 4)[:, [0, 3]]
    assert len(heights) == 2
    assert heights[0, 1] < dots.get_bottom()[1] < dots.get_top()[1] < heights[1, 0]
