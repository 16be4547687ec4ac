# Every target first sets up the environment it needs in .venv, with the versions in constraints.txt.
PYTHON ?= python3
INSTANCE ?= cube
BIN := .venv/bin
READY := .venv/ready
FULL := .venv/full
# A strict editable install links each file separately, so it must be repeated when files are added or removed.
SOURCES := $(shell find src encodings instances docs -type f -not -path '*/generated/*' -not -name '*.so' -not -name '*.wasm' -not -name '*.pyc' -not -path '*.egg-info*' -not -path '*/static/*' | sort)
MODULES := .venv/modules-$(shell echo '$(SOURCES)' | cksum | cut -d ' ' -f 1)
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt --config-settings editable_mode=strict
SHARED := --numprocesses auto --dist worksteal

THREE := src/jigsat/web/static/vendor/three.module.js
ENGINE := src/jigsat/backends/engine
NODE := page/node_modules/.bin
PAGE := 'src/jigsat/web/static/**/*.js' '!src/jigsat/web/static/vendor/**' 'page/*.mjs'
COMMA := ,
SEARCHES := $(filter-out $(ENGINE)/python/%.c,$(wildcard $(ENGINE)/*/*.c))
SANITIZED := $(CC) -std=c11 -Wall -Wextra -Werror -pedantic -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all

EXPORTED := $(addprefix cover_,new options size progress begun probe free) \
	$(addprefix count_,new regions result solution occurrences limbs items options memory found progress free) \
	$(addprefix fill_,new candidates words free)
WASM := clang --target=wasm32 -std=c11 -Wall -Wextra -Werror -pedantic -O3 -ffreestanding -nostdlib -msimd128 -mbulk-memory \
	-Wl,--no-entry -Wl,--strip-all -Wl,--max-memory=4294967296 -Wl,-z,stack-size=1048576 $(addprefix -Wl$(COMMA)--export=,$(EXPORTED))

# Many images set this; then every process would compile the modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help solve list explain export decode sheet serve wasm page docs docs-links browser compare bench test test-all fuzz sanitize solvers test-solvers lint format lock

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*##  */\1\t/p' $(MAKEFILE_LIST) | expand -t 14
	@echo 'INSTANCE=… is the puzzle (a name from `make list` or the path of a TOML file), ARGS=… adds options.'

$(MODULES):
	@mkdir -p .venv && rm -f .venv/modules-* && touch $@

$(READY): pyproject.toml constraints.txt $(MODULES) $(filter %.c %.h,$(SOURCES))
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo 'jigsat needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …'; exit 1; }
	@command -v $(firstword $(CC)) >/dev/null || \
		{ echo 'jigsat needs a C compiler, such as gcc (Debian: apt-get install gcc libc6-dev)'; exit 1; }
	@echo 'Setting up the environment in .venv (only once) …'
	@$(PYTHON) -m venv .venv
	@rm -rf build/__editable__*
	@$(INSTALL) -e .
	@touch $@

$(FULL): $(READY)
	@echo 'Adding the other solvers and the test tools (only once) …'
	@$(INSTALL) -e '.[dev,solvers,plots,symmetry,web,print,cluster,objects,crosswords]'
	@$(INSTALL) -e '.[counters]' || echo 'The model counters d4 and ganak do not exist for this machine.'
	@touch $@

solve: $(READY)  ## find all solutions of a puzzle: make solve INSTANCE=cube
	@$(BIN)/jigsat solve $(INSTANCE) $(ARGS)

list: $(READY)  ## list the puzzles
	@$(BIN)/jigsat list

explain: $(READY)  ## show the encoding of a puzzle: make explain INSTANCE=cube
	@$(BIN)/jigsat explain $(INSTANCE) $(ARGS)

export: $(READY)  ## write the formula for other programs: make export INSTANCE=cube OUT=cube.cnf (or .opb, .smt2, …)
	@test -n '$(OUT)' || { echo 'name the file to write: make export INSTANCE=$(INSTANCE) OUT=$(INSTANCE).cnf'; exit 2; }
	@$(BIN)/jigsat export $(INSTANCE) -o $(OUT) $(ARGS)

decode: $(READY)  ## check and draw the answer of another program: make decode INSTANCE=cube ANSWER=FILE
	@test -n '$(ANSWER)' || { echo 'name the answer: make decode INSTANCE=$(INSTANCE) ANSWER=FILE'; exit 2; }
	@$(BIN)/jigsat decode $(INSTANCE) $(ANSWER) $(ARGS)

sheet: $(READY)  ## print a puzzle: make sheet INSTANCE=cube OUT=cube.pdf
	@test -n '$(OUT)' || { echo 'name the file to write: make sheet INSTANCE=$(INSTANCE) OUT=$(INSTANCE).pdf'; exit 2; }
	@$(INSTALL) -e '.[print]'
	@$(BIN)/jigsat sheet $(INSTANCE) -o $(OUT) $(ARGS)

serve: $(READY)  ## serve the page on this machine and print its link
	@$(INSTALL) -e '.[web]'
	@test -e $(THREE) || ! command -v npm >/dev/null || $(BIN)/python page/build.py --vendor
	@$(BIN)/jigsat serve $(ARGS)

# The engine for browsers: WebAssembly without a C library. `wasm.py` lists what it calls.
$(ENGINE)/engine.wasm: $(ENGINE)/wasm.c $(wildcard $(ENGINE)/*/*.c $(ENGINE)/*/*.h)
	@$(WASM) -I$(ENGINE) $(SEARCHES) $(ENGINE)/wasm.c -o $@ || { echo 'needs clang and lld (Debian: apt-get install clang lld)'; exit 1; }

wasm: $(ENGINE)/engine.wasm  ## compile the engine for browsers, as the page needs it

page: $(FULL)  ## build the page for a static host into site/ (needs npm; clang and lld for the compiled engine)
	@if command -v wasm-ld >/dev/null; then $(MAKE) --no-print-directory wasm; else \
		echo 'Without clang and lld, the page has no compiled engine (Debian: apt-get install clang lld)'; fi
	@$(BIN)/python page/build.py

docs: $(FULL)  ## build the documentation into site/docs/
	@$(INSTALL) -e '.[docs]'
	@$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs/sphinx -d build/doctrees docs site/docs
	@echo 'site/docs/index.html is the first page'

docs-links: docs  ## check the links of the documentation to other sites (needs a network)
	@$(BIN)/sphinx-build --quiet -b linkcheck -c docs/sphinx -d build/doctrees docs build/links

browser: $(FULL)  ## install what the tests of the page need (Debian, as root, and npm)
	@apt-get install --yes --no-install-recommends chromium clang lld poppler-utils
	@$(INSTALL) -e '.[browser]'
	@$(MAKE) --no-print-directory page

compare: $(FULL)  ## compare backends on a puzzle: make compare INSTANCE=cats
	@$(BIN)/jigsat compare $(INSTANCE) $(ARGS)

bench: $(FULL)  ## measure the tables of docs/benchmarks.md: make bench, or one with ARGS=own-models
	@$(INSTALL) -e '.[bench]'
	@$(BIN)/python bench/tables.py $(ARGS)
	@$(if $(ARGS),,$(BIN)/python bench/generating.py)
	@$(if $(ARGS),,$(BIN)/python bench/export_size.py)

test: $(FULL) lint  ## lint, check types, run doctests and tests
	@$(BIN)/pytest $(SHARED) -m 'not slow' $(ARGS)

test-all: $(FULL) lint  ## the same, including slow tests
	@$(BIN)/pytest $(SHARED) $(ARGS)

N ?= 10000
SEED ?= $(shell date +%s)
fuzz: $(FULL)  ## test mutated instances, pictures, answers, ledgers and certificates, exported formulas, and threads: make fuzz N=10000
	@echo '$(N) mutations; to repeat them: make fuzz N=$(N) SEED=$(SEED)'
	@$(BIN)/pytest $(SHARED) tests/fuzz --fuzz $(N) --fuzz-seed $(SEED) $(ARGS)

sanitize:  ## test the C engine under the address and undefined-behaviour sanitizers
	@mkdir -p build
	@for variant in -UENGINE_PORTABLE -DENGINE_PORTABLE -DMOST_ENTRIES=6; do \
		for search in cover parts count dive fill scan; do \
			$(SANITIZED) $$variant -I$(ENGINE) tests/backends/engine/test_$$search.c $(SEARCHES) \
				-o build/test_$$search && build/test_$$search || exit 1; done; done

solvers: $(FULL)  ## install solvers for testing exported files (Debian, as root) and a model counter
	@apt-get install --yes --no-install-recommends minisat cadical picosat cryptominisat clasp minisat+ z3 cvc5
	@$(INSTALL) -e '.[counters]'

test-solvers: $(FULL)  ## test every instance with all of them; none may be missing
	@JIGSAT_ALL_SOLVERS=1 $(BIN)/pytest tests/backends/test_solvers.py $(ARGS)

lint: $(FULL)  ## run ruff, mypy, ESLint, Prettier and tsc, and check the syntax of the workflows
	@$(MAKE) --no-print-directory --jobs 3 --output-sync=target lint-style lint-types lint-page

.PHONY: lint-style lint-types lint-page
lint-style: $(FULL)
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check --quiet . || { echo 'formatting differs: make format'; exit 1; }
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml

lint-types: $(FULL)
	@$(BIN)/mypy src encodings bench page docs/sphinx

lint-page:
	@test -x $(NODE)/tsc || npm ci --prefix page --ignore-scripts --omit=optional --no-audit --no-fund --silent >/dev/null 2>&1 || true
	@if test -x $(NODE)/tsc; then $(NODE)/eslint --config page/eslint.config.mjs src/jigsat/web/static && node page/types.mjs && \
		{ $(NODE)/prettier --config page/prettier.json --log-level warn --check $(PAGE) || { echo 'formatting differs: make format'; exit 1; }; }; \
		else echo 'The JavaScript is not linted, because npm cannot be reached.'; fi

format: $(FULL)  ## format the code with ruff, and the JavaScript with Prettier if that is installed
	@$(BIN)/ruff format .
	@! test -x $(NODE)/prettier || $(NODE)/prettier --config page/prettier.json --log-level warn --write $(PAGE)

lock:  ## update constraints.txt to the newest versions
	@rm -rf .venv && : > constraints.txt && $(MAKE) --no-print-directory $(FULL)
	@$(INSTALL) -e '.[bench,counters,browser,docs]'
	@$(BIN)/pip freeze --exclude-editable > constraints.txt
