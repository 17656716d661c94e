# make repl: try it.  make quick: the tests of what has changed.  make test: all but the long ones.  make help: the rest.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
NPM := $(shell command -v npm)
PYTEST = $(BIN)/python -m pytest
JOBS ?= 2
# Tests with targets of their own.
BESIDE = $(addprefix --ignore=,tests/browser tests/pyodide tests/install)
# npm writes this file at its end: without it, an installation was interrupted.
INSTALLED = node_modules/.package-lock.json
# Python as WebAssembly, from npm.
PYODIDE = kernel/playground/pyodide
# What the editor of the playground is bundled from; esbuild is one of the packages that npm installs.
BUNDLE = kernel/playground/bundle
VSCODE = puppet_repl/frontends/language_server/editors/vscode

.PHONY: help repl quick test test-other test-slow test-browser test-pyodide playground lite site pictures test-install coverage stress fuzz mutants lint format ast index settings libraries facts labextension grammars vscode \
  manual patterns pygments-lexer differences docs conformance corpus format-corpus modules fixes documents modules-modern reference-modules control-repos openvox oracle specs bench wheel \
  release release-check clean

help:
	@sed -n 's/^## //p' $(MAKEFILE_LIST)

$(VENV)/.base: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[kernel,ruby]'
	@touch $@

$(VENV)/.dev: $(VENV)/.base
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

# The Ruby that runs functions and templates of modules. What needs none works without it.
$(VENV)/.ruby: $(VENV)/.base
	@$(BIN)/puppet-repl ruby status >/dev/null || \
	  { command -v npm >/dev/null && $(BIN)/puppet-repl ruby install; } || \
	  echo "there is no Ruby for modules: see docs/ruby.md" >&2
	@touch $@

## make repl           make a virtual environment, install, open the REPL
repl: $(VENV)/.base $(VENV)/.ruby
	@$(BIN)/puppet-repl

## make quick          the tests of what has changed, and one recorded case in 20: within a minute
quick: $(VENV)/.dev $(VENV)/.ruby
	@JOBS=$(JOBS) $(BIN)/python -m tests.quick

## make test           install what the tests need, run those of the language and its commands
test: $(VENV)/.dev $(VENV)/.ruby
	$(PYTEST) -n $(JOBS) --dist loadgroup -m "not slow" $(BESIDE)

