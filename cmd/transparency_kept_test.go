package cmd

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/transparency"
	"github.com/docketmod/docket/eventstore/logtest"
	"github.com/docketmod/docket/eventstore/proof"
)

var keepTransparency = flag.Bool("keep-transparency", false, "write a report by the present query to testdata, once for each query")

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
		published, log, key := filepath.Join(dir, "report.json"), filepath.Join(dir, "log.ndjson"), filepath.Join(dir, "key.pub")
		verify := func(file, log string, more ...string) outcome {
			return docket(t, elsewhere, append([]string{"transparency", "verify", file, "--log", log}, more...)...)
		}
		encoded, err := os.ReadFile(published)
		require.NoError(t, err)
		var r transparency.Report
		require.NoError(t, json.Unmarshal(encoded, &r))
		require.Equal(t, version, r.QueryVersion)
		whole := verify(published, log, "--key", key)
		require.Zero(t, whole.status, "query %d: %s%s", version, whole.stdout, whole.stderr)
		require.Equal(t, fmt.Sprintf("%d cells are what %d positions of the log say\n", len(r.Cells), r.Position), whole.stdout)

		for i := range r.Cells {
			r.Cells[i].Value = json.RawMessage(`123`)
		}
		changed := verify(writeJSON(t, filepath.Join(t.TempDir(), "changed.json"), r), log, "--key", key)
		require.Equal(t, 1, changed.status)
		require.Contains(t, changed.stdout, "the report is not the one that was signed")
		for _, c := range r.Cells {
			require.Contains(t, changed.stdout, c.Name+": the report says 123, the log has ", "query %d", version)
		}

		t.Log("an export that is not the log is refused")
		text := readFile(t, log)
		lines := strings.SplitAfter(text, "\n")
		for says, export := range map[string]string{
			"position 4 is missing in the export":  strings.Join(append(lines[:3:3], lines[4:]...), ""),
			"is not the event that its hash is of": strings.Replace(text, `"reason":"spam"`, `"reason":"other"`, 1),
			"the export ends with position 1":      lines[0],
			"it is no line of an export":           "words\n",
		} {
			file := filepath.Join(t.TempDir(), "log.ndjson")
			require.NoError(t, os.WriteFile(file, []byte(export), 0o600))
			got := verify(published, file, "--key", key)
			require.Equal(t, 1, got.status)
			require.Contains(t, got.stdout, says)
		}
		require.Equal(t, 2, verify(filepath.Join(dir, "none"), log).status)
		unknown := verify(published, log)
		require.Zero(t, unknown.status, unknown.stdout+unknown.stderr)
		require.Contains(t, unknown.stderr, "whose report it is was not checked")
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

// freezeReport writes a report by the present query of the log that the query before was frozen with, and the log.
func freezeReport(t *testing.T) {
	t.Helper()
	dir := frozenReport(transparency.Version)
	require.NoDirExists(t, dir, "a report that was kept is never written again")
	require.NoError(t, os.CopyFS(dir, os.DirFS(frozenReport(transparency.Version-1))))
	key := logtest.NewKey(t)
	var r transparency.Report
	require.NoError(t, json.Unmarshal([]byte(readFile(t, filepath.Join(dir, "report.json"))), &r))
	r.ID, r.QueryVersion = uuid.NewString(), transparency.Version
	since, until, err := r.Days()
	require.NoError(t, err)
	q, err := transparency.NewQuery(r.QueryVersion, since, until)
	require.NoError(t, err)
	export, err := os.Open(filepath.Join(dir, "log.ndjson"))
	require.NoError(t, err)
	defer func() { _ = export.Close() }()
	_, err = proof.ReadExport(export, r.Position, q.Apply)
	require.NoError(t, err)
	r.Cells = transparency.Mask(q.Cells())
	require.NoError(t, r.Sign(key))
	writeJSON(t, filepath.Join(dir, "report.json"), r)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "key.pub"), []byte(key.Public+"\n"), 0o600))
}

func writeJSON(t *testing.T, file string, v any) string {
	t.Helper()
	encoded, err := json.MarshalIndent(v, "", " ")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, []byte(strings.TrimSpace(string(encoded))+"\n"), 0o600))
	return file
}
