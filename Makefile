.PHONY: deps build run test bench fuzz install format lint clean
SWIFT ?= swift

deps:
	./scripts/deps

build: deps
	$(SWIFT) build

test: deps
	$(SWIFT) test

format:
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

lint:
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

clean:
	rm -rf .build .cache
