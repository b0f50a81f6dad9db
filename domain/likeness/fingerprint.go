package likeness

import (
	"encoding/json"

	"github.com/docketmod/docket/domain/snapshot"
)

// MaxLinks is how many links of one content count.
const MaxLinks = 20

// Fingerprint is what likeness tells of one content.
type Fingerprint struct {
	Signature Signature
	Links     []Link // in the order of the content, each once
}

// Of returns the fingerprint of a stored snapshot. That of anything else is empty.
func Of(stored json.RawMessage) Fingerprint {
	c := snapshot.ContentOf(stored)
	f := Fingerprint{Signature: sign(words(c.Text))}
	if f.Signature == nil {
		f.Signature = sign(words(c.Title))
	}
	seen := map[int64]bool{}
	for _, u := range append(c.Links, linksIn(c.Text)...) {
		if l, ok := ParseLink(u); ok && !seen[l.Key] && len(f.Links) < MaxLinks {
			seen[l.Key] = true
			f.Links = append(f.Links, l)
		}
	}
	return f
}

// Keys returns what an index finds the content by: content whose words are nearly the same has at
// least one key in common with it, and so has content with the same link.
func (f Fingerprint) Keys() []int64 { return append(f.Signature.Keys(), f.LinkKeys()...) }

// LinkKeys returns the keys of the links.
func (f Fingerprint) LinkKeys() []int64 {
	keys := make([]int64, len(f.Links))
	for i, l := range f.Links {
		keys[i] = l.Key
	}
	return keys
}
