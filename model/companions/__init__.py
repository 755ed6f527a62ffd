"""The small models that single films need, one file each, each with its own trace."""
