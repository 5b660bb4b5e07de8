"""The report of the wines, as `consilience.report` writes it, for people who want to see one."""

from pathlib import Path
from typing import Any


def write_report(app: Any, _: Any) -> None:
    """Write the page once; a fresh checkout has none."""
    path = Path(app.srcdir) / "_extra" / "sample_report.html"
    if path.exists():
        return
    from sklearn.datasets import load_wine

    import consilience

    X = load_wine(as_frame=True).data
    model = consilience.ConsensusClustering(n_clusters=(2, 6), random_state=0, verbose=0).fit(X)
    path.parent.mkdir(exist_ok=True)
    consilience.report(model, path, X=X, title="178 wines")


def setup(app: Any) -> dict[str, bool]:
    """Tell Sphinx."""
    app.connect("config-inited", write_report)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
