"""Act II: vectors."""
