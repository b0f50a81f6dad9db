package statistics_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/rs/zerolog"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections/projector"
	"github.com/docketmod/docket/projections/statistics"
)

var everything = permission.Coverage{All: true}

func newProjector(h *logtest.Database) *projector.Projector {
	return projector.New(h.Pool, zerolog.Nop(), prometheus.NewRegistry(), statistics.Projections...)
}

// rows is a live build's table, as text.
func rows(t *testing.T, h *logtest.Database, name string) []string {
	t.Helper()
	builds, err := projector.Builds(t.Context(), h.Pool)
	require.NoError(t, err)
	for _, b := range builds {
		if b.Name == name && b.State == "live" {
			return table(t, h, fmt.Sprintf("core_projected_%s_%d", name, b.Build))
		}
	}
	return nil
}

func table(t *testing.T, h *logtest.Database, table string) []string {
	t.Helper()
	return pgtest.All[string](t, h.Pool, `SELECT t::text FROM `+table+` t ORDER BY 1`)
}

func TestFiguresOfAReportsLife(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	stats := statistics.NewReader(h.Pool)
	none, err := stats.Reporter(t.Context(), everything, h.Users[0])
	require.NoError(t, err)
	require.Zero(t, none, "before anything is built")

	// Given one report filed at noon, claimed ten minutes later, decided after an
	// hour, reopened on the next day and decided otherwise; and one left open.
	id := h.File(t, 0, "1")
	h.Wait(10 * time.Minute)
	h.Claim(t, id, 1)
	h.Note(t, id, 1, uuid.NewString())
	h.Wait(50 * time.Minute)
	h.Resolve(t, id, 1, report.NoViolation)
	h.File(t, 0, "2")
	h.Wait(24 * time.Hour)
	h.Reopen(t, id, 1)
	h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) { return []report.Fact{report.ActionOn(s, "hide", "")}, nil })
	h.Resolve(t, id, 1, report.ActionTaken)
	h.Follow(t, statistics.Projections...)

	record, err := stats.Reporter(t.Context(), everything, h.Users[0])
	require.NoError(t, err)
	require.Equal(t, statistics.Record{Filed: 2, Open: 1, Upheld: 1}, record)
	target, err := stats.Target(t.Context(), everything, "forum", "forum.post", "1")
	require.NoError(t, err)
	require.Equal(t, statistics.TargetRecord{Record: statistics.Record{Filed: 1, Upheld: 1}, Actions: 1}, target)

	ten, hour, twentyFive, thirteen := 600.0, 3600.0, 25*3600.0, 13*3600.0
	days, total, err := stats.Daily(t.Context(), everything, statistics.DayFilter{Since: h.Clock().AddDate(0, 0, -7), Until: h.Clock()})
	require.NoError(t, err)
	first := statistics.Figures{Opened: 2, FirstActions: 1, FirstAction: &ten, Decided: 1, NotUpheld: 1, Decision: &hour}
	second := statistics.Figures{Decided: 1, Upheld: 1, Decision: &twentyFive, Reopened: 1, Actions: 1}
	require.Equal(t, []statistics.Day{{Day: "2026-03-01", Figures: first}, {Day: "2026-03-02", Figures: second}}, days)
	require.Equal(t, statistics.Figures{Opened: 2, FirstActions: 1, FirstAction: &ten, Decided: 2, Upheld: 1, NotUpheld: 1,
		Decision: &thirteen, Reopened: 1, Actions: 1}, total)

	// A moderator of another module sees nothing of it.
	other := permission.Coverage{Modules: []permission.ModuleCoverage{{Plugin: "forum", Module: "topics", Whole: true}}}
	record, err = stats.Reporter(t.Context(), other, h.Users[0])
	require.NoError(t, err)
	require.Zero(t, record)
	days, _, err = stats.Daily(t.Context(), other, statistics.DayFilter{Since: h.Clock().AddDate(0, 0, -7), Until: h.Clock()})
	require.NoError(t, err)
	require.Empty(t, days)

	// A deleted account has no record.
	for _, target := range []string{"1", "2"} {
		id := pgtest.One[string](t, h.Pool, `SELECT id::text FROM core_moderation_reports WHERE target_id = $1`, target)
		h.Do(t, id, 1, func(s report.State) ([]report.Fact, error) {
			return report.DecideRemoveAccount(h.Users[0]), nil
		})
	}
	h.Follow(t, statistics.Projections...)
	require.Empty(t, rows(t, h, "reporters"))
}

