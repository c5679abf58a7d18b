# Everything a user runs. `make demo` and `make test` set themselves up.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help
help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 18

.venv/ready: requirements.txt requirements-dev.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "make: $(PYTHON) is older than 3.11; set PYTHON=..."; exit 1; }
	@echo "virtual environment: .venv (about a minute the first time)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

.PHONY: lock
lock: ## pin every dependency again, from pyproject.toml
	$(BIN)/uv pip compile pyproject.toml --universal --generate-hashes --no-header --no-annotate --quiet --no-emit-index-url -o requirements.txt
	$(BIN)/uv pip compile pyproject.toml --extra dev --universal --generate-hashes --no-header --no-annotate --quiet --no-emit-index-url -c requirements.txt -o requirements-dev.txt
