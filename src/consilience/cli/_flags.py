"""Parameters of readers and writers of tables as flags of the command."""

from typing import Any

from consilience._utils._option import NO_VALUE

_NAMES = {"columns": "column", "max_samples": "sample", "representation": "rep"}
_WORDS = {
    ("id", False): "--no-id",
    ("header", False): "--no-header",
    ("header", True): "--header",
    ("overwrite", True): "--force",
    ("transpose", True): "--transpose",
}


def flag(name: str, value: Any = NO_VALUE) -> str:
    """Return the flag for a parameter and a value."""
    if isinstance(value, bool):
        return _WORDS[name, value]
    words = f"--{_NAMES.get(name, name).replace('_', '-')}"
    if value is NO_VALUE:
        return words
    values = value if isinstance(value, list) else [value]
    return " ".join([words, *(_quoted(str(one)) for one in values)])


def _quoted(word: str) -> str:
    """Return a word as it is typed in a shell."""
    return word if word.isidentifier() else f"'{word}'"
