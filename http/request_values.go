package http

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/permission"
	"github.com/docketmod/docket/domain/policy"
	"github.com/docketmod/docket/domain/scope"
)

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
