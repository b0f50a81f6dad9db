package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/docketmod/docket/migrations"
)

// templateLock is the advisory lock for creating templates: "docket" in ASCII.
const templateLock = 0x646f636b6574

// makeTemplate creates the template for this process's migrations unless another process has, and
// returns its name. The database is marked as a template last, so that an incomplete one is
// recognised.
func (s *testServer) makeTemplate() (name string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	name, err = templateName()
	if err != nil {
		return "", err
	}
	conn, err := pgx.ConnectConfig(ctx, s.maintenance.Config().ConnConfig)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", templateLock); err != nil {
		return "", fmt.Errorf("template lock: %w", err)
	}
	var done bool
	err = conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1 AND datistemplate)", name).Scan(&done)
	if err != nil || done {
		return name, err
	}
	for _, sql := range []string{
		"DROP DATABASE IF EXISTS " + quote(name) + " WITH (FORCE)",
		"CREATE DATABASE " + quote(name) + " TEMPLATE template0",
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return "", fmt.Errorf("make template: %w", err)
		}
	}
	if err := migrate(ctx, s.url(name)); err != nil {
		return "", fmt.Errorf("make template: %w", err)
	}
	// The first connection builds a cache of the catalog, and copies of the template come with it.
	first, err := pgx.Connect(ctx, s.url(name))
	if err != nil {
		return "", fmt.Errorf("make template: %w", err)
	}
	if err := first.Close(ctx); err != nil {
		return "", fmt.Errorf("make template: %w", err)
	}
	// From here on nobody may connect to it, or it could not be cloned.
	_, err = conn.Exec(ctx, "ALTER DATABASE "+quote(name)+" WITH IS_TEMPLATE true ALLOW_CONNECTIONS false")
	if err != nil {
		return "", fmt.Errorf("make template: %w", err)
	}
	return name, nil
}

func migrate(ctx context.Context, url string) error {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = migrations.Docket.Up(ctx, pool)
	return err
}

// templateName contains a digest of all migrations, so that checkouts with different
// ones share a server.
func templateName() (string, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	for _, name := range names {
		content, err := fs.ReadFile(migrations.FS, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(digest, "%s %d\n%s", name, len(content), content)
	}
	return "docket_template_" + hex.EncodeToString(digest.Sum(nil))[:16], nil
}
