"""Fit one consensus function on a memory-mapped label matrix and print peak memory, as JSON.

Run in a fresh process by `table.py`: peak memory cannot be taken back.
"""

import json
import re
import sys
import time
import warnings
from pathlib import Path

import numpy as np

from consilience import consensus
from consilience.exceptions import ConsilienceWarning


def peak_bytes():
    """Largest resident size so far; getrusage would include that of the process that started us."""
    status = Path("/proc/self/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024


def main(path, name, parameters):
    warnings.simplefilter("ignore", ConsilienceWarning)
    after_import = peak_bytes()
    labels = np.load(path, mmap_mode="r")
    start = time.perf_counter()
    getattr(consensus, name)(**json.loads(parameters)).fit(labels)
    seconds = time.perf_counter() - start
    result = {
        "seconds": seconds,
        "bytes": peak_bytes() - after_import,
        "label_bytes": labels.nbytes,
    }
    print(json.dumps(result))


if __name__ == "__main__":
    main(*sys.argv[1:])
