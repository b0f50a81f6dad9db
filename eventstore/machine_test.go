package eventstore_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/report/reporttest"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
	"github.com/docketmod/docket/projections"
	"github.com/docketmod/docket/projections/projector"
)

// TestRowIsTheFoldOfItsEvents drives random commands and holds the inline
// projection to the log after each.
func TestRowIsTheFoldOfItsEvents(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	defer b.verifyTables(t)
	rapid.Check(t, func(t *rapid.T) {
		m := &machine{bundle: b, users: b.users(t, 4), author: uuid.NewString(), notes: map[string][]string{}}
		commands := []func(*rapid.T){m.file, m.claim, m.assign, m.unassign, m.resolve, m.resolve, m.reopen, m.escalate, m.giveBack, m.addNote, m.changeNote,
			m.endMeasures, m.endMeasures,
			m.removeAccount, m.erase, m.eraseUser, m.act, m.appeal, m.appeal, m.decideAppeals, m.decideAppeals}
		t.Repeat(map[string]func(*rapid.T){"": m.check, "command": func(t *rapid.T) { pick(t, "command", commands...)(t) }})
	})
}

type machine struct {
	*bundle
	users   []string // accounts that are there
	author  string   // of what is reported
	reports []string
	notes   map[string][]string
}

func pick[T any](t *rapid.T, label string, values ...T) T {
	return reporttest.Pick(func() bool { return rapid.Bool().Draw(t, label) }, values...)
}

func (m *machine) user(t *rapid.T) string { return rapid.SampledFrom(m.users).Draw(t, "user") }

func (m *machine) report(t *rapid.T) string {
	if len(m.reports) == 0 {
		t.Skip("nothing filed yet")
	}
	return rapid.SampledFrom(m.reports).Draw(t, "report")
}

func (m *machine) file(t *rapid.T) {
	f := filing(m.user(t), rapid.SampledFrom([]string{"a", "b"}).Draw(t, "target"))
	f.Created.Words.Snapshot = fmt.Appendf(nil, `{"version":1,"title":"A title","fields":[],"authors":[{"id":%q}]}`, m.author)
	s, err := m.store.File(context.Background(), f)
	if err == nil {
		m.reports = append(m.reports, s.ID)
		return
	}
	m.allow(t, f.Created.Target, f.Created.ReporterID, err, nil, domain.CodeAlreadyReported)
}

// update runs a decision with a version that mostly fits.
func (m *machine) update(t *rapid.T, decision func(s report.State, version int) ([]report.Fact, error)) {
	m.updateBy(t, m.user(t), decision)
}

func (m *machine) updateBy(t *rapid.T, user string, decision func(s report.State, version int) ([]report.Fact, error), codes ...domain.Code) {
	off := rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "off")
	_ = m.command(t, m.report(t), &user, func(s report.State) ([]report.Fact, error) { return decision(s, s.Version+off) }, codes...)
}

// command runs a decision and returns the error, which it has allowed.
func (m *machine) command(t *rapid.T, id string, user *string, decision func(report.State) ([]report.Fact, error), codes ...domain.Code) error {
	var decided error
	var of report.State
	_, err := m.store.Update(context.Background(), moderation.Ref{ReportID: id}, user, decide(func(s report.State) (facts []report.Fact, err error) {
		of = s
		facts, decided = decision(s)
		return facts, decided
	}))
	m.allow(t, of.Target, *cmp.Or(of.ReporterID, new(string)), err, decided, codes...)
	return err
}

// allow accepts the error that the rules have decided. A command that they accept fails with one of
// the codes, which only the store can tell, or not at all. What files or reopens a report can meet
// another open one of its target by the same reporter, which the error names.
func (m *machine) allow(t *rapid.T, of report.Target, reporter string, err, decided error, codes ...domain.Code) {
	if decided != nil || err == nil {
		require.ErrorIs(t, err, decided)
		return
	}
	require.Contains(t, codes, domain.ErrorCode(err), err)
	if domain.ErrorCode(err) == domain.CodeAlreadyReported {
		var refused *domain.Error
		require.ErrorAs(t, err, &refused)
		met, _, err := m.bundle.reports.FindWhole(context.Background(), refused.ReportID)
		require.NoError(t, err)
		require.NotEqual(t, report.Done, met.Status)
		require.Equal(t, []string{of.ID, reporter}, []string{met.Target.ID, *met.ReporterID})
	}
}

