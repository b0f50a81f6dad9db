package http_test

import (
	nethttp "net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// counted asks for a report of today and waits until it is counted.
func (b *bundle) counted(auditor *client) string {
	b.t.Helper()
	today := time.Now().UTC().Format(time.DateOnly)
	asked := auditor.post("/admin/transparency", map[string]any{"since": today, "until": today}).status(nethttp.StatusAccepted).body
	pgtest.Eventually(b.t, func() bool {
		return auditor.get("/admin/transparency/" + asked["id"].(string)).status(nethttp.StatusOK).body["state"] == "done"
	}, "the report is counted")
	return asked["id"].(string)
}

func cellsOf(a *answer) map[string]any {
	cells := map[string]any{}
	for _, c := range a.body["cells"].([]any) {
		cells[c.(map[string]any)["name"].(string)] = c.(map[string]any)["value"]
	}
	return cells
}

func TestATransparencyReportIsCountedPublishedAndNeverChanges(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	auditor, mod := b.auditor(), b.moderator("Mod", nil, everyPermission...)
	policy := b.stating("spam", map[string]any{"ground": "incompatible", "category": "VIOLENCE"})
	for n, post := range []string{"1", "2", "3", "4", "5", "6"} {
		path := "/moderation/reports/" + b.file(b.reporterOf(post), post)
		if n < 5 {
			mod.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": policy}).status(nethttp.StatusOK)
		}
	}
	b.seal()
	for body, faults := range map[string]map[string]string{
		`{}`: {"since": "required", "until": "required"},
		`{"since":"2026-02-30","until":"1969-01-01"}`:         {"since": "invalid", "until": "invalid"},
		`{"since":"2026-02-02","until":"2026-02-01"}`:         {"until": "invalid"},
		`{"since":"2024-01-01","until":"2025-02-01"}`:         {"until": "out_of_range"},
		`{"since":"2026-01-01","until":"2926-01-01"}`:         {"until": "out_of_range"},
		`{"since":20260101,"until":null,"more":"2926-01-01"}`: {"since": "wrong_type", "until": "wrong_type", "more": "unknown_field"},
	} {
		require.Equal(t, faults, auditor.undescribed(nethttp.MethodPost, "/admin/transparency", "application/json", []byte(body)).fault(nethttp.StatusBadRequest, "validation_failed").issues(), body)
	}

	id := b.counted(auditor)
	report := auditor.get("/admin/transparency/" + id).status(nethttp.StatusOK)
	require.EqualValues(t, 6, cellsOf(report)["filings"])
	require.EqualValues(t, 5, cellsOf(report)["decisions.ground.incompatible"])
	public, page := "/transparency/"+id, b.guest()
	page.get(public).fault(nethttp.StatusNotFound, "not_found")
	t.Log("figures that somebody with SQL edits are not signed")
	pgtest.Exec(t, b.pool, `CREATE TABLE counted AS SELECT cells FROM core_transparency_reports; UPDATE core_transparency_reports SET cells = replace(cells::text, ':6', ':66')::json`)
	require.EqualValues(t, 66, cellsOf(auditor.get("/admin/transparency/" + id))["filings"])
	auditor.post("/admin/transparency/"+id+"/publish", nil).fault(nethttp.StatusConflict, "invalid_state")
	pgtest.Exec(t, b.pool, `UPDATE core_transparency_reports SET cells = counted.cells FROM counted`)
	require.NotNil(t, auditor.post("/admin/transparency/"+id+"/publish", nil).status(nethttp.StatusOK).body["publishedAt"])
	first := page.get(public).status(nethttp.StatusOK)
	require.Equal(t, report.body["rootHash"], first.body["rootHash"])
	require.EqualValues(t, 6, cellsOf(first)["filings"])
	auditor.post("/admin/transparency/"+id+"/publish", nil).status(nethttp.StatusOK)
	require.Equal(t, first.body, page.get(public).status(nethttp.StatusOK).body)
	rows := page.get(public + "?format=csv").status(nethttp.StatusOK)
	require.Contains(t, string(rows.raw), "\nfilings,6\n")
	page.get(public+"?format=xml").fault(nethttp.StatusBadRequest, "validation_failed")
	_, err := b.pool.Exec(t.Context(), `UPDATE core_transparency_reports SET published = '{}'`)
	require.ErrorContains(t, err, "never changes")

	t.Log("small numbers are masked, and only somebody who audits sees them")
	b.file(b.reporterOf("7"), "7")
	mod.post("/moderation/reports/"+b.file(b.reporterOf("8"), "8")+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "no_violation"}).status(nethttp.StatusOK)
	b.seal()
	second := b.counted(auditor)
	b.admin("Rules only", permission.AreaPolicies).get("/admin/transparency/"+second).fault(nethttp.StatusForbidden, "forbidden")
	auditor.post("/admin/transparency/"+second+"/publish", nil).status(nethttp.StatusOK)
	require.Equal(t, "<5", cellsOf(page.get("/transparency/" + second).status(nethttp.StatusOK))["decisions.resolution.no_violation"])
	require.Len(t, auditor.get("/admin/transparency").status(nethttp.StatusOK).edges(), 2)
}
