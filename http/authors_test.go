package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheRecordOfAnAuthor(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	author := d.postAuthor("1")
	record := d.judge.get("/moderation/authors/" + author).status(200).body
	require.EqualValues(t, 1, record["decided"])
	require.Equal(t, map[string]any{"action_taken": 1., "no_violation": 0., "duplicate": 0.}, record["outcomes"])
	require.Equal(t, []any{map[string]any{"key": "spam", "version": 1., "decisions": 1.}}, record["policies"])
	require.Equal(t, author, record["account"].(map[string]any)["id"])
	latest := record["latest"].([]any)
	require.Len(t, latest, 1)
	require.Equal(t, d.reportID, latest[0].(map[string]any)["id"])

	require.EqualValues(t, 0, d.judge.get("/moderation/authors/" + author + "?pluginId=shop").status(200).body["decided"])
	unknown := d.judge.get("/moderation/authors/nobody").status(200).body
	require.Equal(t, []any{0., nil}, []any{unknown["decided"], unknown["account"]})

	t.Log("it reaches as far as the caller's scopes, and a revoked decision counts no longer")
	elsewhere := d.moderator("Elsewhere", []string{"offtopic"}, everyPermission...)
	require.EqualValues(t, 0, elsewhere.get("/moderation/authors/" + author).status(200).body["decided"])
	d.maker.post(d.path+"/reopen", map[string]any{"expectedVersion": 3, "reason": "A second look."}).status(200)
	require.EqualValues(t, 0, d.judge.get("/moderation/authors/" + author).status(200).body["decided"])
}
