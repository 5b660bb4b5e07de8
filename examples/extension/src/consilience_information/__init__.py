"""A consensus function that the command and the library find by its entry point."""

from consilience_information._maximum_information import MaximumInformation

__all__ = ["MaximumInformation"]
