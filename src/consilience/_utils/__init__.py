"""A closed list: version, settings, parameters, seeds, memory limit, provenance, atomic writes."""
