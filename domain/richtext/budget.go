package richtext

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// The bounds of a document, whatever it is read from. Together they keep the
// reading of a hostile one within 100 ms and 20 MB.
const (
	// MaxNoteBytes is the largest note, as compact UTF-8 JSON (contract 3.4).
	MaxNoteBytes = 65_536
	// MaxDepth is how deep nodes nest below the document: 31 levels of lists.
	MaxDepth = 64
	// MaxNodes and MaxTextBytes are as much as Sanitize and SanitizeHTML keep. So
	// many nodes do not fit into the 256 KB of a snapshot, and so much text is more
	// than twice the 20,000 characters of a value in it, at four bytes each.
	MaxNodes     = 12_500
	MaxTextBytes = 192 << 10
	// MaxLinks is how many links and images they keep.
	MaxLinks = 5000
	// MaxInputBytes is how much input they look at. It leaves room for images
	// that an editor has put into the document itself.
	MaxInputBytes = 4 << 20

	// maxTokens is how many tags, attributes and JSON members are looked at.
	maxTokens = 150_000
	// maxAttrBytes is the longest value of an attribute, as it is written in JSON.
	maxAttrBytes = 8 << 10
)

var (
	errInput  = fmt.Errorf("it has more than %d bytes", MaxInputBytes)
	errTokens = errors.New("it has too many parts")
	errNodes  = fmt.Errorf("it has more than %d nodes", MaxNodes)
	errLinks  = fmt.Errorf("it has more than %d links", MaxLinks)
	errText   = fmt.Errorf("it has more than %d bytes of text", MaxTextBytes)
)

// budget counts what a document has cost so far.
type budget struct {
	tokens, nodes, links, text int
	// characters are at most the code points of text so far; what comes after
	// more than enough of them is cut anyway. 0 is whoever wants all.
	characters, enough int
}

func (b *budget) hasEnough() bool { return b.enough > 0 && b.characters > b.enough }

// err tells what the document has too much of, or nil.
func (b *budget) err() error {
	switch {
	case b.tokens > maxTokens:
		return errTokens
	case b.nodes > MaxNodes:
		return errNodes
	case b.links > MaxLinks:
		return errLinks
	case b.text > MaxTextBytes:
		return errText
	}
	return nil
}

// affordable cuts text to what is left for it; more than that ends the reading.
func affordable[T string | []byte](b *budget, s T) T {
	left := max(0, MaxTextBytes-b.text)
	if b.text += len(s); len(s) <= left {
		return s
	}
	short, _ := Cut(string(s), left/utf8.UTFMax)
	return T(short)
}
