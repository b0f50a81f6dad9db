package content

import (
	"bytes"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain/richtext"
)

// storedRichText is rich text as it is stored: a document, or HTML as a JSON
// string. A column of JSON may hold either, and so may one of text. It is not
// cleaned here: a snapshot does that, once, and so knows what it leaves out.
func (f boundField) storedRichText(stored []byte) json.RawMessage {
	if raw := bytes.TrimSpace(stored); f.column.is("json", "jsonb") || isDocument(raw) {
		return raw
	}
	return jsonText(stored)
}

// isDocument tells a document in a text column from HTML that happens to begin
// with a brace. It must be JSON to its end, lest a few characters of JSON hide
// the words behind them.
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

// richTextDocument reads what storedRichText gave. What cannot be read to its
// end gives what came before.
func richTextDocument(raw json.RawMessage) richtext.Doc {
	if bytes.HasPrefix(raw, []byte(`"`)) {
		html, _ := jsontext.AppendUnquote(nil, raw) // text that breaks off gives its beginning
		return richtext.FromHTML(string(html))
	}
	doc, _ := richtext.Sanitize(raw)
	return doc
}