func (m *machine) claim(t *rapid.T) {
	user := m.user(t)
	m.updateBy(t, user, func(s report.State, v int) ([]report.Fact, error) { return report.DecideClaim(s, user, v) }, domain.CodeAlreadyReported)
}

func (m *machine) assign(t *rapid.T) {
	user, caller := m.user(t), m.user(t)
	m.updateBy(t, caller, func(s report.State, v int) ([]report.Fact, error) { return report.DecideAssign(s, caller, user, v) }, domain.CodeAlreadyReported)
}

func (m *machine) unassign(t *rapid.T) { m.update(t, report.DecideUnassign) }

func (m *machine) resolve(t *rapid.T) {
	appealFor := pick(t, "appealable", time.Hour, time.Hour, -time.Hour)
	until := time.Now().UTC().Truncate(time.Microsecond).Add(appealFor)
	caller := m.user(t)
	m.updateBy(t, caller, func(s report.State, v int) ([]report.Fact, error) {
		c := report.Resolve{Resolution: pick(t, "resolution", report.ActionTaken, report.ActionTaken, report.NoViolation, report.Duplicate), AppealFor: appealFor,
			Explanation: rapid.Ptr(rapid.StringMatching(`[a-z]{1,9}`), true).Draw(t, "explanation")}
		if rapid.Bool().Draw(t, "measured") && c.Resolution == report.ActionTaken {
			c.Policy, c.DecisionID = &policy.Ref{Key: "fair", Version: 1}, pick(t, "decision", "", uuid.NewString())
			c.Measures = []report.MeasureImposed{{Author: measure.Author{PluginID: "forum", ID: m.author}, Kind: measure.Suspend, Until: &until, Because: measure.ByModerator}}
		}
		return report.DecideResolve(s, caller, c, v)
	})
}

func (m *machine) reopen(t *rapid.T) {
	caller := m.user(t)
	m.updateBy(t, caller, func(s report.State, v int) ([]report.Fact, error) {
		return report.DecideReopen(s, caller, "because", v)
	}, domain.CodeAlreadyReported)
}

func (m *machine) escalate(t *rapid.T) {
	caller, to := m.user(t), rapid.Ptr(rapid.SampledFrom(m.users), true).Draw(t, "to")
	m.updateBy(t, caller, func(s report.State, v int) ([]report.Fact, error) {
		return report.DecideEscalate(s, caller, to, "because", v)
	})
}

func (m *machine) giveBack(t *rapid.T) {
	m.update(t, func(s report.State, v int) ([]report.Fact, error) {
		return report.DecideReturn(s, func(string) bool { return true }, rapid.Ptr(rapid.Just("because"), true).Draw(t, "note"), v)
	})
}

// endMeasures ends the measures that are due, or one by a moderator.
func (m *machine) endMeasures(t *rapid.T) {
	m.update(t, func(s report.State, v int) ([]report.Fact, error) {
		if n := len(s.Measures); n > 0 && rapid.Bool().Draw(t, "by a moderator") {
			return report.DecideMeasureEnd(s, s.Measures[n-1].ID, "because", v)
		}
		return report.DecideMeasureEnds(s, nil, time.Now()), nil
	})
}

// verifyTables holds every table beside the reports to the log, before and after a rebuild.
func (b *bundle) verifyTables(t *testing.T) {
	for range 2 {
		done, err := projections.Inline{}.Verify(context.Background(), b.pool, projector.Options{Workers: 1, Found: func(problem string) { t.Error(problem) }})
		require.NoError(t, err)
		require.Zero(t, done.Wrong)
		_, err = projections.Inline{}.Rebuild(context.Background(), b.pool, projector.Options{Workers: 1, Force: true})
		require.NoError(t, err)
	}
}

func (m *machine) addNote(t *rapid.T) {
	id, note := m.report(t), uuid.NewString()
	user := m.user(t)
	err := m.command(t, id, &user, func(report.State) ([]report.Fact, error) {
		return report.DecideAddNote(note, report.NoteBody{Kind: report.TextNote, JSON: []byte(`"words"`)}), nil
	})
	if err != nil {
		return
	}
	m.notes[id] = append(m.notes[id], note)
}

