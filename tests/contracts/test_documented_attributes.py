"""Every fitted attribute is documented, and every documented attribute is there after some fit."""

import ast
import inspect
import re
import textwrap
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.cluster import KMeans

import consilience
from consilience import (
    ConsensusClustering,
    answer,
    clusterers,
    consensus,
    generate,
    topics,
)
from consilience._utils._documents import (
    CLUSTERER,
    CONSENSUS,
    GENERATOR,
    _entries,
    _sections,
    complete,
)
from consilience.clusterers import LAC
from consilience.consensus import GCA, GWCA, HAC, WBPA, WSPA, catalogue
from consilience.datasets import make_planted_ensemble
from consilience.exceptions import ConsilienceWarning
from consilience.generate import LACSweep, Subsample
from consilience.testing._checks import with_needs
from consilience.topics import ConsensusTopics
from generator_instances import GENERATORS
from instances import CONSENSUS as FUNCTIONS

RNG = np.random.default_rng(0)
POINTS = np.repeat([[0, 0, 0], [9, 0, 0], [0, 9, 0]], 20, axis=0) + RNG.normal(size=(60, 3))
FRAME = pd.DataFrame(POINTS, columns=["x", "y", "z"])
MEMBERS = make_planted_ensemble(60, 9, 3, noise=0.25, random_state=7).ensemble
LABELS = pd.DataFrame(MEMBERS.labels, columns=[f"m{j}" for j in range(9)])
SOFT = LACSweep(inverse_h=(1, 4), n_clusters=3, max_iter=1000, random_state=0)

# Parameters that promise an attribute which the instances of other tests do not have.
PROMISING = {
    GCA: [GCA(3, divergence="exponential", degree=2, random_state=0)],
    GWCA: [GWCA(3, divergence="exponential", degree=2, random_state=0)],
    HAC: [HAC(None)],
    Subsample: [Subsample(n_members=3, clusterer=KMeans(3, n_init=1), random_state=0)],
    ConsensusClustering: [
        ConsensusClustering(n_members=5, random_state=0),
        ConsensusClustering(3, n_members=5, random_state=0),
    ],
    ConsensusTopics: [
        ConsensusTopics(random_state=0),
        ConsensusTopics(n_clusters="auto", random_state=0),
    ],
    LAC: [LAC(3, random_state=0, max_iter=1000)],
}


def public_estimators():
    """Find every public class that is an estimator and can be made."""
    packages = (consilience, answer, clusterers, consensus, generate, topics)
    found = {getattr(package, name) for package in packages for name in package.__all__}
    return sorted(
        (
            kind
            for kind in found
            if inspect.isclass(kind)
            and issubclass(kind, BaseEstimator)
            and not inspect.isabstract(kind)
        ),
        key=lambda kind: kind.__name__,
    )


def instances(kind):
    ready = [*FUNCTIONS.get(kind.__name__, []), *GENERATORS.get(kind.__name__, [])]
    return [*ready, *PROMISING.get(kind, [])]


def inputs(kind, instance):
    """What makes attributes appear: names of columns, and tables of the base clusters."""
    if kind.__name__ == "CategoricalColumns":
        return [LABELS.astype(str)]
    if kind.__name__ not in catalogue():
        return [FRAME]
    if instance.capabilities.needs:
        return [with_needs(instance, MEMBERS), with_needs(instance, LABELS)]
    return [LABELS, SOFT.fit(POINTS).ensemble_] if kind in (WSPA, WBPA) else [LABELS]


def documented(kind):
    section = re.search(
        r"^Attributes\n-+\n(.*?)(?=\n\n[A-Z][A-Za-z ]+\n---|\Z)", inspect.getdoc(kind), re.M | re.S
    )[1]
    heads = re.findall(r"^(\w[\w, ]*) : ", section, re.M)
    return {name.strip() for head in heads for name in head.split(",")}


def after_fits(kind):
    found = []
    for instance in instances(kind):
        for given in inputs(kind, instance):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConsilienceWarning)
                fitted = clone(instance).fit(given)
            found.append({name for name in vars(fitted) if re.fullmatch(r"[a-z]\w*_", name)})
    return found


@pytest.mark.parametrize("kind", public_estimators(), ids=lambda kind: kind.__name__)
def test_attributes_are_those_of_the_docstring(kind):
    found = after_fits(kind)
    assert found, f"{kind.__name__} has no instance"
    ever = set().union(*found)
    assert ever - documented(kind) == set(), "not documented"
    missing = {
        name
        for name in documented(kind) - ever
        if not isinstance(getattr(kind, name, None), property)
    }
    # A data frame of labels has no centres, which some functions need.
    needs = kind.__name__ in catalogue() and catalogue()[kind.__name__].capabilities.needs
    optional = {"feature_names_in_"} if needs else set()
    assert missing - optional == set(), "documented, but never there"


def test_all_kinds_are_found():
    names = {kind.__name__ for kind in public_estimators()}
    assert names >= {*catalogue(), *GENERATORS, "ConsensusClustering", "LAC", "ConsensusTopics"}


@pytest.mark.parametrize("kind", public_estimators(), ids=lambda kind: kind.__name__)
def test_parameters_are_those_of_the_signature(kind):
    section = re.search(r"^Parameters\n-+\n(.*?)\n\n", inspect.getdoc(kind), re.M | re.S)
    heads = re.findall(r"^(\w[\w, ]*) : ", section[1], re.M) if section else []
    names = [name.strip() for head in heads for name in head.split(",")]
    assert names == list(inspect.signature(kind).parameters)


@pytest.mark.parametrize("kind", public_estimators(), ids=lambda kind: kind.__name__)
def test_shared_texts_are_not_copied(kind):
    """What the shared texts of its kind say is not in the source of a class in the same words."""
    shared = GENERATOR if kind.__name__ in GENERATORS else CONSENSUS
    shared = shared if kind.__name__ in {*GENERATORS, *catalogue()} else CLUSTERER
    texts = _sections(shared.__doc__)
    known = {name: entry for text in texts.values() for name, entry in _entries(text).items()}
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    for text in _sections(ast.get_docstring(node)).values():
        for name, entry in _entries(text).items():
            head, _, written = entry.partition("\n")
            if " : " in head and name in known:
                assert written.strip() != known[name].partition("\n")[2].strip(), name


def test_what_a_class_says_itself_is_kept():
    class Shared:
        """Texts.

        Parameters
        ----------
        size : int
            How large.
        name : str
            Its name.

        Attributes
        ----------
        first_ : int
            Always there.
        last_ : int
            Always there too.

        Attributes of some
        ------------------
        some_ : int
            Sometimes.
        """

    class Base:
        def __init_subclass__(cls):
            complete(cls, Shared)

    class Own(Base):
        """A thing.

        Parameters
        ----------
        colour : str, default "red"
            Its colour.
        size : int, default 3
            Own words.

        Attributes
        ----------
        last_ : float
            Own words.
        some_

        Notes
        -----
        Text.
        """

        def __init__(self, size=3, *, name="a", colour="red"):
            pass

    assert inspect.getdoc(Own) == inspect.cleandoc("""
        A thing.

        Parameters
        ----------
        size : int, default 3
            Own words.
        name : str, default "a"
            Its name.
        colour : str, default "red"
            Its colour.

        Attributes
        ----------
        first_ : int
            Always there.
        last_ : float
            Own words.
        some_ : int
            Sometimes.

        Notes
        -----
        Text.
        """)

    class Inheriting(Own):
        """Has no constructor of its own."""

    assert inspect.getdoc(Inheriting) == "Has no constructor of its own."
