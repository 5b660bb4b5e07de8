"""Every generator found by discovery is declared, documented, tested, and passes every check."""

import ast
import inspect
import re
from abc import ABC
from pathlib import Path

import numpy as np
import pytest

from consilience import generate
from consilience.exceptions import ConsilienceWarning
from consilience.generate import EnsembleGenerator
from consilience.generate._base import COMMON
from consilience.testing import check_generator
from generator_instances import GENERATORS
from sklearn_suite import run_checks

ROOT = Path(__file__).parents[2]


def _concrete(base):
    """Walk the subclasses of this package."""
    for found in base.__subclasses__():
        ours = found.__module__.startswith("consilience.")
        if ours and ABC not in found.__bases__ and "__init__" in vars(found):
            yield found
        yield from _concrete(found)


FOUND = {found.__name__: found for found in _concrete(EnsembleGenerator)}
NAMES = sorted(FOUND)


def test_discovery_finds_every_class_that_is_written():
    written = set()
    for file in (ROOT / "src/consilience/generate").glob("_*.py"):
        written |= set(
            re.findall(
                r"^@parameters_from_fields\nclass ([A-Z]\w*)\(\w*\):", file.read_text(), re.M
            )
        )
    assert set(FOUND) == written


def test_every_generator_is_public_and_has_instances():
    assert set(FOUND) == set(GENERATORS)
    assert set(FOUND) | {"EnsembleGenerator", "Member"} == set(generate.__all__)


@pytest.mark.parametrize("name", NAMES)
def test_generator_is_declared_and_documented(name):
    generator = FOUND[name]
    signature = inspect.signature(generator)
    assert set(generator.parameters) == set(signature.parameters) - set(COMMON)
    keywords = list(signature.parameters.values())[1:]
    assert all(parameter.kind is parameter.KEYWORD_ONLY for parameter in keywords)
    document = inspect.getdoc(generator)
    for section in ("Attributes", "See Also", "Notes", "References", "Examples"):
        assert f"\n{section}\n---" in document
    for parameter in signature.parameters:
        assert re.search(rf"^{parameter} : ", document, re.M), parameter


def test_defaults_in_documents_are_those_of_the_code():
    compared = 0
    for name, generator in FOUND.items():
        document = inspect.getdoc(generator)
        for parameter in inspect.signature(generator).parameters.values():
            stated = re.search(rf"^{parameter.name} : .*default (.+)$", document, re.M)
            if stated and "..." not in stated[1]:
                assert ast.literal_eval(stated[1]) == parameter.default, (name, parameter.name)
                compared += 1
    assert compared > len(FOUND)


def test_only_the_base_owns_the_ceremony():
    for generator in FOUND.values():
        for method in ("fit", "fit_transform", "transform", "get_feature_names_out"):
            assert method not in vars(generator)


CASES = [
    pytest.param(generator, id=f"{name}{number or ''}")
    for name, generators in GENERATORS.items()
    for number, generator in enumerate(generators)
]


@pytest.mark.parametrize("generator", CASES)
def test_contract(generator):
    check_generator(generator)


# Numbers and text, dense and sparse data, members with and without random numbers.
ALL_CHECKS = {"CategoricalColumns", "KMeansRestarts", "LandmarkSpectral", "Subsample"}


@pytest.mark.filterwarnings(f"ignore::{ConsilienceWarning.__module__}.ConsilienceWarning")
@pytest.mark.parametrize("name", GENERATORS)
def test_sklearn_checks(name):
    run_checks(GENERATORS[name][0], all_of_them=name in ALL_CHECKS)


def test_the_ensemble_says_which_generator_made_it_of_which_data():
    X = np.random.default_rng(0).normal(size=(30, 2))
    generator = generate.KMeansRestarts(n_members=2, random_state=0)
    facts, others = (generator.fit(rows).ensemble_.provenance for rows in (X, X[::-1]))
    assert (facts["generator"], facts["shape"]) == ("KMeansRestarts", [30, 2])
    assert facts["data"] != others["data"]
