package content

import (
	"bytes"
	"encoding/json"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
)

var null = json.RawMessage("null")

// captured returns the JSON of a selected value for a snapshot. Null stays null.
func (f boundField) captured(text []byte) json.RawMessage {
	if text == nil {
		return null
	}
	switch f.Kind {
	case content.Number, content.Boolean, content.JSON:
		return text
	case content.RichText:
		return f.storedRichText(text)
	case content.File:
		return files(text)
	default:
		return jsonText(text)
	}
}

// public returns the JSON of a selected value for the public content API, with rich
// text as a document.
func (f boundField) public(text []byte) json.RawMessage {
	if f.Kind == content.RichText && text != nil {
		return richTextDocument(f.storedRichText(text)).JSON()
	}
	return f.captured(text)
}

// files returns a file, or a list of files, from what fileOf selected.
func files(stored []byte) json.RawMessage {
	if !bytes.HasPrefix(stored, []byte("[")) {
		var one storedFile
		if err := json.Unmarshal(stored, &one); err != nil {
			return null
		}
		return encode(one.file())
	}
	var list []storedFile
	if err := json.Unmarshal(stored, &list); err != nil {
		return null
	}
	return encode(domain.Map(list, storedFile.file))
}

// storedFile has the five keys of a file as strings.
type storedFile struct {
	ID, Name, MIMEType, Size, URL *string
}

func (f storedFile) file() snapshot.File {
	return snapshot.File{
		ID: domain.OrEmpty(f.ID), Name: domain.OrEmpty(f.Name), MIMEType: domain.OrEmpty(f.MIMEType),
		Size: snapshot.ParseSize(domain.OrEmpty(f.Size)), URL: domain.OrEmpty(f.URL),
	}
}

// jsonText returns a JSON string.
func jsonText(s []byte) json.RawMessage {
	b, _ := jsontext.AppendQuote(make([]byte, 0, len(s)+len(s)/16+2), s) // invalid UTF-8 becomes U+FFFD
	return b
}

// encode returns compact JSON without escaping <, > and &.
func encode(v any) json.RawMessage {
	b, err := jsonv2.Marshal(v)
	if err != nil { // strings and files always encode
		return null
	}
	return b
}
