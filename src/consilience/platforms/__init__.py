"""Clusterings of several platforms, partly of the same samples, combined into one."""
