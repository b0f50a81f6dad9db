package snapshot_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/snapshot"
)

var input = snapshot.BuildInput{
	Target:          snapshot.Target{PluginID: "forum", Type: "forum.post", ID: "42"},
	RequestedLocale: "de",
	CapturedAt:      time.Date(2026, 3, 4, 6, 6, 7, 891234567, time.FixedZone("", 3600)),
	MaxExcerpt:      200,
}

func field(kind snapshot.Kind, value string) snapshot.Field {
	return snapshot.Field{Name: "body", Label: "Body", Kind: kind, Value: json.RawMessage(value)}
}

func quoted(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// paragraphs is a document with n paragraphs of the text.
func paragraphs(n int, text string) string {
	one := `{"type":"paragraph","content":[{"type":"text","text":` + quoted(text) + `}]}`
	return `{"type":"doc","content":[` + strings.TrimSuffix(strings.Repeat(one+",", n), ",") + `]}`
}

func build(fields ...snapshot.Field) (snapshot.Snapshot, []byte) {
	built := snapshot.Build(snapshot.Capture{Served: "de", Fields: fields}, input)
	return built.Snapshot, built.JSON
}

func textOf(t *testing.T, f snapshot.Field) string {
	t.Helper()
	require.Equal(t, snapshot.KindText, f.Kind)
	var s string
	require.NoError(t, json.Unmarshal(f.Value, &s))
	return s
}

func TestBuildWritesTheWholeSnapshot(t *testing.T) {
	t.Parallel()
	version := "7"
	updated := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	built := snapshot.Build(snapshot.Capture{
		Title: "A title",
		Fields: []snapshot.Field{
			field(snapshot.KindText, `"words"`),
			field(snapshot.KindRichText, paragraphs(1, "rich")),
			field(snapshot.KindFile, `{"id":"f1","name":"a.png","mimeType":"image/png","size":12,"url":"https://x.test/a","secret":"s"}`),
			field(snapshot.KindValue, ` 3.50 `),
		},
		Served:  "en",
		Source:  snapshot.Source{Version: &version, UpdatedAt: &updated},
		Authors: []snapshot.Author{{ID: "u1", Name: "Ann"}},
		Scope:   &scope.Resource{Family: "forum.category", ID: "general"},
		URL:     "/forum/posts/42",
	}, input)

	require.Equal(t, `{"version":1,"capturedAt":"2026-03-04T05:06:07.891234Z",`+
		`"target":{"pluginId":"forum","type":"forum.post","id":"42"},"title":"A title","fields":[`+
		`{"name":"body","label":"Body","kind":"text","value":"words"},`+
		`{"name":"body","label":"Body","kind":"richText","value":`+paragraphs(1, "rich")+`},`+
		`{"name":"body","label":"Body","kind":"file","value":{"id":"f1","name":"a.png","mimeType":"image/png","size":12,"url":"https://x.test/a"}},`+
		`{"name":"body","label":"Body","kind":"value","value":3.50}],`+
		`"locale":{"requested":"de","served":"en","fallback":true},`+
		`"source":{"version":"7","updatedAt":"2026-01-02T03:04:05.000000Z","publishedAt":null},`+
		`"authors":[{"id":"u1","name":"Ann"}],"scope":{"family":"forum.category","id":"general"},`+
		`"url":"/forum/posts/42","truncated":false}`, string(built.JSON))
}

func TestBuildOfAnEmptyCapture(t *testing.T) {
	t.Parallel()
	built := snapshot.Build(snapshot.Capture{}, snapshot.BuildInput{})
	require.Contains(t, string(built.JSON), `"fields":[]`)
	require.Contains(t, string(built.JSON), `"authors":[],"scope":null`)
	require.False(t, built.Snapshot.Locale.Fallback)
	require.False(t, built.Snapshot.Truncated)
	require.Empty(t, built.Excerpt)
}

func TestBuildCleansAndCutsEachValue(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", snapshot.MaxText)
	for _, test := range []struct {
		name      string
		field     snapshot.Field
		kind      snapshot.Kind
		value     string
		truncated bool
	}{
		{"text at the limit", field("text", quoted(long)), "text", quoted(long), false},
		{"text over the limit", field("text", quoted(long+"y")), "text", quoted(long), true},
		{"text of four-byte characters", field("text", quoted(strings.Repeat("😀", 20_001))), "text", quoted(strings.Repeat("😀", 20_000)), true},
		{"a cut beside an accent", field("text", quoted(long[:19_999]+"e\u0301")), "text", quoted(long[:19_999]), true},
		{"a cut within a family of emoji", field("text", quoted(long[:19_998]+"👩\u200d👩\u200d👧")), "text", quoted(long[:19_998]), true},
		{"a cut within a flag", field("text", quoted(long[:19_997]+"🇩🇪🇫🇷")), "text", quoted(long[:19_997] + "🇩🇪"), true},
		{"U+0000 in text", field("text", `"a\u0000b"`), "text", "\"a\uFFFDb\"", false},
		{"invalid UTF-8 in text", field("text", "\"a\xffb\""), "text", "\"a\uFFFDb\"", false},
		{"half a surrogate pair", field("text", `"a\ud800b"`), "text", "\"a\uFFFDb\"", false},
		{"no value", field("text", ""), "text", "null", false},
		{"null", field("richText", "null"), "richText", "null", false},
		{"a number as text", field("text", "12"), "text", `"12"`, false},
		{"broken JSON is kept as text", field("value", `{"a":`), "text", `"{\"a\":"`, false},
		{"an unknown kind", field("colour", `"red"`), "value", `"red"`, false},
		{"a long value", field("value", quoted(long+"y")), "value", quoted(long), true},
		{"a value with U+0000", field("value", `{"a" : ["\u0000"]}`), "value", "{\"a\":[\"\uFFFD\"]}", false},
		{"a number beyond any", field("value", `[1e999999]`), "value", `["1e999999"]`, false},
		{"a value of great depth", field("value", strings.Repeat("[", 5000)+strings.Repeat("]", 5000)), "text", `"` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `"`, false},
		{"rich text at the limit", field("richText", paragraphs(2, long[:10_000])), "richText", paragraphs(2, long[:10_000]), false},
		{"rich text over the limit", field("richText", paragraphs(3, long[:8_000])), "richText", strings.Replace(paragraphs(3, long[:8_000]), long[:8_000]+`"}]}]}`, long[:4_000]+`"}]}]}`, 1), true},
		{"rich text as HTML", field("richText", `"<p onclick=x>a<script>b</script>"`), "richText", paragraphs(1, "a"), false},
		{"rich text over the limit as HTML", field("richText", quoted(strings.Repeat("<p>"+long[:8_000]+"</p>", 3))), "richText", strings.Replace(paragraphs(3, long[:8_000]), long[:8_000]+`"}]}]}`, long[:4_000]+`"}]}]}`, 1), true},
		{"rich text at the limit as HTML", field("richText", quoted("<p>"+long[:10_000]+"<b> </b></p>"+"<p>"+long[:10_000]+" <i></i> </p>\n<hr>")), "richText", strings.TrimSuffix(paragraphs(2, long[:10_000]), `]}`) + `,{"type":"horizontalRule"}]}`, false},
		{"rich text of too many nodes as HTML", field("richText", quoted(strings.Repeat("<hr>", 20_000))), "text", `""`, true},
		{"rich text that breaks off", field("richText", `{"type":"doc","content":[{"type":"text","text":"a"},{`), "richText", paragraphs(1, "a"), true},
		{"rich text as HTML that breaks off", field("richText", `"<p>a`), "richText", paragraphs(1, "a"), true},
		{"rich text as HTML with U+0000 and half a pair", field("richText", `"a\u0000\ud800"`), "richText", paragraphs(1, "a\uFFFD\uFFFD"), false},
		{"rich text that is a list", field("richText", `[1]`), "text", `"[1]"`, false},
		{"a file with odd parts", field("file", `{"id":7,"name":null,"size":"9","url":{},"bytes":"…"}`), "file", `{"id":"7","name":"","mimeType":"","size":9,"url":""}`, false},
		{"a size that is none", field("file", `{"size":1.5}`), "file", `{"id":"","name":"","mimeType":"","size":0,"url":""}`, false},
		{"a size in another form", field("file", `{"size":12.0}`), "file", `{"id":"","name":"","mimeType":"","size":12,"url":""}`, false},
		{"a size beyond a float", field("file", `{"size":9007199254740993}`), "file", `{"id":"","name":"","mimeType":"","size":9007199254740993,"url":""}`, false},
		{"several files", field("file", `[{"id":"a"}, 3]`), "file", `[{"id":"a","name":"","mimeType":"","size":0,"url":""}]`, false},
		{"a file's endless address", field("file", `{"url":"https://x.test/`+long+`"}`), "file", `{"id":"","name":"","mimeType":"","size":0,"url":""}`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s, encoded := build(test.field)
			require.Len(t, s.Fields, 1)
			require.Equal(t, test.value, string(s.Fields[0].Value))
			require.Equal(t, test.kind, s.Fields[0].Kind)
			require.Equal(t, test.truncated, s.Truncated)
			require.True(t, json.Valid(encoded))
			require.True(t, utf8.Valid(encoded))
		})
	}
}

