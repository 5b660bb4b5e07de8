"""From a result to one HTML file: summarise, render, show."""

from consilience.reporting._report import Report, report, summarise

__all__ = ["Report", "report", "summarise"]
