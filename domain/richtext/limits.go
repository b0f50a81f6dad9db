package richtext

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// The bounds of documents from any source. With them, reading a hostile document takes at most 100
// ms and 20 MB.
const (
	// MaxNoteBytes is the size of the largest note, as compact UTF-8 JSON.
	MaxNoteBytes = 65_536
	// maxNoteInput is the largest note including white space, in bytes, as large as a whole request.
	maxNoteInput = 1 << 20
	// MaxDepth is how deep nodes nest below the document: 31 levels of lists.
	MaxDepth = 64
	// MaxNodes and MaxTextBytes bound the result of Sanitize and SanitizeHTML. Snapshots of 256 KB
	// cannot hold as many nodes, and the text is more than twice the 20,000 characters that a value
	// in a snapshot can have, at four bytes each.
	MaxNodes     = 12_500
	MaxTextBytes = 192 << 10
	// MaxLinks is how many links and images the result of Sanitize and SanitizeHTML has.
	MaxLinks = 5000
	// MaxInputBytes is how much input Sanitize and SanitizeHTML read. It leaves room for images
	// embedded in the document.
	MaxInputBytes = 4 << 20

	// maxTokens is how many tags, attributes and JSON members are read.
	maxTokens = 150_000
	// maxAttrBytes is the longest value of an attribute in JSON.
	maxAttrBytes = 8 << 10
	// maxMarks is how many marks of a node are read. There are eight kinds.
	maxMarks = 32
	// maxIssues bounds the response to a hostile note.
	maxIssues = 100
	// maxToken is the largest tag or run of text that is read at once, in bytes. It bounds the
	// memory used for a tag with very many attributes.
	maxToken = 128 << 10
	// bytesPerToken is how many bytes of a tag count as one more token.
	bytesPerToken = 16
	// deepestContainer leaves four levels for a row, a cell, a paragraph and its text.
	deepestContainer = MaxDepth - 4
	// maxOpenMarks is how many mark elements may be open at once.
	maxOpenMarks = 64
	// maxKeptMarks is the longest list of marks that is cached, in bytes.
	maxKeptMarks = 128
)

var errInput = fmt.Errorf("it has more than %d bytes", MaxInputBytes)

// budget counts what a document has cost so far.
type budget struct {
	tokens, nodes, links, text int
	// characters is a lower bound of the code points of text so far. Reading stops once it
	// exceeds enough, because the caller cuts the rest off. An enough of 0 means no limit.
	characters, enough int
}

func (b *budget) hasEnough() bool { return b.enough > 0 && b.characters > b.enough }

// err returns an error if the document exceeds a bound.
func (b *budget) err() error {
	switch {
	case b.tokens > maxTokens:
		return errors.New("it has too many parts")
	case b.nodes > MaxNodes:
		return fmt.Errorf("it has more than %d nodes", MaxNodes)
	case b.links > MaxLinks:
		return fmt.Errorf("it has more than %d links", MaxLinks)
	case b.text > MaxTextBytes:
		return fmt.Errorf("it has more than %d bytes of text", MaxTextBytes)
	}
	return nil
}

// affordable charges text to the budget and cuts it to what is left. After a cut, err is not nil.
func affordable[T string | []byte](b *budget, s T) T {
	left := max(0, MaxTextBytes-b.text)
	if b.text += len(s); len(s) <= left {
		return s
	}
	short, _ := Cut(string(s), left/utf8.UTFMax)
	return T(short)
}
