# labctl: make shows this table of contents.

GO      ?= go
LABCTL  := $(GO) run ./cmd/labctl
FUZZFOR ?= 10s

# make install puts things below PREFIX; a packager sets DESTDIR in front of it.
BINARY  ?= labctl
PREFIX  ?= /usr/local
DESTDIR ?=
BINDIR  = $(DESTDIR)$(PREFIX)/bin
MANDIR  = $(DESTDIR)$(PREFIX)/share/man/man1
BASHDIR = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSHDIR  = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISHDIR = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

.DEFAULT_GOAL := help
.PHONY: help
help: ## show the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

## --- build and test ---

.PHONY: build
build: ## build ./labctl
	$(GO) build -o $(BINARY) ./cmd/labctl

# Where make static-page writes.
PAGE ?= labctl.html

.PHONY: static-page
static-page: ## write labctl.html: the page of labctl ui as one file, with the simulator inside, for those without labctl
	dir=$$(mktemp -d) && GOOS=js GOARCH=wasm $(GO) build -trimpath -ldflags '-s -w' -o $$dir/page.wasm ./ui/wasm && \
		$(GO) run ./ui/pack -wasm $$dir/page.wasm -loader "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" -o $(PAGE); \
		status=$$?; rm -rf "$$dir"; exit $$status

.PHONY: test
test: ## run all tests; needs no C compiler; make manifests and make browser too, where what they need is there
	CGO_ENABLED=0 $(GO) test -timeout 5m ./...
	@$(MAKE) --no-print-directory manifests
	@$(MAKE) --no-print-directory browser

.PHONY: race
race: ## run all tests with the race detector, which needs a C compiler
	@if command -v $$($(GO) env CC) >/dev/null 2>&1; then \
		echo 'CGO_ENABLED=1 $(GO) test -race -timeout 8m ./...'; CGO_ENABLED=1 $(GO) test -race -timeout 8m ./...; \
	else echo "make race: skipped, the race detector needs a C compiler ($$($(GO) env CC)) and there is none"; fi

.PHONY: fuzz
fuzz: ## fuzz every reader for FUZZFOR (10s) each, and try new cases for every property
	@for where in $$(grep -rl --include='*_test.go' '^func Fuzz' .); do \
		for name in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\).*/\1/p' $$where); do \
			echo "$$name in $$(dirname $$where)"; \
			$(GO) test -run '^$$' -fuzz "^$$name$$" -fuzztime $(FUZZFOR) -fuzzminimizetime 10x ./$$(dirname $$where) || exit 1; \
		done; \
	done
	@for where in $$(grep -rl --include='*_test.go' 'pgregory.net/rapid' . | xargs -n1 dirname | sort -u); do \
		$(GO) test -count=1 $$where -rapid.seed=$$(date +%s) -rapid.checks=1000 || exit 1; \
	done

.PHONY: bench
bench: ## measure ratios: release against a bare barrier, closed loop and tail against bare net/http, simulator against its floors
	$(GO) test -run '^$$' -bench 'Release' -benchtime 25x ./topology/live
	$(GO) test -run '^$$' -bench 'ClosedLoop' -benchtime 5x ./topology/live
	$(GO) test -run '^$$' -bench 'Tail' ./faultserver
	$(GO) test -run '^$$' -bench . ./topology/policy ./topology/sim/queue
	$(GO) test -run '^$$' -bench 'Independent|Nested|Coupled' -benchtime 5x -cpu 1 ./topology/sim
	$(GO) test -run '^$$' -bench . -benchtime 5x ./topology/file ./topology/bound

## --- as Kubernetes and Compose read it ---

# A module of its own, so that labctl needs nothing of either.
MANIFESTS := internal/manifesttest

