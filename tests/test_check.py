"""Check finds every kind of fault where it is, and nothing where there is none."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from faulty_films import CLEAN, FAULTY, Clean, FaultThatComesBack, MeasuredScore, Trial

from checking.check import check_film
from model import byte_pairs, checkpoint, corpus
from model.errors import Unusable
from model.gpt import GPT, Config
from model.tokenizer import Tokenizer
from scenes import theme
from scenes.attention.dot_product_grid import DotProductGrid
from scenes.film import Film, Request
from scenes.provenance import Tensor
from scenes.theme import DARK, LIGHT, Theme

wide = pytest.mark.sweep
TEXT = (
    "a fluffy blue creature roamed the verdant forest. the creature was fluffy and blue. "
    "the creature was a creature, and the forest was green."
)


@pytest.fixture(scope="session")
def small_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small random model that knows our words."""
    folder = tmp_path_factory.mktemp("model")
    documents = corpus.documents(0, "train")
    words = Tokenizer(byte_pairs.train([next(documents) for _ in range(3000)], 3000))
    torch.manual_seed(0)
    checkpoint.save(GPT(Config(2, 3, 48, 96, 64, words.d_vocab)), words, folder)
    return folder


@pytest.fixture
def asked(small_model: Path) -> Request:
    return Request(checkpoint=small_model)


def prompt(tokens: int, request: Request) -> str:
    """The beginning of a text that is so many tokens long."""
    words = Tokenizer.load(request.checkpoint / "tokenizer.json")
    return words.decode(words.encode(TEXT)[:tokens])


@pytest.mark.parametrize("film", FAULTY, ids=lambda film: film.__name__)
def test_a_fault_is_found_once_in_its_beat(film: type[Trial], asked: Request) -> None:
    kind, message = FAULTY[film]
    (finding,) = check_film(film, asked).findings
    assert (finding.beat, finding.kind) == ("show-fault", kind)
    assert message in finding.message


@pytest.mark.parametrize("film", CLEAN, ids=lambda film: film.__name__)
def test_nothing_is_found_where_nothing_is_wrong(film: type[Trial], asked: Request) -> None:
    assert check_film(film, asked).findings == ()


def test_nothing_is_found_in_the_light_theme_either(asked: Request) -> None:
    assert check_film(Clean, replace(asked, theme=LIGHT)).findings == ()


def test_every_number_seen_is_told_once_in_each_beat(asked: Request) -> None:
    report = check_film(Clean, asked)
    told = [number for number in report.numbers if number.beat == "show-fault"]
    sources = [number.source for number in told]
    assert len(sources) == len(set(sources))
    assert "pattern[0,0,2,1]" in sources
    assert "= sum over all entries of q[0,0,2,:] * k[0,0,1,:]" in sources
    assert "constant: GPT-3, table 2.1" in sources
    assert all(number.text for number in told)
    first = [number.source for number in report.numbers if number.beat == "the-start"]
    assert first == [f"count: the {part} shown, counted from one" for part in ("layer", "head")]
    last = [number.source for number in report.numbers if number.beat == "the-end"]
    assert last == sources


def test_the_report_says_what_was_checked(asked: Request) -> None:
    report = check_film(Clean, replace(asked, prompt="the blue forest"))
    assert (report.film, report.prompt) == ("faulty-films", "the blue forest")
    assert report.checkpoint == asked.checkpoint


def test_a_fault_that_comes_back_is_told_again(asked: Request) -> None:
    findings = check_film(FaultThatComesBack, asked).findings
    assert [finding.beat for finding in findings] == ["show-fault", "the-end"]


@pytest.mark.parametrize("tokens", [pytest.param(2, marks=wide), 8, pytest.param(16, marks=wide)])
@pytest.mark.parametrize(
    "colors", [DARK, pytest.param(LIGHT, marks=wide)], ids=lambda each: each.name
)
def test_the_dot_product_grid_is_clean(tokens: int, colors: Theme, asked: Request) -> None:
    report = check_film(DotProductGrid, replace(asked, prompt=prompt(tokens, asked), theme=colors))
    assert report.findings == ()
    worked_out = [each for each in report.numbers if each.beat == "look-into-one-cell"]
    assert sum(" * k" in each.source for each in worked_out) == 1  # of all cells, one as a number
    assert not any(each.beat == "dots-fill-the-grid" for each in report.numbers)


@pytest.mark.parametrize("aspect", ["9:16", pytest.param("1:1", marks=wide)])
@pytest.mark.parametrize("tokens", [2, pytest.param(8, marks=wide)])
def test_the_dot_product_grid_is_clean_in_any_aspect(
    aspect: str, tokens: int, asked: Request
) -> None:
    assert (
        check_film(DotProductGrid, replace(asked, prompt=prompt(tokens, asked)), aspect).findings
        == ()
    )


def test_a_film_that_shows_other_numbers_than_the_trace_is_found_out(
    asked: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    def altered(chapter: Film, name: str) -> Tensor:
        array = chapter.trace.tensors()[name].copy()
        if name == "dot_products":
            array[chapter.layer, chapter.head, -1, 0] += 0.5
        return Tensor(array, name)

    monkeypatch.setattr(Film, "tensor", altered)
    findings = check_film(DotProductGrid, replace(asked, prompt="the blue forest")).findings
    assert {finding.kind for finding in findings} == {"source"}
    assert any("dot_products[" in finding.message for finding in findings)


def test_a_score_that_was_not_measured_is_found_out(
    asked: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Film.read

    def boast(chapter: Film) -> None:
        read(chapter)
        chapter.score = replace(chapter.score, adjective_to_noun=0.99)

    monkeypatch.setattr(Film, "read", boast)
    findings = check_film(MeasuredScore, asked).findings
    assert [(finding.beat, finding.kind) for finding in findings] == [("show-fault", "source")]
    assert "heads.adjective_to_noun[" in findings[0].message


def test_a_prompt_that_the_film_cannot_show_is_refused(asked: Request) -> None:
    with pytest.raises(Unusable, match="17 tokens"):
        check_film(DotProductGrid, replace(asked, prompt=prompt(17, asked)))


def test_checking_leaves_the_theme_as_it_was(asked: Request) -> None:
    check_film(Clean, replace(asked, theme=LIGHT))
    assert theme.current() is DARK
