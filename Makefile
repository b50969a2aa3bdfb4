# make help lists what there is to do. Variables: SWIFT, PREFIX, DESTDIR, FUZZ_SECONDS,
# SOAK_EVENTS, SOAK_SEED, TESTS (a filter for make test).
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 60
SOAK_EVENTS ?= 1000000
export SWIFT PREFIX DESTDIR FUZZ_SECONDS TESTS

# The kernel tests use the same folder, so nothing is compiled twice.
RELEASE = $(SWIFT) build -c release --static-swift-stdlib --scratch-path .build/static --product
GUIDE = .build/guide.epub
GUIDE_SOURCES = $(shell find docs/guide -type f)
FORMATTED = Package.swift $(wildcard Sources Tests Benchmarks Fuzz clients)

.PHONY: help deps build release guide run test bench soak fuzz install uninstall format lint clean

build: deps-build guide ## compile everything for development
	$(SWIFT) build

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

deps: ## install the Debian packages that are missing
	@./scripts/deps

.PHONY: deps-build
deps-build:
	@./scripts/deps build run

release: deps-build guide ## compile pagerd and reader as they are installed
	$(RELEASE) pagerd
	$(RELEASE) reader
	$(RELEASE) reader-images

guide: $(GUIDE) ## make the guide, an EPUB, from docs/guide

$(GUIDE): scripts/guide CHANGELOG.md $(GUIDE_SOURCES) | deps-build
	@./scripts/guide $@

run: build ## open the guide in the reader, with a pagerd of its own
	@./scripts/run

test: deps release ## run every test; the last line counts them
	@./scripts/test

bench: deps release ## measure against the bars, on the exact clock
	@./scripts/bench

soak: deps release ## play SOAK_EVENTS events through pagerd on a real kernel, and count
	@./scripts/soak $(SOAK_EVENTS) $(SOAK_SEED)

fuzz: deps-build ## run each fuzzer for FUZZ_SECONDS
	@./scripts/fuzz

# As root there may be no Swift on the path, and nothing should be built as root: what make release left is installed.
install: ## install to DESTDIR and PREFIX what make release built
	@[ -x .build/static/release/reader-images ] || $(MAKE) release
	@./scripts/install-files

uninstall: ## remove what install installed
	@./scripts/install-files --uninstall

format: ## put every Swift file into the project's form
	$(SWIFT) format --in-place --recursive $(FORMATTED)

lint: deps ## check form and house rules
	@./scripts/lint

clean: ## remove what was built
	rm -rf .build .cache
