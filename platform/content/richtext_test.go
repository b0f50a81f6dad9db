package content_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	domain "github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/snapshot"
)

// articles may keep their body as text or as JSON.
func articles(t *testing.T) *bundle {
	t.Helper()
	return newBundle(t, `CREATE TABLE articles (id bigint PRIMARY KEY, text text, json json)`,
		oneType("article", "text: {kind: richText}", "json: {kind: richText}"))
}

func inParagraph(text string) string {
	return `{"type":"doc","content":[{"type":"paragraph","content":[{"type":"text","text":"` + text + `"}]}]}`
}

// However rich text is stored, the snapshot and the public see the same document.
func TestRichTextOfEveryForm(t *testing.T) {
	t.Parallel()
	b := articles(t)
	const empty = `{"type":"doc","content":[]}`
	for i, test := range []struct{ name, text, json, wantText, wantJSON string }{
		{"HTML", `<p onclick=x>a</p>`, `"<p>b"`, inParagraph("a"), inParagraph("b")},
		{"documents", " " + inParagraph("a"), inParagraph("b"), inParagraph("a"), inParagraph("b")},
		{"a type that comes last", `{"content":[{"text":"a","type":"text"}],"type":"doc"}`, `{"content":[],"type":"doc"}`, inParagraph("a"), empty},
		{"HTML that begins with a brace", `{"a"} &lt;`, empty, inParagraph(`{\"a\"} <`), empty},
		{"words behind a document", `{"type":"doc"} a`, empty, inParagraph(`{\"type\":\"doc\"} a`), empty},
		{"a document with invalid text", `{"type":"doc","content":[{"type":"text","text":"\ud800"}]}`, empty, inParagraph("\uFFFD"), empty},
		{"no document", `{"type":5}`, `{"type":"card"}`, inParagraph(`{\"type\":5}`), empty},
		{"nothing", ``, `""`, empty, empty},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.exec(`INSERT INTO articles VALUES ($1, $2, $3)`, i+1, test.text, test.json)
			id := strconv.Itoa(i + 1)
			captured := frozen(b.capture("shop.article", id, ""))
			item, err := b.Content[0].Reader.Item(t.Context(), id, "", domain.HiddenAccess{})
			require.NoError(t, err)
			for i, want := range []string{test.wantText, test.wantJSON} {
				require.Equal(t, want, string(captured.Fields[i].Value))
				require.Equal(t, want, string(item.Fields[i].Value))
			}
			require.False(t, captured.Truncated)
		})
	}
}

// A document that is cut while it is read is marked, whatever bound it meets.
func TestRichTextThatIsCutWhileReadIsTruncated(t *testing.T) {
	t.Parallel()
	b := articles(t)
	const maxInput = richtext.MaxInputBytes
	quote := func(s string) string { return `"` + s + `"` }
	document := func(content string) string { return `{"type":"doc","content":[` + content + `]}` }
	for i, test := range []struct {
		name, text, json string
		cut              bool
	}{
		{"as much as is read", strings.Repeat("a", snapshot.MaxText), quote(strings.Repeat(" ", maxInput-2)), false},
		{"a character more in HTML", strings.Repeat("a", snapshot.MaxText+1), `""`, true},
		{"a character more in a document", inParagraph(strings.Repeat("a", snapshot.MaxText+1)), `""`, true},
		{"more HTML than is read", strings.Repeat("<!---->", maxInput/7+1), `""`, true},
		{"more HTML in JSON than is read", "", quote(strings.Repeat(" ", maxInput)), true},
		{"more of a document than is read", "", document(strings.Repeat(" ", maxInput)), true},
		{"text behind too many parts", document(`{},` + strings.Repeat(`{},`, 160_000) + `{"type":"text","text":"a"}`), `""`, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			b.exec(`INSERT INTO articles VALUES ($1, $2, $3)`, i+1, test.text, test.json)
			require.Equal(t, test.cut, frozen(b.capture("shop.article", strconv.Itoa(i+1), "")).Truncated)
		})
	}
}
