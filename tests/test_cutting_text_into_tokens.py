"""The film that cuts a text shows the tokenizer that it was asked for, and counts truly."""

import json
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from manim import VMobject
from tokenizers import models, pre_tokenizers

from checking.check import Report, check_film
from model import checkpoint, corpus
from model.corpus.occurrences import COUNTED
from model.tokenizer import END_OF_TEXT, Tokenizer
from rendering.pictures import Picture
from rendering.playing import read, staged
from scenes.film import SHIPPED, Request
from scenes.first_edition import Film, beat
from scenes.vectors.cutting_text_into_tokens import CuttingTextIntoTokens

PROMPT = "the old king"


def film(prompt: str | None = None, folder: Path = SHIPPED) -> CuttingTextIntoTokens:
    found = read(CuttingTextIntoTokens, Request(checkpoint=folder, prompt=prompt))
    assert isinstance(found, CuttingTextIntoTokens)
    return found


def script(prompt: str | None = None, folder: Path = SHIPPED) -> dict[str, str]:
    return dict(film(prompt, folder).script())


def by_source(report: Report) -> dict[str, float]:
    return {number.source: number.value for number in report.numbers}


@pytest.fixture(scope="module")
def shown() -> Report:
    return check_film(CuttingTextIntoTokens, Request())


def other_tokenizer(folder: Path, place: Path, *, merged: bool) -> Path:
    """The same model with a tokenizer of other merges, or of none."""
    loaded = checkpoint.load(folder)
    keys = json.loads(loaded.tokenizer.to_json())["model"]
    if merged:
        kept = keys["merges"][5::2]
        pieces = [END_OF_TEXT, *sorted(pre_tokenizers.ByteLevel.alphabet())]
        usable = []
        for left, right in kept:
            if {left, right} <= set(pieces):
                usable.append((left, right))
                pieces.append(left + right)
        model = models.BPE(vocab={piece: i for i, piece in enumerate(pieces)}, merges=usable)
    else:
        model = models.WordLevel(keys["vocab"], END_OF_TEXT)
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    checkpoint.save(loaded.model, Tokenizer(backend), place)
    return place


def test_every_byte_and_every_id_is_shown(shown: Report) -> None:
    numbers, text = by_source(shown), CuttingTextIntoTokens.prompt
    for place, byte in enumerate(text.encode()):
        assert numbers[f"cutting.bytes[{place}]"] == byte
    loaded = checkpoint.load(SHIPPED)
    for place, token in enumerate(loaded.tokenizer.encode(text)):
        assert numbers[f"cutting.ids[{place}]"] == token
    assert shown.findings == ()


