# Everything a user runs. `make demo` and `make test` set themselves up.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
RUN := $(BIN)/python

.PHONY: help
help: ## This list.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

.PHONY: demo
demo: tools ## The main job on real parts: a lab, both planes, the decision, the policies. Leaves nothing.
	@$(RUN) -m lab.demo

.PHONY: test
test: all-tools policies ## All tests but the long ones.
	@$(RUN) -m pytest --numprocesses 2 --dist loadfile

.PHONY: prove
prove: all-tools ## The long tests: fuzzing.
	@$(RUN) -m pytest -m prove tests/prove

.PHONY: lint
lint: .venv/ready .venv-policies/ready ## Lint, format and types.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/mypy --python-executable .venv-policies/bin/python -p policies

.PHONY: tools
tools: .venv/ready ## Build the pinned tools into .tools/bin, unless they are there.
	@$(RUN) -m lab.tools $(if $(KARMADA_DIR),--all)

.PHONY: all-tools
all-tools: .venv/ready ## The same, with what members with running pods need.
	@$(RUN) -m lab.tools --all

.PHONY: policies
policies: .venv-policies/ready ## The policy pack's own environment.

.PHONY: lab
lab: tools ## A lab that stays up, with stacks to go on by hand.
	@$(RUN) -m lab.byhand

.PHONY: schema
schema: .venv/ready ## Export the JSON schemas of the federation file and of stack files.
	@$(RUN) -m components.settings.schema

.PHONY: charts
charts: .venv/ready ## Ask every chart's repository for newer versions than the catalogue's.
	@$(RUN) -m components.catalogue charts

.PHONY: lock
lock: .venv/ready ## Pin every dependency again, from pyproject.toml.
	@$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate --quiet --no-emit-index-url -o requirements.txt
	@$(BIN)/uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-header --no-annotate --quiet --no-emit-index-url -c requirements.txt -o requirements-dev.txt
	@$(BIN)/uv pip compile policies/requirements.in --universal --generate-hashes --no-header --no-annotate --quiet --no-emit-index-url -o policies/requirements.txt

.venv/ready: requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is older than 3.11; run make PYTHON=python3.11 ..."; exit 1; }
	@echo "virtual environment .venv: about a minute"
	@$(PYTHON) -m venv .venv
	@$(RUN) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

.venv-policies/ready: policies/requirements.txt
	@echo "virtual environment .venv-policies: half a minute"
	@$(PYTHON) -m venv .venv-policies
	@.venv-policies/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r policies/requirements.txt
	@touch $@
