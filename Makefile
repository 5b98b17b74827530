# Thin: every target is one or two commands that also work by hand.
# A system's own Python is built with profiles: it runs the tests of rules in three quarters of the time of one that was not.
PYTHON ?= $(shell for it in /usr/bin/python3.11 python3.11; do $$it -c 'import ensurepip' 2>/dev/null && echo $$it && exit; done; echo python3)
VENV   ?= .venv
BIN    := $(VENV)/bin
AUTO   ?=
TURNS  ?= 3
README ?=
# Tests side by side: as many as there are processors, but no more than fit into the memory of a usual machine.
WORKERS ?= $(shell n=$$(nproc 2>/dev/null || echo 2); echo $$((n > 8 ? 8 : n)))

.DEFAULT_GOAL := help
.PHONY: help demo test test-long test-all check format screenshots bench release release-tree lock

# Lists the targets that have a remark behind two signs.
help:
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

# Three stamps: a server needs the small set only, the demo adds its broker, the tests theirs, in the same versions.
$(VENV)/.run: requirements/run.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed, this is " + sys.version)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/run.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(VENV)/.demo: $(VENV)/.run requirements/demo.lock
	$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/demo.lock
	@touch $@

$(VENV)/.test: $(VENV)/.run requirements/test.lock
	$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/test.lock
	@touch $@

$(VENV)/.release: $(VENV)/.run requirements/release.lock
	$(BIN)/python -m pip install --quiet --require-hashes --only-binary :all: -r requirements/release.lock
	@touch $@

demo: $(VENV)/.demo  ## A game to play at once; AUTO=1 TURNS=3 plays all seats by mail
	$(BIN)/pbem demo $(if $(filter-out 0 no,$(AUTO)),--auto --turns $(TURNS) --json) --state var/demo

# A run starts some fifty processes: what one has compiled is read by the others.
test test-long test-all: export PYTHONDONTWRITEBYTECODE =
PYTEST := $(BIN)/python -m pytest --dist worksteal --durations 20
# Long tests wait for processes more than they compute, so two more run side by side.
PYTEST_LONG := $(PYTEST) -n $$(($(WORKERS) + 2))

test: $(VENV)/.test  ## Every requirement once, in minutes
	$(PYTEST) -n $(WORKERS) -m "not (long or night)"

test-long: $(VENV)/.test  ## One of each long kind: a kill search, browsers, PostgreSQL
	$(PYTEST_LONG) -m "long and not night"

test-all: $(VENV)/.test  ## Everything at full length and the branches it covers, for a night
	@mkdir -p var/coverage
	$(PYTEST_LONG) --full --cov --cov-report=term

check: $(VENV)/.test  ## Style, types, and who imports whom
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: $(VENV)/.test  ## Put the style right
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# README.md shows two of them; they lie beside what makes them, for no server needs them.
screenshots: $(VENV)/.test  ## Pictures of pages and letters, into var/screenshots; README=1 makes those of README.md
	$(BIN)/python -m tests.screenshots $(if $(README),--readme tests/screenshots/readme,var/screenshots)

bench: $(VENV)/.demo  ## Time the rules, whole exchanges of letters, deadlines and pages; some five minutes
	for what in engine moves "cycle --cpu" cycle clock pages; do echo "$$what"; $(BIN)/pbem dev bench $$what || exit; done

# The tests of a release install what lies there into an empty environment, and play from it.
DIST ?= dist
RELEASE := $(shell sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml)
# TREE=any builds what lies here for a trial; it is no release.
TREE ?= committed
release-tree:
	@test $(TREE) = any || test -z "$$(git status --porcelain)" || \
		{ echo "A release is built of what is committed: commit or stash these changes first."; git status --short; exit 1; }
	@test $(TREE) = any || ! git rev-parse --quiet --verify refs/tags/v$(RELEASE) >/dev/null || \
		{ echo "Version $(RELEASE) is released already (tag v$(RELEASE)): raise the version in pyproject.toml."; exit 1; }

release: release-tree $(VENV)/.release  ## Wheel, source archive, list of parts (SBOM) and digests, into dist
	rm -rf $(DIST)
	$(BIN)/python -m hatchling build -t sdist -t wheel -d $(DIST)
	$(BIN)/cyclonedx-py requirements requirements/run.lock --pyproject pyproject.toml --output-reproducible \
		--output-format JSON --output-file $(DIST)/pbem-$(RELEASE).cdx.json
	cd $(DIST) && sha256sum pbem-* >SHA256SUMS

UV ?= uv
COMPILE := UV_CUSTOM_COMPILE_COMMAND="make lock" $(UV) pip compile -q --generate-hashes --no-strip-extras --python-version 3.11 \
	--no-emit-index-url --no-emit-find-links
lock:  ## Resolve all locks anew (needs uv)
	$(COMPILE) pyproject.toml requirements/build.in -o requirements/run.lock
	$(COMPILE) --extra beacon -c requirements/run.lock pyproject.toml requirements/build.in -o requirements/beacon.lock
	$(COMPILE) --extra embedded -c requirements/run.lock pyproject.toml requirements/build.in -o requirements/demo.lock
	$(COMPILE) --extra release -c requirements/run.lock pyproject.toml requirements/build.in -o requirements/release.lock
	$(COMPILE) --extra beacon --extra embedded --extra test -c requirements/run.lock pyproject.toml requirements/build.in -o requirements/test.lock
