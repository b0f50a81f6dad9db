package richtext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/richtext"
)

const hello = `{"type":"paragraph","content":[{"type":"text","text":"hello"}]}`

func document(content string) string { return `{"type":"doc","content":[` + content + `]}` }

func marked(mark string) string {
	return document(`{"type":"paragraph","content":[{"type":"text","marks":[` + mark + `],"text":"hello"}]}`)
}

func TestParseNoteTakesTheAllowlist(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"paragraph":        document(hello),
		"empty paragraphs": document(`{"type":"paragraph"},` + hello + `,{"type":"paragraph"}`),
		"headings":         document(`{"type":"heading","attrs":{"level":1},"content":[{"type":"text","text":"a"}]},{"type":"heading","attrs":{"level":6}}`),
		"blockquote":       document(`{"type":"blockquote","content":[` + hello + `]}`),
		"bulletList":       document(`{"type":"bulletList","content":[{"type":"listItem","content":[` + hello + `]}]}`),
		"orderedList":      document(`{"type":"orderedList","attrs":{"start":3,"type":null},"content":[{"type":"listItem","content":[` + hello + `]}]}`),
		"taskList":         document(`{"type":"taskList","content":[{"type":"taskItem","attrs":{"checked":true},"content":[` + hello + `]}]}`),
		"codeBlock":        document(`{"type":"codeBlock","attrs":{"language":"c++"},"content":[{"type":"text","text":"a\n\tb"}]},{"type":"codeBlock","attrs":{"language":null}}`),
		"table": document(`{"type":"table","content":[{"type":"tableRow","content":[` +
			`{"type":"tableHeader","attrs":{"colspan":2,"rowspan":1,"colwidth":[100,20]},"content":[` + hello + `]},` +
			`{"type":"tableCell","attrs":{"colspan":1,"rowspan":1,"colwidth":null},"content":[` + hello + `]}]}]}`),
		"horizontalRule": document(hello + `,{"type":"horizontalRule"}`),
		"hardBreak":      document(`{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"hardBreak"},{"type":"text","text":"b"}]}`),
		"image":          document(`{"type":"image","attrs":{"src":"https://x.test/a.png","alt":"a cat","title":null,"width":10,"height":null}}`),
		"bold":           marked(`{"type":"bold"}`),
		"italic":         marked(`{"type":"italic"}`),
		"underline":      marked(`{"type":"underline"}`),
		"strike":         marked(`{"type":"strike"}`),
		"code":           marked(`{"type":"code"}`),
		"subscript":      marked(`{"type":"subscript"}`),
		"superscript":    marked(`{"type":"superscript"}`),
		"several marks":  marked(`{"type":"strike"},{"type":"bold"}`),
		"link":           marked(`{"type":"link","attrs":{"href":"https://x.test/?a=1&b=<2>","target":"_blank","rel":"noopener noreferrer nofollow","class":null}}`),
		"http":           marked(`{"type":"link","attrs":{"href":"HTTP://x.test"}}`),
		"mailto":         marked(`{"type":"link","attrs":{"href":"mailto:a@x.test?subject=b"}}`),
		"tel":            marked(`{"type":"link","attrs":{"href":"tel:+49-30-1"}}`),
		"other scripts":  document(`{"type":"paragraph","content":[{"type":"text","text":"héllo 世界 👩‍👧 \u2028"}]}`),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, issues := richtext.Parse("body", []byte(body))
			require.Empty(t, issues)
			require.JSONEq(t, body, string(doc.JSON()))
		})
	}
}

