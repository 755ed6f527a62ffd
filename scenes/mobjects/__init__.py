"""The nouns of the films: arrays and texts in, mobjects out. They know no model and no scene."""
