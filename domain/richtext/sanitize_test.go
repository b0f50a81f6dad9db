package richtext_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/richtext"
)

func TestSanitize(t *testing.T) {
	t.Parallel()
	const a, b = `{"type":"paragraph","content":[{"type":"text","text":"a"}]}`, `{"type":"paragraph","content":[{"type":"text","text":"b"}]}`
	for _, test := range []struct{ name, in, want, fault string }{
		{"what is allowed stays", document(hello + `,{"type":"image","attrs":{"src":"https://x.test/a"}}`), document(hello + `,{"type":"image","attrs":{"src":"https://x.test/a"}}`), ""},
		{"an unknown node gives its children", document(`{"type":"callout","attrs":{"x":1},"content":[` + a + `,{"type":"card","content":[` + b + `]}]}`), document(a + `,` + b), ""},
		{"an unknown inline node gives its children", document(`{"type":"paragraph","content":[{"type":"mention","content":[{"type":"text","text":"a"}]}]}`), document(a), ""},
		{"keys in any order", `{"content":[{"content":[{"content":[{"text":"a","type":"text"}],"type":"paragraph"}],"type":"callout"}],"type":"doc"}`, document(a), ""},
		{"loose text gets a paragraph", document(`{"type":"text","text":"a"},{"type":"callout","content":[{"type":"text","text":"b"}]},{"type":"horizontalRule"},{"type":"text","text":"c"}`),
			document(`{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]},{"type":"horizontalRule"},{"type":"paragraph","content":[{"type":"text","text":"c"}]}`), ""},
		{"unknown marks and keys are dropped", document(`{"type":"paragraph","x":[1,{"y":2}],"marks":[],"content":[{"type":"text","text":"a","marks":[{"type":"highlight"},5,{"type":"bold","x":1},{"type":"bold"}]}]}`), marked2("a", `{"type":"bold"}`), ""},
		{"a link to a script loses the link", document(`{"type":"paragraph","content":[{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"javascript:x"}}]}]}`), document(a), ""},
		{"attributes that are not allowed are dropped", document(`{"type":"heading","attrs":{"level":9,"style":"x"},"content":[{"type":"text","text":"a"}]}`), document(`{"type":"heading","content":[{"type":"text","text":"a"}]}`), ""},
		{"an image of a script keeps its words", document(`{"type":"image","attrs":{"src":"javascript:x","alt":"a"}}`), document(`{"type":"image","attrs":{"alt":"a"}}`), ""},
		{"an image with its bytes in it", document(`{"type":"image","attrs":{"src":"data:image/png;base64,` + strings.Repeat("A", 1<<20) + `","alt":"x"}},` + a), document(`{"type":"image","attrs":{"alt":"x"}},` + a), ""},
		{"the last of duplicate keys counts, as in browsers", `{"type":"doc","content":[` + a + `],"content":[` + b + `]}`, document(b), ""},
		{"U+0000 and half pairs", document(`{"type":"paragraph","content":[{"type":"text","text":"\u0000\ud800"}]}`), document(`{"type":"paragraph","content":[{"type":"text","text":"` + "\uFFFD\uFFFD" + `"}]}`), ""},
		{"a node instead of a document", a, document(a), ""},
		{"nulls everywhere", `{"type":"doc","content":[null,{"type":null,"content":null,"marks":null,"attrs":null,"text":null},` + a + `]}`, document(a), ""},
		{"a leaf with content", document(`{"type":"horizontalRule","content":[` + a + `]}`), document(`{"type":"horizontalRule"},` + a), ""},
		{"an image with content", document(`{"content":[` + a + `],"type":"image","attrs":{"src":"https://x.test/a"}}`), document(`{"type":"image","attrs":{"src":"https://x.test/a"}},` + a), ""},
		{"what breaks off keeps its beginning", document(a + `,{"type":"callout","content":[` + b)[:len(document(a+`,{"type":"callout","content":[`+b))-2], document(a + `,` + b), "unexpected EOF"},
		{"no document at all", `"a"`, document(``), "not a JSON object"},
		{"nothing", ``, document(``), "EOF"},
		{"something after it", document(a) + `5`, document(a), "follows"},
		{"too many nodes", document(strings.TrimSuffix(strings.Repeat(`{"type":"horizontalRule"},`, richtext.MaxNodes+5), ",")), "", "more than 12500 nodes"},
		{"too many links", document(strings.TrimSuffix(strings.Repeat(`{"type":"image","attrs":{"src":"https://x.test"}},`, richtext.MaxLinks+5), ",")), "", "more than 5000 links"},
		{"too many parts", document(strings.TrimSuffix(strings.Repeat(`{},`, 200_000), ",")), document(``), "too many parts"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			doc, err := richtext.Sanitize([]byte(test.in))
			if test.want != "" {
				require.Equal(t, test.want, string(doc.JSON()))
			}
			if test.fault == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.fault)
			}
		})
	}
}

