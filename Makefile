# Every target makes its own environment first: .venv, pinned by constraints.txt.
PYTHON ?= python3
INSTANCE ?= cube
BIN := .venv/bin
READY := .venv/ready
FULL := .venv/full
# An editable install in strict mode links each file by itself, so it is renewed when a file was added or removed.
SOURCES := $(shell find src encodings instances -type f -not -name '*.so' -not -name '*.pyc' -not -path '*.egg-info*' | sort)
MODULES := .venv/modules-$(shell echo '$(SOURCES)' | cksum | cut -d ' ' -f 1)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --config-settings editable_mode=strict
SHARED := --numprocesses auto --dist worksteal

ENGINE := src/jigsat/backends/engine
SANITIZED := $(CC) -std=c11 -Wall -Wextra -Werror -pedantic -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

.DEFAULT_GOAL := help
.PHONY: help solve list explain export decode compare bench test test-all fuzz sanitize solvers test-solvers lint format lock

help:  ## what there is to make
	@sed -n 's/^\([a-z-]*\):.*##  */\1\t/p' $(MAKEFILE_LIST) | expand -t 14
	@echo 'INSTANCE=… names the puzzle (a name of `make list` or the path of a TOML file), ARGS=… adds options.'

$(MODULES):
	@mkdir -p .venv && rm -f .venv/modules-* && touch $@

$(READY): pyproject.toml constraints.txt $(MODULES) $(filter %.c %.h,$(SOURCES))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'jigsat needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …'; exit 1; }
	@echo 'Making the environment in .venv (once) …'
	@$(PYTHON) -m venv .venv
	@rm -rf build/__editable__*
	@$(INSTALL) -e .
	@touch $@

$(FULL): $(READY)
	@echo 'Adding the other solvers and what the tests want (once) …'
	@$(INSTALL) -e '.[dev,solvers,plots,symmetry]'
	@touch $@

solve: $(READY)  ## all solutions of a puzzle: make solve INSTANCE=cube
	@$(BIN)/jigsat solve $(INSTANCE) $(ARGS)

list: $(READY)  ## the puzzles there are
	@$(BIN)/jigsat list

explain: $(READY)  ## how a puzzle is encoded: make explain INSTANCE=cube
	@$(BIN)/jigsat explain $(INSTANCE) $(ARGS)

export: $(READY)  ## the formula for other programs: make export INSTANCE=cube OUT=cube.cnf (or .opb, .smt2, …)
	@test -n '$(OUT)' || { echo 'name the file to write: make export INSTANCE=$(INSTANCE) OUT=$(INSTANCE).cnf'; exit 2; }
	@$(BIN)/jigsat export $(INSTANCE) -o $(OUT) $(ARGS)

decode: $(READY)  ## the answer of such a program, checked and drawn: make decode INSTANCE=cube ANSWER=FILE
	@test -n '$(ANSWER)' || { echo 'name the answer: make decode INSTANCE=$(INSTANCE) ANSWER=FILE'; exit 2; }
	@$(BIN)/jigsat decode $(INSTANCE) $(ANSWER) $(ARGS)

compare: $(FULL)  ## backends side by side on a puzzle: make compare INSTANCE=cats
	@$(BIN)/jigsat compare $(INSTANCE) $(ARGS)

bench: $(FULL)  ## the benchmark: jigsat beside what one would use instead
	@$(BIN)/python bench/bench.py $(ARGS)
	@$(BIN)/python bench/generating.py $(ARGS)
	@$(BIN)/python bench/export_size.py

test: $(FULL) lint  ## lint, types, doctests and tests
	@$(BIN)/pytest $(SHARED) -m 'not slow' $(ARGS)

test-all: $(FULL) lint  ## the same with the slow tests
	@$(BIN)/pytest $(SHARED) $(ARGS)

N ?= 10000
SEED ?= $(shell date +%s)
fuzz: $(FULL)  ## mutated instances, answers, stores and certificates: make fuzz N=10000
	@echo '$(N) mutations; the same ones again: make fuzz N=$(N) SEED=$(SEED)'
	@$(BIN)/pytest $(SHARED) tests/fuzz --fuzz $(N) --fuzz-seed $(SEED) $(ARGS)

sanitize:  ## the C of the engine by itself, under address and undefined-behaviour sanitizers
	@mkdir -p build
	@for intrinsics in -UENGINE_PORTABLE -DENGINE_PORTABLE; do \
		for search in cover count; do \
			$(SANITIZED) $$intrinsics -I$(ENGINE) tests/backends/engine/test_$$search.c $(ENGINE)/problem.c $(ENGINE)/$$search.c \
				-o build/test_$$search && build/test_$$search || exit 1; done; done

solvers: $(FULL)  ## install the programs that exported files are tried with (Debian, as root) and a model counter
	@apt-get install --yes --no-install-recommends minisat cadical picosat cryptominisat clasp minisat+ z3 cvc5
	@$(INSTALL) -e '.[counters]'

test-solvers: $(FULL)  ## every instance through all of them, none skipped
	@JIGSAT_ALL_SOLVERS=1 $(BIN)/pytest tests/backends/test_solvers.py $(ARGS)

lint: $(FULL)  ## ruff, mypy and the syntax of the workflows
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo 'formatting differs: make format'; exit 1; }
	@$(BIN)/mypy src encodings bench
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml

format: $(FULL)  ## rewrite the files as ruff formats them
	@$(BIN)/ruff format .

lock:  ## renew constraints.txt with the newest versions
	@rm -rf .venv && : > constraints.txt && $(MAKE) --no-print-directory $(FULL)
	@$(INSTALL) -e '.[counters]'
	@$(BIN)/pip freeze --exclude-editable > constraints.txt
