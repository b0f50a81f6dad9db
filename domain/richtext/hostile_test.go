package richtext_test

import (
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/docketmod/docket/domain/richtext"
)

// maxMemory is what a hostile document may cost, in bytes allocated over all.
const maxMemory = 20_000_000

func nested(open, inside, end string, levels int) string {
	return strings.Repeat(open, levels) + inside + strings.Repeat(end, levels)
}

func listed(one string, size int) string {
	return strings.TrimSuffix(strings.Repeat(one+",", size/(len(one)+1)), ",")
}

func numbered(format string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "#", strconv.Itoa(i)))
	}
	return b.String()
}

// megabytes are as many as are read at most. With -short, as CI runs with the race detector, they are a quarter.
func megabytes() int {
	if testing.Short() {
		return 1 << 20
	}
	return richtext.MaxInputBytes
}

func hostileDocuments() map[string]string {
	megabytes := megabytes()
	return map[string]string{
		"10,000 levels":               document(nested(`{"type":"blockquote","content":[`, hello, `]}`, 10_000)),
		"4,000 levels of unknown":     document(nested(`{"type":"x","content":[{"type":"text","text":"a"},`, hello, `]}`, 4000)),
		"types after their content":   document(nested(`{"content":[{"type":"text","text":"a"},`, hello, `],"type":"x"}`, 4000)),
		"a million lists":             strings.Repeat(`[`, 1_000_000),
		"attributes of 9,000 levels":  document(`{"type":"paragraph","attrs":` + nested(`{"a":`, `1`, `}`, 9000) + `}`),
		"megabytes of unknown nodes":  document(listed(`{"type":"x"}`, megabytes)),
		"megabytes of empty objects":  document(listed(`{}`, megabytes)),
		"megabytes of numbers":        document(listed(`1`, megabytes)),
		"megabytes of line breaks":    document(listed(`{"type":"hardBreak"}`, megabytes)),
		"megabytes of images":         document(listed(`{"type":"image","attrs":{"src":"https://x.test"}}`, megabytes)),
		"megabytes of links":          document(listed(`{"type":"text","text":"a","marks":[{"type":"link","attrs":{"href":"https://x.test"}}]}`, megabytes)),
		"megabytes of marks":          document(`{"type":"text","text":"a","marks":[` + listed(`{"type":"bold"}`, megabytes) + `]}`),
		"megabytes of keys":           `{"type":"doc"` + numbered(`,"#":1`, megabytes/10) + `}`,
		"megabytes of attributes":     document(`{"type":"paragraph","attrs":{"a":1` + numbered(`,"#":1`, megabytes/10) + `}}`),
		"megabytes of text":           document(`{"type":"paragraph","content":[{"type":"text","text":"` + strings.Repeat("ab ", megabytes/3) + `"}]}`),
		"megabytes of escapes":        document(`{"type":"paragraph","content":[{"type":"text","text":"` + strings.Repeat(`\u0000`, megabytes/6) + `"}]}`),
		"widths of columns":           document(listed(`{"type":"tableCell","attrs":{"colwidth":[`+listed("1", 199)+`]}}`, megabytes)),
		"megabytes of combining":      document(`{"type":"paragraph","content":[{"type":"text","text":"` + strings.Repeat("\u0301", megabytes/2) + `"}]}`),
		"megabytes in an address":     document(`{"type":"image","attrs":{"src":"https://x.test/` + strings.Repeat("a", megabytes) + `"}}`),
		"megabytes of white space":    document(strings.Repeat(" ", megabytes) + hello),
		"content given 100,000 times": `{"type":"doc"` + strings.Repeat(`,"content":[{}]`, 100_000) + `}`,
	}
}

