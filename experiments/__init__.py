"""The five papers, re-run: `python -m experiments --help`, and README.md beside this file."""
