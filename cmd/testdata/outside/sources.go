package main

import (
	"os"

	"github.com/docketmod/docket/cmd"
)

// sources are the plugins that a test asks for by PLUGINS, with shop or others: one program serves
// every test.
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
