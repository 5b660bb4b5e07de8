"""What other parts of the library use of this one. Users should not import it: it may change."""

from consilience.diagnose._members import hard_view, member_agreement

__all__ = ["hard_view", "member_agreement"]
