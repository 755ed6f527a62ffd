"""What somebody who writes a film looks up first: what a model makes of some prompts.

Tokens, the keys that the followed head looks at, guesses, and how the stream changes by layer,
for several prompts side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from scenes.diary import Diary
from scenes.mobjects.text import visible
from scenes.study import Study

STRONGEST = 3  # keys of each query
GUESSES = 5


@dataclass(frozen=True)
class Look:
    """What a model makes of one prompt.

    `keys` holds, for each query, the places and weights of the keys that it looks at most, in the
    head shown. `guesses` are the likeliest next tokens with their probabilities. `cosines` are
    those between the last token's residual stream before the first layer and after each layer;
    `apart` the same between this prompt's last token and the first prompt's, from the embedding
    on.
    """

    prompt: str
    tokens: tuple[str, ...]
    layer: int
    head: int
    keys: tuple[tuple[tuple[int, float], ...], ...]
    guesses: tuple[tuple[str, float], ...]
    cosines: tuple[float, ...]
    apart: tuple[float, ...]

    def told(self) -> dict[str, Any]:
        """Return it as `look --json` tells it."""
        return {
            "prompt": self.prompt,
            "tokens": list(self.tokens),
            "layer": self.layer,
            "head": self.head,
            "keys": [[{"key": key, "weight": weight} for key, weight in row] for row in self.keys],
            "guesses": [{"token": token, "probability": share} for token, share in self.guesses],
            "cosines": list(self.cosines),
            "cosines_with_first_prompt": list(self.apart),
        }


def look(
    prompts: Sequence[str], checkpoint: Path, layer: int | None = None, head: int | None = None
) -> list[Look]:
    """Run the model of a checkpoint folder on each prompt; the head is the films' own choice.

    Raises `Unusable` for a folder that is no checkpoint, a prompt that cannot be run, or a head
    that the model does not have.
    """
    found: list[Look] = []
    first: NDArray[np.floating] | None = None
    for prompt in prompts:
        study = Study()
        study.diary = Diary()
        study.run(checkpoint, prompt)
        study.gather()
        study.choose_head(layer, head)
        stream = _last_token(study)
        first = stream if first is None else first
        found.append(_look(prompt, study, stream, first))
    return found


def table(looks: Sequence[Look]) -> Table:
    """Return looks as a table, a column each."""
    shown = Table("", *(each.prompt for each in looks), show_lines=True)
    rows: dict[str, Callable[[Look], Iterable[str]]] = {
        "tokens": lambda each: (f"{pos:2} {token}" for pos, token in enumerate(each.tokens)),
        "looks most at": _keys,
        "what comes next": lambda each: (f"{share:6.1%} {token}" for token, share in each.guesses),
        "cosine with its start, by layer": lambda each: [_row(each.cosines)],
        "cosine with the first prompt's": lambda each: [_row(each.apart)],
    }
    for name, lines in rows.items():
        shown.add_row(name, *("\n".join(lines(each)) for each in looks))
    shown.title = f"Layer {looks[0].layer}, head {looks[0].head}" if looks else None
    return shown


def _look(
    prompt: str, study: Study, stream: NDArray[np.floating], first: NDArray[np.floating]
) -> Look:
    pattern = study.tensor("pattern")[study.layer, study.head].array
    probs = study.tensor("probs")[len(study.tokens) - 1].array
    likeliest = np.argsort(-probs)[:GUESSES].tolist()
    pieces = study.vocabulary(likeliest)
    return Look(
        prompt=prompt,
        tokens=tuple(map(visible, study.tokens)),
        layer=study.layer,
        head=study.head,
        keys=tuple(
            tuple((int(key), float(row[key])) for key in np.argsort(-row)[:STRONGEST] if row[key])
            for row in pattern
        ),
        guesses=tuple(
            (visible(pieces[token]), float(probs[token])) for token in likeliest if token in pieces
        ),
        cosines=tuple((stream[1:] @ stream[0]).tolist()),
        apart=tuple((first * stream).sum(axis=1).tolist()),
    )


def _last_token(study: Study) -> NDArray[np.floating]:
    """Return where the last token's stream points at first and after each layer: (L + 1, D)."""
    start = study.tensor("resid_pre")[0, len(study.tokens) - 1].array
    after = study.tensor("resid_post").array[:, -1]
    stream = np.concatenate([start[None], after]).astype(np.float64)
    return np.asarray(stream / np.linalg.norm(stream, axis=1, keepdims=True))


def _keys(each: Look) -> list[str]:
    return [
        f"{query} <- " + ", ".join(f"{each.tokens[key]} {weight:.2f}" for key, weight in row)
        for query, row in zip(each.tokens, each.keys, strict=True)
    ]


def _row(numbers: Sequence[float]) -> str:
    return " ".join(f"{number:.2f}" for number in numbers)
