"""Nouns of the films that are not yet staged anew; the package goes with the last of them."""
