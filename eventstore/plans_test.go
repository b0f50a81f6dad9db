package eventstore_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func TestCommandsAreNotPlannedAnew(t *testing.T) {
	t.Parallel()
	pool := pgtest.Open(t, pgtest.URL(t), postgres.Options{MaxConns: 1})
	b := bundleOn(pool)
	user := b.users(t, 1)[0]

	for range report.FilingsPerHour {
		s := b.file(t, user, uuid.NewString())
		note := decide(func(report.State) ([]report.Fact, error) {
			return report.DecideAddNote(uuid.NewString(), report.NoteBody{Kind: report.TextNote, JSON: []byte(`"a note"`)}), nil
		})
		_, err := b.store.Update(t.Context(), moderation.Ref{ReportID: s.ID}, &user, claim(user, s.Version))
		require.NoError(t, err)
		after, err := b.store.Update(t.Context(), moderation.Ref{ReportID: s.ID}, &user, note)
		require.NoError(t, err)
		_, err = b.store.Update(t.Context(), moderation.Ref{ReportID: s.ID}, &user, resolve(after.Version))
		require.NoError(t, err)
	}

	require.Empty(t, pgtest.PlannedAnew(t, pool))
	generic := pgtest.One[int](t, pool, `SELECT min(generic_plans) FROM pg_prepared_statements
		WHERE statement LIKE 'SELECT pg_advisory_xact_lock%' OR statement LIKE 'INSERT INTO core_moderation_reports%'`)
	require.Equal(t, report.FilingsPerHour, generic, "statements with arrays")
	mode := pgtest.One[string](t, pool, `SHOW plan_cache_mode`)
	require.Equal(t, "auto", mode, "lists, whose plans depend on values, run on the same connections")
}
