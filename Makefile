# make play    plays: installs what is missing, builds the client, opens the browser
# make test    checks everything but the page in a browser: lint, types, floors, client, tests
# make browser checks the page in a browser
# make setup   the environment for work on Caltrop, in .venv
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
BIN := .venv/bin
STAMPS := .venv/stamps
UV := $(BIN)/uv
INSTALL := $(UV) pip install --quiet --python $(BIN)/python
WORKERS ?= 2

# uv must use the Python of the environment, and never fetch one.
export UV_PYTHON_DOWNLOADS := never
# The environment is this folder's own, whatever else is active.
unexport VIRTUAL_ENV PYTHONHOME PYTHONPATH
# What Python compiles is kept: the checks start many programs, and every worker reads all tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup runtime play client test both tests browser chromium lint types floors client-check shapes \
        bench proof mutants pictures wheel twins compiler lock clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(firstword $(MAKEFILE_LIST)) | sed -E 's/:.*## /\t/' | expand -t 14

# ── environment ──────────────────────────────────────────────────────────────────────────────────────────────────────────

$(STAMPS)/uv:
	@command -v $(PYTHON) >/dev/null || { echo "make: $(PYTHON) was not found. Install Python 3.11 or later, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: Caltrop needs Python 3.11 or later, and $(PYTHON) is $$($(PYTHON) --version 2>&1). Name another: make PYTHON=python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "make: $(PYTHON) cannot make environments: its venv or ensurepip module is missing. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	@mkdir -p $(STAMPS) && touch $@

# What playing needs, and what building the client needs.
$(STAMPS)/runtime: $(STAMPS)/uv requirements.lock requirements-build.lock pyproject.toml
	@$(INSTALL) --require-hashes -r requirements.lock -r requirements-build.lock
	@CALTROP_SKIP_CLIENT=1 $(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@

# What work on Caltrop needs, on top of that: its lock holds the other two.
$(STAMPS)/dev: $(STAMPS)/uv requirements-dev.lock pyproject.toml
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@CALTROP_SKIP_CLIENT=1 $(INSTALL) --no-deps --no-build-isolation -e .
	@touch $@ $(STAMPS)/runtime

setup: $(STAMPS)/dev ## the environment for work on Caltrop

runtime: $(STAMPS)/runtime

client: $(STAMPS)/runtime ## build the browser client where its sources changed
	@$(BIN)/python hatch_build.py

# ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

play: client ## play Caltrop in the browser; ARGS="…" are passed on
	@exec $(BIN)/caltrop play $(ARGS)

# ── checking ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

test: setup client ## check everything but the page in a browser
	@$(MAKE) -j2 both

# The types take a minute of one processor: the rest begins beside them.
both: types tests

tests: lint floors client-check
	@$(BIN)/python -m pytest -n $(WORKERS) $(ARGS)

# pytest passes over folders called `web` unless one is named (pyproject.toml), and so over these tests too.
browser: setup client chromium ## the tests that drive a browser, which `make test` does not run
	@$(BIN)/python -m pytest -n $(WORKERS) tests/web $(ARGS)

lint: setup ## ruff
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types: setup ## mypy --strict
	@$(BIN)/mypy hatch_build.py conftest.py src/caltrop $(wildcard tests benchmarks examples)

floors: setup ## rooms import only from the floors below
	@$(BIN)/lint-imports --no-logo

client-check: client ## types and tests of the client
	@$(BIN)/python hatch_build.py run check
	@$(BIN)/python hatch_build.py run test

shapes: setup ## the page's types, made anew of what the server sends and reads
	@$(BIN)/python -m caltrop.server.shapes

# The browser tests drive the system's Chromium; CHROMIUM may name another.
chromium:
	@if [ -n "$${CHROMIUM:-}" ] || command -v chromium >/dev/null; then exit 0; fi; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo="sudo -n"; fi; \
	if command -v apt-get >/dev/null && { [ -z "$$sudo" ] || command -v sudo >/dev/null; }; then \
	  echo "make: chromium is not there; installing it for the browser tests" >&2; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { $$sudo apt-get update -qq && $$sudo apt-get install -qq -y --no-install-recommends chromium fonts-liberation; } >&2 </dev/null || true; \
	fi; \
	command -v chromium >/dev/null || { echo "make: the browser tests need Chromium. Install the package 'chromium', or set CHROMIUM to the program's path." >&2; exit 1; }

# ── measuring ────────────────────────────────────────────────────────────────────────────────────────────────────────────

bench: setup client chromium ## speed, against the yardstick, and whether the page's frames are still short enough
	@$(BIN)/python -m benchmarks $(ARGS)
	@$(BIN)/python -m benchmarks.bench_page --check

proof: setup ## the statistical proofs: computer players, balance, odds against games
	@$(BIN)/python -m caltrop.lab.proof $(ARGS)

mutants: setup ## do the tests notice a rule that is changed?
	@$(BIN)/python -m tests.mutants $(ARGS)

pictures: setup client chromium ## the pictures of the documentation
	@$(BIN)/python -m benchmarks.pictures $(ARGS)

# ── compiled kernels ─────────────────────────────────────────────────────────────────────────────────────────────────────

# mypyc is a part of mypy, and builds with setuptools, which Python's environments have no longer from 3.12 on.
wheel: setup client compiler ## a wheel for this system whose innermost modules are compiled, in dist
	@$(INSTALL) 'setuptools>=77,<82'
	@CALTROP_KERNELS=1 $(BIN)/hatchling build -t wheel

twins: wheel ## does the compiled wheel play the same games?
	@$(BIN)/python -m benchmarks.twins "$$(ls -t dist/*.whl | head -1)"

compiler:
	@if command -v "$${CC:-cc}" >/dev/null; then exit 0; fi; \
	sudo=; if [ "$$(id -u)" != 0 ]; then sudo="sudo -n"; fi; \
	if command -v apt-get >/dev/null && { [ -z "$$sudo" ] || command -v sudo >/dev/null; }; then \
	  echo "make: a compiler of C is not there; installing it" >&2; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { $$sudo apt-get update -qq && $$sudo apt-get install -qq -y --no-install-recommends gcc libc6-dev; } >&2 </dev/null || true; \
	fi; \
	command -v "$${CC:-cc}" >/dev/null || { echo "make: compiled kernels need a compiler of C. Install the package 'gcc', or set CC to the program's path; plain Caltrop needs none" >&2; exit 1; }

# ── upkeep ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

# The locks name versions and hashes for every platform, and no hosts. `make lock ARGS=--upgrade` moves all to the newest.
LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" $(ARGS)
lock: $(STAMPS)/uv ## resolve the dependencies of pyproject.toml again
	@$(LOCK) pyproject.toml -o requirements.lock
	@$(LOCK) pyproject.toml --extra dev --group build -c requirements.lock -o requirements-dev.lock
	@$(LOCK) --group build -c requirements-dev.lock -o requirements-build.lock

clean: ## remove everything that was made here
	@rm -rf .venv build dist src/caltrop/static src/caltrop/web/node_modules src/caltrop/web/dist \
	  .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .benchmarks test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
