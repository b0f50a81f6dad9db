// Package forum is the plugin of the demo: topics and posts declared by a manifest, profiles by a report target in Go,
// and content to moderate. Only `docket demo` has it. Other modules must not import it.
package forum

import (
	"embed"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/registry"
	"github.com/docketmod/docket/domain/target"
)

// ID is the forum's plugin id.
const ID = "forum"

//go:embed manifest.yaml
var manifest []byte

//go:embed migrations/*.sql
var tables embed.FS

// Tables returns the forum's migrations, as a file system.
func Tables() fs.FS {
	files, err := fs.Sub(tables, "migrations")
	if err != nil { // the folder is embedded above
		panic(err)
	}
	return files
}

// Plugin declares the forum. Its own target reads through the pool.
func Plugin(pool *pgxpool.Pool) *plugin.Plugin {
	p := registry.ParseManifest("forum/manifest.yaml", manifest)
	p.Targets = []target.Definition{profileTarget(pool)}
	p.Migrations = Tables()
	return &p.Plugin
}
