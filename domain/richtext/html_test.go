package richtext_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/richtext"
)

func TestFromHTML(t *testing.T) {
	t.Parallel()
	para := func(text string) string {
		return `{"type":"paragraph","content":[{"type":"text","text":"` + text + `"}]}`
	}
	item := func(content string) string { return `{"type":"listItem","content":[` + content + `]}` }
	list := func(items string) string { return `{"type":"bulletList","content":[` + items + `]}` }
	cell := func(content string) string { return `{"type":"tableCell","content":[` + content + `]}` }
	row := func(cells string) string { return `{"type":"tableRow","content":[` + cells + `]}` }
	table := func(rows string) string { return `{"type":"table","content":[` + rows + `]}` }
	for _, test := range []struct{ name, in, want string }{
		{"nothing", ``, ``},
		{"plain words", "a &lt;\n b ", para(`a < b`)},
		{"white space between blocks", " <p> a </p>\n<p>b</p>\n", para(`a`) + `,` + para(`b`)},
		{"blocks end paragraphs", `<p>a<p>b<div>c</div>d<h2>e</h2>`, para(`a`) + `,` + para(`b`) + `,` + para(`c`) + `,` + para(`d`) + `,{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"e"}]}`},
		{"marks across each other", `<b>a<i>b</b>c</i>`, `{"type":"paragraph","content":[{"type":"text","marks":[{"type":"bold"}],"text":"a"},{"type":"text","marks":[{"type":"bold"},{"type":"italic"}],"text":"b"},{"type":"text","marks":[{"type":"italic"}],"text":"c"}]}`},
		{"marks across blocks", `<b><p>a</p></b>b`, `{"type":"paragraph","content":[{"type":"text","marks":[{"type":"bold"}],"text":"a"}]},` + para(`b`)},
		{"links", `<a href=" https://x.test/?a&amp;b " onclick=x>a</a><a href=javascript:x>b</a>`, `{"type":"paragraph","content":[{"type":"text","marks":[{"type":"link","attrs":{"href":"https://x.test/?a&b"}}],"text":"a"},{"type":"text","text":"b"}]}`},
		{"images", `<img src=https://x.test/a.png alt="a b"><img src=/b><img src=/c alt=c>`, `{"type":"paragraph","content":[{"type":"image","attrs":{"src":"https://x.test/a.png","alt":"a b"}},{"type":"image","attrs":{"alt":"c"}}]}`},
		{"unknown elements give their children", `<article><center>a</center><blink>b</blink></article>`, para(`ab`)},
		{"what nobody sees", `<head><title>t</title><style>s</style></head><script>a</script><!-- c --><template><p>x</p></template>b`, para(`b`)},
		{"a break", `a<br/> b`, `{"type":"paragraph","content":[{"type":"text","text":"a"},{"type":"hardBreak"},{"type":"text","text":"b"}]}`},
		{"tags in capitals and of any end", "<P\n>a</P\t><BlockQuote/x>b</BLOCKQUOTE ><p\x00>c<h1x>d<blockquotes>e<em/>f", para(`a`) + `,{"type":"blockquote","content":[` + para(`b`) + `]},{"type":"paragraph","content":[{"type":"text","text":"cde"},{"type":"text","marks":[{"type":"italic"}],"text":"f"}]}`},
		{"a rule", `a<hr>b`, para(`a`) + `,{"type":"horizontalRule"},` + para(`b`)},
		{"lists without end tags", `<ul><li>a<ul><li>b</ul><li>c</ul>`, list(item(para(`a`)+`,`+list(item(para(`b`)))) + `,` + item(para(`c`)))},
		{"loose items and loose text in a list", `<li>a<ul>b</ul>`, list(item(para(`a`) + `,` + list(item(para(`b`)))))},
		{"an ordered list", `<ol start=3 type=i><li>a</ol>`, `{"type":"orderedList","attrs":{"start":3,"type":"i"},"content":[` + item(para(`a`)) + `]}`},
		{"tasks", `<ul data-type=taskList><li data-checked=true>a<li>b</ul>`, `{"type":"taskList","content":[{"type":"taskItem","attrs":{"checked":true},"content":[` + para(`a`) + `]},{"type":"taskItem","attrs":{"checked":false},"content":[` + para(`b`) + `]}]}`},
		{"code", "<pre>\n<code class='hl language-go'>a  b\n&lt;</code></pre>c", `{"type":"codeBlock","attrs":{"language":"go"},"content":[{"type":"text","text":"a  b\n<"}]},` + para(`c`)},
		{"blocks within code", `<pre>a<div>b</div>c<br>d</pre>`, `{"type":"codeBlock","content":[{"type":"text","text":"a\nb\nc\nd"}]}`},
		{"a table", `<table><caption>t</caption><thead><tr><th colspan=2 rowspan=x>a</thead><tr><td>b<td>c</table>d`,
			table(row(cell(para(`t`)))+`,`+row(`{"type":"tableHeader","attrs":{"colspan":2},"content":[`+para(`a`)+`]}`)+`,`+row(cell(para(`b`))+`,`+cell(para(`c`)))) + `,` + para(`d`)},
		{"a table in a table", `<table><tr><td><table><tr><td>a</td></tr></table></li></p>b</td></tr></table>`, table(row(cell(table(row(cell(para(`a`)))) + `,` + para(`b`))))},
		{"cells without a table", `<td>a</td><tr>b`, para(`a`) + `,` + para(`b`)},
		{"U+0000 and invalid UTF-8", "a\x00b\xffc&#0;", para("a\uFFFDb\uFFFDc\uFFFD")},
		{"end tags of nothing", `</p></ul></td></b>a`, para(`a`)},
	} {
		require.Equal(t, document(test.want), string(richtext.FromHTML(test.in).JSON()), test.name)
	}
}

func TestSanitizeHTMLTellsWhatItLeavesOut(t *testing.T) {
	t.Parallel()
	repeat := func(s string, size int) string {
		b := make([]byte, 0, size)
		for len(b) < size {
			b = append(b, s...)
		}
		return string(b)
	}
	var distinct string
	for i := range 15_000 {
		distinct += strconv.Itoa(i) + " "
	}
	for _, test := range []struct{ name, in, fault string }{
		{"all is read", repeat("<p>a</p>", 50_000), ""},
		{"bytes", repeat("<!-- a comment of no use to anybody at all, but a long one -->", richtext.MaxInputBytes+1), "more than 4194304 bytes"},
		{"nodes", repeat("<hr>", 4*richtext.MaxNodes+8), "more than 12500 nodes"},
		{"tags", repeat("<x>", 600_000), "too many parts"},
		{"attributes", repeat("<img "+distinct+">", 3<<20), "too many parts"},
		{"text", repeat("a", 300_000), "bytes of text"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			_, err := richtext.SanitizeHTML(test.in)
			if test.fault == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.fault)
			}
		})
	}
	doc, err := richtext.SanitizeHTML(`<p>a<img alt=x src="data:image/png;base64,` + repeat("A", 1<<20) + `">b</p>`)
	require.NoError(t, err)
	require.Equal(t, "ab", doc.PlainText(), "words after an image with its bytes in the tag")
}