func hostileHTML() map[string]string {
	megabytes := megabytes()
	return map[string]string{
		"div":                 strings.Repeat("<div>", megabytes/5),
		"blockquote":          strings.Repeat("<blockquote>a", megabytes/13),
		"tables in tables":    strings.Repeat("<table><tr><td>", megabytes/15),
		"tables, unfinished":  strings.Repeat("<table><tr>a<b>", megabytes/15),
		"lists in lists":      strings.Repeat("<ul><li>a", megabytes/9),
		"items":               strings.Repeat("<li>a", megabytes/5),
		"marks in marks":      strings.Repeat("<b>a<i>", megabytes/7),
		"links in links":      strings.Repeat("<a href=https://x.test>a", megabytes/24),
		"formatting across":   strings.Repeat("<b><p></b>", megabytes/10),
		"end tags":            strings.Repeat("</table></p>", megabytes/12),
		"svg and math":        strings.Repeat("<svg><math>", megabytes/11),
		"unknown tags":        strings.Repeat("a<x>", megabytes/4),
		"a tag of 4 MB":       "<a " + numbered("a# ", megabytes/10) + ">hello",
		"many attributes":     strings.Repeat("<a "+numbered("a# ", 10_000)+">", 60),
		"less-than signs":     strings.Repeat("<", megabytes),
		"comments":            strings.Repeat("<!--", megabytes/4),
		"scripts":             strings.Repeat("<script><!--<script>", megabytes/20),
		"entities":            strings.Repeat("&amp", megabytes/4),
		"code":                "<pre>" + strings.Repeat("a<br><div>", megabytes/10),
		"many images in code": "<pre>" + strings.Repeat("<img src=https://x.test alt=a>", megabytes/30),
		"images in code":      "<pre>" + strings.Repeat("<img src=https://x.test alt="+strings.Repeat("a", 8000)+">", megabytes/8000),
		"one paragraph":       "<p>" + strings.Repeat("a ", megabytes/2),
		"textareas":           strings.Repeat("<textarea>", megabytes/10),
	}
}

// readers are the ways in.
var readers = map[string]func(string) richtext.Doc{
	"note":     func(s string) richtext.Doc { doc, _ := richtext.Parse("body", []byte(s)); return doc },
	"sanitize": func(s string) richtext.Doc { doc, _ := richtext.Sanitize([]byte(s)); return doc },
	"html":     richtext.FromHTML,
}

// eachHostile calls do with every hostile input of each way in.
func eachHostile(do func(name string, read func(string) richtext.Doc, input string)) {
	for name, input := range hostileDocuments() {
		do("note/"+name, readers["note"], input)
		do("sanitize/"+name, readers["sanitize"], input)
	}
	for name, input := range hostileHTML() {
		do("html/"+name, readers["html"], input)
	}
}

// Not parallel, so that nothing else allocates meanwhile.
func TestHostileDocumentsAreRefusedOrTamed(t *testing.T) {
	eachHostile(func(name string, read func(string) richtext.Doc, input string) {
		t.Run(name, func(t *testing.T) {
			var doc richtext.Doc
			require.Less(t, allocated(func() { doc = read(input) }), uint64(maxMemory), "bytes to read it")
			require.Less(t, allocated(func() { _, _ = doc.JSON(), doc.PlainText() }), uint64(maxMemory), "bytes to write it")
			require.Empty(t, disallowed(doc))
			require.LessOrEqual(t, doc.Characters(), richtext.MaxTextBytes)
			if strings.HasPrefix(name, "note/") {
				require.True(t, doc.IsEmpty(), "none is within the bounds of a note")
			}
		})
	})
}

func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// BenchmarkHostile shows what each costs; the bound is 100 ms and 20 MB.
func BenchmarkHostile(b *testing.B) {
	eachHostile(func(name string, read func(string) richtext.Doc, input string) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				read(input)
			}
		})
	})
}

func BenchmarkOrdinaryNote(b *testing.B) {
	raw := []byte(document(listed(`{"type":"paragraph","content":[{"type":"text","marks":[{"type":"bold"}],"text":"some words that somebody wrote"}]}`, 4000)))
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		if _, issues := richtext.Parse("body", raw); len(issues) > 0 {
			b.Fatal(issues)
		}
	}
}
