"""What is in an ensemble."""

import click

from consilience._utils._words import plural
from consilience.cli import _options as options
from consilience.cli._inputs import read_members
from consilience.cli._output import Output, table

_SHOWN = 20


@click.command(cls=options.Verb)
@click.argument("ensemble", type=options.InputFile())
@click.option("--all", "everything", is_flag=True, help=f"List all members, not only {_SHOWN}.")
@options.label_file
@options.speaking
def inspect(*, ensemble: str, everything: bool, reading: options.Reading, output: Output) -> None:
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

    members = read_members([ensemble], reading, output)
    with output.working("Comparing the members"):
        report, cloud = member_report(members), diversity_quality(members)
    missing = 1 - members.n_observed / members.n_samples
    shown = members.n_members if everything else min(_SHOWN, members.n_members)
    rows = [
        (
            members.names[j],
            members.n_clusters[j],
            f"{missing[j]:.1%}",
            f"{report.quality[j]:.3f}".replace("nan", ""),
            "" if report.nearest[j] < 0 else members.names[report.nearest[j]],
            f"{report.nearest_nmi[j]:.3f}".replace("nan", ""),
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
    n_profiles = None if members.is_soft else members.n_profiles
    lines = [f"{members!r}"]
    if n_profiles is not None:
        among = plural(members.n_samples, "object")
        lines.append(f"{plural(n_profiles, 'distinct row')} of labels among {among}.\n")
    lines.append(table(columns, rows))
    if shown < members.n_members:
        lines.append(f"... and {plural(members.n_members - shown, 'more member')} (--all)")
    lines += [str(cloud)] * (members.n_members > 1) + [str(report)]
    facts = {
        "n_samples": members.n_samples,
        "n_members": members.n_members,
        "n_base_clusters": members.n_base_clusters,
        "n_profiles": n_profiles,
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
    output.answer("\n".join(lines), facts)
