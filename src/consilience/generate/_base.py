"""The base class of all generators: everything that is the same for all of them."""

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform, final

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from consilience._utils._declare import (
    Declaration,
    Integer,
    Jobs,
    Optional,
    Seed,
    check_parameters,
)
from consilience._utils._documents import GENERATOR, complete
from consilience._utils._estimators import forget_fit
from consilience._utils._features import read_features
from consilience._utils._provenance import provenance
from consilience._utils._random import RandomState, seed_sequence
from consilience._utils._types import Array
from consilience.ensemble import Ensemble
from consilience.exceptions import FewerClustersWarning, UnsupportedInputError, warn
from consilience.generate._checkpoint import Checkpoint, data_hash, describe
from consilience.generate._chunked import label_chunks, sample
from consilience.generate._member import Member
from consilience.generate._ranges import Range, WholeOrRange, check_at_most
from consilience.generate._scaling import SCALING, Scaling
from consilience.generate._schedule import Schedule
from consilience.incidence import is_chunked

Generator = TypeVar("Generator")


class _Path:
    """A folder name."""

    def accepts(self, value: object) -> bool:
        return isinstance(value, str | os.PathLike)

    def __str__(self) -> str:
        return "the name of a folder"


# Declared here for every generator that has them.
COMMON: Mapping[str, Declaration] = {
    "n_jobs": Optional(Jobs()),
    "checkpoint": Optional(_Path()),
    "verbose": Optional(Integer(0)),
}
# They do not change the result; the seed is compared by its entropy.
_WITHOUT_EFFECT = ("n_jobs", "verbose", "checkpoint", "random_state")


