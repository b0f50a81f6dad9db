package http_test

import (
	"path/filepath"
	"strings"
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

// A route is described in the file that is named as the Go file which serves it.
func TestEachFileOfTheDescriptionIsNamedAsTheRoutesItDescribes(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{"openapi", "openapi/examples"} {
		files, err := filepath.Glob(folder + "/*.yaml")
		require.NoError(t, err)
		require.Greater(t, len(files), 20)
		for _, file := range files {
			if name := strings.TrimSuffix(filepath.Base(file), ".yaml"); name != "base" && name != "outgoing" {
				require.FileExists(t, name+".go", file)
			}
		}
	}
}
