package projections_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

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
		{"sequence and time", `UPDATE core_moderation_reports SET sequence = 99, updated_at = now() WHERE id = $1`, []string{"Sequence", "UpdatedAt", "Folded"}},
		{"signals", `UPDATE core_moderation_reports SET signals = '[{"source":"shop","name":"spam","score":1,"at":"2026-03-01T10:00:00Z"}]' WHERE id = $1`, []string{"Signals"}},
		{"rules", `UPDATE core_moderation_reports SET rules = '[{"rule":"links","version":1,"title":"","then":{"points":5},"at":"2026-03-01T10:00:00Z"}]' WHERE id = $1`, []string{"Rules"}},
		{"tags", `UPDATE core_moderation_reports SET tags = '["spam"]' WHERE id = $1`, []string{"Tags"}},
		{"who hid it", `UPDATE core_moderation_reports SET hidden_by = 'links' WHERE id = $1`, []string{"HiddenBy"}},
		{"how far it is folded", `UPDATE core_moderation_reports SET folded = 0 WHERE id = $1`, []string{"Folded"}},
		{"open key", `UPDATE core_moderation_reports SET open_key = 'x' WHERE id = $1`, []string{"OpenKey"}},
		{"search", `UPDATE core_moderation_reports SET search = '' WHERE id = $1`, []string{"Search"}},
		{"the text of a note", `UPDATE core_moderation_report_notes SET body = '"other"' WHERE report_id = $1`, []string{"Notes"}},
		{"a note is missing", `DELETE FROM core_moderation_report_notes WHERE report_id = $1`, []string{"Notes"}},
		{"a note too many", `INSERT INTO core_moderation_report_notes (id, report_id, kind, created_at) VALUES (gen_random_uuid(), $1, 'text', now())`, []string{"Notes"}},
		{"the row is missing", `DELETE FROM core_moderation_reports WHERE id = $1`, []string{"Row"}},
	}
	h := logtest.New(t)
	h.Worked(t, 0, "before")
	id := h.Worked(t, 0, "1")
	h.File(t, 0, "after")
	before := h.Dump(t)
	for _, c := range tests { // one after the other: they share the database
		t.Run(c.name, func(t *testing.T) {
			h.SQL(t, c.harm, id)
			require.Equal(t, []string{fmt.Sprintf("report %s: %v differ from the fold of its events", id, c.fields)}, h.Wrong(t, projections.Inline{}))
			require.NotEqual(t, before, h.Dump(t), "verifying changes nothing")

			done, err := projections.Inline{}.Rebuild(t.Context(), h.Pool, projector.Options{Workers: 2})
			require.NoError(t, err)
			require.EqualValues(t, 1, done.Rewritten)
			require.Equal(t, before, h.Dump(t))
		})
	}
}

// Given an author of a decided report whose row says something else of the decision, then
// verifying finds it and a rebuild mends it.
func TestVerifyComparesWhatIsSaidOfAuthors(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	id := h.File(t, 0, "1", logtest.By("writer"))
	h.Resolve(t, id, 1, report.ActionTaken)
	for _, harm := range []string{"resolution = 'duplicate'", "target_id = '2'", "target_type = NULL", "plugin_id = 'shop'", "author = 'other'"} {
		h.SQL(t, `UPDATE core_moderation_report_authors SET `+harm)
		require.Equal(t, []string{"report " + id + ": [Authors] differ from the fold of its events"}, h.Wrong(t, projections.Inline{}), harm)
		h.Rebuild(t, projections.Inline{})
		require.Empty(t, h.Wrong(t, projections.Inline{}), harm)
	}
}

