"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.diagnose._examined_views import ALPHA
from consilience.diagnose._k_doubts import doubts_about_k
from consilience.diagnose._k_views import scaled_rows
from consilience.diagnose._members import hard_view, member_agreement
from consilience.diagnose._separation import Separation, is_separated, separation_of

__all__ = [
    "ALPHA",
    "Separation",
    "doubts_about_k",
    "hard_view",
    "is_separated",
    "member_agreement",
    "scaled_rows",
    "separation_of",
]
