package http

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// maxBody is the largest request body, in bytes.
const maxBody = 1 << 20

// maxDrain bounds what is read and dropped of a body that is too large, in bytes.
const maxDrain = 32 << 20

// maxIssues bounds how many faults of a body are reported, since a body can have hundreds of thousands.
const maxIssues = 100

// maxFields bounds the fields of one object: a megabyte of short fields would take 30 MB of memory.
const maxFields = 1000

// maxDepth bounds how deep a body's arrays and objects nest.
const maxDepth = 200

// body reads a strict JSON object field by field and collects every fault, so that a client learns all of them at once.
// After the last field is read, Err adds unknown fields.
type body struct {
	fields map[string]json.RawMessage
	read   map[string]bool
	issues []domain.Issue
	err    error // of a body that could not be read
}

// readBody reads the request's JSON object. If the body is too large, has another media type
// or is not JSON, Err returns that alone.
func readBody(w http.ResponseWriter, r *http.Request) *body {
	b := &body{read: make(map[string]bool)}
	b.fields, b.err = readObject(w, r)
	return b
}

func readObject(w http.ResponseWriter, r *http.Request) (fields map[string]json.RawMessage, err error) {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return nil, domain.Errorf(codeUnsupportedMediaType, "Send the body as application/json.")
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return nil, domain.Errorf(codePayloadTooLarge, "The body may have at most %d bytes.", maxBody)
		}
		return nil, domain.Invalid(domain.Issue{Code: "unreadable", Message: "The body ended early."})
	}
	if issue := checkJSON(raw); issue != nil {
		return nil, domain.Invalid(*issue)
	}
	if err := json.Unmarshal(raw, &fields); err != nil || fields == nil {
		return nil, domain.Invalid(domain.Issue{Code: "wrong_type", Message: "The body must be a JSON object."})
	}
	return fields, nil
}

// checkJSON returns a fault unless raw is one JSON value (RFC 8259) with valid UTF-8, without duplicate keys, and
// bounded in depth and fields.
func checkJSON(raw []byte) *domain.Issue {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		_, err := d.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, jsontext.ErrDuplicateName):
			return &domain.Issue{Path: clip(pointerPath(d.StackPointer())), Code: "duplicate_key", Message: "The object has this key twice."}
		case err != nil:
			return &domain.Issue{Code: "invalid_json", Message: "The body is not valid JSON."}
		case d.StackDepth() > maxDepth:
			return &domain.Issue{Code: "too_deep", Message: fmt.Sprintf("The body nests deeper than %d levels.", maxDepth)}
		case tooManyFields(d):
			return &domain.Issue{Code: "too_many_fields", Message: fmt.Sprintf("An object has more than %d fields.", maxFields)}
		case d.StackDepth() == 0 && len(bytes.TrimSpace(raw[d.InputOffset():])) > 0:
			return &domain.Issue{Code: "trailing_data", Message: "Something follows the JSON value."}
		}
	}
}

// tooManyFields reports whether the object that is being read has too many fields. The
// decoder counts names and values.
func tooManyFields(d *jsontext.Decoder) bool {
	kind, n := d.StackIndex(d.StackDepth())
	return kind == jsontext.KindBeginObject && n > 2*maxFields
}

// pointerPath converts a JSON pointer to a path such as permissions[2].scope.ids[0].
func pointerPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if strings.Trim(token, "0123456789") == "" && token != "" {
			fmt.Fprintf(&b, "[%s]", token)
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(token)
	}
	return b.String()
}

// raw returns a field as it was sent, or nil if it is absent.
func (b *body) raw(name string) json.RawMessage {
	b.read[name] = true
	return b.fields[name]
}

// optional returns a field, or nil if it is absent or null.
func (b *body) optional(name string) json.RawMessage {
	v := b.raw(name)
	if string(v) == "null" {
		return nil
	}
	return v
}

// required returns a field. Its absence is a fault.
func (b *body) required(name string) json.RawMessage {
	v := b.raw(name)
	if v == nil {
		b.fault(name, "required", "Must be given.")
	}
	return v
}

// fault adds a fault of a field, unless it already has one.
func (b *body) fault(path, code, message string) {
	if len(b.issues) < maxIssues && !domain.HasIssue(b.issues, path) {
		b.issues = append(b.issues, domain.Issue{Path: path, Code: code, Message: message})
	}
}

// add adds faults, except for fields that already have one, and for the members of such fields.
func (b *body) add(issues []domain.Issue) {
	had := b.issues
	for _, issue := range issues {
		if len(b.issues) == maxIssues {
			return
		}
		if !domain.HasIssue(had, issue.Path) {
			b.issues = append(b.issues, issue)
		}
	}
}

// Err returns all faults as a validation error, or nil.
func (b *body) Err() error {
	if b.err != nil {
		return b.err
	}
	for _, name := range slices.Sorted(maps.Keys(b.fields)) {
		if !b.read[name] {
			b.fault(clip(name), "unknown_field", "There is no such field here.")
		}
	}
	return domain.Invalid(b.issues...)
}

// errWith is Err, but if there are faults in a body that could be read, it adds those that find returns, so that a
// client can correct all at once.
func (b *body) errWith(find func() ([]domain.Issue, error)) error {
	if err := b.Err(); err == nil || b.err != nil {
		return err
	}
	more, err := find()
	b.add(more)
	return cmp.Or(err, domain.Invalid(b.issues...))
}

// clip truncates text that a client sent, so that it does not fill the response.
func clip(s string) string { return clipTo(s, 100) }

// clipTo truncates text to a number of bytes, and makes it valid UTF-8.
func clipTo(s string, limit int) string {
	if len(s) <= limit {
		return strings.ToValidUTF8(s, "�")
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
