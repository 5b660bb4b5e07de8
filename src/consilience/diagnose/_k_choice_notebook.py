"""A choice of the number of clusters as a notebook shows it."""

import math
from typing import TYPE_CHECKING

from consilience._utils._notebook import Table, notebook_summary

if TYPE_CHECKING:
    from consilience.diagnose._k_choice import KChoice, KRow

_SHOWN = 8


def k_choice_html(choice: "KChoice") -> str:
    """Return the answer, the reason, and the candidates with the best scores."""
    best = sorted(choice.table, key=lambda row: -row.score)[:_SHOWN]
    which = "those with the best scores"
    if choice.chosen is not None and choice.chosen not in best:
        best[-1] = choice.chosen
        which += " and the chosen one"
    rows = [_cells(row, choice) for row in sorted(best, key=lambda row: row.n_clusters)]
    caption = "Candidates"
    if len(best) < len(choice.table):
        caption = f"{len(best)} of {len(choice.table)} candidates, {which}"
    table = Table(caption, ["clusters", "score", "agreement", "support", "weakest border"], rows)
    sentence = choice.sentence.removeprefix(f"{choice.headline}: ")
    sentence = sentence[:1].upper() + sentence[1:]
    left_out = [f"Left out: {view}" for view in choice.left_out]
    return notebook_summary(choice.headline, [sentence, *left_out], table=table)


def _cells(row: "KRow", choice: "KChoice") -> list[str]:
    name = (
        f"{row.n_clusters} (chosen)" if row.n_clusters == choice.n_clusters else f"{row.n_clusters}"
    )
    border = "not tested"
    if math.isfinite(row.seam):
        border = "p < 0.0001" if row.seam < 1e-4 else f"p = {row.seam:.2g}"
    return [name, f"{row.score:.2f}", f"{row.agreement:.2f}", f"{row.support:.2f}", border]
