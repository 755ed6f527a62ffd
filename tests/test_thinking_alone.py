"""Promises of the film thinking-alone."""

from functools import partial

import numpy as np
import pytest
import torch
from played import film_of

from model import checkpoint
from model.neurons import excerpts
from model.trace import record, watch
from scenes.block.thinking_alone import ANSWER, FACT, ThinkingAlone
from scenes.figures.agreement import Agreement, products_of, telling
from scenes.figures.weighing import Weighing, drawn_of, group_starts, lowest_apart
from scenes.film import SHIPPED, Request
from scenes.provenance import count
from scenes.region import Region


@pytest.fixture(scope="module")
def film() -> ThinkingAlone:
    return film_of(ThinkingAlone, Request())


def test_the_numbers_are_bent_as_pytorch_bends_them(film: ThinkingAlone) -> None:
    bend = partial(torch.nn.functional.gelu, approximate="tanh")
    before = torch.from_numpy(film.before.array.copy())
    assert np.allclose(film.after.array, bend(before).numpy(), atol=1e-6)


def test_excerpts_are_where_the_neuron_is_strongest(film: ThinkingAlone) -> None:
    """Each is run by itself; none of the documents that are run here is stronger."""
    loaded = checkpoint.load(SHIPPED)

    def activations(ids: tuple[int, ...]) -> np.ndarray:
        return watch(loaded.model, ids)["mlp_post"][film.deep, :, film.neuron]

    for excerpt in film.found:
        assert np.allclose(activations(excerpt.ids), excerpt.activations, atol=1e-4)
    assert all(len(excerpt.ids) > 1 for excerpt in film.found), "a first token stands alone"
    last = [excerpt.ids[-1] for excerpt in film.found]
    assert len(set(last)) == len(last)
    peaks = [float(excerpt.activations[-1]) for excerpt in film.found]
    assert peaks == sorted(peaks, reverse=True)
    more = excerpts(loaded, film.deep, film.neuron, 40)
    assert all(activations(each.ids)[-1] <= peaks[0] + 1e-4 for each in more)


def test_the_chance_after_each_step_is_what_norm_and_unembedding_read(film: ThinkingAlone) -> None:
    loaded = checkpoint.load(SHIPPED)
    trace = record(loaded.model, loaded.tokenizer, FACT)
    (answer,) = loaded.tokenizer.encode(ANSWER)
    assert film.chances[-1].number == pytest.approx(float(trace.probs[-1, answer]), abs=1e-5)
    gamma, beta, table = (
        trace.weights[name] for name in ("ln_final.gamma", "ln_final.beta", "W_U")
    )
    for layer in range(len(trace.resid_mid)):
        for step, site in enumerate((trace.resid_mid, trace.resid_post)):
            x = site[layer, -1].astype(float)
            logits = ((x - x.mean()) / np.sqrt(x.var() + 1e-5) * gamma + beta) @ table
            chances = np.exp(logits - logits.max())
            read = film.chances[1 + 2 * layer + step].number
            assert read == pytest.approx(chances[answer] / chances.sum(), abs=1e-5)


def test_the_shares_count_all_weights_of_a_block_but_norms_and_biases(film: ThinkingAlone) -> None:
    block = checkpoint.load(SHIPPED).model.blocks[0]
    sizes = {name: weight.numel() for name, weight in block.named_parameters() if ".W_" in name}
    alone = sum(size for name, size in sizes.items() if name.startswith("mlp."))
    assert film.shares[1].number == pytest.approx(alone / sum(sizes.values()))
    assert film.shares[0].number + film.shares[1].number == pytest.approx(1)


def test_no_neuron_of_the_last_layer_changes_the_guess_as_much_when_it_is_silent(
    film: ThinkingAlone,
) -> None:
    """The one shown is in the last layer here; what it writes is taken out of the stream."""
    model, last = checkpoint.load(SHIPPED).model, film.deep
    assert last == model.config.n_layers - 1
    trace = film.trace
    stream = torch.from_numpy(trace.resid_post[last, -1].copy())
    written = trace.mlp_post[last, -1, :, None] * trace.weights.W_out[last]
    without = stream - torch.from_numpy(written)
    likeliest = int(trace.logits[-1].argmax())
    with torch.inference_mode():
        logits = model.ln_final(without) @ model.W_U
    falls = trace.logits[-1, likeliest] - logits[:, likeliest].numpy()
    assert film.neuron in np.argsort(-falls)[:3]