func TestParseSize(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]int64{
		"0": 0, "12": 12, "12.0": 12, "1.2e1": 12, "1200e-2": 12, "0.0": 0, "12.5": 0, "1e-1": 0,
		"9007199254740993": 9007199254740993, "9007199254740993.0": 9007199254740993, "9007199254740993.5": 0,
		"9223372036854775807": math.MaxInt64, "9223372036854775807.00": math.MaxInt64, "9223372036854775808": 0, "9.3e18": 0,
		"-5": 0, "-5.0": 0, "": 0, "x": 0, "1/2": 0, "4/2": 0, "NaN": 0, "Infinity": 0, "1e999999999": 0, "1e-999999999": 0,
		"0." + strings.Repeat("0", 100_000) + "1e100001": 0,
	} {
		require.Equal(t, want, snapshot.ParseSize(given), given[:min(len(given), 40)])
	}
}

// Languages are named without regard to case.
func TestTheSameLocaleIsNoFallback(t *testing.T) {
	t.Parallel()
	for served, fallback := range map[string]bool{"pt-BR": false, "pt-br": false, "pt": true} {
		s := snapshot.Build(snapshot.Capture{Served: served}, snapshot.BuildInput{RequestedLocale: "pt-br"}).Snapshot
		require.Equal(t, snapshot.Locale{Requested: "pt-br", Served: served, Fallback: fallback}, s.Locale)
	}
}

