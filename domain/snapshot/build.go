package snapshot

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/scope"
)

// The limits of spec section 8.
const (
	// MaxText is the longest text value, title or text of a rich-text value, in
	// code points.
	MaxText = 20_000
	// MaxBytes is the largest snapshot, in bytes of its JSON.
	MaxBytes = 256 << 10
)

// The bounds of what is neither text nor field, in code points. They keep a
// snapshot without fields below MaxBytes even if each were written as six bytes.
const (
	maxName    = 200 // names, labels, locales, revisions
	maxID      = 500
	maxURL     = 2048
	maxAuthors = 20
)

// BuildInput is what the server knows about a capture.
type BuildInput struct {
	Target          Target
	RequestedLocale string // "" is whatever was served
	CapturedAt      time.Time
	MaxExcerpt      int // code points
}

// Built is a snapshot with what is stored of it.
type Built struct {
	Snapshot Snapshot
	JSON     json.RawMessage // the snapshot's, the same bytes for the same input
	// Excerpt is the beginning of what its text fields say, on one line: how a
	// list row shows a report (contract 3.1).
	Excerpt string
}

// Build freezes a capture: it cleans every text, and holds text values to MaxText
// and the whole to MaxBytes. To fit, rich text falls back to plain text from the
// last field on, then fields are dropped from the last. Whatever was cut sets
// Truncated; nothing that a capture holds is an error. Each value is read once
// and written once.
func Build(c Capture, in BuildInput) Built {
	var k keeper
	s := Snapshot{
		Version:    1,
		CapturedAt: micro(in.CapturedAt),
		Target:     Target{PluginID: k.text(in.Target.PluginID, maxID), Type: k.text(in.Target.Type, maxID), ID: k.text(in.Target.ID, maxID)},
		Title:      k.text(c.Title, MaxText),
		Locale:     k.locale(in.RequestedLocale, c.Served),
		Source:     k.source(c.Source),
		Authors:    k.authors(c.Authors),
		URL:        k.url(c.URL),
	}
	if c.Scope != nil {
		s.Scope = &scope.Resource{Family: k.text(c.Scope.Family, maxName), ID: k.text(c.Scope.ID, maxName)}
	}
	kept := make([]keptField, len(c.Fields))
	for i, f := range c.Fields {
		kept[i] = k.field(f)
	}
	s.Truncated = k.truncated
	frame := len(s.appendTail(s.appendHead(nil)))
	kept = k.fit(kept, MaxBytes-frame+len(",")) // no comma follows the last field
	s.Fields = make([]Field, len(kept))
	for i := range kept {
		s.Fields[i] = kept[i].Field
	}
	s.Truncated = k.truncated
	return Built{Snapshot: s, JSON: s.encode(), Excerpt: excerpt(kept, in.MaxExcerpt)}
}

// keeper bounds the parts of a capture and remembers whether it cut something.
type keeper struct{ truncated bool }

// keptField is a field within its own limits. Doc is its document when it is rich text.
type keptField struct {
	Field
	doc  richtext.Doc
	size int // bytes of its JSON and a comma
}

// fit holds the fields to room bytes.
func (k *keeper) fit(fields []keptField, room int) []keptField {
	total := 0
	for i := range fields {
		fields[i].measure()
		total += fields[i].size
	}
	for i := len(fields) - 1; i >= 0 && total > room; i-- {
		if f := &fields[i]; f.Kind == KindRichText && string(f.Value) != `null` {
			total -= f.size
			text, _ := richtext.Cut(f.doc.PlainText(), MaxText)
			f.Kind, f.Value = KindText, textValue(text)
			f.measure()
			total += f.size
			k.truncated = true
		}
	}
	for len(fields) > 0 && total > room {
		last := len(fields) - 1
		total -= fields[last].size
		fields = fields[:last]
		k.truncated = true
	}
	return fields
}

func (f *keptField) measure() { f.size = len(f.appendHead(nil)) + len(f.Value) + len("},") }

// text cleans a text and holds it to limit code points.
func (k *keeper) text(s string, limit int) string {
	s, cut := richtext.Cut(richtext.Clean(s), limit)
	k.truncated = k.truncated || cut
	return s
}

// url drops an address that is too long, since a part of one leads elsewhere.
func (k *keeper) url(s string) string {
	if u, cut := richtext.Cut(richtext.Clean(s), maxURL); !cut {
		return u
	}
	k.truncated = true
	return ""
}

func (k *keeper) locale(requested, served string) Locale {
	requested, served = k.text(requested, maxName), k.text(served, maxName)
	if requested == "" {
		requested = served
	}
	if served == "" {
		served = requested // a target that knows no languages
	}
	return Locale{Requested: requested, Served: served, Fallback: !strings.EqualFold(requested, served)}
}

func (k *keeper) source(s Source) Source {
	var kept Source
	if s.Version != nil {
		version := k.text(*s.Version, maxName)
		kept.Version = &version
	}
	if s.UpdatedAt != nil {
		at := micro(*s.UpdatedAt)
		kept.UpdatedAt = &at
	}
	if s.PublishedAt != nil {
		at := micro(*s.PublishedAt)
		kept.PublishedAt = &at
	}
	return kept
}

func (k *keeper) authors(authors []Author) []Author {
	if len(authors) > maxAuthors {
		authors = authors[:maxAuthors]
		k.truncated = true
	}
	kept := make([]Author, len(authors))
	for i, a := range authors {
		kept[i] = Author{ID: k.text(a.ID, maxName), Name: k.text(a.Name, maxName)}
	}
	return kept
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
