// Package snapshot holds the evidence of a report: the content as the reporter saw it.
//
// The Capture function of a target returns a [Capture]:
//
//	&snapshot.Capture{
//		Title: "Sunset",
//		Fields: []snapshot.Field{
//			{Name: "caption", Label: "Caption", Kind: snapshot.KindText, Value: json.RawMessage(`"By the sea"`)},
//			{Name: "image", Label: "Image", Kind: snapshot.KindFile, Value: json.RawMessage(`{"id": "7", "name": "sunset.jpg", "mimeType": "image/jpeg"}`)},
//		},
//		Served:  "en",
//		Authors: []snapshot.Author{{ID: "u7", Name: "Mina"}},
//		URL:     "/photos/7",
//	}
//
// The value of a field depends on its [Kind]: a string for text, a document or HTML for rich text, a [File] or several
// for files, any scalar for the rest. A capture may be of any size and hold any bytes: [Build] cuts what is too long,
// cleans rich text, and drops what cannot be stored, so that malformed content can be reported too. The bytes of files
// are never copied.
//
// A [Snapshot] is the result of Build. It is stored with the report, never changes, and is removed as a whole when the
// report's words are erased.
package snapshot

import (
	"encoding/json"
	"time"

	"github.com/docketmod/docket/domain/scope"
	"github.com/docketmod/docket/domain/signal"
)

// Kind is how a field is displayed.
type Kind string

// The kinds of fields.
const (
	KindText     Kind = "text"
	KindRichText Kind = "richText"
	KindFile     Kind = "file"
	KindValue    Kind = "value"
)

// Capture is the body of a snapshot, as a target returns it. It may have any size and contain
// any bytes; Build cuts and cleans it.
type Capture struct {
	Title   string
	Fields  []Field
	Served  string // the locale of the content
	Source  Source
	Authors []Author
	Scope   *scope.Resource // nil if the target has no scope
	URL     string
	Signals []Signal // about the content; invalid ones are ignored, and snapshots do not contain them
}

// Signal is a classification of the content by the platform: a name and a score from 0 to 1.
type Signal = signal.Signal

// Field is a captured field. Value is null or JSON of the kind: a string for text, a File or
// a list of them for a file, any scalar for a value. Rich text is a document; in a Capture it
// may also be a string of HTML.
type Field struct {
	Name  string          `json:"name"`
	Label string          `json:"label"`
	Kind  Kind            `json:"kind"`
	Value json.RawMessage `json:"value"`
}

// File describes a file. Its bytes are never copied.
type File struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	MIMEType string `json:"mimeType"`
	Size     int64  `json:"size"`
	URL      string `json:"url"`
}

// Source identifies the captured revision.
type Source struct {
	Version     *string    `json:"version"`
	UpdatedAt   *time.Time `json:"updatedAt"`
	PublishedAt *time.Time `json:"publishedAt"`
}

// Author is an author of the record. If its ID is that of an account, or the subject of a platform's member, that
// account is notified of decisions and may appeal; other IDs only tell authors apart.
type Author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Target identifies the captured content.
type Target struct {
	PluginID string `json:"pluginId"`
	Type     string `json:"type"`
	ID       string `json:"id"`
}

// Locale is the locale that the reporter requested and the one that was served.
type Locale struct {
	Requested string `json:"requested"`
	Served    string `json:"served"`
	Fallback  bool   `json:"fallback"`
}

// Snapshot is the evidence as it is stored, in the format `version: 1`. Build makes it.
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
