"""k-means on the rows of a similarity that is known by its products."""

from types import SimpleNamespace

import numpy as np

from consilience.partition import Solution, _symmetric_operator


def test_the_first_of_equal_starts_is_kept(monkeypatch):
    drawn = iter([(5.0, 0), (4.0, 1), (4.0, 2), (4.0 - 1e-14, 3), (6.0, 4)])

    def one_run(*_):
        objective, label = next(drawn)
        return Solution.minimised(np.array([label]), objective)

    monkeypatch.setattr(_symmetric_operator, "_one_run", one_run)
    operator = SimpleNamespace(row_squares=lambda: None, m=np.ones(1))
    found = _symmetric_operator.operator_kmeans(
        operator, 2, n_init=5, max_iter=1, rng=np.random.default_rng(0)
    )
    assert found.labels.tolist() == [1]
