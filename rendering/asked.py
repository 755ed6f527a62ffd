# ruff: noqa: PLC0415 - chapters and torch are slow to import: only what plays a film does
"""What a film is asked to show, as the command line says it. It imports no manim and no torch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from model.errors import Unusable
from model.huggingface import folder
from rendering.failures import PROJECT

if TYPE_CHECKING:
    from scenes.film import Request

SHIPPED = PROJECT / "assets" / "gpt"  # as in scenes.film


@dataclass(frozen=True)
class Asked:
    """A prompt, a model, a layer, a head and a theme; None leaves the choice to the film."""

    prompt: str | None = None
    checkpoint: Path | None = None  # the shipped one unless told
    layer: int | None = None
    head: int | None = None
    theme: str = "dark"

    @classmethod
    def of(cls, chosen: dict[str, Any]) -> Asked:
        """Return what options ask for."""
        return cls(
            prompt=chosen.get("prompt"),
            checkpoint=chosen.get("checkpoint"),
            layer=chosen.get("layer"),
            head=chosen.get("head"),
            theme=chosen.get("theme", cls.theme),
        )

    @property
    def folder(self) -> Path:
        """The checkpoint's folder."""
        return self.checkpoint or SHIPPED

    @property
    def is_shipped_model(self) -> bool:
        """Whether it is the model that comes with the films."""
        return self.folder.resolve() == SHIPPED.resolve()

    def digest(self) -> str:
        """Return the digest of the checkpoint, as `model.checkpoint` takes it.

        Raises `Unusable` for a folder that is not one.
        """
        try:
            return folder.digest(self.folder)
        except (OSError, Unusable):
            from model import checkpoint

            return checkpoint.load(self.folder).digest  # says in a sentence what is wrong

    def request(self) -> Request:
        """Return it as a chapter understands it."""
        from scenes import theme
        from scenes.film import Request

        return Request(self.prompt, self.folder, self.layer, self.head, theme.THEMES[self.theme])
