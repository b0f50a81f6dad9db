package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the Makefile; a binary of go install has its module's.
var version = ""

type versionCommand struct{}

func (versionCommand) Run(a *app) error {
	_, err := fmt.Fprintf(a.stdout, "docket %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
