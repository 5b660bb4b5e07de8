"""From a result to one HTML file: summarise, render, show."""

from consilience.reporting._report import Report, report
from consilience.reporting._summarise import summarise

__all__ = ["Report", "report", "summarise"]
