"""Sites: the named places in a forward pass, and how what passes them is watched."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

from torch import Tensor, nn


class Site(nn.Identity):
    """A named place in the forward pass: it changes nothing and can be watched."""

    @property
    def watched(self) -> bool:
        """Whether anybody looks, so that what only onlookers need is made for them alone."""
        return bool(self._forward_hooks)


@contextmanager
def watching(
    model: nn.Module, watchers: Mapping[str, Callable[[Tensor], object]]
) -> Iterator[None]:
    """Call a watcher with what comes out of its module, named by a path (`blocks.0.attn.k`)."""
    hooks = [
        model.get_submodule(path).register_forward_hook(partial(_tell, watcher))
        for path, watcher in watchers.items()
    ]
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def _tell(
    watcher: Callable[[Tensor], object], _module: nn.Module, _inputs: object, output: Tensor
) -> None:
    watcher(output)
