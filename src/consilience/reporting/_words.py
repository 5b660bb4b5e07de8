"""Numbers and lists as text."""

import math

from consilience._utils._words import listed as listed  # noqa: PLC0414 - words are looked for here
from consilience._utils._words import plural as plural  # noqa: PLC0414

_UNKNOWN = "\u2013"  # a dash


def count(value: float) -> str:
    """Write a whole number with its thousands apart.

    Examples
    --------
    >>> count(1234567)
    '1,234,567'
    """
    return f"{int(value):,}"


def number(value: float | None, digits: int = 2) -> str:
    """Write a number with so many places; a dash for what is not known.

    Examples
    --------
    >>> number(0.12345), number(-0.001), number(1234.5, 0)
    ('0.12', '0.00', '1,234')
    """
    if value is None or not math.isfinite(value):
        return _UNKNOWN
    text = f"{value:,.{digits}f}"
    return text.removeprefix("-") if float(text.replace(",", "")) == 0 else text


def figure(value: float | None) -> str:
    """Write a measured number with three significant digits.

    Examples
    --------
    >>> figure(0.0123456), figure(12345.6), figure(-3.14159), figure(1e-9), figure(0)
    ('0.0123', '12,346', '-3.14', '1e-09', '0')
    """
    if value is None or not math.isfinite(value):
        return _UNKNOWN
    size = abs(value)
    if size >= 1000:
        return f"{value:,.0f}" if size < 1e9 else f"{value:.2e}"
    return f"{value:.3g}"


def percent(share: float | None) -> str:
    r"""Write a fraction in percent; only 0 and 1 are written as 0 % and 100 %.

    Examples
    --------
    >>> for share in (0.25, 0.0003, 0.9996, 1.0):
    ...     print(percent(share).replace("\xa0", " "))
    25.0 %
    less than 0.1 %
    more than 99.9 %
    100 %
    """
    if share is None or not math.isfinite(share):
        return _UNKNOWN
    if share in (0.0, 1.0):
        return f"{100 * share:.0f}\xa0%"
    if share < 0.001:
        return "less than 0.1\xa0%"
    return "more than 99.9\xa0%" if share > 0.999 else f"{100 * share:.1f}\xa0%"


def probability(value: float | None) -> str:
    r"""Write a p-value, on one line.

    Examples
    --------
    >>> for value in (0.0312, 1e-20):
    ...     print(probability(value).replace("\xa0", " "))
    p = 0.031
    p < 0.0001
    """
    if value is None or not math.isfinite(value):
        return _UNKNOWN
    return "p\xa0<\xa00.0001" if value < 1e-4 else f"p\xa0=\xa0{value:.2g}"


def rounded(value: float, digits: int = 6) -> float | None:
    """Return a number with six places for the summary; None for what is not known.

    Examples
    --------
    >>> rounded(1 / 3), rounded(float("nan"))
    (0.333333, None)
    """
    return round(float(value), digits) if math.isfinite(value) else None
