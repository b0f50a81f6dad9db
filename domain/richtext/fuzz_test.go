package richtext_test

import (
	"testing"

	"github.com/docketmod/docket/domain/richtext"
)

func FuzzParseNote(f *testing.F) {
	f.Add([]byte(document(hello)))
	f.Add([]byte(marked(`{"type":"link","attrs":{"href":"https://x.test","class":null}}`)))
	f.Add([]byte(document(`{"type":"tableCell","attrs":{"colwidth":[1, 2],"colspan":2}}`)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		checkNote(t, raw)
	})
}

func FuzzSanitize(f *testing.F) {
	f.Add([]byte(document(hello)))
	f.Add([]byte(document(`{"type":"x","content":[{"text":"a","type":"text","marks":[{"type":"link","attrs":{"href":"javascript:x"}}]},` + hello)))
	f.Fuzz(func(t *testing.T, raw []byte) {
		doc, _ := richtext.Sanitize(raw)
		checkDocument(t, doc)
	})
}

func FuzzFromHTML(f *testing.F) {
	f.Add(`<table><tr><td><ul><li>a<pre><code class=language-go>b</code></pre></table><a href="https://x.test">c<img src=https://x.test>`)
	f.Add(`<svg><style><a title="</style><img src=x onerror=y>">`)
	f.Fuzz(func(t *testing.T, s string) { checkDocument(t, richtext.FromHTML(s)) })
}

func FuzzCut(f *testing.F) {
	f.Add("e\u0301👩\u200d👧🇩🇪", 3)
	f.Fuzz(func(t *testing.T, s string, limit int) {
		s = richtext.Clean(s)
		short, cut := richtext.Cut(s, limit)
		if len(short) > len(s) || s[:len(short)] != short || cut != (short != s) || len([]rune(short)) > max(limit, 0) {
			t.Fatalf("%q cut to %d is %q, %v", s, limit, short, cut)
		}
	})
}
