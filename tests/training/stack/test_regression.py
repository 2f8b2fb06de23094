from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from training.stack.regression import auc, fit


def test_a_feature_that_tells_gets_the_weight() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 2))
    y = x[:, 0] + 0.3 * rng.normal(size=400) > 0
    model = fit(x, y, np.ones(400), [0, 0], ridge=0.01)
    assert model.weights[0] > 5 * abs(model.weights[1])
    assert np.mean((model.predict(x) > 0.5) == y) > 0.9


def test_signs_bind() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(300, 2))
    y = x[:, 0] > 0
    assert fit(x, y, np.ones(300), [-1, 0]).weights[0] == pytest.approx(0.0, abs=1e-9)
    assert fit(x, ~y, np.ones(300), [1, 0]).weights[0] == pytest.approx(0.0, abs=1e-9)


def test_weights_count_like_copies() -> None:
    x = np.array([[0.0], [1.0], [1.0], [0.0]])
    y = np.array([False, True, False, True])
    twice = fit(np.vstack([x, x[:2]]), np.concatenate([y, y[:2]]), np.ones(6), [0])
    weighed = fit(x, y, np.array([2.0, 2.0, 1.0, 1.0]), [0])
    assert twice.bias == pytest.approx(weighed.bias, abs=1e-6)
    assert twice.weights == pytest.approx(weighed.weights, abs=1e-6)


def test_a_constant_feature_does_no_harm() -> None:
    x = np.array([[0.0, 5.0], [1.0, 5.0], [0.0, 5.0], [1.0, 5.0]])
    model = fit(x, np.array([False, True, False, True]), np.ones(4), [1, 1])
    assert np.all(np.isfinite(model.weights))
    assert model.predict(x)[1] > 0.5


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.lists(st.integers(0, 5), min_size=1, max_size=20))
def test_auc_is_the_share_of_pairs_in_order(good: list[int], bad: list[int]) -> None:
    pairs = [(a > b) + 0.5 * (a == b) for a in good for b in bad]
    assert auc(np.array(good, float), np.array(bad, float)) == pytest.approx(sum(pairs) / len(pairs))


def test_auc_of_nothing_is_no_number() -> None:
    assert np.isnan(auc(np.array([]), np.array([1.0])))
