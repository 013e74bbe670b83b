# Every target prepares what it needs: a machine with python3 (3.11 or newer), git and make is enough.
PYTHON ?= python3
VENV   ?= .venv
ASK    ?= What did we decide about pricing in May?

# A virtual environment has its programs in bin, on Windows in Scripts.
BIN := $(VENV)/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
PY  := $(BIN)/python

.PHONY: demo test encrypted check lint types soak eval bench clean

demo: override export ASK := $(value ASK)
demo: $(VENV)/ready  ## import an invented chat export and notes, and answer a question: make demo ASK='...'
	@$(PY) examples/demo.py "$$ASK"

test: $(VENV)/ready-dev  ## every test but the long ones
	$(PY) -m pytest -n 2 -m "not soak"

check: $(VENV)/ready-dev lint types  ## what to run before a commit: style, types, directions, the quick tests
	$(PY) -m pytest -n 2 -q -m "not slow and not soak"

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell src tests docs evals benchmarks examples README.md CHANGELOG.md CONTRIBUTING.md
	$(BIN)/lint-imports
	$(BIN)/deptry src

types: $(VENV)/ready-dev
	$(BIN)/pyright --pythonpath $(PY)

encrypted: $(VENV)/ready-dev  ## encrypted minds: a driver that can encrypt takes apsw's place, for these tests alone
	$(PY) -m pip install --quiet --upgrade --no-deps --target .cache/encrypted apsw-sqlite3mc==3.54.0.0
	PYTHONPATH=.cache/encrypted $(PY) -m pytest -n 2 -q tests/encrypted

soak: $(VENV)/ready-dev  ## minutes of kills, contention and long histories
	$(PY) -m pytest -n 2 -m soak --timeout 3600

eval: $(VENV)/ready-dev  ## recall on public benchmarks: make eval ARGS='--data FOLDER'
	$(PY) -m evals $(ARGS)

bench: $(VENV)/ready-dev  ## speed, side by side with a plain baseline: make bench ARGS='...'
	$(PY) -m benchmarks $(ARGS)

clean:
	rm -rf $(VENV) .cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/ready: pyproject.toml
	$(PYTHON) -c "import sys; sys.exit('noosphere needs Python 3.11 or newer, this is ' + sys.version.split()[0] if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --upgrade "pip>=25.1"
	$(PY) -m pip install --quiet --editable .
	$(PY) -m compileall -q src  # where Python may write no bytecode, every process would compile every module anew
	@touch $@

$(VENV)/ready-dev: $(VENV)/ready
	$(PY) -m pip install --quiet --group dev
	@touch $@
