package cmd

import (
	"encoding/json"
	"fmt"
	nethttp "net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a published report and an export of the log, then the command counts the same without a database, also
// after words were erased, and names a changed cell, a removed event and an edited one.
func TestAPublishedReportIsVerifiedFromAnExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	environment := map[string]string{"DATABASE_URL": pgtest.URL(t), "DOCKET_AUDIT_DIR": filepath.Join(dir, "audit"), "DOCKET_DATA_DIR": dir}
	p := startProcess(t, environment, "demo")
	admin, moderator, member := p.signIn("admin@demo.test"), p.signIn("moderator@demo.test"), p.signIn("member1@demo.test")
	post := func(client *nethttp.Client, path string, body any) map[string]any {
		t.Helper()
		status, answer, err := p.send(client, nethttp.MethodPost, path, body)
		require.NoError(t, err)
		require.Less(t, status, 300, "%s: %v", path, answer)
		return answer
	}
	var ids []string
	for n := 1; len(ids) < 6; n++ {
		status, answer, err := p.send(member, nethttp.MethodPost, "/moderation/reports",
			map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": fmt.Sprint(n), "reason": "spam", "description": "Look at this."})
		require.NoError(t, err)
		require.Contains(t, []int{nethttp.StatusCreated, nethttp.StatusForbidden}, status, "%v", answer) // their own cannot be reported
		if status == nethttp.StatusCreated {
			ids = append(ids, answer["id"].(string))
			post(moderator, "/moderation/reports/"+answer["id"].(string)+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"})
		}
	}
	require.Zero(t, docket(t, environment, "audit", "checkpoint").status) // seals
	today := time.Now().UTC().Format(time.DateOnly)
	path := "/admin/transparency/" + post(admin, "/admin/transparency", map[string]any{"since": today, "until": today})["id"].(string)
	get := func(path string) map[string]any {
		t.Helper()
		status, answer, err := p.send(admin, nethttp.MethodGet, path, nil)
		require.NoError(t, err)
		require.Equal(t, nethttp.StatusOK, status)
		return answer
	}
	pgtest.Eventually(t, func() bool { return get(path)["state"] == "done" }, "the report is counted")
	post(admin, path+"/publish", nil)
	published := get(strings.TrimPrefix(path, "/admin"))
	p.end(syscall.SIGTERM)

	write := func(name string, content []byte) string {
		t.Helper()
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, content, 0o600))
		return file
	}
	encode := func(v any) []byte {
		b, err := json.MarshalIndent(v, "", " ") // as people store it
		require.NoError(t, err)
		return b
	}
	export := func(name string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		got := docket(t, environment, "audit", "export", "--output", file)
		require.Zero(t, got.status, got.stderr)
		return file
	}
	report, log := write("report.json", encode(published)), export("log.ndjson")
	elsewhere := map[string]string{"DATABASE_URL": "postgres://nowhere.invalid/x", "DOCKET_DATA_DIR": t.TempDir(), "HOME": t.TempDir(), "DOCKET_AUDIT_DIR": t.TempDir()}
	verify := func(report, log string) outcome {
		return docket(t, elsewhere, "transparency", "verify", report, "--log", log, "--key", filepath.Join(dir, "audit", "key.pub"))
	}
	whole := verify(report, log)
	require.Zero(t, whole.status, whole.stdout+whole.stderr)
	require.Contains(t, whole.stdout, "positions of the log say")

	t.Log("erased words change no cell")
	require.Zero(t, docket(t, environment, "erase", "--report", ids[0]).status)
	erased := verify(report, export("erased.ndjson"))
	require.Zero(t, erased.status, erased.stdout+erased.stderr)

	t.Log("what was changed is named")
	published["cells"].([]any)[0].(map[string]any)["value"] = 77
	lines, err := os.ReadFile(log)
	require.NoError(t, err)
	all := strings.SplitAfter(string(lines), "\n")
	for _, c := range []struct {
		report, log string
		says        []string
	}{
		{write("changed.json", encode(published)), log, []string{"the report says 77, the log has ", "the report is not the one that was signed"}},
		{report, write("removed.ndjson", []byte(strings.Join(append(all[:3:3], all[4:]...), ""))), []string{"position 4 is missing in the export"}},
		{report, write("edited.ndjson", []byte(strings.Replace(string(lines), `"reason":"spam"`, `"reason":"other"`, 1))), []string{"is not the event that its hash is of"}},
		{report, write("short.ndjson", []byte(all[0])), []string{"the export ends with position 1"}},
		{report, write("words.ndjson", []byte("words\n")), []string{"it is no line of an export"}},
	} {
		got := verify(c.report, c.log)
		require.Equal(t, 1, got.status)
		for _, say := range c.says {
			require.Contains(t, got.stdout, say)
		}
	}
	require.Equal(t, 2, docket(t, elsewhere, "transparency", "verify", filepath.Join(dir, "none"), "--log", log).status)
	other := docket(t, elsewhere, "transparency", "verify", report, "--log", log)
	require.Zero(t, other.status, other.stdout+other.stderr)
	require.Contains(t, other.stderr, "whose report it is was not checked")
}
