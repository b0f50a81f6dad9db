package http_test

import (
	nethttp "net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/moderation"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// fileAsBefore files a report of spam as a release before does, which knows no sources, with the words of another one.
func (b *bundle) fileAsBefore(reporter, post string) (id string) {
	b.t.Helper()
	snapshot := pgtest.One[string](b.t, b.pool, `SELECT snapshot::text FROM core_moderation_reports LIMIT 1`)
	s, err := b.log().File(b.t.Context(), moderation.Filing{Created: report.Created{
		Target: report.Target{PluginID: "forum", Type: "forum.post", ID: post, PermissionModule: "posts"}, Locale: "en", RequestedLocale: "en", Reason: report.Spam, ReporterID: reporter,
		Words: report.CreatedWords{ReporterName: "Member", Snapshot: []byte(snapshot)},
	}})
	require.NoError(b.t, err)
	require.NotContains(b.t, pgtest.One[string](b.t, b.pool, `SELECT convert_from(payload, 'UTF8') FROM core_moderation_report_events WHERE report_id = $1 AND sequence = 1`, s.ID), "source")
	return s.ID
}

// Given a trusted flagger, when a server of the release before files for the account and works reports that this one
// filed, then each is read by its own events: what that server filed is a member's, and the rest stays a trusted
// flagger's on the board, in its case, in the statement of its decision and in a transparency report.
func TestReportsOfATrustedFlaggerBesideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	database, settings := receiver(t)
	b := newBundleWith(t, settings)
	b.run()
	mod, admin, auditor := b.unlimited("Mod"), b.admin("Accounts", permission.AreaUsersManage), b.auditor()
	policy := b.stating("spam", map[string]any{"ground": "incompatible", "category": "VIOLENCE"})
	admin.post("/admin/users/"+b.members[0]+"/trusted", map[string]any{"trusted": true, "name": "Hotline"}).status(nethttp.StatusOK)
	claimed, decided := b.file(0, "1"), b.file(0, "2")
	version := mod.post("/moderation/reports/"+decided+"/actions/hide", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK).body["version"]

	stop := b.writeAsBefore()
	theirs := b.fileAsBefore(b.members[0], "3")
	mod.post("/moderation/reports/"+claimed+"/claim", map[string]any{"expectedVersion": 1}).status(nethttp.StatusOK)
	mod.post("/moderation/reports/"+decided+"/resolve", map[string]any{"expectedVersion": version, "resolution": "action_taken", "policy": policy}).status(nethttp.StatusOK)
	stop()

	for id, want := range map[string][]any{claimed: {"trusted_flagger", map[string]any{"name": "Hotline"}}, decided: {"trusted_flagger", map[string]any{"name": "Hotline"}}, theirs: {"member", nil}} {
		r := mod.get("/moderation/reports/" + id).status(nethttp.StatusOK).body
		require.Equal(t, want, []any{r["source"], r["flagger"]})
		require.Equal(t, want[0], mod.get("/moderation/reports/" + id + "/replay").status(nethttp.StatusOK).body["source"])
	}
	b.followCases()
	for post, trusted := range map[string]bool{"1": true, "3": false} {
		parts := mod.get("/moderation/cases?targetId=" + post).status(nethttp.StatusOK).edges()[0]["priority"].(map[string]any)["parts"]
		if part := any(map[string]any{"name": "trusted", "points": 20.0}); trusted {
			require.Contains(t, parts, part)
		} else {
			require.NotContains(t, parts, part)
		}
	}
	b.stated(1)
	for _, statement := range database.Stored() {
		require.Equal(t, "SOURCE_TRUSTED_FLAGGER", statement["source_type"])
	}
	require.Len(t, database.Stored(), 1)
	b.seal()
	cells := cellsOf(auditor.get("/admin/transparency/" + b.counted(auditor)).status(nethttp.StatusOK))
	require.Equal(t, []any{2.0, 1.0}, []any{cells["filings.source.trusted_flagger"], cells["filings.source.member"]})
	b.runJob("mend-reports")
	b.sound()
}

// Given a live rule, when a server of the release before files a report and decides another one that the rule
// matched, then the first is judged too, and the second keeps what the rule did.
func TestRulesBesideTheReleaseBefore(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	b.run()
	admin, mod := b.admin("Rules", permission.AreaRules), b.unlimited("Mod")
	admin.rule("tags", `reason == "spam"`, "live", map[string]any{"points": 7, "tags": []string{"seen"}})
	ours := b.file(0, "1")
	before := mod.awaitRules(ours, 1)
	theirs := b.fileAsBefore(b.members[1], "2")
	require.Equal(t, []any{"seen"}, mod.awaitRules(theirs, 1)["tags"])

	stop := b.writeWithout("rules", "tags", "hidden_by", "ruled")
	mod.resolve(ours, "no_violation")
	stop()
	require.Equal(t, []string{ours}, b.behind())
	after := mod.get("/moderation/reports/" + ours).status(nethttp.StatusOK).body
	require.Equal(t, []any{before["rules"], before["tags"]}, []any{after["rules"], after["tags"]})
	require.ElementsMatch(t, []string{ours, theirs}, mod.ids("/moderation/reports?tag=seen"))
	pgtest.Eventually(t, func() bool {
		live := admin.get("/admin/rules/tags/matches").status(nethttp.StatusOK).body["items"].([]any)[0].(map[string]any)["live"].(map[string]any)
		return live["rejected"] == 1.0 && live["open"] == 1.0
	}, "the figures follow")
	b.runJob("mend-reports")
	b.sound()
}
