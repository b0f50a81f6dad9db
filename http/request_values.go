package http

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/scope"
)

// text reads a required string.
func (b *body) text(name string) string {
	if v := b.required(name); v != nil {
		if s := b.decodeText(name, v); s != nil {
			return *s
		}
	}
	return ""
}

// optionalText reads a string that may be absent or null.
func (b *body) optionalText(name string) *string {
	v := b.optional(name)
	if v == nil {
		return nil
	}
	return b.decodeText(name, v)
}

// nullableText reads a required string that may be null.
func (b *body) nullableText(name string) *string {
	v := b.required(name)
	if v == nil || string(v) == "null" {
		return nil
	}
	return b.decodeText(name, v)
}

func (b *body) decodeText(name string, v json.RawMessage) *string {
	var s string
	if err := json.Unmarshal(v, &s); err != nil || v[0] != '"' {
		b.fault(name, "wrong_type", "Must be a string.")
		return nil
	}
	if !domain.Storable(s) {
		b.fault(name, "invalid_text", "Must be valid UTF-8 without the character U+0000.")
		return nil
	}
	return &s
}

// end parses a field with a time that must be in the future, at most longest from now.
func (b *body) end(name, value string, longest time.Duration, within string) time.Time {
	now := time.Now()
	end, ok := parseTime(value)
	switch {
	case !ok:
		b.fault(name, "invalid", "Must be a time as RFC 3339 writes it.")
	case !end.After(now):
		b.fault(name, "in_the_past", "Must be in the future.")
	case end.After(now.Add(longest)):
		b.fault(name, "too_far", "Must be within "+within+".")
	}
	return end
}

// nullableEnd is end for a required field that may be null.
func (b *body) nullableEnd(name string, longest time.Duration, within string) *time.Time {
	value := b.nullableText(name)
	if value == nil {
		return nil
	}
	return new(b.end(name, *value, longest, within))
}

// optionalTime reads a time that may be absent or null, to the microsecond.
func (b *body) optionalTime(name string) *time.Time {
	text := b.optionalText(name)
	if text == nil {
		return nil
	}
	t, ok := parseTime(*text)
	if !ok {
		b.fault(name, "invalid", "Must be a time as RFC 3339 writes it.")
		return nil
	}
	t = t.UTC().Truncate(time.Microsecond)
	return &t
}

// integer reads a required whole number.
func (b *body) integer(name string) int {
	if v := b.required(name); v != nil {
		if n := b.decodeInteger(name, v); n != nil {
			return *n
		}
	}
	return 0
}

// optionalInteger reads a whole number that may be absent or null.
func (b *body) optionalInteger(name string) *int {
	v := b.optional(name)
	if v == nil {
		return nil
	}
	return b.decodeInteger(name, v)
}

func (b *body) decodeInteger(name string, v json.RawMessage) *int {
	var n int
	if err := json.Unmarshal(v, &n); err != nil || string(v) == "null" {
		b.fault(name, "wrong_type", "Must be a whole number.")
		return nil
	}
	return &n
}

// boolean reads a required true or false.
func (b *body) boolean(name string) bool {
	v := b.required(name)
	return v != nil && b.decodeBoolean(name, v)
}

// optionalBoolean reads true or false. It is false if it is absent or null.
func (b *body) optionalBoolean(name string) bool {
	v := b.optional(name)
	return v != nil && b.decodeBoolean(name, v)
}

func (b *body) decodeBoolean(name string, v json.RawMessage) bool {
	if s := string(v); s != "true" && s != "false" {
		b.fault(name, "wrong_type", "Must be true or false.")
	}
	return string(v) == "true"
}

// chosen reads a string that must be one of a list.
func chosen[T ~string](b *body, name string, allowed []T) T {
	value := T(b.text(name))
	if !slices.Contains(allowed, value) {
		b.fault(name, "unknown_value", "Must be one of "+domain.Joined(allowed)+".")
	}
	return value
}

// array parses a JSON array.
func (b *body) array(path string, v json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	if err := json.Unmarshal(v, &items); err != nil || items == nil {
		b.fault(path, "wrong_type", "Must be an array.")
	}
	return items
}

// object parses a JSON object within the body. The paths of its faults begin with the object's
// path.
func (b *body) object(path string, v json.RawMessage, read func(o *body)) {
	o := &body{read: make(map[string]bool)}
	if err := json.Unmarshal(v, &o.fields); err != nil || o.fields == nil {
		b.fault(path, "wrong_type", "Must be an object.")
		return
	}
	read(o)
	if e, ok := errors.AsType[*domain.Error](o.Err()); ok {
		for _, issue := range e.Issues {
			b.fault(path+"."+issue.Path, issue.Code, issue.Message)
		}
	}
}

// texts reads a list of strings that may be absent or null.
func (b *body) texts(name string) []string {
	v := b.optional(name)
	if v == nil {
		return nil
	}
	return b.decodeTexts(name, b.array(name, v))
}

func (b *body) decodeTexts(name string, items []json.RawMessage) []string {
	out := make([]string, len(items))
	for i, item := range items {
		if s := b.decodeText(fmt.Sprintf("%s[%d]", name, i), item); s != nil {
			out[i] = *s
		}
	}
	return out
}

// scope reads the scope of a grant. A selection without ids is empty, and the grant's check refuses
// it.
func (b *body) scope() scope.Scope {
	s := scope.Scope{Family: b.text("family"), Mode: scope.Mode(b.text("mode"))}
	v := b.raw("ids")
	if v == nil {
		return s
	}
	items := b.array("ids", v)
	if len(items) > permission.MaxIDsPerGrant {
		b.fault("ids", "too_many", fmt.Sprintf("At most %d resources can be selected.", permission.MaxIDsPerGrant))
		return s
	}
	s.IDs = b.decodeTexts("ids", items)
	return s
}

// optionalPolicy reads a version of a policy that may be absent or null. It is nil if there is a
// fault.
func (b *body) optionalPolicy(name string) *policy.Ref {
	v := b.optional(name)
	if v == nil {
		return nil
	}
	var ref policy.Ref
	had := len(b.issues)
	b.object(name, v, func(o *body) { ref = policy.Ref{Key: o.text("key"), Version: o.integer("version")} })
	if len(b.issues) > had {
		return nil
	}
	return &ref
}

// optionalScope reads a scope that may be absent or null.
func (b *body) optionalScope(name string) *scope.Scope {
	v := b.optional(name)
	if v == nil {
		return nil
	}
	var s scope.Scope
	b.object(name, v, func(o *body) { s = o.scope() })
	return &s
}