func TestParseNoteRefusesTheRest(t *testing.T) {
	t.Parallel()
	text := func(s string) string {
		return document(`{"type":"paragraph","content":[{"type":"text","text":"` + s + `"}]}`)
	}
	link := func(href string) string {
		return marked(`{"type":"link","attrs":{"href":"` + href + `"}}`)
	}
	const hrefAt = "body.content[0].content[0].marks[0].attrs.href"
	for _, test := range []struct {
		name, body string
		want       []string // `path code`
	}{
		{"nothing", ``, []string{"body invalid_json"}},
		{"no JSON", `{"type":"doc",`, []string{"body invalid_json"}},
		{"something after it", document(hello) + `{}`, []string{"body trailing_data"}},
		{"no object", `["doc"]`, []string{"body wrong_type"}},
		{"no document", hello, []string{"body.type not_allowed"}},
		{"no type", `{"content":[` + hello + `]}`, []string{"body.type required"}},
		{"no content", `{"type":"doc"}`, []string{"body required"}},
		{"an empty document", document(``), []string{"body required"}},
		{"white space only", text(` \n\u00a0\u200b`), []string{"body required"}},
		{"rules and breaks only", document(`{"type":"horizontalRule"},{"type":"paragraph","content":[{"type":"hardBreak"}]}`), []string{"body required"}},
		{"empty text only", text(``), []string{"body required"}},
		{"unknown keys of a document", `{"type":"doc","attrs":{},"version":1,"content":[` + hello + `]}`, []string{"body.version unknown_field", "body.attrs unknown_field"}},
		{"unknown nodes, each told", document(hello + `,{"type":"iframe"},{"type":"blockquote","content":[{"type":"mention"}]}`),
			[]string{"body.content[1].type not_allowed", "body.content[2].content[0].type not_allowed"}},
		{"a document within", document(document(hello)), []string{"body.content[0].type not_allowed"}},
		{"a node without type", document(`{"text":"a"}`), []string{"body.content[0].type required"}},
		{"a type that is no text", document(`{"type":1}`), []string{"body.content[0].type wrong_type", "body.content[0].type required"}},
		{"no node", document(hello + `,"a",null`), []string{"body.content[1] wrong_type", "body.content[2] wrong_type"}},
		{"content that is no list", document(`{"type":"paragraph","content":{}}`), []string{"body.content[0].content wrong_type"}},
		{"an unknown key", document(`{"type":"paragraph","onclick":"x"}`), []string{"body.content[0].onclick unknown_field"}},
		{"text without text", document(`{"type":"text"}`), []string{"body.content[0].text required"}},
		{"text on a block", document(`{"type":"paragraph","text":"a"}`), []string{"body.content[0].text unknown_field"}},
		{"content of a leaf", document(`{"type":"horizontalRule","content":[` + hello + `]}`), []string{"body.content[0].content unknown_field"}},
		{"marks on a block", document(`{"type":"paragraph","marks":[{"type":"bold"}]}`), []string{"body.content[0].marks unknown_field"}},
		{"an unknown attribute", document(`{"type":"paragraph","attrs":{"style":"color:red"}}`), []string{"body.content[0].attrs.style not_allowed"}},
		{"attributes that are no object", document(`{"type":"paragraph","attrs":[]}`), []string{"body.content[0].attrs wrong_type"}},
		{"a heading of level 7", document(`{"type":"heading","attrs":{"level":7}}`), []string{"body.content[0].attrs.level not_allowed"}},
		{"a heading of level 0", document(`{"type":"heading","attrs":{"level":0}}`), []string{"body.content[0].attrs.level not_allowed"}},
		{"a level as text", document(`{"type":"heading","attrs":{"level":"1"}}`), []string{"body.content[0].attrs.level not_allowed"}},
		{"a hostile language", document(`{"type":"codeBlock","attrs":{"language":"a\" onclick=\"x"}}`), []string{"body.content[0].attrs.language not_allowed"}},
		{"a huge span", document(`{"type":"tableCell","attrs":{"colspan":1001}}`), []string{"body.content[0].attrs.colspan not_allowed"}},
		{"widths that are none", document(`{"type":"tableCell","attrs":{"colwidth":["1"]}}`), []string{"body.content[0].attrs.colwidth not_allowed"}},
		{"an image of a script", document(`{"type":"image","attrs":{"src":"javascript:alert(1)"}}`), []string{"body.content[0].attrs.src not_allowed"}},
		{"an image without source", document(`{"type":"image","attrs":{"src":null}}`), []string{"body.content[0].attrs.src required"}},
		{"an unknown mark", marked(`{"type":"bold"},{"type":"highlight"}`), []string{"body.content[0].content[0].marks[1].type not_allowed"}},
		{"a mark without type", marked(`{}`), []string{"body.content[0].content[0].marks[0].type required"}},
		{"no mark", marked(`"bold"`), []string{"body.content[0].content[0].marks[0] wrong_type"}},
		{"an unknown key of a mark", marked(`{"type":"bold","x":1}`), []string{"body.content[0].content[0].marks[0].x unknown_field"}},
		{"an unknown attribute of a mark", marked(`{"type":"bold","attrs":{"style":""}}`), []string{"body.content[0].content[0].marks[0].attrs.style not_allowed"}},
		{"a link without address", marked(`{"type":"link"}`), []string{hrefAt + " required"}},
		{"a script", link(`javascript:alert(1)`), []string{hrefAt + " not_allowed"}},
		{"a script behind a space", link(` javascript:alert(1)`), []string{hrefAt + " not_allowed"}},
		{"a script with a tab in it", link(`java\tscript:alert(1)`), []string{hrefAt + " not_allowed"}},
		{"a data address", link(`data:text/html,x`), []string{hrefAt + " not_allowed"}},
		{"a relative address", link(`/admin`), []string{hrefAt + " not_allowed"}},
		{"an address without scheme", link(`//x.test`), []string{hrefAt + " not_allowed"}},
		{"an address without host", link(`https:/x`), []string{hrefAt + " not_allowed"}},
		{"backslashes", link(`https:\\\\x.test`), []string{hrefAt + " not_allowed"}},
		{"a class on a link", marked(`{"type":"link","attrs":{"href":"https://x.test","class":"btn"}}`), []string{"body.content[0].content[0].marks[0].attrs.class not_allowed"}},
		{"a frame as target", marked(`{"type":"link","attrs":{"href":"https://x.test","target":"evil"}}`), []string{"body.content[0].content[0].marks[0].attrs.target not_allowed"}},
		{"more marks than there are", marked(strings.Repeat(`{"type":"bold"},`, 32) + `{"type":"bold"}`), []string{"body.content[0].content[0].marks too_long"}},
		{"U+0000", text(`a\u0000b`), []string{"body.content[0].content[0].text invalid_text"}},
		{"U+0000 in an attribute", document(`{"type":"image","attrs":{"src":"https://x.test","alt":"\u0000"}}`), []string{"body.content[0].attrs.alt invalid_text"}},
		{"a written-out escape is none", text(`\\u0000`), nil},
		{"invalid UTF-8", text("a\xff"), []string{"body invalid_text"}},
		{"half a surrogate pair", text(`\ud800`), []string{"body invalid_json"}},
		{"a duplicate key", document(`{"type":"paragraph","type":"iframe"}`), []string{"body.content[0].type duplicate_key"}},
		{"a duplicate attribute", document(`{"type":"heading","attrs":{"level":1,"level":2}}`), []string{"body.content[0].attrs.level duplicate_key"}},
		{"deep", document(strings.Repeat(`{"type":"blockquote","content":[`, 64) + hello + strings.Repeat(`]}`, 64)),
			[]string{"body" + strings.Repeat(".content[0]", 65) + " too_deep"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			doc, issues := richtext.Parse("body", []byte(test.body))
			var got []string
			for _, issue := range issues {
				require.NotEmpty(t, issue.Message)
				got = append(got, issue.Path+" "+issue.Code)
			}
			require.Equal(t, test.want, got)
			require.Equal(t, len(issues) > 0, doc.IsEmpty())
		})
	}
}

