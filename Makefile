# What a developer does here, each thing by one word. Scripts are in scripts/.

GO ?= go
# One set of flags for all that compiles: what the linters read, the tests run and the binary is made of is compiled once.
export GOFLAGS := $(strip $(GOFLAGS) -trimpath)
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
PANEL := http/modcp

# Four packages at once, however many cores there are: their tests share one
# PostgreSQL and its connections.
CORES := $(shell nproc 2>/dev/null || echo 2)
PACKAGES_AT_ONCE := $(shell if [ $(CORES) -lt 4 ]; then echo $(CORES); else echo 4; fi)
TESTFLAGS ?= -p $(PACKAGES_AT_ONCE) -parallel 8 -timeout 20m
# The race detector doubles the time, so it runs in CI, or with RACE=1. It needs a
# C compiler.
ifneq ($(CI)$(RACE),)
TESTFLAGS += -race
# Each program under it waits a second before it ends, for reports of threads that still run; tests end theirs.
export GORACE := atexit_sleep_ms=20
endif
# CI runs often, so it draws fewer random histories and kills fewer servers. It has run the linters before,
# and govet among them; vet would read all that the tests import once more.
ifneq ($(CI),)
NO_VET := -vet=off
TESTFLAGS += -short $(NO_VET)
# Nobody debugs there, and the race detector's checks of pointers find nothing in code without package unsafe.
GOFLAGS += '-gcflags=all=-dwarf=false -d=checkptr=0'
endif

RELEASE := $(GO) tool -modfile=scripts/deploy/tools/go.mod goreleaser
RELEASE_CONFIG := scripts/deploy/goreleaser.yaml
# -n builds it and says where it is, so that flags can be given for what it reads and not for the linter itself.
LINT = $$($(GO) tool -modfile=scripts/tools/go.mod -n golangci-lint)
# It reads packages as the tests compile them: what only tests import, and they, are compiled once.
LINT_FLAGS := $(strip $(GOFLAGS) $(filter -race,$(TESTFLAGS)))

.DEFAULT_GOAL := help

.PHONY: help
help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | while IFS='|' read -r name text; do printf '  make %-14s %s\n' "$$name" "$$text"; done

.PHONY: setup
setup: ## Install PostgreSQL when it is missing and apt-get may (run and test do)
	@scripts/setup

.PHONY: run
run: setup build ## Serve the demo on http://127.0.0.1:8080 (ARGS="--import DIR")
	@exec bin/docket demo $(ARGS)

.PHONY: build
build: ## Build bin/docket, with the panel as it is committed
	@$(GO) build -ldflags '-X github.com/docketmod/docket/cmd.version=$(VERSION)' -o bin/docket ./cmd/docket

.PHONY: test
test: ## Run every test: the service's, then the panel's
	@scripts/setup test
	@# What is in scripts/bench has benchmarks alone.
	$(GO) test $(TESTFLAGS) -skip '^TestConformance$$' $$($(GO) list ./... | grep -v /scripts/bench/)
	@# Watermill's own suite has deadlines, so it runs alone.
	$(GO) test $(TESTFLAGS) -run '^TestConformance$$' ./subscribers ./subscribers/broker
	@$(MAKE) --no-print-directory test-ui

.PHONY: test-ui
test-ui: build $(PANEL)/node_modules ## Run the panel's tests: types, units, and a browser against the demo
	cd $(PANEL) && npm run typecheck && npm test && npm run fresh
	cd $(PANEL) && DOCKET_BIN=$(CURDIR)/bin/docket npm run e2e

.PHONY: test-hosts
test-hosts: $(PANEL)/node_modules ## Run the platforms of scripts/hosts in a browser, from report to hidden and back
	@scripts/setup hosts
	$(GO) test -count=1 -tags hosts ./scripts/hosts

# The release that test-cluster upgrades from: the newest tag, or else the commit before.
OLD ?= $(shell git describe --tags --abbrev=0 2>/dev/null || git rev-parse HEAD~1)

.PHONY: test-cluster
test-cluster: ## Kill each part of a cluster under load, and upgrade one (OLD=revision)
	@scripts/setup cluster
	OLD=$(OLD) $(GO) test -tags cluster -count=1 -timeout 30m -v ./scripts/cluster

