"""What a film would read now, found by asking its model again. Draws nothing."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from rendering import playing
from rendering.numbers import Numbers, digest_of, packed
from rendering.order import Order
from scenes.chapter import Chapter
from scenes.diary import Diary

NOT_THERE = ""  # the digest of what cannot be read any more


def reread(order: Order, key: str, names: Sequence[str]) -> dict[str, str]:
    """Return the digests of what names stand for now.

    What was found is kept, so that it need not be asked for again.
    """
    try:
        found = _found(order, names)
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the film is made
        return {}
    digests = {name: digest_of(found[name]) if name in found else NOT_THERE for name in names}
    arrays = {digests[name]: packed(data) for name, data in found.items() if name in digests}
    kept = {digest: array for digest, array in arrays.items() if array is not None}
    Numbers(order.media).keep(key, digests, kept)
    return digests


def _found(order: Order, names: Sequence[str]) -> Mapping[str, object]:
    """Read names one by one; play the film, unseen, if some are read only as it goes on."""
    chapter = playing.read(order.film, order.request, order.picture.aspect)
    for name in names:
        _look_up(chapter, name)
    if set(names) <= set(chapter.diary.reads):
        return chapter.diary.reads
    unseen = replace(order.request, beats=frozenset(), diary=Diary())
    still = replace(order.picture, format="png")
    with playing.staged(order.film, unseen, still, Path()) as film:
        film.render()
    return {**chapter.diary.reads, **film.diary.reads}


def _look_up(chapter: Chapter, name: str) -> None:
    """Have the chapter read something by its name; it notes it in its diary."""
    with suppress(KeyError):
        chapter.tensor(name)
    with suppress(AttributeError):
        whose = chapter.score if name.startswith("head.") else chapter.trace
        attrgetter(name.removeprefix("head."))(whose)
