"""The films, in viewing order."""