func TestBuildFitsTheWhole(t *testing.T) {
	t.Parallel()
	text := func(name string, size int) snapshot.Field {
		return snapshot.Field{Name: name, Kind: snapshot.KindText, Value: json.RawMessage(quoted(strings.Repeat("😀", size)))}
	}
	// A paragraph of one character takes 63 bytes of JSON.
	rich := func(name string) snapshot.Field {
		return snapshot.Field{Name: name, Kind: snapshot.KindRichText, Value: json.RawMessage(paragraphs(2000, "x"))}
	}
	names := func(s snapshot.Snapshot) string {
		var all []string
		for _, f := range s.Fields {
			all = append(all, f.Name+":"+string(f.Kind))
		}
		return strings.Join(all, " ")
	}

	t.Run("what fits stays", func(t *testing.T) {
		t.Parallel()
		s, encoded := build(text("a", 20_000), rich("b"), text("c", 5_000))
		require.Equal(t, "a:text b:richText c:text", names(s))
		require.False(t, s.Truncated)
		require.LessOrEqual(t, len(encoded), snapshot.MaxBytes)
	})
	t.Run("rich text falls back from the last, before any field is dropped", func(t *testing.T) {
		t.Parallel()
		s, encoded := build(rich("a"), rich("b"), text("c", 10_000))
		require.Equal(t, "a:richText b:text c:text", names(s))
		require.Equal(t, strings.TrimSuffix(strings.Repeat("x\n", 2000), "\n"), textOf(t, s.Fields[1]))
		require.True(t, s.Truncated)
		require.LessOrEqual(t, len(encoded), snapshot.MaxBytes)
	})
	t.Run("rich text that is absent stays so", func(t *testing.T) {
		t.Parallel()
		s, _ := build(rich("a"), rich("b"), text("c", 10_000), field(snapshot.KindRichText, "null"))
		require.Equal(t, "a:richText b:text c:text body:richText", names(s))
		require.Equal(t, "null", string(s.Fields[3].Value))
	})
	t.Run("fields are dropped from the last", func(t *testing.T) {
		t.Parallel()
		s, encoded := build(rich("a"), text("b", 20_000), text("c", 20_000), text("d", 20_000), text("e", 20_000))
		require.Equal(t, "a:text b:text c:text d:text", names(s))
		require.True(t, s.Truncated)
		require.LessOrEqual(t, len(encoded), snapshot.MaxBytes)
	})
	t.Run("to the byte", func(t *testing.T) {
		t.Parallel()
		_, encoded := build(text("a", 20_000), text("b", 20_000), text("c", 20_000), field("text", `""`))
		left := snapshot.MaxBytes - len(encoded)
		require.Less(t, left, 4*snapshot.MaxText)
		fields := func(n int) []snapshot.Field {
			padding := strings.Repeat("😀", left/4-5) + strings.Repeat("x", left%4+20+n)
			return []snapshot.Field{text("a", 20_000), text("b", 20_000), text("c", 20_000), field("text", quoted(padding))}
		}
		s, encoded := build(fields(0)...)
		require.Len(t, encoded, snapshot.MaxBytes)
		require.False(t, s.Truncated)
		require.Len(t, s.Fields, 4)
		s, _ = build(fields(1)...)
		require.True(t, s.Truncated)
		require.Len(t, s.Fields, 3)
	})
}

