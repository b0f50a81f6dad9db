package snapshot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/snapshot"
)

func TestExcerpt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		limit  int
		fields []snapshot.Field
		want   string
	}{
		{"no fields", 200, nil, ""},
		{"white space collapses", 200, []snapshot.Field{field("text", `"  a\n\t b "`)}, "a b"},
		{"rich text and text, one after the other", 200, []snapshot.Field{field("richText", paragraphs(2, "one")), field("text", `"two"`)}, "one one two"},
		{"values and files say nothing", 200, []snapshot.Field{field("value", `"enum"`), field("file", `{"name":"a"}`), field("text", `null`), field("text", `"b"`)}, "b"},
		{"cut at the limit", 5, []snapshot.Field{field("text", `"abcdefgh"`)}, "abcde"},
		{"no white space at the end", 4, []snapshot.Field{field("text", `"abc defgh"`)}, "abc"},
		{"no split character", 3, []snapshot.Field{field("text", `"abe\u0301"`)}, "ab"},
		{"a limit of nothing", 0, []snapshot.Field{field("text", `"abc"`)}, ""},
	} {
		built := snapshot.Build(snapshot.Capture{Fields: test.fields}, snapshot.BuildInput{MaxExcerpt: test.limit})
		require.Equal(t, test.want, built.Excerpt, test.name)
	}

	long := field("text", quoted(strings.Repeat("word ", 4000)))
	require.Len(t, snapshot.Build(snapshot.Capture{Fields: []snapshot.Field{long}}, input).Excerpt, 199)
}
