"""Random numbers of rows: SplitMix64 in whole numbers of Python."""

_LOW = 2**64 - 1


def row_draw(seed, row):
    """Return the upper 32 bits of number `row` of the generator."""
    z = (seed + (row + 1) * 0x9E3779B97F4A7C15) & _LOW
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _LOW
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _LOW
    return (z ^ (z >> 31)) >> 32
