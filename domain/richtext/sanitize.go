package richtext

import "fmt"

// Sanitize reads a document leniently, for snapshots: an unknown node gives its
// children, an unknown mark or attribute and a link with another scheme are
// dropped, and nodes below MaxDepth are taken for their children, so that no
// words get lost. Text is cleaned as Clean does. When the JSON breaks off or the
// document is beyond a bound, the Doc still holds what came before, and the
// error says why there is no more.
func Sanitize(raw []byte) (Doc, error) {
	var beyond error
	if len(raw) > MaxInputBytes {
		raw, beyond = raw[:MaxInputBytes], errInput
	}
	p := newParser(raw, false)
	if err := p.run(); beyond == nil {
		beyond = err
	}
	doc := Doc{content: tidy(p.root.content, true)}
	if beyond != nil {
		return doc, fmt.Errorf("read rich text: %w", beyond)
	}
	return doc, nil
}
