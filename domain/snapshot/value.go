package snapshot

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain/richtext"
)

// lenient are the options for decoding JSON of plugins.
var lenient = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// field cleans a field and cuts it to its limits. A value that does not fit the field's kind is
// stored as text.
func (k *keeper) field(f Field) keptField {
	kept := keptField{Field: Field{Name: k.text(f.Name, maxName), Label: k.text(f.Label, maxName), Kind: f.Kind}}
	raw := bytes.TrimSpace(f.Value)
	if len(raw) == 0 {
		raw = []byte(`null`)
	}
	if f.Kind != KindRichText && !jsontext.Value(raw).IsValid(lenient...) {
		return k.asText(kept, string(raw))
	}
	switch {
	case string(raw) == `null`:
		kept.Value = json.RawMessage(`null`)
		kept.Kind = known(f.Kind)
	case f.Kind == KindRichText && (raw[0] == '{' || raw[0] == '"'):
		return k.richText(kept, raw)
	case f.Kind == KindFile && (raw[0] == '{' || raw[0] == '['):
		kept.Value = k.files(raw)
	case f.Kind == KindText || f.Kind == KindRichText || f.Kind == KindFile:
		return k.asText(kept, scalarText(raw))
	case raw[0] == '"':
		kept.Kind, kept.Value = KindValue, textValue(k.text(scalarText(raw), MaxText))
	default:
		value, err := tidyJSON(raw)
		if err != nil {
			return k.asText(kept, string(raw))
		}
		kept.Kind, kept.Value = KindValue, value
	}
	return kept
}

// known returns the kind, or KindValue if it is unknown.
func known(kind Kind) Kind {
	switch kind {
	case KindText, KindRichText, KindFile:
		return kind
	}
	return KindValue
}

func (k *keeper) asText(f keptField, s string) keptField {
	f.Kind, f.Value = KindText, textValue(k.text(s, MaxText))
	return f
}

// richText reads a document, or stored HTML in a JSON string.
func (k *keeper) richText(f keptField, raw []byte) keptField {
	var cut bool
	if raw[0] == '"' {
		html, err := jsontext.AppendUnquote(nil, raw)
		f.doc, cut = richtext.SanitizeHTMLTo(string(html), MaxText)
		cut = cut || err != nil && !jsontext.Value(raw).IsValid(lenient...) // the JSON ends early
	} else {
		f.doc, cut = richtext.SanitizeTo(raw, MaxText)
	}
	k.truncated = k.truncated || cut
	f.Value = f.doc.JSON()
	return f
}

// scalarText returns the text of a JSON string, and other JSON unchanged.
func scalarText(raw []byte) string {
	if raw[0] != '"' {
		return string(raw)
	}
	s, _ := jsontext.AppendUnquote(nil, raw) // invalid UTF-8 becomes U+FFFD
	return string(s)
}

var errTooDeep = errors.New("the value nests too deep")

// tidyJSON returns compact JSON with clean strings. Numbers that are out of range for
// float64 become strings.
func tidyJSON(raw []byte) (json.RawMessage, error) {
	var out bytes.Buffer
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient...)
	encoder := jsontext.NewEncoder(&out, lenient...)
	for {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSpace(out.Bytes()), nil
		}
		if err != nil {
			return nil, err
		}
		if decoder.StackDepth() > maxValueDepth {
			return nil, errTooDeep
		}
		switch token.Kind() {
		case '"':
			token = jsontext.String(richtext.Clean(token.String()))
		case '0':
			if _, err := strconv.ParseFloat(token.String(), 64); err != nil {
				token = jsontext.String(token.String())
			}
		}
		if err := encoder.WriteToken(token); err != nil {
			return nil, err
		}
	}
}

// files returns the known keys of a file, or of each file in a list.
func (k *keeper) files(raw []byte) json.RawMessage {
	if raw[0] == '{' {
		return k.file(raw).append(nil)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		return json.RawMessage(`null`)
	}
	b := []byte{'['}
	for _, one := range list {
		if one[0] != '{' {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = k.file(one).append(b)
	}
	return append(b, ']')
}

func (k *keeper) file(raw []byte) File {
	var parts map[string]json.RawMessage
	if err := json.Unmarshal(raw, &parts); err != nil {
		return File{}
	}
	text := func(key string) string {
		if part := parts[key]; len(part) > 0 && strings.IndexByte(`"-0123456789`, part[0]) >= 0 {
			return scalarText(part)
		}
		return ""
	}
	return File{
		ID:       k.text(text("id"), maxID),
		Name:     k.text(text("name"), maxID),
		MIMEType: k.text(text("mimeType"), maxName),
		Size:     ParseSize(text("size")),
		URL:      k.url(text("url")),
	}
}

// ParseSize reads a file's size in bytes. The number may be written as 12, 12.0 or 1.2e1. It
// returns 0 for anything but a whole number from 0 to the largest int64.
func ParseSize(s string) int64 {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return max(n, 0)
	}
	// Reject huge numbers first: big.Rat would expand their exponent.
	if near, err := strconv.ParseFloat(s, 64); err != nil || len(s) > maxSize || near < 1 || near > 1<<63 {
		return 0
	}
	exact, ok := new(big.Rat).SetString(s)
	if !ok || !exact.IsInt() || !exact.Num().IsInt64() {
		return 0
	}
	return exact.Num().Int64()
}
