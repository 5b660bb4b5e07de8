"""A few examples of the fuzz script; it runs many more by itself."""

from benchmarks import fuzz
from benchmarks.fuzzing import outcomes


def test_nothing_fails():
    report = fuzz.run(300, seed=2024)
    assert report.failures == []
    assert sum(report.counts.values()) == 300
    kinds = {kind for kind, outcome in report.counts if outcome == fuzz.READ}
    assert kinds == set(fuzz.KINDS)
    assert len({kind for kind, outcome in report.counts if outcome == fuzz.REFUSED}) > 5


def test_failures_are_seen(monkeypatch):
    """Raw errors, raw warnings and wrong results count as failures, and refusals do not."""
    import warnings

    from consilience.exceptions import InvalidInputError

    def raw_error(rng, folder):
        raise KeyError("raw")

    def raw_warning(rng, folder):
        warnings.warn("raw", RuntimeWarning, stacklevel=1)
        return fuzz.READ

    def wrong(rng, folder):
        outcomes.require(False, "seven rows, not eight")

    def refused(rng, folder):
        return outcomes.several(lambda: fail(InvalidInputError("No.")))

    def two_lines(rng, folder):
        return outcomes.several(lambda: fail(InvalidInputError("No.\nReally.")))

    def fail(error):
        raise error

    for kind, outcome in (
        (raw_error, fuzz.FAILED),
        (raw_warning, fuzz.FAILED),
        (wrong, fuzz.FAILED),
        (two_lines, fuzz.FAILED),
        (refused, fuzz.REFUSED),
    ):
        monkeypatch.setattr(fuzz, "KINDS", {"this": (kind, 1)})
        assert fuzz.example(0, 0)[:2] == ("this", outcome)