func TestParseNoteDropsEmptyText(t *testing.T) {
	t.Parallel()
	doc, issues := richtext.Parse("body", []byte(document(`{"type":"paragraph","content":[{"type":"text","text":""},{"type":"text","text":"a"}]}`)))
	require.Empty(t, issues)
	require.Equal(t, document(`{"type":"paragraph","content":[{"type":"text","text":"a"}]}`), string(doc.JSON()))
}

func TestParseNoteCountsCompactBytes(t *testing.T) {
	t.Parallel()
	sized := func(filler string, size int) string {
		frame := len(document(`{"type":"paragraph","content":[{"type":"text","text":""}]}`))
		return document(`{"type":"paragraph","content":[{"type":"text","text":"` + strings.Repeat(filler, (size-frame)/len(filler)) + strings.Repeat("x", (size-frame)%len(filler)) + `"}]}`)
	}
	tooLong := func(body string) bool {
		_, issues := richtext.Parse("body", []byte(body))
		return len(issues) == 1 && issues[0].Path == "body" && issues[0].Code == "too_long"
	}
	for _, filler := range []string{"a", "é", "世", "👍"} {
		require.Len(t, sized(filler, richtext.MaxNoteBytes), richtext.MaxNoteBytes)
		require.False(t, tooLong(sized(filler, richtext.MaxNoteBytes)), filler)
		require.True(t, tooLong(sized(filler, richtext.MaxNoteBytes+1)), filler)
	}

	exact := sized("a", richtext.MaxNoteBytes)
	spaced := strings.ReplaceAll(exact, `,"`, ",\n\t \"")
	require.False(t, tooLong(spaced), "white space does not count")
	escaped := strings.Replace(exact, "aaaa", `\u0061\u0061\u0061\u0061`, 1)
	require.False(t, tooLong(escaped), "nor do escapes that can be done without")
	require.True(t, tooLong(exact+strings.Repeat(" ", 1<<20)), "up to the size of a request")
}

func TestParseNoteTellsAtMostAHundredFaults(t *testing.T) {
	t.Parallel()
	_, issues := richtext.Parse("body", []byte(document(strings.TrimSuffix(strings.Repeat(`{"type":"x"},`, 1000), ","))))
	require.Len(t, issues, 100)
	require.Equal(t, fmt.Sprintf("body.content[%d].type", 99), issues[99].Path)
}
