"""What a user knows about pairs of objects: files of must-links, cannot-links and classes."""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import click

from consilience.cli._options import InputFile, group_of_options
from consilience.cli._output import Output

if TYPE_CHECKING:
    from consilience._utils._types import Array


@dataclass(frozen=True)
class Knowledge:
    """The files that were named; None = not given."""

    must_link: str | None = None
    cannot_link: str | None = None
    partial_labels: str | None = None

    @property
    def files(self) -> list[str]:
        """Return the files."""
        return [path for path in asdict(self).values() if path is not None]

    def refuse(self, reason: str) -> None:
        """Refuse constraints where they cannot be used."""
        if self.files:
            raise click.UsageError(
                f"--must-link, --cannot-link and --partial-labels cannot be used {reason}."
            )

    def of_rows(
        self, names: Any, function: Any, n_clusters: Any, output: Output
    ) -> "dict[str, Array]":
        """Return arguments of `fit`: pairs of positions, (m, 2), and a class or None for every object.

        `names` are the ids of the objects, or the numbers of their rows from 1. Constraints that
        cannot all hold are refused here, since the library would not name objects by their ids.
        """
        if not self.files:
            return {}
        import numpy as np

        from consilience.consensus.internals import Constraints, require_possible
        from consilience.ensemble import Ensemble
        from consilience.tables.internals import read_classes, read_pairs

        ids = np.array([str(name) for name in np.asarray(names).tolist()], dtype=object)
        known: dict[str, Array] = {}
        for name, path in asdict(self).items():
            if path is not None:
                read = read_classes if name == "partial_labels" else read_pairs
                known[name], notes = read(path, ids.tolist())
                output.note(*notes)
        by_id = _by_id(known, ids)
        named = Ensemble([np.zeros(len(ids), dtype=int)], ids=ids)
        drop = getattr(function, "conflicts", None) == "drop_cannot_link"
        given = {"must_link": None, "cannot_link": None, "partial_labels": None, **by_id}
        constraints = Constraints.read(named, **given, drop_conflicts=drop)
        if isinstance(n_clusters, int):
            require_possible(constraints, n_clusters, named.ids)
        return known

    def of_ensemble(
        self, members: Any, function: Any, n_clusters: Any, output: Output
    ) -> "dict[str, Array]":
        """Return the same for an ensemble, whose objects are known by id if it has ids."""
        if not self.files:
            return {}
        ids = members.ids
        names = range(1, members.n_samples + 1) if ids is None else ids
        known = self.of_rows(names, function, n_clusters, output)
        return known if ids is None else _by_id(known, ids)


def _by_id(known: "dict[str, Array]", ids: "Array") -> "dict[str, Array]":
    """Return constraints whose pairs are ids instead of positions."""
    return {
        name: value if name == "partial_labels" else ids[value] for name, value in known.items()
    }


constraints = group_of_options(
    "knowledge",
    Knowledge,
    click.option(
        "--must-link",
        type=InputFile(),
        help="Pairs of objects that belong together: a table of two columns with ids, or with row "
        "numbers from 1 if there are no ids.",
    ),
    click.option(
        "--cannot-link",
        type=InputFile(),
        help="Pairs of objects that do not belong together.",
    ),
    click.option(
        "--partial-labels",
        type=InputFile(),
        help="Known classes: a table of two columns, object and class; an empty class is unknown.",
    ),
)
