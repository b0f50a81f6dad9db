package cmd

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/domain/registry"
)

// checkMigrations fails if migrations are pending; if migrate is set it applies them instead.
func checkMigrations(ctx context.Context, pool *pgxpool.Pool, log zerolog.Logger, migrate bool, plugins ...*registry.Declaration) error {
	if migrate {
		for _, s := range migrationSets(plugins) {
			applied, err := s.Up(ctx, pool)
			if n := len(applied); n > 0 {
				log.Info().Int("migrations", n).Str("last", s.label(applied[n-1])).Msg("migrated")
			}
			if err != nil {
				return s.wrap(err)
			}
		}
		return nil
	}
	current, err := allCurrent(ctx, pool, plugins)
	if err == nil && !current {
		err = errors.New("migrations are pending: run docket migrate up, or serve with --migrate")
	}
	return err
}

// allCurrent reports whether no migration is pending, of Docket's or of the plugins'.
func allCurrent(ctx context.Context, pool *pgxpool.Pool, plugins []*registry.Declaration) (bool, error) {
	for _, s := range migrationSets(plugins) {
		if current, err := s.Current(ctx, pool); err != nil || !current {
			return false, err
		}
	}
	return true, nil
}
