"""What a user knows about pairs of objects: files of must-links, cannot-links and classes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from consilience.cli._input_file import InputFile
from consilience.cli._options import group_of_options
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError

if TYPE_CHECKING:
    from consilience._utils._types import Array


class Known(NamedTuple):
    """Pairs of positions, (m, 2), and a class or None for every object; None = not given."""

    must_link: "Array | None"
    cannot_link: "Array | None"
    partial_labels: "Array | None"

    def for_rows(self) -> dict[str, Any]:
        """Return arguments of `fit` for data, whose objects are known by position."""
        return {name: value for name, value in self._asdict().items() if value is not None}

    def for_ids(self, ids: Any) -> dict[str, Any]:
        """Return arguments of `fit` for an ensemble, whose objects are known by id if it has ids."""
        arguments = self.for_rows()
        if ids is not None:
            for name in {"must_link", "cannot_link"} & set(arguments):
                arguments[name] = ids[arguments[name]]
        return arguments


@dataclass(frozen=True)
class Knowledge:
    """The files that were named; None = not given."""

    must_link: str | None = None
    cannot_link: str | None = None
    partial_labels: str | None = None

    @property
    def files(self) -> list[str]:
        """Return the files."""
        found = (self.must_link, self.cannot_link, self.partial_labels)
        return [path for path in found if path is not None]

    def refuse(self, reason: str) -> None:
        """Refuse constraints where they cannot be used."""
        if self.files:
            raise click.UsageError(
                f"--must-link, --cannot-link and --partial-labels cannot be used {reason}."
            )

    def read(self, names: Any, function: Any, n_clusters: Any, output: Output) -> Known:
        """Find the objects in the files, and refuse constraints that cannot all hold.

        `names` are the ids of the objects, or the numbers of their rows from 1.
        """
        import numpy as np

        from consilience.consensus.internals import Constraints, require_possible
        from consilience.ensemble import Ensemble

        keys = [str(name) for name in np.asarray(names).tolist()]
        place = {key: row for row, key in enumerate(keys)}
        pairs = [
            None if path is None else _read_pairs(path, place, output)
            for path in (self.must_link, self.cannot_link)
        ]
        classes = None
        if self.partial_labels is not None:
            classes = _read_classes(self.partial_labels, place, output)
        known = Known(pairs[0], pairs[1], classes)
        # The objects have names here; an ensemble that is made from data has no names.
        named = Ensemble([np.zeros(len(keys), dtype=int)], ids=keys)
        drop = getattr(function, "conflicts", None) == "drop_cannot_link"
        constraints = Constraints.read(
            named, **known.for_ids(np.array(keys, dtype=object)), drop_conflicts=drop
        )
        if isinstance(n_clusters, int):
            require_possible(constraints, n_clusters, named.ids)
        return known


constraints = group_of_options(
    "knowledge",
    Knowledge,
    ("must_link", "cannot_link", "partial_labels"),
    [
        click.option(
            "--must-link",
            type=InputFile(),
            metavar="FILE",
            help="Pairs of objects that belong together: a table of two columns with ids, or with row "
            "numbers from 1 if there are no ids.",
        ),
        click.option(
            "--cannot-link",
            type=InputFile(),
            metavar="FILE",
            help="Pairs of objects that do not belong together.",
        ),
        click.option(
            "--partial-labels",
            type=InputFile(),
            metavar="FILE",
            help="Known classes: a table of two columns, object and class; an empty class is unknown.",
        ),
    ],
)


def satisfied(report: Any) -> str:
    """Say whether the constraints hold, in a sentence."""
    from consilience._utils._words import plural

    counts = [
        (report.must_link, report.must_link_satisfied, "must-link"),
        (report.cannot_link, report.cannot_link_satisfied, "cannot-link"),
    ]
    asked = [(wanted, held, word) for wanted, held, word in counts if wanted]
    dropped = (
        f" {plural(report.dropped, 'cannot-link')} that "
        f"{'contradicts must-links was' if report.dropped == 1 else 'contradict must-links were'} "
        "left out."
        if report.dropped
        else ""
    )
    if not asked:
        return f"The constraints bind no pair of objects.{dropped}"
    if report.all_hold:
        parts = " and ".join(plural(wanted, word) for wanted, _, word in asked)
        alone = asked[0][0] if len(asked) == 1 else 2
        return f"Constraints: {parts} {'holds' if alone == 1 else 'hold'}.{dropped}"
    parts = " and ".join(f"{held:,} of {plural(wanted, word)}" for wanted, held, word in asked)
    return f"Constraints: only {parts} hold; --param enforce=true makes all hold.{dropped}"


def _read_pairs(path: str, place: dict[str, int], output: Output) -> "Array":
    import numpy as np

    pairs = []
    for where, first, second in _rows(path, place, output, both=True):
        if first is None or second is None:
            raise InvalidInputError(f"{where}: a cell is empty; a pair needs two objects.")
        found = [_object(key, where, place) for key in (first, second)]
        if found[0] == found[1]:
            raise InvalidInputError(f"{where}: {first!r} is paired with itself; name two objects.")
        pairs.append(found)
    return np.array(pairs, dtype=np.int64)


def _read_classes(path: str, place: dict[str, int], output: Output) -> "Array":
    import numpy as np

    classes = np.full(len(place), None, dtype=object)
    for where, key, given in _rows(path, place, output, both=False):
        if key is None:
            raise InvalidInputError(f"{where}: the object is missing; a class needs one.")
        row = _object(key, where, place)
        if given is not None and classes[row] is not None and classes[row] != given:
            raise InvalidInputError(
                f"{where}: {key!r} has the class {given!r}, and {classes[row]!r} in an earlier line; "
                "give an object one class."
            )
        classes[row] = classes[row] if given is None else given
    return classes


def _object(key: str, where: str, place: dict[str, int]) -> int:
    if key in place:
        return place[key]
    names = list(place)
    if names == [str(row) for row in range(1, len(names) + 1)]:
        allowed = f"rows are numbered from 1 to {len(names)}"
    else:
        allowed = f"objects are called {names[0]!r}, {names[-1]!r} and so on"
    raise InvalidInputError(
        f"{where}: there is no object {key!r} among those clustered; {allowed}."
    )


def _rows(
    path: str, place: dict[str, int], output: Output, *, both: bool
) -> "list[tuple[str, str | None, str | None]]":
    """Return where every row stands and its two cells; None = empty.

    The first line of a text file is a header if it names no object, and this is said.
    """
    from consilience.tables.internals import as_text, open_source

    source = open_source(path, header=False)
    if len(source.names) != 2:
        raise InvalidInputError(
            f"{path} has {len(source.names)} column{'s' * (len(source.names) != 1)}; two are needed, "
            f"{'the objects of a pair' if both else 'an object and its class'}."
        )
    cells: list[tuple[str | None, ...]] = []
    for batch in source.batches()[1]:
        columns = [as_text(batch.column(j), source, source.names[j]).tolist() for j in (0, 1)]
        cells += zip(*columns, strict=True)
    stripped = [[None if cell is None else cell.strip() or None for cell in row] for row in cells]
    header = 0
    if source.is_text and _is_header(stripped, place, both=both):
        header = 1
        shown = ", ".join(str(cell or "") for cell in stripped[0])
        if len(stripped) == 1:
            raise InvalidInputError(
                f"{path}: its only line ({shown}) names no object; at least one row is needed."
            )
        output.note(f"{path}: the first line ({shown}) names no object, so it counts as a header.")
    word = "line" if source.is_text else "row"
    return [
        (f"{path}, {word} {number}", row[0], row[1])
        for number, row in enumerate(stripped, 1)
        if number > header
    ]


def _is_header(rows: "list[list[str | None]]", place: dict[str, int], *, both: bool) -> bool:
    """Say whether the first line names no object, nor a class that occurs below it."""
    first, second = rows[0]
    if both:
        return first not in place and second not in place
    return first not in place and second not in {row[1] for row in rows[1:]}
