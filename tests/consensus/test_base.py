"""The ceremony: refusals, warnings, prediction, bookkeeping."""

import warnings
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from consilience import Ensemble
from consilience.consensus import (
    BEST,
    HBGF,
    IPC,
    IVC,
    KMCF,
    ConsensusFunction,
    MultinomialMixture,
    Outcome,
    PluralityVoting,
)
from consilience.consensus._trust import SAMPLE_ROWS
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import (
    ConsilienceWarning,
    InvalidInputError,
    InvalidParameterError,
    NoDiversityWarning,
    NoSignalWarning,
    NotConvergedWarning,
    UnseenLabelsWarning,
    UnsupportedInputError,
    WorseThanMemberWarning,
)
from consilience.metrics import ari

PLANTED, TRUTH = make_planted_ensemble(300, 8, 3, noise=0.2, random_state=0)


class Everything(ConsensusFunction):
    """Returns what it is told to; made for these tests."""

    parameters = BEST.parameters
    capabilities = BEST.capabilities

    def __init__(self, n_clusters=None, *, criterion="rand"):
        self.n_clusters = n_clusters
        self.criterion = criterion

    def _consensus(self, ensemble, n_clusters, rng):
        return Outcome(np.arange(ensemble.n_samples) % 2)


def categories(function, labels):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function.fit(labels)
    return [warning.category for warning in caught]


@pytest.mark.parametrize(
    ("capability", "given", "words"),
    [
        ("soft", Ensemble.from_memberships([[[0.5, 0.5], [1, 0]]]), "soft memberships"),
        ("missing", np.array([[0, -1], [1, 0]]), "missing labels"),
        ("weights", Ensemble([[0, 1], [0, 1]], weights=[2, 1]), "member weights"),
    ],
)
def test_refusals_name_functions_that_can(capability, given, words):
    function = Everything()
    function.capabilities = replace(function.capabilities, **{capability: False})
    with pytest.raises(UnsupportedInputError, match=f"Everything cannot use {words}; .*IPC, IPVC"):
        function.fit(given)


def test_sample_weight_can_be_refused():
    function = Everything()
    function.capabilities = replace(function.capabilities, sample_weight=False)
    with pytest.raises(UnsupportedInputError, match="cannot use sample_weight"):
        function.fit([[0, 1]], sample_weight=[1, 2])


@pytest.mark.parametrize(
    ("weight", "words"),
    [
        ([1, 2], "sample_weight must be 4 numbers, one per object"),
        ([1, -1, 1, 1], r"sample_weight\[1\] is -1"),
        ([0, 0, 0, 0], "zero for every object"),
        ([1, np.nan, 1, 1], r"sample_weight\[1\] is nan"),
        (["a", "b", "c", "d"], "sample_weight must be 4 numbers"),
    ],
)
def test_bad_sample_weight(weight, words):
    with pytest.raises(InvalidInputError, match=words):
        IPC(2).fit([[0, 0, 1, 1], [0, 1, 0, 1]], sample_weight=weight)


def test_bad_parameters_are_named():
    with pytest.raises(
        InvalidParameterError, match="IPC: n_clusters must be an integer of at least 1"
    ):
        IPC(n_clusters=0).fit(PLANTED)
    with pytest.raises(InvalidParameterError, match="IVC: criterion must be one of 'rand', 'anmi'"):
        IVC(criterion="best").fit(PLANTED)


def test_warns_when_members_are_the_same():
    labels = np.column_stack([TRUTH, TRUTH, TRUTH])
    with pytest.warns(NoDiversityWarning, match=r"mean adjusted Rand index 1.000"):
        IPC(3).fit(labels)


def test_warns_when_members_are_unrelated():
    labels = np.random.default_rng(0).integers(0, 3, (2000, 6))
    with pytest.warns(NoSignalWarning, match="no better than chance"):
        KMCF(3, random_state=0).fit(labels)


@pytest.mark.parametrize(
    "numbers", [(2, 2, 2), (5, 5, 5, 5), (2, 600), (2, 7, 40, 600), (600, 600, 600)]
)
def test_random_labels_have_no_signal_whatever_the_number_of_clusters(numbers):
    rng = np.random.default_rng(3)
    for _ in range(3):
        labels = [rng.integers(0, k, 3000) for k in numbers]
        assert NoSignalWarning in categories(PluralityVoting(2), labels)


