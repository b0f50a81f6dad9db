package richtext

import "fmt"

// Sanitize reads a document leniently, for snapshots. Unknown nodes and nodes below MaxDepth are
// replaced by their children, so that no text is lost. Unknown marks and attributes and links with
// other schemes are dropped. Text is cleaned with Clean. If the JSON ends early or the document
// exceeds a bound, the Doc has what came before and the error says why the rest is missing.
func Sanitize(raw []byte) (Doc, error) { return sanitize(raw, 0) }

// SanitizeTo is Sanitize followed by Doc.Cut, but stops reading when the limit is reached.
// It reports whether anything of the document is missing, for whatever reason.
func SanitizeTo(raw []byte, limit int) (Doc, bool) {
	doc, err := sanitize(raw, limit)
	doc, cut := doc.Cut(limit)
	return doc, cut || err != nil
}

func sanitize(raw []byte, enough int) (Doc, error) {
	var beyond error
	if len(raw) > MaxInputBytes {
		raw, beyond = raw[:MaxInputBytes], errInput
	}
	p := newParser(raw, false)
	p.spent.enough = enough
	if err := p.run(); beyond == nil {
		beyond = err
	}
	doc := Doc{content: tidy(p.root, true)}
	if beyond != nil {
		return doc, fmt.Errorf("read rich text: %w", beyond)
	}
	return doc, nil
}
