"""Where training starts from, beyond small random weights.

Positions start as sines and cosines, so that "one token back" is a rotation, and one head of the
first layer starts out leaning that way. At this size and in half an hour such a head does not
form by itself (see DECISIONS.md); given the lean, training itself sharpens it, because it pays.
"""

import math

import torch

from model.errors import Unusable
from model.gpt import GPT, Transformer
from model.llama import Llama

WAVES = 0.1  # amplitude of the positions' sines and cosines
LEAN = 2.0  # size of the leaning head's query and key weights


def untrained(model: Transformer, seed: int) -> Transformer:
    """Return a model of the same shape as it is before training, its weights drawn by a seed.

    A GPT starts as ours do, a Llama from small random weights alone.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        if isinstance(model, GPT):
            start = GPT(model.config)
            initialize(start)
            return start
        if isinstance(model, Llama):
            return type(model)(model.config)
    raise Unusable(f"How a {type(model).__name__} starts is not known: choose a GPT-2 or a Llama.")


@torch.no_grad()
def initialize(model: GPT) -> None:
    """Give a model with random weights its positions and its leaning head."""
    rates = _rates(model.config.d_model)
    model.W_pos[:, : 2 * len(rates)] = first_positions(model.config.n_ctx, model.config.d_model)
    W_Q, W_K = (model.get_parameter(f"blocks.0.attn.{name}") for name in ("W_Q", "W_K"))
    _lean_back(W_Q[0], W_K[0], rates)


def _rates(d_model: int) -> torch.Tensor:
    """How fast each pair of entries turns, in radians a token, evenly up to half a turn."""
    pairs = d_model // 2
    return torch.arange(1, pairs + 1) * (math.pi / pairs)


def first_positions(n_ctx: int, d_model: int) -> torch.Tensor:
    """Return what positions start as: sines and cosines, (n_ctx, D), or D - 1 where D is odd."""
    angles = torch.arange(n_ctx)[:, None] * _rates(d_model)  # (n_ctx, D / 2)
    return WAVES * torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def _lean_back(W_Q: torch.Tensor, W_K: torch.Tensor, rates: torch.Tensor) -> None:
    """Let a head (D, K) start with keys that are turned on by one token, to meet the next query.

    Each pair of its entries reads one pair of the positions' waves, spread over their rates.
    """
    pairs = W_Q.shape[1] // 2
    W_Q.zero_()
    W_K.zero_()
    for pair, wave in enumerate(
        torch.linspace(len(rates) / 12, len(rates) / 1.2, pairs).long().tolist()
    ):
        turn = float(rates[wave])
        rotation = torch.tensor(
            [[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]]
        )
        rows, columns = slice(2 * wave, 2 * wave + 2), slice(2 * pair, 2 * pair + 2)
        W_Q[rows, columns] = LEAN * torch.eye(2)
        W_K[rows, columns] = LEAN * rotation
