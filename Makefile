# `make play` and `make test` set everything up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
VENV   := .venv
ifeq ($(OS),Windows_NT)
BIN    := $(VENV)/Scripts
else
BIN    := $(VENV)/bin
endif
READY  := $(VENV)/.playing
STAMP  := $(VENV)/.installed
LOWEST := .venv-lowest

# Tests start hundreds of programs: without their compiled modules each compiles them anew.
unexport PYTHONDONTWRITEBYTECODE

# Of `make long`: minutes of random input, and random kills.
MINUTES ?= 60
KILLS   ?= 1000

.PHONY: play test numba most check ci versions quick lowest format lint types long goldens pictures site release bench clean

play: $(READY)
	@$(BIN)/kumite

# Four at a time, also on two cores: many tests wait for a screen or a process.
test: $(STAMP)
	$(BIN)/pytest -n 4 --dist worksteal -m "not long and not numba"

# To compile the bots' loops takes minutes.
numba: $(STAMP)
	$(BIN)/pytest -n 0 -m numba --timeout=0 tests/tui/bots

# What a change breaks most often, in a minute. Left out are screens, bots, servers and all that waits.
SOON := tests/*.py tests/core/*.py $(addprefix tests/core/,games tournament) tests/store tests/cli \
  $(addprefix tests/net/,crypto replica tournament wire) tests/tui/screens/test_frames.py \
  $(addprefix tests/tui/,*.py drawing lessons look play plain scenes terminal)
most: $(STAMP)
	$(BIN)/pytest -n auto --maxprocesses 4 --dist worksteal -m "not long and not slow" $(wildcard $(SOON))

check: format lint types most

ifeq ($(OS),Windows_NT)
# It has no ssh server and no pseudo-terminal of POSIX, and mypy is told of POSIX: rules, bots, logs, screens.
ci: format lint $(STAMP)
	$(BIN)/pytest -n 4 -m "not long and not slow" tests/core tests/store tests/tui
else
ci: format lint types test numba versions
endif

# The quick part of the tests on the newest Python of this machine, and on the oldest one with the
# lowest versions of all that kumite is said to run with.
versions: $(STAMP) lowest
	@for python in $$($(BIN)/python tools/pythons.py newest); do \
		$(MAKE) quick PYTHON=$$python VENV=.venv-$$(basename $$python) || exit 1; \
	done

quick: $(STAMP)
	$(BIN)/pytest -n 4 -m "not long and not slow" tests/core tests/store tests/cli

lowest: $(LOWEST)/.installed
	$(LOWEST)/bin/pytest -n 4 -m "not long and not slow" tests/store tests/cli \
	  tests/net/crypto tests/net/transport tests/serve

# pip takes the newest; uv can take the lowest of what is named here, and wheels alone. What only
# tests need comes second, as new as it is.
$(LOWEST)/.installed: pyproject.toml | $(STAMP)
	$$($(BIN)/python tools/pythons.py oldest) -m venv $(LOWEST)
	$(LOWEST)/bin/python -m pip install --quiet --disable-pip-version-check uv
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python --resolution lowest-direct \
	  --only-binary :all: --no-binary kumite -e '.[cluster,fast,gif,serve,solver]'
	$(LOWEST)/bin/uv pip install --quiet --python $(LOWEST)/bin/python -e '.[test]'
	@touch $@

format: $(STAMP)
	$(BIN)/ruff format --check .

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy
	@$(BIN)/python tools/interfaces.py > .mypy_cache/interfaces.py
	$(BIN)/mypy .mypy_cache/interfaces.py

long: $(STAMP)
	$(BIN)/pytest -n 4 -m "long or not long" --hypothesis-profile=wide --timeout=0 \
	  --minutes=$(MINUTES) --kills=$(KILLS)

# Texts of tables and screens that were looked at; look at `git diff` after it.
goldens: $(STAMP)
	rm -rf tests/data/frames
	KUMITE_GOLDENS=write $(BIN)/pytest -n 4 -m golden tests/tui

pictures: $(STAMP)
	TEXTUAL_COLOR_SYSTEM=truecolor TERM=xterm-256color KUMITE_LOGS=$$(mktemp -d) \
	  $(BIN)/python -m kumite.tools.pictures

# A strict build: what is linked has to be there. It needs no network.
site: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'zensical>=0.0.73'
	$(BIN)/python tools/site.py

# Before a version is given away; DRY=--dry-run: at any time. FILES: where the tag's files are.
release: $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check 'build>=1.2' 'twine>=6.1'
	$(BIN)/python tools/release.py $(DRY) $(if $(FILES),--files $(FILES))

bench: $(STAMP)
	$(BIN)/kumite bench

# Installed anew when pyproject.toml changes, and only then: what playing needs, and on it what tests
# need, which is ten times as much.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "kumite needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e .
	@touch $@

$(STAMP): $(READY)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
