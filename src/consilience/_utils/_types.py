"""Types that the whole library uses."""

from typing import Any

import numpy as np

# An array of any shape and type; docstrings say which.
Array = np.ndarray[Any, Any]
