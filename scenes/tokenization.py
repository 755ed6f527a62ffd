"""What is said of how a text was cut. It draws nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scenes.mobjects.text import visible
from scenes.narration import counted
from scenes.pieces import Unit, spoken

if TYPE_CHECKING:
    from model.tokenization import Cutting


def of_bytes(cutting: Cutting) -> str:
    """Say how many characters and bytes there are."""
    characters, raw = len(cutting.characters), len(cutting.raw)
    read = "This one" if cutting.is_as_written else "As this tokenizer reads it, this one"
    each = f"{read} has {counted(characters, 'character')} in {counted(raw, 'byte')}"
    said = f"{each}." if characters == raw else f"{each}: some characters take several."
    return f"{said} A dot is a space." if b" " in cutting.raw else said


def of_the_first_merge(cutting: Cutting) -> str:
    """Say what a tokenizer has learned, and which neighbours merge first."""
    if not cutting.listed:
        return (
            "Many tokenizers learn a long list of pairs that belong together. "
            "This one has none: it looks up its pieces in another way."
        )
    learned = "A tokenizer has learned a long list of pairs that belong together."
    if not cutting.is_merged:
        return f"{learned} This one does not cut this text by merging alone."
    if not cutting.merges:
        return f"{learned} No two neighbours here are in it."
    first, raw = cutting.merges[0], cutting.raw
    left, right = spoken(raw[first.start : first.middle]), spoken(raw[first.middle : first.end])
    return (
        f"{learned} Of all neighbours here, {left} and {right} stand highest in it: "
        "they merge first."
    )


def first_pair(cutting: Cutting) -> tuple[str, str]:
    """Return the two neighbours that merge first, as they are shown."""
    first = cutting.merges[0]
    one, other = (first.start, first.middle), (first.middle, first.end)
    return visible(cutting.shown(*one)), visible(cutting.shown(*other))


def of_the_merges(cutting: Cutting) -> str:
    """Say how many merges follow."""
    if not cutting.merges:
        if cutting.listed and not cutting.is_merged:
            return f"It finds {counted(len(cutting.own), 'piece')}."
        return f"So nothing is merged, and there {_are(len(cutting.own), 'piece')}."
    if len(cutting.rules) == 1:
        return "After that no two neighbours are in the list, and nothing more can merge."
    merges = counted(len(cutting.merges), "merge")
    return (
        f"Then the next best pair, and the next: {merges} in all, "
        "until no two neighbours are in the list."
    )


def of_the_tokens(cutting: Cutting) -> str:
    """Say how many tokens are left, and how to read them."""
    said = f"That leaves {counted(len(cutting.own), 'token')}."
    if cutting.around:
        names = " and ".join(dict.fromkeys(cutting.around))
        said += f" To every text this tokenizer adds {names}, which stands for no text."
    if cutting.leading_spaces:
        said += " The space before a word belongs to its token."
    if any("⟨" in piece for piece in cutting.pieces):
        said += " A byte that is no character by itself is written as a number to base sixteen."
    return said


def of_the_pairs(cutting: Cutting, stretches: Sequence[str]) -> str:
    """Say what characters, tokens and stretches between spaces cost in pairs."""
    characters, tokens = len(cutting.characters), len(cutting.ids)
    return (
        f"{counted(characters, 'character')} would make {counted(characters**2, 'pair')}, "
        f"{counted(tokens, 'token')} {'makes' if tokens == 1 else 'make'} {tokens**2:,}. "
        f"Spaces alone would give {counted(len(stretches), 'piece')}, "
        "but no list holds every word."
    )


def of_the_units(units: Sequence[Unit], met: Callable[[str], int]) -> str:
    """Say in how many documents units stand: the smallest two, and the whole."""
    named = [unit for i, unit in enumerate(units) if i < 2 or i == len(units) - 1]
    found = [f"{unit.name} is in {met(unit.text) or 'none'}" for unit in named]
    listed = ", ".join(found[:-1]) + " and " * (len(found) > 1) + found[-1]
    return (
        f"{listed[0].upper()}{listed[1:]}. "
        "A good token says something, and is met often enough to learn from."
    )


def of_two_words(common: str | None, rare: str, pieces: Callable[[str], int]) -> str:
    """Say how a word that is whole and one that breaks are cut; no pieces: it is not known."""
    if pieces(rare) < 2:
        end = "is a token, too." if pieces(rare) else "is not known: its token only says so."
        start = f"A common word such as {common.strip()} comes together whole. " if common else ""
        which = "Even a rare one" if pieces(rare) else "A rare one"
        return f"{start}{which} such as {rare.strip()} {end}"
    broken = f"{rare.strip()} stays in {counted(pieces(rare), 'piece')}, each of them a token."
    if common is None:
        return f"Not every word comes together: {broken}"
    whole = f"A common word such as {common.strip()} comes together whole."
    return f"{whole} A rare one does not: {broken}"


def of_the_rows(cutting: Cutting) -> str:
    """Say how many rows the vocabulary has, and how many of them no token has taken."""
    rows = cutting.largest_id + 1
    empty = f", {rows - cutting.d_vocab:,} of them empty" if rows > cutting.d_vocab else ""
    return f"{rows:,} rows here{empty}"


def _are(number: int, noun: str) -> str:
    return f"{'is' if number == 1 else 'are'} {counted(number, noun)}"