func TestBuildNamesEachAuthorOnce(t *testing.T) {
	t.Parallel()
	of := func(authors ...snapshot.Author) snapshot.Snapshot {
		return snapshot.Build(snapshot.Capture{Authors: authors}, input).Snapshot
	}
	one, two := snapshot.Author{ID: "1", Name: "Mina"}, snapshot.Author{ID: "2", Name: "Mina"}
	named, other := snapshot.Author{Name: "Mina"}, snapshot.Author{Name: "Nils"}

	s := of(one, two, snapshot.Author{ID: "1", Name: "Editor"}, named, other)
	require.Equal(t, []snapshot.Author{one, two, named, other}, s.Authors, "authors without an id may be different people")
	require.False(t, s.Truncated)

	twice := make([]snapshot.Author, 0, 40)
	for i := range 20 {
		author := snapshot.Author{ID: fmt.Sprint(i)}
		twice = append(twice, author, author)
	}
	s = of(twice...)
	require.Len(t, s.Authors, 20)
	require.False(t, s.Truncated, "nobody was left out")
	require.True(t, of(append(twice, snapshot.Author{ID: "20"})...).Truncated)
}

func TestBuildBoundsAllThatIsNoField(t *testing.T) {
	t.Parallel()
	// U+0001 is the costliest: six bytes of JSON for one character.
	huge := strings.Repeat("\x01", 100_000)
	authors := make([]snapshot.Author, 1000)
	for i := range authors {
		authors[i] = snapshot.Author{ID: fmt.Sprint(i) + huge, Name: huge}
	}
	fields := make([]snapshot.Field, 1000)
	for i := range fields {
		fields[i] = snapshot.Field{Name: fmt.Sprint(i) + huge, Label: huge, Kind: "value", Value: json.RawMessage(`1`)}
	}
	built := snapshot.Build(snapshot.Capture{
		Title: huge, Fields: fields, Served: huge, Authors: authors, URL: huge,
		Source: snapshot.Source{Version: &huge}, Scope: &scope.Resource{Family: huge, ID: huge},
	}, snapshot.BuildInput{Target: snapshot.Target{PluginID: huge, Type: huge, ID: huge}, RequestedLocale: huge + "x"})
	require.LessOrEqual(t, len(built.JSON), snapshot.MaxBytes)
	require.NotEmpty(t, built.Snapshot.Fields)
	require.True(t, built.Snapshot.Truncated)
	require.Len(t, []rune(built.Snapshot.Title), snapshot.MaxText)
	require.Empty(t, built.Snapshot.URL)
	require.Len(t, []rune(built.Snapshot.Authors[0].ID), 500, "it is that of an account, of up to 255 characters, in full")
}
