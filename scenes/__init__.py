"""The films, in viewing order."""

from scenes.attention.dot_product_grid import DotProductGrid

FILMS = (DotProductGrid,)
