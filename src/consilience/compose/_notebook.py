"""A fitted model as a notebook shows it."""

from typing import TYPE_CHECKING, Any

import numpy as np

from consilience._utils._notebook import Table, notebook_summary

if TYPE_CHECKING:
    from consilience.compose._consensus_clustering import ConsensusClustering

_SHOWN = 10


def model_html(model: "ConsensusClustering") -> str:
    """Return the verdict, how the number of clusters was found, and the clusters."""
    word = "cluster" if model.n_clusters_ == 1 else "clusters"
    sentences = [model.verdict_]
    if hasattr(model, "k_choice_"):
        sentences.append(f"The number of clusters was chosen. {model.k_choice_.sentence}")
    else:
        sentences.append("The number of clusters was given, not chosen.")
    if model.n_clusters_ > 1:
        sentences.append(model.view_choice_.sentence)
    facts = {
        "objects": f"{model.ensemble_.n_samples:,}",
        "members": f"{model.ensemble_.n_members:,}",
    }
    title = f"ConsensusClustering: {model.n_clusters_} {word}"
    return notebook_summary(title, sentences, facts, _clusters(model))


def _clusters(model: "ConsensusClustering") -> Table | None:
    """Return sizes and mean confidences; None if there is one cluster or labels are outside memory."""
    labels: Any = model.labels_
    if model.n_clusters_ == 1 or not isinstance(labels, np.ndarray):
        return None
    sizes = np.bincount(labels, minlength=model.n_clusters_)
    largest = np.sort(np.argsort(-sizes, kind="stable")[:_SHOWN])
    caption = "Clusters"
    if len(largest) < len(sizes):
        caption = f"The {len(largest)} largest of {len(sizes)} clusters"
    rows = [
        [str(cluster), f"{sizes[cluster]:,}", _confidence(model.cluster_stability_[cluster])]
        for cluster in largest.tolist()
    ]
    return Table(caption, ["cluster", "objects", "mean confidence"], rows)


def _confidence(value: float) -> str:
    return f"{value:.2f}" if np.isfinite(value) else "not known"
