package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Given a rule that reporters may name and one that they may not, when a member names one of them,
// then only the first is taken, and it is found wherever the report is.
func TestAReportNamesARule(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	moderator, admin := b.moderator("Moderator", nil, everyPermission...), b.admin("Rules", "policies:can_manage")
	publish := func(key string, reportable any) *answer {
		return admin.post("/admin/policies", map[string]any{"key": key, "title": "Rule " + key, "text": "Do not.", "reportable": reportable})
	}
	require.Equal(t, true, publish("no-spam", true).status(nethttp.StatusCreated).body["reportable"])
	publish("no-spam", true).status(nethttp.StatusOK)
	require.Equal(t, false, publish("internal", nil).status(nethttp.StatusCreated).body["reportable"])
	publish("retired", true).status(nethttp.StatusCreated)
	admin.post("/admin/policies/retired/retire", "").status(nethttp.StatusOK)
	require.Contains(t, publish("other", "yes").fault(nethttp.StatusBadRequest, "validation_failed").issues(), "reportable")

	body := map[string]any{"pluginId": "forum", "targetType": "forum.post", "targetId": "1", "reason": "rule_violation"}
	for _, wrong := range []any{"internal", "retired", "unknown", "", "No Spam", "a\u202eb", strings.Repeat("a", 70), "' OR 1=1 --"} {
		body["policy"] = wrong
		a := b.member(0).post("/moderation/reports", body).fault(nethttp.StatusBadRequest, "validation_failed")
		require.Equal(t, map[string]string{"policy": "unknown_policy"}, a.issues(), "%v", wrong)
	}
	body["policy"], body["reason"] = "internal", "boredom"
	require.Len(t, b.member(0).post("/moderation/reports", body).fault(nethttp.StatusBadRequest, "validation_failed").issues(), 2, "all faults at once")
	body["policy"], body["reason"] = "no-spam", "rule_violation"
	id := b.member(0).post("/moderation/reports", body).status(nethttp.StatusCreated).body["id"].(string)
	without := b.file(1, "1")

	named := map[string]any{"key": "no-spam", "version": 1.0}
	publish("no-spam", false).status(nethttp.StatusCreated) // a report keeps the version that was named
	for path, of := range map[string]func(map[string]any) map[string]any{
		"/moderation/reports/" + id:             func(body map[string]any) map[string]any { return body },
		"/moderation/reports/" + id + "/replay": func(body map[string]any) map[string]any { return body },
		"/moderation/reports?policy=no-spam":    func(body map[string]any) map[string]any { return body["edges"].([]any)[0].(map[string]any) },
	} {
		found := of(moderator.get(path).status(nethttp.StatusOK).body)
		require.Equal(t, named, found["allegedPolicy"], path)
		require.Equal(t, "member", found["source"], path)
	}
	require.Nil(t, moderator.get("/moderation/reports/" + without).status(nethttp.StatusOK).body["allegedPolicy"])
	require.Equal(t, []string{id}, moderator.ids("/moderation/reports?policy=no-spam"))
	require.Empty(t, moderator.ids("/moderation/reports?policy=internal"))
	require.EqualValues(t, 1, moderator.get("/moderation/reports/counts?policy=no-spam").status(nethttp.StatusOK).body["new"])
	require.Contains(t, moderator.get("/moderation/reports?policy=No%20Spam").fault(nethttp.StatusBadRequest, "validation_failed").issues(), "policy")
	b.followCases()
	require.Len(t, moderator.get("/moderation/cases?policy=no-spam").status(nethttp.StatusOK).edges(), 1)
	require.Empty(t, moderator.get("/moderation/cases?policy=internal").status(nethttp.StatusOK).edges())

	b.project()
	figures := moderator.get("/moderation/stats").status(nethttp.StatusOK).body["policies"].([]any)
	require.Len(t, figures, 1)
	require.Equal(t, []any{"no-spam", 1.0, 0.0}, []any{figures[0].(map[string]any)["policy"], figures[0].(map[string]any)["reported"], figures[0].(map[string]any)["decided"]})
	b.sound()
}
