# Every target sets up first (see setup.sh), which takes no time once it is done.
# PYTHON=/path/to/python chooses the interpreter.

PY := .venv/bin/python
OF_FILM = $(if $(FILM),tests/test_films.py tests/test_every_film.py tests/test_$(subst -,_,$(FILM)).py -k "$(FILM) or test_$(subst -,_,$(FILM))")

.PHONY: help setup video test sweep fuzz soak real check bench census readme picture

help: ## say what can be made
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile

video: setup ## render the film dot-product-grid and print its path
	@$(PY) render.py render dot-product-grid

test: check ## check, then run every test; FILM=slug runs what concerns one film
	@OMP_NUM_THREADS=1 $(PY) -m pytest -n auto --maxprocesses 8 --dist loadgroup $(OF_FILM)

sweep: setup ## check every film for many prompts, models and tokenizers, in both themes and every frame
	@OMP_NUM_THREADS=1 $(PY) -m pytest -n auto --maxprocesses 8 --timeout 0 -m sweep tests

fuzz: setup ## run the command line on damaged checkpoints, for each architecture: TIMES=3000 SEED=1
	@OMP_NUM_THREADS=1 TIMES=$(or $(TIMES),3000) SEED=$(or $(SEED),1) $(PY) -m pytest -n 2 --timeout 0 tests/test_damaged_checkpoints.py

soak: setup ## stop, crowd and starve runs and set-ups at random moments: MINUTES=30 SEED=1
	@OMP_NUM_THREADS=1 MINUTES=$(or $(MINUTES),30) SEED=$(or $(SEED),1) $(PY) -m pytest -n 2 --timeout 0 -m soak tests

real: setup ## fetch SmolLM2, hold it against transformers, and check every film of it
	@$(PY) render.py get smollm2 > /dev/null
	@OMP_NUM_THREADS=1 $(PY) -m pytest -n auto --maxprocesses 4 --dist loadgroup --timeout 0 -m real tests/test_real_models.py

check: setup ## lint, formatting, types, and which module may import which
	@$(PY) -m ruff check
	@$(PY) -m ruff format --check
	@$(PY) -m mypy
	@.venv/bin/lint-imports
	@$(PY) -m benchmarks.films_table --check

bench: setup ## measure against manim and the encoder alone: FILMS="a b", QUICK=1; writes BENCHMARKS.md
	@OMP_NUM_THREADS=1 $(PY) -m benchmarks $(if $(QUICK),--quick) $(FILMS)

census: setup ## count the house: lines and files by area, films, what is used once, circles
	@$(PY) -m benchmarks.census

readme: setup ## write README's table of films
	@$(PY) -m benchmarks.films_table

picture: setup ## render README's moving picture anew
	@$(PY) -m benchmarks.picture

setup: ## make .venv if it is missing or out of date
	@bash setup.sh
