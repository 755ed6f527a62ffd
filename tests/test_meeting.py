"""A query meets keys: what is drawn and written is what their numbers come to."""

import numpy as np
import pytest

from scenes.expressions import Address
from scenes.first_mobjects.meeting import Meeting, Met
from scenes.first_mobjects.notes import SmallPrint
from scenes.presence import presence
from scenes.provenance import Tensor, Value
from scenes.region import Region

QUERY = np.array([3.0, 4.0, 0.0], dtype=np.float32)
KEYS = np.array([[2.0, 2.0, 5.0], [-4.0, 1.0, 0.5]], dtype=np.float32)


def meeting(region: Region) -> Meeting:
    keys = [
        Met(name, Tensor(key, "k"), Value(float(QUERY @ key), Address("dots", (i,))))
        for i, (name, key) in enumerate(zip(("one", "other"), KEYS, strict=True))
    ]
    return Meeting("asker", Tensor(QUERY, "q"), keys, SmallPrint("a note"), region)


def test_a_shadow_is_the_product_over_the_querys_length_and_says_so() -> None:
    drawn = meeting(Region(-6.6, 6.6, -3, 2))
    for shadow, key in zip(drawn.shadows, KEYS, strict=True):
        assert shadow.length.number == pytest.approx(float(QUERY @ key) / 5)
        assert shadow.length.source == f"= {shadow.product.source} / (length of q[:])"


@pytest.mark.parametrize("region", [Region(-6.6, 6.6, -3, 2), Region(-3.5, 3.5, -3, 1.4)])
def test_arrows_names_and_numbers_stay_in_their_region(region: Region) -> None:
    drawn = meeting(region)
    assert region.left - 1e-6 <= drawn.get_left()[0] <= drawn.get_right()[0] <= region.right + 1e-6
    assert region.bottom - 1e-6 <= drawn.get_bottom()[1] <= drawn.get_top()[1] <= region.top + 1e-6


def test_the_name_of_a_key_goes_before_another_one_comes() -> None:
    drawn = meeting(Region(-6.6, 6.6, -3, 2))
    one, other = drawn.names_of_keys
    for moving, seen in (
        (drawn.reveal(), (1, 0)),
        (drawn.turn_to(1), (0, 0)),
        (drawn.reveal_name(1), (0, 1)),
    ):
        moving.begin()
        moving.finish()
        assert (presence(one), presence(other)) == seen
