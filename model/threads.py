"""How many cores a computation takes."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def single_threaded() -> Iterator[None]:
    """Compute on one core; a context manager that is a decorator too.

    Films are drawn by a process a core, and where each of them wanted all cores they would mostly
    wait for one another. Sums are also rounded in the same way, however many cores there are.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
