"""Representation of an ensemble: a line of text, and a summary in notebooks."""

from typing import TYPE_CHECKING

import numpy as np

from consilience._utils._notebook import Table, notebook_summary
from consilience._utils._words import plural

if TYPE_CHECKING:
    from consilience.ensemble._ensemble import Ensemble

_OBJECTS, _MEMBERS = 5, 6


def ensemble_text(ensemble: "Ensemble") -> str:
    """Return the numbers of objects, members and base clusters in one line."""
    kind = "soft member" if ensemble.is_soft else "member"
    missing = _missing(ensemble)
    tail = f", {100 * missing:.1f} % missing" if 0 < missing < 1 else ""
    return (
        f"Ensemble({plural(ensemble.n_samples, 'object')}, {plural(ensemble.n_members, kind)}, "
        f"{plural(ensemble.n_base_clusters, 'base cluster')}{tail})"
    )


def ensemble_html(ensemble: "Ensemble") -> str:
    """Return the numbers of objects and members, and the first labels."""
    return notebook_summary("Ensemble", facts=_facts(ensemble), table=_first_labels(ensemble))


def _facts(ensemble: "Ensemble") -> dict[str, str]:
    low, high = int(ensemble.n_clusters.min()), int(ensemble.n_clusters.max())
    facts = {
        "objects": f"{ensemble.n_samples:,}",
        "soft members" if ensemble.is_soft else "members": f"{ensemble.n_members:,}",
        "clusters per member": f"{low:,}" if low == high else f"{low:,} to {high:,}",
        "missing labels": f"{100 * _missing(ensemble):.1f} %",
    }
    given = ensemble.given_weights
    if np.any(given != given[0]):
        facts["weights"] = f"{given.min():.3g} to {given.max():.3g}"
    return facts


def _missing(ensemble: "Ensemble") -> float:
    known = ensemble.n_observed.sum() / max(1, ensemble.n_samples * ensemble.n_members)
    return float(1 - known)


def _first_labels(ensemble: "Ensemble") -> Table | None:
    """Return some labels; None if they are outside memory."""
    if ensemble.is_chunked:
        return None
    n_rows, n_columns = min(_OBJECTS, ensemble.n_samples), min(_MEMBERS, ensemble.n_members)
    some = ensemble.take(slice(0, n_rows)).labels if ensemble.is_soft else ensemble.codes[:n_rows]
    labels = np.asarray(some, dtype=np.int64)[:, :n_columns] - (0 if ensemble.is_soft else 1)
    names = range(n_rows) if ensemble.ids is None else ensemble.ids[:n_rows]
    rows = [
        [str(name), *("missing" if label < 0 else str(label) for label in row)]
        for name, row in zip(names, labels.tolist(), strict=True)
    ]
    kind = "Most likely cluster" if ensemble.is_soft else "Cluster"
    objects = "object" if n_rows == 1 else f"{n_rows} objects"
    members = "member" if n_columns == 1 else f"{n_columns} members"
    caption = f"{kind} of the first {objects} in the first {members}"
    return Table(caption, ["object", *ensemble.names[:n_columns]], rows)
