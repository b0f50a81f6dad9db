# What a developer does here, each thing by one word. Scripts are in scripts/.

GO ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
PANEL := http/modcp

# Four packages at once, however many cores there are: their tests share one
# PostgreSQL and its connections.
CORES := $(shell nproc 2>/dev/null || echo 2)
PACKAGES_AT_ONCE := $(shell if [ $(CORES) -lt 4 ]; then echo $(CORES); else echo 4; fi)
TESTFLAGS ?= -p $(PACKAGES_AT_ONCE) -parallel 8 -timeout 14m
# The race detector doubles the time, so it runs in CI, or with RACE=1. It needs a
# C compiler.
ifneq ($(CI)$(RACE),)
TESTFLAGS += -race
endif

LINT := $(GO) tool -modfile=scripts/tools/go.mod golangci-lint

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-10s %s\n' "$$name" "$$text"; done

.PHONY: setup
setup: ## Install PostgreSQL when it is missing and apt-get may (run and test do)
	@scripts/setup

.PHONY: run
run: setup build ## Serve the demo on http://127.0.0.1:8080 (ARGS="--import DIR")
	@exec bin/docket demo $(ARGS)

.PHONY: build
build: ## Build bin/docket, with the panel as it is committed
	@$(GO) build -trimpath -ldflags '-X main.version=$(VERSION)' -o bin/docket ./cmd/docket

.PHONY: test
test: ## Run every test: the service's, then the panel's
	@scripts/setup test
	$(GO) vet ./...
	$(GO) test $(TESTFLAGS) $$($(GO) list ./... | grep -v /subscribers)
	@# Alone, since Watermill reads past no transaction that is open anywhere in the
	@# cluster. Its own suite has deadlines, so it runs without the race detector.
	$(GO) test $(TESTFLAGS) -p 1 -skip '^TestConformance$$' ./subscribers/...
	$(GO) test -p 1 -timeout 14m $(if $(CI),-short) -run '^TestConformance$$' ./subscribers ./subscribers/broker
	@$(MAKE) --no-print-directory test-ui

.PHONY: test-ui
test-ui: build $(PANEL)/node_modules ## Run the panel's tests: types, units, and a browser against the demo
	cd $(PANEL) && npm run typecheck && npm test && npm run fresh
	cd $(PANEL) && DOCKET_BIN=$(CURDIR)/bin/docket npm run e2e

.PHONY: bench
bench: $(PANEL)/node_modules ## Run the benchmarks, one package at a time (BENCH=./some/package)
	@scripts/setup test
	$(GO) test -run '^$$' -bench . -benchmem -p 1 -timeout 60m $(or $(BENCH),./...)
	@# The queue beside River, in a module of its own.
	$(if $(BENCH),,cd scripts/bench/river && $(GO) test -run '^$$' -bench . -benchtime 1x -timeout 10m ./...)

.PHONY: lint
lint: ## Run the linters, the import arrows among them
	$(LINT) run ./...

.PHONY: fmt
fmt: ## Format the Go code
	$(LINT) fmt ./...

.PHONY: ui
ui: $(PANEL)/node_modules ## Build the panel into http/modcp/dist, which is committed
	cd $(PANEL) && npm run build

# npm ci removes what it finds, so it runs only when the lock file is newer.
$(PANEL)/node_modules: $(PANEL)/package-lock.json
	cd $(PANEL) && npm ci --no-audit --no-fund
	@touch $@
