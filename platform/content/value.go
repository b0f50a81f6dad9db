package content

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain/content"
	"github.com/docketmod/docket/domain/snapshot"
)

var null = json.RawMessage("null")

// captured makes JSON of what read selected, as a snapshot is given it; a null
// stays null.
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

// public makes JSON of what read selected, as the public content API shows it:
// rich text is a document.
func (f boundField) public(text []byte) json.RawMessage {
	if f.Kind == content.RichText && text != nil {
		return richTextDocument(f.storedRichText(text)).JSON()
	}
	return f.captured(text)
}

// files makes a file, or a list of them, of what fileOf selected.
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
	out := make([]snapshot.File, len(list))
	for i, one := range list {
		out[i] = one.file()
	}
	return encode(out)
}

// storedFile has spec 2.7's five keys as text.
type storedFile struct {
	ID, Name, MIMEType, Size, URL *string
}

func (f storedFile) file() snapshot.File {
	return snapshot.File{
		ID: orEmpty(f.ID), Name: orEmpty(f.Name), MIMEType: orEmpty(f.MIMEType),
		Size: snapshot.ParseSize(orEmpty(f.Size)), URL: orEmpty(f.URL),
	}
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

// jsonText writes a JSON string.
func jsonText(s []byte) json.RawMessage {
	b, _ := jsontext.AppendQuote(make([]byte, 0, len(s)+len(s)/16+2), s) // invalid UTF-8 becomes U+FFFD
	return b
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
