package remote_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/platform/remote"
)

func TestTheAnswerToResolveIsReadAsHostile(t *testing.T) {
	t.Parallel()
	found, issues := remote.ReadResolved([]byte(`{"type": "shop.review", "id": "51", "more": {}}`))
	require.Empty(t, issues)
	require.Equal(t, remote.Resolved{Type: "shop.review", ID: "51"}, found)
	for raw, path := range map[string]string{
		`[]`:                                     "",
		`{"type": "shop.review"}`:                "id",
		`{"id": "51"}`:                           "type",
		`{"type": "shop.review", "id": 5}`:       "id",
		`{"type": null, "id": "51"}`:             "type",
		`{"type": "a", "type": "b", "id": "51"}`: "",
	} {
		_, issues := remote.ReadResolved([]byte(raw))
		require.NotEmpty(t, issues, raw)
		require.Equal(t, path, issues[0].Path, raw)
	}
}
