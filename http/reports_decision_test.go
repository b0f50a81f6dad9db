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
	require.WithinDuration(t, time.Now().AddDate(0, 0, 180), until, time.Hour)

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
	mod.post(path, map[string]any{"expectedVersion": 1, "resolution": "action_taken", "policy": nil, "reasons": " "}).status(200)
}
