package content

import (
	"bytes"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain/richtext"
)

// storedRichText returns rich text as stored: a document, or HTML as a JSON string. JSON and text
// columns may contain either. It is not sanitised: the snapshot does that and records what it
// leaves out.
func (f boundField) storedRichText(stored []byte) json.RawMessage {
	if raw := bytes.TrimSpace(stored); f.column.is("json", "jsonb") || isDocument(raw) {
		return raw
	}
	return jsonText(stored)
}

// isDocument reports whether text is a document and not HTML that begins with a brace. It must be
// one valid JSON value, or a JSON prefix could hide the text behind it.
func isDocument(raw []byte) bool {
	if !bytes.HasPrefix(raw, []byte("{")) {
		return false
	}
	var head struct {
		Type string `json:"type"`
	}
	err := jsonv2.Unmarshal(raw, &head, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	return err == nil && head.Type == "doc"
}

// richTextDocument parses the result of storedRichText. If the text is cut off, it returns the
// beginning.
func richTextDocument(raw json.RawMessage) richtext.Doc {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		html, _ := jsontext.AppendUnquote(nil, raw) // of truncated text, the beginning
		return richtext.FromHTML(string(html))
	}
	doc, _ := richtext.Sanitize(raw)
	return doc
}
