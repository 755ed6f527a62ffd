"""What each attention head does, measured: the mean attention it gives to a named target.

The targets are those of the literature (previous token, induction), and a noun's own adjectives,
of which the films tell. The text is held out of training.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass

import torch
from torch import Tensor

from model import corpus
from model.checkpoint import Checkpoint
from model.dataset import held_out_rows
from model.errors import Unusable
from model.files import cache_folder, model_code, write_whole
from model.gpt import Transformer
from model.sites import watching
from model.threads import single_threaded
from model.tokenizer import Tokenizer

MOST_ROWS, FEWEST_ROWS, LONGEST_ROW = 64, 4, 64  # held-out text: rows, and tokens in a row
MOST_WORK = 2.5e10  # multiplications for one such reading; a large model reads less of it
MOST_SEEN = 2**26  # numbers of patterns that are held at once
REPEATED = 24  # random words that are said twice
PHRASES = 250
TOGETHER = 50  # phrases of about the same length that are read at once
FEWEST_PHRASES = 200  # below that the vocabulary has too few of the words, and nothing is said
FEWEST_READ = 24  # of the phrases, however large the model


@dataclass(frozen=True)
class HeadScores:
    """One head's mean attention to each target, 0 to 1; `None` where it cannot be measured."""

    layer: int
    head: int
    previous_token: float
    first_token: float
    same_token: float  # earlier places of the same token, where there are any
    induction: float  # in a repeated text, the token after the same token's earlier place
    adjective_to_noun: float | None  # from a noun to its own adjectives
    binding: float | None  # from a noun to all of several adjectives, each as much as the least

    def scores(self) -> dict[str, float | None]:
        """Target: score; `binding` is no score of a target, it chooses the head that films show."""
        unnamed = {"layer", "head", "binding"}
        return {name: value for name, value in asdict(self).items() if name not in unnamed}


def measured(checkpoint: Checkpoint) -> tuple[HeadScores, ...]:
    """Return every head's scores, kept in the user's cache folder once they have been measured.

    A checkpoint with other files is measured anew, and so are all when the model's code changes.
    Raises `Unusable` as `measure` does.
    """
    key = hashlib.sha256(f"{checkpoint.digest} {model_code()} {torch.__version__}".encode())
    kept = cache_folder() / f"heads-{key.hexdigest()[:32]}.json"
    with suppress(OSError, ValueError, TypeError):
        return tuple(HeadScores(**each) for each in json.loads(kept.read_text(encoding="utf-8")))
    found = measure(checkpoint)
    with suppress(Unusable):  # where nothing can be kept it is measured each time
        write_whole({kept: json.dumps([asdict(each) for each in found]).encode()})
    return found


@single_threaded()
def measure(checkpoint: Checkpoint, seed: int = 0) -> tuple[HeadScores, ...]:
    """Return every head's scores, layer by layer; the same checkpoint and seed give the same ones.

    Raises `Unusable` if the model computes attention patterns that are not finite.
    """
    model, tokenizer = checkpoint.model, checkpoint.tokenizer
    length = min(LONGEST_ROW, model.config.n_ctx)
    rows = held_out_rows(tokenizer, seed, _affordable_rows(model, length), length)  # (B, T)
    pattern = patterns(model, rows)  # (L, B, H, T, T)
    by_target = {
        "previous_token": _mean(pattern, torch.eye(length).roll(-1, dims=1).tril(-1)),
        "first_token": _mean(pattern, _first_token(length)),
        "same_token": _mean(pattern, (rows[:, :, None] == rows[:, None, :]).float().tril(-1)),
        "induction": _induction(model, _whole_words(tokenizer, rows), len(rows), seed),
    }
    adjectives = _to_adjectives(model, tokenizer, seed)
    return tuple(
        HeadScores(
            layer,
            head,
            **{name: float(score[layer, head]) for name, score in by_target.items()},
            adjective_to_noun=None if adjectives is None else float(adjectives.given[layer, head]),
            binding=None if adjectives is None else float(adjectives.bound[layer, head]),
        )
        for layer in range(model.config.n_layers)
        for head in range(model.config.n_heads)
    )


@torch.inference_mode()
def patterns(model: Transformer, rows: Tensor) -> Tensor:
    """Return the attention patterns (L, B, H, T, T) of rows (B, T).

    Raises `Unusable` if they are not finite.
    """
    seen: list[Tensor] = []

    def keep(pattern: Tensor) -> None:
        if not pattern.isfinite().all():
            raise Unusable(
                "The model computes no finite attention patterns: its training went wrong, choose "
                "another checkpoint."
            )
        seen.append(pattern)

    sites = [f"blocks.{layer}.attn.pattern" for layer in range(model.config.n_layers)]
    with watching(model, dict.fromkeys(sites, keep)):
        model.residual(rows, model.new_caches())
    return torch.stack(seen)


