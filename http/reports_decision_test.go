package http_test

import (
	nethttp "net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// publish makes a policy and gives it as resolve takes it.
func (b *bundle) publish(key string) map[string]any {
	b.t.Helper()
	a := b.admin("Rules "+key).post("/admin/policies", map[string]any{"key": key, "title": "Rule " + key, "text": richText("Do not.")})
	a.status(nethttp.StatusCreated)
	return map[string]any{"key": key, "version": a.body["version"]}
}

func TestADecisionCitesARuleAndGivesReasons(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mod := b.moderator("Mod", nil, everyPermission...)
	id := b.file(0, "1")
	rule := b.publish("spam")
	require.Nil(t, mod.get("/moderation/reports/" + id).status(200).body["decision"])

	hidden := mod.post("/moderation/reports/"+id+"/actions/hide", map[string]any{"expectedVersion": 1}).status(200)
	require.Nil(t, hidden.body["decision"])
	done := mod.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 2, "resolution": "action_taken",
		"policy": rule, "reasons": richText("This is advertising.")}).status(200)
	decision := done.body["decision"].(map[string]any)
	require.Equal(t, rule, decision["policy"])
	require.Equal(t, richText("This is advertising."), decision["reasons"])
	require.Equal(t, []any{"hide"}, decision["actions"])
	require.Equal(t, done.body["resolvedAt"], decision["decidedAt"])
	until, err := time.Parse(time.RFC3339, decision["appealableUntil"].(string))
	require.NoError(t, err)
	decidedAt, err := time.Parse(time.RFC3339, decision["decidedAt"].(string))
	require.NoError(t, err)
	require.Equal(t, decidedAt.AddDate(0, 0, 180), until, "180 days, and not what waiting for the lock leaves of them")

	t.Log("the list, the replay and the timeline say the same")
	require.Equal(t, decision, mod.get("/moderation/reports?status=done").status(200).edges()[0]["decision"])
	require.Equal(t, decision, mod.get("/moderation/reports/" + id + "/replay").status(200).body["decision"])
	require.Nil(t, mod.get("/moderation/reports/" + id + "/replay?sequence=2").status(200).body["decision"])
	last := mod.get("/moderation/reports/" + id + "/timeline?order=desc").status(200).edges()[0]
	require.Equal(t, map[string]any{"resolution": "action_taken", "explanation": nil, "policy": rule, "reasons": richText("This is advertising.")}, last["data"])

	t.Log("what is taken back stands no longer, also when it is done")
	shown := mod.post("/moderation/reports/"+id+"/actions/unhide", map[string]any{"expectedVersion": 3}).status(200)
	require.Equal(t, []any{}, shown.body["decision"].(map[string]any)["actions"])

	t.Log("a retired rule can be cited no longer, and stays where it was cited")
	b.admin("Other").post("/admin/policies/spam/retire", "").status(200)
	again := map[string]any{"expectedVersion": 4, "resolution": "no_violation", "policy": rule}
	require.Equal(t, map[string]string{"policy": "unknown_policy"}, mod.post("/moderation/reports/"+id+"/resolve", again).fault(400, "validation_failed").issues())
	wrong := map[string]any{"expectedVersion": "x", "resolution": "action_taken", "policy": map[string]any{"key": "none", "version": 1}, "action": "none",
		"measures": []any{map[string]any{"authorId": "nobody", "kind": "warn"}, 5}}
	require.Equal(t, map[string]string{"expectedVersion": "wrong_type", "policy": "unknown_policy", "action": "unknown_action", "measures[0].authorId": "unknown_author",
		"measures[1]": "wrong_type"},
		mod.post("/moderation/reports/"+id+"/resolve", wrong).fault(400, "validation_failed").issues())
	wrong = map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": map[string]any{"key": "none"}, "action": "none"}
	require.Equal(t, map[string]string{"policy.version": "required", "action": "unknown_action"},
		mod.post("/moderation/reports/"+id+"/resolve", wrong).fault(400, "validation_failed").issues())
	require.Equal(t, rule, mod.get("/moderation/reports/" + id).status(200).body["decision"].(map[string]any)["policy"])

	t.Log("nobody has to give any of it")
	bare := mod.post("/moderation/reports/"+id+"/resolve", map[string]any{"expectedVersion": 4, "resolution": "duplicate"}).status(200)
	decision = bare.body["decision"].(map[string]any)
	require.Equal(t, []any{nil, nil, nil}, []any{decision["policy"], decision["reasons"], decision["appealableUntil"]})
	require.Nil(t, mod.post("/moderation/reports/"+id+"/reopen", map[string]any{"expectedVersion": 5, "reason": "A second look."}).status(200).body["decision"])
}

