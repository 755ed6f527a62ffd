"""The one error that a user can mend. Knows nothing of what raises it."""


class Unusable(ValueError):  # noqa: N818 - it reads as the sentence it prints
    """What was given cannot be used; the message is one plain sentence that says what to do."""
