"""Utilities: version, settings, parameters, seeds, memory limit, provenance, atomic writes."""
