"""`manifest.json`: what a film's files show and how they were made, for whoever uses them."""

import platform
from collections.abc import Mapping
from typing import Any

from rendering.ledger import exact
from rendering.order import Order
from rendering.recipe import COMPUTE, DRAW, versions

NAME = "manifest.json"


def content(order: Order, said: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the manifest of an order; `said` is how each beat that is there was played."""
    beats = [_beat(order, name, entry) for name, entry in said.items()]
    files = {} if order.beats and not _has_film(order) else order.film_files
    return {
        **_shown(order, next(iter(said.values()))),
        "duration": float(sum(map(exact, (beat["duration"] for beat in beats)))),
        "versions": {"python": platform.python_version()} | versions(DRAW) | versions(COMPUTE),
        **files,
        "beats": beats,
    }


def _has_film(order: Order) -> bool:
    return all((order.place / name).exists() for name in order.film_files.values())


def _shown(order: Order, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the film shows and how it looks."""
    card, picture = order.card, order.picture
    return {
        "film": card.slug,
        "title": card.title,
        "goal": card.goal,
        "prompt": card.prompt if order.asked.prompt is None else order.asked.prompt,
        "tokens": said["tokens"],
        "checkpoint": order.digest,
        "layer": said["layer"],
        "head": said["head"],
        "quality": picture.quality,
        "width": picture.width,
        "height": picture.height,
        "fps": picture.fps,
        "aspect": picture.aspect,
        "format": picture.format,
        "transparent": picture.transparent,
        "theme": order.asked.theme,
    }


def _beat(order: Order, name: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the manifest says of a beat."""
    times = {key: said[key] for key in ("narration", "start", "duration")}
    return {"name": name, **times, **order.beat_files(name)}
