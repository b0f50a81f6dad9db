package content_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	domain "github.com/docketmod/docket/domain/content"
)

// A public json field is the JSON that is stored, not text that holds it.
func TestPublicJSONIsNoText(t *testing.T) {
	t.Parallel()
	b := newBundle(t, `CREATE TABLE sheets (id bigint PRIMARY KEY, specs json);
		INSERT INTO sheets VALUES (1, '{"watts": [5, 7.5], "dim": true}'), (2, 'null'), (3, NULL), (4, '"text"'),
			(5, ('"' || repeat('x', 200000) || '"')::json)`, oneType("sheet", "specs: {kind: json}"))
	tests := []struct{ name, id, want string }{
		{"an object", "1", `{"watts": [5, 7.5], "dim": true}`},
		{"the null of JSON", "2", "null"},
		{"no value", "3", "null"},
		{"a string", "4", `"text"`},
		{"more than is read of a value", "5", "null"},
	}
	for _, test := range tests {
		item, err := b.Content[0].Reader.Item(t.Context(), test.id, "", domain.HiddenAccess{})
		require.NoError(t, err, test.name)
		require.Equal(t, test.want, string(item.Fields[0].Value), test.name)
	}
}
