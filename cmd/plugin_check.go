package cmd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/platform/content"
)

type pluginCommand struct {
	New   pluginNewCommand   `cmd:"" help:"Begin a plugin: a platform's manifest, or a module in Go."`
	Check pluginCheckCommand `cmd:"" help:"Validate plugin manifests together, with every fault."`
	Try   pluginTryCommand   `cmd:"" help:"Ask a plugin's platform its questions and print each answer with its faults."`
}

type pluginCheckCommand struct {
	Files  []string `arg:"" name:"file" help:"Manifests: files or folders."`
	Tables bool     `help:"Check tables and columns also in the private database, if DATABASE_URL is not set."`
}

// Run prints every fault as FILE:LINE: path: message. With a database it also checks the
// tables and columns that the manifests name.
func (c *pluginCheckCommand) Run(ctx context.Context, a *app) error {
	plugins := readManifests(c.Files)
	if len(plugins) == 0 {
		return fmt.Errorf("there are no manifests in %s", strings.Join(c.Files, ", "))
	}
	var err error
	switch {
	case a.environment["DATABASE_URL"] != "" || c.Tables:
		err = a.withDatabase(ctx, func(db *Database) error {
			_, err := registry.Register(ctx, registry.Deps{Content: content.NewStore(db.Pool)}, plugins...)
			return err
		})
	default:
		err = registry.Check(plugins...)
		if slices.ContainsFunc(plugins, func(d *registry.Declaration) bool { return len(d.ContentTypes)+len(d.Families) > 0 }) {
			fmt.Fprintln(a.stderr, "Tables and columns were not checked: set DATABASE_URL, or give --tables in local mode.")
		}
	}
	var faults registry.Faults
	if !errors.As(err, &faults) {
		a.printNotes(registry.NotKept(plugins...))
		a.printNotes(registry.Unlabelled(plugins...))
		a.printNotes(registry.Ungranted(plugins...))
		return err
	}
	for _, f := range faults {
		fmt.Fprintln(a.stdout, f)
	}
	return fmt.Errorf("%s in %s", counted(len(faults), "fault"), counted(len(plugins), "manifest"))
}

func (a *app) printNotes(notes registry.Faults) {
	for _, note := range notes {
		fmt.Fprintln(a.stderr, "note:", note)
	}
}

// counted writes a number of things in English.
func counted[N int | int64](n N, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
