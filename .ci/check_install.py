"""Try an installation as a user would: the command, the README, and the contract that is shipped.

    path/to/python .ci/check_install.py [--readme README.md]

Needs nothing but the run-time dependencies of the package, and works in an empty folder of its own.
"""

import argparse
import doctest
import json
import os
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
# From either end of the library: votes, a graph, linkage, and the default above all.
FUNCTIONS = ("IPC", "HBGF", "HAC", "Concord")


def say(sentence: str) -> None:
    """Print one line at once."""
    sys.stdout.write(sentence + "\n")
    sys.stdout.flush()


def command(*arguments: str) -> str:
    """Run the installed command and return what it prints."""
    suffix = ".exe" if os.name == "nt" else ""
    program = Path(sysconfig.get_path("scripts")) / f"consilience{suffix}"
    done = subprocess.run(  # noqa: S603 - our own command; what it says about an error is shown
        [program, *arguments], stdout=subprocess.PIPE, text=True, check=True, encoding="utf-8"
    )
    return done.stdout


def check_command() -> None:
    """Run the demo and compare what it says with what is known."""
    start = time.perf_counter()
    facts = json.loads(command("demo", "--json", "--quiet", "--report", "demo.html"))
    if facts["agreement"]["NMI"] < 0.8 or facts["n_clusters"] != 10:
        raise SystemExit(f"The demo is not what it was: {facts['agreement']}.")
    size = Path("demo.html").stat().st_size
    say(
        f"demo: NMI {facts['agreement']['NMI']:.3f}, page of {size:,} bytes, "
        f"{time.perf_counter() - start:.1f} s from nothing"
    )
    versions = json.loads(command("--version", "--json"))
    say(f"version: {versions['consilience']}, Python {versions['python']}")


def check_readme(readme: Path) -> None:
    """Run every example of the README."""
    failed, tried = doctest.testfile(
        str(readme), module_relative=False, optionflags=doctest.ELLIPSIS, encoding="utf-8"
    )
    if failed or not tried:
        raise SystemExit(f"{failed} of {tried} lines of the README fail.")
    say(f"README: {tried} lines")


def check_contract() -> None:
    """Run the contract that is shipped on some consensus functions and a generator."""
    from consilience import consensus, generate
    from consilience.testing import check_consensus_function, check_generator

    for name in FUNCTIONS:
        function = getattr(consensus, name)(n_clusters=3)
        if "random_state" in function.get_params():
            function.set_params(random_state=0)
        check_consensus_function(function)
        say(f"contract: {name}")
    check_generator(generate.KMeansRestarts(n_members=4, random_state=0))
    say("contract: KMeansRestarts")


def main() -> None:
    """Check everything in an empty folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--readme", type=Path, default=README)
    readme = parser.parse_args().readme.resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        check_command()
        check_readme(readme)
        check_contract()
        # Windows does not remove the folder that a process stands in.
        os.chdir(readme.parent)


if __name__ == "__main__":
    main()
