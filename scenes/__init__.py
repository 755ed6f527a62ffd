"""The films, in viewing order."""

from scenes.attention.dot_product_grid import DotProductGrid
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.attention.queries_keys_values import QueriesKeysValues

FILMS = (QueriesKeysValues, DotProductGrid, ScaleThenSoftmax)