.PHONY: bench
bench: $(PANEL)/node_modules ## Run the benchmarks, one package at a time (BENCH=./some/package)
	@scripts/setup test
	$(GO) test -run '^$$' -bench . -benchmem -p 1 -timeout 60m $(or $(BENCH),./...)
	@# The queue beside River, in a module of its own.
	$(if $(BENCH),,cd scripts/bench/river && $(GO) test -run '^$$' -bench . -benchtime 1x -timeout 10m ./...)

.PHONY: image
image: ## Build the image docket:$(VERSION) with buildah
	@CGO_ENABLED=0 $(MAKE) --no-print-directory build
	@mkdir -p bin/image/linux/$(shell $(GO) env GOARCH) && cp LICENSE bin/image/ && cp bin/docket bin/image/linux/$(shell $(GO) env GOARCH)/
	buildah build --format docker --isolation chroot --tag docket:$(VERSION) --file scripts/deploy/Containerfile \
		--build-arg VERSION=$(VERSION) --build-arg REVISION=$$(git rev-parse HEAD) --build-arg CREATED=$$(git log -1 --format=%cI) bin/image

.PHONY: deploy-check
deploy-check: build ## Check what scripts/deploy holds, the alerts against a running server
	@scripts/setup deploy
	cd scripts/deploy/check && $(GO) test -count=1 ./...

.PHONY: release-check
release-check: deploy-check ## Build a release of this tree without publishing it
	$(RELEASE) check $(RELEASE_CONFIG)
	@# A release builds the image with Docker's buildx; make image does without a daemon.
	$(RELEASE) release --config $(RELEASE_CONFIG) --snapshot --clean --skip=docker
	scripts/deploy/check/release bin/release
	scripts/deploy/check/debian bin/release/docket_*_$$(dpkg --print-architecture).deb
	@$(MAKE) --no-print-directory test-clients
	@$(MAKE) --no-print-directory image
	scripts/deploy/check/image docket:$(VERSION)

CLIENTS := scripts/clients

.PHONY: clients
clients: $(CLIENTS)/node_modules ## Write the typed clients of the API in Go and TypeScript, which are committed
	@$(CLIENTS)/generate bin/clients
	@cp bin/clients/go/docket.go $(CLIENTS)/go/
	@cp bin/clients/ts/docket.d.ts $(CLIENTS)/ts/

.PHONY: test-clients
test-clients: $(CLIENTS)/node_modules ## Compare the clients with the document, and what they call and are answered
	$(GO) test $(NO_VET) -count=1 -tags clients ./$(CLIENTS)

.PHONY: audit
audit: build ## Write what Docket is made of (SPDX) to bin/audit, and look for known vulnerabilities
	@GO=$(GO) scripts/audit/audit bin/docket $(PANEL) bin/audit

# CI makes these at once (make -j): what is fetched while what is compiled.
.PHONY: needs needs-programs needs-linter
needs: needs-programs needs-linter $(PANEL)/node_modules $(CLIENTS)/node_modules ## Install and build what lint and test need
needs-programs:
	@scripts/setup test
needs-linter:
	@$(LINT) version

.PHONY: lint
lint: $(PANEL)/node_modules $(CLIENTS)/node_modules ## Run the linters of the service, of the panel and of the OpenAPI document
	@# It keeps what it found under ~/.cache; only packages that changed are read again.
	GOFLAGS="$(LINT_FLAGS)" $(LINT) run ./...
	scripts/tools/api-changes
	cd $(PANEL) && npm run lint
	cd $(CLIENTS) && npm run lint

.PHONY: fmt
fmt: ## Format the Go code
	$(LINT) fmt ./...

.PHONY: ui
ui: $(PANEL)/node_modules ## Build the panel into http/modcp/dist, which is committed
	cd $(PANEL) && npm run build

.PHONY: api-docs
api-docs: ## Build the page of the API's documentation into http/apidocs/dist, which is committed
	cd http/apidocs && npm ci --no-audit --no-fund && npm run build

# npm ci removes what it finds, so it runs only when the lock file is newer.
$(PANEL)/node_modules $(CLIENTS)/node_modules: %/node_modules: %/package-lock.json
	cd $* && npm ci --no-audit --no-fund
	@touch $@
