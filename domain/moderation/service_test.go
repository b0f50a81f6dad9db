package moderation

import (
	"os"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// A reader finds every command and query of the service in its comment.
func TestServiceNamesItsCommandsAndQueries(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("service.go")
	require.NoError(t, err)
	for m := range reflect.TypeFor[*Service]().Methods() {
		require.Regexp(t, `(?m)^//.*\b`+m.Name+`\b`, string(text))
	}
}
