"""What the story of a token that asks comes to. It knows tokens only."""

from __future__ import annotations

from collections.abc import Sequence

from scenes.analysis.selection import HERO


def outcome(tokens: Sequence[str], asker: int) -> str:
    """Tell what the story comes to for the token that asks."""
    if tokens[asker] != HERO or asker < 2:
        return "a word takes in the words that describe it"
    phrase = "".join(tokens[max(0, asker - 3) : asker + 1]).strip()
    return f"{HERO.strip()} becomes {phrase}"