func TestARowWithoutEventsIsNamedAndLeft(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	id := h.File(t, 0, "1")
	h.SQL(t, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`)
	h.SQL(t, `DELETE FROM core_moderation_report_events`)
	var found []string
	o := projector.Options{Force: true, Found: func(difference string) { found = append(found, difference) }}
	done, err := projections.Inline{}.Rebuild(t.Context(), h.Pool, o)
	require.ErrorIs(t, err, projector.ErrNotWhole)
	require.Zero(t, done.Rewritten)
	require.Equal(t, []string{"report " + id + ": it has a row but no events"}, found)
	require.Len(t, h.Dump(t), 1)
}

func TestRowsOfNoReportAreNamedAndDeleted(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	h.File(t, 0, "1")
	const stray = "01a21e0f-0000-7000-8000-000000000001"
	for table, row := range map[string]string{
		"core_moderation_report_notes":    `(id, report_id, kind, created_at) VALUES (gen_random_uuid(), '` + stray + `', 'text', now())`,
		"core_moderation_appeals":         `(id, report_id, by_role, status, decision_sequence, sequence, created_at) VALUES (gen_random_uuid(), '` + stray + `', 'author', 'open', 2, 3, now())`,
		"core_moderation_measures":        `(id, report_id, plugin_id, author, kind, because, threshold, imposed_at, ended_by, delivery) VALUES (gen_random_uuid(), '` + stray + `', 'forum', '1', 'warn', 'moderator', 0, now(), '', '')`,
		"core_moderation_ended_decisions": `(author, report_id, sequence, plugin_id, policy_key, policy_version, decision_id, decided_at, ended_at) VALUES ('1', '` + stray + `', 2, 'forum', 'spam', 1, 'x', now(), now())`,
		"core_moderation_report_authors":  `(report_id, plugin_id, author, target_type, target_id, resolution) VALUES ('` + stray + `', 'forum', '1', 'forum.post', '1', 'action_taken')`,
	} {
		h.SQL(t, `INSERT INTO `+table+` `+row)
		require.Equal(t, []string{"report " + stray + ": " + table + " has rows of it, and there is no such report"}, h.Wrong(t, projections.Inline{}))
		done, err := projections.Inline{}.Rebuild(t.Context(), h.Pool, projector.Options{})
		require.NoError(t, err)
		require.EqualValues(t, 1, done.Rewritten)
	}
	require.Empty(t, h.Wrong(t, projections.Inline{}))
}

func TestRebuildOfEverythingWhileCommandsGoOn(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	var ids []string
	for i := range 60 {
		h.Wait(5 * time.Minute)
		ids = append(ids, h.Worked(t, i%4, fmt.Sprint(i)))
	}
	// Given that every row is gone or wrong, and moderators at work.
	h.SQL(t, `UPDATE core_moderation_reports SET title = 'wrong', search = ''`)
	ctx, stop := context.WithCancel(context.Background())
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := w; ctx.Err() == nil; i += 4 {
				h.Wait(3 * time.Second) // 30 notes a minute are the limit of an account
				h.Note(t, ids[i%len(ids)], w, uuid.NewString())
				h.Claim(t, ids[(i*7+w)%4*15+w], w)
			}
		})
	}
	o := projector.Options{Workers: 4, Force: true}
	done, err := projections.Inline{}.Rebuild(t.Context(), h.Pool, o)
	stop()
	writers.Wait()
	require.NoError(t, err)
	require.EqualValues(t, len(ids), done.Rewritten)
	require.Equal(t, slices.Max(ids), done.Through)
	require.Empty(t, h.Wrong(t, projections.Inline{}))
}

func TestAStoppedRebuildGoesOn(t *testing.T) {
	t.Parallel()
	h := logtest.New(t)
	var ids []string
	for i := range 450 {
		h.Wait(5 * time.Minute)
		ids = append(ids, h.File(t, i%4, fmt.Sprint(i)))
	}
	h.SQL(t, `DELETE FROM core_moderation_reports`)
	ctx, stop := context.WithCancel(t.Context())
	o := projector.Options{Workers: 1, Progress: func(done, _ int64) {
		if done >= 400 {
			stop()
		}
	}}
	first, err := projections.Inline{}.Rebuild(ctx, h.Pool, o)
	require.ErrorIs(t, err, context.Canceled)
	require.Less(t, first.Compared, int64(450))
	require.NotEmpty(t, first.Through)

	rest, err := projections.Inline{}.Rebuild(t.Context(), h.Pool, projector.Options{Workers: 2, After: first.Through})
	require.NoError(t, err)
	require.Equal(t, int64(450), first.Compared+rest.Compared)
	done, err := projections.Inline{}.Verify(t.Context(), h.Pool, o)
	require.NoError(t, err)
	require.Equal(t, projector.Result{Compared: 450, Through: slices.Max(ids)}, done)
}

// A plan by the statistics of an empty table would read a growing one from end to end.
func TestRebuildsAreNotPlannedAnew(t *testing.T) {
	t.Parallel()
	h, _ := logtest.NewLong(t, 200)
	pool := pgtest.Open(t, h.Pool.Config().ConnString(), postgres.Options{MaxConns: 1})
	o := projector.Options{Workers: 1, Force: true}
	for range 3 {
		done, err := projections.Inline{}.Rebuild(t.Context(), pool, o)
		require.NoError(t, err)
		require.EqualValues(t, 200, done.Rewritten)
	}

	require.Empty(t, pgtest.PlannedAnew(t, pool))
}
