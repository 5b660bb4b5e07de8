"""The version: written here and nowhere else in the package."""

__version__ = "0.1.0.dev0"
