"""Each score is the attention that a head gives to what the score is named after."""

from pathlib import Path
from typing import Any

import pytest
import torch

from model import byte_pairs, corpus, heads
from model.checkpoint import Checkpoint
from model.gpt import GPT, Config
from model.heads import measure
from model.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def words() -> Any:
    documents = corpus.documents(0, "train")
    return Tokenizer(byte_pairs.train([next(documents) for _ in range(3000)], 3000))


@pytest.fixture(scope="module")
def untrained(words: Any) -> Checkpoint:
    torch.manual_seed(0)
    return Checkpoint(GPT(Config(2, 3, 24, 48, 64, words.d_vocab)).eval(), words, Path())


def attend(monkeypatch: pytest.MonkeyPatch, rule: Any) -> None:
    """Let every head attend by a rule: rows (B, T) to patterns (B, T, T)."""

    def patterns(model: GPT, rows: torch.Tensor) -> torch.Tensor:
        return (
            rule(rows)
            .expand(model.config.n_layers, model.config.n_heads, -1, -1, -1)
            .transpose(1, 2)
        )

    monkeypatch.setattr(heads, "patterns", patterns)


def to_place(places: torch.Tensor) -> torch.Tensor:
    """All of each query's attention to one key: (B, T) to (B, T, T)."""
    return torch.nn.functional.one_hot(places.clamp(min=0), places.shape[1]).float()


def test_every_head_is_measured_and_every_score_is_a_share(untrained: Checkpoint) -> None:
    scores = measure(untrained)
    assert [(score.layer, score.head) for score in scores] == [
        (layer, head) for layer in range(2) for head in range(3)
    ]
    for score in scores:
        assert all(value is not None and 0 <= value <= 1 for value in score.scores().values())


def test_the_same_checkpoint_gives_the_same_scores(untrained: Checkpoint) -> None:
    assert measure(untrained) == measure(untrained)


def test_heads_that_do_one_thing_score_one(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    attend(monkeypatch, lambda rows: to_place(torch.arange(rows.shape[1]).expand(rows.shape) - 1))
    assert measure(untrained)[0].previous_token == pytest.approx(1)
    attend(monkeypatch, lambda rows: to_place(torch.zeros_like(rows)))
    assert measure(untrained)[0].first_token == pytest.approx(1)
    assert measure(untrained)[0].previous_token < 0.1

    def induction(rows: torch.Tensor) -> torch.Tensor:
        return to_place(torch.arange(rows.shape[1]).expand(rows.shape) - rows.shape[1] // 2 + 1)

    attend(monkeypatch, induction)
    assert measure(untrained)[0].induction == pytest.approx(1)

    def same(rows: torch.Tensor) -> torch.Tensor:
        earlier = (rows[:, :, None] == rows[:, None, :]).float().tril(-1)
        return earlier / earlier.sum(dim=-1, keepdim=True).clamp(min=1)

    attend(monkeypatch, same)
    assert measure(untrained)[0].same_token == pytest.approx(1)
    assert measure(untrained)[0].induction < 0.1


def test_a_noun_that_looks_at_its_adjectives_only_scores_one(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    adjectives = {
        untrained.tokenizer.encode(f" {phrase.text[start:end]}")[0]
        for phrase in corpus.noun_phrases(0, heads.PHRASES)
        for start, end in phrase.adjectives
    }

    def rule(rows: torch.Tensor) -> torch.Tensor:
        """Look at the adjectives right before, as far back as they go."""
        pattern = torch.zeros(*rows.shape, rows.shape[1])
        for row, ids in enumerate(rows.tolist()):
            for query in range(len(ids)):
                key = query - 1
                while key >= 0 and ids[key] in adjectives:
                    pattern[row, query, key] = 1
                    key -= 1
        return pattern / pattern.sum(dim=-1, keepdim=True).clamp(min=1)

    attend(monkeypatch, rule)
    assert measure(untrained)[0].adjective_to_noun == pytest.approx(1, abs=0.02)


def test_uniform_attention_gives_a_noun_s_adjectives_no_more_than_their_number(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    attend(monkeypatch, lambda rows: torch.ones(*rows.shape, rows.shape[1]).tril() / 64)
    assert 1 / 64 < (measure(untrained)[0].adjective_to_noun or 1) < 3 / 64


def test_words_in_pieces_leave_the_adjective_score_open() -> None:
    letters = Tokenizer(byte_pairs.train(["a"], 260))
    checkpoint = Checkpoint(GPT(Config(1, 1, 8, 8, 64, letters.d_vocab)).eval(), letters, Path())
    scores = measure(checkpoint)
    assert scores[0].adjective_to_noun is None
    assert scores[0].binding is None


def test_looking_one_token_back_is_not_taken_for_binding(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    attend(monkeypatch, lambda rows: to_place(torch.arange(rows.shape[1]).expand(rows.shape) - 1))
    looks_back = measure(untrained)[0]
    assert looks_back.adjective_to_noun == pytest.approx(1)
    assert looks_back.binding == pytest.approx(0)


def test_a_head_binds_as_much_as_the_least_of_the_adjectives_gets(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    def rule(rows: torch.Tensor) -> torch.Tensor:
        """Give three tenths to each of the three tokens before."""
        places = torch.arange(rows.shape[1])
        return 0.3 * sum(to_place((places - back).expand(rows.shape)) for back in (1, 2, 3))

    attend(monkeypatch, rule)
    score = measure(untrained)[0]
    assert score.binding is not None
    assert 0.6 <= score.binding <= 0.9


def test_of_a_model_with_a_great_many_heads_fewer_rows_are_read(
    untrained: Checkpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes, length = untrained.config, min(heads.LONGEST_ROW, untrained.config.n_ctx)
    read: list[torch.Size] = []
    patterns = heads.patterns

    def noted(model: GPT, rows: torch.Tensor) -> torch.Tensor:
        read.append(rows.shape)
        return patterns(model, rows)

    monkeypatch.setattr(heads, "patterns", noted)
    monkeypatch.setattr(heads, "MOST_SEEN", 3 * sizes.n_layers * sizes.n_heads * length**2)
    measure(untrained)
    assert read[0] == (3, length)


def test_a_token_that_stands_for_nothing_is_no_whole_word() -> None:
    class Nothing:
        def pieces(self, ids: list[int]) -> tuple[str, ...]:
            return ("",) * len(ids)

    rows = torch.arange(4).reshape(2, 2)
    assert heads._whole_words(Nothing(), rows).tolist() == [0, 1, 2, 3]  # type: ignore[arg-type]
