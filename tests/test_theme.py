"""The colours can be told apart and read, whoever looks."""

import itertools

import numpy as np
import pytest
from colorspacious import cspace_convert, deltaE

from scenes import theme
from scenes.theme import DARK, LIGHT, Role, Theme

SIGHTS = (None, "deuteranomaly", "protanomaly", "tritanomaly")
DATA_ROLES = (theme.QUERY, theme.KEY, theme.VALUE, theme.OUTPUT)
READ_AS_TEXT = (theme.INK, theme.QUIET, *DATA_ROLES)


def seen(color: str, sight: str | None) -> np.ndarray:
    rgb = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    if sight is None:
        return rgb
    dichromat = {"name": "sRGB1+CVD", "cvd_type": sight, "severity": 100}
    return np.clip(cspace_convert(rgb, dichromat, "sRGB1"), 0, 1)


def smallest_distance(colors: Theme, roles: tuple[Role, ...], sight: str | None) -> float:
    looks = [seen(colors.color(role), sight) for role in roles]
    return min(
        deltaE(one, other, input_space="sRGB1", uniform_space="CAM02-UCS")
        for one, other in itertools.combinations(looks, 2)
    )


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("colors", "least"), [(DARK, 25), (LIGHT, 20)])
def test_the_four_roles_can_be_told_apart(colors: Theme, least: float, sight: str | None) -> None:
    assert smallest_distance(colors, DATA_ROLES, sight) >= least


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("colors", [DARK, LIGHT])
def test_the_two_signs_can_be_told_apart(colors: Theme, sight: str | None) -> None:
    assert smallest_distance(colors, (theme.POSITIVE, theme.NEGATIVE), sight) >= 25


@pytest.mark.parametrize("role", READ_AS_TEXT)
@pytest.mark.parametrize("colors", [DARK, LIGHT])
@pytest.mark.parametrize("behind", [theme.BACKGROUND, theme.PANEL])
def test_text_stands_out_from_what_is_behind_it(colors: Theme, role: Role, behind: Role) -> None:
    assert theme.contrast(colors.color(role), colors.color(behind)) >= 4.5


@pytest.mark.parametrize("colors", [DARK, LIGHT])
@pytest.mark.parametrize("sign", [theme.POSITIVE, theme.NEGATIVE])
def test_a_number_reads_on_a_fill_of_any_strength_in_one_ink(colors: Theme, sign: Role) -> None:
    with theme.using(colors):
        shares = np.linspace(0, theme.STRONGEST_FILL, 100)
        under = colors.background, colors.panel
        fills = [theme.mix(colors.color(sign), each, x) for each in under for x in shares.tolist()]
        (ink,) = {theme.ink_on(fill) for fill in fills}
        assert min(theme.contrast(ink, fill) for fill in fills) >= 4.5


def test_contrast_is_21_between_black_and_white() -> None:
    assert theme.contrast("#000000", "#FFFFFF") == pytest.approx(21)


def test_a_theme_is_in_force_only_inside_its_block() -> None:
    before = theme.current()
    with theme.using(LIGHT):
        assert theme.color(theme.INK) == LIGHT.ink
    assert theme.current() is before
