# One command each; everything is set up in .venv on first use. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHARED ?= ../shared
.DEFAULT_GOAL := help
.PHONY: help run demo-measures demo-ollama test lint format typecheck docs docs-site try-workflow lint-workflows test-services test-client-8 bench bench-cases \
	bench-tape bench-pages bench-retrieval bench-judge bench-measures bench-peers bench-ingest bench-kill train dev clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | sort | while IFS="$$(printf '\t')" read -r a b; do printf '  %-18s %s\n' "$$a" "$$b"; done

# All that is installed is compiled here, on all cores: pip takes one, and where PYTHONDONTWRITEBYTECODE is set, nothing
# that is started later keeps what it compiles.
define install
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11")'
	@$(BIN)/python -c "import pip" 2>/dev/null || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -e '$(1)'
	@$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib gate ingest || true # some ship files for other versions of Python
	@touch $(BIN)/gate $@
endef

$(BIN)/gate: pyproject.toml
	$(call install,.)

$(VENV)/.test: pyproject.toml
	$(call install,.[test])

$(VENV)/.dev: pyproject.toml
	$(call install,.[dev])

run: $(BIN)/gate ## install, index the example's documents and gate its recorded answers
	$(BIN)/gate ingest
	$(BIN)/gate run

DEMO := build/demo-measures
demo-measures: $(BIN)/gate ## ten recorded answers of a chat, every measure of a recording, an HTML report
	mkdir -p $(DEMO) && cp examples/conversation/* $(DEMO)
	cd $(DEMO) && $(CURDIR)/$(BIN)/gate dataset import chat.json context.json -o answers.jsonl --force
	cd $(DEMO) && $(CURDIR)/$(BIN)/gate ingest -c measures.yaml
	cd $(DEMO) && { $(CURDIR)/$(BIN)/gate run -c measures.yaml -o report.html; test $$? -eq 1; } # several are wrong: it blocks
	@echo "written: $(DEMO)/report.html"

demo-ollama: $(VENV)/.dev ## the same questions with probes to a real Ollama model (OLLAMA_HOST, MODEL=gemma-270m)
	$(BIN)/python benchmarks/demo_ollama.py --model $(or $(MODEL),gemma-270m)

dev: $(VENV)/.dev ## set up for work on the gate itself

test: $(VENV)/.test ## set up and run the tests (no key, no server), on all cores
	$(BIN)/python -m pytest -n auto --dist worksteal

lint: $(VENV)/.dev ## ruff and mypy strict
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

typecheck: $(VENV)/.dev ## mypy strict alone
	$(BIN)/mypy

format: $(VENV)/.dev ## rewrite the code in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/.dev ## write the reference of commands and verdict anew, and check the style of the other pages
	$(BIN)/python scripts/reference.py
	$(BIN)/python scripts/style.py

SITE := build/site-venv
$(SITE)/.made: Makefile
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check mkdocs==1.6.1 mkdocs-material==9.8.2
	@touch $@

docs-site: $(SITE)/.made ## the pages with search, in build/site (an environment of its own)
	NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict

try-workflow: $(VENV)/.test ## the copied workflow, step by step, in an imitated runner (minutes)
	$(BIN)/python scripts/try_workflow.py

lint-workflows: $(VENV)/.dev ## zizmor and actionlint on the workflows and the action (needs Go)
	$(BIN)/zizmor --quiet --offline .github action.yml
	@if command -v go >/dev/null; then go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12; else echo "go is not installed: workflows were not checked" >&2; exit 1; fi

test-services: $(VENV)/.test ## the tests against real Elasticsearch, Ollama and MinIO
	$(BIN)/python -m pytest -m services

CLIENT8 := build/elasticsearch-8
$(CLIENT8): $(VENV)/.test
	rm -rf $@
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target $@ 'elasticsearch<9' 'elastic-transport<9'

test-client-8: $(CLIENT8) ## the Elasticsearch store with the client of version 8, faked and real
	PYTHONPATH=$(CLIENT8) $(BIN)/python -c 'import elasticsearch; assert elasticsearch.__version__[0] == 8'
	PYTHONPATH=$(CLIENT8) $(BIN)/python -m pytest tests/gate/store -k elasticsearch
	PYTHONPATH=$(CLIENT8) $(BIN)/python -m pytest -m services tests/services/test_elasticsearch.py -k "command_line or left_over or stopped or dimension"

bench: bench-cases bench-pages bench-retrieval ## the benchmarks that need no server

bench-cases: $(VENV)/.dev ## labelled answers through the whole gate
	$(BIN)/python benchmarks/cases.py --shared $(SHARED)
	for set in benchmarks/answers/*; do echo "$$set"; $(BIN)/python benchmarks/cases.py --cases $$set/cases.jsonl --docs $$set/docs || exit 1; done

TAPE := build/tape.jsonl.gz
bench-tape: $(VENV)/.dev ## what the gate says of every labelled answer, set by set (EVERY=4: of every fourth)
	mkdir -p build
	$(BIN)/python benchmarks/tape.py record $(TAPE) --shared $(SHARED) --every $(or $(EVERY),1)
	$(BIN)/python benchmarks/tape.py compare $(TAPE)

bench-pages: $(VENV)/.dev ## plain errors in documents of one page
	mkdir -p build
	$(BIN)/python benchmarks/tape.py record build/pages.jsonl.gz --only one_page
	$(BIN)/python benchmarks/tape.py compare build/pages.jsonl.gz --by-kind

bench-judge: $(VENV)/.dev ## the reader alone, on public sets and on units in their context
	$(BIN)/python -m training.evaluate --data $(SHARED)/data/judge --most 400

bench-retrieval: $(VENV)/.dev ## recall of the labelled lines
	$(BIN)/python benchmarks/retrieval.py --shared $(SHARED)

bench-measures: $(VENV)/.dev ## the measures beside people's labels (minutes)
	$(BIN)/python benchmarks/measures.py --shared $(SHARED)

bench-peers: $(VENV)/.dev ## a model judge beside DeepEval, Ragas and promptfoo
	$(BIN)/python benchmarks/peers.py --shared $(SHARED)/bench/peers

bench-ingest: $(VENV)/.dev ## two large manuals, indexed twice (20 minutes)
	$(BIN)/python benchmarks/ingest_size.py

bench-kill: $(VENV)/.dev ## ingest and run, killed 30 times each
	$(BIN)/python benchmarks/kill.py
	$(BIN)/python benchmarks/kill_run.py

train: ## the reader, from the data to its figures (hours; a venv of its own)
	bash training/train.sh

clean: ## remove what was made here
	rm -rf $(VENV) .gate build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
