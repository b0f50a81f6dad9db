package transparency_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/transparency"
)

var since, until = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)

// log counts events, each at a day of January.
type log struct{ q *transparency.Query }

func (l log) at(when time.Time, id string, f report.Fact) {
	l.q.Apply(&report.Event{ReportID: id, OccurredAt: when, Type: f.EventType(), Fact: f})
}

func day(n int) time.Time { return since.AddDate(0, 0, n-1).Add(12 * time.Hour) }

func newLog(t *testing.T) log {
	t.Helper()
	q, err := transparency.NewQuery(transparency.Version, since, until)
	require.NoError(t, err)
	return log{q}
}

func (l log) cells() map[string]int {
	all := map[string]int{}
	for _, c := range l.q.Cells() {
		all[c.Name] = c.Value
	}
	return all
}

func filed(reason report.Reason, more ...func(*report.Created)) *report.Created {
	c := &report.Created{Target: report.Target{Type: "forum.post"}, Locale: "en", Reason: reason}
	for _, m := range more {
		m(c)
	}
	return c
}

func TestFilingsAndDecisionsOfTheDaysAreCounted(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.at(since.Add(-time.Second), "before", filed(report.Spam))
	l.at(since, "first", filed(report.Spam, func(c *report.Created) { c.Policy = &policy.Ref{Key: "spam", Version: 1} }))
	l.at(until.AddDate(0, 0, 1).Add(-time.Microsecond), "last", filed(report.Other, func(c *report.Created) { c.Locale, c.Source = "", report.FromHost }))
	l.at(until.AddDate(0, 0, 1), "after", filed(report.Spam))
	l.at(day(2), "before", &report.Resolved{Resolution: report.NoViolation})
	l.at(day(3), "first", &report.Resolved{Resolution: report.ActionTaken, Policy: &policy.Ref{Key: "spam", Version: 1}, Ground: "illegal"})
	l.at(day(4), "first", &report.Resolved{Resolution: report.Duplicate})
	require.Equal(t, map[string]int{
		"filings": 2, "filings.source.member": 1, "filings.source.host": 1, "filings.reason.spam": 1, "filings.reason.other": 1, "filings.type.forum.post": 2,
		"filings.locale.en": 1, "filings.locale.unknown": 1, "filings.policy.spam": 1,
		"decisions": 3, "decisions.resolution.no_violation": 1, "decisions.resolution.action_taken": 1, "decisions.resolution.duplicate": 1,
		"decisions.policy.spam": 1, "decisions.ground.illegal": 1,
		"decisions.seconds.median": 36*3600 + 1, "decisions.seconds.p90": 60 * 3600,
		"automation.hidden": 0, "automation.undone": 0, "erasures": 0,
	}, l.cells())
}

func TestADecisionOnAppealIsTheAppealsOutcome(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	l.at(day(1), "a", filed(report.Spam))
	l.at(day(2), "a", &report.Resolved{Resolution: report.ActionTaken})
	l.at(day(3), "a", &report.Appealed{By: report.Author})
	l.at(day(4), "a", &report.AppealDecided{By: report.Author, Outcome: report.AppealOverturned})
	l.at(day(4), "a", &report.Resolved{Resolution: report.NoViolation})
	l.at(day(5), "b", &report.AppealDecided{By: report.Reporter, Outcome: report.AppealUpheld})
	l.at(day(5), "b", &report.AppealDecided{By: report.Reporter, Outcome: report.AppealOverturned, Superseded: true})
	got := l.cells()
	require.Equal(t, []int{1, 1, 1, 1, 0}, []int{got["decisions"], got["appeals.author.made"], got["appeals.author.overturned"], got["appeals.reporter.upheld"], got["appeals.reporter.overturned"]})
}

func TestWhatRulesHideAndPeopleShowAgainIsCounted(t *testing.T) {
	t.Parallel()
	l := newLog(t)
	for _, id := range []string{"a", "b", "c"} {
		l.at(day(1), id, filed(report.Spam))
	}
	l.at(day(2), "a", &report.ActionDone{Action: "hide", Rule: "links"})
	l.at(day(2), "b", &report.ActionDone{Action: "hide", Rule: "links"})
	l.at(day(2), "c", &report.ActionDone{Action: "hide"})
	l.at(day(3), "a", &report.ActionDone{Action: "unhide", Undoes: "hide"})
	l.at(day(3), "c", &report.ActionDone{Action: "unhide", Undoes: "hide"})
	got := l.cells()
	require.Equal(t, []int{3, 2, 2, 1}, []int{got["actions.hide"], got["actions.unhide"], got["automation.hidden"], got["automation.undone"]})
}

func TestAQueryOfAnotherReleaseIsRefused(t *testing.T) {
	t.Parallel()
	_, err := transparency.NewQuery(transparency.Version+1, since, until)
	require.ErrorContains(t, err, "the report was made with 2")
}

// Given a published report, when anything of it is changed, then its note or a cell tells.
func TestAPublishedReportProvesItself(t *testing.T) {
	t.Parallel()
	private, public, err := note.GenerateKey(nil, "docket-audit")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	verifier, err := note.NewVerifier(public)
	require.NoError(t, err)
	known := note.VerifierList(verifier)
	cells := []transparency.Cell{{Name: "decisions", Value: 1234567}, {Name: "decisions.seconds.p90", Value: 3}, {Name: "filings", Value: 0}, {Name: "filings.reason.spam", Value: 4}}
	r := transparency.Report{ID: "1", Since: "2026-01-01", Until: "2026-01-31", Cells: transparency.Mask(cells), Position: 9, RootHash: "ab", QueryVersion: 1}
	require.NoError(t, r.Sign(signer))
	encoded, err := json.Marshal(r)
	require.NoError(t, err)
	require.Contains(t, string(encoded), `[{"name":"decisions","value":1234567},{"name":"decisions.seconds.p90","value":3},{"name":"filings","value":0},{"name":"filings.reason.spam","value":"\u003c5"}]`)
	read := func() (back transparency.Report) {
		require.NoError(t, json.Unmarshal(encoded, &back))
		return back
	}
	as := read()
	require.NoError(t, as.CheckNote(known))
	require.Empty(t, as.Differences(cells))
	for name, change := range map[string]func(*transparency.Report){
		"id": func(r *transparency.Report) { r.ID = "2" }, "day": func(r *transparency.Report) { r.Until = "2026-02-01" }, "position": func(r *transparency.Report) { r.Position++ },
		"root": func(r *transparency.Report) { r.RootHash = "" }, "query": func(r *transparency.Report) { r.QueryVersion = 0 }, "cell": func(r *transparency.Report) { r.Cells[0].Value = json.RawMessage("1") },
	} {
		changed := read()
		change(&changed)
		require.Error(t, changed.CheckNote(known), name)
	}
	changed := read()
	changed.Cells[0].Value = json.RawMessage("1234568")
	changed.Cells[2].Name = "x"
	require.Equal(t, []string{"decisions: the report says 1234568, the log has 1234567", "filings: the report leaves it out, the log has 0", "x: the report says 0, the log has none"}, changed.Differences(cells))
}