class EnsembleGenerator(TransformerMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """A scikit-learn transformer from data to a label matrix, one column per member.

    A subclass declares `parameters` and writes `_member` and `_predict`; it may write `_prepare` for
    work that all members share, `_rows` for the same when new rows are labelled, and `_prepare_batch`
    for work that a few neighbours share in either case. It does not validate, does not parallelise, and
    never touches a file. If it has a parameter `scaling`, the base applies it.

    Class attributes: `in_sequence` where member j starts from member j - 1, so that members cannot be
    made in parallel; `batch_size`, the number of neighbours that `_prepare_batch` serves.
    """

    parameters: ClassVar[Mapping[str, Declaration]]
    in_sequence: ClassVar[bool] = False
    batch_size: ClassVar[int] = 1

    n_members: int

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        complete(cls, GENERATOR)

    # --- what a generator implements -----------------------------------------------------------------

    def _prepare(self, X: Any, rng: np.random.Generator) -> Any:  # noqa: ARG002
        """Do the work that all members share; the result is passed to `_member`.

        X is a dense C-contiguous array or a CSR matrix, float32 or float64, finite and scaled.
        Fitted attributes that `_rows` or `_predict` need are set here.
        """
        return X

    def _prepare_batch(self, shared: Any, batch: range) -> Any:  # noqa: ARG002
        """Do what the members of one batch share; its answer replaces `shared` for them.

        When rows are labelled, it replaces what `_rows` gave.
        """
        return shared

    @abstractmethod
    def _member(
        self, shared: Any, j: int, rng: np.random.Generator, previous: Member | None
    ) -> Member:
        """Make member j with its own random generator; `previous` is member j - 1 if `in_sequence`."""

    def _rows(self, X: Any) -> Any:
        """Do once what all members share when rows are labelled; the answer goes to `_predict`."""
        return X

    @abstractmethod
    def _predict(self, member: Member, rows: Any) -> Array:
        """Label rows with the clusters of a member, int32."""

    def _prefers(self) -> str:
        """Return what makes members: "threads" share X, "processes" are for code that holds the lock."""
        return "threads"

    def _count_members(self, X: Any) -> int:  # noqa: ARG002
        return int(self.n_members)

    def _check_data(self, X: Any) -> None:
        """Compare the parameters with the shape of X."""

    def _member_names(self) -> list[str]:
        prefix = type(self).__name__.lower()
        return [f"{prefix}{j}" for j in range(len(self.members_))]

    def _read(self, X: Any, *, reset: bool) -> Any:
        """Validate the data; `reset` when fitting."""
        if sparse.issparse(X) and not get_tags(self).input_tags.sparse:
            raise UnsupportedInputError(
                f"{type(self).__name__} cannot use sparse data; pass X.toarray(), or reduce the "
                "columns first, e.g. by TruncatedSVD."
            )
        return read_features(self, X, reset=reset)

    def _assemble(self, labels: Array) -> Ensemble:
        """Make the ensemble of the members, their labels given side by side."""
        if all(member.memberships is not None for member in self.members_):
            memberships = [member.memberships for member in self.members_]
            return Ensemble.from_memberships(memberships, names=self._member_names())
        return Ensemble(labels, names=self._member_names())

    # --- fitting ----------------------------------------------------------------------------

    @final
    def fit(self, X: Any, y: Any = None) -> Self:  # noqa: ARG002
        """Make the members.

        Parameters
        ----------
        X : array (n, d), sparse matrix, data frame, dask array or frame
            The data, finite numbers; float32 stays float32. Of data in chunks, members are made on
            a sample of 100,000 rows, and all rows are labelled chunk by chunk.
        y : ignored
            For scikit-learn's interface.
        """
        self._fit(X)
        return self

    @final
    def fit_transform(self, X: Any, y: Any = None) -> Array:  # noqa: ARG002
        """Make the members and return their labels, (n, r) int32; -1 = left out.

        Parameters
        ----------
        X : array (n, d), sparse matrix, data frame, dask array or frame
            The data, finite numbers; float32 stays float32. Of data in chunks, members are made on
            a sample of 100,000 rows, and all rows are labelled chunk by chunk.
        y : ignored
            For scikit-learn's interface.
        """
        return self._fit(X)

    @final
    def transform(self, X: Any) -> Array:
        """Label rows with every member's clusters, (n_new, r) int32.

        Parameters
        ----------
        X : array (n_new, d), sparse matrix, or data frame
            Rows with the columns of `fit`.
        """
        check_is_fitted(self, "members_")
        if is_chunked(X):
            chunks: Array = label_chunks(self, X)
            return chunks
        X = self._read(X, reset=False)
        rows = self._rows(X if self._scaling is None else self._scaling.apply(X))
        return _side_by_side(self._schedule().predict(self, self.members_, rows))

    @final
    def ensemble_for(self, X: Any) -> Ensemble:
        """Label rows with every member's clusters, and return them as an ensemble like `ensemble_`.

        Parameters
        ----------
        X : array (n_new, d), sparse matrix, data frame, or dask array
            Rows with the columns of `fit`.
        """
        check_is_fitted(self, "members_")
        names = self._member_names()
        if is_chunked(X):
            return self._with_tables(Ensemble.from_dask(label_chunks(self, X), names=names))
        if self.ensemble_.is_soft:
            memberships = self.memberships(X)
            return self._with_tables(Ensemble.from_memberships(memberships, names=names))
        return self._with_tables(Ensemble(self.transform(X), names=names))

    @final
    def get_feature_names_out(self, input_features: Any = None) -> Array:  # noqa: ARG002
        """Return the names of the members.

        Parameters
        ----------
        input_features : ignored
            For scikit-learn's interface.
        """
        check_is_fitted(self, "members_")
        return np.array(self._member_names(), dtype=object)

    def _fit(self, X: Any) -> Array:
        forget_fit(self)
        self._check_parameters()
        if not is_chunked(X):
            return self._fit_rows(X)
        X, rows, _ = sample(X, self.get_params(deep=False).get("random_state"))
        self._fit_rows(rows)
        labels: Array = label_chunks(self, X)
        ensemble = Ensemble.from_dask(labels, names=self._member_names())
        self.ensemble_ = self._with_tables(ensemble).with_provenance(self.provenance_)
        return labels

    def _fit_rows(self, X: Any) -> Array:
        X = self._read(X, reset=True)
        self._check_data(X)
        n_members = self._count_members(X)
        given = self.get_params(deep=False)
        chosen = given.get("random_state")
        root = seed_sequence(chosen)
        identity = self._identity(X, n_members)
        folder, store = given.get("checkpoint"), None
        if folder is not None:
            store = Checkpoint.open(folder, identity, root.entropy, drawn=chosen is None)
            root = np.random.SeedSequence(store.entropy)
        streams = _streams(root, n_members + 1)
        kind = given.get("scaling")
        self._scaling = None if kind is None else Scaling.fit(X, kind)
        if self._scaling is not None:
            X = self._scaling.apply(X)
        self.members_ = self._schedule().make(self, X, streams[0], streams[1:], store)
        rounds = [member.arrays["n_iter"] for member in self.members_ if "n_iter" in member.arrays]
        if rounds:
            self.n_iter_ = int(max(rounds))
        self._warn_of_fewer_clusters()
        labels = _side_by_side([member.labels for member in self.members_])
        facts = {**identity, "seed": str(root.entropy)}
        self.provenance_ = provenance(**facts)
        self.ensemble_ = self._with_tables(self._assemble(labels)).with_provenance(self.provenance_)
        return labels

    def _check_parameters(self) -> None:
        given = self.get_params(deep=False)
        common = {name: kind for name, kind in COMMON.items() if name in given}
        check_parameters(type(self).__name__, {**self.parameters, **common}, given)

    def _schedule(self) -> Schedule:
        given = self.get_params(deep=False)
        title = f"Clustering by {type(self).__name__}"
        return Schedule(given.get("n_jobs"), self._prefers(), given.get("verbose"), title)

    def _identity(self, X: Any, n_members: int) -> dict[str, Any]:
        """Return what decides the members, the seed aside."""
        given = self.get_params(deep=False)
        return {
            "generator": type(self).__name__,
            "parameters": {
                name: describe(value)
                for name, value in sorted(given.items())
                if name not in _WITHOUT_EFFECT
            },
            "n_members": n_members,
            "shape": list(X.shape),
            "data": data_hash(X),
        }

    def _with_tables(self, ensemble: Ensemble) -> Ensemble:
        """Attach centres and weights, rows in the order of the ensemble's clusters."""
        tables = {}
        for name in ("centres", "feature_weights"):
            given = [getattr(member, name) for member in self.members_]
            if all(table is not None for table in given):
                tables[name] = [
                    table[value] for table, value in zip(given, ensemble.values, strict=True)
                ]
        return ensemble.with_cluster_tables(**tables)

    def _warn_of_fewer_clusters(self) -> None:
        fewer = []
        for j, member in enumerate(self.members_):
            if member.n_clusters is None:
                continue
            found = np.count_nonzero(np.bincount(member.labels + 1)[1:])
            if found < member.n_clusters:
                fewer.append(f"member {j} has {found} of {member.n_clusters}")
        if fewer:
            warn(
                f"{type(self).__name__}: {len(fewer)} of {len(self.members_)} members have fewer "
                f"clusters than requested ({fewer[0]}): the data have too few distinct rows, or "
                "clusters were left empty.",
                FewerClustersWarning,
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.transformer_tags.preserves_dtype = []
        return tags


@dataclass_transform(kw_only_default=True, eq_default=False, field_specifiers=(field,))
def parameters_from_fields(cls: type[Generator]) -> type[Generator]:
    """Make the constructor of a generator from its annotated fields, and complete its docstring.

    Fields of base classes with this decorator are parameters too, so that those which several generators
    have are written once.
    """
    made = dataclass(kw_only=True, eq=False, repr=False)(cls)
    complete(made, GENERATOR)
    return made


@parameters_from_fields
class DrawnMembers(EnsembleGenerator, ABC):
    """Generators of any number of members with K clusters, K the same for all or drawn for each."""

    parameters: ClassVar[Mapping[str, Declaration]] = {
        "n_members": Integer(1),
        "n_clusters": WholeOrRange(1),
        "scaling": SCALING,
        "random_state": Seed(),
    }

    n_members: int = 50
    n_clusters: Range = None
    scaling: str | None = None
    random_state: RandomState = None
    n_jobs: int | None = None
    checkpoint: Any = None
    verbose: int | None = None

    def _sample_size(self, n_samples: int) -> int:
        """Return how many rows a member is made from."""
        return n_samples

    def _check_data(self, X: Any) -> None:
        size = self._sample_size(X.shape[0])
        what = f"n_samples = {size}"
        if size < X.shape[0]:
            what = f"the {size} rows that a member is made from (n_samples = {X.shape[0]})"
        check_at_most(type(self).__name__, "n_clusters", self.n_clusters, size, what)


def _streams(root: np.random.SeedSequence, count: int) -> list[np.random.SeedSequence]:
    """Return the first children of a root that may have had others; child j depends on j alone."""
    return [np.random.SeedSequence(root.entropy, spawn_key=(j,)) for j in range(count)]


def _side_by_side(columns: Sequence[Array]) -> Array:
    matrix = np.empty((len(columns[0]), len(columns)), dtype=np.int32)
    for j, column in enumerate(columns):
        matrix[:, j] = column
    return matrix
