"""Sentences of the library in the words of the command: options instead of parameters.

Messages of the library name parameters such as n_clusters, and the file with standard input.
Only this module replaces such words by -k and "standard input".
"""

import re
from collections.abc import Callable

_OPTIONS = {
    "n_clusters": "-k",
    "candidates": "-k",
    "n_members": "--members",
    "max_samples": "--sample",
    "random_state": "--seed",
    "n_jobs": "--jobs",
    "must_link": "--must-link",
    "cannot_link": "--cannot-link",
    "partial_labels": "--partial-labels",
}
# A name that stands in quotes or inside a file name was typed by the user, and is left alone.
_BEFORE, _AFTER = r"(?<![\w'\"./\\-])", r"(?![\w'\"/\\-]|\.\w)"
_NAME = rf"{_BEFORE}({'|'.join(_OPTIONS)})"

_PHRASES: list[tuple[str, str | Callable[[re.Match[str]], str]]] = [
    (r"\bor pass overwrite=True", "or replace it with --force"),
    (r" \(consilience\.set_config\(memory_limit=\.\.\.\)\)", ""),
    (r"leave consensus None", "leave --method out"),
    (r"\bset conflicts=\"(\w+)\"", r"say --param conflicts=\1"),
    (r"\bset enforce=(True|False)", lambda found: f"say --param enforce={found[1].lower()}"),
    (r"\benforce=True(?= makes)", "--param enforce=true"),
    (r"\b(raise|increase) max_iter\b", r"\1 it with --param max_iter=N"),
    (r"[Ss]et one of them to None", "Leave one of them out"),
    (r"; got n_samples = (\d+)", r", \1"),
    (r"\bn_samples = (\d+)", r"\1 objects"),
    (r"^choose_k: ", ""),
    (r"\bscaling(?= has | must )|\bscaling=(?=')", "--scaling "),
    (r"has no meaning for an Ensemble, which has no features", "has no meaning for labels"),
    (r"Leave it out, or pass the features", "Leave it out, or give data"),
    (
        r"pass the ensemble_ of a generator, or attach them by .*",
        "make it by consilience generate.",
    ),
    (r"^ConsensusClustering: ", ""),
    (r"\bmust be None or ", "must be "),
    (rf"{_BEFORE}n_clusters=\((\d+), (\d+)\)", r"-k \1:\2"),
    (rf"{_NAME}=(?=[\w(\[-])", lambda found: f"{_OPTIONS[found[1]]} "),
    (rf"{_NAME}{_AFTER}", lambda found: _OPTIONS[found[1]]),
]

_renamed: dict[str, str] = {}


def rename(path: str, name: str) -> None:
    """Use another name for a file in all later messages."""
    _renamed[path] = name


def renamed(text: str) -> str:
    """Return a sentence with the names that the user knows."""
    for path, name in _renamed.items():
        text = text.replace(path, name)
    return text


def with_flags(text: str) -> str:
    """Return a sentence of the library in the words of the command.

    Examples
    --------
    >>> with_flags("IPC: n_clusters=61 is more than the number of objects; got n_samples = 60.")
    'IPC: -k 61 is more than the number of objects, 60.'
    >>> with_flags("There is no column 'n_clusters'.")
    "There is no column 'n_clusters'."
    """
    text = renamed(text)
    if "columns are" in text:  # the names that follow are those of the user
        return text
    for pattern, words in _PHRASES:
        text = re.sub(pattern, words, text)
    return text
