"""Act I: the task."""
