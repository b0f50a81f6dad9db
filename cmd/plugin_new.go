package cmd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/docketmod/docket/scripts"
)

type pluginNewCommand struct {
	Name string `arg:"" help:"The plugin's id: lower case letters, digits and _. A folder of that name is made here."`
	Go   bool   `help:"Begin a plugin in Go, a module of its own, instead of a platform's manifest."`
}

var newPluginName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,30}$`)

// Run writes the example under the new name. It overwrites no file.
func (c *pluginNewCommand) Run(a *app) error {
	if !newPluginName.MatchString(c.Name) {
		return fmt.Errorf("%q cannot be the name of a new plugin: it must be up to 31 lower case letters, digits and _, and begin with a letter", c.Name)
	}
	if err := os.Mkdir(c.Name, 0o755); err != nil {
		return fmt.Errorf("folder for the plugin: %w", err)
	}
	if !c.Go {
		if err := c.write("hosts/node/shop.yaml", c.Name+".yaml"); err != nil {
			return err
		}
		fmt.Fprintf(a.stdout, "%[1]s/%[1]s.yaml connects a platform; docs/plugins.md says which routes it needs.\n\n"+
			"  export %[2]s_SECRET=whsec_$(openssl rand -base64 32)    # the platform needs it, too\n"+
			"  export DOCKET_WEBHOOK_ALLOW_PRIVATE=true    # for a platform on this machine\n"+
			"  docket plugin check %[1]s/%[1]s.yaml\n  docket plugin try %[1]s/%[1]s.yaml --id 1\n  docket demo --plugin %[1]s/%[1]s.yaml\n", c.Name, strings.ToUpper(c.Name))
		return nil
	}
	const example = "plugins/shop"
	err := fs.WalkDir(scripts.Examples, example, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return c.write(path, strings.TrimPrefix(path, example+"/"))
	})
	if err != nil {
		return err
	}
	module := fmt.Sprintf("module example.com/%s\n\ngo 1.26\n", c.Name)
	if err := os.WriteFile(filepath.Join(c.Name, "go.mod"), []byte(module), 0o644); err != nil {
		return fmt.Errorf("write the module: %w", err)
	}
	clone := ""
	if !releaseVersion.MatchString(versionText()) {
		clone = "  go mod edit -replace github.com/docketmod/docket=PATH    # PATH is your clone: this docket is not of a release\n"
	}
	fmt.Fprintf(a.stdout, "%[1]s is a server with your plugin:\n\n  cd %[1]s\n%[2]s  go mod tidy\n  go test .\n  go run . demo\n", c.Name, clone)
	return nil
}

var (
	exampleName    = regexp.MustCompile(`\b(shop)(_|\b)`)
	releaseVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)
)

// write copies a file of the example, with the example's name replaced by the plugin's.
func (c *pluginNewCommand) write(from, to string) error {
	text, err := fs.ReadFile(scripts.Examples, from)
	if err != nil {
		return fmt.Errorf("read the example: %w", err)
	}
	to = filepath.Join(c.Name, filepath.FromSlash(to))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return fmt.Errorf("folder for the plugin: %w", err)
	}
	renamed := strings.ReplaceAll(exampleName.ReplaceAllString(string(text), c.Name+"$2"), "SHOP_", strings.ToUpper(c.Name)+"_")
	return os.WriteFile(to, []byte(renamed), 0o644)
}