.PHONY: manifests
manifests: ## hold what labctl export writes against the Kubernetes API and compose-go, where make manifests-deps has fetched them
	@if ! (cd $(MANIFESTS) && GOPROXY=off GOFLAGS=-mod=readonly $(GO) list -test -deps ./...) >/dev/null 2>&1; then \
		echo "make manifests: skipped, the modules of $(MANIFESTS) are not here; make manifests-deps fetches them"; \
	else cd $(MANIFESTS) && CGO_ENABLED=0 $(GO) test -count=1 -timeout 5m ./...; fi

.PHONY: manifests-deps
manifests-deps: ## fetch and build the Kubernetes API and compose-go for make manifests; takes some minutes once
	cd $(MANIFESTS) && $(GO) mod download && CGO_ENABLED=0 $(GO) vet ./...

## --- in a browser ---

# A module of its own, so that labctl needs no browser driver. What it writes is in build.
BROWSER := internal/browsertest

.PHONY: browser
browser: ## look at report and page in Chromium, headless; leaves screenshots in internal/browsertest/build/screens
	@if ! command -v chromium >/dev/null 2>&1; then echo "make browser: skipped, there is no chromium; make browser-deps installs it"; \
	elif ! (cd $(BROWSER) && $(GO) mod download) >/dev/null 2>&1; then echo "make browser: skipped, the modules that $(BROWSER)/go.mod names cannot be fetched"; \
	else \
		mkdir -p $(BROWSER)/build && $(MAKE) --no-print-directory --silent static-page PAGE=$(BROWSER)/build/labctl.html || exit 1; \
		[ -e $(BROWSER)/build/axe.min.js ] || echo "make browser: without axe-core, so faults of accessibility are not looked for; make browser-deps fetches it"; \
		cd $(BROWSER) && CGO_ENABLED=0 $(GO) test -count=1 -timeout 5m ./...; \
	fi

# axe-core at a pinned version, as published.
AXE := 4.14.1

.PHONY: browser-deps
browser-deps: ## install Chromium from Debian (needs root), and fetch axe-core for make browser (needs npm)
	@if command -v chromium >/dev/null 2>&1; then echo "chromium is there"; \
	elif ! command -v apt-get >/dev/null 2>&1; then echo "make browser-deps: there is no apt-get here: install chromium as this system does"; exit 1; \
	elif [ "$$(id -u)" != 0 ]; then echo "make browser-deps: installing chromium needs root: sudo make browser-deps"; exit 1; \
	else apt-get install -y --no-install-recommends chromium fonts-dejavu-core; fi
	@if ! command -v npm >/dev/null 2>&1; then echo "make browser-deps: there is no npm to fetch axe-core with: accessibility will not be looked at"; exit 0; fi; \
	dir=$$(mktemp -d) && npm pack --silent --pack-destination $$dir axe-core@$(AXE) >/dev/null && mkdir -p $(BROWSER)/build && \
		tar -xzf $$dir/axe-core-$(AXE).tgz -C $$dir && cp $$dir/package/axe.min.js $(BROWSER)/build/ && echo "axe-core $(AXE) is there"; \
		status=$$?; rm -rf "$$dir"; exit $$status

## --- install ---

.PHONY: man
man: build ## write the man pages into ./man
	mkdir -p man && $(abspath $(BINARY)) man man

.PHONY: install
install: build ## install program, man pages and completions below PREFIX (/usr/local), with DESTDIR in front
	mkdir -p $(BINDIR) $(MANDIR) $(BASHDIR) $(ZSHDIR) $(FISHDIR)
	install -m 755 $(BINARY) $(BINDIR)/labctl
	$(BINDIR)/labctl man $(MANDIR)
	$(BINDIR)/labctl completion bash > $(BASHDIR)/labctl
	$(BINDIR)/labctl completion zsh > $(ZSHDIR)/_labctl
	$(BINDIR)/labctl completion fish > $(FISHDIR)/labctl.fish

.PHONY: uninstall
uninstall: ## remove what make install put in place
	rm -f $(BINDIR)/labctl $(MANDIR)/labctl.1 $(MANDIR)/labctl-*.1 $(BASHDIR)/labctl $(ZSHDIR)/_labctl $(FISHDIR)/labctl.fish

