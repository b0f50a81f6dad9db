package history_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/cases"
	"github.com/docketmod/docket/projections/counts"
	"github.com/docketmod/docket/projections/fingerprints"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
	"github.com/docketmod/docket/scripts/fill/history"
)

// What Log leaves is as commands would have left it.
func TestLogIsWhole(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	h := history.History{Reports: 30, Start: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), Target: func(i int) report.Target {
		return report.Target{PluginID: "forum", Type: "forum.post", ID: fmt.Sprint(i), PermissionModule: "posts"}
	}}
	for i := range 6 {
		id := uuid.NewString()
		pgtest.Exec(t, pool, `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, id, fmt.Sprint(i))
		h.Reporters, h.Moderators = append(h.Reporters, id), append(h.Moderators, id)
	}

	events, err := history.Log(t.Context(), pool, h)

	require.NoError(t, err)
	require.EqualValues(t, 100, events)
	done, err := projections.Inline{}.Rebuild(t.Context(), pool, projector.Options{})
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

// A filled forum passes every verification, and its tables keep their indexes, keys and
// triggers.
func TestForumIsWhole(t *testing.T) {
	t.Parallel()
	pool := pgtest.New(t)
	ctx := t.Context()
	schema := func() (all []string) {
		return pgtest.All[string](t, pool, `SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid::regclass::text LIKE 'core\_%'
			UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid::regclass::text LIKE 'core\_%'
			UNION ALL SELECT tgname || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1`)
	}
	key := logtest.NewKey(t)
	_, err := history.Forum(ctx, pool, history.Size{Reports: 30, Cases: 30}, key, nil) // makes the builds of the projections
	require.NoError(t, err)
	before := schema()

	events, err := history.Forum(ctx, pool, history.Size{Reports: 300, Cases: 20}, key, nil)

	require.NoError(t, err)
	require.EqualValues(t, 1000, events)
	require.Equal(t, before, schema())
	sealer := eventstore.NewSealer(pool, zerolog.Nop(), func(int64) {})
	audited, err := (&proof.Auditor{Pool: pool, Sealer: sealer, Workers: 1, Keys: []string{key.Public}, Found: func(f proof.Finding) { t.Error(f) }}).Verify(ctx)
	require.NoError(t, err)
	require.Equal(t, proof.Audited{Reports: 330, Positions: 1100, SignedFrom: 1}, audited)
	p := projector.New(pool, zerolog.Nop(), prometheus.NewRegistry(), append([]projector.Projection{projections.Inline{}, cases.Projection, counts.Projection, fingerprints.Projection}, statistics.Projections...)...)
	compared := map[string]int64{}
	for _, projection := range slices.Concat(p.Select("")...) {
		r, err := projection.Verify(ctx, pool, projector.Options{Found: func(difference string) { t.Error(difference) }})
		require.NoError(t, err)
		require.Zero(t, r.Wrong, projection.ID())
		require.Equal(t, projection.ID() != "policies", r.Compared != 0, "%s; no decision cites a policy", projection.ID())
		compared[projection.ID()] = r.Compared
	}
	require.Equal(t, []int64{330, 330, 30*3/6 + 20}, []int64{compared["reports"], compared["counts"], compared["cases"]})
}

func TestForumRefusesSizes(t *testing.T) {
	t.Parallel()
	for _, size := range []history.Size{{}, {Reports: -1}, {Reports: 1, Cases: 2}, {Reports: 1, Cases: -1}} {
		_, err := history.Forum(t.Context(), nil, size, nil, nil)
		require.Error(t, err)
	}
}