def test_another_tokenizer_shows_its_own_places_and_ids(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    other = other_tokenizer(tiny_checkpoint, tmp_path / "other", merged=True)
    one, two = (
        check_film(CuttingTextIntoTokens, Request(checkpoint=folder, prompt=PROMPT))
        for folder in (tiny_checkpoint, other)
    )
    assert (one.findings, two.findings) == ((), ())
    before, after = by_source(one), by_source(two)
    for site in ("pairs", "ids"):
        shared = [each for each in before.keys() & after.keys() if f"cutting.{site}[" in each]
        assert any(before[each] != after[each] for each in shared)
    assert {each: before[each] for each in before if "bytes" in each} == {
        each: after[each] for each in after if "bytes" in each
    }


def test_a_tokenizer_that_merges_nothing_is_told_of_truly(
    tiny_checkpoint: Path, tmp_path: Path
) -> None:
    other = other_tokenizer(tiny_checkpoint, tmp_path / "none", merged=False)
    assert (
        check_film(CuttingTextIntoTokens, Request(checkpoint=other, prompt="the old")).findings
        == ()
    )
    said = script("the old", other)
    assert "looks up its pieces in another way" in said["the-best-pair"]
    assert "nothing is merged" in said["merge-after-merge"]


def test_documents_are_counted_as_the_corpus_has_them(shown: Report) -> None:
    texts = [text for text, _ in zip(corpus.documents(0, "train"), range(COUNTED), strict=False)]
    counted = {
        each.source.partition("in which '")[2][: -len("' stands")]: each.value
        for each in shown.numbers
        if "in which" in each.source
    }
    assert {
        "c",
        " creature",
        " blue creature",
        CuttingTextIntoTokens.prompt,
        " tokenization",
    } == set(counted)
    for text, number in counted.items():
        assert number == sum(text in document for document in texts)


def test_squares_hold_as_many_cells_as_there_are_pairs() -> None:
    with staged(CuttingTextIntoTokens, Request(beats=frozenset()), Picture(), Path()) as chapter:
        chapter.setup()
        chapter._set_header()
        assert isinstance(chapter, CuttingTextIntoTokens)
        chapter.cast()
        areas = [square.width**2 for square in chapter.squares.squares]
    text = CuttingTextIntoTokens.prompt
    counts = [len(text), len(film().cutting.ids), len(text.split())]
    assert np.divide(areas, areas[1]) == pytest.approx(np.square(counts) / counts[1] ** 2)


def test_the_film_ends_with_the_tokens_where_a_chapter_has_them() -> None:
    ends = []
    for kind in (CuttingTextIntoTokens, Bare):
        with staged(kind, Request(beats=frozenset()), Picture(), Path()) as chapter:
            chapter.render()
            row = chapter.token_row
            assert row in chapter.mobjects
            ends.append([part.points for part in row.get_family() if isinstance(part, VMobject)])
    for one, other in zip(*ends, strict=True):
        assert one == pytest.approx(other)


class Bare(Film):
    """A chapter without beats."""

    title = CuttingTextIntoTokens.title
    prompt = CuttingTextIntoTokens.prompt
    seconds = 0
    poster_beat = "nothing-happens"

    @beat("Nothing happens.")
    def nothing_happens(self) -> None:
        self.rest()

    def small_print(self):  # type: ignore[no-untyped-def] # noqa: ANN201 # as the film has it
        return CuttingTextIntoTokens.small_print(self)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("prompt", "beat", "said"),
    [
        ("a", "characters-and-bytes", "1 character in 1 byte."),
        ("el niño", "characters-and-bytes", "7 characters in 8 bytes: some characters take"),
        ("a", "the-best-pair", "No two neighbours here are in it."),
        ("日本語", "merge-after-merge", "there are 9 pieces"),
        ("日本語", "what-is-left", "to base sixteen"),
        ("the dog", "the-best-pair", "h and e stand highest"),
        ("he", "merge-after-merge", "nothing more can merge"),
        ("hello", "what-is-left", "That leaves 2 tokens."),
        ("a", "why-not-characters", "1 character would make 1 pair, 1 token makes 1."),
        ("supercalifragilistic", "whole-and-broken", "supercalifragilistic stays in 11 pieces"),
        ("a dog", "whole-and-broken", "such as dog comes together whole"),
    ],
)
def test_what_is_said_is_true_for_odd_prompts(prompt: str, beat: str, said: str) -> None:
    assert said in script(prompt)[beat]


def test_the_space_is_spoken_of_only_where_there_is_one() -> None:
    spaced, lone = script("a dog"), script("hello")
    assert "A dot is a space." in spaced["characters-and-bytes"]
    assert "A dot is a space." not in lone["characters-and-bytes"]
    assert "The space before a word belongs to its token." in spaced["what-is-left"]
    assert "space" not in lone["what-is-left"]
    assert "space" not in script("🤖 日")["what-is-left"]  # here a space is a token by itself


@pytest.mark.parametrize("prompt", ["a", "2 + 2 = 4", "I love 🤖 robots", "the the the the the"])
@pytest.mark.parametrize("aspect", ["9:16", "1:1"])
def test_the_film_is_clean_in_other_shapes(prompt: str, aspect: str) -> None:
    assert check_film(CuttingTextIntoTokens, Request(prompt=prompt), aspect).findings == ()
