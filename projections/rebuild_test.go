package projections_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/platform/postgres/pgtest"
	"github.com/docketmod/docket/projections"
)

// history is a database whose reports came about through the log.
type history struct {
	pool  *pgxpool.Pool
	store *eventstore.Store
	users []string
	now   time.Time
	mu    sync.Mutex
}

func newHistory(t *testing.T) *history {
	t.Helper()
	return newHistoryOf(t)
}

func newHistoryOf(t testing.TB) *history {
	t.Helper()
	h := &history{pool: pgtest.New(t), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	h.store = eventstore.New(h.pool, projections.Inline{}, nil, h.clock, func() {})
	for i := range 4 {
		h.users = append(h.users, uuid.Must(uuid.NewV7()).String())
		_, err := h.pool.Exec(context.Background(), `INSERT INTO core_users (id, name, created_at) VALUES ($1, $2, now())`, h.users[i], fmt.Sprint("User ", i))
		require.NoError(t, err)
	}
	return h
}

func (h *history) clock() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *history) wait(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

func (h *history) file(t require.TestingT, reporter int, target string) string {
	description := "why " + target
	s, err := h.store.File(context.Background(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: target, PermissionModule: "posts"},
		Locale: "en", RequestedLocale: "en", Reason: report.Abusive, ReporterID: h.users[reporter],
		Words: report.CreatedWords{Description: &description, ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[]}`)},
	}})
	require.NoError(t, err)
	return s.ID
}

func (h *history) do(t require.TestingT, id string, user int, decide func(report.State) ([]report.Fact, error)) {
	_, err := h.store.Update(context.Background(), moderation.Ref{ReportID: id}, &h.users[user],
		func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (moderation.Change, error) {
			facts, err := decide(l.State)
			return moderation.Change{Facts: facts}, err
		})
	require.NoError(t, err)
}

func (h *history) claim(t require.TestingT, id string, user int) {
	h.do(t, id, user, func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, h.users[user], s.Version) })
}

func (h *history) note(t require.TestingT, id string, user int, noteID string) {
	h.do(t, id, user, func(report.State) ([]report.Fact, error) {
		return report.DecideAddNote(noteID, report.NoteBody{Kind: report.TextNote, JSON: []byte(`"a note"`)}), nil
	})
}

func (h *history) resolve(t require.TestingT, id string, user int, resolution report.Resolution) {
	h.do(t, id, user, func(s report.State) ([]report.Fact, error) {
		explanation := "because"
		return report.DecideResolve(s, report.Resolve{Resolution: resolution, Explanation: &explanation}, s.Version)
	})
}

func (h *history) reopen(t require.TestingT, id string, user int) {
	h.do(t, id, user, func(s report.State) ([]report.Fact, error) { return report.DecideReopen(s, "wrong", s.Version) })
}

// worked files a report that has been through everything.
func (h *history) worked(t require.TestingT, reporter int, target string) string {
	id := h.file(t, reporter, target)
	h.claim(t, id, 1)
	h.note(t, id, 1, uuid.NewString())
	h.resolve(t, id, 1, report.Duplicate)
	h.reopen(t, id, 2)
	h.note(t, id, 2, uuid.NewString())
	h.resolve(t, id, 2, report.ActionTaken)
	return id
}

func (h *history) sql(t *testing.T, sql string, args ...any) {
	t.Helper()
	_, err := h.pool.Exec(context.Background(), sql, args...)
	require.NoError(t, err)
}

// dump is everything that is projected inline, as text.
func (h *history) dump(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, table := range []string{"core_moderation_reports", "core_moderation_report_notes"} {
		rows, err := h.pool.Query(context.Background(), `SELECT t::text FROM `+table+` t ORDER BY id`)
		require.NoError(t, err)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		all = append(all, lines...)
	}
	return all
}

func TestVerifyNamesWhatIsWrongAndRebuildMendsIt(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		harm   string
		fields []string
	}{
		{"status", `UPDATE core_moderation_reports SET status = 'new' WHERE id = $1`, []string{"Status"}},
		{"description", `UPDATE core_moderation_reports SET description = 'other' WHERE id = $1`, []string{"Description"}},
		{"snapshot", `UPDATE core_moderation_reports SET snapshot = '{}' WHERE id = $1`, []string{"Snapshot"}},
		{"a null snapshot", `UPDATE core_moderation_reports SET snapshot = NULL WHERE id = $1`, []string{"Snapshot"}},
		{"sequence and time", `UPDATE core_moderation_reports SET sequence = 99, updated_at = now() WHERE id = $1`, []string{"Sequence", "UpdatedAt"}},
		{"open key", `UPDATE core_moderation_reports SET open_key = 'x' WHERE id = $1`, []string{"OpenKey"}},
		{"search", `UPDATE core_moderation_reports SET search = '' WHERE id = $1`, []string{"Search"}},
		{"the text of a note", `UPDATE core_moderation_report_notes SET body = '"other"' WHERE report_id = $1`, []string{"Notes"}},
		{"a note is missing", `DELETE FROM core_moderation_report_notes WHERE report_id = $1`, []string{"Notes"}},
		{"a note too many", `INSERT INTO core_moderation_report_notes (id, report_id, kind, created_at) VALUES (gen_random_uuid(), $1, 'text', now())`, []string{"Notes"}},
		{"the row is missing", `DELETE FROM core_moderation_reports WHERE id = $1`, []string{"Row"}},
	}
	h := newHistory(t)
	h.worked(t, 0, "before")
	id := h.worked(t, 0, "1")
	h.file(t, 0, "after")
	before := h.dump(t)
	for _, c := range tests { // one after the other: they share the database
		t.Run(c.name, func(t *testing.T) {
			h.sql(t, c.harm, id)
			var found []projections.Mismatch
			r := &projections.Rebuilder{Pool: h.pool, Workers: 2, Found: func(m projections.Mismatch) { found = append(found, m) }}
			done, err := r.Verify(t.Context())
			require.NoError(t, err)
			require.Equal(t, []projections.Mismatch{{ReportID: id, Fields: c.fields}}, found)
			require.EqualValues(t, 3, done.Reports)
			require.NotEqual(t, before, h.dump(t), "verifying changes nothing")

			done, err = r.Rebuild(t.Context())
			require.NoError(t, err)
			require.EqualValues(t, 1, done.Rewritten)
			require.Equal(t, before, h.dump(t))
		})
	}
}

func TestARowWithoutEventsIsNamedAndLeft(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	id := h.file(t, 0, "1")
	h.sql(t, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`)
	h.sql(t, `DELETE FROM core_moderation_report_events`)
	var found []projections.Mismatch
	r := &projections.Rebuilder{Pool: h.pool, Force: true, Found: func(m projections.Mismatch) { found = append(found, m) }}
	done, err := r.Rebuild(t.Context())
	require.NoError(t, err)
	require.Zero(t, done.Rewritten)
	require.Equal(t, []projections.Mismatch{{ReportID: id, Problem: "it has a row and no events"}}, found)
	require.Len(t, h.dump(t), 1)
}

func TestRebuildOfEverythingWhileCommandsGoOn(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	var ids []string
	for i := range 60 {
		h.wait(5 * time.Minute)
		ids = append(ids, h.worked(t, i%4, fmt.Sprint(i)))
	}
	// Given that every row is gone or wrong, and moderators at work.
	h.sql(t, `UPDATE core_moderation_reports SET title = 'wrong', search = ''`)
	ctx, stop := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := w; ctx.Err() == nil; i += 4 {
				h.note(t, ids[i%len(ids)], w, uuid.NewString())
				h.claim(t, ids[(i*7+w)%4*15+w], w)
			}
		})
	}
	r := &projections.Rebuilder{Pool: h.pool, Workers: 4, Force: true}
	done, err := r.Rebuild(t.Context())
	stop()
	writers.Wait()
	require.NoError(t, err)
	require.EqualValues(t, len(ids), done.Rewritten)
	require.Equal(t, slices.Max(ids), done.Through)
	done, err = r.Verify(t.Context())
	require.NoError(t, err)
	require.Zero(t, done.Mismatched)
}

func TestAStoppedRebuildGoesOn(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	var ids []string
	for i := range 250 {
		h.wait(5 * time.Minute)
		ids = append(ids, h.file(t, i%4, fmt.Sprint(i)))
	}
	h.sql(t, `DELETE FROM core_moderation_reports`)
	ctx, stop := context.WithCancel(t.Context())
	r := &projections.Rebuilder{Pool: h.pool, Workers: 1, Progress: func(int64, int64) { stop() }}
	first, err := r.Rebuild(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, first.Reports, int64(250))
	require.NotEmpty(t, first.Through)

	rest, err := (&projections.Rebuilder{Pool: h.pool, Workers: 2, After: first.Through}).Rebuild(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(250), first.Reports+rest.Reports)
	done, err := r.Verify(t.Context())
	require.NoError(t, err)
	require.Equal(t, projections.Rebuilt{Reports: 250, Through: slices.Max(ids)}, done)
}
