package richtext_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/docketmod/docket/domain/richtext"
)

// The generators are made anew for each test: rapid's write to themselves.
func nodeTypes() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"doc", "paragraph", "text", "heading", "blockquote", "bulletList", "orderedList",
		"listItem", "taskList", "taskItem", "codeBlock", "table", "tableRow", "tableHeader", "tableCell", "horizontalRule",
		"hardBreak", "image", "script", "iframe", "callout", "Paragraph", "p", "", "text\u0000"})
}

func markTypes() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"bold", "italic", "underline", "strike", "code", "subscript", "superscript", "link", "link", "highlight", "a"})
}

func hostileText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"<script>alert(1)</script>", `"><img src=x onerror=alert(1)>`, "</code></pre><svg onload=x>", "&lt;b&gt;", "a\u0000b", "]]>", "<!--", " ", "\n",
		"e\u0301", "👩\u200d👧", "\u2028", "<plaintext>", "</p>",
	}))
}

func hostileURL() *rapid.Generator[string] {
	return rapid.OneOf(hostileText(), rapid.SampledFrom([]string{
		"https://x.test/a?b=c&d=\"e\"", "http://x.test", "HTTPS://X.TEST", "mailto:a@x.test", "tel:+1", "javascript:alert(1)", " javascript:alert(1)",
		"java\nscript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,<script>", "vbscript:x", "//x.test", "/a", "https:x", "https://x.test/\"onclick=x",
		"https://x.test/<script>", "https:\\\\x.test", "mailto:\"><script>", "tel:", "ftp://x", "blob:https://x", "http://[::1", "https://x.test/%zz", "https://%00",
	}))
}

func anyValue() *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		switch rapid.IntRange(0, 6).Draw(t, "form") {
		case 0:
			return nil
		case 1:
			return rapid.Bool().Draw(t, "bool")
		case 2:
			return rapid.IntRange(-3, 2000).Draw(t, "number")
		case 3:
			return []any{1, "x", nil}
		case 4:
			return map[string]any{"x": 1}
		case 5:
			return hostileURL().Draw(t, "url")
		default:
			return rapid.SampledFrom([]string{"go", "language-x", "a", "_blank", "nofollow", "center", "1", "x\" onclick=\"y"}).Draw(t, "text")
		}
	})
}

func attrKeys() *rapid.Generator[string] {
	return rapid.SampledFrom([]string{"level", "start", "type", "checked", "language", "colspan", "rowspan", "colwidth", "align",
		"src", "alt", "title", "width", "href", "target", "rel", "class", "style", "onclick", "id"})
}

func anyAttrs(t *rapid.T) map[string]any {
	return rapid.MapOfN(attrKeys(), anyValue(), 0, 4).Draw(t, "attrs")
}

// anyNode draws a node that may be well formed, hostile or broken.
func anyNode(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		if rapid.IntRange(0, 30).Draw(t, "broken") == 0 {
			return anyValue().Draw(t, "junk")
		}
		n := map[string]any{"type": nodeTypes().Draw(t, "type")}
		if n["type"] == "text" || rapid.IntRange(0, 9).Draw(t, "has text") == 0 {
			n["text"] = hostileText().Draw(t, "text")
		}
		if rapid.Bool().Draw(t, "has attrs") {
			n["attrs"] = anyAttrs(t)
		}
		if rapid.Bool().Draw(t, "has marks") {
			marks := []any{}
			for range rapid.IntRange(0, 3).Draw(t, "marks") {
				m := map[string]any{"type": markTypes().Draw(t, "mark")}
				if m["type"] == "link" || rapid.Bool().Draw(t, "mark attrs") {
					attrs := anyAttrs(t)
					attrs["href"] = hostileURL().Draw(t, "href")
					m["attrs"] = attrs
				}
				marks = append(marks, m)
			}
			n["marks"] = marks
		}
		if depth > 0 {
			n["content"] = rapid.SliceOfN(anyNode(depth-1), 0, 4).Draw(t, "content")
		}
		return n
	})
}

func anyDocument() *rapid.Generator[[]byte] {
	return rapid.Custom(func(t *rapid.T) []byte {
		root := anyNode(4).Draw(t, "document")
		if m, ok := root.(map[string]any); ok && rapid.IntRange(0, 9).Draw(t, "root") > 0 {
			root = map[string]any{"type": "doc", "content": m["content"]}
		}
		raw, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.IntRange(0, 9).Draw(t, "break") == 0 {
			raw = raw[:rapid.IntRange(0, len(raw)).Draw(t, "at")]
		}
		return raw
	})
}

