package snapshot

import (
	"encoding/json"
	"strings"

	"github.com/docketmod/docket/domain/richtext"
)

// Content is the readable content of a stored snapshot.
type Content struct {
	Title     string
	Authors   []string // their names
	AuthorIDs []string // of those who have one
	Text      string   // of the fields, a line each and at most MaxText code points of it
	Fields    []Words  // those that have words
	Links     []string // the targets of links in rich text, and values that may be URLs
}

// Words is the text of a field.
type Words struct{ Name, Text string }

// Stored is the part of a stored snapshot that Content is read from.
type Stored struct {
	Title   string `json:"title"`
	Authors []struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"authors"`
	Fields []struct {
		Name  string          `json:"name"`
		Kind  Kind            `json:"kind"`
		Value json.RawMessage `json:"value"`
	} `json:"fields"`
}

// ContentOf parses a stored snapshot. For other JSON it returns an empty Content.
func ContentOf(stored json.RawMessage) (c Content) {
	var s Stored
	if len(stored) == 0 || json.Unmarshal(stored, &s) != nil {
		return c
	}
	return s.Content()
}

// Content returns the readable content of the snapshot.
func (s *Stored) Content() (c Content) {
	c.Title = s.Title
	for _, a := range s.Authors {
		c.Authors = append(c.Authors, a.Name)
		if a.ID != "" {
			c.AuthorIDs = append(c.AuthorIDs, a.ID)
		}
	}
	var text strings.Builder
	for _, f := range s.Fields {
		words, quoted := "", len(f.Value) > 0 && f.Value[0] == '"'
		switch {
		case f.Kind == KindText && quoted:
			words = scalarText(f.Value)
		case f.Kind == KindValue && quoted:
			c.Links = append(c.Links, scalarText(f.Value))
		case f.Kind == KindRichText:
			doc, _ := richtext.Sanitize(f.Value) // as much as could be read
			words = doc.PlainText()
			c.Links = append(c.Links, doc.Links()...)
		}
		if words != "" {
			c.Fields = append(c.Fields, Words{f.Name, words})
		}
		text.WriteString(words)
		text.WriteByte('\n')
	}
	c.Text, _ = richtext.Cut(text.String(), MaxText)
	return c
}

// Text returns the searchable text of a stored snapshot: the names of its authors and the text of
// its fields. It is "" for anything that is not a snapshot.
func Text(stored json.RawMessage) string {
	c := ContentOf(stored)
	var names strings.Builder
	for _, name := range c.Authors {
		names.WriteString(name)
		names.WriteByte('\n')
	}
	return names.String() + c.Text
}

// FilesOf returns the files of a stored snapshot. For other JSON it returns none.
func FilesOf(stored json.RawMessage) (files []File) {
	var s struct {
		Fields []Field `json:"fields"`
	}
	if json.Unmarshal(stored, &s) != nil {
		return nil
	}
	for _, f := range s.Fields {
		var one File
		var several []File
		switch {
		case f.Kind != KindFile:
		case json.Unmarshal(f.Value, &several) == nil:
			files = append(files, several...)
		case json.Unmarshal(f.Value, &one) == nil:
			files = append(files, one)
		}
	}
	return files
}
