"""Files with tables: tables of numbers, tables of labels, and results."""

from consilience.tables._ids import align_ids
from consilience.tables._label_tables import Labels, LabelTable, read_label_table, read_labels
from consilience.tables._read_table import Table, read_blocks, read_table
from consilience.tables._write import attach, check_output, write_h5ad, write_labels

__all__ = [
    "LabelTable",
    "Labels",
    "Table",
    "align_ids",
    "attach",
    "check_output",
    "read_blocks",
    "read_label_table",
    "read_labels",
    "read_table",
    "write_h5ad",
    "write_labels",
]
