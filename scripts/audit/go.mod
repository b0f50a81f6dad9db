module github.com/docketmod/docket/scripts/audit

go 1.26.0

require (
	github.com/spdx/tools-golang v0.5.7
	golang.org/x/mod v0.35.0
)

require (
	github.com/anchore/go-struct-converter v0.1.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/sys v0.43.0 // indirect
	golang.org/x/telemetry v0.0.0-20260421165255-392afab6f40e // indirect
	golang.org/x/tools v0.44.0 // indirect
	golang.org/x/vuln v1.3.0 // indirect
)

tool golang.org/x/vuln/cmd/govulncheck
