package snapshot

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// MarshalJSON returns compact JSON with a fixed order of keys and times with microseconds,
// so that equal snapshots have equal bytes.
func (s Snapshot) MarshalJSON() ([]byte, error) { return s.encode(), nil }

func (s *Snapshot) encode() []byte {
	size := 4 << 10
	for i := range s.Fields {
		size += len(s.Fields[i].Value) + 256
	}
	b := s.appendHead(make([]byte, 0, size))
	for i := range s.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = s.Fields[i].append(b)
	}
	return s.appendTail(b)
}

// appendHead appends everything before the fields.
func (s *Snapshot) appendHead(b []byte) []byte {
	b = append(b, `{"version":`...)
	b = strconv.AppendInt(b, int64(s.Version), 10)
	b = appendTime(append(b, `,"capturedAt":`...), &s.CapturedAt)
	b = appendText(append(b, `,"target":{"pluginId":`...), s.Target.PluginID)
	b = appendText(append(b, `,"type":`...), s.Target.Type)
	b = appendText(append(b, `,"id":`...), s.Target.ID)
	b = appendText(append(b, `},"title":`...), s.Title)
	return append(b, `,"fields":[`...)
}

// appendTail appends everything after the fields.
func (s *Snapshot) appendTail(b []byte) []byte {
	b = appendText(append(b, `],"locale":{"requested":`...), s.Locale.Requested)
	b = appendText(append(b, `,"served":`...), s.Locale.Served)
	b = strconv.AppendBool(append(b, `,"fallback":`...), s.Locale.Fallback)
	b = append(b, `},"source":{"version":`...)
	if s.Source.Version == nil {
		b = append(b, `null`...)
	} else {
		b = appendText(b, *s.Source.Version)
	}
	b = appendTime(append(b, `,"updatedAt":`...), s.Source.UpdatedAt)
	b = appendTime(append(b, `,"publishedAt":`...), s.Source.PublishedAt)
	b = append(b, `},"authors":[`...)
	for i, a := range s.Authors {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"id":`...), a.ID)
		b = append(appendText(append(b, `,"name":`...), a.Name), '}')
	}
	b = append(b, `],"scope":`...)
	if s.Scope == nil {
		b = append(b, `null`...)
	} else {
		b = appendText(append(b, `{"family":`...), s.Scope.Family)
		b = append(appendText(append(b, `,"id":`...), s.Scope.ID), '}')
	}
	b = appendText(append(b, `,"url":`...), s.URL)
	b = strconv.AppendBool(append(b, `,"truncated":`...), s.Truncated)
	return append(b, '}')
}

func (f *Field) append(b []byte) []byte {
	b = f.appendHead(b)
	if f.Value == nil {
		return append(b, `null}`...)
	}
	return append(append(b, f.Value...), '}')
}

// appendHead appends everything before the value.
func (f *Field) appendHead(b []byte) []byte {
	b = appendText(append(b, `{"name":`...), f.Name)
	b = appendText(append(b, `,"label":`...), f.Label)
	b = appendText(append(b, `,"kind":`...), string(f.Kind))
	return append(b, `,"value":`...)
}

func (f File) append(b []byte) []byte {
	b = appendText(append(b, `{"id":`...), f.ID)
	b = appendText(append(b, `,"name":`...), f.Name)
	b = appendText(append(b, `,"mimeType":`...), f.MIMEType)
	b = strconv.AppendInt(append(b, `,"size":`...), f.Size, 10)
	return append(appendText(append(b, `,"url":`...), f.URL), '}')
}

func appendTime(b []byte, t *time.Time) []byte {
	if t == nil {
		return append(b, `null`...)
	}
	return append(t.UTC().AppendFormat(append(b, '"'), domain.TimeLayout), '"')
}

func appendText(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // invalid UTF-8 becomes U+FFFD
	return b
}

func textValue(s string) json.RawMessage { return appendText(make([]byte, 0, len(s)+2), s) }
