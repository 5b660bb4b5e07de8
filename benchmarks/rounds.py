"""Seconds of every round of voting and k-means fits, with and without bounds on the leads of rows.

    python benchmarks/rounds.py [--rows 1000000] [--members 50] [--repeats 7] [--functions IPC KMCF]

Both kinds of fits take turns in one process, because machines are noisy; the best of the repeats is
printed. Labels and objectives must be equal.
"""

import argparse
import time
import warnings

import numpy as np
import table
from table import random_projection_like

from consilience import Ensemble, consensus, set_config
from consilience.exceptions import ConsilienceWarning
from consilience.incidence import Incidence
from consilience.incidence._leads import Leads

STARTS = {"KMCF": 1}  # a start that takes more than a few rounds
sweep, pay = Incidence.argmax, Leads.pay


def fit(name, ensemble, *, bounds):
    """Return the fitted function, its seconds, and seconds and share of moved rows of every sweep."""
    rounds = []

    def timed(*given, **named):
        start = time.perf_counter()
        found = sweep(*given, **named)
        rounds.append((time.perf_counter() - start, found.moved))
        return found

    Incidence.argmax = timed
    Leads.pay = pay if bounds else lambda *_: False
    try:
        function = getattr(consensus, name)(table.K, n_init=1, random_state=STARTS.get(name, 0))
        start = time.perf_counter()
        function.fit(ensemble)
        seconds = time.perf_counter() - start
    finally:
        Incidence.argmax, Leads.pay = sweep, pay
    return function, seconds, rounds


def compare(name, ensemble, repeats):
    """Fit in turns and print a table."""
    seconds, sweeps = {False: [], True: []}, {False: [], True: []}
    for bounds in (False, True):
        fit(name, ensemble, bounds=bounds)  # compile
    for _ in range(repeats):
        fitted = []
        for bounds in (False, True):
            function, taken, rounds = fit(name, ensemble, bounds=bounds)
            seconds[bounds].append(taken)
            sweeps[bounds].append([time for time, _ in rounds])
            fitted.append(function)
        assert np.array_equal(fitted[0].labels_, fitted[1].labels_)
        assert fitted[0].objective_ == fitted[1].objective_
    before, after = (1e3 * np.min(sweeps[bounds], axis=0) for bounds in (False, True))
    print(f"\n| {name}, sweep | rows that move | all rows, ms | with bounds, ms | ratio |")
    print("| --- | --- | --- | --- | --- |")
    for place, (_, moved) in enumerate(rounds):
        ratio = after[place] / before[place]
        print(
            f"| {place + 1} | {moved:.3%} | {before[place]:.1f} | {after[place]:.1f} | {ratio:.2f} |"
        )
    ratio = after.sum() / before.sum()
    print(f"| all sweeps | | {before.sum():.0f} | {after.sum():.0f} | {ratio:.2f} |")
    whole = [1e3 * min(seconds[bounds]) for bounds in (False, True)]
    print(
        f"| whole fit | | {whole[0]:.0f} | {whole[1]:.0f} | {whole[1] / whole[0]:.2f} |", flush=True
    )


def main():
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--members", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--functions", nargs="+", default=["IPC", "IPVC", "IVC", "KMCF"])
    given = parser.parse_args()
    warnings.simplefilter("ignore", ConsilienceWarning)
    set_config(n_threads=given.threads)
    table.R = given.members
    ensemble = Ensemble(random_projection_like(given.rows))
    print(f"n = {given.rows}, r = {given.members}, K = {table.K}, {given.threads} threads")
    for name in given.functions:
        compare(name, ensemble, given.repeats)


if __name__ == "__main__":
    main()
