"""Files with tables: tables of numbers, tables of labels, and results."""

from consilience.tables._attach import attach
from consilience.tables._check_output import check_output
from consilience.tables._read_blocks import read_blocks
from consilience.tables._read_label_table import LabelTable, read_label_table
from consilience.tables._read_labels import Labels, read_labels
from consilience.tables._read_table import Table, read_table
from consilience.tables._shared_ids import align_ids
from consilience.tables._write_h5ad import write_h5ad
from consilience.tables._write_labels import write_labels

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
