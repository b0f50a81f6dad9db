package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/second"
	"github.com/docketmod/docket/eventstore/ledger"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/platform/quality"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/seconds"
)

// Given 10,000 decisions, the program draws from an exported log exactly what Docket drew, and within 5 % of
// the rate; in CI, which runs often, 1,000 and 15 %.
func TestTheDrawIsDrawnAgainFromAnExportedLog(t *testing.T) {
	t.Parallel()
	reports, atLeast, tolerance := 15_200, 10_000, 0.05
	if testing.Short() {
		reports, atLeast, tolerance = 1_520, 1_000, 0.15
	}
	l, _ := logtest.NewLong(t, reports)
	l.SQL(t, `INSERT INTO core_quality (version, percent, golden, in_force) VALUES (1, 50, 0, '2000-01-01')`)
	folder := proof.Folder{Path: t.TempDir()}
	var notes bytes.Buffer
	keep := func() {
		l.Seal(t)
		c, _, err := folder.Take(t.Context(), l.Pool)
		require.NoError(t, err)
		notes.Write(c.Note)
	}
	keep()
	decisions := pgtest.One[int](t, l.Pool, `SELECT count(*) FROM core_moderation_report_events WHERE type = 'resolved' AND actor_id IS NOT NULL`)
	require.GreaterOrEqual(t, decisions, atLeast)
	l.Wait(pgtest.One[time.Time](t, l.Pool, `SELECT max(occurred_at) FROM core_moderation_report_events`).Sub(l.Clock()) + time.Hour)
	versions, err := quality.New(l.Pool, ledger.Ledger{Now: l.Clock}).Set(t.Context(), l.Users[0], second.Settings{Percent: 100})
	require.NoError(t, err)
	for i := range 3 { // two of them by one checkpoint
		l.Wait(time.Minute)
		l.Resolve(t, l.File(t, i, "later"), 3, report.NoViolation)
		if i > 0 {
			keep()
		}
	}
	require.NoError(t, projector.New(l.Pool, zerolog.Nop(), prometheus.NewRegistry(), seconds.Projection).CatchUp(t.Context()))
	want := pgtest.One[string](t, l.Pool, `SELECT string_agg(s.decision_id::text, ' ' ORDER BY l.position) FROM core_seconds s JOIN core_moderation_log l ON l.event_id = s.decision_id`)

	var log bytes.Buffer
	_, err = proof.Export{}.Write(t.Context(), l.Pool, &log)
	require.NoError(t, err)
	settings, err := json.Marshal(map[string]any{"history": versions})
	require.NoError(t, err)
	drawn, err := draw(&log, notes.String(), settings)
	require.NoError(t, err)
	require.Equal(t, want, strings.Join(drawn, " "))
	require.InEpsilon(t, float64(decisions)/2+3, len(drawn), tolerance)
}
