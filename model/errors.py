"""The one error that a user can mend, and how its sentence quotes what it is about."""

import reprlib

LONGEST_NAME = 80  # characters


class Unusable(ValueError):  # noqa: N818 - it reads as the sentence it prints
    """What was given cannot be used; the message is one plain sentence that says what to do."""


class Unsuited(Unusable):
    """A prompt lacks what a film needs; where all films are asked for, this one is left out."""


def printable(name: str) -> str:
    """Return a name out of a file, cut if it is long, escaped if some of it does not print."""
    short = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
    return short if short.isprintable() else repr(short)


def short_repr(value: object) -> str:
    """Return a value out of a JSON file in at most 40 characters, however deep or long it is."""
    return reprlib.repr(value)[:40]
