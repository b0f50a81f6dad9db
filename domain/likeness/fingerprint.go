package likeness

import (
	"encoding/json"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/snapshot"
)

// MaxLinks is how many links of one content are compared.
const MaxLinks = 20

// Fingerprint is what two contents are compared by.
type Fingerprint struct {
	Signature Signature
	Links     []Link // in the order of the content, without duplicates
}

// Of returns the fingerprint of a stored snapshot. It is empty for anything else.
func Of(stored json.RawMessage) Fingerprint {
	c := snapshot.ContentOf(stored)
	f := Fingerprint{Signature: sign(words(c.Text))}
	if f.Signature == nil {
		f.Signature = sign(words(c.Title))
	}
	f.Links = LinksOfContent(c)
	return f
}

// LinksOf returns the links of a stored snapshot as Of does, without computing the signature, which is
// slow.
func LinksOf(stored json.RawMessage) []Link { return LinksOfContent(snapshot.ContentOf(stored)) }

// LinksOfContent is LinksOf for a parsed snapshot.
func LinksOfContent(c snapshot.Content) (links []Link) {
	seen := map[int64]bool{}
	for _, u := range append(c.Links, linksIn(c.Text)...) {
		if l, ok := ParseLink(u); ok && !seen[l.Key] && len(links) < MaxLinks {
			seen[l.Key] = true
			links = append(links, l)
		}
	}
	return links
}

// Keys returns the index keys of the content. Content with nearly the same words or with the same
// link has at least one key in common with it.
func (f Fingerprint) Keys() []int64 { return append(f.Signature.Keys(), LinkKeys(f.Links)...) }

// LinkKeys returns the keys of links.
func LinkKeys(links []Link) []int64 {
	return domain.Map(links, func(l Link) int64 { return l.Key })
}