func TestReasonsAreEvidence(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mod := b.moderator("Mod", nil, everyPermission...)
	id := b.file(0, "1")
	path := "/moderation/reports/" + id
	mod.post(path+"/resolve", map[string]any{"expectedVersion": 1, "resolution": "action_taken", "reasons": "You advertise."}).status(200)
	require.Equal(t, "You advertise.", mod.get(path).status(200).body["decision"].(map[string]any)["reasons"])

	_, err := b.log().EraseResolvedBefore(t.Context(), time.Now().Add(time.Hour), nil, nil)
	require.NoError(t, err)

	for _, a := range []*answer{mod.get(path), mod.get(path + "/replay")} {
		decision := a.status(200).body["decision"].(map[string]any)
		require.Nil(t, decision["reasons"])
		require.Equal(t, true, decision["erased"])
	}
	require.NotContains(t, string(mod.get(path+"/timeline").status(200).raw), "advertise")
}

func TestReasonsAndPoliciesAreValidated(t *testing.T) {
	t.Parallel()
	b := newBundle(t)
	mod := b.moderator("Mod", nil, everyPermission...)
	id := b.file(0, "1")
	path := "/moderation/reports/" + id + "/resolve"
	for fault, reasons := range map[string]any{"too_long": richText(strings.Repeat("x", 10_001)), "wrong_type": 7, "invalid_text": "\x00"} {
		require.Equal(t, map[string]string{"reasons": fault}, mod.post(path, map[string]any{"expectedVersion": 1, "resolution": "action_taken", "reasons": reasons}).fault(400, "validation_failed").issues())
	}
	require.Equal(t, map[string]string{"policy.version": "wrong_type", "policy.key": "required"},
		mod.post(path, map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": map[string]any{"version": "1"}}).fault(400, "validation_failed").issues())

	t.Log("only a version in force is cited")
	b.publish("spam")
	for _, version := range []int{-1, 2, 1 << 40} {
		decision := map[string]any{"resolution": "action_taken", "policy": map[string]any{"key": "spam", "version": version}}
		require.Equal(t, map[string]string{"resolve.policy": "unknown_policy"}, mod.post("/moderation/cases/decide", caseBody("1", decision, id)).fault(400, "validation_failed").issues(), version)
		decision["expectedVersion"] = 1
		require.Equal(t, map[string]string{"policy": "unknown_policy"}, mod.post(path, decision).fault(400, "validation_failed").issues(), version)
	}
	t.Log("faults of several reports are told together, and so are they of one")
	wrong := caseBody("1", map[string]any{"resolution": "maybe", "policy": map[string]any{"key": "spam", "version": 7}}, id, "1")
	wrong["action"] = "burn"
	require.Equal(t, map[string]string{"reports[1].id": "invalid", "action": "unknown_action", "resolve.resolution": "unknown_value", "resolve.policy": "unknown_policy"},
		mod.post("/moderation/cases/decide", wrong).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"reports[1].id": "invalid", "resolve.resolution": "unknown_value", "resolve.policy": "unknown_policy"},
		mod.post("/moderation/similar/decide", map[string]any{"reports": wrong["reports"], "resolve": wrong["resolve"]}).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"reports[0].id": "other_target", "action": "unknown_action", "resolve.policy": "unknown_policy"},
		mod.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "2"}, "action": "burn",
			"reports": wrong["reports"].([]map[string]any)[:1], "resolve": map[string]any{"resolution": "no_violation", "policy": map[string]any{"key": "spam", "version": 7}}}).fault(400, "validation_failed").issues())
	require.Equal(t, map[string]string{"action": "unknown_action", "resolve.policy": "unknown_policy", "resolve.measures[0].authorId": "unknown_author"},
		mod.post("/moderation/cases/decide", map[string]any{"target": map[string]any{"pluginId": "forum", "type": "forum.post", "id": "1"}, "action": "burn",
			"reports": wrong["reports"].([]map[string]any)[:1], "resolve": map[string]any{"resolution": "action_taken", "policy": map[string]any{"key": "spam", "version": 7},
				"measures": []any{map[string]any{"authorId": "nobody", "kind": "warn"}}}}).fault(400, "validation_failed").issues())
	mod.post(path, map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": nil, "reasons": " "}).status(200)
}

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
