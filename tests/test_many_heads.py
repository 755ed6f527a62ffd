"""The film of many heads shows each head as it is, and names none that it has not measured."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from played import film_of, numbers, trace_of

from checking.check import check_film
from model import checkpoint
from model.gpt import GPT, Config
from model.heads import measure
from scenes.analysis.head_names import LEAST
from scenes.attention.many_heads import ManyHeads
from scenes.film import Request


def test_the_heads_proposals_and_the_bias_sum_to_what_the_layer_adds(asked: Request) -> None:
    trace, token = trace_of(asked), film_of(ManyHeads, asked).asker
    found = numbers(ManyHeads, asked, "every-head-proposes")
    entries = [
        int(source.rpartition(",")[2][:-1])
        for source in found
        if source.startswith(f"attn_out[1,{token},")
    ]
    assert len(entries) >= 3
    for entry in entries:
        parts = [found[f"head_out[1,{head},{token},{entry}]"] for head in range(3)]
        total = sum(parts) + found[f"weights.b_O[1,{entry}]"]
        assert total == pytest.approx(found[f"attn_out[1,{token},{entry}]"], abs=1e-6)
        assert total == pytest.approx(float(trace.attn_out[1, token, entry]), abs=1e-6)


def test_a_head_alone_gives_the_pattern_that_it_has_in_company(asked: Request) -> None:
    """Recomputed here by PyTorch's own attention, and so is the claim of the counter."""
    trace = trace_of(asked)
    x, weights = torch.from_numpy(trace.ln1[1].copy()), trace.weights
    q, k = (
        x @ torch.from_numpy(w[1, 2].copy()) + torch.from_numpy(b[1, 2].copy())
        for w, b in ((weights.W_Q, weights.b_Q), (weights.W_K, weights.b_K))
    )
    eye = torch.eye(len(x))
    alone = torch.nn.functional.scaled_dot_product_attention(q, k, eye, is_causal=True)
    assert np.allclose(alone.numpy(), trace.pattern[1, 2], atol=1e-6)
    gaps = [
        value
        for source, value in numbers(ManyHeads, asked, "alone-or-in-company").items()
        if source.startswith("= largest difference")
    ]
    assert len(gaps) == 2
    assert max(gaps) < 1e-5


def test_every_head_shows_its_largest_measured_score(asked: Request) -> None:
    measured = measure(checkpoint.load(asked.checkpoint))
    shown = numbers(ManyHeads, asked, "named-by-measurement")
    for each in measured:
        if each.layer == 1:
            scores = {name: value for name, value in each.scores().items() if value is not None}
            best = max(scores, key=lambda name: scores[name])
            source = f"heads.{best}[1,{each.head}]"
            assert shown[source] == pytest.approx(scores[best])


def test_no_head_of_an_untrained_model_gets_a_name(asked: Request) -> None:
    film = film_of(ManyHeads, asked)
    assert max(name.score.number for name in film.names) < LEAST
    assert "No head here looks mostly at anything" in dict(film.script())["named-by-measurement"]


def test_the_two_heads_that_are_said_to_disagree_do(asked: Request) -> None:
    film, trace = film_of(ManyHeads, asked), trace_of(asked)
    one, other = film.pair
    patterns = trace.pattern[1, :, film.split]
    found = patterns[one].argmax(), patterns[other].argmax()
    assert found[0] != found[1]
    said = dict(film.script())["two-heads-disagree"]
    for head, key in zip((one, other), found, strict=True):
        name = "itself" if key == film.split else film.tokens[key].strip()
        assert re.search(rf"head {head} (looks most )?at {re.escape(name)}", said)


def test_a_single_token_is_told_of_truly(asked: Request) -> None:
    request = replace(asked, prompt="a")
    script = dict(film_of(ManyHeads, request).script())
    assert "they are all the same" in script["side-by-side"]
    assert "has only itself" in script["two-heads-disagree"]
    assert numbers(ManyHeads, request)


@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_upright_and_square_frames_are_clean(asked: Request, aspect: str) -> None:
    assert check_film(ManyHeads, asked, aspect).findings == ()


def test_many_layers_of_many_heads_stay_legible(asked: Request, tmp_path: Path) -> None:
    loaded = checkpoint.load(asked.checkpoint)
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = GPT(Config(9, 20, 80, 32, 64, loaded.tokenizer.d_vocab)).eval()
    checkpoint.save(model, loaded.tokenizer, tmp_path / "large")
    numbers(ManyHeads, replace(asked, checkpoint=tmp_path / "large", layer=7, head=17))
