package seconds

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// However many answers are known, few of them are read to choose one, and any may be chosen.
func TestAKnownAnswerIsChosenWithoutReadingAll(t *testing.T) {
	t.Parallel()
	d, _ := logtest.NewLong(t, 1500)
	_, err := projections.Inline{}.Rebuild(t.Context(), d.Pool, projector.Options{})
	require.NoError(t, err)
	pgtest.Exec(t, d.Pool, `INSERT INTO core_seconds (id, decision_id, report_id, drawn_by, decided_at, decided_by, resolution, status)
		SELECT gen_random_uuid(), event_id, report_id, 1, occurred_at, actor_id, 'no_violation', 'agreed' FROM core_moderation_report_events WHERE type = 'resolved'`)
	pgtest.Exec(t, d.Pool, `VACUUM ANALYZE core_seconds, core_moderation_report_events, core_moderation_reports`)
	require.Greater(t, pgtest.One[int](t, d.Pool, `SELECT count(*) FROM core_seconds`), 900)
	tx := pgtest.Begin(t, d.Pool)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	read := func() int {
		return pgtest.One[int](t, tx, `SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_xact_user_tables WHERE relname = 'core_seconds'`)
	}
	before := read()
	all := permission.Coverage{All: true}
	chosen := map[choice]bool{}
	for range 10 {
		one, err := New(d.Pool, d.Pool, "").choose(t.Context(), tx, true, all, all, uuid.NewString())
		require.NoError(t, err)
		chosen[*one] = true
	}
	require.Greater(t, len(chosen), 5)
	require.Less(t, read()-before, 500)
}
