package main

import (
	"os"

	"github.com/docketmod/docket/cmd"
)

// sources returns the plugins that the variable PLUGINS names, so that one program serves every test: deaf, gallery,
// or by default shop and stats.
func sources(shop cmd.Source) []cmd.Source {
	switch os.Getenv("PLUGINS") {
	case "deaf":
		return []cmd.Source{deaf}
	case "gallery":
		return []cmd.Source{gallery}
	default:
		return []cmd.Source{shop, stats}
	}
}
