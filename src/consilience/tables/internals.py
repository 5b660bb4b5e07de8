"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.tables._cells import as_text
from consilience.tables._ids import find_id_column, is_id_name
from consilience.tables._source import (
    Source,
    index_columns,
    open_source,
    require_distinct,
    unreadable,
)
from consilience.tables._stored_rows import ParquetRows, StoredTable, open_rows
from consilience.tables._write import (
    PART_ROWS,
    check_label_suffix,
    check_parts_folder,
    write_label_parts,
)

__all__ = [
    "PART_ROWS",
    "ParquetRows",
    "Source",
    "StoredTable",
    "as_text",
    "check_label_suffix",
    "check_parts_folder",
    "find_id_column",
    "index_columns",
    "is_id_name",
    "open_rows",
    "open_source",
    "require_distinct",
    "unreadable",
    "write_label_parts",
]