# The first digits of the commit choose among those that are there, on the path or in pyenv.
## make test-other     this and test-slow with another Python, in an environment of its own: 3.12 or 3.13, by turns
test-other:
	@set --; for version in 3.12 3.13; do \
	  for python in python$$version $$HOME/.pyenv/versions/$$version.*/bin/python; do \
	    if $$python -c '' 2>/dev/null; then set -- "$$@" "$$version $$python"; break; fi; done; done; \
	if [ $$# = 0 ]; then echo "tests with another Python are skipped: there is no 3.12 or 3.13"; exit; fi; \
	shift $$((0x$$(git rev-parse HEAD | cut -c1-7) % $$#)); set -- $$1; \
	echo "tests with Python $$1: $$2"; $(MAKE) test test-slow PYTHON=$$2 VENV=.venv-$$1

## make test-slow      the other tests: kernels, terminals, Ruby, all that takes long
test-slow: $(VENV)/.dev $(VENV)/.ruby
	$(PYTEST) -n $(JOBS) --dist loadgroup -m slow $(BESIDE)

$(VENV)/.browser: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[browser]'
	@touch $@

# Browsers that are not there are installed where that may be; only Chromium has to be there.
ENGINES = $(if $(shell command -v chromedriver),,chromium-driver) $(if $(shell command -v firefox-esr),,firefox-esr) \
  $(if $(shell command -v WebKitWebDriver),,webkit2gtk-driver) $(if $(shell command -v Xvfb),,xvfb)
## make test-browser   JupyterLab, JupyterLite and the playground in Chromium; the last two in Firefox and WebKit, too
test-browser: $(VENV)/.browser $(VENV)/.lite build/playground build/pyodide/$(INSTALLED)
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; } || \
	  { echo "install Chromium first (Debian: apt-get install chromium)" >&2; exit 1; }
	@[ -z "$(strip $(ENGINES))" ] || [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || \
	  { apt-get update -qq && for package in $(ENGINES); do \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$package >/dev/null || true; done; }
	$(PYTEST) -n $(JOBS) --dist loadfile tests/browser

# 18 is the oldest version with which Pyodide and esbuild work.
build/npm:
	@command -v npm >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -qq && \
	    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends nodejs npm >/dev/null; } || \
	  { echo "install Node.js with npm first (Debian: apt-get install nodejs npm)" >&2; exit 1; }
	@node -e 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' || \
	  { echo "Node.js 18 or later is needed, this is $$(node --version)" >&2; exit 1; }
	@mkdir -p build && touch $@

build/pyodide/$(INSTALLED): $(PYODIDE)/package.json $(PYODIDE)/package-lock.json | build/npm
	@mkdir -p build/pyodide && cp $(PYODIDE)/package.json $(PYODIDE)/package-lock.json build/pyodide
	npm ci --silent --prefix build/pyodide
	@touch $@

build/bundler/$(INSTALLED): $(BUNDLE)/package.json $(BUNDLE)/package-lock.json | build/npm
	@mkdir -p build/bundler && cp $(BUNDLE)/package.json $(BUNDLE)/package-lock.json build/bundler
	npm ci --silent --prefix build/bundler
	@touch $@

# Moved to its place when all of it is there.
build/playground: build/bundler/$(INSTALLED) $(wildcard $(BUNDLE)/*.mjs kernel/playground/examples/*.pp kernel/labextension/static/*) docs/_static/favicon.svg
	rm -rf $@ $@.new
	NODE_PATH=build/bundler/node_modules build/bundler/node_modules/.bin/esbuild \
	  $(addprefix $(BUNDLE)/,editor.mjs markup.mjs examples.mjs) marks=kernel/labextension/static/style.css \
	  --bundle --minify --splitting --format=esm --target=es2022 --loader:.pp=text --out-extension:.js=.mjs \
	  --chunk-names=shared-[hash] --legal-comments=linked --log-level=warning --entry-names=[name] --outdir=$@.new
	cp docs/_static/favicon.svg $@.new
	cd build/bundler/node_modules && for file in $$(find . -iname 'licen[cs]e*' -not -path '*esbuild*' -not -path '*axe-core*' | sort); do \
	  echo "$$file"; echo; cat "$$file"; echo; done > ../../playground.new/licenses.txt
	mv $@.new $@
	@touch $@

## make test-pyodide   the engine in Pyodide under Node.js, with the recorded cases
test-pyodide: $(VENV)/.dev build/pyodide/$(INSTALLED)
	$(PYTEST) tests/pyodide

## make playground     the directory that a static host serves: build/site-playground
playground: $(VENV)/.dev build/pyodide/$(INSTALLED) build/playground
	$(BIN)/python -m playground.site build/site-playground

$(VENV)/.lite: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[lite]'
	@touch $@

## make lite           JupyterLite with the lessons and a Puppet kernel, for a static host: build/lite
lite: $(VENV)/.lite build/pyodide/$(INSTALLED)
	$(BIN)/python -m playground.lite build/lite

## make pictures       take the pictures of the lessons and of the playground anew
pictures: $(VENV)/.browser build/playground build/pyodide/$(INSTALLED)
	$(PYTEST) tests/browser/test_pictures.py tests/browser/playground_page -k picture --update-goldens

## make test-install   both distributions, each in an environment that has nothing else
test-install: $(VENV)/.dev
	$(PYTEST) tests/install

## make coverage       test, and measure which lines and branches run (report: build/coverage/html)
coverage: $(VENV)/.dev $(VENV)/.ruby
	rm -rf build/coverage && mkdir -p build/coverage
	$(BIN)/python -m coverage run -m pytest -n $(JOBS) --dist loadgroup -m "not untraced" $(BESIDE)
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage html --quiet --fail-under=0
	$(BIN)/python -m coverage report

## make stress         cells by the thousand, interrupts, kills, all hostile programs, rewritten programs (SEED, SECONDS)
stress: $(VENV)/.dev
	STRESS=1 $(PYTEST) tests/kernel/test_stress.py tests/frontends/cli/test_batch_lasting.py
	STRESS=1 $(PYTEST) tests/frontends/shared/test_kills.py tests/frontends/terminal/test_kills.py
	INTERRUPTS=1 $(PYTEST) tests/session/test_session.py tests/language/compiler/test_sessions.py
	STRESS=1 $(PYTEST) tests/session/test_limited.py
	STRESS=1 $(PYTEST) tests/fuzz
	$(BIN)/python -m tests.differential.run $(or $(SECONDS),600) $(if $(SEED),--seed $(SEED))
	STRESS=1 $(PYTEST) -n $(JOBS) tests/hostile

$(VENV)/.fuzz: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet --editable '.[fuzz]'
	@touch $@

## make fuzz           hostile inputs for SECONDS, to TARGET of the engine or files (default: to each)
fuzz: $(VENV)/.fuzz
	$(if $(filter files,$(TARGET)),,$(BIN)/python -m tests.fuzz.engine $(or $(TARGET),all) $(or $(SECONDS),60))
	$(if $(filter-out files,$(TARGET)),,$(BIN)/python -m tests.fuzz.files $(or $(SECONDS),60))

## make mutants        do the tests notice when a module is wrong? MODULE=name, or SEED= DRAW=how many, SAMPLE=
mutants: $(VENV)/.dev
	$(BIN)/python -m tests.mutants.run $(MODULE) $(if $(SEED),--seed $(SEED)) $(if $(DRAW),--draw $(DRAW)) $(if $(SAMPLE),--sample $(SAMPLE))

## make lint           ruff, format check, mypy
lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

## make format         put the code into its form
format: $(VENV)/.dev
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format --quiet .

## make index          write the index of the built-in functions from their declarations
index: $(VENV)/.dev
	$(BIN)/python -m puppet_repl.language.functions.indexing

## make differences    write the table of docs/differences.md from its rows
differences: $(VENV)/.dev
	$(BIN)/python -m tests.docs.difference_table

## make labextension write the rules of the lexers, and the names of commands and cell magics, for notebooks
labextension: $(VENV)/.dev
	$(BIN)/python -m tests.pygments.browser_rules

## make grammars       write the TextMate grammars of the extension for VS Code from the lexers
grammars: $(VENV)/.dev
	$(BIN)/python -m tests.pygments.textmate

# Built beside the sources: these are copied, npm writes only there.
build/vscode/$(INSTALLED): $(VSCODE)/package.json $(VSCODE)/package-lock.json | build/npm
	@mkdir -p build/vscode && cp $(VSCODE)/package.json $(VSCODE)/package-lock.json build/vscode
	npm ci --silent --prefix build/vscode
	@touch $@

## make vscode         the extension for VS Code: build/vscode/puppet-repl.vsix
vscode: build/vscode/$(INSTALLED)
	cp -R $(VSCODE)/. build/vscode
	cp LICENSE NOTICE build/vscode
	cd build/vscode && npm run --silent check && npm run --silent build && \
	  node_modules/.bin/vsce package --no-dependencies --allow-missing-repository --out puppet-repl.vsix

## make pygments-lexer the lexers as plain modules for Pygments, into TREE (build/pygments)
pygments-lexer: $(VENV)/.dev
	$(BIN)/python -m tests.pygments.upstream $(or $(TREE),build/pygments)

## make manual         write the manual page of the command line, docs/puppet-repl.1
manual: $(VENV)/.dev
	$(BIN)/python -m tests.frontends.cli.manual

## make patterns       write the code of the patterns that every start needs; anew with each Python (PYTHON)
patterns:
	$(PYTHON) -m tests.base.generate_patterns

## make ast            write the classes of the syntax tree from tests/language/syntax/nodes.txt
ast: $(VENV)/.dev
	$(BIN)/python -m tests.language.syntax.generate_ast

## make settings       write the table of Puppet's settings; PUPPET_LIB names the lib directory of a Puppet 8 tree
settings: $(VENV)/.dev
	$(BIN)/python -m tests.catalog.generate_settings

## make libraries      write the archive of the Ruby libraries in the sandbox, from the packages of Debian
libraries: $(VENV)/.dev
	$(BIN)/python -m tests.environment.ruby.make_libraries

## make facts          write the sets of puppet-repl-facts from FACTERDB=directory, and build it into dist/
facts: $(VENV)/.dev
	$(BIN)/python -m tests.environment.facts.make_factsets $(FACTERDB)
	$(BIN)/python -m build --quiet --outdir dist puppet_repl/environment/facts/distribution

## make docs           build the documentation into docs/_build/html, where npm is with the playground
docs: $(VENV)/.dev $(if $(NPM),build/pyodide/$(INSTALLED) build/playground)
	$(BIN)/python -m sphinx -E -W -n -q $(if $(NPM),-t playground) $(TAGS) -b html docs docs/_build/html
	$(if $(NPM),$(BIN)/python -m playground.site docs/_build/html/playground)

## make site           the documentation with the lessons to open in the browser, into docs/_build/html
site: $(VENV)/.lite build/pyodide/$(INSTALLED)
	$(MAKE) docs TAGS='-t lite'
	$(BIN)/python -m playground.lite docs/_build/html/lite

## make conformance    the share of recorded cases that passes, per file; README=1 writes the table
conformance: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.conformance.run --process $(if $(README),--readme)

## make corpus         download the Debian manifests, compare their trees with Puppet's
corpus: $(VENV)/.dev
	$(BIN)/python -m tests.corpus.fetch
	$(BIN)/python -m tests.corpus.compare

## make format-corpus  the laws of format on the Debian manifests and those of DIRECTORIES; NOISE=1000 put in, SEED=0
format-corpus: $(VENV)/.dev
	$(BIN)/python -m tests.corpus.fetch
	$(BIN)/python -m tests.tools.formatting.corpus build/corpus $(DIRECTORIES) \
	  --noise $(or $(NOISE),1000) --seed $(or $(SEED),0)

## make modules        compile the classes and examples of the Debian modules, compare with Puppet's
modules: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.corpus.fetch
	$(BIN)/python -m tests.corpus.modules --jobs $(JOBS)

## make fixes          catalogs of the Debian modules before and after validate --fix
fixes: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.corpus.fetch
	$(BIN)/python -m tests.corpus.fixes --answers

## make documents      whole catalogs as JSON, each key, against those of the Puppet at PUPPET_LIB; COUNT=200
documents: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.corpus.documents $(COUNT)

## make reference-modules the REFERENCE.md of public modules, or of MODULES=directory, and of GENERATED=directory
reference-modules: $(VENV)/.dev
	$(if $(MODULES),,$(BIN)/python -m tests.environment.reference.compare --fetch build/reference-modules)
	$(BIN)/python -m tests.environment.reference.compare $(or $(MODULES),build/reference-modules) $(GENERATED)

## make modules-modern the same for MODULES=directory RECORDING=file FACTS=directory of tests.corpus.record
modules-modern: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.corpus.modules --jobs $(JOBS) --modules $(MODULES) \
	  --recording $(RECORDING) $(if $(FACTS),--facts $(FACTS))

## make control-repos  compile nodes of two public control repositories, whose trees are in SOURCES
control-repos: $(VENV)/.dev $(VENV)/.ruby
	$(BIN)/python -m tests.corpus.control_repos.prepare $(SOURCES) build/control-repos
	$(BIN)/python -m tests.corpus.control_repos build/control-repos

## make oracle         random edits, wrong programs, odd types, long programs, SPECS (a file of make specs): ask Puppet (PUPPET_LIB)
oracle: $(VENV)/.dev
	$(BIN)/python -m tests.corpus.random_edits 3000
	$(BIN)/python -m tests.corpus.random_programs mutations $(or $(COUNT),6000) $(SEED)
	$(BIN)/python -m tests.corpus.random_programs types 3000 $(SEED)
	$(BIN)/python -m tests.corpus.random_programs long 5000 $(SEED)
	$(if $(STDLIBS),$(BIN)/python -m tests.corpus.random_calls 3000)
	$(if $(SPECS),$(BIN)/python -m tests.corpus.spec_programs compare $(SPECS))

## make specs          run the specs of the Puppet tree TREE, write the programs in them to SPECS
specs: $(VENV)/.dev
	$(BIN)/python -m tests.corpus.spec_programs record $(TREE) $(SPECS)

## make openvox        ask the tree OPENVOX_LIB about the recorded programs: Puppet's answers? OPENVOX_LANGUAGE's?
openvox: $(VENV)/.dev
	PUPPET_LIB=$(OPENVOX_LIB) RUBYOPT=-rset $(BIN)/python -m tests.corpus.openvox \
	  --language $(or $(OPENVOX_LANGUAGE),puppet-8) $(FILES)

## make bench          speed, as ratios in one run; of PARTS; KEEP=1 adds it to the history and the README
bench: $(VENV)/.dev
	$(BIN)/python -m tests.benchmarks.run $(if $(KEEP),--keep) $(PARTS)

## make wheel          build both distributions into dist/: wheels and source archives
wheel: $(VENV)/.dev
	$(BIN)/python -m build --quiet --outdir dist lexer_pygments
	$(BIN)/python -m build --quiet --outdir dist .

## make release-check  what is missing for a release
release-check: $(VENV)/.dev
	$(BIN)/python -m tests.release --check

## make release        all of a release but its upload: checks, all distributions tried out, checksums
release: release-check lint test docs vscode
	$(BIN)/python -m tests.release

## make clean          remove what was made
clean:
	rm -rf $(VENV) .venv-* build dist docs/_build .mypy_cache .ruff_cache .pytest_cache .coverage*
