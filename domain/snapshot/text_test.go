package snapshot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/snapshot"
)

func TestTextIsThatOfFieldsAndAuthors(t *testing.T) {
	t.Parallel()
	built := snapshot.Build(snapshot.Capture{
		Title: "Orchids",
		Fields: []snapshot.Field{
			{Name: "body", Kind: snapshot.KindRichText, Value: json.RawMessage(`{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"Buy followers"}]}]}`)},
			{Name: "note", Kind: snapshot.KindText, Value: json.RawMessage(`"<b>here</b>"`)},
			{Name: "category", Kind: snapshot.KindValue, Value: json.RawMessage(`"support"`)},
			{Name: "none", Kind: snapshot.KindText, Value: json.RawMessage(`null`)},
		},
		Authors: []snapshot.Author{{ID: "7", Name: "Mallory"}},
	}, snapshot.BuildInput{})
	require.Equal(t, []string{"Mallory", "Buy", "followers", "<b>here</b>"}, strings.Fields(snapshot.Text(built.JSON)))
}

func TestTextIsBounded(t *testing.T) {
	t.Parallel()
	long, err := json.Marshal(strings.Repeat("é", snapshot.MaxText))
	require.NoError(t, err)
	c := snapshot.Capture{Fields: []snapshot.Field{{Kind: snapshot.KindText, Value: long}, {Kind: snapshot.KindText, Value: json.RawMessage(`"end"`)}}}
	text := snapshot.Text(snapshot.Build(c, snapshot.BuildInput{}).JSON)
	require.Equal(t, strings.Repeat("é", snapshot.MaxText), text)
	for _, other := range []string{"", "null", "[]", `{"fields":3}`, "{"} {
		require.Empty(t, snapshot.Text(json.RawMessage(other)), other)
	}
}
