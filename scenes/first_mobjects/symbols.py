"""Short formulas put together from parts that are set once. They know nothing of their meaning."""

from __future__ import annotations

from manim import VGroup
from manim.constants import RIGHT

from scenes.mobjects.text import Formula, em_of
from scenes.mobjects.typesetting import set_markup
from scenes.theme import KEY, QUERY


class DotProductSymbol(VGroup):
    """A query dot a key, such as q_4 · k_3, set from its three parts."""

    def __init__(self, query: str, key: str, size: float) -> None:
        parts = (f"${QUERY.value}({query})$", "$thin dot.c thin$", f"${KEY.value}({key})$")
        super().__init__()
        x = 0.0
        for markup in parts:
            self.add(Formula(markup, size).shift(RIGHT * x))
            x += set_markup(markup).width * em_of(size)
