"""Act III: attention."""
