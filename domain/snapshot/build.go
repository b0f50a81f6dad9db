package snapshot

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/scope"
)

// BuildInput has what the server adds to a capture.
type BuildInput struct {
	Target          Target
	RequestedLocale string // "" means the served one
	CapturedAt      time.Time
	MaxExcerpt      int // code points
}

// Built is a snapshot in its stored forms.
type Built struct {
	Snapshot Snapshot
	JSON     json.RawMessage // of the snapshot; equal inputs give equal bytes
	// Excerpt is the beginning of the text of the fields on one line, for lists.
	Excerpt string
}

// Build makes a snapshot of a capture. It cleans every text and cuts text values to MaxText. If the
// total exceeds MaxBytes, rich text becomes plain text, beginning with the last field, and then
// fields are dropped from the end. Truncated is set if anything was cut. Build accepts every
// capture, and reads and writes each value once.
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
	kept := domain.Map(c.Fields, k.field)
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

// keeper cuts the parts of a capture to their limits and records whether it cut anything.
type keeper struct{ truncated bool }

// keptField is a field within its limits. doc is its document if it is rich text.
type keptField struct {
	Field
	doc  richtext.Doc
	size int // bytes of its JSON and a comma
}

// fit cuts the fields to room bytes in total.
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

// text cleans a text and cuts it to limit code points.
func (k *keeper) text(s string, limit int) string {
	s, cut := richtext.Cut(richtext.Clean(s), limit)
	k.truncated = k.truncated || cut
	return s
}

// url drops an address that is too long, because a truncated one would be a different address.
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
		served = requested // the target has no locales
	}
	return Locale{Requested: requested, Served: served, Fallback: !strings.EqualFold(requested, served)}
}

func (k *keeper) source(s Source) Source {
	var kept Source
	if s.Version != nil {
		kept.Version = new(k.text(*s.Version, maxName))
	}
	if s.UpdatedAt != nil {
		kept.UpdatedAt = new(micro(*s.UpdatedAt))
	}
	if s.PublishedAt != nil {
		kept.PublishedAt = new(micro(*s.PublishedAt))
	}
	return kept
}

// authors keeps each author once, because measures and strikes are theirs and not those of a role.
func (k *keeper) authors(authors []Author) []Author {
	kept := []Author{}
	for _, a := range authors {
		a = Author{ID: k.text(a.ID, maxID), Name: k.text(a.Name, maxName)}
		if a.ID != "" && slices.ContainsFunc(kept, func(b Author) bool { return b.ID == a.ID }) {
			continue
		}
		if len(kept) == maxAuthors {
			k.truncated = true
			break
		}
		kept = append(kept, a)
	}
	return kept
}

func micro(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
