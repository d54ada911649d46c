# evalrun. `make help` lists the targets. Works with GNU make 3.81, which macOS ships.
SHELL := /bin/bash
.DEFAULT_GOAL := build

SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# Where the real servers of `make live` are installed; may lie outside the clone to outlive it.
SERVERS_DIR ?= .build/servers

BIN := .build/release/evalrun
DIST := .build/dist/evalrun
# One set of flags for everything built for tests, so that lint and test share their objects.
DEBUG_FLAGS := -Xswiftc -warnings-as-errors

# A release carries Swift's library, and on Linux SQLite and PCRE2, inside: it starts faster than with
# the dynamic ones and runs where Swift is not installed. On macOS all of them but PCRE2 are the system's.
RELEASE_FLAGS := -c release --product evalrun
ifeq ($(shell uname -s),Linux)
RELEASE_FLAGS += --static-swift-stdlib
STATIC := $(CURDIR)/.build/static
RELEASE_ENV := PKG_CONFIG_PATH="$(STATIC):$$PKG_CONFIG_PATH"
endif

.PHONY: build
build: deps static-libraries ## build the release binary, .build/release/evalrun (the default)
	$(RELEASE_ENV) $(SWIFT) build $(RELEASE_FLAGS)

# The linker takes the first directory that has a library in either form, so a directory with nothing but
# the static ones, named first through pkg-config, decides it. Where a system has no static library
# (Debian's and Ubuntu's -dev packages have it) the dynamic one is used.
.PHONY: static-libraries
static-libraries: deps
ifdef STATIC
	@mkdir -p "$(STATIC)"
	@for name in sqlite3 pcre2-8; do \
	  file=$$($${CC:-cc} -print-file-name=lib$$name.a); \
	  case $$file in /*) ln -sf "$$file" "$(STATIC)/lib$$name.a" ;; *) rm -f "$(STATIC)/lib$$name.a" ;; esac; \
	done
	@for name in sqlite3 libpcre2-8 libcurl; do \
	  printf 'Name: %s\nDescription: the static library first\nVersion: %s\nCflags: %s\nLibs: -L%s %s\n' $$name \
	    "$$(pkg-config --modversion $$name)" "$$(pkg-config --cflags $$name)" "$(STATIC)" "$$(pkg-config --libs $$name)" \
	    >"$(STATIC)/$$name.pc"; \
	done
endif

.PHONY: demo
demo: build ## run the quickstart and the meal planner: no key, no network, answers from recordings
	$(BIN) Suites/quickstart.json
# The naive route leaks, which is what there is to see: else the exit code would be 1.
	$(BIN) Suites/meal-planner/suite.json --no-fail

.PHONY: test
test: deps ## build with warnings as errors and run every test
# One test at a time: many of them drive real sockets, processes and files, and two cores shared by hundreds of
# tests at once would measure each other.
	$(SWIFT) test --disable-xctest --no-parallel $(DEBUG_FLAGS)

.PHONY: lint
lint: deps ## check format, imports between rooms, visibility, and who prints
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift
	bash .ci/walls --self-test
	bash .ci/walls .
	$(SWIFT) build --build-tests --explicit-target-dependency-import-check error $(DEBUG_FLAGS)

.PHONY: install
install: build ## install evalrun under PREFIX (/usr/local)
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(BIN) "$(DESTDIR)$(PREFIX)/bin/evalrun"
	strip "$(DESTDIR)$(PREFIX)/bin/evalrun"

.PHONY: dist
dist: build ## make .build/dist/evalrun: stripped, for machines without Swift
	@mkdir -p $(dir $(DIST))
	cp $(BIN) $(DIST)
	strip $(DIST)
	bash .ci/check-dist $(DIST)

.PHONY: live
live: build ## run against two real models and against servers that test clients
	bash Tests/servers/live.sh $(BIN) $(SERVERS_DIR)
	bash Tests/servers/judges.sh $(BIN) $(SERVERS_DIR)
	bash Tests/servers/embedders.sh $(BIN) $(SERVERS_DIR)
	bash Tests/servers/meal-planner.sh $(BIN) $(SERVERS_DIR) --live --no-fail
	bash Tests/servers/others.sh $(BIN) $(SERVERS_DIR)

# Sample reports come from stored runs and nothing else, so that the same evalrun writes the same bytes each time.
SAMPLES := Reports/samples
SAMPLE_DB := .build/samples.sqlite
.PHONY: reports
reports: build ## render Reports/samples anew from the runs that are stored there
	@rm -f $(SAMPLE_DB)*
	@cp $(SAMPLES)/runs.sqlite $(SAMPLE_DB)
	@bash $(SAMPLES)/render.sh $(BIN) $(SAMPLE_DB) $(SAMPLES)

.PHONY: picture
picture: reports ## take the README's picture anew, with what `bash .ci/check-pages` has installed
	$(SERVERS_DIR)/venv-pages/bin/python .ci/pages/picture.py $(SAMPLES)/meal-planner.html Docs/pictures/report.png

.PHONY: sample-runs
sample-runs: build ## make the stored runs of Reports/samples anew from the recordings, then render them
	@rm -f $(SAMPLE_DB)*
	$(BIN) Suites/quickstart.json --name quickstart --db $(SAMPLE_DB) --no-reports --fresh --quiet >/dev/null
	$(BIN) Suites/meal-planner/suite.json --name meal-planner --db $(SAMPLE_DB) --no-reports --fresh --quiet --no-fail >/dev/null
	cp $(SAMPLE_DB) $(SAMPLES)/runs.sqlite
	$(MAKE) reports

# The recording that `make demo` replays. One call at a time, on a quiet machine; it takes the old one's place only
# when it answers every request.
RECORDING := Suites/quickstart.recording.jsonl
MEALS := Suites/meal-planner
RECORD_DB := --db .build/record.sqlite --no-reports --fresh --max-errors 1
.PHONY: record
record: build ## make the demo's recording anew with the two real models
	@rm -f .build/new.recording.jsonl
	bash Tests/servers/live.sh $(BIN) $(SERVERS_DIR) --record .build/new.recording.jsonl $(RECORD_DB)
	$(BIN) Suites/local-models.json --replay .build/new.recording.jsonl --pace instant $(RECORD_DB)
	mv .build/new.recording.jsonl $(RECORDING)
	bash Tests/servers/meal-planner.sh $(BIN) $(SERVERS_DIR) --record .build/new.recording.jsonl --db .build/record.sqlite \
	  --no-reports --fresh --no-fail
	$(BIN) $(MEALS)/suite.json --replay .build/new.recording.jsonl --replay-failures --pace instant --no-fail \
	  --db .build/record.sqlite --no-reports --fresh
	mv .build/new.recording.jsonl $(MEALS)/meal-planner.recording.jsonl

.PHONY: bench
bench: build ## measure speed and truth against a server that logs what it did (Linux)
	bash Benchmarks/all.sh $(BIN)

.PHONY: deps
deps: ## install what is missing: libcurl, SQLite and PCRE2 headers, pkg-config
	@SWIFT="$(SWIFT)" bash .ci/deps

.PHONY: clean
clean: ## remove what was built; keeps the downloaded servers
	$(SWIFT) package clean
	rm -rf .build/dist .build/static Benchmarks/.work

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))