## --- checks ---

.PHONY: check
check: vet format rules baselines ## vet, gofmt, import rule, and labctl check

.PHONY: vet
vet: ## go vet, also for darwin and windows
	$(GO) vet ./...
	GOOS=darwin CGO_ENABLED=0 $(GO) vet ./...
	GOOS=windows CGO_ENABLED=0 $(GO) vet ./...

.PHONY: format
format: ## fail when gofmt would change a file
	@unformatted=$$(gofmt -l $$(git ls-files '*.go' 2>/dev/null || find . -name '*.go')); \
	if [ -n "$$unformatted" ]; then echo "gofmt would change:"; echo "$$unformatted"; exit 1; fi

.PHONY: rules
rules: ## the import rule of the packages
	$(GO) test ./internal/archtest

.PHONY: baselines
baselines: ## labctl check: amplification counts against results/check
	$(LABCTL) check

.PHONY: fmt
fmt: ## gofmt every file
	gofmt -w $$(git ls-files '*.go')

.PHONY: lint
lint: ## staticcheck at a pinned version
	$(GO) run honnef.co/go/tools/cmd/staticcheck@v0.6.1 ./...

## --- results: committed files that only these targets write ---

.PHONY: results
results: ## write the baselines and the published comparison; takes five minutes, best on a quiet machine
	$(LABCTL) check --update
	$(LABCTL) run articles --engine both -o results/articles.json
	$(LABCTL) report results/articles.json -o results/articles.md

## --- audits of real clients and proxies ---

.PHONY: audits-deps
audits-deps: ## install the real clients and proxies from Debian (needs root)
	$(MAKE) --no-print-directory -C audit/subjects deps

.PHONY: subjects
subjects: ## build the programs around real client libraries: Go, Node, Python, Java
	$(MAKE) --no-print-directory -C audit/subjects build

.PHONY: audits
audits: build subjects ## audit all that is installed and write results/audits; takes half an hour
	$(GO) run ./audit/subjects/audits

.PHONY: truth
truth: subjects ## hold the hits of audits against the ground truth, cell by cell; takes three minutes
	$(GO) test ./audit/run -run Truth -truth -v -timeout 20m

.PHONY: docs
docs: ## rewrite what docs/ shows: a page per scenario, outputs of commands; read the diff before you commit it
	$(GO) test ./cmd/labctl -run 'ScenarioPages|DocumentsSay' -update -slow

# uPlot at a pinned version, as published; read its release notes before you raise it.
UPLOT  := 1.6.32
VENDOR := report/page/assets/uplot

.PHONY: vendor
vendor: ## fetch uPlot, which draws the charts, again as it was published; needs npm
	dir=$$(mktemp -d) && npm pack --silent --pack-destination $$dir uplot@$(UPLOT) && tar -xzf $$dir/uplot-$(UPLOT).tgz -C $$dir && \
		cp $$dir/package/LICENSE $$dir/package/dist/uPlot.iife.min.js $$dir/package/dist/uPlot.min.css $(VENDOR)/; \
		status=$$?; rm -rf "$$dir"; exit $$status

.PHONY: rename
rename: ## give the module a path of your own: make rename MODULE=example.com/you/labctl
	@test -n "$(MODULE)" || { echo "make rename: say which: make rename MODULE=example.com/you/labctl"; exit 2; }
	$(GO) mod edit -module "$(MODULE)"
	@for f in $$(git ls-files '*.go'); do sed -E -i.bak 's#^([[:space:]]*(import )?([A-Za-z_.]+ )?)"labctl/#\1"$(MODULE)/#' "$$f" && rm "$$f.bak"; done
	gofmt -w $$(git ls-files '*.go')

.PHONY: golden
golden: ## rewrite the golden files of the tests; read the diff before you commit it
	$(GO) test ./report ./report/page ./audit/card ./topology/export -update
