package http_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/eventstore/postgres/pgtest"
)

// Given a pool of one connection, no command waits for a second one while it holds the first.
func TestEveryCommandTakesOneConnection(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	b := newBundleWith(t, map[string]string{"DATABASE_URL": url + map[bool]string{true: "&", false: "?"}[strings.Contains(url, "?")] + "pool_max_conns=1"})
	require.EqualValues(t, 1, b.pool.Config().MaxConns)
	mod, lead := b.moderator("Mod", nil, everyPermission...), b.moderator("Lead", nil, everyPermission...)
	rule, keyed := b.publish("spam"), b.keyed("grave")
	report, other := b.file(b.reporterOf("1"), "1"), b.file(b.reporterOf("2"), "2")
	path, author := "/moderation/reports/"+report, b.postAuthor("1")
	version := func(id string) int {
		return int(mod.get("/moderation/reports/" + id).status(200).body["version"].(float64))
	}
	command := func(c *client, of, path string, more ...any) *answer {
		t.Helper()
		body := map[string]any{"expectedVersion": version(of)}
		for i := 0; i < len(more); i += 2 {
			body[more[i].(string)] = more[i+1]
		}
		a := c.post(path, body)
		require.Less(t, a.code, 300, "%s: %s", path, a.raw)
		return a
	}
	command(mod, report, path+"/claim")
	command(mod, report, path+"/assign", "assigneeId", lead.id())
	command(mod, report, path+"/escalate", "to", "leads", "note", "Please look at it.")
	command(lead, report, path+"/return")
	command(mod, report, path+"/unassign")
	note := mod.post(path+"/notes", map[string]any{"body": "A note."}).status(201).body["note"].(map[string]any)["id"].(string)
	mod.post(path+"/notes/"+note+"/pin", map[string]any{"until": until(7)}).status(200)
	command(mod, report, path+"/actions/hide")
	imposed := []any{map[string]any{"authorId": author, "kind": "suspend", "until": until(7)}}
	command(mod, report, path+"/resolve", "resolution", "action_taken", "policy", rule, "measures", imposed)
	appeal := b.session(author).post("/users/decisions/"+report+"/appeal", map[string]any{"text": "Look again."}).status(201).body["id"].(string)
	command(lead, report, "/moderation/appeals/"+appeal+"/overturn", "reply", "You are right.")
	command(mod, report, path+"/reopen", "reason", "It is back.")
	held := command(mod, report, path+"/resolve", "resolution", "action_taken", "policy", keyed, "measures", imposed).status(202).body["held"].(map[string]any)["id"].(string)
	command(lead, report, "/moderation/held/"+held+"/approve")
	mod.post("/moderation/cases/decide", ofCase("2", map[string]any{"reports": []any{map[string]any{"id": other, "expectedVersion": version(other)}},
		"resolve": map[string]any{"resolution": "action_taken", "policy": rule}, "action": "hide"})).status(200)
}
