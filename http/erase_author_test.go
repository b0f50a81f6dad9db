package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestErasingAnAuthorsWordsTakesAppealAndReasons(t *testing.T) {
	t.Parallel()
	d := newDecided(t)
	appealID := d.appeal()
	_, err := d.log().EraseWrittenBy(t.Context(), d.postAuthor("1"), true, nil, nil)
	require.NoError(t, err)
	require.Nil(t, d.judge.get("/moderation/appeals/" + appealID).status(200).body["text"])
	require.Nil(t, d.maker.get(d.path).status(200).body["decision"].(map[string]any)["reasons"])
	d.sound()
}
