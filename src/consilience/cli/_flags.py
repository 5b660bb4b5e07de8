"""Parameters of the library as flags of the command, in the sentences that the library writes."""

from typing import Any

from consilience._utils._option import NO_VALUE

# Other parameters of a method have the same name in --param.
_FLAGS = {
    "candidates": "-k",
    "checkpoint": "--resume",
    "columns": "--column",
    "conflicts": "--param conflicts",
    "consensus": "--method",
    "enforce": "--param enforce",
    "max_samples": "--sample",
    "n_clusters": "-k",
    "n_jobs": "--jobs",
    "n_members": "--members",
    "random_state": "--seed",
    "representation": "--rep",
    "scaling": "--scaling",
    "verbose": "--quiet",
}
_WORDS = {
    ("id", False): "--no-id",
    ("header", False): "--no-header",
    ("header", True): "--header",
    ("overwrite", True): "--force",
    ("transpose", True): "--transpose",
}


def flag(name: str, value: Any = NO_VALUE) -> str:
    """Return the flag for a parameter, and for a value if there is one."""
    if isinstance(value, bool):
        return _WORDS[name, value]
    words = _FLAGS.get(name, f"--{name.replace('_', '-')}")
    if value is NO_VALUE:
        return words
    values = value if isinstance(value, list) else [value]
    return " ".join([words, *(_quoted(str(one)) for one in values)])


def with_flag(sentence: str, parameter: str | None) -> str:
    """Return a sentence with the flag in place of the parameter that it is about.

    Examples
    --------
    >>> with_flag("IPC: n_clusters=61 is more than the number of objects.", "n_clusters")
    'IPC: -k 61 is more than the number of objects.'
    >>> with_flag("Try n_clusters=(2, 20).", "n_clusters")
    'Try -k 2:20.'
    """
    if parameter is None or parameter not in _FLAGS:
        return sentence
    words = _FLAGS[parameter]
    before, is_pair, after = sentence.partition(f"{parameter}=(")
    if is_pair:
        pair, _, rest = after.partition(")")
        sentence = f"{before}{words} {pair.replace(', ', ':')}{rest}"
    if not words.startswith("--param"):
        sentence = sentence.replace(f"{parameter}=", f"{words} ")
    return sentence.replace(parameter, words)


def _quoted(word: str) -> str:
    """Return a word as it is typed in a shell."""
    return word if word.isidentifier() else f"'{word}'"
