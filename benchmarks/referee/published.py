"""Scores of the labels that were published for the benchmark, the number of clusters given."""

import csv
import gzip
from pathlib import Path

import numpy as np
from benchmarks.quality.records import Records
from benchmarks.quality.workers import side_by_side

KEY, VALUES = ["battery", "set", "method"], ["ari", "ami"]


def read(source, kept, cases, processes):
    """Return {method: {set: (ARI, AMI)}} of a CSV file, or of a folder of labels.

    The scores of a folder are kept in the file `kept`, so that they are computed once.
    """
    records = Records(source if Path(source).is_file() else kept, KEY, VALUES)
    if Path(source).is_dir():
        known = {key[:2] for key in records.read()}
        missing = [(source, case) for case in cases if tuple(case.name.split("/")) not in known]
        for rows in side_by_side(_scores, missing, processes):
            records.append(rows)
    found = {}
    for (battery, name, method), row in records.read().items():
        found.setdefault(method, {})[f"{battery}/{name}"] = float(row["ari"]), float(row["ami"])
    return found


def _scores(folder, case):
    """Return a row for every method with labels in <group>/<battery>/<set>.result<k>.gz."""
    battery, name = case.name.split("/")
    answers = {}
    for k in case.numbers():
        for path in sorted(Path(folder).glob(f"*/{battery}/{name}.result{k}.gz")):
            with gzip.open(path, "rt", newline="") as file:
                methods = next(csv.reader(file))
            columns = np.genfromtxt(path, delimiter=",", skip_header=1, ndmin=2).T
            for method, labels in zip(methods, columns, strict=True):
                if not np.isnan(labels).any():
                    answers.setdefault(method, {})[k] = labels.astype(int)
    return [
        {
            "battery": battery,
            "set": name,
            "method": method,
            "ari": round(ari, 4),
            "ami": round(ami, 4),
        }
        for method, labels in answers.items()
        for ari, ami, _ in [case.scores(labels)]
    ]
