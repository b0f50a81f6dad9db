package cmd

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
	"github.com/docketmod/docket/eventstore/proof"
	"github.com/docketmod/docket/projections"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	folder := filepath.Join(t.TempDir(), "audit [1]")
	environment := with(l.environment, "DOCKET_AUDIT_DIR", folder)

	noFolder := docket(t, l.environment, "audit", "checkpoint")
	require.Equal(t, 2, noFolder.status)
	require.Contains(t, noFolder.stderr, "DOCKET_AUDIT_DIR")

	without := docket(t, l.environment, "audit", "verify")
	require.Equal(t, 0, without.status, without.stderr)
	require.Contains(t, without.stderr, "no checkpoint was kept")
	taken := docket(t, environment, "audit", "checkpoint")
	require.Equal(t, 0, taken.status, taken.stderr)
	require.Contains(t, taken.stdout, "docket-audit\n1\n")
	unsigned := docket(t, environment, "audit", "verify")
	require.Equal(t, 1, unsigned.status)
	require.Contains(t, unsigned.stdout, "sequence 1, position 1: it is not signed")
	whole := docket(t, environment, "audit", "verify", "--signed-from", "2")
	require.Equal(t, 0, whole.status, whole.stderr)
	require.Equal(t, "1 report, 1 position and 1 checkpoint checked, 0 findings\nevents are signed from position 2 on\n", whole.stdout)

	proved := docket(t, environment, "audit", "prove", l.report)
	require.Equal(t, 0, proved.status, proved.stderr)
	require.NotContains(t, proved.stdout, "what Ada saw")
	bundle := filepath.Join(t.TempDir(), "bundle.json")
	require.NoError(t, os.WriteFile(bundle, []byte(proved.stdout), 0o600))
	for name, c := range map[string]struct {
		environment map[string]string
		args        []string
	}{
		"under the folder's key":     {map[string]string{"DATABASE_URL": "postgres://nowhere.invalid/x", "DOCKET_AUDIT_DIR": folder}, nil},
		"under a key in a file":      {nil, []string{"--key", filepath.Join(folder, "key.pub")}},
		"under the key it claims":    {map[string]string{"DOCKET_DATA_DIR": t.TempDir()}, nil},
		"of a folder without a key":  {nil, []string{"--folder", t.TempDir()}},
		"under the key in a setting": {map[string]string{"DOCKET_AUDIT_KEY": readFile(t, filepath.Join(folder, "key"))}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := docket(t, c.environment, append([]string{"audit", "verify", "--bundle", bundle}, c.args...)...)
			require.Equal(t, 0, got.status, got.stderr)
			require.Contains(t, got.stdout, "report "+l.report+": 1 events are in the log")
			require.Contains(t, got.stdout, "not that the log holds no later event of the report")
		})
	}
	require.NoError(t, os.WriteFile(bundle, []byte(strings.Replace(proved.stdout, "forum.post", "forum.pots", 1)), 0o600))
	forged := docket(t, environment, "audit", "verify", "--bundle", bundle)
	require.Equal(t, 1, forged.status)
	require.Contains(t, forged.stderr, "report "+l.report+", sequence 1: its content does not match its hash")

	misspelt := docket(t, environment, "audit", "verify", "--folder", folder+"x")
	require.Equal(t, 1, misspelt.status, "a folder that is not there attests nothing")
	require.Contains(t, misspelt.stderr, "no such file")

	l.sql(t, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL`)
	l.sql(t, `DELETE FROM core_moderation_report_events`)
	tampered := docket(t, environment, "audit", "verify")
	require.Equal(t, 1, tampered.status)
	require.Contains(t, tampered.stdout, "report "+l.report+", sequence 1: the event is missing")
	require.Contains(t, tampered.stdout, "trigger core_moderation_report_events.allow_erasure: it is disabled")
	require.Contains(t, docket(t, environment, "doctor").stdout, "trigger core_moderation_report_events.refuse_delete: it is disabled")
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return strings.TrimSpace(string(content))
}

func TestAuditFaults(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"no id":                    {"prove", "x"},
		"no key":                   {"verify", "--key", "x"},
		"signed from before":       {"verify", "--signed-from=-1"},
		"no workers":               {"verify", "--workers", "0"},
		"unknown format":           {"export", "--format", "xml"},
		"negative position":        {"export", "--after=-1"},
		"resume without an output": {"export", "--resume"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := docket(t, nil, append([]string{"audit"}, args...)...)
			require.Equal(t, 2, got.status, got.stderr)
		})
	}
}

func (l *logged) claim(t *testing.T) {
	t.Helper()
	l.do(t, func(s report.State) ([]report.Fact, error) { return report.DecideClaim(s, l.reporter, s.Version) })
}

func (l *logged) do(t *testing.T, decide func(report.State) ([]report.Fact, error)) {
	t.Helper()
	_, err := l.store.Update(t.Context(), moderation.Ref{ReportID: l.report}, &l.reporter, deciding(decide))
	require.NoError(t, err)
}

func TestAuditExport(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	l.claim(t)
	all := docket(t, l.environment, "audit", "export")
	require.Equal(t, 0, all.status, all.stderr)
	lines := strings.Split(strings.TrimSpace(all.stdout), "\n")
	require.Len(t, lines, 2)
	var first map[string]any
	require.NoError(t, json.Unmarshal([]byte(lines[0]), &first))
	require.EqualValues(t, 1, first["position"])
	require.Equal(t, l.report, first["reportId"])
	require.Len(t, first["evidenceDigest"], 64)
	require.NotContains(t, all.stdout, "what Ada saw")
	require.Contains(t, docket(t, l.environment, "audit", "export", "--words").stdout, "what Ada saw")

	require.Equal(t, lines[1]+"\n", docket(t, l.environment, "audit", "export", "--after", "1").stdout)
	require.Equal(t, lines[0]+"\n", docket(t, l.environment, "audit", "export", "--through", "1").stdout)
	require.Empty(t, docket(t, l.environment, "audit", "export", "--since", time.Now().Add(time.Hour).Format(time.RFC3339)).stdout)
	require.Equal(t, all.stdout, docket(t, l.environment, "audit", "export", "--until", time.Now().Add(time.Hour).Format(time.RFC3339)).stdout)

	table := docket(t, l.environment, "audit", "export", "--format", "csv")
	rows, err := csv.NewReader(strings.NewReader(table.stdout)).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, "position", rows[0][0])
	require.Equal(t, []string{"2", "assigned"}, []string{rows[2][0], rows[2][5]})

	for _, format := range []string{"ndjson", "csv"} {
		whole := map[string]string{"ndjson": all.stdout, "csv": table.stdout}[format]
		for _, cut := range []int{0, 10, len(whole) - 1, len(whole)} {
			path := filepath.Join(t.TempDir(), "log")
			require.NoError(t, os.WriteFile(path, []byte(whole[:cut]), 0o600))
			resumed := docket(t, l.environment, "audit", "export", "--format", format, "--output", path, "--resume")
			require.Equal(t, 0, resumed.status, resumed.stderr)
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, whole, string(got), "%s cut at %d", format, cut)
			if cut != 0 {
				continue
			}
			require.Equal(t, 1, docket(t, l.environment, "audit", "export", "--output", path).status, "no file is overwritten")
			other := map[string]string{"ndjson": "csv", "csv": "ndjson"}[format]
			mixed := docket(t, l.environment, "audit", "export", "--format", other, "--output", path, "--resume")
			require.Equal(t, 1, mixed.status)
			require.Contains(t, mixed.stderr, "--format "+format)
			kept, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, whole, string(kept), "a file of another format is left as it is")
		}
	}
}

// Given a DATABASE_READ_URL that is no replica of the log, or does not answer, then the export is the primary's.
func TestAuditExportBesideAServerThatIsNoReplica(t *testing.T) {
	t.Parallel()
	l, another := newLogged(t), newLogged(t)
	l.claim(t)
	want := docket(t, l.environment, "audit", "export").stdout
	require.Equal(t, 2, strings.Count(want, "\n"))
	for name, url := range map[string]string{"another log": another.environment["DATABASE_URL"], "nothing": "postgres://127.0.0.1:1/docket"} {
		got := docket(t, with(l.environment, "DATABASE_READ_URL", url), "audit", "export")
		require.Equal(t, 0, got.status, "%s: %s", name, got.stderr)
		require.Equal(t, want, got.stdout, name)
	}
}

func TestReplayQueue(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	between := time.Now()
	l.claim(t)
	for name, c := range map[string]struct {
		at     time.Time
		status []string
	}{
		"before":  {between.Add(-time.Hour), nil},
		"between": {between, []string{"new"}},
		"now":     {time.Now(), []string{"in_progress"}},
	} {
		got := docket(t, l.environment, "replay", "--queue", "--at", c.at.Format(time.RFC3339Nano))
		require.Equal(t, 0, got.status, got.stderr)
		var view struct {
			Counts  map[string]int
			Reports []struct{ ID, Status string }
		}
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &view))
		var status []string
		for _, r := range view.Reports {
			status = append(status, r.Status)
		}
		require.Equal(t, c.status, status, name)
	}
	const longAgo = "0001-01-01T00:00:00Z" // also Go's time of nothing
	require.Contains(t, docket(t, l.environment, "replay", "--queue", "--at", longAgo).stdout, `"reports": []`)
	require.Contains(t, docket(t, l.environment, "replay", l.report, "--at", longAgo).stderr, "did not exist at that time")
	require.Equal(t, 2, docket(t, l.environment, "replay", "--queue").status)
	require.Equal(t, 2, docket(t, l.environment, "replay", "--queue", uuid.NewString(), "--at", time.Now().Format(time.RFC3339)).status)
	require.Equal(t, 2, docket(t, l.environment, "replay").status)
	for _, wrong := range [][]string{{"urn:uuid:" + uuid.NewString()}, {uuid.NewString(), "--sequence", "0"}, {uuid.NewString(), "--sequence=-1"},
		{uuid.NewString(), "--sequence", "1", "--at", time.Now().Format(time.RFC3339)}, {uuid.NewString(), "--all"}} {
		require.Equal(t, 2, docket(t, l.environment, append([]string{"replay"}, wrong...)...).status, "%v", wrong)
	}
}

// TestAuditOfASignedLog appends by a running server and by the command line, which share
// a key, and changes the key.
func TestAuditOfASignedLog(t *testing.T) {
	t.Parallel()
	l := newLogged(t)
	l.sql(t, `ALTER TABLE core_moderation_report_events DISABLE TRIGGER ALL; ALTER TABLE core_moderation_log DISABLE TRIGGER ALL`)
	l.sql(t, `DELETE FROM core_moderation_log; DELETE FROM core_moderation_report_events; DELETE FROM core_moderation_reports`)
	l.sql(t, `ALTER TABLE core_moderation_report_events ENABLE TRIGGER ALL; ALTER TABLE core_moderation_log ENABLE TRIGGER ALL`)
	key, err := proof.NewKey(testAuditKey)
	require.NoError(t, err)
	l.store = eventstore.New(l.pool, projections.Inline{}, nil, key, time.Now, func() {})
	l.file(t)
	first := with(l.environment, "DOCKET_AUDIT_KEY", testAuditKey)
	erased := docket(t, first, "erase", "--report", l.report)
	require.Equal(t, 0, erased.status, erased.stderr)

	whole := docket(t, first, "audit", "verify")
	require.Equal(t, 0, whole.status, whole.stderr)
	lines := strings.Split(strings.TrimSpace(whole.stdout), "\n")
	require.Len(t, lines, 3)
	require.Regexp(t, `^erasure: report `+l.report+`, \d{4}-\d\d-\d\dT[0-9:.]+Z, operator, sequences 1$`, lines[0])
	require.Equal(t, "1 report, 2 positions and 0 checkpoints checked, 0 findings", lines[1])
	require.Equal(t, "every event is signed", lines[2])

	other := docket(t, l.environment, "audit", "verify")
	require.Equal(t, 1, other.status)
	require.Contains(t, other.stderr, "no public key is known")
	second := with(l.environment, "DOCKET_AUDIT_KEY", strings.TrimSpace(auditKey(t, false, nil)))
	unknown := docket(t, second, "audit", "verify")
	require.Equal(t, 1, unknown.status)
	require.Contains(t, unknown.stdout, "sequence 1, position 1: its signature is not by a known key")
	for name, got := range map[string]outcome{
		"a former key":        docket(t, second, "audit", "verify", "--key", testPublicKey),
		"no key of its own":   docket(t, l.environment, "audit", "verify", "--key", testPublicKey),
		"two keys":            docket(t, l.environment, "audit", "verify", "--key", strings.TrimSpace(auditKey(t, true, second)), "--key", testPublicKey),
		"a key in a setting":  docket(t, with(second, "DOCKET_AUDIT_KNOWN_KEYS", testPublicKey), "audit", "verify"),
		"a key of production": docket(t, with(l.environment, "DOCKET_ENV", "production", "DOCKET_AUDIT_KEY", testAuditKey), "audit", "verify"),
	} {
		require.Equal(t, 0, got.status, name+got.stderr)
		require.Contains(t, got.stdout, "every event is signed", name)
	}
	refused := docket(t, with(l.environment, "DOCKET_ENV", "production"), "erase", "--report", l.report)
	require.Equal(t, 1, refused.status)
	require.Contains(t, refused.stderr, "DOCKET_AUDIT_KEY: production needs")
}