func marked2(text, marks string) string {
	return document(`{"type":"paragraph","content":[{"type":"text","marks":[` + marks + `],"text":"` + text + `"}]}`)
}

func TestSanitizeKeepsTheWordsOfDeepDocuments(t *testing.T) {
	t.Parallel()
	for _, levels := range []int{60, 64, 100, 4000} {
		deep := document(strings.Repeat(`{"type":"blockquote","content":[{"type":"text","text":"a "},`, levels) + hello + strings.Repeat(`]}`, levels))
		doc, err := richtext.Sanitize([]byte(deep))
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("a", levels)+"hello", strings.Join(strings.Fields(doc.PlainText()), ""))
		require.LessOrEqual(t, strings.Count(string(doc.JSON()), `"blockquote"`), richtext.MaxDepth)
	}
}

func TestCutDoc(t *testing.T) {
	t.Parallel()
	doc, err := richtext.Sanitize([]byte(document(hello + `,{"type":"blockquote","content":[` + hello + `,` + hello + `]}`)))
	require.NoError(t, err)
	require.Equal(t, 15, doc.Characters())
	for _, test := range []struct {
		limit int
		plain string
		cut   bool
	}{{15, "hello\nhello\nhello", false}, {14, "hello\nhello\nhell", true}, {6, "hello\nh", true}, {5, "hello", true}, {0, "", true}} {
		got, cut := doc.Cut(test.limit)
		require.Equal(t, test.plain, got.PlainText())
		require.Equal(t, test.cut, cut)
	}
	require.Equal(t, "hello\nhello\nhello", doc.PlainText(), "the document itself stays")
}

func TestPlainText(t *testing.T) {
	t.Parallel()
	row := func(cells ...string) string {
		return `{"type":"tableRow","content":[{"type":"tableCell","content":[` + strings.Join(cells, `]},{"type":"tableCell","content":[`) + `]}]}`
	}
	doc, err := richtext.Sanitize([]byte(document(
		`{"type":"heading","content":[{"type":"text","text":"T"}]},{"type":"paragraph"},` +
			`{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"hardBreak"},{"type":"text","text":"b"}]},` +
			`{"type":"bulletList","content":[{"type":"listItem","content":[` + hello + `]},{"type":"listItem","content":[` + hello + `]}]},` +
			`{"type":"table","content":[` + row(hello, hello+","+hello) + `,` + row(hello, hello) + `]},` +
			`{"type":"image","attrs":{"src":"https://x.test/a","alt":"cat"}},{"type":"image","attrs":{"src":"https://x.test/b"}},{"type":"horizontalRule"},` + hello)))
	require.NoError(t, err)
	require.Equal(t, "T\na\nb\nhello\nhello\nhello\thello\nhello\nhello\thello\ncat\nhttps://x.test/b\nhello", doc.PlainText())
}
