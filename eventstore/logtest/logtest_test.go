package logtest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
)

// What Fill leaves is as commands would have left it.
func TestFilledLogIsWhole(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	h := logtest.History{Reports: 30, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Target: func(i int) report.Target {
		return report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint(i), PermissionModule: "posts"}
	}}
	for i := range 6 {
		id := uuid.NewString()
		_, err := pool.Exec(t.Context(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, id, fmt.Sprint(i))
		require.NoError(t, err)
		h.Reporters, h.Moderators = append(h.Reporters, id), append(h.Moderators, id)
	}

	events, err := logtest.Fill(t.Context(), pool, h)

	require.NoError(t, err)
	require.EqualValues(t, 100, events)
	done, err := (&projections.Rebuilder{Pool: pool}).Rebuild(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 30, done.Rewritten)
	sealer := eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {})
	more, err := sealer.Seal(t.Context())
	require.NoError(t, err)
	require.Zero(t, more, "all is sealed")
	audited, err := (&proof.Auditor{Pool: pool, Sealer: sealer, Workers: 1, Found: func(f proof.Finding) { t.Error(f) }}).Verify(t.Context())
	require.NoError(t, err)
	require.Equal(t, proof.Audited{Reports: 30, Positions: 100}, audited)
}
