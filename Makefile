# Everything is built into .venv; the command is .venv/bin/nevsky.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := setup.py pyproject.toml $(shell find src -name "*.pxd" -o -name "*.pyx") $(patsubst %.pxd,%.py,$(shell find src -name "*.pxd"))

WEB := src/nevsky/server/static/index.html
WEB_SOURCES := $(shell find web -type f -not -path '*/node_modules/*' -not -name '*.md' 2>/dev/null) $(wildcard src/nevsky/texts/languages.csv $(foreach name,cards pages web,src/nevsky/texts/*/$(name).csv))
DOCS := src/nevsky/server/documentation/site/index.html
DOCS_SOURCES := README.md CHANGELOG.md CONTRIBUTING.md bench/RESULTS.md benchmarks/nevsky-1/README.md tools/documentation.py tools/docstring_examples.py $(wildcard docs/* docs/*/* src/nevsky/texts/*/rules.md src/nevsky/*.py src/nevsky/*/*.py)
NODE_FOUND := node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null && command -v npm >/dev/null

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where nothing that was compiled may be kept, every worker would prepare all tests anew.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: help play dist release groundwork machine collect test test-py test-lowest test-long test-browser test-web screenshots icons chromium compiler engines bench build web docs lint format pxd lock golden clean

help:  ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

play: $(VENV)/.built $(WEB)  ## set everything up and start the game in the browser
	$(BIN)/nevsky serve --open

# Two for each core, as half of the tests wait most of their time (tests/conftest.py).
WORKERS := $(shell cores=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((cores < 4 ? 2 * cores : 8)))

# Side by side what does not need each other. All that pip installs is one chain, as two of them may not run in one place, and so is
# all of apt: what may come from either for the others comes before.
test: compiler $(VENV)/bin/python $(VENV)/.node  ## set everything up and run all tests
	@$(MAKE) --no-print-directory -j 4 groundwork
	@$(MAKE) --no-print-directory -j 3 lint test-web docs collect
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope --timeout 600 -m "not long" || $(ALONE)

groundwork: machine $(VENV)/.docs $(VENV)/.compiled $(WEB)
	@:

machine:
	@$(MAKE) --no-print-directory chromium
	@$(MAKE) --no-print-directory engines

collect: $(VENV)/.dev $(VENV)/.built
	@$(BIN)/python -m pytest -q --collect-only -m "not long" | tail -1

test-py: $(VENV)/.dev $(VENV)/.built $(WEB) lint  ## all tests but those of the web app and in the browser
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadscope --timeout 600 -m "not long and not browser"

LOWEST := tests/arena tests/bots tests/cli tests/datasets tests/envs tests/terminal tests/texts tests/test_record.py tests/server/notices tests/server/profiles \
	$(addprefix tests/server/test_,$(addsuffix .py,compression connections frames http metrics patches play postgres redis_link secrecy storage))

test-lowest: engines $(VENV)/.dev $(VENV)/.built $(WEB)  ## the tests that use other libraries, with the oldest versions that the package accepts
	$(BIN)/pip install -q uv
	$(BIN)/uv venv -q --clear --python $(BIN)/python .venv-lowest
	VIRTUAL_ENV=.venv-lowest $(BIN)/uv pip install -q --resolution lowest-direct -e ".[data,envs,openspiel,server]" -r requirements/tests.in
	.venv-lowest/bin/python -m pytest -q -n 2 --timeout 600 $(LOWEST)

# Real servers, browsers and clocks on a machine that is busy with several tests at once: what fails must pass with the machine to itself.
ALONE = { test $$? -eq 1 && echo "Once more, one test at a time, what has failed:" && $(BIN)/python -m pytest -q --last-failed \
	--last-failed-no-failures none --timeout 600 -m "not long"; }

test-long: engines $(VENV)/.dev $(VENV)/.built $(WEB)  ## the long runs: a million random games, a thousand kills, three hundred faults and more
	$(BIN)/python -m pytest -q -n 2 -m long

bench: $(VENV)/.built  ## measure speed, beside a hand-written C kernel and a fixed calibration loop
	$(BIN)/nevsky bench

build: $(VENV)/.built  ## set up .venv and compile the rules

web: $(WEB)  ## build the browser's part of the web app

docs: $(DOCS)  ## build the documentation, for /docs/ of the server; a broken link is an error

test-browser: $(VENV)/.dev $(VENV)/.built $(WEB) $(DOCS) chromium  ## only the tests in real Chromium
	$(BIN)/python -m pytest -q -m browser tests/browser

screenshots: $(VENV)/.dev $(VENV)/.built $(WEB) chromium  ## pictures of the main pages into docs/screenshots
	$(BIN)/python -m tools.screenshots

icons: $(VENV)/.dev chromium  ## the app's icons and the picture of link previews, from its SVGs
	$(BIN)/python -m tools.icons

test-web: $(WEB)  ## types and tests of the browser's part
	@$(WITH_NODE) cd web && npm run --silent check && npm test --silent

lint: $(VENV)/.dev $(VENV)/.built  ## style and types
	$(BIN)/ruff format --check -q .
	$(BIN)/ruff check -q .
	$(BIN)/mypy
	$(BIN)/python -m tools.pxd --check

pxd: $(VENV)/.dev  ## write the C declarations of the rules anew
	$(BIN)/python -m tools.pxd

format: $(VENV)/.dev  ## put the code into house style
	$(BIN)/ruff check -q --fix-only .
	$(BIN)/ruff format -q .

dist: $(VENV)/.dev $(VENV)/.built $(WEB) $(DOCS)  ## sdist and wheel with everything in them, tried in an empty environment
	$(BIN)/python -m tools.release

release: $(VENV)/.dev $(VENV)/.built $(WEB) $(DOCS)  ## the same for a version that the changelog knows, and its tag
	$(BIN)/python -m tools.release --tag

golden: $(VENV)/.dev $(VENV)/.built  ## write the golden playthroughs and node counts anew
	$(BIN)/python tools/golden.py

lock: $(VENV)/.dev  ## pin the newest versions of all dependencies, with hashes
	$(BIN)/pip install -q uv
	for name in play dev node docs; do $(BIN)/uv pip compile -q -U --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header requirements/$$name.in -o requirements/$$name.txt || exit 1; done

clean:  ## remove everything that was built
	rm -rf $(VENV) .venv-lowest build .mypy_cache .ruff_cache .pytest_cache .hypothesis dist src/*.egg-info web/node_modules src/nevsky/server/static src/nevsky/server/documentation/site
	find . -name __pycache__ -prune -exec rm -rf {} +
	find src -name '*.so' -delete

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Nevsky needs Python 3.11 or newer; this is $$($(PYTHON) --version). Set PYTHON=/path/to/python3."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -y -q python3-venv; } \
		|| { echo "Please install Python's venv module (on Debian: apt install python3-venv)."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.play: requirements/play.txt | $(VENV)/bin/python
	$(BIN)/pip install -q --require-hashes -r requirements/play.txt
	@touch $@

# Python prepares what it needs of these when it needs it first: a quarter of their files.
$(VENV)/.dev: requirements/dev.txt | $(VENV)/.play
	$(BIN)/pip install -q --no-compile --require-hashes -r requirements/dev.txt
	@touch $@

$(VENV)/.docs: requirements/docs.txt | $(VENV)/.dev
	$(BIN)/pip install -q --no-compile --require-hashes -r requirements/docs.txt
	@touch $@

$(VENV)/.compiled: $(SOURCES) | $(VENV)/.play
	@$(COMPILER)
	$(BIN)/python setup.py -q build_ext --inplace
	@touch $@

# pip would compile everything once more, in a directory of its own.
$(VENV)/.built: $(VENV)/.compiled
	NEVSKY_PURE=1 $(BIN)/pip install -q --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src/nevsky
	@$(BIN)/python -c "import nevsky; nevsky.COMPILED or print('warning: the rules run uncompiled, more than fifty times slower.')"
	@touch $@

# A Node.js of the machine if it is new enough, else one from the Python package index, inside .venv.
WITH_NODE = $(NODE_FOUND) || export PATH="$(abspath $(BIN)):$$PATH";

$(VENV)/.node: requirements/node.txt | $(VENV)/bin/python
	@$(NODE_FOUND) || $(BIN)/pip install -q --require-hashes -r requirements/node.txt
	@touch $@

web/node_modules/.installed: web/package-lock.json | $(VENV)/.node
	@$(WITH_NODE) cd web && npm ci --no-audit --no-fund --silent
	@touch $@

$(WEB): $(WEB_SOURCES) web/node_modules/.installed
	@$(WITH_NODE) cd web && npm run --silent build
	@touch $@

$(DOCS): $(DOCS_SOURCES) | $(VENV)/.docs $(VENV)/.built
	$(BIN)/python -m tools.documentation

CHROMIUMS := $${CHROMIUM:-chromium} chromium chromium-browser google-chrome
CHROMIUM_FOUND := for name in $(CHROMIUMS); do command -v $$name >/dev/null && exit 0; done; exit 1
APT := [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && DEBIAN_FRONTEND=noninteractive \
	apt-get install -y -q --no-install-recommends

# The shell is the same engine without windows, with which the tests take a third less; they can do without.
chromium: | $(VENV)/bin/python
	@( $(CHROMIUM_FOUND) ) || { $(APT) chromium; } \
		|| { echo "The tests in the browser need Chromium. Please install it (on Debian: apt install chromium) or set CHROMIUM to its path."; exit 1; }
	@[ -n "$$CHROMIUM" ] || command -v chromium-headless-shell >/dev/null || [ -e $(VENV)/.shell ] \
		|| { touch $(VENV)/.shell; $(APT) chromium-headless-shell >/dev/null 2>&1; } \
		|| echo "The tests in the browser are quicker with chromium-headless-shell (on Debian: apt install chromium-headless-shell)."

ENGINES_FOUND := ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null; \
	test $$? -eq 0 && command -v redis-server >/dev/null && PATH="$$PATH:/usr/sbin" command -v nginx >/dev/null

COMPILER = command -v cc >/dev/null || command -v gcc >/dev/null || { $(APT) gcc libc6-dev python3-dev; } \
	|| echo "Without a C compiler the rules run uncompiled, more than fifty times slower. Please install one (on Debian: apt install gcc) and run make build again."

compiler:
	@$(COMPILER)

engines:
	@{ $(ENGINES_FOUND); } || { $(APT) postgresql redis-server nginx-light; } \
		|| echo "Without PostgreSQL, Redis and nginx the tests of several servers are skipped (on Debian: apt install postgresql redis-server nginx-light)."
