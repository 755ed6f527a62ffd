"""A model studied on one prompt: the one place that loads checkpoints and records traces.

Models, traces and head scores are cached for the life of the process, so that films that show the
same prompt run the model once. What a film reads of them is noted in a `Diary`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from model import checkpoint as checkpoints
from model import random_vectors
from model.checkpoint import Checkpoint
from model.companions import counting, embedding_only, orderless
from model.companions.shelf import load as load_companion
from model.corpus.occurrences import (
    Learning,
    documents_with_word,
    is_read,
    learning,
    used_alike,
)
from model.errors import Unsuited, Unusable
from model.generation import Written, darts, write
from model.heads import HeadScores, measured
from model.initialization import first_positions, untrained
from model.logit_lens import early_guesses, residual_steps
from model.neurons import Excerpt, bent, excerpts
from model.nudging import nudged
from model.one_step import after_a_step, is_trained_here, rows_of_a_step
from model.parameters import factors, one_in, ordered
from model.sizes import Traits
from model.tokenization import Cutting, cut
from model.tokenizer import Tokenizer, row_name
from model.trace import Tensors, Trace, Weights, chances, record, watch
from scenes.diary import Diary
from scenes.provenance import Array, Tensor, Value, Watch, head_score

UNTRAINED_SEED = 0  # of the weights of a model before training
STEP_SEED = 0  # of the rows that a step of training reads
SHIPPED = Path(__file__).parents[1] / "assets" / "gpt"
DART_SEED = 53  # of the random numbers that choose what a model writes


class Study:
    """A model's trace of a prompt, and one of its heads. A `Film` is a study that is played.

    It is set up in this order: `run`, `gather`, `choose_head`.
    """

    diary: Diary
    trace: Trace
    cutting: Cutting  # of the prompt
    arrays: Tensors  # all that an address may name: of the trace, the cutting, and `derived`
    score: HeadScores  # of the head shown

    def run(self, folder: Path, prompt: str) -> None:
        """Run the model of a checkpoint folder on a prompt.

        Raises `Unusable` for a folder that is no checkpoint, or a prompt that cannot be run.
        """
        self._checkpoint = _checkpoint(folder.resolve())
        self.trace = _trace(self._checkpoint, prompt)

    def gather(self) -> None:
        """Gather all arrays that an address may name; from here on the diary notes what is read."""
        self.cutting = self.cut(self.trace.text)
        found = {**self.cutting.tensors(), **random_vectors.tensors(), **self.derived()}
        for array in found.values():
            array.setflags(write=False)
        self.arrays = self.trace.tensors() | found
        self.diary.reads.clear()  # reads made while gathering are not the film's
        self.trace = self.diary.watch(self.trace)
        self.tokens = self.trace.pieces

    def choose_head(self, layer: int | None, head: int | None) -> None:
        """Choose the head that best binds adjectives, among those of this layer and number.

        None leaves the choice open. Raises `Unusable` if the model has no such layer or head.
        """
        chosen = _best_binding(_scores(self._checkpoint), layer, head)
        self.score = self.diary.watch(chosen, "head.")
        self.layer, self.head = self.score.layer, self.score.head

    def refuse(self, reason: str) -> NoReturn:
        """Raise `Unusable`: whole sentences that say why the film cannot show this."""
        raise Unusable(reason)

    def leave_out(self, reason: str) -> NoReturn:
        """Tell whoever asked for the film, or for all films, what it needs of a prompt."""
        raise Unsuited(reason)

    def need_changes(self, *changes: Tensor) -> None:
        """Leave the film out if one of the changes to words that it shows is none at all."""
        if not all(change.array.any() for change in changes):
            self.leave_out("What the film shows adds nothing here: choose another head or model.")

    def tensor(self, name: str) -> Tensor:
        """Return a named tensor of the trace, or a weight such as `weights.W_Q`."""
        array = self.arrays[name]
        return Tensor(array, name, Watch(self.diary.note, name, array))

    @property
    def is_shipped(self) -> bool:
        """Whether the model is the one that comes with the films, whatever its path is given as."""
        return self._checkpoint.folder == SHIPPED.resolve()

    @property
    def traits(self) -> Traits:
        """In what the model's architecture differs from others: norm, biases, positions."""
        return self.trace.traits

    @property
    def turns(self) -> Tensor | None:
        """The rotations of queries and keys by position, (T, K, K); None where there are none."""
        return None if self.traits.adds_positions else self.tensor("turns")

    @property
    def tokenizer(self) -> Tokenizer:
        """The model's tokenizer, noted as read whole."""
        found = self._checkpoint.tokenizer
        self.diary.note("tokenizer", found.digest)
        return found

    def derived(self) -> Mapping[str, Array]:
        """Return further arrays by name, which a film that overrides this computes itself."""
        return {}

    def cut(self, text: str) -> Cutting:
        """Return how the model's tokenizer cuts a text, merge by merge."""
        return self.diary.watch(_cutting(self._checkpoint, text), f"cutting of {text!r}.")

    def cut_word(self, word: str) -> Cutting:
        """Return how a word is cut inside a text; some tokenizers put the space before it."""
        alone = self.cut(word.strip())
        return alone if alone.raw.startswith(b" ") else self.cut(word)

    def sites_of(self, ids: Sequence[int]) -> Mapping[str, Array]:
        """Return the arrays of every site for other tokens than the prompt's."""
        sites = _sites(self._checkpoint, tuple(ids))
        return self.diary.watch_all(sites, f"sites of {list(ids)}.")

    def chances_in(self, texts: Sequence[Sequence[int]]) -> Array:
        """Return how likely each token is after each prefix of texts of one length: (n, T, V)."""
        found = _chances(self._checkpoint, tuple(map(tuple, texts)))
        return self.diary.note(f"chances in {list(map(list, texts))}", found)

    def sites_without_places(self, ids: Sequence[int]) -> Mapping[str, Array]:
        """Return them where a GPT's positions are all zero, for whatever tokens."""
        sites = _sites(self._checkpoint, tuple(ids), places=False)
        return self.diary.watch_all(sites, f"sites without places of {list(ids)}.")

    def reads_as(self, companion: str) -> bool:
        """Whether the model cuts texts into the same tokens as a companion does."""
        return load_companion(companion).reads(self._checkpoint.tokenizer)

    def cut_as_ours(self, text: str) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Return the ids and pieces of a text for the shipped tokenizer, which companions read."""
        tokenizer = _checkpoint(SHIPPED).tokenizer
        ids = tokenizer.encode(text)
        return tuple(ids), tuple(tokenizer.pieces(ids))

    def companion(self, name: str) -> Mapping[str, Array]:
        """Return a companion's arrays as addresses name them: `norms.pre_norm.loss`."""
        found = load_companion(name).tensors
        return {f"{name}.{part}": array.astype(np.float32) for part, array in found.items()}

    def predicted_by(self, companion: str, ids: Sequence[int]) -> Array:
        """Return how likely each token is after each prefix, for a simpler model: (T, V)."""
        return _predicted(companion, tuple(ids))

    def seen_without_order(self, ids: Sequence[int]) -> Mapping[str, Array]:
        """Return the arrays of every site of the companion without positions and mask."""
        return _seen_without_order(tuple(ids))

    def untrained(self, site: str) -> Array:
        """Return a site of the prompt, such as `probs`, in a model of this shape before training.

        Its weights are drawn by a seed, always the same.
        """
        found = _untrained(self._checkpoint, tuple(int(token) for token in self.trace.ids))[site]
        return self.diary.note(f"{site} before training", found)

    def untrained_table(self) -> Array:
        """Return what embeddings of all tokens are in that model, (V, D)."""
        return _untrained_table(self._checkpoint)

    def untrained_unembedding(self) -> Array:
        """Return what its last column is held against in that model, for all tokens, (D, V)."""
        return _untrained_unembedding(self._checkpoint)

    def nudged_losses(self, offsets: Sequence[float]) -> Array:
        """Return what the prompt costs that model as a weight is moved."""
        ids = tuple(int(token) for token in self.trace.ids)
        found = _nudged(self._checkpoint, ids, tuple(offsets))
        return self.diary.note(f"losses of a weight nudged by {list(offsets)}", found)

    def started_positions(self) -> Array:
        """Return what the positions of a GPT such as ours are before training, (n_ctx, D)."""
        config = self._checkpoint.model.config
        return np.asarray(first_positions(config.n_ctx, config.d_model), np.float32)

    def weight_factors(self) -> Mapping[str, tuple[int, ...]]:
        """Return, by the kind of weights, what is multiplied to count them."""
        return self.diary.note("factors of weights", factors(self._checkpoint.model))

    def weights_one_in(self, every: int) -> Array:
        """Return one in so many weights, in the order of their kinds: (n,)."""
        return one_in(every, (weight for _, weight in ordered(self._checkpoint.model)))

    def after_a_step(self, every: int) -> Array | None:
        """Return them after one more step of training; None if the model is too large for it."""
        return _after_a_step(self._checkpoint, every)

    def darts(self, runs: int, count: int) -> Array:
        """Return random numbers from 0 to 1 that choose tokens, (runs, count), always the same."""
        return self.diary.note(f"{runs} times {count} darts", darts(runs, count, DART_SEED))

    def writes(self, thrown: Sequence[float], temperature: float = 1.0) -> Written:
        """Return how the model goes on with the prompt where darts choose each token."""
        ids = tuple(int(token) for token in self.trace.ids)
        found = _written(self._checkpoint, ids, tuple(map(float, thrown)), temperature)
        return self.diary.watch(found, f"written at {temperature} by {list(thrown)}.")

    def continued(self, words: int) -> tuple[int, ...]:
        """Return the prompt's ids and `words` more: each the likeliest token after all before it.

        A token that ends the text is passed over. Raises `Unusable` if the model cannot read so
        many tokens.
        """
        ids = tuple(int(token) for token in self.trace.ids)
        most = self._checkpoint.model.config.n_ctx
        if len(ids) + words > most:
            self.refuse(
                f"The prompt has {len(ids)} tokens, {words} are added, and the model takes {most}: "
                "shorten it."
            )
        for _ in range(words):
            likeliest = np.argsort(-_sites(self._checkpoint, ids)["logits"][-1])
            ids = (*ids, next(int(token) for token in likeliest if self._is_text(int(token))))
        return ids

    def residual_steps(self, ids: Sequence[int]) -> Array:
        """Return the residual stream of tokens (n, T, D) after each step of the model.

        The steps are: as it comes in, then for each layer after its attention, and after its MLP.
        """
        return residual_steps(_sites(self._checkpoint, tuple(ids)))

    def guesses_by_step(self, ids: Sequence[int], pos: int) -> Array:
        """Return what a token's vector would predict after each of these steps: chances (n, V)."""
        return _guesses_by_step(self._checkpoint, tuple(ids), pos)

    def excerpts(self, layer: int, neuron: int, number: int) -> tuple[Excerpt, ...]:
        """Return where in our corpus a neuron is strongest, on `number` tokens at most."""
        found = excerpts(self._checkpoint, layer, neuron, number)
        return self.diary.note(f"{number} excerpts for neuron {neuron} of layer {layer}", found)

    def bent(self, numbers: Array) -> Array:
        """Return numbers after the nonlinearity of the model's MLPs."""
        found = bent(self._checkpoint.model, numbers)
        return self.diary.note(f"bent numbers, {len(numbers)} from {numbers[0]:.6g}", found)

    def _is_text(self, token: int) -> bool:
        tokenizer = self._checkpoint.tokenizer
        return tokenizer.has(token) and token != tokenizer.end_of_text

    def documents_with_word(self, word: str) -> NDArray[np.bool_]:
        """Return for each of the first documents of our corpus whether a word stands in it."""
        return self.diary.note(f"documents with the word {word!r}", documents_with_word(word))

    def is_read(self, text: str) -> bool:
        """Return whether a text stands in one of the first documents of our corpus."""
        return self.diary.note(f"whether {text!r} is read in training", is_read(text))

    def used_alike(self, one: str, other: str, unlike: str) -> tuple[str, ...]:
        """Return two words between the same neighbours in our corpus, never those of `unlike`.

        It is nothing where there are none, or where the model has not learned from that corpus.
        """
        found = used_alike(one, other, unlike) if self.is_shipped else ()
        return self.diary.note(f"how {one!r} is used like {other!r}", found)

    def learning(self, rounds: int, listed: int) -> Learning:
        """Return how our tokenizer's first merges are learned, with a text that has them."""
        found = learning(rounds, listed)
        return self.diary.note(f"{rounds} rounds of learning merges", found)

    def vocabulary(self, ids: Sequence[int]) -> dict[int, str]:
        """Return the pieces, as shown, of those ids that the vocabulary has."""
        tokenizer = self.tokenizer
        known = [index for index in sorted(set(ids)) if tokenizer.has(index)]
        pieces = dict(zip(known, tokenizer.pieces(known), strict=True))
        return self.diary.note(f"pieces of {sorted(pieces)}", pieces)

    def piece(self, token: int) -> str:
        """Return one id's piece, or its number where a model's tables are longer than its words."""
        return self.vocabulary([token]).get(token, row_name(token))

    def measured(self) -> Value:
        """Return the share of a noun's attention that goes to its adjectives, in the head shown."""
        number = self.score.adjective_to_noun
        return head_score(number, "adjective_to_noun", self.layer, self.head)

    def head_scores(self) -> tuple[HeadScores, ...]:
        """Return what every head of the model was measured to do, layer by layer."""
        scores = _scores(self._checkpoint)
        return tuple(self.diary.watch(each, f"head {each.layer},{each.head}.") for each in scores)


