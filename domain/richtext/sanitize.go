package richtext

import "fmt"

// Sanitize reads a document leniently, for snapshots: an unknown node gives its
// children, an unknown mark or attribute and a link with another scheme are
// dropped, and nodes below MaxDepth are taken for their children, so that no
// words get lost. Text is cleaned as Clean does. When the JSON breaks off or the
// document is beyond a bound, the Doc still holds what came before, and the
// error says why there is no more.
func Sanitize(raw []byte) (Doc, error) { return sanitize(raw, 0) }

// SanitizeTo is Sanitize and then Doc.Cut, without reading on where the text is
// cut anyway. It tells whether the Doc lacks anything of the document, whatever
// the reason.
func SanitizeTo(raw []byte, max int) (Doc, bool) {
	doc, err := sanitize(raw, max)
	doc, cut := doc.Cut(max)
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
