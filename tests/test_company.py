"""A head alone stands beside all heads so that its pattern can go to them and cross no text."""

import numpy as np
import pytest
from manim import Square

from scenes.analysis.attention_head import STEPS, AttentionHead
from scenes.first_mobjects.company import AloneAndInCompany
from scenes.first_mobjects.deck import fan_places
from scenes.provenance import Tensor
from scenes.region import Region

WIDE = Region(-6.6, 6.6, -3.1, 2.1)
SQUARE = Region(-3.55, 3.55, -3.1, 1.8)
UPRIGHT = Region(-3.55, 3.55, -6.2, 4.8)


def company(region: Region, heads: int = 6, tokens: int = 4) -> AloneAndInCompany:
    patterns = np.tril(np.ones((heads, tokens, tokens), dtype=np.float32))
    patterns /= patterns.sum(axis=-1, keepdims=True)
    z = Tensor(np.ones((tokens, 8), dtype=np.float32), "z")
    steps = dict.fromkeys(STEPS, z) | {"pattern": Tensor(patterns[0], "pattern")}
    weights = [Tensor(np.ones((24, 8), dtype=np.float32), f"weights.W_{kind}") for kind in "QKV"]
    lone = AttentionHead(*(steps[name] for name in STEPS))
    return AloneAndInCompany(lone, 0, Tensor(patterns, "pattern"), weights, z=z, region=region)


def touch(one: object, other: object) -> bool:
    """Say whether the boxes of two mobjects overlap."""
    boxes = [Square().replace(each, stretch=True) for each in (one, other)]
    gaps = np.abs(boxes[0].get_center() - boxes[1].get_center())
    room = [(boxes[0].width + boxes[1].width) / 2, (boxes[0].height + boxes[1].height) / 2]
    return bool((gaps[:2] < room).all())


@pytest.mark.parametrize("region", [WIDE, SQUARE, UPRIGHT])
@pytest.mark.parametrize("heads", [1, 6, 12])
def test_no_text_stands_between_a_pattern_and_its_place_among_all(
    region: Region, heads: int
) -> None:
    whole = company(region, heads)
    front = fan_places(heads, whole.fan)[0]
    parts = (whole.own, whole.pattern, whole.name_alone, whole.fan_name, whole.notes, front)
    for i, one in enumerate(parts):
        assert not any(touch(one, other) for other in parts[i + 1 :])
    assert whole.width <= region.width + 1e-6
    for share in np.linspace(0, 1, 11):
        flying = Square(whole.pattern.width + share * (front.width - whole.pattern.width))
        path = (1 - share) * whole.pattern.get_center() + share * front.get_center()
        flying.move_to(path)
        assert not any(touch(flying, text) for text in (whole.name_alone, whole.fan_name))
        assert not touch(flying, whole.own)
