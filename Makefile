# `make play` and `make test` set everything up on a machine that has Python 3.11+ and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

# Of `make long`: minutes of random input, and random kills.
MINUTES ?= 60
KILLS   ?= 1000

.PHONY: play test most check ci versions quick format lint types long pictures bench clean

play: $(STAMP)
	@$(BIN)/kumite

# Four at a time, also on two cores: many tests wait for a screen or a process.
test: $(STAMP)
	$(BIN)/pytest -n 4

# What a change breaks most often. Left out are whole programs, whole matches and every size of
# every screen: eight tests of a hundred that take nearly two thirds of the time.
most: $(STAMP)
	$(BIN)/pytest -n 4 -m "not long and not slow"

check: format lint types most

ci: format lint types test versions

# The quick part of the tests on the oldest and the newest Python of this machine.
versions: $(STAMP)
	@for python in $$($(BIN)/python tools/pythons.py); do \
		$(MAKE) quick PYTHON=$$python VENV=.venv-$$(basename $$python) || exit 1; \
	done

quick: $(STAMP)
	$(BIN)/pytest -n 4 tests/core tests/store tests/cli

format: $(STAMP)
	$(BIN)/ruff format --check .

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

long: $(STAMP)
	$(BIN)/pytest -n 4 -m "long or not long" --hypothesis-profile=wide \
	  --minutes=$(MINUTES) --kills=$(KILLS)

pictures: $(STAMP)
	TEXTUAL_COLOR_SYSTEM=truecolor TERM=xterm-256color KUMITE_LOGS=$$(mktemp -d) \
	  $(BIN)/python -m kumite.tools.pictures
	$(BIN)/python -m kumite.tools.sprite_sheets

bench: $(STAMP)
	$(BIN)/kumite bench

# Installed anew when pyproject.toml changes, and only then.
$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "kumite needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) .venv-* .mypy_cache .pytest_cache .ruff_cache .hypothesis build dist
