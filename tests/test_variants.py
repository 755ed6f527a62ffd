"""Options become a picture and the name of a folder."""

from pathlib import Path

import pytest

from rendering.job import Subject, variant
from rendering.names import checkpoint_name, keep_names
from rendering.options import THEMES
from rendering.pictures import ASPECTS, picture
from scenes import theme

OWN = "a dog"  # the prompt of the film


def test_the_themes_offered_are_those_that_films_know() -> None:
    assert tuple(theme.THEMES) == THEMES


def test_slides_can_play_what_is_transparent_unless_another_format_is_named() -> None:
    assert picture(transparent=True).format == "webm"
    assert picture(transparent=True, file_format="mov").format == "mov"


def test_a_prompt_equal_to_the_default_is_the_default() -> None:
    assert variant(OWN, Subject(), picture()) == ""
    assert variant(OWN, Subject(prompt=OWN), picture()) == ""


def test_a_variant_says_what_it_is() -> None:
    asked = Subject(prompt="a robot must obey", theme="light", layer=1, head=2)
    large = picture("h", aspect="9:16", file_format="webm")
    name = variant(OWN, asked, large)
    assert name == "prompt-a-robot-must-obey_layer-1_head-2_light_9x16_1080p60_webm"
    other = Subject(checkpoint=Path("runs/my gpt"))
    assert variant(OWN, other, picture()) == "checkpoint-my-gpt"


def test_two_checkpoints_of_one_name_stand_in_folders_of_their_own(tmp_path: Path) -> None:
    media, one, other = tmp_path / "media", tmp_path / "a/gpt", tmp_path / "b/gpt"
    for folder in (one, other):
        folder.mkdir(parents=True)
        assert checkpoint_name(folder, media) == "gpt"  # as long as nobody else is called so
    keep_names([one, other], media)
    named = checkpoint_name(other, media)
    assert (checkpoint_name(one, media), named[:4], len(named)) == ("gpt", "gpt-", 10)
    keep_names([other, one], media)
    assert checkpoint_name(other, media) == named
    one.rmdir()  # its name is free again, but who has one keeps it
    assert checkpoint_name(tmp_path / "c/gpt", media) == "gpt"
    (media / ".checkpoints.json").write_text("damaged")
    assert checkpoint_name(other, media) == "gpt"


def test_half_written_names_of_a_run_that_was_killed_are_removed(tmp_path: Path) -> None:
    left = tmp_path / "..checkpoints.json.4711.part"
    left.write_text('{"gp')
    keep_names([tmp_path], tmp_path)
    assert not left.exists()


def test_no_two_prompts_share_a_folder_and_every_name_is_safe() -> None:
    prompts = [
        "a dog", "A dog", "a dog.", "a  dog", " a dog", "a-dog", "a/dog", "../a dog", "..", ".",
        "🐶", "🐱", "犬", "é", "e", "a" * 50, "a" * 51, "a " * 60, "a " * 61, "CON", "\n", "a\tdog",
    ]  # fmt: skip
    names = [variant("?", Subject(prompt=prompt), picture()) for prompt in prompts]
    assert len({name.lower() for name in names}) == len(prompts)
    for name in names:
        assert name.startswith("prompt-")
        assert name.isascii()
        assert len(name) < 100
        assert set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-_")


def test_the_short_side_of_the_frame_is_eight_units() -> None:
    for aspect in ASPECTS:
        settings = picture("h", aspect=aspect).settings("media")
        sides = settings["frame_width"], settings["frame_height"]
        assert min(sides) == pytest.approx(8)
        shape = settings["pixel_width"] / settings["pixel_height"]
        assert sides[0] / sides[1] == pytest.approx(shape)