func (m *machine) changeNote(t *rapid.T) {
	id := m.report(t)
	if len(m.notes[id]) == 0 {
		t.Skip("no note yet")
	}
	user := m.user(t)
	text, err := json.Marshal(rapid.StringMatching(`[a-z]{3,9}`).Draw(t, "text"))
	require.NoError(t, err)
	change := rapid.IntRange(0, 3).Draw(t, "change")
	ref := moderation.Ref{ReportID: id, NoteID: rapid.SampledFrom(m.notes[id]).Draw(t, "note")}
	var decided error
	_, err = m.store.Update(context.Background(), ref, &user, func(_ context.Context, _ pgx.Tx, l moderation.Loaded) (c moderation.Change, err error) {
		switch change {
		case 0:
			c.Facts, decided = report.DecideDeleteNote(l.State, *l.Note, nil)
		case 1:
			until := l.Now.Add(time.Hour)
			c.Facts, decided = report.DecidePinNote(l.State, *l.Note, &until, l.Now)
		case 2:
			c.Facts, decided = report.DecidePinNote(l.State, *l.Note, nil, l.Now)
		default:
			c.Facts, decided = report.DecideEditNote(l.State, *l.Note, report.NoteBody{Kind: report.TextNote, JSON: text}, nil)
		}
		return c, decided
	})
	require.ErrorIs(t, err, decided)
}

// removeAccount deletes an account, and somebody new comes.
func (m *machine) removeAccount(t *rapid.T) {
	user := m.user(t)
	ids, err := m.store.ReportsOf(context.Background(), user, 100)
	require.NoError(t, err)
	for _, id := range ids {
		require.NoError(t, m.command(t, id, nil, func(report.State) ([]report.Fact, error) { return report.DecideRemoveAccount(user), nil }))
	}
	left, err := m.store.ReportsOf(context.Background(), user, 100)
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = m.pool.Exec(context.Background(), `DELETE FROM core_users WHERE id = $1`, user)
	require.NoError(t, err, "nothing refers to it any more")
	m.users[slices.Index(m.users, user)] = m.bundle.users(t, 1)[0]
}

func (m *machine) erase(t *rapid.T) {
	_, err := m.store.Erase(context.Background(), m.report(t), nil, report.EveryWord)
	require.NoError(t, err)
}

func (m *machine) eraseUser(t *rapid.T) {
	_, err := m.store.EraseWrittenBy(context.Background(), m.user(t), false, nil, nil)
	require.NoError(t, err)
}

func (m *machine) check(t *rapid.T) {
	ctx := context.Background()
	open := map[string]bool{}
	for _, id := range m.reports {
		events, err := eventstore.Load(ctx, m.pool, id)
		require.NoError(t, err)
		folded := report.Fold(events)
		stored, _, err := m.bundle.reports.FindWhole(ctx, id)
		require.NoError(t, err)
		require.Equal(t, string(folded.Snapshot), string(stored.Snapshot))
		folded.Snapshot, stored.Snapshot = nil, nil
		require.Equal(t, folded, stored.State)

		version := 0
		for i, e := range events {
			require.Equal(t, i+1, e.Sequence)
			require.True(t, e.Version == version || e.Version == version+1, "versions have no gap")
			version = e.Version
		}
		var contents report.Contents
		for _, e := range events {
			contents.Add(e)
		}
		for noteID, want := range contents.Notes {
			got, err := m.bundle.reports.Note(ctx, id, noteID)
			require.NoError(t, err)
			require.Equal(t, want.Body, got.Body)
			require.Equal(t, want.AuthorID, got.AuthorID)
			require.Equal(t, want.DeletedAt == nil, got.DeletedAt == nil)
			require.Equal(t, want.Erased, got.Erased)
		}
		key := pgtest.One[[]byte](t, m.pool, `SELECT open_key FROM core_moderation_reports WHERE id = $1`, id)
		require.Equal(t, folded.Status != report.Done && folded.ReporterID != nil, key != nil, "an open key while open and the reporter is there")
		if key != nil {
			require.False(t, open[fmt.Sprintf("%x", key)])
			open[fmt.Sprintf("%x", key)] = true
		}
		m.checkAppeals(t, id, events, contents.Appeals)
		logtest.VerifyStream(t, m.pool, id)
	}
}
