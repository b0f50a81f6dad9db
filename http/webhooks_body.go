package http

import (
	"fmt"

	"github.com/docketmod/docket/domain/scope"
)

// texts reads a list of strings that may be absent or null.
func (b *body) texts(name string) []string {
	v := b.raw(name)
	if v == nil || string(v) == "null" {
		return nil
	}
	items := b.array(name, v)
	out := make([]string, len(items))
	for i, item := range items {
		if s := b.decodeText(fmt.Sprintf("%s[%d]", name, i), item); s != nil {
			out[i] = *s
		}
	}
	return out
}

// optionalScope reads a scope that may be absent or null.
func (b *body) optionalScope(name string) *scope.Scope {
	v := b.raw(name)
	if v == nil || string(v) == "null" {
		return nil
	}
	var s scope.Scope
	b.object(name, v, func(o *body) { s = o.scope() })
	return &s
}
