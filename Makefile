# Each target does all of its own set-up. `make demo ARGS="--rounds 20 --seed 7"` passes options on.
PYTHON_IN_VENV := .venv/bin/python
# Loadfile: tests of one file share its broker; two workers: the smallest machine the tests must pass on has two cores.
PYTEST := $(PYTHON_IN_VENV) -m pytest -n 2 --dist loadfile
ARGS ?=
SEEDS ?= 200

.PHONY: help demo test simulate planted coverage lint format bench fuzz kills lock environment packages

help:
	@echo "make demo [ARGS=...]   the whole product on this machine, with simulated tables"
	@echo "make test [ARGS=...]   all tests"
	@echo "make simulate SEEDS=n  n simulated sites with everything that breaks; goes on where it was broken off"
	@echo "make planted           deliberate faults of the program, each of which the simulation must find"
	@echo "make coverage          branch coverage of the core, which must be complete"
	@echo "make lint              style, types and directions of imports"
	@echo "make format            puts the code into shape"
	@echo "make bench [ARGS=...]  speed and memory, as JSON"
	@echo "make kills [ARGS=...]  kill -9 under load, 2,000 times; ARGS=\"--kills 50\" for fewer"
	@echo "make fuzz [ARGS=...]   atheris at every decoder; ARGS=\"bus_frames --seconds 600\""
	@echo "make lock [ARGS=...]   writes requirements/ anew; ARGS=--upgrade takes newer versions"

demo:
	@scripts/environment.sh requirements/demo.txt
	@.venv/bin/jackpotd demo $(ARGS)

test: environment packages
	$(PYTEST) $(ARGS)

planted: environment
	@$(PYTHON_IN_VENV) -m tests.simulation.planted $(ARGS)

simulate: environment
	@$(PYTHON_IN_VENV) -m tests.simulation --seeds $(SEEDS) $(ARGS)

coverage: environment
	$(PYTEST) tests/core --cov --cov-report=term-missing $(ARGS)

lint: environment
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

format: environment
	.venv/bin/ruff check --fix .
	.venv/bin/ruff format .

bench: environment packages
	@$(PYTHON_IN_VENV) -m tests.bench $(ARGS)

kills: environment packages
	@$(PYTHON_IN_VENV) -m tests.adversity $(ARGS)

fuzz:
	@scripts/environment.sh requirements/fuzz.txt
	@$(PYTHON_IN_VENV) -m tests.fuzz $(ARGS)

lock: environment
	scripts/lock.sh $(ARGS)

environment:
	@scripts/environment.sh requirements/dev.txt

packages:
	@scripts/debian-packages.sh
