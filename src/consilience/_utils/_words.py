"""Text helpers: plurals, lists of words, and matching of names."""

from collections.abc import Iterable, Sequence


def plural(value: int, word: str) -> str:
    """Return a number with a noun in singular or plural.

    Examples
    --------
    >>> plural(1, "object"), plural(2000, "object"), plural(0, "base cluster")
    ('1 object', '2,000 objects', '0 base clusters')
    """
    return f"{value:,} {word}{'' if value == 1 else 's'}"


def listed(parts: Sequence[str], most: int = 8) -> str:
    """Join words with commas and an "and".

    Examples
    --------
    >>> listed(["a", "b", "c"]), listed(["a", "b", "c", "d"], most=2)
    ('a, b and c', 'a, b and 2 more')
    """
    shown = list(parts)
    if len(shown) > most:
        shown = [*shown[:most], f"{len(parts) - most:,} more"]
    return shown[0] if len(shown) == 1 else ", ".join(shown[:-1]) + " and " + shown[-1]


def known_name(given: str, known: Iterable[str]) -> str | None:
    """Return the known name that matches; case, hyphens, underscores and spaces are ignored.

    Examples
    --------
    >>> known_name("KMeans_Restarts", ["kmeans-restarts", "lac-sweep"])
    'kmeans-restarts'
    >>> known_name("magic", ["kmeans-restarts"]) is None
    True
    """
    folded = _folded(given)
    return next((name for name in known if _folded(name) == folded), None)


def _folded(name: str) -> str:
    return "".join(letter for letter in name.casefold() if letter not in "-_ ")
