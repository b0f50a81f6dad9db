package projections_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a command that waits for one by a server of the release before, when that has ended,
// then it decides by the event that it had not seen when it began to wait.
func TestACommandThatWaitedForTheReleaseBeforeSeesItsEvents(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	id := h.File(t, 0, "1")
	tx := pgtest.Begin(t, h.Pool)
	pgtest.Exec(t, tx, `UPDATE core_moderation_reports SET sequence = 2, version = 2 WHERE id = $1`, id)
	pgtest.Exec(t, tx, `INSERT INTO core_moderation_report_events (event_id, report_id, sequence, version, type, payload, occurred_at, prev_hash, hash)
		VALUES ($1, $2, 2, 2, 'action', '{"action":"hide"}', now(), '', '')`, uuid.New(), id)

	var decidedOn report.State
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) {
			decidedOn = s
			return report.DecideClaim(s, h.Users[1], s.Version)
		})
	}()
	pgtest.AwaitLock(t, h.Pool)
	require.NoError(t, tx.Commit(t.Context()))
	<-done
	require.Equal(t, []string{"hide"}, decidedOn.Standing)
	stored := pgtest.One[string](t, h.Pool, `SELECT standing::text || ' ' || (folded = sequence)::text FROM core_moderation_reports WHERE id = $1`, id)
	require.Equal(t, `["hide"] true`, stored)
}
