# The only way anything is run here: newcomers, the README and CI use the same lines.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test browser lint format docs linkcheck reproduce bench peers quality clean help

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(READY)  ## cluster real data thirty times, combine, say how far to trust it, and write a report
	$(BIN)/consilience demo --force

# In CI the browser is not optional: its tests fail there instead of being skipped.
test: $(READY) $(if $(CI),browser)  ## every test, then the kernel tests once more as plain Python
	$(BIN)/python -m pytest -q -n 2
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -p no:cacheprovider tests/kernels

browser: $(READY)  ## get what opens the report in the tests: Debian's Chromium, playwright, axe
	command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq chromium; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check playwright axe-playwright-python

lint: $(READY)  ## style, types, the import contract and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/codespell

format: $(READY)  ## let ruff rewrite the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## the documentation: warnings are errors, every example is run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/sphinx-build -W --keep-going -b html docs build/docs
	$(BIN)/python -m pytest -q docs README.md tests/docs

linkcheck: $(READY)  ## external links of the documentation
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/sphinx-build -b linkcheck docs build/linkcheck

reproduce: $(READY)  ## the five papers, re-run: PAPER=key for one, FULL=1 for the full protocol
	$(BIN)/python -m experiments $(if $(PAPER),--paper $(PAPER)) $(if $(FULL),--full)

bench: $(READY)  ## the table of benchmarks/README.md
	$(BIN)/python benchmarks/table.py

peers: $(READY)  ## beside every package that can be installed: time, memory, agreement
	$(BIN)/python -m benchmarks.peers

quality: $(READY)  ## how good the answers are on labelled sets, and how often "auto" is right: PART=name for one
	$(BIN)/python -m benchmarks.quality $(PART) $(if $(OUT),--out $(OUT))
	$(if $(PART),,$(BIN)/python -m benchmarks.choice_of_k planted)

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
