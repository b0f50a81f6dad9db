// Package fleet lists the servers that run on a database, so that operators see their differences, and which tasks no
// server handles. Servers of releases before this package are not in the list. Other modules must not import it.
package fleet

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/rs/zerolog"

	"github.com/docketmod/docket/eventstore/postgres"
)

// Server describes a server. It contains no secrets.
type Server struct {
	ID       string
	Release  string
	Settings map[string]string // settings that should be the same everywhere, by name
	Handles  []string          // the tasks that it handles, as plugin:name
	Started  time.Time         // by the database's clock, as is Seen
	Seen     time.Time
}

// beat is how often a server confirms that it runs. It counts as gone after it missed three.
const beat = 30 * time.Second

// Alive is the SQL condition on core_servers for running servers.
const Alive = `seen_at > now() - interval '2 minutes'`

// Run keeps the server in the list, as describe returns it, until ctx ends, and calls refresh each time. Run sets the
// server's ID and times.
func Run(ctx context.Context, pool *pgxpool.Pool, log zerolog.Logger, describe func() Server, refresh func(context.Context) error) {
	id := uuid.Must(uuid.NewV7()).String()
	ticker := time.NewTicker(beat)
	defer ticker.Stop()
	for {
		s := describe()
		s.ID = id
		err := announce(ctx, pool, s)
		if err == nil {
			err = refresh(ctx)
		}
		if err != nil && ctx.Err() == nil {
			log.Warn().Err(err).Msg("this server could not confirm that it runs")
		}
		select {
		case <-ticker.C:
			continue
		case <-ctx.Done():
		}
		leaving, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		// A row that stays behind counts as gone in two minutes.
		_ = postgres.Exec(leaving, pool, "leave the list of servers", "DELETE FROM core_servers WHERE id = $1", id)
		return
	}
}

// announce confirms that the server runs, and deletes the rows of servers that have been gone for a day.
func announce(ctx context.Context, db postgres.Execer, s Server) error {
	return postgres.Exec(ctx, db, "announce the server", `
WITH gone AS (DELETE FROM core_servers WHERE seen_at < now() - interval '1 day' AND id <> $1)
INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at) VALUES ($1, $2, $3, coalesce($4::text[], '{}'), now(), now())
ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at, handles = excluded.handles`, s.ID, s.Release, s.Settings, s.Handles)
}

// Forget empties the list in a copy of a database, since its servers run on the original.
func Forget(ctx context.Context, db postgres.Execer) error {
	return postgres.Exec(ctx, db, "forget the servers", "DELETE FROM core_servers")
}

// Handled returns the tasks that servers handle, as plugin:name, including those of servers that vanished less than a
// day ago.
func Handled(ctx context.Context, db postgres.Querier) ([]string, error) {
	return postgres.Collect(ctx, db, "list what servers take", pgx.RowTo[string], "SELECT DISTINCT unnest(handles) FROM core_servers")
}

// Plugins returns the plugins of the running servers, each once.
func Plugins(ctx context.Context, db postgres.Querier) ([]string, error) {
	return postgres.Collect(ctx, db, "list the plugins of servers", pgx.RowTo[string],
		"SELECT DISTINCT unnest(string_to_array(settings->>'plugins', ' ')) FROM core_servers WHERE "+Alive+" ORDER BY 1")
}

// Living returns the running servers, the oldest first.
func Living(ctx context.Context, db postgres.Querier) ([]Server, error) {
	return postgres.Collect(ctx, db, "list servers", pgx.RowToStructByPos[Server],
		"SELECT id::text, release, settings, handles, started_at, seen_at FROM core_servers WHERE "+Alive+" ORDER BY started_at, id")
}