func htmlPieces() *rapid.Generator[string] {
	return rapid.OneOf(hostileText(), rapid.SampledFrom([]string{
		"<p>", "</p>", "<div>", "</div>", "<h1>", "</h1>", "<h6 style=x>", "<blockquote>", "</blockquote>", "<ul>", "</ul>", "<ul data-type=taskList>",
		"<ol start=2 type=a>", "<ol start=-1>", "</ol>", "<li>", "</li>", "<li data-checked=true>", "<pre>", "</pre>", "<code class=language-go>", "</code>",
		"<table>", "</table>", "<tbody>", "<tr>", "</tr>", "<td colspan=3>", "</td>", "<th rowspan=0>", "<hr>", "<br/>", "<img src=https://x.test/a alt='<b>'>",
		"<img src=x onerror=y>", "<b>", "</b>", "<i>", "</i>", "<u>", "<s>", "<sub>", "</sup>", "<a href=https://x.test onclick=y>", "<a href='javascript:x'>", "</a>",
		"<script>", "</script>", "<style>", "</style>", "<svg>", "<math>", "<textarea>", "<title>", "<select>", "<template>", "</template>", "<iframe src=x>", "<form>", "<input>", "text", " ", "\n", "&amp;", "&#0;",
	}))
}

// checkDocument holds a document to what every document of the package promises.
func checkDocument(t require.TestingT, doc richtext.Doc) {
	require.Empty(t, disallowed(doc), "not in the allowlist")

	encoded := doc.JSON()
	require.True(t, json.Valid(encoded))
	again, err := richtext.Sanitize(encoded)
	require.NoError(t, err)
	require.Equal(t, string(encoded), string(again.JSON()), "reading it again changes nothing")
	require.Equal(t, doc.PlainText(), again.PlainText())

	_, issues := richtext.Parse("body", encoded)
	for _, issue := range issues {
		// An image that lost its source keeps its words, and a document its length, which only a snapshot allows.
		if doc.IsEmpty() || issue.Code == "too_long" || issue.Code == "required" && strings.HasSuffix(issue.Path, ".src") {
			continue
		}
		require.Empty(t, issue, "the strict reader takes what the lenient one made")
	}
}

// Any document in: only allowlisted nodes, marks, attributes and schemes are left.
func TestAnyDocumentGivesOnlyTheAllowlist(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc, _ := richtext.Sanitize(anyDocument().Draw(t, "raw"))
		checkDocument(t, doc)
	})
}

// Any HTML in: the same.
func TestAnyHTMLGivesOnlyTheAllowlist(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		checkDocument(t, richtext.FromHTML(strings.Join(rapid.SliceOfN(htmlPieces(), 0, 40).Draw(t, "html"), "")))
	})
}

// What the strict reader takes is stored as it was sent.
func TestAnyNoteThatIsTakenStaysAsItIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := anyDocument().Draw(t, "raw")
		require.LessOrEqual(t, len(checkNote(t, raw).JSON()), max(len(raw), len(document(""))))
	})
}

func checkNote(t require.TestingT, raw []byte) richtext.Doc {
	doc, issues := richtext.Parse("body", raw)
	require.Equal(t, len(issues) > 0, doc.IsEmpty())
	if len(issues) == 0 {
		again, issues := richtext.Parse("body", doc.JSON())
		require.Empty(t, issues)
		require.Equal(t, string(doc.JSON()), string(again.JSON()))
		require.Empty(t, disallowed(doc))
	}
	return doc
}

// A cut document is a beginning of the whole one and within its limit.
func TestAnyCutIsABeginning(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc, _ := richtext.Sanitize(anyDocument().Draw(t, "raw"))
		limit := rapid.IntRange(0, 50).Draw(t, "limit")
		short, cut := doc.Cut(limit)
		require.Equal(t, doc.Characters() > limit, cut)
		require.LessOrEqual(t, short.Characters(), limit)
		require.True(t, strings.HasPrefix(doc.PlainText(), short.PlainText()))
	})
}

// The beginning of a document is that of its plain text, and long enough.
func TestAnyBeginningHoldsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	visible := func(s string) int { return utf8.RuneCountInString(strings.Join(strings.Fields(s), "")) }
	rapid.Check(t, func(t *rapid.T) {
		doc, _ := richtext.Sanitize(anyDocument().Draw(t, "raw"))
		asked := rapid.IntRange(0, 50).Draw(t, "visible")
		beginning := doc.Beginning(asked)
		require.True(t, strings.HasPrefix(doc.PlainText(), beginning))
		require.GreaterOrEqual(t, visible(beginning), min(asked, visible(doc.PlainText())))
	})
}

// Reading up to a limit gives what reading all and cutting it gives.
func TestAnyReadingToALimitIsACut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(1, 50).Draw(t, "limit")
		same := func(whole richtext.Doc, err error, got richtext.Doc, cut bool) {
			want, shorter := whole.Cut(limit)
			require.Equal(t, string(want.JSON()), string(got.JSON()))
			require.Equal(t, shorter || err != nil, cut)
		}
		raw := anyDocument().Draw(t, "raw")
		whole, err := richtext.Sanitize(raw)
		got, cut := richtext.SanitizeTo(raw, limit)
		same(whole, err, got, cut)

		html := strings.Join(rapid.SliceOfN(htmlPieces(), 0, 40).Draw(t, "html"), "")
		whole, err = richtext.SanitizeHTML(html)
		got, cut = richtext.SanitizeHTMLTo(html, limit)
		same(whole, err, got, cut)
	})
}
