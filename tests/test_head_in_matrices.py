"""The pictures of a head show each matrix in its place, and the formula all of them at once."""

import numpy as np
import pytest
from manim import Scene, tempconfig

from scenes.analysis.attention_head import STEPS as STEP_NAMES
from scenes.analysis.attention_head import AttentionHead, HeadWeights
from scenes.analysis.scaling import BY_ROOT, Scaling
from scenes.first_mobjects.formula_in_matrices import FormulaInMatrices
from scenes.first_mobjects.head_in_matrices import HeadInMatrices
from scenes.first_mobjects.head_pictures import HeadPictures
from scenes.head_steps import STEPS, TURNED, steps
from scenes.presence import presence
from scenes.provenance import Tensor
from scenes.region import Region

REGION = Region(-4.0, 6.6, -2.6, 2.1)
UPRIGHT = Region(-3.5, 3.5, -6.0, 5.0)


def tensor(name: str, *shape: int) -> Tensor:
    numbers = np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)
    return Tensor(numbers, name)


def matrices(tokens: int = 5, d_model: int = 24, d_head: int = 8) -> HeadInMatrices:
    long, square = (tokens, d_head), (tokens, tokens)
    shapes = (long, long, long, square, square, long, (tokens, d_model))
    head = AttentionHead(
        *(tensor(name, *shape) for name, shape in zip(STEP_NAMES, shapes, strict=True))
    )
    pairs = [(tensor(f"weights.W_{i}", d_model, d_head), tensor("b", d_head)) for i in "QKV"]
    weights = HeadWeights(tuple(pairs), tensor("weights.W_O", d_head, d_model))
    stream = tensor("resid_pre", tokens, d_model)
    return HeadInMatrices.of(head, weights, stream, stream, stream)


def test_an_ellipsis_stands_level_with_the_row_that_is_framed() -> None:
    m = matrices().level(2)
    for matrix in (m.x, m.o, m.stream, m.moved):
        assert matrix.column_gaps.get_y() == pytest.approx(matrix.row(2).get_y())


def test_every_result_waits_at_its_place_and_the_row_followed_is_framed() -> None:
    m = matrices()
    pictures = HeadPictures.of(m, 3, REGION)
    for picture, result in (
        (pictures.scoring, m.s),
        (pictures.weighing, m.a),
        (pictures.mixing, m.z),
        (pictures.lifting, m.o),
        (pictures.adding, m.moved),
    ):
        assert picture.matrices[-1] is result
        assert result.get_center() == pytest.approx(picture.places[-1].get_center())
        assert picture.ring[-1].get_y() == pytest.approx(result.row(3).get_y(), abs=1e-6)


@pytest.mark.parametrize("region", [REGION, UPRIGHT])
def test_each_term_brings_what_it_stands_for_and_in_the_end_all_is_seen(region: Region) -> None:
    line = FormulaInMatrices(matrices(), BY_ROOT.markup, region)
    assert all(presence(part) == 0 for part in line.get_family())
    with tempconfig({"dry_run": True, "verbosity": "ERROR", "progress_bar": "none"}):
        stage = Scene(skip_animations=True)
        stage.add(line)
        for term in range(len(line.terms)):
            stage.play(line.say(term))
        stage.play(line.say_all())
    assert all(presence(part) == 1 for part in line.get_family() if len(part.points))
    assert set(line.arrows) == ({"s", "a", "z"} if region is REGION else {"s", "z"})


def test_columns_and_back_leave_all_as_it_was() -> None:
    line = FormulaInMatrices(matrices(), BY_ROOT.markup, REGION)
    before = [tile.get_center() for tile in line.matrices["a"].tiles.values()]
    with tempconfig({"dry_run": True, "verbosity": "ERROR", "progress_bar": "none"}):
        stage = Scene(skip_animations=True)
        stage.add(line)
        stage.play(line.to_columns())
        turned = [tile.get_center() for tile in line.matrices["a"].tiles.values()]
        stage.play(line.to_rows())
    after = [tile.get_center() for tile in line.matrices["a"].tiles.values()]
    assert np.abs(np.array(turned) - before).max() > 0.1
    assert np.array(after) == pytest.approx(np.array(before))


def test_the_steps_divide_and_turn_as_the_model_does() -> None:
    usual, never = steps(BY_ROOT, turned=False), steps(Scaling(by_root=False), turned=True)
    assert len(usual) == len(never) == len(STEPS)
    assert [one for one, _ in usual].count("$s_t = query(q_t) key(K)^T slash sqrt(d_k)$") == 1
    assert ("$s_t = query(q_t) key(K)^T$", "$S = query(Q) key(K)^T$") in never
    assert never[: len(TURNED)] == list(TURNED)
    assert not any("{" in formula for pair in usual for formula in pair)
