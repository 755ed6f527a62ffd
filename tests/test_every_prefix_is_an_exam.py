"""Promises of the film every-prefix-is-an-exam."""

from itertools import islice

import numpy as np
import pytest
import torch
from played import film_of, numbers
from torch.nn import functional as F  # noqa: N812 - the name everybody knows it by

from checking.check import check_film, play_and_check
from model import checkpoint
from model.gpt import GPT, Config
from model.initialization import initialize, untrained
from scenes.figures.lanes import Covered, Share
from scenes.film import SHIPPED, Request
from scenes.mobjects.fit import averaging_decimals
from scenes.region import Region, stage_area
from scenes.study import UNTRAINED_SEED
from scenes.training.every_prefix_is_an_exam import NUDGES, EveryPrefixIsAnExam
from scenes.verbs import Together, Verb


@pytest.fixture(scope="module")
def film() -> EveryPrefixIsAnExam:
    return film_of(EveryPrefixIsAnExam, Request())


def losses_of(model: GPT, ids: list[int]) -> list[float]:
    """Return what PyTorch's own cross entropy says of every token but the first."""
    with torch.inference_mode():
        logits = model(torch.tensor([ids]))[0, :-1]
    found: list[float] = F.cross_entropy(logits, torch.tensor(ids[1:]), reduction="none").tolist()
    return found


def test_losses_are_those_of_pytorch_before_and_after_training(film: EveryPrefixIsAnExam) -> None:
    model, ids = checkpoint.load(SHIPPED).model, list(film.trace.ids)
    assert isinstance(model, GPT)
    assert isinstance(model.config, Config)
    torch.manual_seed(UNTRAINED_SEED)
    start = GPT(model.config)
    initialize(start)
    for shown, of in ((film.losses, model), (film.before, start)):
        assert [each.number for each in shown] == pytest.approx(losses_of(of, ids), abs=1e-3)
    assert film.mean_before.number == pytest.approx(np.log(model.config.d_vocab), abs=0.5)


def test_the_first_exam_is_where_the_model_is_surest_and_wrong(film: EveryPrefixIsAnExam) -> None:
    probs, ids = film.trace.tensors()["probs"], film.trace.ids
    wrong = [pos for pos in range(len(ids) - 1) if probs[pos].argmax() != ids[pos + 1]]
    assert film.asked == max(wrong, key=lambda pos: float(probs[pos].max()))
    assert (film.words()["bet"], film.words()["answer"]) == ("“creature”", "“bird”")


def test_the_losses_as_written_have_the_mean_as_written(film: EveryPrefixIsAnExam) -> None:
    places = averaging_decimals(film.losses, film.mean)
    written = [round(each.number, places) for each in film.losses]
    assert round(float(np.mean(written)), places) == round(film.mean.number, places)


def test_the_model_has_not_read_the_sentence_in_training(film: EveryPrefixIsAnExam) -> None:
    assert not film.is_read(film.trace.text)


def test_bets_have_numerals_and_all_other_tokens_have_a_bar_alone() -> None:
    """Rounded, all of them together were 101 %."""
    shown = numbers(EveryPrefixIsAnExam, Request(), beat="the-bet")
    film = film_of(EveryPrefixIsAnExam, Request())
    top = film.trace.tensors()["probs"][film.asked]
    found = sorted(value for source, value in shown.items() if source.startswith("probs"))
    assert found == pytest.approx(np.sort(top)[-4:].tolist())
    assert not [source for source in shown if source.startswith("= (count: all")]


def test_a_share_is_as_long_as_it_is_in_a_frame_that_is_one_long() -> None:
    share = Share(0.25, Region(0.0, 1.0, 0.0, 10.0), upright=True)
    assert (share.bar.height, share.frame.height) == pytest.approx((2.5, 10.0))


def test_what_is_covered_is_the_word_that_is_asked_for_and_all_that_follow(
    film: EveryPrefixIsAnExam,
) -> None:
    text = Covered(film.tokens, film.asked + 1, stage_area())
    covered = [chip.plate.get_stroke_width() > 0 for chip in text.line]
    assert covered == [at > film.asked for at in range(len(film.tokens))]
    assert text.ring.get_center() == pytest.approx(text.line[film.asked + 1].get_center())


def test_a_model_before_training_gives_all_tokens_nearly_the_same_chance(
    film: EveryPrefixIsAnExam,
) -> None:
    probs = film.tensor("untrained.probs").array
    assert probs.max() < 5 / probs.shape[1]


def test_the_losses_of_a_nudged_weight_are_those_of_a_model_with_that_weight(
    film: EveryPrefixIsAnExam,
) -> None:
    ids, model = list(film.trace.ids), untrained(checkpoint.load(SHIPPED).model, UNTRAINED_SEED)
    assert isinstance(model, GPT)
    nudged = film.tensor("untrained.nudged").array
    assert nudged[NUDGES.index(0.0)] == pytest.approx(film.mean_before.number, abs=1e-4)
    read = torch.tensor([ids])
    F.cross_entropy(model(read)[0, :-1], read[0, 1:]).backward()
    slope = model.W_E.grad
    assert slope is not None
    place = np.unravel_index(int(slope.abs().argmax()), slope.shape)
    for offset, found in zip(NUDGES, nudged, strict=True):
        with torch.no_grad():
            model.W_E[tuple(map(int, place))] += offset
            assert found == pytest.approx(float(np.mean(losses_of(model, ids))), abs=1e-4)
            model.W_E[tuple(map(int, place))] -= offset


def test_a_percentage_of_nearly_all_has_room_in_an_upright_frame() -> None:
    request = Request(prompt="How are you?")
    assert check_film(EveryPrefixIsAnExam, request, "9:16").findings == ()


def test_the_ring_comes_to_the_word_that_marks_the_first_exam() -> None:
    film, _ = play_and_check(EveryPrefixIsAnExam, Request())
    assert isinstance(film, EveryPrefixIsAnExam)
    for shown in islice(film.every_prefix(), 2):
        cue = Together(*([shown] if isinstance(shown, Verb) else shown))
        for share in np.linspace(0, 1, 50):
            cue.interpolate(float(share))
    assert film.asked > 0
    np.testing.assert_allclose(film.next.get_center(), film.chips[1].plate.get_center(), atol=1e-6)