def _best_binding(scores: Sequence[HeadScores], layer: int | None, head: int | None) -> HeadScores:
    """Return the head with the largest binding score, of this layer and number if given."""
    for name, wanted in (("layer", layer), ("head", head)):
        last = max(getattr(score, name) for score in scores)
        if wanted is not None and not 0 <= wanted <= last:
            raise Unusable(
                f"There is no {name} {wanted}: this model has {name}s 0 to {last}; choose one."
            )
    open_to_choice = [
        score for score in scores if layer in (None, score.layer) and head in (None, score.head)
    ]
    return max(open_to_choice, key=lambda score: score.binding or 0.0)


@cache
def _checkpoint(folder: Path) -> Checkpoint:
    return checkpoints.load(folder)


@cache
def _trace(checkpoint: Checkpoint, prompt: str) -> Trace:
    return record(checkpoint.model, checkpoint.tokenizer, prompt, _weights(checkpoint))


@cache
def _weights(checkpoint: Checkpoint) -> Weights:
    return Weights(checkpoint.model)


@cache
def _sites(
    checkpoint: Checkpoint, ids: tuple[int, ...], *, places: bool = True
) -> Mapping[str, Array]:
    return watch(checkpoint.model, ids, places=places)


@cache
def _chances(checkpoint: Checkpoint, texts: tuple[tuple[int, ...], ...]) -> Array:
    return chances(checkpoint.model, texts)


