package eventstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// wordy is a report in which a reporter and two moderators wrote words of their
// own: xreporter, xsnapshot, xone and xtwo.
type wordy struct {
	*bundle
	id                 string
	reporter, one, two string
	note, edited       string
}

func newWordy(t *testing.T) *wordy {
	t.Helper()
	b := newBundle(t)
	users := b.users(t, 3)
	w := &wordy{bundle: b, reporter: users[0], one: users[1], two: users[2], note: uuid.NewString(), edited: uuid.NewString()}
	f := filing(w.reporter, "42")
	description := "xreporter saw this"
	f.Created.Words = report.CreatedWords{Description: &description, ReporterName: "Xreporter", Title: "xsnapshot", Excerpt: "xsnapshot",
		Snapshot: fmt.Appendf(nil, `{"version":1,"title":"xsnapshot","fields":[{"name":"body","label":"","kind":"text","value":"xsnapshot"}],"authors":[{"id":%q,"name":"xsnapshot"}]}`, w.two)}
	s, err := b.store.File(context.Background(), f)
	require.NoError(t, err)
	w.id = s.ID
	w.do(t, w.one, func(report.State) []report.Fact { return report.DecideAddNote(w.note, textNote("xone first")) })
	w.do(t, w.one, func(report.State) []report.Fact { return report.DecideAddNote(w.edited, textNote("xone draft")) })
	w.do(t, w.two, func(report.State) []report.Fact {
		return []report.Fact{&report.NoteUpdated{NoteID: w.edited, Kind: report.TextNote, Words: report.NoteWords{Body: []byte(`"xtwo edited"`)}}}
	})
	w.resolve(t, w.one, "xone explains")
	w.do(t, w.two, func(s report.State) []report.Fact {
		facts, err := report.DecideReopen(s, w.two, "xtwo reason", s.Version)
		require.NoError(t, err)
		return facts
	})
	w.resolve(t, w.two, "xtwo explains")
	return w
}

func textNote(s string) report.NoteBody {
	return report.NoteBody{Kind: report.TextNote, JSON: []byte(`"` + s + `"`)}
}

func (w *wordy) do(t *testing.T, user string, d func(report.State) []report.Fact) {
	t.Helper()
	_, err := w.store.Update(context.Background(), moderation.Ref{ReportID: w.id}, &user,
		decide(func(s report.State) ([]report.Fact, error) { return d(s), nil }))
	require.NoError(t, err)
}

func (w *wordy) resolve(t *testing.T, user, explanation string) {
	t.Helper()
	w.do(t, user, func(s report.State) []report.Fact {
		facts, err := report.DecideResolve(s, user, report.Resolve{Resolution: report.ActionTaken, Explanation: &explanation}, s.Version)
		require.NoError(t, err)
		return facts
	})
}

func (w *wordy) requireWhole(t *testing.T) {
	t.Helper()
	ctx := context.Background()
	logtest.VerifyStream(t, w.pool, w.id)
	events, err := eventstore.Load(ctx, w.pool, w.id)
	require.NoError(t, err)
	stored, _, err := w.reports.FindWhole(ctx, w.id)
	require.NoError(t, err)
	require.Equal(t, report.Fold(events), stored.State)
	for at := 1; at <= len(events); at++ {
		replay := moderation.NewReplay(moderation.Moment{Sequence: at}, true)
		require.NoError(t, eventstore.EachEvent(ctx, w.pool, w.id, replay.Add))
		_, err := replay.Report(nil)
		require.NoError(t, err)
		require.NoError(t, replay.EachNote(nil, func(sequences []int, each func(report.Event) error) error {
			return eventstore.EachText(ctx, w.pool, w.id, sequences, each)
		}, func(moderation.ReplayedNote) error { return nil }))
	}
	// A rebuild finds nothing to mend, and brings no words back.
	rebuilt, err := projections.Inline{}.Rebuild(ctx, w.pool, projector.Options{Force: true})
	require.NoError(t, err)
	require.Equal(t, rebuilt.Compared, rebuilt.Rewritten)
	require.Zero(t, rebuilt.Wrong)
}

