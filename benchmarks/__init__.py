"""How fast the films are made, measured against manim itself and against the encoder alone."""
