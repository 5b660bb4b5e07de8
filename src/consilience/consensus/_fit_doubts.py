"""Doubts about the fit of a consensus function."""

from collections.abc import Callable

from consilience._utils._words import plural
from consilience.consensus._constraint_report import ConstraintReport
from consilience.consensus._doubts import (
    BROKEN_CONSTRAINTS,
    FEWER_CLUSTERS,
    KNOWN_CLASSES,
    NOT_CONVERGED,
    Doubt,
)


def fewer_clusters(name: str, found: int, asked: int | None, n_distinct: int) -> list[Doubt]:
    """Return a doubt if fewer clusters than requested were found, with the reason.

    Parameters
    ----------
    name : str
        The consensus function.
    found, asked : int
        Number of clusters found and requested; None = not specified.
    n_distinct : int
        Distinct rows of labels.
    """
    if asked is None or found >= asked:
        return []
    reason = (
        f"the members give only {plural(n_distinct, 'distinct row')} of labels, and "
        "objects with the same labels cannot be told apart"
        if n_distinct < asked
        else "the others became empty or were never needed"
    )
    return [
        Doubt(
            FEWER_CLUSTERS,
            {"clusters": found, "asked": int(asked)},
            f"{name} returned {found} of {asked} clusters: {reason}.",
            f"only {found} of {asked} clusters were found",
        )
    ]


def not_converged(name: str, n_iter: int | None, *, converged: bool) -> list[Doubt]:
    """Return a doubt if the iteration stopped at max_iter."""
    if converged:
        return []
    return [
        Doubt(
            NOT_CONVERGED,
            {} if n_iter is None else {"rounds": int(n_iter)},
            f"{name} stopped after max_iter={n_iter} iterations without convergence; increase max_iter.",
            f"{name} did not converge",
        )
    ]


def known_classes(name: str) -> Doubt:
    """Return the doubt about a result that was chosen by its agreement with known classes."""
    return Doubt(
        KNOWN_CLASSES,
        {},
        f"{name} chose its result by known classes, so its agreement with these classes says nothing "
        "about data without them.",
        "the result was chosen by known classes",
    )


def broken_constraints(
    name: str, report: ConstraintReport, called: Callable[[int], str]
) -> list[Doubt]:
    """Return a doubt about violated constraints, with two objects as an example.

    Parameters
    ----------
    name : str
        The consensus function.
    report : ConstraintReport
        Counts of satisfied constraints.
    called : function
        Maps the position of an object to its name: the id if there are ids.
    """
    if report.first_broken is None:
        return []
    first, second = (called(place) for place in report.first_broken)
    must = report.must_link - report.must_link_satisfied
    cannot = report.cannot_link - report.cannot_link_satisfied
    wanted = [(must, report.must_link, "must-link"), (cannot, report.cannot_link, "cannot-link")]
    broken = " and ".join(f"{n:,} of {plural(total, word)}" for n, total, word in wanted if total)
    return [
        Doubt(
            BROKEN_CONSTRAINTS,
            {
                "must_link": report.must_link,
                "must_link_broken": must,
                "cannot_link": report.cannot_link,
                "cannot_link_broken": cannot,
                "first": report.first_broken[0],
                "second": report.first_broken[1],
            },
            f"{name} broke {must} of {report.must_link} must-links and {cannot} of "
            f"{report.cannot_link} cannot-links, for example {first} and {second}, which must be "
            f"{'together' if must else 'apart'}; set enforce=True to satisfy all of them.",
            f"{broken} {'does' if must + cannot == 1 else 'do'} not hold",
        )
    ]
