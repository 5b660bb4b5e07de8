"""Write a small table of genes x samples with three groups of samples."""

import sys
from pathlib import Path

import numpy as np


def main(path):
    """Write the table to a file, whose folder is made."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1, 2], 20)
    level = rng.normal(scale=2.0, size=(40, 3))
    values = level[:, group] + rng.normal(size=(40, 60))
    lines = ["gene," + ",".join(f"s{j}" for j in range(60))]
    lines += [f"g{i}," + ",".join(f"{v:.3f}" for v in row) for i, row in enumerate(values)]
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