func TestEraseReport(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := context.Background()
	for _, word := range []string{"xreporter", "xsnapshot", "xone", "xtwo"} {
		require.NotEmpty(t, pgtest.WhereFound(t, w.pool, word), "the search finds %s while it is there", word)
	}
	before, _, err := w.reports.FindWhole(ctx, w.id)
	require.NoError(t, err)

	n, err := w.store.Erase(ctx, w.id, &w.one, report.EveryWord)
	require.NoError(t, err)
	require.Equal(t, 7, n)
	w.requireWhole(t)
	for _, word := range []string{"xreporter", "xsnapshot", "xone", "xtwo"} {
		require.Empty(t, pgtest.WhereFound(t, w.pool, word))
	}

	after, _, err := w.reports.FindWhole(ctx, w.id)
	require.NoError(t, err)
	require.True(t, after.Erased)
	require.Equal(t, before.Version, after.Version, "an erasure makes no decision stale")
	require.Equal(t, before.Resolution, after.Resolution, "what was decided stays")
	require.Nil(t, after.Explanation)
	events, err := eventstore.Load(ctx, w.pool, w.id)
	require.NoError(t, err)
	last := events[len(events)-1]
	require.Equal(t, &report.EvidenceErased{Sequences: []int{1, 2, 3, 4, 5, 6, 7}, Authors: []string{w.two}}, last.Fact)
	require.Equal(t, &w.one, last.ActorID)
	note, err := w.reports.Note(ctx, w.id, w.note)
	require.NoError(t, err)
	require.True(t, note.Erased)
	require.Nil(t, note.Body)

	n, err = w.store.Erase(ctx, w.id, &w.one, report.EveryWord)
	require.NoError(t, err)
	require.Zero(t, n, "a second erasure finds nothing")
	w.do(t, w.one, func(report.State) []report.Fact { return report.DecideAddNote(uuid.NewString(), textNote("later")) })
	w.requireWhole(t)
}

func TestEraseWrittenBy(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name     string
		user     func(*wordy) string
		authored bool
		gone     []string
		stays    []string
	}{
		{"the reporter, whose filing is one piece with the snapshot", func(w *wordy) string { return w.reporter }, false, []string{"xreporter", "xsnapshot"}, []string{"xone", "xtwo"}},
		{"a moderator", func(w *wordy) string { return w.one }, false, []string{"xone"}, []string{"xreporter", "xsnapshot", "xtwo"}},
		{"another moderator", func(w *wordy) string { return w.two }, false, []string{"xtwo"}, []string{"xreporter", "xsnapshot", "xone"}},
		{"an author, with the snapshots of what they wrote", func(w *wordy) string { return w.two }, true, []string{"xtwo", "xsnapshot", "xreporter"}, []string{"xone"}},
	}
	for _, c := range tests {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWordy(t)
			done, err := w.store.EraseWrittenBy(context.Background(), c.user(w), c.authored, nil, nil)
			require.NoError(t, err)
			require.Positive(t, done.Events)
			w.requireWhole(t)
			for _, word := range c.gone {
				require.Empty(t, pgtest.WhereFound(t, w.pool, word))
			}
			for _, word := range c.stays {
				require.NotEmpty(t, pgtest.WhereFound(t, w.pool, word))
			}
			again, err := w.store.EraseWrittenBy(context.Background(), c.user(w), c.authored, nil, nil)
			require.NoError(t, err)
			require.Zero(t, again)
		})
	}
}

