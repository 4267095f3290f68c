# make play      plays: installs what is missing, builds the client, opens the browser
# make check     lint, plain English, types and imports: under a minute, before each commit
# make test      make check, the client's tests and the tests of Python: minutes, before a change is sent
# make test-all  make test with nothing left out, the page in a browser, compiled modules, PostgreSQL
# make setup     the environment for work on Caltrop, in .venv
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

.PHONY: help setup runtime play client check lint plain types imports test client-check test-all test-browser chromium \
        generated docs bench statistics mutants pictures questions known wheel twins lock clean

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

check: lint plain types imports ## lint, plain English, types and imports

lint: setup ## ruff: style, and how lines are laid out
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

plain: setup ## names and prose: the rules of docs/plain-english.md
	@$(BIN)/python -m tests.plain
	@$(BIN)/python -m pytest -qq -n 0 tests/architecture/test_words.py

types: setup ## mypy --strict
	@$(BIN)/mypy hatch_build.py conftest.py src/caltrop $(wildcard tests benchmarks examples tools/expand/*.py)

imports: setup ## rooms import only from the floors below
	@$(BIN)/lint-imports --no-logo

client-check: client ## layout, lint, types and tests of the client
	@$(BIN)/python hatch_build.py run --silent lint
	@$(BIN)/python hatch_build.py run check
	@$(BIN)/python hatch_build.py run test

# The checks that use one processor go side by side; the tests of Python have all of them afterwards.
test: setup client ## make check, the client's tests and the tests of Python; ARGS are handed to pytest
	@$(MAKE) -j2 check client-check
	@$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

# TEST_ALL=1 leaves nothing out of the series of which `make test` takes a share (tests/tiers.py).
test-all: setup client ## make test with nothing left out, the page in a browser, compiled modules, PostgreSQL
	@TEST_ALL=1 $(MAKE) test
	@$(MAKE) test-browser
	@$(MAKE) twins

# pytest passes over folders called `web` unless one is named (pyproject.toml), and so over these tests too.
test-browser: setup client chromium ## the tests that drive a browser
	@$(BIN)/python -m pytest -n $(WORKERS) tests/web $(ARGS)

generated: setup client ## update what is made from the code: stored names, conformance pages, types and messages of the wire, sentences
	@$(BIN)/python -m tests.corpus.names
	@$(BIN)/python -m caltrop.lab.conformance
	@$(BIN)/python -m caltrop.server.shapes
	@$(BIN)/python docs/wire_reference.py
	@$(BIN)/python -m tests.languages.catalogs

docs: setup ## build the documentation as a site, with its reference
	@$(BIN)/python docs/build_site.py

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

statistics: setup ## who wins: computer players, balance of scenarios, odds against games played
	@$(BIN)/python -m caltrop.lab.proof $(ARGS)

mutants: setup ## do the tests notice a rule that is changed?
	@$(BIN)/python -m tests.mutants $(ARGS)

questions: setup client chromium ## a picture of every question of every game, in pictures/questions; tells what is cut
	@$(BIN)/python -m benchmarks.questions $(ARGS)

pictures: setup client chromium ## the pictures of the documentation
	@$(BIN)/python -m benchmarks.pictures $(ARGS)
	@$(BIN)/python -m benchmarks.film

# ── what is shipped ──────────────────────────────────────────────────────────────────────────────────────────────────────

known: setup ## work out the odds that games begin with, where the rules have changed; before a release, minutes
	@$(BIN)/caltrop known --fill

# ── compiled rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

# mypyc is a part of mypy, and builds with setuptools, which Python's environments have no longer from 3.12 on.
# COMPILED=GAME,… names the games whose rules are compiled; without it, all that can be.
COMPILED ?= 1
wheel: setup client known ## a wheel for this system with compiled rules and the odds that games begin with, in dist
	@command -v "$${CC:-cc}" >/dev/null || { echo "make: compiled modules need a compiler of C. Install the package 'gcc', or set CC to the program's path; Caltrop itself needs none" >&2; exit 1; }
	@$(INSTALL) 'setuptools>=77,<82'
	@CALTROP_COMPILED=$(COMPILED) $(BIN)/hatchling build -t wheel

twins: wheel ## does the compiled wheel play the same games, and pass the same tests? TWINS="--games 6 --no-tests" is a share
	@$(BIN)/python -m benchmarks.twins "$$(ls -t dist/*.whl | head -1)" $(TWINS)

# ── upkeep ───────────────────────────────────────────────────────────────────────────────────────────────────────────────

# The locks name versions and hashes for every platform, and no hosts. `make lock ARGS=--upgrade` moves all to the newest.
LOCK = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --custom-compile-command "make lock" $(ARGS)
lock: $(STAMPS)/uv ## resolve the dependencies of pyproject.toml again
	@$(LOCK) pyproject.toml -o requirements.lock
	@$(LOCK) pyproject.toml --extra dev --group build -c requirements.lock -o requirements-dev.lock
	@$(LOCK) --group build -c requirements-dev.lock -o requirements-build.lock
	@echo msgspec | $(LOCK) --no-deps --no-annotate - -o src/caltrop/web/python.lock

clean: ## remove everything that was made here
	@rm -rf .venv build dist src/caltrop/static src/caltrop/known src/caltrop/web/node_modules src/caltrop/web/dist \
	  .mypy_cache .ruff_cache .import_linter_cache .pytest_cache .hypothesis .benchmarks test-results
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
