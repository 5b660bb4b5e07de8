"""What is said of labels that are read in pieces."""

import numpy as np
import pyarrow.parquet as pq
import pytest

from consilience import Ensemble


@pytest.mark.parametrize(("n_clusters", "rest"), [(8, ""), (9, ", ...")])
def test_sizes_of_eight_clusters_are_shown(folder, call, n_clusters, rest):
    labels = np.repeat(np.arange(n_clusters), 4)
    (folder / "parts").mkdir()
    Ensemble([labels, labels]).to_parquet("parts/0.parquet")
    said = call("consensus", "parts", "-k", n_clusters, "--method", "ipc").out
    sizes = ", ".join(["4"] * 8)
    assert said.startswith(
        f"{n_clusters} clusters of {sizes}{rest} objects; mean confidence 1.00, 0 objects below 0.50."
    )


def test_rows_without_ids_are_numbered_from_one(folder, call):
    labels = np.repeat([0, 1], 4)
    (folder / "parts").mkdir()
    Ensemble([labels, labels]).to_parquet("parts/0.parquet")
    call("consensus", "parts", "-k", 2, "--method", "ipc", "--no-id", "--out", "out")
    written = pq.read_table(folder / "out")
    assert written["row"].to_pylist() == [1, 2, 3, 4, 5, 6, 7, 8]
    assert written["cluster"].to_pylist() == labels.tolist()
