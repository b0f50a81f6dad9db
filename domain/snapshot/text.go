package snapshot

import (
	"encoding/json"
	"strings"

	"github.com/docketmod/docket/domain/richtext"
)

// Text returns what a search finds a stored snapshot by: the names of its authors and the
// text of its fields, a line each and at most MaxText code points of it. It is "" for
// anything that is not a snapshot.
func Text(stored json.RawMessage) string {
	var s struct {
		Authors []struct {
			Name string `json:"name"`
		} `json:"authors"`
		Fields []struct {
			Kind  Kind            `json:"kind"`
			Value json.RawMessage `json:"value"`
		} `json:"fields"`
	}
	if len(stored) == 0 || json.Unmarshal(stored, &s) != nil {
		return ""
	}
	var names, text strings.Builder
	for _, a := range s.Authors {
		names.WriteString(a.Name)
		names.WriteByte('\n')
	}
	for _, f := range s.Fields {
		switch {
		case f.Kind == KindText && len(f.Value) > 0 && f.Value[0] == '"':
			text.WriteString(scalarText(f.Value))
		case f.Kind == KindRichText:
			doc, _ := richtext.Sanitize(f.Value) // as much as could be read
			text.WriteString(doc.PlainText())
		}
		text.WriteByte('\n')
	}
	short, _ := richtext.Cut(text.String(), MaxText)
	return names.String() + short
}
