"""What a layer remembers of the tokens before, so that each new one is computed alone."""

import torch
from torch import Tensor


class KeyValueCache:
    """The keys and values that one layer has computed so far: (B, H, S, K) each."""

    def __init__(self) -> None:
        self.k: Tensor | None = None
        self.v: Tensor | None = None

    def __len__(self) -> int:
        return 0 if self.k is None else self.k.shape[2]

    def extend(self, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor]:
        """Add the newest tokens' keys and values (B, H, T, K); return all so far."""
        self.k = k if self.k is None else torch.cat([self.k, k], dim=2)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=2)
        return self.k, self.v
