# Nilepost in two commands: `make play` and `make test`. `make help` lists the rest.
# Needs Python 3.11+, make and git; everything else is installed into .venv.

VENV    ?= .venv
PORT    ?= 8000
ARGS    ?=
WORKERS ?= 2

PY      := $(VENV)/bin/python
PIP     := PIP_DISABLE_PIP_VERSION_CHECK=1 $(PY) -m pip
APT     := chromium-headless-shell libatomic1 fonts-dejavu-core
LOCK    := .uv/bin/uv pip compile -q --universal --python-version 3.11 --generate-hashes \
           --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"
SKIPS   := var/skipped-tests.txt
PYTEST  := SKIPS_FILE=$(SKIPS) $(PY) -m pytest -q -rs --durations=5 --durations-min=5
# pytest answers 5 when a marker selects no test at all.
NONE_OK := || [ $$? -eq 5 ]

.DEFAULT_GOAL := help
.PHONY: help play test check lint quick-tests all-tests speed-tests service-tests browser-tests \
        coverage simulation bench goldens messages arena lock system clean

help:  ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

# --- the two of the README ---------------------------------------------------------------------

play: $(VENV)/.runtime  ## run the site on this machine (PORT=8000); Ctrl-C stops it
	@exec $(PY) manage.py play --port $(PORT) $(ARGS)

test: $(VENV)/.dev system  ## all checks and tests: SQLite, PostgreSQL + Redis, Chromium
	@mkdir -p var && rm -f $(SKIPS)
	@$(MAKE) --no-print-directory lint all-tests speed-tests service-tests browser-tests
	@if [ -s $(SKIPS) ]; then echo "Skipped, for want of what they need:"; sort -u $(SKIPS); fi

# --- parts of it -------------------------------------------------------------------------------

check: $(VENV)/.dev  ## the fast part of the tests, under two minutes: lint beside the tests
	@$(MAKE) --no-print-directory -j2 lint quick-tests

lint: $(VENV)/.dev  ## format, lint, templates, types, import contracts, migrations
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	$(VENV)/bin/djlint templates --lint --quiet
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	$(PY) manage.py check
	$(PY) manage.py makemigrations --check --dry-run

# A file stays with one worker: what its tests share is made once.
quick-tests: $(VENV)/.dev
	$(PYTEST) -n $(WORKERS) --dist loadfile -m "not services and not browser and not speed and not slow" $(ARGS)

all-tests: $(VENV)/.dev
	$(PYTEST) -n $(WORKERS) -m "not services and not browser and not speed" $(ARGS)

speed-tests: $(VENV)/.dev
	$(PYTEST) -p no:randomly -m "speed and not services and not browser" $(ARGS) $(NONE_OK)

# The site's own tests once more on PostgreSQL, with those that need PostgreSQL or Redis.
service-tests: $(VENV)/.dev
	TEST_DB=postgres $(PYTEST) -n $(WORKERS) -m "not browser and not speed and (services or not slow)" tests/accounts tests/site $(ARGS)

# A browser waits more than it works: twice as many at a time.
browser-tests: $(VENV)/.dev
	$(PYTEST) -n $$((2 * $(WORKERS))) -m browser $(ARGS) $(NONE_OK)

coverage: $(VENV)/.dev  ## which lines of the rules no test reaches
	$(PYTEST) -n $(WORKERS) -m "not services and not browser and not speed" --cov --cov-report=term $(ARGS)

# Best effort and only as root on Debian: without it the browser tests are skipped with a reason.
system:
	@if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ -z "$$NO_APT" ] && \
	   ! dpkg -s $(APT) >/dev/null 2>&1; then \
	  echo "Installing $(APT) ..."; \
	  { apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
	    apt-get install -y -qq --no-install-recommends $(APT); } >/dev/null 2>&1 || \
	    echo "apt-get failed: the browser tests may be skipped."; \
	fi

# --- for developers ----------------------------------------------------------------------------

simulation: $(VENV)/.dev  ## four weeks of 200 matches, workers and broker killed: some minutes
	TEST_DB=postgres SIMULATED_MATCHES=200 SIMULATED_DAYS=28 $(PYTEST) -n 0 -s tests/site/test_long_simulation.py $(ARGS)

bench: $(VENV)/.dev  ## measure speed beside other engines, write docs/benchmarks.md
	$(PY) -m bench $(ARGS)

goldens: $(VENV)/.dev  ## play the golden playthroughs anew; review the difference
	$(PY) -m tests.goldens $(ARGS)

messages: $(VENV)/.dev  ## collect the texts into the .po files
	$(PY) manage.py update_po

arena: $(VENV)/.dev  ## bots against bots (ARGS="obelisk --games 200")
	$(PY) manage.py arena $(ARGS)

lock:  ## pin the requirements again after a change of requirements*.in
	@[ -x .uv/bin/uv ] || { python3 -m venv .uv && .uv/bin/pip install -q uv; }
	$(LOCK) requirements.in -o requirements.txt
	$(LOCK) requirements-dev.in -o requirements-dev.txt
	$(LOCK) bench/peers/catanatron.in -o bench/peers/catanatron.txt
	$(LOCK) bench/peers/openspiel.in -o bench/peers/openspiel.txt

clean:  ## remove what make made, except your matches in var/
	rm -rf $(VENV) .venv-bench .uv .mypy_cache .ruff_cache .import_linter_cache .hypothesis var/static
	find . -name __pycache__ -prune -exec rm -rf {} +

# --- the virtual environment -------------------------------------------------------------------

# An interrupted or broken environment is made anew; a working one only gets what changed.
$(VENV)/.runtime: requirements.txt
	@$(PY) -c '' 2>/dev/null || { \
	  for python in python3.11 python3.12 python3.13 python3 python3.14; do \
	    $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; \
	    python=; \
	  done; \
	  [ -n "$$python" ] || { echo "Nilepost needs Python 3.11 or newer: install it and try again." >&2; exit 1; }; \
	  $$python -c 'import ensurepip, venv' 2>/dev/null || { \
	    echo "$$python has no venv module: install it (Debian, Ubuntu: apt-get install python3-venv)." >&2; exit 1; }; \
	  echo "Creating $(VENV) with $$($$python --version) ..."; \
	  $$python -m venv --clear $(VENV); }
	@echo "Installing the requirements (once, about half a minute) ..."
	@$(PIP) install -q --require-hashes -r requirements.txt
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.runtime
	@echo "Installing the development requirements (once, about half a minute) ..."
	@$(PIP) install -q --require-hashes -r requirements-dev.txt
	@touch $@
