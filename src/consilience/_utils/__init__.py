"""Utilities: version, settings, parameters, docstrings, seeds, memory, provenance, atomic writes."""
