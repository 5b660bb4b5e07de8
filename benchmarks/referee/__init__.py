"""The default and its rivals on the public benchmark, beside the labels that were published there."""
