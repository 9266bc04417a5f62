# What there is to do here. `make run` is all that a first look needs.
.DELETE_ON_ERROR:

.PHONY: run
run: ## Play: install what is missing, start the demo
	@scripts/setup run
	@[ -x bin/quizd ] || echo "Building; the first time takes a few minutes …"
	@go build -o bin/quizd ./cmd/quizd
	@bin/quizd demo

.PHONY: test
test: ## All tests, with the race detector where no browser works; then again without limiters, on which nothing may rest
	@scripts/setup test
	go test -race -timeout 10m -parallel 4 -skip 'InBrowser|PhoneIsLight' ./web ./cmd/quizd $$(go list ./... | grep -v '^pubquiz/loadtest$$') # the longest first
	go test ./loadtest # its crowds in fake time can crash the race detector itself; cmd/loadtest runs the same code under it
	go test -timeout 10m -parallel 3 -run InBrowser ./cmd/quizd
	TEST_LIMITERS=off go test -timeout 10m -parallel 4 -skip 'InBrowser|History|Scripts' ./web ./cmd/quizd # weighs the phone's page, too: the race detector would take a minute for it

.PHONY: fuzz
fuzz: ## Every fuzz target with 10,000 inputs, or for FUZZTIME each (50000x, 30m)
	@scripts/fuzz

.PHONY: lint
lint: node_modules/.package-lock.json ## All checks that need no running
	@files=$$(gofmt -l .) && test -z "$$files" || { echo "not formatted: $$files"; exit 1; }
	go vet ./...
	for module in bench/*/ internal/composetest/composeconfig; do (cd $$module && go vet .) || exit 1; done # which have a go.mod each
	go tool staticcheck ./...
	go fix -diff ./...
	go mod verify
	npx --no-install tsc --noEmit

.PHONY: screens
screens: ## Screenshots of every screen and state, light and dark, into artifacts/screens/, and of them the gallery docs/screens/
	@scripts/setup screens
	@rm -rf artifacts/screens && mkdir -p artifacts/screens
	go test ./cmd/quizd -run Browser -count=1 -timeout 20m -parallel 3 -artifacts -outputdir $(CURDIR)/artifacts/screens
	@find artifacts/screens/_artifacts -name '*.png' -exec mv {} artifacts/screens/ \; && rm -r artifacts/screens/_artifacts
	go run ./cmd/gallery artifacts/screens docs/screens
	cp artifacts/screens/phone-open-light.png docs/screens/phone.png
	cp artifacts/screens/console-open-light.png docs/screens/console.png
	cp artifacts/screens/tv-open-dark.png docs/screens/big-screen.png

.PHONY: load
load: ## A venue of a hundred phones against a server of its own
	@scripts/setup run
	go run ./cmd/loadtest --self --phones 100 --arrive 90s --questions 5

.PHONY: bench-ratelimit
bench-ratelimit: ## The limiters against the libraries one could take instead, into docs/benchmarks.md
	@scripts/setup test
	cd bench/ratelimit && go run . -report ../../docs/benchmarks.md

.PHONY: bench-marking
bench-marking: ## The marking of typed answers against the libraries one could take instead, into docs/benchmarks.md
	cd bench/marking && go run . -report ../../docs/benchmarks.md

.PHONY: soak
soak: ## A long quiz on two servers while everything breaks, and what every phone was told against what is stored
	@scripts/setup test
	go test ./cmd/quizd -run 'History$$' -count=1 -v -timeout 60m -faults 250

.PHONY: bench-live
bench-live: ## The live engine against its peers, into docs/benchmarks.md
	@scripts/setup run
	cd bench/live && go run . -report ../../docs/benchmarks.md

.PHONY: release
release: ## Archives, bills of materials and checksums of the tag that is checked out into dist/, without a tag a trial of them; nothing is published
	GOBIN=$(CURDIR)/bin go install github.com/goreleaser/goreleaser/v2@v2.15.1
	GOBIN=$(CURDIR)/bin go install github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0
	PATH=$(CURDIR)/bin:$$PATH goreleaser check
	PATH=$(CURDIR)/bin:$$PATH goreleaser release --clean $$(git describe --exact-match --tags >/dev/null 2>&1 || echo --snapshot)

.PHONY: tables
tables: ## Write .env.example and the README's tables anew
	go test ./cmd/quizd -run Documented -update

.PHONY: help
help: ## This list
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' $(MAKEFILE_LIST) | expand -t 12

node_modules/.package-lock.json: package.json package-lock.json
	@scripts/setup lint
	npm ci --no-audit --no-fund
	@touch $@
