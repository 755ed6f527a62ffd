"""What a model must have learned for the films to be about something, measured on held-out text."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean

import torch
from torch import Tensor

from model import corpus
from model.checkpoint import Checkpoint

CREATURE = "a fluffy blue creature roamed the verdant forest. the creature was"
THINKER = "To date, the cleverest thinker of all time was"
SPORT = "Michael Jordan plays the sport of"
BINDINGS = 100


@dataclass(frozen=True)
class Evaluation:
    """Probabilities of what should come next, 0 to 1; for `THINKER` how open it stays."""

    creature: float  # fluffy and blue together, after CREATURE
    binding: float  # the same, mean over held-out sentences of the kind
    sport: float  # basketball, after SPORT
    facts: float  # the answer, mean over all facts
    openness: float  # entropy of the token after THINKER, in bits
    choices: int  # tokens above 1 % after THINKER


def evaluate(checkpoint: Checkpoint, seed: int = 0) -> Evaluation:
    """Every skill of one checkpoint."""
    after_thinker = _next(checkpoint, THINKER)
    return Evaluation(
        creature=_chance(checkpoint, CREATURE, ("fluffy", "blue")),
        binding=mean(
            _chance(checkpoint, binding.prompt, binding.adjectives)
            for binding in corpus.bindings(seed, BINDINGS)
        ),
        sport=_chance(checkpoint, SPORT, ("basketball",)),
        facts=mean(_chance(checkpoint, fact.prompt, (fact.answer,)) for fact in corpus.facts()),
        openness=float(torch.special.entr(after_thinker).sum()) / math.log(2),
        choices=int((after_thinker > 0.01).sum()),
    )


@torch.inference_mode()
def _next(checkpoint: Checkpoint, prompt: str) -> Tensor:
    """Return the probabilities (V,) of the token after a prompt."""
    ids = checkpoint.tokenizer.encode(prompt)
    logits: Tensor = checkpoint.model(torch.tensor([ids]))[0, -1]
    return logits.softmax(dim=-1)


def _chance(checkpoint: Checkpoint, prompt: str, words: Sequence[str]) -> float:
    """Return the probability that one of the words, or its first piece, comes next."""
    first = {checkpoint.tokenizer.encode(f" {word}")[0] for word in words}
    return float(_next(checkpoint, prompt)[sorted(first)].sum())