// Given an erasure that ends after it has erased, then the next one, which finds nothing, takes the words out of the
// planner's samples.
func TestAnErasureRunAgainLeavesNoSamples(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	samples := func() int {
		return pgtest.One[int](t, w.pool, `SELECT count(*) FROM pg_stats WHERE concat(most_common_vals, histogram_bounds, most_common_elems) LIKE '%xsnapshot%'`)
	}
	pgtest.Exec(t, w.pool, `ANALYZE core_moderation_reports`)
	require.NotZero(t, samples())
	ctx, cancel := context.WithCancel(t.Context())
	_, err := w.store.EraseResolvedBefore(ctx, time.Now().Add(time.Hour), nil, func(eventstore.Erasure) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	require.NotZero(t, samples())

	done, err := w.store.EraseResolvedBefore(t.Context(), time.Now().Add(time.Hour), nil, nil)
	require.NoError(t, err)
	require.Zero(t, done.Reports)
	require.Zero(t, samples())
}

func TestEraseResolvedBefore(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := context.Background()
	open := w.file(t, w.reporter, "open")
	for _, c := range []struct {
		before time.Time
		want   eventstore.Erasure
	}{
		{time.Now().Add(-time.Hour), eventstore.Erasure{}},
		{time.Now().Add(time.Hour), eventstore.Erasure{Reports: 1, Events: 7}},
		{time.Now().Add(time.Hour), eventstore.Erasure{}},
	} {
		got, err := w.store.EraseResolvedBefore(ctx, c.before, nil, nil)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
	}
	stored, _, err := w.reports.FindWhole(ctx, open.ID)
	require.NoError(t, err)
	require.False(t, stored.Erased, "an open report keeps its words")
	require.True(t, strings.HasPrefix(stored.Title, "A title"))
}

// Given rows of open reports that somebody has edited to look decided long ago, then erasing by
// age leaves their words.
func TestErasingByAgeDecidesOnTheEvents(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := context.Background()
	open := &wordy{bundle: w.bundle, id: w.file(t, w.reporter, "open").ID}
	pgtest.Exec(t, w.pool, `UPDATE core_moderation_reports SET status = 'done', resolution = 'no_violation', resolved_at = now() - interval '1 year'`)
	done, err := w.store.EraseResolvedBefore(ctx, time.Now().Add(-time.Hour), nil, nil)
	require.NoError(t, err)
	require.Zero(t, done)
	for _, id := range []string{open.id, w.id} {
		events, err := eventstore.Load(ctx, w.pool, id)
		require.NoError(t, err)
		require.False(t, report.Fold(events).Erased)
	}
}

// Given a reporter whose filing was erased with its snapshot, then the words of decisions about
// the content are still found by its author.
func TestAuthorsAreKnownAfterTheSnapshot(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := context.Background()
	_, err := w.store.EraseWrittenBy(ctx, w.reporter, false, nil, nil)
	require.NoError(t, err)
	require.NotEmpty(t, pgtest.WhereFound(t, w.pool, "xone explains"))
	_, err = w.store.EraseWrittenBy(ctx, w.two, true, nil, nil)
	require.NoError(t, err)
	require.Empty(t, pgtest.WhereFound(t, w.pool, "xone explains"))
	w.requireWhole(t)
	again, err := w.store.EraseWrittenBy(ctx, w.two, true, nil, nil)
	require.NoError(t, err)
	require.Zero(t, again)
}

func TestAReportThatIsReopenedMeanwhileKeepsItsWords(t *testing.T) {
	t.Parallel()
	w := newWordy(t)
	ctx := context.Background()
	second := &wordy{bundle: w.bundle, id: w.file(t, w.reporter, "second").ID}
	second.resolve(t, w.one, "done too")
	done, err := w.store.EraseResolvedBefore(ctx, time.Now().Add(time.Hour), nil, func(eventstore.Erasure) {
		second.do(t, w.one, func(s report.State) []report.Fact {
			facts, err := report.DecideReopen(s, w.one, "a second look", s.Version)
			require.NoError(t, err)
			return facts
		})
	})
	require.NoError(t, err)
	require.Equal(t, 1, done.Reports)
	stored, _, err := w.reports.FindWhole(ctx, second.id)
	require.NoError(t, err)
	require.Equal(t, report.New, stored.Status)
	require.False(t, stored.Erased)
	require.NotEmpty(t, stored.Snapshot)
}

func TestEraseOfAnUnknownReport(t *testing.T) {
	t.Parallel()
	_, err := newBundle(t).store.Erase(context.Background(), uuid.NewString(), nil, report.EveryWord)
	require.Equal(t, domain.CodeNotFound, domain.ErrorCode(err))
}
