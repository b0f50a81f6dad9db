package fleet_test

import (
	"context"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/platform/fleet"
	"github.com/docketmod/docket/platform/platformtest"
)

func TestServersAreListedWhileTheyRun(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	pgtest.Exec(t, pool, `INSERT INTO core_servers (id, release, settings, handles, started_at, seen_at)
		SELECT gen_random_uuid(), release, '{}', '{}', now() - interval '1 year', now() - ago::interval
		FROM (VALUES ('killed', '3 minutes'), ('long gone', '25 hours')) v (release, ago)`)
	refreshed := make(chan struct{}, 1)
	run := func(s fleet.Server) (stop func()) {
		stop = platformtest.Run(t, func(ctx context.Context) {
			fleet.Run(ctx, pool, zerolog.Nop(), func() fleet.Server { return s }, func(context.Context) error { refreshed <- struct{}{}; return nil })
		})
		<-refreshed
		return stop
	}
	releases := func() (all []string) {
		servers, err := fleet.Living(t.Context(), pool)
		require.NoError(t, err)
		for _, s := range servers {
			require.WithinDuration(t, time.Now(), s.Started, time.Minute)
			all = append(all, s.Release)
		}
		return all
	}

	stopOld := run(fleet.Server{Release: "old", Settings: map[string]string{"SMTP_URL": "set", "plugins": "forum shop"}, Handles: []string{"core:mail"}})
	stopNew := run(fleet.Server{Release: "new", Settings: map[string]string{"SMTP_URL": "unset", "plugins": "forum"}})
	require.Equal(t, []string{"old", "new"}, releases())
	servers, err := fleet.Living(t.Context(), pool)
	require.NoError(t, err)
	require.Equal(t, []string{"SMTP_URL: set on 1, unset on 1", "plugins: forum on 1, forum shop on 1", "release: new on 1, old on 1", "task core:mail: taken on 1"}, fleet.Differences(servers))
	require.Empty(t, fleet.Differences(servers[:1]))

	plugins := func() []string {
		all, err := fleet.Plugins(t.Context(), pool)
		require.NoError(t, err)
		return all
	}
	require.Equal(t, []string{"forum", "shop"}, plugins())
	handled, err := fleet.Handled(t.Context(), pool)
	require.NoError(t, err)
	require.Equal(t, []string{"core:mail"}, handled)

	stopOld()
	require.Equal(t, []string{"forum"}, plugins())
	require.Equal(t, []string{"new"}, releases())
	stopNew()
	left := pgtest.One[[]string](t, pool, "SELECT array_agg(release) FROM core_servers")
	require.Equal(t, []string{"killed"}, left)
}
