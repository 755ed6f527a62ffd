"""What tests share: a small checkpoint, made once, and a command line that shows it."""

import io
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from answers import Answer, Ask
from foreign import write_llama
from plays import Plays

import render
from model import byte_pairs, checkpoint, corpus
from model.gpt import GPT, Config
from model.tokenizer import Tokenizer
from scenes import FILMS
from scenes.film import Request


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep what is measured out of the user's cache folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


os.environ["FILMS_VOICE"] = "none"  # what tests promise of pictures needs nobody to speak


@pytest.fixture(scope="session")
def tiny_checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model of 2 layers with 3 heads of 8 entries, with a tokenizer of common words."""
    texts = corpus.documents(0, "train")
    words = Tokenizer(byte_pairs.train([next(texts) for _ in range(400)], 600))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = GPT(Config(2, 3, 24, 48, 64, words.d_vocab)).eval()
    folder = tmp_path_factory.mktemp("checkpoint") / "tiny"
    checkpoint.save(model, words, folder)
    return folder


@pytest.fixture(scope="session")
def other_checkpoint(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same model with every weight a little different."""
    loaded = checkpoint.load(tiny_checkpoint)
    with torch.no_grad(), torch.random.fork_rng():
        torch.manual_seed(1)
        for weight in loaded.model.parameters():
            weight.add_(0.003 * torch.randn_like(weight))
    folder = tmp_path_factory.mktemp("checkpoint") / "other"
    checkpoint.save(loaded.model, loaded.tokenizer, folder)
    return folder


@pytest.fixture(scope="session")
def small_llama(tiny_checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random Llama with the small model's tokenizer."""
    words = (tiny_checkpoint / "tokenizer.json").read_text()
    return write_llama(tmp_path_factory.mktemp("llama"), words)


@pytest.fixture(scope="session")
def plays(small_llama: Path) -> Plays:
    """Every film as it is played, once for each case."""
    return Plays(small_llama)


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a film, one after the other: they share its plays."""
    slugs = {film.slug() for film in FILMS}
    groups: dict[int, str] = {}
    for item in items:
        film = getattr(item, "callspec", None) and item.callspec.params.get("film")
        own = item.path.stem.removeprefix("test_").replace("_", "-")
        slug = film.slug() if film in FILMS else own
        if slug in slugs:
            item.add_marker(pytest.mark.xdist_group(slug))
            groups[id(item)] = slug
    items.sort(key=lambda item: groups.get(id(item), ""))


@pytest.fixture
def asked(tiny_checkpoint: Path) -> Request:
    """A request for the small model and a sentence of words that it knows."""
    prompt = "the old king saw a small red robot"
    return Request(prompt=prompt, checkpoint=tiny_checkpoint, layer=1, head=2)


@pytest.fixture
def other(asked: Request, other_checkpoint: Path) -> Request:
    """The same request for the other model."""
    return replace(asked, checkpoint=other_checkpoint)


@pytest.fixture
def ask(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tiny_checkpoint: Path,
    tmp_path: Path,
) -> Ask:
    """Run a command in an empty folder, with the small model in place of the shipped one.

    `given` is what stands on standard input.
    """
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("rendering.job.SHIPPED", tiny_checkpoint)

    def run(*arguments: str | Path, given: bytes = b"") -> Answer:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
        capsys.readouterr()
        status = render._status([str(argument) for argument in arguments])
        return status, *capsys.readouterr()

    return run
