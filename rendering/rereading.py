"""What a film would read now, found by asking its model again. Draws nothing."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from rendering import playing
from rendering.numbers import Numbers, digest_of, packed
from rendering.order import Order
from scenes.diary import Diary
from scenes.film import Film

NOT_THERE = ""  # the digest of what cannot be read any more


def reread(order: Order, key: str, reads: Mapping[str, str]) -> dict[str, str]:
    """Return the digests, by name, of what was read as it is now; `reads` are those of then.

    Once something is found to have changed, the rest may be left out. What was found is kept, so
    that it need not be asked for again.
    """
    numbers = Numbers(order.media)
    try:
        chapter = playing.read(order.film, order.request, order.picture.aspect)
        for name in reads:
            _look_up(chapter, name)
        known = _kept(numbers, key, reads, chapter.diary)
        has_changed = not all(numbers.same(reads[name], known[name]) for name in known)
        if has_changed or set(reads) <= set(known):
            return known
        rest = dict.fromkeys(reads, NOT_THERE) | known | _kept(numbers, key, reads, _played(order))
    except Exception:  # noqa: BLE001 - whatever it is, it is told when the film is made
        return {}
    numbers.keep(key, rest, {})
    return rest


def _played(order: Order) -> Diary:
    """Play the film, unseen, for what it reads only as it goes on."""
    unseen = replace(order.request, beats=frozenset(), diary=Diary())
    still = replace(order.picture, format="png")
    with playing.staged(order.film, unseen, still, Path()) as chapter:
        chapter.render()
    return chapter.diary


def _kept(numbers: Numbers, key: str, names: Collection[str], diary: Diary) -> dict[str, str]:
    """Keep what a diary has of some names; return its digests."""
    found = {name: data for name, data in diary.reads.items() if name in names}
    digests = {name: digest_of(data) for name, data in found.items()}
    arrays = {digests[name]: packed(data) for name, data in found.items()}
    numbers.keep(key, digests, {name: array for name, array in arrays.items() if array is not None})
    return digests


def _look_up(chapter: Film, name: str) -> None:
    """Have the chapter read something by its name; it notes it in its diary."""
    with suppress(KeyError):
        chapter.tensor(name)
    with suppress(AttributeError):
        whose = chapter.score if name.startswith("head.") else chapter.trace
        attrgetter(name.removeprefix("head."))(whose)
