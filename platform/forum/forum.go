// Package forum is the plugin of the demo: topics and posts declared by a
// manifest, profiles by a report target in Go, and content to moderate
// (contract section 9). Nothing of it exists outside `docket demo`.
package forum

import (
	"context"
	"embed"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
	"github.com/pressly/goose/v3/lock"

	"github.com/docketmod/docket/domain/plugin"
	"github.com/docketmod/docket/domain/target"
)

//go:embed manifest.yaml
var manifest []byte

//go:embed migrations/*.sql
var tables embed.FS

// versions is where goose keeps what it applied of the forum, apart from Docket's own.
const versions = "forum_goose_db_version"

// Plugin declares the forum. The pool is for the reads of its own target.
func Plugin(pool *pgxpool.Pool) *plugin.Plugin {
	p := plugin.ParseManifest("forum/manifest.yaml", manifest)
	p.ReportTargets = []target.Definition{profileTarget(pool)}
	return p
}

// Migrate makes the forum's tables, once however many do it at a time. It is to
// run before the plugin is registered.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := fs.Sub(tables, "migrations")
	if err != nil {
		return fmt.Errorf("forum tables: %w", err)
	}
	store, err := database.NewStore(database.DialectPostgres, versions)
	if err != nil {
		return fmt.Errorf("forum tables: %w", err)
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return fmt.Errorf("forum tables: %w", err)
	}
	db := stdlib.OpenDBFromPool(pool)
	defer db.Close() // the pool stays open
	provider, err := goose.NewProvider("", db, files, goose.WithStore(store), goose.WithSessionLocker(locker))
	if err != nil {
		return fmt.Errorf("forum tables: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("forum tables: %w", err)
	}
	return nil
}
