package content

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/richtext"
	"github.com/docketmod/docket/domain/snapshot"
)

var null = json.RawMessage("null")

// value makes JSON of what read selected; a null stays null.
func (f boundField) value(text *string) json.RawMessage {
	if text == nil {
		return null
	}
	switch f.Kind {
	case content.Number, content.Boolean, content.JSON:
		return json.RawMessage(*text)
	case content.RichText:
		return document(*text, f.column.is("json", "jsonb")).JSON()
	case content.File:
		return file(*text)
	default:
		return encode(*text)
	}
}

// document reads rich text as it is stored: a ProseMirror document, or HTML.
// What cannot be read to its end gives what came before.
func document(stored string, isJSON bool) richtext.Doc {
	trimmed := strings.TrimSpace(stored)
	if isJSON && strings.HasPrefix(trimmed, `"`) {
		var text string
		if json.Unmarshal([]byte(trimmed), &text) == nil {
			return richtext.FromHTML(text)
		}
	}
	if isJSON || looksLikeDocument(trimmed) {
		doc, _ := richtext.Sanitize([]byte(trimmed))
		return doc
	}
	return richtext.FromHTML(stored)
}

// looksLikeDocument tells a document in a text column from HTML that happens to
// begin with a brace.
func looksLikeDocument(text string) bool {
	if !strings.HasPrefix(text, "{") || !json.Valid([]byte(text)) {
		return false
	}
	var head struct {
		Type string `json:"type"`
	}
	return json.Unmarshal([]byte(text), &head) == nil && head.Type == "doc"
}

// file keeps spec 2.7's five keys. A size that is none is 0.
func file(stored string) json.RawMessage {
	var in struct {
		ID, Name, MIMEType, Size, URL *string
	}
	if err := json.Unmarshal([]byte(stored), &in); err != nil {
		return null
	}
	size, _ := strconv.ParseInt(orEmpty(in.Size), 10, 64)
	return encode(snapshot.File{
		ID: orEmpty(in.ID), Name: orEmpty(in.Name), MIMEType: orEmpty(in.MIMEType), Size: max(size, 0), URL: orEmpty(in.URL),
	})
}

func parseInt(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// encode writes compact JSON that leaves <, > and & as they are.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil { // strings and files always encode
		return null
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// label is how a person reads a field's name: `publishedAt` is `Published at`.
func label(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case r == '_' || r == '-':
			b.WriteByte(' ')
		case unicode.IsUpper(r):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
