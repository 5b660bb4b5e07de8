"""What every experiment needs: data by name, tables beside printed ones, pictures, and a page."""

from experiments.harness._audit import (
    Entry,
    claims_of,
    read_audit,
    sets_entry,
    share_verdict,
    write_audit,
)
from experiments.harness._audit_page import audit_page
from experiments.harness._control_charts import control_charts
from experiments.harness._data import DataNotAvailable, load, load_sets
from experiments.harness._page import write_page
from experiments.harness._pictures import COLOURS, cloud_panels, curve_panels, save_figure
from experiments.harness._pieces import Pieces
from experiments.harness._printed import printed
from experiments.harness._quietly import quietly
from experiments.harness._result import Claim, Result, verdict
from experiments.harness._table import Table

__all__ = [
    "COLOURS",
    "Claim",
    "DataNotAvailable",
    "Entry",
    "Pieces",
    "Result",
    "Table",
    "audit_page",
    "claims_of",
    "cloud_panels",
    "control_charts",
    "curve_panels",
    "load",
    "load_sets",
    "printed",
    "quietly",
    "read_audit",
    "save_figure",
    "sets_entry",
    "share_verdict",
    "verdict",
    "write_audit",
    "write_page",
]