@pytest.mark.parametrize("sizes", [(2, 600), (1, 2, 600), (600, 4, 150), (30, 300, 1500)])
def test_nested_clusters_have_signal_whatever_their_number(sizes):
    finest = np.arange(3000)
    labels = [finest * size // len(finest) for size in sizes]
    assert NoSignalWarning not in categories(PluralityVoting(2), labels)


def test_warns_when_a_member_is_better():
    labels = np.vstack([PLANTED.labels, [[0] * 8, [1] * 8]])
    with pytest.warns(
        WorseThanMemberWarning, match=r"agrees with the other members better .*0\.\d+"
    ):
        Everything(2).fit(np.where(labels == 2, 1, labels))


def test_doubts_are_judged_on_a_sample_of_large_ensembles():
    labels = np.random.default_rng(1).integers(0, 3, (SAMPLE_ROWS + 5000, 3))
    assert NoSignalWarning in categories(IVC(3, n_init=1, random_state=0), labels)


def test_warns_when_rounds_run_out():
    noisy, _ = make_planted_ensemble(500, 10, 4, noise=0.5, random_state=0)
    for function in (IVC, IPC, KMCF, MultinomialMixture):
        assert NotConvergedWarning in categories(function(4, max_iter=1, random_state=0), noisy)


def test_prediction_of_new_rows():
    fitted = IPC(3, random_state=0).fit(PLANTED)
    fresh, _ = make_planted_ensemble(300, 8, 3, noise=0.2, random_state=0)
    assert ari(fitted.predict(fresh), TRUTH) > 0.95
    shares = fitted.predict_proba(PLANTED)
    for row in (0, 57):
        votes = [
            fitted.vote_table_[PLANTED.layout.columns(j)][PLANTED.labels[row, j]] for j in range(8)
        ]
        np.testing.assert_allclose(shares[row], np.mean(votes, axis=0))


def test_prediction_respects_weights_and_names():
    labels = np.array([["a", "x"], ["a", "y"], ["b", "y"], ["b", "x"]], dtype=object)
    fitted = Everything(2).fit(Ensemble(labels, weights=[0, 2]))
    np.testing.assert_array_equal(
        fitted.predict(np.array([["zzz", "x"]])), fitted.predict([["a"], ["x"]])
    )


@pytest.mark.filterwarnings("ignore::consilience.exceptions.NoDiversityWarning")
def test_unseen_labels_count_as_missing_and_are_reported():
    fitted = IPC(2, random_state=0).fit([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 0]])
    with pytest.warns(
        UnseenLabelsWarning, match=r"1 labels did not occur in fit \(member 'member_2': 1\)"
    ):
        labels = fitted.predict([[0, 1], [0, 1], [0, 9]])
    assert labels.tolist() == [0, 1]


def test_prediction_needs_as_many_members():
    fitted = IPC(3, random_state=0).fit(PLANTED)
    with pytest.raises(ValueError, match="X has 2 features, but IPC is expecting 8 features"):
        fitted.predict(PLANTED.labels[:, :2])
    with pytest.raises(ValueError, match="X has 1 features"):
        fitted.predict([PLANTED.labels[:, 0]])


def test_columns_of_a_frame_are_remembered():
    frame = pl.DataFrame(PLANTED.labels, schema=[f"run {j}" for j in range(8)])
    fitted = IPC(3, random_state=0).fit(frame)
    assert fitted.feature_names_in_.tolist() == frame.columns
    assert fitted.members_.names == tuple(frame.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame.select(reversed(frame.columns)))


def test_provenance_is_enough_to_repeat():
    fitted = IPC(3, random_state=0).fit(PLANTED)
    facts = fitted.provenance_
    assert facts["estimator"] == "IPC"
    assert facts["parameters"]["random_state"] == "0"
    assert facts["ensemble"] == PLANTED.fingerprint
    assert {"python", "numpy", "consilience"} <= set(facts["versions"])


def test_a_function_that_finds_the_number_itself():
    ensemble = Ensemble([[0, 0, 1, 1, 2], [0, 0, 1, 1, 2], [0, 0, 1, 1, 1]])
    assert BEST().fit(ensemble).n_clusters_ == 3


def test_pipelines_and_grids():
    pipeline = make_pipeline(FunctionTransformer(), IPC(3, random_state=0))
    assert ari(pipeline.fit_predict(PLANTED.labels), TRUTH) > 0.95
    search = GridSearchCV(
        IPC(random_state=0),
        {"n_clusters": [2, 3]},
        scoring=lambda function, rows, y=None: ari(function.predict(rows), y),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConsilienceWarning)
        search.fit(PLANTED.labels, TRUTH)
    assert search.best_params_ == {"n_clusters": 3}


@pytest.mark.parametrize("name", ["must_link", "cannot_link", "partial_labels"])
def test_functions_without_constraints_name_those_that_take_them(name):
    with pytest.raises(
        UnsupportedInputError, match=rf"^HBGF cannot use {name}; these can: GCA, GWCA\.$"
    ):
        HBGF(2).fit(PLANTED, **{name: [[0, 1]]})
    with pytest.raises(TypeError, match="unexpected keyword argument 'must_links'"):
        HBGF(2).fit(PLANTED, must_links=[[0, 1]])
