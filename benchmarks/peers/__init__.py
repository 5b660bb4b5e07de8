"""Consilience beside the packages that can be installed: `python -m benchmarks.peers`."""