@pytest.mark.parametrize("at", [0, 1])
def test_bars_of_products_differ_by_what_a_detector_sums_up(film: ThinkingAlone, at: int) -> None:
    """The yes that is shown is above zero, the no below; a bias is in the bars, too."""
    neuron = film.told[at]
    lists = film.tensor("ln2")[film.deep, -1], film.tensor("weights.W_in")[film.deep].column(neuron)
    made = film.before[neuron].value
    one = Agreement(lists, made, (" forest", "a detector"), Region(-5, 5, -3, 3))
    assert (made.number > 0) == (at == 0)
    assert one.products.sum() == pytest.approx(made.number)
    assert (one.told.get_y() > one.zero.get_y()) == (at == 1), "it is told where there is no bar"
    one.add_up(1.0)
    stacked = [np.split(bar.points, 2)[0] for bar in one.bars]  # the products stay beside them
    wides, highs = (np.array([np.ptp(bar[:, axis]) for bar in stacked]) for axis in (0, 1))
    sums = [abs(one.products[one.products * side > 0].sum()) for side in (1, -1)]
    assert highs[0] / highs[1] == pytest.approx(sums[0] / sums[1], rel=1e-4)
    assert (wides < 1).all()


def test_what_is_not_drawn_of_two_lists_is_one_block_of_their_sum(film: ThinkingAlone) -> None:
    """The entries that are drawn are those that count most in what is told."""
    x, first = film.tensor("ln2")[film.deep, -1], film.tensor("weights.W_in")[film.deep]
    taken = telling(x.double, first.double[:, list(film.told)], 7)
    lists = x, first.column(film.told[0])
    made, products = film.before[film.told[0]].value, lists[0].double * lists[1].double
    told = products_of(lists, made, taken)
    np.testing.assert_allclose(told[:-2], products[taken])
    assert told[-2] == pytest.approx(np.delete(products, taken).sum())
    assert told.sum() == pytest.approx(made.number)
    assert telling(np.ones(5), np.array([[1.0], [-9], [2], [8], [0]]), 2) == [1, 3]
    assert telling(np.ones(3), np.ones((3, 2)), 2) == [0, 1, 2], "one more is no rest"


def test_the_detector_is_loudest_on_places_and_makes_likelier_what_may_follow_one(
    film: ThinkingAlone,
) -> None:
    """So that what is said of it is told simply, and holds."""
    assert [film.heard[each.ids[-1]] for each in film.found[:3]] == [" forest", " park", " river"]
    assert film.written == [" near", " beside", " close"]


@pytest.mark.parametrize("is_turned", [False, True])
def test_weighed_lines_add_up_to_what_the_model_makes_with_its_bias(*, is_turned: bool) -> None:
    """Each drawn line brings all of its group."""
    weights, bias = np.array([0.1, -2.0, 3.0, 0.5, 1.0]), np.array([0.5, -1.0, 0.0])
    matrix = np.arange(15.0).reshape(5, 3) - 7
    total = weights @ matrix + bias
    room, drawn = Region(-3, 3, -3, 3), [1, 3]  # of groups of two and of three
    told = [count(1, "a detector's number") for _ in drawn]
    ways = weights, matrix, total
    board = Weighing(ways, room, drawn, told, is_turned=is_turned, weighs_drawn=True)
    np.testing.assert_allclose(board.lines[0] * matrix[1, 0], matrix[1] * board.lines[0, 0])
    np.testing.assert_allclose(board.sums[0], total)
    np.testing.assert_allclose(board.sums[1], bias + weights[2:] @ matrix[2:])
    np.testing.assert_allclose(board.sums[-1], bias)
    board.weigh(1.0)
    assert any(len(path.points) for path in board.matrix.paths)
    board.add_up(0.0)
    assert not any(len(path.points) for path in board.sum.paths)
    board.add_up(1.0)
    assert any(len(path.points) for path in board.sum.paths)
    assert any(len(path.points) for path in board.matrix.paths)


def test_what_the_matrix_does_not_add_to_the_wide_numbers_is_their_bias(
    film: ThinkingAlone,
) -> None:
    x, first = film.tensor("ln2")[film.deep, -1], film.tensor("weights.W_in")[film.deep]
    drawn = [0, 100, 200]
    ways, told = (
        (x.double, first.double, film.before.double),
        [film.before[i].value for i in drawn],
    )
    up = Weighing(ways, Region(-5, 5, -3, 3), drawn, told, is_turned=False)
    bias = checkpoint.load(SHIPPED).model.blocks[film.deep].mlp.b_in.detach().numpy()
    np.testing.assert_allclose(up.sums[-1], bias[drawn], atol=1e-4)


def test_what_is_drawn_of_detectors_has_those_that_are_told_one_of_each_group() -> None:
    made = np.linspace(-3, 2, 40)
    drawn = drawn_of(made, 9.0, (7, 31))
    starts = group_starts(40, len(drawn)).tolist()
    assert {7, 31} <= set(drawn)
    assert all(a <= i < b for i, a, b in zip(drawn, starts, [*starts[1:], 40], strict=True))
    assert drawn_of(made[:3], 9.0, (0, 2)) == [0, 1, 2]


@pytest.mark.parametrize("room", [1.0, 9.0, 13.0])
def test_two_detectors_that_are_told_are_both_drawn_however_near_the_lowest_is(room: float) -> None:
    made = np.linspace(-3, 2, 384)
    for one in range(0, 384, 5):
        other = lowest_apart(made, one)
        drawn = drawn_of(made, room, (one, other))
        assert {one, other} <= set(drawn)
        assert len(drawn) <= 9
