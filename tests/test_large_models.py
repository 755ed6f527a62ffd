"""Films hold for models of large shapes, random ones, and start soon for them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from played import film_of

from checking.check import check_film
from model import checkpoint, heads, trace
from model.checkpoint import Checkpoint
from model.gpt import GPT, Config, Transformer
from model.llama import Llama, LlamaConfig
from model.tokenizer import Tokenizer
from scenes import FILMS
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.attention.down_and_up_again import DownAndUpAgain
from scenes.attention.many_heads import ManyHeads
from scenes.attention.one_head_as_matrices import OneHeadAsMatrices
from scenes.attention.queries_keys_values import QueriesKeysValues
from scenes.attention.scale_then_softmax import ScaleThenSoftmax
from scenes.attention.the_weighted_sum import TheWeightedSum
from scenes.film import Film, Request
from scenes.study import SHIPPED
from scenes.theme import LIGHT
from scenes.vectors.from_one_hot_to_embedding import FromOneHotToEmbedding

pytestmark = pytest.mark.sweep  # many models by many films: for `make sweep`

PROMPT = "a blue creature"
WALL = (ManyHeads, DownAndUpAgain)
UPRIGHT = (QueriesKeysValues, TheWeightedSum, ManyHeads, DownAndUpAgain)


def gpt2_small() -> Transformer:
    """Every width is GPT-2 small's but the MLP's; of its 12 layers, one; few words."""
    return GPT(Config(1, 12, 768, 768, 1024, 4096))


def gpt2_medium_of_narrow_heads() -> Transformer:
    """As many layers and heads as GPT-2 medium has."""
    return GPT(Config(24, 16, 128, 128, 64, 4096))


def llama_of_wide_heads() -> Transformer:
    """Heads and groups of heads are those of Llama 3 8B, the width that of Llama 3.2 1B."""
    return Llama(LlamaConfig(1, 32, 2048, 512, 64, 4096, n_key_heads=8, d_head=128, tied=True))


def many_words() -> Transformer:
    """More words than Llama 3 has."""
    return GPT(Config(1, 2, 16, 16, 64, 150_000))


def small_gpt2() -> Transformer:
    return GPT(Config(1, 2, 16, 16, 64, 4096))


def small_llama() -> Transformer:
    return Llama(LlamaConfig(1, 2, 16, 16, 64, 4096, n_key_heads=1, d_head=8))


Folder = Callable[[Callable[[], Transformer]], Path]


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """Where a random model of a shape is saved, with our own tokenizer."""
    words, made = Tokenizer.load(SHIPPED / "tokenizer.json"), dict[Any, Path]()

    def folder(shape: Callable[[], Transformer]) -> Path:
        if shape not in made:
            with torch.random.fork_rng():
                torch.manual_seed(0)
                made[shape] = tmp_path_factory.mktemp("large") / shape.__name__
                checkpoint.save(shape().eval(), words, made[shape])
        return made[shape]

    return folder


def findings(film: type[Film], folder: Path, aspect: str = "16:9", **how: Any) -> Any:
    return check_film(film, Request(PROMPT, folder, **how), aspect).findings


@pytest.mark.parametrize("film", FILMS, ids=lambda film: film.slug())
def test_a_film_is_clean_for_the_widths_of_gpt2(film: type[Film], folder_of: Folder) -> None:
    assert findings(film, folder_of(gpt2_small)) == ()


@pytest.mark.parametrize(
    ("shape", "film"),
    [
        *((gpt2_medium_of_narrow_heads, film) for film in WALL),
        (llama_of_wide_heads, DotProductGrid),
        (llama_of_wide_heads, OneHeadAsMatrices),
        (llama_of_wide_heads, QueriesKeysValues),
        (many_words, FromOneHotToEmbedding),
    ],
    ids=lambda each: each.slug() if isinstance(each, type) else each.__name__,
)
def test_a_film_is_clean_for_a_shape_that_strains_it(
    shape: Callable[[], Transformer], film: type[Film], folder_of: Folder
) -> None:
    assert findings(film, folder_of(shape)) == ()


@pytest.mark.parametrize("film", UPRIGHT, ids=lambda film: film.slug())
def test_a_film_of_large_shapes_is_clean_upright_and_light(
    film: type[Film], folder_of: Folder
) -> None:
    assert findings(film, folder_of(gpt2_small), "9:16", theme=LIGHT) == ()


def test_true_sizes_are_named_where_a_vector_or_a_matrix_is_elided(folder_of: Folder) -> None:
    folder = folder_of(gpt2_small)
    report = check_film(QueriesKeysValues, Request(PROMPT, folder))
    shown = {each.source: each for each in report.numbers}
    assert {"768", "64", "764"} <= {each.text for each in shown.values()}
    terms = [each for source, each in shown.items() if "] * weights.W_Q[" in source]
    assert len(terms) == 5  # four products, and what the 764 others come to
    biases = checkpoint.load(folder).model.get_parameter("blocks.0.attn.b_Q").detach()
    bias = float(biases[10, 0])  # which joins them at once, and is at rest nowhere
    queries = {source: each.value for source, each in shown.items() if "@ weights.W_Q[" in source}
    (made,) = (value for source, value in queries.items() if source.startswith("= entry 0 of"))
    assert sum(each.value for each in terms) + bias == pytest.approx(made, abs=1e-4)


def test_reading_a_film_copies_no_weight(
    folder_of: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = list[str]()
    stacked = trace.Weights._stacked

    def noted(weights: trace.Weights, name: str) -> torch.Tensor:
        copied.append(name)
        return stacked(weights, name)

    monkeypatch.setattr(trace.Weights, "_stacked", noted)
    film_of(ScaleThenSoftmax, Request(PROMPT, folder_of(gpt2_small)))
    assert copied == []
    film_of(QueriesKeysValues, Request(PROMPT, folder_of(gpt2_small)))
    assert set(copied) <= {"W_Q", "W_K", "W_V", "b_Q"}


def tokens_read(model: Transformer, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return how many tokens are in each batch that measuring a model's heads reads."""
    sizes, patterns = list[int](), heads.patterns

    def noted(model: Transformer, rows: torch.Tensor) -> torch.Tensor:
        sizes.append(rows.numel())
        return patterns(model, rows)

    monkeypatch.setattr(heads, "patterns", noted)
    heads.measure(Checkpoint(model, Tokenizer.load(SHIPPED / "tokenizer.json"), Path()))
    return sizes


