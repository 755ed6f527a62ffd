"""A deck as a page of reveal.js, which plays by itself: without a network, from any folder."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeAlias
from urllib.parse import quote

from rendering.pictures import address_inside
from rendering.slides.deck import HERE, Deck, template

PAGE = "index.html"
MADE_HERE = '<meta name="generator" content="Transformer Films">'  # in every page of ours
CLIPS, REVEAL = "clips", "reveal"  # folders beside the page
LICENCE = f"{REVEAL}/LICENSE"
STYLES = ("reveal/reveal.css", "deck.css")
SCRIPTS = ("reveal/reveal.js", "reveal/notes.js", "clips.js", "start.js")

Files: TypeAlias = Mapping[str, bytes | Path]  # by name in a folder: what is in them, or a copy of
Address: TypeAlias = Callable[[Path], str]  # of a file, as a page names it


def folder(deck: Deck, *, captions: bool = True) -> Files:
    """Return the files of a deck's folder: the page, its clips, and reveal.js with its licence."""
    code = {_beside(name): (HERE / name).read_bytes() for name in (*STYLES, *SCRIPTS, LICENCE)}
    return media(deck) | code | {PAGE: _page(deck, _in_folder(deck), captions=captions)}


def one_file(deck: Deck, *, captions: bool = True) -> bytes:
    """Return a page that holds everything, clips included."""
    return _page(deck, address_inside, captions=captions, holds_all=True)


def snippet(deck: Deck, address: Address | None = None, *, captions: bool = True) -> str:
    """Return the slides alone, for a deck of reveal.js that somebody has.

    Files have the names that they have in `media`, unless `address` gives them others.
    """
    slides = template("slides.html.jinja").render(
        deck=deck, address=address or _in_folder(deck), inside=address_inside, captions=captions,
        is_guest=True,
    )  # fmt: skip
    return f"{slides}<script>\n{_text('clips.js')}</script>\n"


def media(deck: Deck) -> dict[str, bytes | Path]:
    """Return the files that slides show, under their names beside a page."""
    return {name: path for path, name in _places(deck).items()}


def from_here(path: Path) -> str:
    """Return the address of a file as seen from the working directory."""
    return quote(os.path.relpath(path))


def is_ours(page: Path) -> bool:
    """Return whether a page was made here."""
    try:
        return MADE_HERE in page.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False


def _page(deck: Deck, address: Address, *, captions: bool, holds_all: bool = False) -> bytes:
    return template("deck.html.jinja").render(
        deck=deck, address=address, inside=address_inside, captions=captions, is_guest=False,
        made_here=MADE_HERE, holds_all=holds_all, licence=_text(LICENCE),
        styles={_beside(name): _text(name) for name in STYLES},
        scripts={_beside(name): _safe(_text(name)) for name in SCRIPTS},
    ).encode()  # fmt: skip


def _places(deck: Deck) -> dict[Path, str]:
    """Return what each file that slides show is called beside a page."""
    return {
        path: f"{CLIPS}/{slide.film}/{path.name}"
        for slide in deck.slides
        if slide.clip
        for path in (slide.clip.file, slide.clip.first)
    }


def _in_folder(deck: Deck) -> Address:
    return _places(deck).__getitem__


def _beside(name: str) -> str:
    """Return what one of our own files, or one of reveal.js, is called beside a page."""
    return name if "/" in name else f"{REVEAL}/{name}"


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _safe(script: str) -> str:
    """Return a script that does not end its own element, nor open a comment in it."""
    return script.replace("</script", r"<\/script").replace("<!--", r"<\!--")
