"""A closed list: settings, declared parameters, seeds, memory limit, provenance, atomic writes."""
