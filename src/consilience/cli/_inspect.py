"""What is in an ensemble."""

import math

import click

from consilience.cli._input_file import InputFile
from consilience.cli._inputs import read_ensemble
from consilience.cli._options import Reading, label_file, speaking
from consilience.cli._output import Output, table
from consilience.cli._verb import Verb

_SHOWN = 20


@click.command(cls=Verb)
@click.argument("ensemble", type=InputFile())
@click.option("--all", "everything", is_flag=True, help=f"List all members, not only {_SHOWN}.")
@label_file
@speaking
def inspect(*, ensemble: str, everything: bool, reading: Reading, output: Output) -> None:
    """Say what is in an ensemble: sizes, missing labels, diversity, redundant and outlying members.

    ENSEMBLE is what consilience generate wrote, or any table with a row per object and a column per
    clustering. A consensus can only be better than its members if they are good and different: copies
    add nothing, and members far from all others may be errors.

    Examples
    --------
      consilience inspect e.parquet
      consilience inspect segments.csv --id customer_id --all
      consilience inspect e.parquet --json
    """
    from consilience.diagnose import diversity_quality, member_report

    members = read_ensemble(ensemble, reading, output)
    with output.working("Comparing the members"):
        report, cloud = member_report(members), diversity_quality(members)
    missing = 1 - members.n_observed / members.n_samples
    shown = members.n_members if everything else min(_SHOWN, members.n_members)
    rows = [
        (
            members.names[j],
            members.n_clusters[j],
            f"{missing[j]:.1%}",
            _figure(report.quality[j]),
            "" if report.nearest[j] < 0 else members.names[report.nearest[j]],
            _figure(report.nearest_nmi[j]),
        )
        for j in range(shown)
    ]
    columns = {
        "member": "left",
        "clusters": "right",
        "missing": "right",
        "quality": "right",
        "nearest": "left",
        "NMI": "right",
    }
    more = members.n_members - shown
    lines = [
        f"{members!r}",
        "" if members.is_soft else _profiles(members),
        table(columns, rows),
        f"... and {more} more {'member' if more == 1 else 'members'} (--all)" if more else "",
        "",
        str(cloud) if members.n_members > 1 else "",
        str(report),
    ]
    facts = {
        "n_samples": members.n_samples,
        "n_members": members.n_members,
        "n_base_clusters": members.n_base_clusters,
        "n_profiles": None if members.is_soft else members.n_profiles,
        "missing": float(missing.mean()),
        "mean_nmi": cloud.mean_nmi,
        "redundant": report.redundant,
        "outlying": report.outlying,
        "uninformative": report.uninformative,
        "members": [
            {"name": name, "n_clusters": int(k), "missing": float(m), "quality": float(q)}
            for name, k, m, q in zip(
                members.names, members.n_clusters, missing, report.quality, strict=True
            )
        ],
    }
    output.answer("\n".join(line for line in lines if line), facts)


def _profiles(members: object) -> str:
    from consilience._utils._words import plural

    distinct = plural(members.n_profiles, "distinct row")  # type: ignore[attr-defined]
    return f"{distinct} of labels among {plural(members.n_samples, 'object')}.\n"  # type: ignore[attr-defined]


def _figure(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else ""
