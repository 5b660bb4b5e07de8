"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.tables._id_column import as_text, find_id_column, is_id_name
from consilience.tables._parquet import index_columns, unreadable
from consilience.tables._read_pairs import read_classes, read_pairs
from consilience.tables._shared_ids import Side, match_rows
from consilience.tables._source import Source, open_source, require_distinct
from consilience.tables._stored_rows import NumberRows, ParquetRows, StoredTable, open_rows
from consilience.tables._write_label_parts import check_parts_folder, write_label_parts
from consilience.tables._write_labels import check_label_suffix

__all__ = [
    "NumberRows",
    "ParquetRows",
    "Side",
    "Source",
    "StoredTable",
    "as_text",
    "check_label_suffix",
    "check_parts_folder",
    "find_id_column",
    "index_columns",
    "is_id_name",
    "match_rows",
    "open_rows",
    "open_source",
    "read_classes",
    "read_pairs",
    "require_distinct",
    "unreadable",
    "write_label_parts",
]
