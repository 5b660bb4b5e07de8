"""Run the full protocol, and write audit.csv and results/full: python -m experiments.fern2004.audit."""

from experiments.fern2004.protocol import examine
from experiments.harness import keep_audit

if __name__ == "__main__":
    keep_audit("fern2004", examine)
