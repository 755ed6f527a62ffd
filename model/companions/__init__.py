"""Small models and runs that films compare with the model: each a file of `assets/companions`."""

NAMES = ("counting", "embedding-only", "orderless", "norms")
