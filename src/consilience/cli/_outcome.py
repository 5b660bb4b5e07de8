"""The outputs of a consensus: a verdict, a file of labels, a report."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from consilience.cli._flag_words import with_flags
from consilience.cli._output import Output
from consilience.exceptions import InvalidInputError


class Targets(NamedTuple):
    """Files to write; None = not wanted."""

    labels: str | None
    report: str | None
    force: bool

    def check(self, inputs: Sequence[str]) -> None:
        """Refuse outputs that cannot be written, before any computation."""
        from consilience.tables import check_output
        from consilience.tables.internals import check_label_suffix

        for path in (self.labels, self.report):
            if path is not None:
                check_output(path, overwrite=self.force, inputs=inputs)
        places = [Path(path).absolute() for path in (self.labels, self.report) if path is not None]
        if len(places) > len(set(places)):
            raise InvalidInputError(f"{self.labels} cannot be both --out and --report.")
        if self.report is not None:
            check_page(self.report)
        if self.labels is not None and not self._is_h5ad(inputs):
            check_label_suffix(self.labels)

    def require_place_for_ids(self, reason: str) -> None:
        """Refuse a file without ids if the labels cannot be assigned to objects without them."""
        if self.labels is None or not self.labels.lower().endswith(".npy"):
            return
        raise InvalidInputError(
            f"{self.labels}: {reason}, and .npy has no place for ids, so labels could not be assigned "
            "to objects; choose .csv, .tsv, .parquet or .npz."
        )

    def _is_h5ad(self, inputs: Sequence[str]) -> bool:
        is_h5ad = self.labels is not None and self.labels.lower().endswith(".h5ad")
        if is_h5ad and not (len(inputs) == 1 and inputs[0].lower().endswith(".h5ad")):
            raise InvalidInputError(
                f"{self.labels}: an .h5ad file is written only from an .h5ad file; choose .csv."
            )
        return is_h5ad


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
    import numpy as np

    from consilience.consensus.internals import BROKEN_CONSTRAINTS
    from consilience.reporting import Report, summarise
    from consilience.tables import write_h5ad, write_labels

    with output.working("Describing the result"):
        summary = summarise(
            result,
            ensemble=ensemble,
            X=objects.X if targets.report is not None else None,
            feature_names=objects.columns if targets.report is not None else None,
            ids=objects.ids,
            command=command_line(),
            title=data_title(inputs) if title is None else title,
            truth=objects.truth,
            sample_of=None if objects.everything is None else len(objects.everything[1]),
        )
        labels = result.labels_
        confidence = _confidence(result, ensemble)
        if targets.report is not None:
            Report(summary).save(targets.report, overwrite=targets.force)
    ids, sampled = objects.ids, labels
    if objects.everything is not None:
        ids, labels, confidence = objects.everything
    provenance = dict(result.provenance_)
    if targets.labels is not None and targets.labels.lower().endswith(".h5ad"):
        write_h5ad(
            inputs[0],
            targets.labels,
            labels,
            confidence,
            ids=ids,
            provenance=provenance,
            overwrite=targets.force,
        )
    elif targets.labels is not None:
        write_labels(
            targets.labels,
            labels,
            ids=ids,
            confidence=confidence,
            id_column=objects.id_column,
            provenance=provenance,
            overwrite=targets.force,
        )
    verdict = summary["verdict"]
    facts = {
        "n_clusters": int(result.n_clusters_),
        "sizes": np.bincount(labels, minlength=result.n_clusters_).tolist(),
        "mean_confidence": float(np.nanmean(confidence)),
        "verdict": {"headline": verdict["headline"], "sentences": verdict["sentences"]},
        "doubts": spoken_doubts(summary["doubts"]),
        "out": targets.labels,
        "report": targets.report,
    }
    for doubt in facts["doubts"]:
        if doubt["code"] == BROKEN_CONSTRAINTS:
            output.warn(doubt["sentence"])
    lines = [f"{verdict['headline']}.", *verdict["sentences"]]
    if objects.constrained:
        facts["constraints"] = _constraints(result)
        lines.append(facts["constraints"]["sentence"])
    if objects.truth is not None:
        facts["agreement"] = agreement(sampled, objects.truth)
        lines.append(summary["classes"]["sentence"])
    lines += [f"Labels:  {targets.labels}"] * (targets.labels is not None)
    lines += [f"Report:  {targets.report}"] * (targets.report is not None)
    if targets.labels is None:
        facts["labels"], facts["ids"] = labels, ids
    output.answer("\n".join(lines), facts)


def spoken_doubts(doubts: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return doubts as data, their sentences in the words of the command."""
    return [
        {
            "code": doubt["code"],
            "figures": doubt["figures"],
            "sentence": with_flags(doubt["sentence"]),
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
    from consilience._utils._words import listed

    return listed([Path(path).name for path in inputs], most=3) if inputs else None


def command_line() -> str:
    """Return what was typed."""
    return shlex.join(["consilience", *sys.argv[1:]])


def _confidence(result: Any, ensemble: Any) -> Any:
    if hasattr(result, "confidence_"):
        return result.confidence_
    return result.own_shares(ensemble)


def _constraints(result: Any) -> dict[str, Any]:
    """Say whether the constraints hold, and count them."""
    from consilience.cli._knowledge import satisfied

    report = getattr(result, "consensus_", result).constraints_
    return {
        "sentence": satisfied(report),
        "all_hold": report.all_hold,
        "must_link": report.must_link,
        "must_link_satisfied": report.must_link_satisfied,
        "cannot_link": report.cannot_link,
        "cannot_link_satisfied": report.cannot_link_satisfied,
        "dropped": report.dropped,
    }
