package remote_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/target"
	"github.com/docketmod/docket/platform/remote"
)

func TestTheAnswerToContextIsReadAsHostile(t *testing.T) {
	t.Parallel()
	items, issues := remote.ReadContext([]byte(`{"items": [
		{"id": "1", "relation": "before", "text": "a", "author": {"subject": "u", "name": "Uma"}, "at": "2026-11-22T16:00:00Z", "url": "javascript:alert(1)", "more": 1},
		{"id": "2", "relation": "target", "hidden": true, "author": {"id": "v"}}]}`))
	require.Empty(t, issues)
	require.Len(t, items, 2)
	require.Equal(t, []any{"1", target.Before, "a", "u", "Uma", ""}, []any{items[0].ID, items[0].Relation, items[0].Text, items[0].Author.ID, items[0].Author.Name, items[0].URL})
	require.Equal(t, []any{true, "v"}, []any{items[1].Hidden, items[1].Author.ID})

	for raw, path := range map[string]string{
		`[]`:              "",
		`{}`:              "items",
		`{"items": {}}`:   "items",
		`{"items": [{}]}`: "items[0].id",
		`{"items": [{"id": "1", "relation": "beside"}]}`:               "items[0].relation",
		`{"items": [{"id": "1", "relation": "after", "author": {}}]}`:  "items[0].author.subject",
		`{"items": [{"id": "1", "relation": "after", "at": "today"}]}`: "items[0].at",
		`{"items": [{"id": 1, "relation": "after"}]}`:                  "items[0].id",
		`{"items": [1, 2, 3, 4, 5, 6, 7, 8, 9]}`:                       "items",
	} {
		_, issues := remote.ReadContext([]byte(raw))
		require.NotEmpty(t, issues, raw)
		require.Equal(t, path, issues[0].Path, raw)
	}
}