def _affordable_rows(model: Transformer, length: int) -> int:
    """Return how many rows of a length can be read in a second or so."""
    seen = model.config.n_layers * model.config.n_heads * length**2  # numbers of a row's patterns
    rows = max(FEWEST_ROWS, min(MOST_ROWS, _affordable_tokens(model) // length))
    return max(1, min(rows, MOST_SEEN // seen))


def _affordable_tokens(model: Transformer) -> int:
    """Return how many tokens a model reads with `MOST_WORK`: one multiplication a weight each."""
    return int(MOST_WORK / sum(weight.numel() for weight in model.blocks.parameters()))


def _mean(pattern: Tensor, targets: Tensor) -> Tensor:
    """Mean attention (L, H) to targets ([B,] T, T), over the queries that have a target.

    Where no query has one, as in a text of very few tokens, none is given.
    """
    targets = targets.expand(pattern.shape[1], *targets.shape[-2:])  # (B, T, T)
    given = torch.einsum("lbhqk,bqk->lhbq", pattern, targets)  # (L, H, B, T)
    return given[:, :, targets.any(dim=-1)].mean(dim=-1).nan_to_num()


def _first_token(length: int) -> Tensor:
    """From every token but the first to the first: (T, T)."""
    targets = torch.zeros(length, length)
    targets[1:, 0] = 1
    return targets


def _induction(model: Transformer, kinds: Tensor, rows: int, seed: int) -> Tensor:
    """In random words said twice, attention (L, H) to what followed the first time."""
    count = min(REPEATED, model.config.n_ctx // 2)
    chance = torch.Generator().manual_seed(seed)
    once = kinds[torch.randint(len(kinds), (rows, count), generator=chance)]  # (B, T / 2)
    targets = torch.zeros(2 * count, 2 * count)
    for place in range(1, count):
        targets[count + place - 1, place] = 1
    return _mean(patterns(model, torch.cat([once, once], dim=1)), targets)


def _whole_words(tokenizer: Tokenizer, rows: Tensor) -> Tensor:
    """Different tokens of a text that are a space and a word; all its tokens if these are few."""
    tokens = torch.tensor(sorted(set(rows.flatten().tolist())))
    pieces = tokenizer.pieces(tokens.tolist())
    whole = torch.tensor([piece[:1] == " " and piece[1:].isalpha() for piece in pieces])
    return tokens[whole] if whole.sum() > REPEATED else tokens


@dataclass(frozen=True)
class ToAdjectives:
    """How nouns attend to their own adjectives, head by head: (L, H) each."""

    given: Tensor  # the sum over the adjectives
    bound: Tensor  # where there are two or three: their number times the least of them


def _to_adjectives(model: Transformer, tokenizer: Tokenizer, seed: int) -> ToAdjectives | None:
    """Measure nouns' attention to their own adjectives, over phrases of one token a word."""
    found = [
        (tokenizer.encode(phrase.text)[: places[0] + 1], places[1:])  # what follows is not seen
        for phrase in corpus.noun_phrases(seed, PHRASES)
        if (places := _places(tokenizer, phrase))
    ]
    fitting = [each for each in found if len(each[0]) <= model.config.n_ctx]
    if len(fitting) < FEWEST_PHRASES:
        return None
    affordable = _affordable_tokens(model) * len(fitting) // sum(map(_length, fitting))
    read = sorted(fitting[: max(FEWEST_READ, affordable)], key=_length)
    given = [
        pattern[:, :, len(ids) - 1, adjectives]  # (L, H, adjectives)
        for start in range(0, len(read), TOGETHER)
        for (ids, adjectives), pattern in _patterns_of(model, read[start : start + TOGETHER])
    ]
    several = [each for each in given if each.shape[-1] > 1]
    return ToAdjectives(
        given=torch.stack([each.sum(dim=-1) for each in given]).mean(dim=0),
        bound=torch.stack([each.shape[-1] * each.amin(dim=-1) for each in several]).mean(dim=0),
    )


Phrase = tuple[list[int], list[int]]  # its tokens up to the noun, and the adjectives' places


def _length(phrase: Phrase) -> int:
    return len(phrase[0])


def _patterns_of(model: Transformer, phrases: Sequence[Phrase]) -> Iterator[tuple[Phrase, Tensor]]:
    """Yield each phrase with its patterns (L, H, T, T), filled up to the longest one's T."""
    longest = max(map(_length, phrases))
    batch = [ids + [0] * (longest - len(ids)) for ids, _ in phrases]
    pattern = patterns(model, torch.tensor(batch))  # (L, B, H, T, T)
    yield from zip(phrases, pattern.unbind(dim=1), strict=True)


def _places(tokenizer: Tokenizer, phrase: corpus.NounPhrase) -> list[int]:
    """Which tokens are the noun and its adjectives; nothing if one of them is no single token."""
    place_of = dict[tuple[int, int], int]()
    for place, (start, end) in enumerate(tokenizer.offsets(phrase.text)):
        word = phrase.text[start:end]
        place_of[end - len(word.lstrip()), end] = place
    places = [place_of.get(span) for span in (phrase.noun, *phrase.adjectives)]
    return [] if None in places else [place for place in places if place is not None]
