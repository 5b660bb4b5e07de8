# The only way anything is run here: newcomers, the README and CI use the same lines.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test lint format bench clean help

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(READY)  ## combine fifty clusterings of real data and say how far to trust the result
	$(BIN)/python examples/combine_digits.py

test: $(READY)  ## every test, then the kernel tests once more as plain Python
	$(BIN)/python -m pytest -q -n 2
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -p no:cacheprovider tests/kernels

lint: $(READY)  ## style, types, the import contract and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell

format: $(READY)  ## let ruff rewrite the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(READY)  ## the table of benchmarks/README.md
	$(BIN)/python benchmarks/table.py

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
