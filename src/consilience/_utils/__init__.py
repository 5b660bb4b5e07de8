"""A closed list: version, settings, declared parameters, seeds, memory limit, provenance, atomic writes."""
