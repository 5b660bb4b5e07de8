"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.tables._cells import as_text
from consilience.tables._ids import is_id_name
from consilience.tables._source import index_columns, open_source
from consilience.tables._stored_rows import ParquetRows, StoredTable, open_rows, read_parquet
from consilience.tables._write import (
    PART_ROWS,
    check_label_suffix,
    check_parts_folder,
    write_label_parts,
)

__all__ = [
    "PART_ROWS",
    "ParquetRows",
    "StoredTable",
    "as_text",
    "check_label_suffix",
    "check_parts_folder",
    "index_columns",
    "is_id_name",
    "open_rows",
    "open_source",
    "read_parquet",
    "write_label_parts",
]
