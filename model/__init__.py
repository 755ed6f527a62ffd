"""A small transformer of our own: its text, its training, its weights and what it computes."""