def test_the_larger_a_model_the_less_text_its_heads_are_measured_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = small_gpt2().eval()
    weights = sum(weight.numel() for weight in model.blocks.parameters())
    assert sum(tokens_read(model, monkeypatch)) > 5000
    monkeypatch.setattr(heads, "MOST_WORK", 300 * weights)  # as if it were large
    rows, twice, *phrases = tokens_read(model, monkeypatch)
    assert rows <= 300
    assert twice <= 300
    assert sum(phrases) <= 3 * 300  # phrases are filled up to the longest of their batch


def test_however_large_a_model_its_heads_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_gpt2().eval()
    monkeypatch.setattr(heads, "MOST_WORK", 1)
    rows, _, *phrases = tokens_read(model, monkeypatch)
    assert rows == heads.FEWEST_ROWS * heads.LONGEST_ROW
    assert sum(phrases) >= heads.FEWEST_READ


def test_loading_imports_no_compiler(folder_of: Folder) -> None:
    """Torch has one that takes a second to import, and some ways to plan a model ask for it."""
    folders = [str(folder_of(shape)) for shape in (small_gpt2, small_llama)]
    code = (
        "import sys; from model.checkpoint import load; "
        f"[load(folder) for folder in {folders}]; sys.exit('sympy' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_model_computes_on_one_core_and_gives_the_others_back() -> None:
    model = GPT(Config(1, 2, 16, 16, 64, 300)).eval()
    before, seen = torch.get_num_threads(), list[int]()
    torch.set_num_threads(2)
    try:
        model.embed.register_forward_hook(lambda *_: seen.append(torch.get_num_threads()))
        trace.watch(model, [1, 2])
        assert seen == [1]
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
