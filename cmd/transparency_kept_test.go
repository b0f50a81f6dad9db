package cmd

import (
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/measure"
	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/statement"
	"github.com/docketmod/docket/domain/transparency"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
)

var keepTransparency = flag.Bool("keep-transparency", false, "write a log and its report by the present query to testdata, once for each query")

// frozenReport is the folder of a report that was published by a query of that version, with the log that it
// counts and the key that it is signed with. They are never written again.
func frozenReport(version int) string {
	return filepath.Join("testdata", "transparency", strconv.Itoa(version))
}

// Given a report of each query that there ever was, when it is verified by this release, then it is what its log
// says; and each of its cells is named once it is changed.
func TestReportsOfEveryQueryVerifyForEver(t *testing.T) {
	t.Parallel()
	if *keepTransparency {
		freezeReport(t)
	}
	for version := 1; version <= transparency.Version; version++ {
		dir := frozenReport(version)
		require.DirExists(t, dir, "freeze a report of the new query: go test ./cmd -run TestReportsOfEveryQueryVerifyForEver -keep-transparency")
		elsewhere := map[string]string{"DATABASE_URL": "postgres://nowhere.invalid/x", "DOCKET_DATA_DIR": t.TempDir(), "HOME": t.TempDir(), "DOCKET_AUDIT_DIR": t.TempDir()}
		verify := func(file string) outcome {
			return docket(t, elsewhere, "transparency", "verify", file, "--log", filepath.Join(dir, "log.ndjson"), "--key", filepath.Join(dir, "key.pub"))
		}
		encoded, err := os.ReadFile(filepath.Join(dir, "report.json"))
		require.NoError(t, err)
		var r transparency.Report
		require.NoError(t, json.Unmarshal(encoded, &r))
		require.Equal(t, version, r.QueryVersion)
		whole := verify(filepath.Join(dir, "report.json"))
		require.Zero(t, whole.status, "query %d: %s%s", version, whole.stdout, whole.stderr)
		require.Equal(t, fmt.Sprintf("%d cells are what %d positions of the log say\n", len(r.Cells), r.Position), whole.stdout)

		for i := range r.Cells {
			r.Cells[i].Value = json.RawMessage(`123`)
		}
		changed := verify(writeJSON(t, filepath.Join(t.TempDir(), "changed.json"), r))
		require.Equal(t, 1, changed.status)
		for _, c := range r.Cells {
			require.Contains(t, changed.stdout, c.Name+": the report says 123, the log has ", "query %d", version)
		}
	}
}

// The report of the present query that is kept counts something of every kind, so that no kind can change unseen.
func TestTheKeptReportHasEveryKindOfCell(t *testing.T) {
	t.Parallel()
	encoded, err := os.ReadFile(filepath.Join(frozenReport(transparency.Version), "report.json"))
	require.NoError(t, err)
	var r transparency.Report
	require.NoError(t, json.Unmarshal(encoded, &r))
	cells := map[string]string{}
	for _, c := range r.Cells {
		cells[c.Name] = c.Text()
	}
	for _, name := range []string{"filings", "filings.source.member", "filings.source.host", "filings.source.notice", "filings.source.trusted_flagger",
		"filings.reason.spam", "filings.reason.abusive", "filings.reason.rule_violation", "filings.reason.other", "filings.policy.no-shops", "filings.type.forum.post", "filings.type.forum.topic",
		"filings.locale.en", "filings.locale.ar", "filings.locale.unknown", "decisions", "decisions.resolution.no_violation", "decisions.resolution.action_taken", "decisions.resolution.duplicate",
		"decisions.policy.no-shops", "decisions.ground.illegal", "decisions.ground.incompatible", "decisions.seconds.median", "decisions.seconds.p90", "actions.hide", "actions.unhide",
		"measures.warn", "measures.restrict", "measures.suspend", "measures.terminate", "automation.hidden", "automation.undone", "appeals.author.made", "appeals.author.upheld",
		"appeals.author.overturned", "appeals.reporter.made", "appeals.reporter.upheld", "appeals.reporter.overturned", "erasures"} {
		require.NotContains(t, []string{"", "0"}, cells[name], name)
	}
	require.Equal(t, []string{"24", "5", transparency.Masked}, []string{cells["filings"], cells["filings.source.trusted_flagger"], cells["filings.source.host"]})
}

// freezeReport writes a report of March 2026 by the present query, and the log that it counts.
func freezeReport(t *testing.T) {
	t.Helper()
	dir := frozenReport(transparency.Version)
	require.NoDirExists(t, dir, "a report that was kept is never written again")
	require.NoError(t, os.MkdirAll(dir, 0o750))
	d := logtest.New(t)
	fillForReport(t, d)
	log := filepath.Join(dir, "log.ndjson")
	got := docket(t, map[string]string{"DATABASE_URL": d.Pool.Config().ConnString(), "DOCKET_DATA_DIR": t.TempDir()}, "audit", "export", "--output", log)
	require.Zero(t, got.status, got.stderr)

	r := transparency.Report{ID: uuid.NewString(), Since: "2026-03-02", Until: "2026-03-31", QueryVersion: transparency.Version}
	since, until, err := r.Days()
	require.NoError(t, err)
	q, err := transparency.NewQuery(r.QueryVersion, since, until)
	require.NoError(t, err)
	r.Position, err = eventstore.LastPosition(t.Context(), d.Pool)
	require.NoError(t, err)
	export, err := os.Open(log)
	require.NoError(t, err)
	defer func() { _ = export.Close() }()
	root, err := proof.ReadExport(export, r.Position, q.Apply)
	require.NoError(t, err)
	r.RootHash, r.Cells = hex.EncodeToString(root), transparency.Mask(q.Cells())
	require.NoError(t, r.Sign(d.Key))
	writeJSON(t, filepath.Join(dir, "report.json"), r)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "key.pub"), []byte(d.Key.Public+"\n"), 0o600))
}

