"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.tables._cells import as_text
from consilience.tables._ids import Side, is_id_name, match_rows
from consilience.tables._read_pairs import read_classes, read_pairs
from consilience.tables._source import index_columns, open_source
from consilience.tables._stored_rows import (
    NumberRows,
    ParquetRows,
    StoredTable,
    open_rows,
    read_parquet,
)
from consilience.tables._write import (
    check_label_suffix,
    check_parts_folder,
    write_label_parts,
)

__all__ = [
    "NumberRows",
    "ParquetRows",
    "Side",
    "StoredTable",
    "as_text",
    "check_label_suffix",
    "check_parts_folder",
    "index_columns",
    "is_id_name",
    "match_rows",
    "open_rows",
    "open_source",
    "read_classes",
    "read_pairs",
    "read_parquet",
    "write_label_parts",
]
