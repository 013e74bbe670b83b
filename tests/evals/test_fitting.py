"""Weights are the minimum of one convex loss, and a grade that is fitted leaves the sections of the others alone."""

import numpy as np
import pytest
from evals.grades import refit
from evals.softmax import PENALTY, Pools, minimum


def pools(seed=0, many=12):
    """Pools of different sizes whose gold stands out by the first feature."""
    rng = np.random.default_rng(seed)
    for number in range(many):
        columns, gold = rng.normal(size=(5 + number % 4, 3)), np.zeros(5 + number % 4, bool)
        gold[: 1 + number % 2] = True
        columns[gold, 0] += 1.5
        yield columns, gold


def test_the_slope_is_that_of_the_loss_and_the_curve_that_of_the_slope():
    block, at, tiny = Pools.of(list(pools())), np.array([0.4, -0.3, 0.2]), 1e-6
    loss, slope, curve = block.derivatives(at)
    assert loss == pytest.approx(block.loss(at))
    for axis in np.eye(3):
        ahead, behind = at + tiny * axis, at - tiny * axis
        assert (block.loss(ahead) - block.loss(behind)) / (2 * tiny) == pytest.approx(slope @ axis, abs=1e-6)
        change = (block.derivatives(ahead)[1] - block.derivatives(behind)[1]) / (2 * tiny)
        assert change == pytest.approx(curve @ axis, abs=1e-6)


def test_the_weights_are_the_minimum_wherever_the_search_starts():
    sets = [Pools.of(list(pools(0))), Pools.of(list(pools(1, 30)))]
    weight = minimum(sets, np.zeros(3))
    slope = 2 * PENALTY * weight + sum(block.derivatives(weight)[1] for block in sets)
    assert np.abs(slope).max() < 1e-6
    assert weight == pytest.approx(minimum(sets, np.array([2.0, -1.0, 1.0])), abs=1e-5)
    assert weight[0] > 0.5


def test_pools_of_one_kind_tell_nothing():
    of_one_kind = [(np.ones((4, 3)), np.ones(4, bool)), (np.ones((4, 3)), np.zeros(4, bool))]
    assert Pools.of([*pools(), *of_one_kind]).loss(np.ones(3)) == Pools.of(list(pools())).loss(np.ones(3))


def section(grade, data, cache):
    return f"[{grade}]\nweight = {data.name}.{cache.name}"


def test_a_grade_that_is_fitted_leaves_the_others_alone(tmp_path):
    file = tmp_path / "weights.toml"
    file.write_text("# head\n\n[fixed]  # by judgement\na = 1\n\n[keyword]\nweight = 0\n\n[static]\nweight = 0\n")
    refit(file, ("static",), section, tmp_path / "1", tmp_path / "5")
    assert file.read_text() == (
        "# head\n\n[fixed]  # by judgement\na = 1\n\n[keyword]\nweight = 0\n\n[static]\nweight = 1.5\n"
    )
