"""What a film would read now, found by asking its model again. Draws nothing."""

from collections.abc import Sequence
from contextlib import suppress
from operator import attrgetter

from rendering import playing
from rendering.numbers import Numbers, digest_of, packed
from rendering.order import Order
from scenes.chapter import Chapter


def reread(order: Order, key: str, names: Sequence[str]) -> dict[str, str]:
    """Return the digests of what names stand for now, without those that cannot be found.

    What was found is kept, so that it need not be asked for again.
    """
    try:
        chapter = playing.read(order.film, order.request, order.picture.aspect)
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the film is made
        return {}
    for name in names:
        _look_up(chapter, name)
    found = {name: data for name, data in chapter.diary.reads.items() if name in names}
    digests = {name: digest_of(data) for name, data in found.items()}
    arrays = {digests[name]: packed(data) for name, data in found.items()}
    kept = {digest: array for digest, array in arrays.items() if array is not None}
    Numbers(order.media).keep(key, digests, kept)
    return digests


def _look_up(chapter: Chapter, name: str) -> None:
    """Have the chapter read something by its name; it notes it in its diary."""
    with suppress(KeyError):
        chapter.tensor(name)
    with suppress(AttributeError):
        whose = chapter.score if name.startswith("head.") else chapter.trace
        attrgetter(name.removeprefix("head."))(whose)
