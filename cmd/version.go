package cmd

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is the tag, which the Makefile and releases set. It is empty in a binary of go install, which has its
// module's version.
var version = ""

type versionCommand struct{}

// Run prints the version, and the commit and its time where the binary was built in a
// clone.
func (versionCommand) Run(a *app) error {
	info, _ := debug.ReadBuildInfo()
	_, err := fmt.Fprintf(a.stdout, "docket %s%s %s %s/%s\n", versionText(), revisionText(info), runtime.Version(), runtime.GOOS, runtime.GOARCH)
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

// revisionText returns the commit of the build and its time, or "" where the build does not know them.
func revisionText(info *debug.BuildInfo) string {
	if info == nil {
		return ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	if settings["vcs.revision"] == "" {
		return ""
	}
	changed := ""
	if settings["vcs.modified"] == "true" {
		changed = ", changed"
	}
	return fmt.Sprintf(" (commit %.12s%s, %s)", settings["vcs.revision"], changed, settings["vcs.time"])
}
