"""The probability that data have clusters at all.

Where there are clusters, the best answer pays little of what it gains for its borders. In data without
clusters, kinds of clustering agree too, but on cuts through the inside of one cluster, and these cost
nearly all of the gain. The share that is paid is the only evidence. `benchmarks/judge/probability.py`
turns it into a probability, by data with and without clusters, and shows how reliable it is.
"""

import numpy as np

from consilience.answer import _settings as settings
from consilience.answer._score import Scored

# A smaller gain is none.
_LEAST_GAIN = 0.02


def probability_of_clusters(answer: Scored, n_rows: int) -> float:
    """Return the probability that there are clusters, from the best answer with some number of them.

    Of very few rows it is never enough to be sure.
    """
    constant, slope = settings.LOG_ODDS
    odds = constant - slope * answer.cost / max(answer.gain, _LEAST_GAIN)
    probability = float(1 / (1 + np.exp(-np.clip(odds, -30, 30))))
    # Less than what is needed to be sure.
    most = np.nextafter(settings.UNSURE[1], 0)
    return probability if n_rows >= settings.FEW_ROWS else min(probability, float(most))