func TestEachEventIsProjectedOnceByManyProjectors(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	ctx, stop := context.WithCancel(context.Background())
	var servers sync.WaitGroup
	for range 3 {
		sealer := eventstore.NewSealer(h.Pool, zerolog.Nop(), func(int64) {})
		projector := newProjector(h)
		servers.Go(func() { sealer.Run(ctx) })
		servers.Go(func() { projector.Run(ctx) })
	}
	// One that is killed over and over.
	servers.Go(func() {
		for ctx.Err() == nil {
			short, cancel := context.WithTimeout(ctx, 7*time.Millisecond)
			newProjector(h).Run(short)
			cancel()
		}
	})
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 15 {
				h.Worked(t, w, fmt.Sprint(w, i))
			}
		})
	}
	writers.Wait()
	require.Eventually(t, func() bool {
		status, err := projector.Status(ctx, h.Pool, time.Now())
		if err != nil || len(status) != len(statistics.Projections) {
			return false
		}
		for _, s := range status {
			if s.State != "live" || s.Position != 4*15*7 {
				return false
			}
		}
		return true
	}, 30*time.Second, 20*time.Millisecond)
	stop()
	servers.Wait()

	// Then a build from the start counts the same.
	names := []string{"targets", "reporters", "daily", "policies"}
	before := map[string][]string{}
	for _, name := range names {
		before[name] = rows(t, h, name)
		require.NotEmpty(t, before[name])
		require.NoError(t, projector.StartBuild(t.Context(), h.Pool, find(t, name), false))
	}
	h.CatchUp(t, statistics.Projections...)
	for _, name := range names {
		require.Equal(t, before[name], rows(t, h, name), name)
	}
	builds, err := projector.Builds(t.Context(), h.Pool)
	require.NoError(t, err)
	require.Len(t, builds, 2*len(names), "the builds before are retired, and readers have time to leave them")
	for _, b := range builds {
		require.Equal(t, b.Build == 2, b.State == "live")
	}
}

func TestANewVersionIsBuiltBesideTheOldOne(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.Worked(t, 0, "1")
	h.Follow(t, statistics.Projections...)
	old := find(t, "targets")
	next := old
	next.Version++

	// Given a new version that is not built yet: readers keep the old one, of
	// whichever version they are, and old servers keep it up.
	require.NoError(t, projector.StartBuild(t.Context(), h.Pool, next, true))
	require.Len(t, rows(t, h, "targets"), 1)
	h.Worked(t, 0, "2")
	h.Seal(t)
	h.CatchUp(t, old)
	require.Len(t, rows(t, h, "targets"), 2)

	// When the new one has caught up it takes over, and the old one goes on.
	h.CatchUp(t, next)
	h.Worked(t, 0, "3")
	h.Seal(t)
	h.CatchUp(t, old)
	require.Len(t, table(t, h, "core_projected_targets_1"), 3)
	require.Len(t, table(t, h, "core_projected_targets_2"), 2)
	require.Len(t, rows(t, h, "targets"), 2, "the live one is the new version's")
	record, err := statistics.NewReader(h.Pool).Target(t.Context(), everything, "forum", "forum.post", "3")
	require.NoError(t, err)
	require.EqualValues(t, 1, record.Filed, "old code reads the build of its version")
}

func TestPoisonPausesAProjectionAndIsNeverSkipped(t *testing.T) {
	t.Parallel()
	for name, harm := range map[string]struct{ do, undo string }{
		"an event that cannot be read": {`UPDATE core_moderation_report_events SET type = 'unheard of' WHERE type = 'resolved'`,
			`UPDATE core_moderation_report_events SET type = 'resolved' WHERE type = 'unheard of'`},
		"an event that is missing": {`WITH gone AS (DELETE FROM core_moderation_report_events WHERE type = 'resolved' RETURNING *)
			SELECT * INTO TABLE kept FROM gone`, `INSERT INTO core_moderation_report_events SELECT * FROM kept`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := logtest.New(t)
			id := h.File(t, 0, "1")
			h.Claim(t, id, 1)
			h.Resolve(t, id, 1, report.Duplicate)
			h.Reopen(t, id, 1)
			h.Seal(t)
			h.SQL(t, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`)
			h.SQL(t, harm.do)
			h.Follow(t, statistics.Projections...)
			status, err := projector.Status(t.Context(), h.Pool, h.Clock())
			require.NoError(t, err)
			for _, s := range status {
				require.EqualValues(t, 2, s.Position, "all before the poison")
				require.EqualValues(t, 2, s.Behind)
				require.NotNil(t, s.PausedAt)
				require.Contains(t, *s.PausedWhy, "position 3")
			}
			h.Follow(t, statistics.Projections...) // and stays there

			h.SQL(t, harm.undo)
			for _, p := range statistics.Projections {
				require.NoError(t, projector.Resume(t.Context(), h.Pool, p.ID()))
			}
			h.Follow(t, statistics.Projections...)
			status, err = projector.Status(t.Context(), h.Pool, h.Clock())
			require.NoError(t, err)
			for _, s := range status {
				require.EqualValues(t, 4, s.Position)
				require.Equal(t, "live", s.State)
			}
			record, err := statistics.NewReader(h.Pool).Reporter(t.Context(), everything, h.Users[0])
			require.NoError(t, err)
			require.Equal(t, statistics.Record{Filed: 1, Open: 1}, record)
		})
	}
}
