package http_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Generators of clients name a method for each operation.
func TestEveryOperationHasAnIDOfItsOwn(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for path, item := range apiDocument(t).Paths.Map() {
		for method, operation := range item.Operations() {
			id, where := operation.OperationID, method+" "+path
			require.Regexp(t, "^[a-z][A-Za-z]+$", id, where)
			require.Empty(t, seen[id], "%s has the operationId of %s", where, seen[id])
			seen[id] = where
		}
	}
	require.Greater(t, len(seen), 90)
}
