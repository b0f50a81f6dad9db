package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// work does the tasks that wait, as a scheduler makes the server do.
func (b *bundle) work() {
	b.t.Helper()
	c := b.guest()
	c.header.Set("Authorization", "Bearer "+cronSecret)
	c.post("/cron", "").status(nethttp.StatusOK)
}

func TestProjectionsAreVerifiedAndRebuiltOverHTTP(t *testing.T) {
	t.Parallel()
	const all = "/admin/advanced/projections"
	b := newBundle(t)
	auditor := b.auditor()
	id := b.file(0, "1")
	runs := func() map[string]map[string]any {
		found := map[string]map[string]any{}
		for _, r := range auditor.get(all).status(nethttp.StatusOK).body["runs"].([]any) {
			run := r.(map[string]any)
			found[run["work"].(string)+" "+run["name"].(string)] = run
		}
		return found
	}
	require.Empty(t, runs())

	// A counted projection that nothing has built yet cannot be verified.
	auditor.post(all+"/daily/verify", "").status(nethttp.StatusAccepted)
	b.work()
	require.Equal(t, "failed", runs()["verify daily"]["state"])
	require.Contains(t, runs()["verify daily"]["error"], "not built yet")
	b.project()

	// Given rows that are not what the log makes of them.
	for _, sql := range []string{`UPDATE core_moderation_reports SET title = 'other'`, `UPDATE core_projected_targets_1 SET filed = 7`} {
		pgtest.Exec(t, b.pool, sql)
	}
	for _, name := range []string{"reports", "targets", "reporters", "daily"} {
		asked := auditor.post(all+"/"+name+"/verify", "").status(nethttp.StatusAccepted).body
		require.Equal(t, "pending", asked["state"])
		// Asking again while it waits asks for nothing more.
		require.Equal(t, asked["id"], auditor.post(all+"/"+name+"/verify", "").status(nethttp.StatusAccepted).body["id"])
	}
	b.work()
	found := runs()
	for name, wrong := range map[string]int{"reports": 1, "targets": 2, "reporters": 0, "daily": 0} {
		run := found["verify "+name]
		require.Equal(t, "done", run["state"], run)
		require.EqualValues(t, wrong, run["wrong"], name)
		require.Equal(t, run["total"], run["done"], name)
		require.NotNil(t, run["finishedAt"])
	}
	require.Equal(t, []any{"report " + id + ": [Title] differ from the fold of its events"}, found["verify reports"]["findings"])

	// When they are rebuilt, then they are as they should be.
	for _, name := range []string{"reports", "targets"} {
		auditor.post(all+"/"+name+"/rebuild", "").status(nethttp.StatusAccepted)
		b.work()
		rebuilt := runs()["rebuild "+name]
		require.Equal(t, "done", rebuilt["state"], rebuilt)
		require.NotZero(t, rebuilt["total"], name)
		require.Equal(t, rebuilt["total"], rebuilt["done"], name)
		auditor.post(all+"/"+name+"/verify", "").status(nethttp.StatusAccepted)
		b.work()
		require.EqualValues(t, 0, runs()["verify "+name]["wrong"], name)
	}
	auditor.post(all+"/others/rebuild", "").fault(nethttp.StatusNotFound, "not_found")
}
