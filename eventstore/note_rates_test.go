package eventstore_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

func addNote(d *logtest.Database, id string, user int) error {
	_, err := d.Store.Update(context.Background(), moderation.Ref{ReportID: id}, &d.Users[user],
		decide(func(report.State) ([]report.Fact, error) {
			return report.DecideAddNote(uuid.NewString(), textNote("a note")), nil
		}))
	return err
}

func requireLimited(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	require.Equal(t, domain.CodeRateLimited, domain.ErrorCode(err), "%v", err)
	var limited *domain.Error
	require.ErrorAs(t, err, &limited)
	require.Equal(t, wait, limited.RetryAfter)
}

func TestAnAccountMakesThirtyNoteEventsAMinute(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	var reports []string
	for i := range 4 {
		reports = append(reports, d.File(t, i, "1"))
	}

	// Given forty notes at once, on several reports.
	var mu sync.Mutex
	var refused []error
	var writers sync.WaitGroup
	for i := range 40 {
		writers.Go(func() {
			if err := addNote(d, reports[i%4], 0); err != nil {
				mu.Lock()
				defer mu.Unlock()
				refused = append(refused, err)
			}
		})
	}
	writers.Wait()

	// Then thirty are there, and the others are told how long to wait.
	require.Len(t, refused, 10)
	for _, err := range refused {
		requireLimited(t, err, time.Minute)
	}
	notes := pgtest.One[int](t, d.Pool, `SELECT sum(note_count) FROM core_moderation_reports`)
	require.Equal(t, 30, notes)

	// Others write on, and so does the account in everything but notes.
	require.NoError(t, addNote(d, reports[0], 1))
	d.Claim(t, reports[0], 0)
	d.Wait(59 * time.Second)
	requireLimited(t, addNote(d, reports[0], 0), time.Second)
	d.Wait(2 * time.Second)
	require.NoError(t, addNote(d, reports[0], 0))
}

func TestAReportHoldsAThousandNoteEvents(t *testing.T) {
	t.Parallel()
	d := logtest.New(t)
	id := d.File(t, 0, "1")
	note := uuid.NewString()
	d.Note(t, id, 1, note)
	edit := func(i int) error {
		_, err := d.Store.Update(context.Background(), moderation.Ref{ReportID: id, NoteID: note}, &d.Users[1], decide(func(report.State) ([]report.Fact, error) {
			return []report.Fact{&report.NoteUpdated{NoteID: note, Kind: report.TextNote, Words: report.NoteWords{Body: fmt.Appendf(nil, `"edit %d"`, i)}}}, nil
		}))
		return err
	}
	require.NoError(t, edit(0))
	const further = report.NoteEventsPerReport - 10 // like the first
	d.SQL(t, `INSERT INTO core_moderation_report_events SELECT (json_populate_record(e, json_build_object('event_id', gen_random_uuid(), 'sequence', e.sequence + n))).*
		FROM core_moderation_report_events e, generate_series(1, $1) n WHERE e.sequence = 3`, further)
	d.SQL(t, `UPDATE core_moderation_reports SET sequence = sequence + $1`, further)
	for i := range report.NoteEventsPerReport - further - 2 {
		d.Wait(3 * time.Second)
		require.NoError(t, edit(i))
	}
	d.Wait(time.Minute)
	requireLimited(t, edit(-1), 24*time.Hour)
	requireLimited(t, addNote(d, id, 2), 24*time.Hour)

	// The rest of the report works as before.
	d.Claim(t, id, 1)
	d.Resolve(t, id, 1, report.Duplicate)
	require.NoError(t, addNote(d, d.File(t, 1, "1"), 2), "another report has room")
}
