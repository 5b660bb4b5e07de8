"""The outputs of a consensus: a verdict, a file of labels, a report."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from consilience._utils._words import listed
from consilience.cli._flags import with_flag
from consilience.cli._options import FileName, force, group_of_options
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError


class Targets(NamedTuple):
    """Files to write; None = not wanted."""

    out: str | None
    page: str | None
    force: bool

    def check(self, inputs: Sequence[str]) -> None:
        """Refuse outputs that cannot be written, before any computation."""
        from consilience.tables import check_output
        from consilience.tables.internals import check_label_suffix

        wanted = [path for path in (self.out, self.page) if path is not None]
        for path in wanted:
            check_output(path, overwrite=self.force, inputs=inputs)
        if len(wanted) > len({Path(path).absolute() for path in wanted}):
            raise InvalidInputError(f"{self.out} cannot be both --out and --report.")
        if self.page is not None:
            check_page(self.page)
        if self.out is None:
            return
        if not self.is_h5ad:
            check_label_suffix(self.out)
        elif len(inputs) != 1 or not inputs[0].lower().endswith(".h5ad"):
            raise InvalidInputError(
                f"{self.out}: an .h5ad file is written only from an .h5ad file; choose .csv."
            )

    def require_place_for_ids(self, reason: str) -> None:
        """Refuse a file without ids if the labels cannot be assigned to objects without them."""
        if self.out is not None and self.out.lower().endswith(".npy"):
            raise InvalidInputError(
                f"{self.out}: {reason}, and .npy has no place for ids, so labels could not be assigned "
                "to objects; choose .csv, .tsv, .parquet or .npz."
            )

    @property
    def is_h5ad(self) -> bool:
        """Say whether labels are written to an H5AD file."""
        return self.out is not None and self.out.lower().endswith(".h5ad")


targets = group_of_options(
    "targets",
    Targets,
    click.option(
        "--out",
        type=FileName(),
        help="Write labels: .csv, .tsv (also .gz), .parquet, .npy or .npz; .h5ad if the data are.",
    ),
    click.option(
        "--report",
        "page",
        type=FileName(),
        help="Write a report of all results in one .html file.",
    ),
    force,
)


class Objects(NamedTuple):
    """What is known about the objects besides their clusters."""

    ids: Any
    id_column: str
    X: Any = None
    columns: Any = None
    truth: Any = None
    everything: Any = None  # ids, labels, confidence of all rows, if a sample was clustered
    constrained: bool = False


def finish(
    result: Any,
    objects: Objects,
    targets: Targets,
    output: Output,
    *,
    inputs: Sequence[str] = (),
    ensemble: Any = None,
    title: str | None = None,
) -> None:
    """Judge a fitted model, write what is wanted, and give the answer."""
    from consilience.consensus.internals import BROKEN_CONSTRAINTS
    from consilience.reporting import Report, summarise
    from consilience.tables import write_h5ad, write_labels

    drawn = targets.page is not None
    with output.working("Describing the result"):
        summary = summarise(
            result,
            ensemble=ensemble,
            X=objects.X if drawn else None,
            feature_names=objects.columns if drawn else None,
            ids=objects.ids,
            command=command_line(),
            title=data_title(inputs) if title is None else title,
            truth=objects.truth,
            sample_of=None if objects.everything is None else len(objects.everything[1]),
        )
        if targets.page is not None:
            Report(summary).save(targets.page, overwrite=targets.force)
        ids, labels = objects.ids, result.labels_
        confidence = confidence_of(result, ensemble)
    if objects.everything is not None:
        ids, labels, confidence = objects.everything
    if targets.out is not None:
        written = {"provenance": dict(result.provenance_), "overwrite": targets.force, "ids": ids}
        if targets.is_h5ad:
            write_h5ad(inputs[0], targets.out, labels, confidence, **written)
        else:
            written["id_column"] = objects.id_column
            write_labels(targets.out, labels, confidence=confidence, **written)
    verdict = summary["verdict"]
    facts = {
        **counted(result, labels, confidence),
        "verdict": {"headline": verdict["headline"], "sentences": verdict["sentences"]},
        "doubts": spoken_doubts(summary["doubts"]),
        "out": targets.out,
        "report": targets.page,
    }
    for doubt in facts["doubts"]:
        if doubt["code"] == BROKEN_CONSTRAINTS:
            output.warn(doubt["sentence"])
    lines = [f"{verdict['headline']}.", *verdict["sentences"]]
    if objects.constrained:
        facts["constraints"] = _constraints(result)
        lines.append(facts["constraints"]["sentence"])
    if objects.truth is not None:
        facts["agreement"] = agreement(result.labels_, objects.truth)
        lines.append(summary["classes"]["sentence"])
    if targets.out is None:
        facts["labels"], facts["ids"] = labels, ids
    else:
        lines.append(f"Labels:  {targets.out}")
    if drawn:
        lines.append(f"Report:  {targets.page}")
    output.answer("\n".join(lines), facts)


def counted(result: Any, labels: Any, confidence: Any) -> dict[str, Any]:
    """Return the number of clusters, their sizes and the mean confidence."""
    import numpy as np

    return {
        "n_clusters": int(result.n_clusters_),
        "sizes": np.bincount(labels, minlength=result.n_clusters_).tolist(),
        "mean_confidence": float(np.nanmean(confidence)),
    }


def confidence_of(result: Any, ensemble: Any) -> Any:
    """Return the confidence of every object."""
    if hasattr(result, "confidence_"):
        return result.confidence_
    return result.own_shares(ensemble)


def spoken_doubts(doubts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return doubts as data, their sentences with flags of the command."""
    return [
        {
            "code": doubt["code"],
            "figures": doubt["figures"],
            "sentence": with_flag(doubt["sentence"], doubt["parameter"]),
        }
        for doubt in doubts
    ]


def in_order(ids: Any) -> bool:
    """Say whether ids only count the rows from 1."""
    return [str(key) for key in ids] == [str(row) for row in range(1, len(ids) + 1)]


def check_page(path: str) -> None:
    """Refuse a page whose suffix says that it is something else."""
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise InvalidInputError(
            f"{path}: reports are written as HTML; choose a name that ends in .html."
        )


def agreement(labels: Any, truth: Any) -> dict[str, float]:
    """Compare two labellings in the usual five ways."""
    from consilience.metrics import accuracy, ari, nmi, purity, rand_distance

    return {
        "NMI": nmi(labels, truth),
        "ARI": ari(labels, truth),
        "accuracy": accuracy(labels, truth),
        "purity": purity(labels, truth),
        "Rand": 1 - rand_distance(labels, truth),
    }


def data_title(inputs: Sequence[str]) -> str | None:
    """Return the names of the files, without their folders; None if there are none."""
    return listed([Path(path).name for path in inputs], most=3) if inputs else None


def command_line() -> str:
    """Return what was typed."""
    return shlex.join(["consilience", *sys.argv[1:]])


def _constraints(result: Any) -> dict[str, Any]:
    """Say whether the constraints hold, and count them."""
    report = getattr(result, "consensus_", result).constraints_
    counts = ("must_link", "must_link_satisfied", "cannot_link", "cannot_link_satisfied", "dropped")
    way_out = "" if report.all_hold else "; --param enforce=true makes all hold"
    return {
        "sentence": f"Constraints: {report}{way_out}.",
        "all_hold": report.all_hold,
        **{name: getattr(report, name) for name in counts},
    }
