package richtext

import "fmt"

// Sanitize reads a document leniently, for snapshots: an unknown node gives its
// children, an unknown mark or attribute and a link with another scheme are
// dropped, and nodes below MaxDepth are taken for their children, so that no
// words get lost. Text is cleaned as Clean does. When the JSON breaks off, holds more than
// MaxNodes nodes or MaxInputBytes bytes, the Doc still holds what came before,
// and the error says why there is no more.
func Sanitize(raw []byte) (Doc, error) {
	var tooLong error
	if len(raw) > MaxInputBytes {
		tooLong = fmt.Errorf("read rich text: the document has more than %d bytes", MaxInputBytes)
		raw = raw[:MaxInputBytes]
	}
	p := newParser(raw, false)
	err := p.run()
	doc := Doc{content: tidy(p.root.content, true)}
	switch {
	case tooLong != nil:
		return doc, tooLong
	case err != nil:
		return doc, fmt.Errorf("read rich text: %w", err)
	}
	return doc, nil
}
