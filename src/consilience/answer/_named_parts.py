"""Generators and consensus functions that a user names, and what is known about the rows."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import clone

from consilience._utils._declare import Integer, Integers
from consilience._utils._types import Array
from consilience.answer._members import NAMED, Kind, Member, Scale, with_tree
from consilience.consensus import GWCA, Concord, ConsensusFunction
from consilience.consensus.internals import (
    SIDE_KNOWLEDGE,
    Constraints,
    function_named,
    function_names,
    solve,
    untold,
)
from consilience.ensemble import Ensemble
from consilience.exceptions import InvalidInputError, InvalidParameterError, UnsupportedInputError
from consilience.generate import EnsembleGenerator, GaussianMixtures, LACSweep
from consilience.generate.internals import (
    generator_named,
    generator_names,
    is_generator_name,
    most_components,
)

# Members of a named generator have at most so many clusters.
_MOST_CLUSTERS = 60
# Clusters of all members of a generator whose members have one number, unless it is given.
_ONE_NUMBER = 10


class NumberOfClusters:
    """A number, a collection of candidates, or "auto"."""

    def accepts(self, value: object) -> bool:
        """Candidates are whole numbers from 2 on; a pair is its two ends, the smaller first."""
        if isinstance(value, str):
            return value == "auto"
        if Integer(1).accepts(value):
            return True
        return Integers(2).accepts(value) and (not _is_pair(value) or value[0] <= value[1])  # type: ignore[index]

    def __str__(self) -> str:
        return (
            "an integer of at least 1, a pair (low, high) of integers of at least 2 with low <= high, "
            'a list or range of integers of at least 2, or "auto"'
        )


def numbers_of(given: Any, n_samples: int, owner: str) -> list[int] | None:
    """Return the numbers of clusters in question, ascending; None for "auto"."""
    if given is None or isinstance(given, str):
        return None
    if Integer(1).accepts(given):
        if given > n_samples:
            raise InvalidParameterError(
                f"{owner}: n_clusters={given} is more than the number of objects; got n_samples = "
                f"{n_samples}."
            )
        return [int(given)]
    numbers = range(given[0], given[1] + 1) if _is_pair(given) else given
    # Of a range the ends are enough, since it may be very long.
    largest = int(max((numbers[0], numbers[-1]) if isinstance(numbers, range) else numbers))
    if largest > max(2, n_samples // 2):
        raise InvalidParameterError(
            "Candidates for the number of clusters may be at most half the number of objects, "
            f"{max(2, n_samples // 2):,} of {n_samples:,}; got {largest:,}."
        )
    return sorted({int(k) for k in numbers})


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2


class GeneratorChoice:
    """A name, a generator, or None for the default."""

    def accepts(self, value: object) -> bool:
        """Any generator object is accepted."""
        return (
            value is None
            or isinstance(value, EnsembleGenerator)
            or (isinstance(value, str) and is_generator_name(value))
        )

    def __str__(self) -> str:
        return "None, a generator, or one of " + ", ".join(map(repr, generator_names()))


class ConsensusChoice:
    """A name, a consensus function, or None for the default."""

    def accepts(self, value: object) -> bool:
        """Any consensus function is accepted."""
        return (
            value is None
            or isinstance(value, ConsensusFunction)
            or (isinstance(value, str) and function_named(value) is not None)
        )

    def __str__(self) -> str:
        return "None, a consensus function, or one of " + ", ".join(function_names())


class Generated(NamedTuple):
    """What a named generator made in one scaling.

    generator  the fitted generator
    labels     (n, r) of the judged rows by its members; -1 = none
    members    those that label every row
    kind       the tree of all
    """

    generator: EnsembleGenerator
    labels: Array
    members: list[Member]
    kind: Kind


def generate(
    wanted: str | EnsembleGenerator,
    scales: Sequence[Scale],
    X: Any,
    numbers: Sequence[int] | None,
    settings: dict[str, Any],
) -> dict[int, Generated]:
    """Let a named generator make members in every scaling; raise its error if none can be made."""
    made, errors = {}, []
    for place, scale in enumerate(scales):
        generator = make_generator(wanted, numbers, X.shape, settings)
        try:
            generator.fit(scale.columns(X))
        except ValueError as error:
            errors.append(error)
            continue
        # Members that leave rows out, and label them later, do so now.
        labels = generator.transform(scale.columns(X))
        members = [
            Member(NAMED, place, np.unique(one, return_inverse=True)[1].astype(np.int32))
            for one in labels.T
            if one.min() >= 0
        ]
        tree = with_tree(NAMED, place, list(labels.T))
        made[place] = Generated(generator, labels, members, tree)
    if not made:
        raise errors[0]
    return made


def make_generator(
    wanted: str | EnsembleGenerator,
    numbers: Sequence[int] | None,
    shape: tuple[int, int],
    settings: dict[str, Any],
) -> EnsembleGenerator:
    """Return a generator ready to fit; what a user passed as an object keeps its parameters."""
    if isinstance(wanted, EnsembleGenerator):
        generator: EnsembleGenerator = clone(wanted)
        given = generator.get_params(deep=False)
        unset = {name: value for name, value in settings.items() if given.get(name, 0) is None}
        generator.set_params(**unset)
        return generator
    named = generator_named(wanted)
    assert named is not None  # noqa: S101 - checked with the parameters
    generator = named()
    known = generator.get_params(deep=False)
    if "n_clusters" in known:
        settings = {**settings, "n_clusters": _numbers_of_members(generator, numbers, shape)}
    generator.set_params(**{key: value for key, value in settings.items() if key in known})
    return generator


def _numbers_of_members(
    generator: EnsembleGenerator, numbers: Sequence[int] | None, shape: tuple[int, int]
) -> int | tuple[int, int]:
    """Return from how few to how many clusters the members have."""
    n_rows = shape[0]
    if isinstance(generator, LACSweep):
        return min(
            numbers[-1] if numbers is not None and len(numbers) == 1 else _ONE_NUMBER, n_rows
        )
    high = max(2, min(_MOST_CLUSTERS, int(np.sqrt(n_rows)), n_rows // 2))
    high = min(max(high, numbers[-1] if numbers else 2), n_rows)
    if isinstance(generator, GaussianMixtures):
        high = max(1, min(high, most_components(shape, generator.covariance)))
    return min(2, high), high


def make_consensus(
    choice: str | ConsensusFunction | None,
    n_clusters: int,
    random_state: int,
    *,
    constrained: bool,
    verbose: int | None = None,
) -> ConsensusFunction:
    """Return a consensus function ready to fit; with constraints the default is GWCA."""
    if choice is None:
        function: ConsensusFunction = GWCA() if constrained else Concord()
    elif isinstance(choice, str):
        named = function_named(choice)
        assert named is not None  # noqa: S101 - checked with the parameters
        function = named()
    else:
        function = clone(choice)
    function.set_params(n_clusters=n_clusters)
    given = function.get_params()
    if "random_state" in given and given["random_state"] is None:
        function.set_params(random_state=random_state)
    if "verbose" in given and given["verbose"] is None:
        function.set_params(verbose=verbose)
    return function


def labels_by(
    function: str | ConsensusFunction, ensemble: Ensemble, n_clusters: int, random_state: int
) -> Array:
    """Let a named function combine members of the judged rows, (n,) labels from 0 on."""
    if isinstance(function, ConsensusFunction):
        function = function.for_other_objects()
    found = solve(function, ensemble, n_clusters, np.random.default_rng(random_state)).labels
    labels: Array = np.unique(found, return_inverse=True)[1].astype(np.int32)
    return labels


def read_knowledge(*given: Any) -> dict[str, Any]:
    """Return must-links, cannot-links and known classes by name; what is empty is left out."""
    return {
        name: value
        for name, value in zip(SIDE_KNOWLEDGE, given, strict=True)
        if value is not None and len(value) > 0
    }


def combine(
    ensemble: Ensemble,
    function: ConsensusFunction,
    *,
    sample_weight: Any,
    knowledge: dict[str, Any],
    asked: bool,
) -> ConsensusFunction:
    """Fit a named function, or the one that uses constraints.

    Parameters
    ----------
    ensemble : Ensemble
        The members.
    function : consensus function
        Combines them; its number of clusters is set.
    sample_weight, knowledge
        As for `ConsensusClustering.fit`.
    asked : bool
        Whether the user gave the number of clusters, for a message.
    """
    if knowledge and not function.capabilities.constraints:
        raise UnsupportedInputError(
            f"ConsensusClustering: {type(function).__name__} cannot use "
            f"{', '.join(knowledge)}; leave consensus None, or use GWCA or GCA."
        )
    if function.n_clusters == 1 and knowledge:
        _require_one_cluster_possible(ensemble, knowledge, asked=asked)
    # The model warns itself, of the doubts that matter for clusters of data.
    with untold():
        return function.fit(ensemble.with_array_labels(), sample_weight=sample_weight, **knowledge)


def _require_one_cluster_possible(
    ensemble: Ensemble, knowledge: dict[str, Any], *, asked: bool
) -> None:
    if not len(Constraints.read(ensemble.with_array_labels(), **knowledge).apart):
        return
    names = " and ".join(name for name in knowledge if name != "must_link")
    one = (
        "n_clusters is 1"
        if asked
        else "no clusters were found in the data, so there is one cluster"
    )
    raise InvalidInputError(
        f"ConsensusClustering: {one}, and with one cluster {names} cannot hold; give n_clusters=2 "
        f"or more, or leave {names} out."
    )