@cache
def _predicted(companion: str, ids: tuple[int, ...]) -> Array:
    probs = {"counting": counting.probs, "embedding-only": embedding_only.probs}[companion]
    return probs(load_companion(companion).tensors, ids)


@cache
def _seen_without_order(ids: tuple[int, ...]) -> Mapping[str, Array]:
    return orderless.sites(load_companion("orderless").tensors, ids)


@cache
def _untrained(checkpoint: Checkpoint, ids: tuple[int, ...]) -> Mapping[str, Array]:
    return watch(untrained(checkpoint.model, UNTRAINED_SEED), ids)


@cache
def _untrained_table(checkpoint: Checkpoint) -> Array:
    return np.asarray(untrained(checkpoint.model, UNTRAINED_SEED).W_E.detach())


@cache
def _untrained_unembedding(checkpoint: Checkpoint) -> Array:
    return np.asarray(untrained(checkpoint.model, UNTRAINED_SEED).W_U.detach())


@cache
def _nudged(checkpoint: Checkpoint, ids: tuple[int, ...], offsets: tuple[float, ...]) -> Array:
    return nudged(untrained(checkpoint.model, UNTRAINED_SEED), ids, offsets)


@cache
def _after_a_step(checkpoint: Checkpoint, every: int) -> Array | None:
    if not is_trained_here(checkpoint.model):
        return None
    return after_a_step(checkpoint.model, rows_of_a_step(checkpoint, STEP_SEED), every)


@cache
def _guesses_by_step(checkpoint: Checkpoint, ids: tuple[int, ...], pos: int) -> Array:
    return early_guesses(checkpoint.model, residual_steps(_sites(checkpoint, ids))[:, pos])


@cache
def _written(
    checkpoint: Checkpoint, ids: tuple[int, ...], thrown: tuple[float, ...], temperature: float
) -> Written:
    end = checkpoint.tokenizer.end_of_text
    return write(checkpoint.model, ids, thrown, temperature=temperature, end=end)


@cache
def _cutting(checkpoint: Checkpoint, text: str) -> Cutting:
    return cut(checkpoint.tokenizer, text)


@cache
def _scores(checkpoint: Checkpoint) -> tuple[HeadScores, ...]:
    return measured(checkpoint)
