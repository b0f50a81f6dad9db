package snapshot_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/snapshot"
)

var pieces = rapid.SampledFrom([]string{"word ", "ä", "e\u0301", "👩\u200d👧", "\x00", "\xff", "\x01", "\n", `"`, "<b>", "\u2028"})

func anyText() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		one := strings.Join(rapid.SliceOfN(pieces, 0, 5).Draw(t, "pieces"), "")
		return strings.Repeat(one, rapid.SampledFrom([]int{1, 1, 10, 3000, 20_000}).Draw(t, "times"))
	})
}

func anyField() *rapid.Generator[snapshot.Field] {
	return rapid.Custom(func(t *rapid.T) snapshot.Field {
		f := snapshot.Field{
			Name: rapid.SampledFrom([]string{"a", "b", "\x00"}).Draw(t, "name"), Label: rapid.SampledFrom([]string{"A", strings.Repeat("B", 1000)}).Draw(t, "label"),
			Kind: rapid.SampledFrom([]snapshot.Kind{"text", "richText", "file", "value", "other"}).Draw(t, "kind"),
		}
		text := anyText().Draw(t, "text")
		switch rapid.IntRange(0, 7).Draw(t, "form") {
		case 0:
			f.Value = json.RawMessage(text)
		case 1:
			f.Value = json.RawMessage(rapid.SampledFrom([]string{"", "null", "true", "-1.5e3", "[]", "{}", "1e99999"}).Draw(t, "scalar"))
		case 2:
			f.Value = json.RawMessage(quoted(text))
		case 3:
			f.Value = json.RawMessage(`"` + strings.NewReplacer(`"`, ``, "\n", "", "\x00", "", "\x01", "").Replace(text) + `"`)
		case 4, 5:
			f.Value = json.RawMessage(paragraphs(rapid.SampledFrom([]int{0, 1, 100, 5000}).Draw(t, "paragraphs"), text[:min(len(text), 50)]))
		case 6:
			f.Value = json.RawMessage(`{"id":` + quoted(text) + `,"name":"n","x":1}`)
		default:
			f.Value = json.RawMessage(`[` + quoted(text) + `,{"id":1}]`)
		}
		return f
	})
}

// Whatever a capture holds, the snapshot is valid, clean, within its limits and
// always the same.
func TestAnyCaptureBecomesASnapshot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := snapshot.Capture{
			Title: anyText().Draw(t, "title"), Served: rapid.SampledFrom([]string{"", "en", "de"}).Draw(t, "served"), URL: anyText().Draw(t, "url"),
			Fields: rapid.SliceOfN(anyField(), 0, 20).Draw(t, "fields"),
		}
		built := snapshot.Build(c, input)
		s, encoded := built.Snapshot, built.JSON
		require.Equal(t, built, snapshot.Build(c, input), "the same bytes")

		require.LessOrEqual(t, len(encoded), snapshot.MaxBytes)
		require.True(t, utf8.Valid(encoded))
		require.NotContains(t, strings.ReplaceAll(string(encoded), `\\`, ``), `\u0000`)
		require.LessOrEqual(t, utf8.RuneCountInString(s.Title), snapshot.MaxText)

		var back snapshot.Snapshot
		require.NoError(t, json.Unmarshal(encoded, &back))
		reencoded, err := back.MarshalJSON()
		require.NoError(t, err)
		require.Equal(t, string(encoded), string(reencoded), "reading and writing it changes nothing")

		require.True(t, len(s.Fields) == len(c.Fields) || s.Truncated && len(s.Fields) < len(c.Fields))
		for i, f := range s.Fields {
			require.Equal(t, strings.ReplaceAll(c.Fields[i].Name, "\x00", "\uFFFD"), f.Name, "fields keep their order")
			holdsItsKind(t, f)
		}
		require.LessOrEqual(t, utf8.RuneCountInString(built.Excerpt), input.MaxExcerpt)
		require.Equal(t, strings.Join(strings.Fields(built.Excerpt), " "), built.Excerpt)
	})
}

func holdsItsKind(t *rapid.T, f snapshot.Field) {
	if string(f.Value) == "null" {
		return
	}
	switch f.Kind {
	case snapshot.KindText:
		var s string
		require.NoError(t, json.Unmarshal(f.Value, &s))
		require.LessOrEqual(t, utf8.RuneCountInString(s), snapshot.MaxText)
	case snapshot.KindRichText:
		require.True(t, strings.HasPrefix(string(f.Value), `{"type":"doc","content":[`))
	case snapshot.KindFile:
		var files []map[string]any
		if f.Value[0] == '{' {
			files = make([]map[string]any, 1)
			require.NoError(t, json.Unmarshal(f.Value, &files[0]))
		} else {
			require.NoError(t, json.Unmarshal(f.Value, &files))
		}
		for _, file := range files {
			require.Len(t, file, 5)
		}
	case snapshot.KindValue:
	default:
		require.Fail(t, "unknown kind", "%s", f.Kind)
	}
}

func FuzzBuild(f *testing.F) {
	for _, kind := range []string{"text", "richText", "file", "value", ""} {
		f.Add("title", kind, []byte(`{"id":"a"}`))
	}
	f.Fuzz(func(t *testing.T, title, kind string, value []byte) {
		encoded := snapshot.Build(snapshot.Capture{Title: title, Fields: []snapshot.Field{field(snapshot.Kind(kind), string(value))}}, input).JSON
		if !json.Valid(encoded) || !utf8.Valid(encoded) || len(encoded) > snapshot.MaxBytes {
			t.Fatalf("%s", encoded)
		}
	})
}
