package proof_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/docketmod/docket/eventstore/proof"
)

func signNote(t *testing.T, key proof.Key, text string) []byte {
	t.Helper()
	signed, err := note.Sign(&note.Note{Text: text}, key)
	require.NoError(t, err)
	return signed
}
