"""What every experiment needs: data by name, tables beside printed ones, pictures, and a page."""

from experiments.harness._audit import (
    MOST,
    Entry,
    Found,
    Rule,
    judged,
    read_audit,
    read_earlier,
    sizes_found,
    unjudged,
    write_audit,
)
from experiments.harness._audit_page import audit_page
from experiments.harness._binary_pieces import BinaryPieces
from experiments.harness._control_charts import control_charts
from experiments.harness._data import DataNotAvailable, load, load_sets
from experiments.harness._headlines import headline, write_headlines
from experiments.harness._page import write_page
from experiments.harness._pictures import COLOURS, cloud_panels, curve_panels, save_figure
from experiments.harness._pieces import Pieces
from experiments.harness._printed import printed
from experiments.harness._quietly import quietly
from experiments.harness._result import Result
from experiments.harness._table import Table

__all__ = [
    "COLOURS",
    "MOST",
    "BinaryPieces",
    "DataNotAvailable",
    "Entry",
    "Found",
    "Pieces",
    "Result",
    "Rule",
    "Table",
    "audit_page",
    "cloud_panels",
    "control_charts",
    "curve_panels",
    "headline",
    "judged",
    "load",
    "load_sets",
    "printed",
    "quietly",
    "read_audit",
    "read_earlier",
    "save_figure",
    "sizes_found",
    "unjudged",
    "write_audit",
    "write_headlines",
    "write_page",
]
