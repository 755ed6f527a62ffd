"""The checkpoints at hand, in a line each: how large they are, and what their best head does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model import checkpoint
from model.errors import Unusable
from model.heads import HeadScores, measured
from model.huggingface.folder import files_of


@dataclass(frozen=True)
class AtHand:
    """A checkpoint folder: its sizes, and the head that best binds adjectives to their nouns.

    `best` is `None` where that cannot be measured; `problem` says why it cannot be shown at all.
    """

    folder: Path
    sizes: tuple[int, int, int] = (0, 0, 0)  # layers, heads, d_model
    parameters: int = 0
    megabytes: float = 0.0
    best: HeadScores | None = None
    problem: str = ""

    def told(self) -> dict[str, Any]:
        """Return what `list-models --json` tells of it."""
        layers, heads, d_model = self.sizes
        best = self.best
        return {
            "name": self.folder.name,
            "folder": str(self.folder),
            "layers": layers,
            "heads": heads,
            "d_model": d_model,
            "parameters": self.parameters,
            "megabytes": round(self.megabytes, 1),
            "best_head": {"layer": best.layer, "head": best.head, "binding": best.binding}
            if best
            else None,
            "problem": self.problem or None,
        }

    def row(self) -> tuple[str, ...]:
        """Return the same as a row of a table."""
        if self.problem:
            return self.folder.name, self.problem
        layers, heads, d_model = self.sizes
        best = self.best
        binds = f"{best.binding:.2f} (layer {best.layer}, head {best.head})" if best else "-"
        return (
            self.folder.name,
            f"{layers} x {heads}",
            str(d_model),
            f"{self.parameters:,}",
            f"{self.megabytes:,.0f}",
            binds,
        )


def survey(folders: Iterable[Path]) -> list[AtHand]:
    """Look at checkpoint folders; one that cannot be shown is listed with the reason."""
    return [_at_hand(folder) for folder in folders]


def _at_hand(folder: Path) -> AtHand:
    try:
        loaded = checkpoint.load(folder)
        binding = [score for score in measured(loaded) if score.binding is not None]
        size = sum((folder / name).stat().st_size for name in files_of(folder))
    except Unusable as reason:
        return AtHand(folder, problem=str(reason))
    config = loaded.config
    return AtHand(
        folder,
        (config.n_layers, config.n_heads, config.d_model),
        sum(weight.numel() for weight in loaded.model.parameters()),
        size / 1e6,
        max(binding, key=lambda score: score.binding or 0.0, default=None),
    )