// fillForReport makes a log with something of each kind that a report counts, also before and after its days.
func fillForReport(t *testing.T, d *logtest.Database) {
	t.Helper()
	shops := &policy.Ref{Key: "no-shops", Version: 1}
	n := 0
	file := func(change func(*report.Created)) string {
		t.Helper()
		n++
		d.Wait(time.Hour)
		c := report.Created{Target: report.Target{PluginID: "forum", Type: "forum.post", ID: strconv.Itoa(n), PermissionModule: "posts"},
			Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: d.Users[n%4],
			Words: report.CreatedWords{ReporterName: "User", Title: "A title", Snapshot: []byte(`{"version":1,"title":"A title","fields":[],"authors":[{"id":"writer","name":"W"}]}`)}}
		if change != nil {
			change(&c)
		}
		s, err := d.Store.File(t.Context(), moderation.Filing{Created: c})
		require.NoError(t, err)
		return s.ID
	}
	do := func(id string, facts ...report.Fact) {
		t.Helper()
		d.Wait(17 * time.Minute)
		d.Do(t, id, n%4, func(report.State) ([]report.Fact, error) { return facts, nil })
	}
	before := file(nil)
	do(before, &report.Resolved{Resolution: report.ActionTaken})
	early := file(nil)
	d.Wait(24 * time.Hour) // the first day of the report begins
	do(early, &report.Resolved{Resolution: report.NoViolation})

	var ids []string
	for i, source := range []report.Source{"", "", report.FromMember, report.FromMember, report.FromMember, report.FromMember, report.FromHost, report.FromNotice,
		report.FromTrustedFlagger, report.FromTrustedFlagger, report.FromTrustedFlagger, report.FromTrustedFlagger, report.FromTrustedFlagger} {
		ids = append(ids, file(func(c *report.Created) {
			if c.Source = source; source == report.FromNotice {
				c.ReporterID, c.Words.ReporterName = "", ""
			}
			c.Reason = report.Reasons[i%len(report.Reasons)]
			if i%3 == 0 {
				c.Policy = shops
			}
			c.Locale = []string{"en", "ar", ""}[i%3]
			c.Type = []string{"forum.post", "forum.topic"}[i%2]
		}))
	}
	for i, id := range ids[:9] {
		f := &report.Resolved{Resolution: report.Resolutions[i%3]}
		if f.Resolution == report.ActionTaken {
			f.Policy, f.Ground = shops, []statement.Ground{statement.Illegal, statement.Incompatible}[i%2]
		}
		do(id, f)
	}
	do(ids[0], &report.Reopened{})
	do(ids[0], &report.Resolved{Resolution: report.Duplicate})
	for _, id := range ids[9:] {
		do(id, &report.Resolved{Resolution: report.NoViolation})
	}

	hide := func(id, action, undoes, rule string) {
		do(id, &report.ActionDone{Action: action, PluginID: "forum", TargetType: "forum.post", TargetID: id, Undoes: undoes, Rule: rule})
	}
	hide(file(nil), "hide", "", "")
	ruled := file(nil)
	hide(ruled, "hide", "", "shop-links")
	hide(ruled, "unhide", "hide", "shop-links")
	hide(file(nil), "hide", "", "shop-links")
	measured := file(nil)
	for _, kind := range []measure.Kind{measure.Warn, measure.Restrict, measure.Suspend, measure.Terminate} {
		do(measured, &report.MeasureImposed{Author: measure.Author{PluginID: "forum", ID: "writer"}, Kind: kind, Because: measure.ByModerator})
	}
	until := d.Clock().AddDate(0, 0, 180)
	for _, by := range []report.Role{report.Author, report.Reporter} {
		for _, outcome := range []report.AppealStatus{report.AppealUpheld, report.AppealOverturned} {
			id, appeal, resolution := file(nil), uuid.NewString(), report.ActionTaken
			if by == report.Reporter {
				resolution = report.NoViolation
			}
			do(id, &report.Resolved{Resolution: resolution, AppealableUntil: &until})
			do(id, &report.Appealed{AppealID: appeal, By: by})
			decided := []report.Fact{&report.AppealDecided{AppealID: appeal, By: by, Outcome: outcome}}
			switch {
			case outcome == report.AppealUpheld:
			case by == report.Author:
				decided = append(decided, &report.Resolved{Resolution: report.NoViolation, AppealableUntil: &until})
			default:
				decided = append(decided, &report.Reopened{})
			}
			do(id, decided...)
		}
	}
	for range 3 {
		id, appeal := file(nil), uuid.NewString()
		do(id, &report.Resolved{Resolution: report.ActionTaken, AppealableUntil: &until})
		do(id, &report.Appealed{AppealID: appeal, By: report.Author})
		do(id, &report.AppealDecided{AppealID: appeal, By: report.Author, Outcome: report.AppealOverturned, Superseded: true}, &report.Resolved{Resolution: report.Duplicate, AppealableUntil: &until})
	}
	_, err := d.Store.Erase(t.Context(), ids[1], nil, report.EveryWord)
	require.NoError(t, err)
	d.Wait(time.Date(2026, 4, 1, 0, 0, 1, 0, time.UTC).Sub(d.Clock()))
	do(file(nil), &report.Resolved{Resolution: report.NoViolation}) // after the last day
	d.Seal(t)
}

func writeJSON(t *testing.T, file string, v any) string {
	t.Helper()
	encoded, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.TrimSpace(string(encoded))+"\n"), 0o600))
	return file
}
