"""Consensus clustering: many clusterings of the same objects are combined into one.

>>> from consilience import Ensemble
>>> from consilience.consensus import IPC
>>> IPC(n_clusters=2).fit_predict(Ensemble([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]])).tolist()
[0, 0, 1, 1]
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from consilience._utils._version import __version__

if TYPE_CHECKING:
    from consilience._utils._config import get_config, set_config
    from consilience.answer import ConsensusClustering
    from consilience.ensemble import Ensemble
    from consilience.reporting import report

# Public name -> where it lives; imported on first use, so that `import consilience` stays light.
_PUBLIC = {
    "ConsensusClustering": "consilience.answer",
    "Ensemble": "consilience.ensemble",
    "report": "consilience.reporting",
    "get_config": "consilience._utils._config",
    "set_config": "consilience._utils._config",
}
_PACKAGES = (
    "answer",
    "clusterers",
    "consensus",
    "datasets",
    "diagnose",
    "exceptions",
    "extend",
    "generate",
    "graphs",
    "metrics",
    "platforms",
    "plot",
    "reporting",
    "scanpy",
    "tables",
    "testing",
    "topics",
)

__all__ = ["ConsensusClustering", "Ensemble", "__version__", "get_config", "report", "set_config"]


def __getattr__(name: str) -> Any:
    if name in _PUBLIC:
        return getattr(import_module(_PUBLIC[name]), name)
    if name in _PACKAGES:
        return import_module(f"consilience.{name}")
    raise AttributeError(f"module 'consilience' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
