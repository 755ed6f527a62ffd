"""What the command line answers, and how it says no."""

from collections.abc import Callable

Answer = tuple[int, str, str]  # exit status, stdout, stderr
Ask = Callable[..., Answer]


def refused(answer: Answer, *words: str) -> None:
    """One plain sentence on stderr, exit status 2, nothing on stdout."""
    status, out, err = answer
    last = err.strip().splitlines()[-1]
    assert status == 2, err
    assert not out
    assert "Traceback" not in err
    assert last.endswith((".", "?"))
    for word in words:
        assert word in last
