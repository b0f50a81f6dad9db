// Package snapshot holds frozen evidence: what a reporter saw (spec 2.7).
package snapshot

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain/scope"
)

// Kind tells the viewer how to show a field.
type Kind string

// The kinds of spec 2.7.
const (
	KindText     Kind = "text"
	KindRichText Kind = "richText"
	KindFile     Kind = "file"
	KindValue    Kind = "value"
)

// Capture is what a target gives of itself: the body of a snapshot. It may be of
// any size and hold any bytes; Build bounds and cleans it.
type Capture struct {
	Title   string
	Fields  []Field
	Served  string // the locale it came back with
	Source  Source
	Authors []Author
	Scope   *scope.Resource // nil for a target without scope
	URL     string
}

// Field is one captured field. Value is JSON of the kind, or null: a string for
// text, a File (or a list of them) for a file, any scalar for a value. For rich
// text a Capture may hold a document or a string of stored HTML; a Snapshot
// holds a document.
type Field struct {
	Name  string          `json:"name"`
	Label string          `json:"label"`
	Kind  Kind            `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// File is all that is kept of a file; its bytes are never copied.
type File struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	MIMEType string `json:"mimeType"`
	Size     int64  `json:"size"`
	URL      string `json:"url"`
}

// Source is the revision that was captured.
type Source struct {
	Version     *string    `json:"version"`
	UpdatedAt   *time.Time `json:"updatedAt"`
	PublishedAt *time.Time `json:"publishedAt"`
}

// Author is an author of the record.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Target names what was captured.
type Target struct {
	PluginID string `json:"pluginId"`
	Type     string `json:"type"`
	ID       string `json:"id"`
}

// Locale tells in which language the reporter saw it.
type Locale struct {
	Requested string `json:"requested"`
	Served    string `json:"served"`
	Fallback  bool   `json:"fallback"`
}

// Snapshot is the frozen evidence as it is stored, `version: 1`. Build makes it;
// its JSON is always the same bytes for the same evidence.
type Snapshot struct {
	Version    int             `json:"version"`
	CapturedAt time.Time       `json:"capturedAt"`
	Target     Target          `json:"target"`
	Title      string          `json:"title"`
	Fields     []Field         `json:"fields"`
	Locale     Locale          `json:"locale"`
	Source     Source          `json:"source"`
	Authors    []Author        `json:"authors"`
	Scope      *scope.Resource `json:"scope"`
	URL        string          `json:"url"`
	Truncated  bool            `json:"truncated"`
}
