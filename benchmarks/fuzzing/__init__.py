"""Random examples of `benchmarks/fuzz.py`."""
