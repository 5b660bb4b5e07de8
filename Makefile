# The only way anything is run here: newcomers, the README and CI use the same lines.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test browser bertopic r rpackages elsewhere lowest prereleases package coverage mutants lint format docs linkcheck \
	paper reproduce bench peers quality referee clean help

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	@touch $@

demo: $(READY)  ## cluster real data thirty times, combine, say how far to trust it, and write a report
	$(BIN)/consilience demo --force

# In CI the browser, BERTopic and R are not optional: their tests fail there instead of being skipped.
test: $(READY) $(if $(CI),browser bertopic rpackages)  ## every test, the README and tests/docs too, then the kernel tests once more as plain Python
	.ci/run_tests $(BIN)/python
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -q -p no:cacheprovider tests/kernels

browser: $(READY)  ## get what opens the report in the tests: Debian's Chromium, playwright, axe
	command -v chromium > /dev/null || { apt-get update -qq && apt-get install -y -qq chromium; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check playwright axe-playwright-python

# Without its dependencies: sentence-transformers brings PyTorch, and the tests have their own embeddings.
bertopic: $(READY)  ## get BERTopic for the tests, without language models
	$(BIN)/python -m pip install --quiet --disable-pip-version-check tqdm pyyaml hdbscan
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "bertopic>=0.17"

r: $(READY) rpackages  ## get R and ConsensusClusterPlus from Debian, and run the tests of the R package
	$(BIN)/python -m pytest -q -p no:cacheprovider tests/r

rpackages:
	Rscript -e 'library(reticulate); library(testthat); library(ConsensusClusterPlus)' > /dev/null 2>&1 || { \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends \
		r-base-core r-cran-reticulate r-cran-testthat r-bioc-consensusclusterplus; }

# What other systems do: processes that start afresh, folders with odd names, pipes in another code page.
elsewhere: $(READY)  ## part of the tests as on other systems: spawn, odd folders, no Unicode on the console
	mkdir -p "build/a folder with späces 数"
	CONSILIENCE_START_METHOD=spawn PYTHONIOENCODING=cp1252 TMPDIR="$(CURDIR)/build/a folder with späces 数" \
		$(BIN)/python -m pytest -q -n 2 -p no:cacheprovider \
		tests/cli tests/tables tests/generate tests/ensemble tests/reporting tests/dask tests/utils

lowest:  ## part of the tests with the lowest versions of all dependencies that pyproject.toml allows
	$(PYTHON) -m venv --clear build/lowest
	build/lowest/bin/python -m pip install --quiet --disable-pip-version-check uv
	build/lowest/bin/uv pip install --quiet --python build/lowest --resolution lowest-direct \
		--requirements pyproject.toml --extra testing --extra plot --extra dask --extra metis --extra hypergraph "pandas>=2.2" "polars>=1.0"
	build/lowest/bin/uv pip install --quiet --python build/lowest --no-deps .
	build/lowest/bin/python -c "import consilience, sys; sys.exit('/src/' in consilience.__file__)"
	build/lowest/bin/python .ci/check_install.py
	build/lowest/bin/python -m pytest -q -p no:cacheprovider -W default \
		tests/kernels tests/incidence tests/ensemble tests/consensus tests/plot

prereleases:  ## every test with pre-releases of all dependencies
	$(PYTHON) -m venv --clear build/prereleases
	build/prereleases/bin/python -m pip install --quiet --disable-pip-version-check --pre --editable ".[dev]" tqdm pyyaml hdbscan
	build/prereleases/bin/python -m pip install --quiet --disable-pip-version-check --no-deps "bertopic>=0.17"
	build/prereleases/bin/python -m pytest -q -n 2 -p no:cacheprovider --ignore=tests/browser --ignore=tests/r

package: $(READY)  ## sdist and wheel in dist/; the wheel must work alone in an empty environment
	$(BIN)/python -m pip install --quiet --disable-pip-version-check build twine
	rm -rf dist && $(BIN)/python -m build --outdir dist
	$(BIN)/python -m twine check --strict dist/*
	$(PYTHON) -m venv --clear build/alone
	build/alone/bin/python -m pip install --quiet --disable-pip-version-check dist/*.whl
	build/alone/bin/python .ci/check_install.py

coverage: $(READY)  ## lines that no test runs, per package; a few minutes more than make test
	$(BIN)/python benchmarks/mutants.py cover
	$(BIN)/python benchmarks/mutants.py lines

mutants: $(READY)  ## do the tests notice wrong code? SEEDS=0:60, after make coverage
	$(BIN)/python benchmarks/mutants.py run --seeds $(or $(SEEDS),0:60)
	$(BIN)/python benchmarks/mutants.py report

lint: $(READY)  ## style, types, the import contract and spelling
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python .ci/check_packages.py
	$(BIN)/codespell

format: $(READY)  ## list new consensus functions, and let ruff rewrite the code
	$(BIN)/python .ci/write_exports.py
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: $(READY)  ## the documentation: warnings are errors, the examples of its pages are run
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/sphinx-build -W --keep-going -b html docs build/docs
	$(BIN)/python -m pytest -q -n 2 -p no:cacheprovider docs

linkcheck: $(READY)  ## external links of the documentation
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	$(BIN)/sphinx-build -b linkcheck docs build/linkcheck

paper: $(READY)  ## the figures of the paper, from the tables of the benchmarks
	$(BIN)/python paper/figures.py

reproduce: $(READY)  ## the five papers, re-run: PAPER=key for one, FULL=1 for the full protocol
	$(BIN)/python -m experiments $(if $(PAPER),--paper $(PAPER)) $(if $(FULL),--full)

bench: $(READY)  ## the speed of the functions, benchmarks/README.md
	$(BIN)/python benchmarks/table.py

peers: $(READY)  ## beside every package that can be installed: time, memory, agreement
	$(BIN)/python -m benchmarks.peers

quality: $(READY)  ## how good the answers are on labelled sets, and how often "auto" is right: PART=name for one
	$(BIN)/python -m benchmarks.quality $(PART) $(if $(OUT),--out $(OUT))
	$(if $(PART),,$(BIN)/python -m benchmarks.judge.measure $(or $(OUT),build/quality)/judge.csv --suites made --seeds 1)

referee: $(READY)  ## the public benchmark: DATA=folder of its batteries, LABELS=published labels or scores; without DATA, how to get them
	$(BIN)/python -m benchmarks.referee $(or $(DATA),--help) $(if $(LABELS),--published $(LABELS)) $(if $(OUT),--out $(OUT))

clean:  ## remove the environment and all caches
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
