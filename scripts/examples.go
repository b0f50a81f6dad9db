// Package scripts holds the examples that docket plugin new copies. Other modules must not import it.
package scripts

import "embed"

// Examples has the plugin in Go under plugins/shop, and a platform's manifest.
//
//go:embed plugins/shop hosts/node/shop.yaml
var Examples embed.FS
