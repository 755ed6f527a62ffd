"""Models of others: where they come from, where they are kept, and how they are found by name."""
