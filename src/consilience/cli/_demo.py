"""All steps on real data, within a minute."""

import click

from consilience.cli import _options as options
from consilience.cli._outcome import Objects, Targets, finish, targets
from consilience.cli._output import Output


@click.command(cls=options.Verb)
@targets
@options.running
@options.speaking
def demo(*, targets: Targets, running: options.Running, output: Output) -> None:
    """Cluster 1797 handwritten digits thirty times, combine, and write a page about it.

    The data are real and come with scikit-learn. The method does not use the true digits; they are only
    compared with the result at the end. Needs no network and less than a minute. The page is
    consilience-demo.html unless --report names another file.

    Examples
    --------
      consilience demo
      consilience demo --report /tmp/demo.html --force
      consilience demo --json --quiet
    """
    targets = targets._replace(page=targets.page or "consilience-demo.html")
    targets.check([])
    import numpy as np
    from sklearn.datasets import load_digits

    from consilience.answer import ConsensusClustering
    from consilience.metrics import nmi

    digits = load_digits()
    output.note(
        "1797 handwritten digits, 8 x 8 pixels each, clustered thirty times without the true digits."
    )
    model = ConsensusClustering(
        10,
        random_state=running.random_state,
        n_jobs=running.n_jobs,
        verbose=output.verbose,
    ).fit(digits.data)
    single = [nmi(labels, digits.target) for labels in model.ensemble_.labels.T]
    output.note(
        f"A single clustering matches the true digits with NMI {np.mean(single):.2f} on average, "
        f"{np.max(single):.2f} at best; the consensus with {nmi(model.labels_, digits.target):.2f}.",
        "",
    )
    ids = [f"digit {row}: a {digit}" for row, digit in enumerate(digits.target.tolist())]
    objects = Objects(np.array(ids), "digit", digits.data, digits.feature_names, digits.target)
    finish(model, objects, targets, output, title="1797 handwritten digits")
    output.note(
        "", "With your data:  consilience cluster data.csv --out labels.csv --report report.html"
    )
