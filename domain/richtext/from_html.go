package richtext

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// FromHTML is SanitizeHTML for callers that accept an incomplete document.
func FromHTML(s string) Doc {
	doc, _ := SanitizeHTML(s)
	return doc
}

// SanitizeHTML parses stored HTML into the model. It reads tokens with its own bounded stack,
// because html.Parse takes quadratic time on some inputs and refuses deep nesting. Unknown elements
// are replaced by their children; scripts and styles are dropped. If the HTML exceeds a bound, the
// Doc has what came before and the error names the bound.
func SanitizeHTML(s string) (Doc, error) { return sanitizeHTML(s, 0) }

// SanitizeHTMLTo is SanitizeTo for HTML.
func SanitizeHTMLTo(s string, limit int) (Doc, bool) {
	doc, err := sanitizeHTML(s, limit)
	doc, cut := doc.Cut(limit)
	return doc, cut || err != nil
}

func sanitizeHTML(s string, enough int) (Doc, error) {
	var beyond error
	if len(s) > MaxInputBytes {
		s, beyond = s[:MaxInputBytes], errInput
	}
	s = Clean(s)
	b := newBuilder()
	b.spent.enough = enough
	for s != "" && b.reads() {
		n := b.read(s)
		if n == 0 {
			n = endOfTag(s)
		}
		s = s[n:]
	}
	if err := b.spent.err(); err != nil {
		beyond = err
	}
	if beyond != nil {
		return b.doc(), fmt.Errorf("read HTML: %w", beyond)
	}
	return b.doc(), nil
}

// reads reports whether to read on.
func (b *builder) reads() bool { return b.spent.err() == nil && !b.spent.hasEnough() }

// endOfTag returns where the text after an oversized tag begins, for example after an image with a
// data URL.
func endOfTag(s string) int {
	if len(s) <= maxToken {
		return len(s)
	}
	end := strings.IndexByte(s[maxToken:], '>')
	if end < 0 {
		return len(s)
	}
	return maxToken + end + 1
}

// read reads tokens up to the end of the input, the end of the budget or an oversized token. It
// returns the number of bytes consumed.
func (b *builder) read(s string) int {
	z := html.NewTokenizer(strings.NewReader(s))
	z.SetMaxBuf(maxToken)
	consumed := 0
	for b.reads() {
		token := z.Next()
		if token == html.ErrorToken {
			if !errors.Is(z.Err(), html.ErrBufferExceeded) {
				return len(s)
			}
			break
		}
		consumed += len(z.Raw())
		b.spent.tokens++
		if token == html.StartTagToken || token == html.SelfClosingTagToken {
			b.spent.tokens += len(z.Raw()) / bytesPerToken // as many attributes may be in it
		}
		switch token {
		case html.TextToken:
			b.text(z.Text())
		case html.StartTagToken, html.SelfClosingTagToken:
			b.start(tagOf(z.Raw()), func() elementAttrs { return b.readAttrs(z) })
		case html.EndTagToken:
			b.end(tagOf(z.Raw()))
		}
	}
	return consumed
}

// tagOf returns the element of a start or end tag, or 0 for an unknown one. The tokenizer's
// TagName would copy each name.
func tagOf(raw []byte) atom.Atom {
	var name [16]byte // as long as the longest known name
	n := 0
	for _, c := range bytes.TrimPrefix(raw[1:], []byte("/")) {
		switch {
		case c == '>' || c == '/' || isHTMLSpace(c):
			return atom.Lookup(name[:n])
		case n == len(name):
			return 0
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		}
		name[n] = c
		n++
	}
	return atom.Lookup(name[:n])
}

// element is how the builder treats a tag.
type element struct {
	block  *kind // it opens
	mark   *kind // it opens
	breaks bool  // it ends the open text, but the model has no such block
	silent bool  // its content is not visible to readers
}

var elements = byTag(map[element][]atom.Atom{
	{block: paragraph}:   {atom.P},
	{block: heading}:     {atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6},
	{block: blockquote}:  {atom.Blockquote},
	{block: bulletList}:  {atom.Ul, atom.Menu},
	{block: orderedList}: {atom.Ol},
	{block: listItem}:    {atom.Li},
	{block: codeBlock}:   {atom.Pre},
	{block: table}:       {atom.Table},
	{block: tableRow}:    {atom.Tr},
	{block: tableHeader}: {atom.Th},
	{block: tableCell}:   {atom.Td},
	{mark: link}:         {atom.A},
	{mark: bold}:         {atom.B, atom.Strong},
	{mark: italic}:       {atom.I, atom.Em},
	{mark: underline}:    {atom.U, atom.Ins},
	{mark: strike}:       {atom.S, atom.Strike, atom.Del},
	{mark: code}:         {atom.Code, atom.Tt, atom.Kbd, atom.Samp},
	{mark: subscript}:    {atom.Sub},
	{mark: superscript}:  {atom.Sup},
	{breaks: true}: {atom.Address, atom.Article, atom.Aside, atom.Body, atom.Caption, atom.Dd, atom.Details,
		atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.Header, atom.Hgroup, atom.Legend, atom.Main, atom.Nav, atom.Option, atom.Section,
		atom.Summary, atom.Tbody, atom.Tfoot, atom.Thead},
	{silent: true}: {atom.Script, atom.Style, atom.Template, atom.Title, atom.Iframe, atom.Noembed, atom.Noframes},
})

func byTag(tags map[element][]atom.Atom) map[atom.Atom]element {
	all := map[atom.Atom]element{}
	for e, some := range tags {
		for _, tag := range some {
			all[tag] = e
		}
	}
	return all
}
