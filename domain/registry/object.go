package registry

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// object is a mapping with known members. The zero object has none.
type object struct {
	node
	byName map[string]node
}

// members returns the members of a mapping in order, without duplicate names. It returns false for the zero node and
// for other values; it reports the latter.
func (n node) members() ([]node, bool) {
	if n.y == nil {
		return nil, false
	}
	if n.y.Kind != yaml.MappingNode {
		n.fault("this must be an object, not %s", n.kind())
		return nil, false
	}
	var out []node
	firstLine := make(map[string]int)
	for i := 0; i+1 < len(n.y.Content); i += 2 {
		key := n.y.Content[i]
		if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
			n.d.fault(n.path, key.Line, "the name of an option must be text, not %s", quoted(key))
			continue
		}
		path := key.Value
		if n.path != "" {
			path = n.path + "." + key.Value
		}
		if first, twice := firstLine[key.Value]; twice {
			n.d.fault(path, key.Line, "%q is given twice; first in line %d", key.Value, first)
			continue
		}
		firstLine[key.Value] = key.Line
		m, ok := n.d.visit(n.y.Content[i+1], path, key.Value, key.Line)
		if !ok {
			return out, false
		}
		out = append(out, m)
	}
	return out, true
}

func quoted(key *yaml.Node) string {
	if key.Kind == yaml.ScalarNode && key.ShortTag() != "!!merge" {
		return fmt.Sprintf("%q", key.Value)
	}
	if key.Kind == yaml.ScalarNode {
		return `a merge key ("<<")`
	}
	return "a list or an object"
}

// object reads a mapping and reports members that are not known.
func (n node) object(known ...string) (object, bool) {
	members, ok := n.members()
	if !ok {
		return object{node: n}, false
	}
	return n.objectOf(members, known), true
}

// objectOf is object for parsed members. Those in reported are invalid and have been reported.
func (n node) objectOf(members []node, known []string, reported ...string) object {
	o := object{n, make(map[string]node, len(members))}
	for _, m := range members {
		switch {
		case slices.Contains(known, m.name):
			o.byName[m.name] = m
		case slices.Contains(reported, m.name):
		default:
			if meant := DidYouMean(m.name, known); meant != "" {
				m.fault("unknown option %q%s", m.name, meant)
			} else {
				m.fault("unknown option %q; the options here are %s", m.name, strings.Join(known, ", "))
			}
		}
	}
	return o
}

// object reads a member that is a mapping, or returns false if it is missing.
func (o object) object(name string, known ...string) (object, bool) {
	return o.byName[name].object(known...)
}

// named reads a member that is a mapping with arbitrary names.
func (o object) named(name string) []node {
	members, _ := o.byName[name].members()
	return members
}

// text reads a member of type string, which must not be empty. It returns "" if the member
// is missing.
func (o object) text(name string) string {
	n, ok := o.byName[name]
	if !ok {
		return ""
	}
	s, ok := n.text()
	if ok && s == "" {
		n.fault("this must not be empty")
	}
	return s
}

// flag reads a boolean member; the default is false.
func (o object) flag(name string) bool {
	m, ok := o.byName[name]
	if !ok {
		return false
	}
	on, _ := m.boolean("true or false")
	return on
}

// required is text for a member whose absence no later check reports.
func (o object) required(name string) string {
	if _, ok := o.byName[name]; !ok {
		o.d.fault(o.path, o.line(), "the option %q is missing", name)
	}
	return o.text(name)
}

// scalar reads a required member: a text or number as it is written, or a boolean as the
// database writes it.
func (o object) scalar(name string) string {
	n, ok := o.byName[name]
	switch {
	case !ok:
		o.d.fault(o.path, o.line(), "the option %q is missing", name)
		return ""
	case n.isScalar() && n.y.ShortTag() == "!!str":
		s, _ := n.text()
		return s
	case n.isScalar() && n.y.ShortTag() == "!!bool":
		on, _ := n.boolean("true or false")
		return strconv.FormatBool(on)
	case n.isScalar() && slices.Contains([]string{"!!int", "!!float"}, n.y.ShortTag()):
		return n.y.Value
	}
	n.fault("this must be text, a number or a boolean, not %s", n.kind())
	return ""
}

// items returns the elements of a list.
func (n node) items() (out []node) {
	if n.y.Kind != yaml.SequenceNode {
		n.fault("this must be a list, not %s", n.kind())
		return nil
	}
	for i, y := range n.y.Content {
		item, ok := n.d.visit(y, fmt.Sprintf("%s[%d]", n.path, i), "", y.Line)
		if !ok {
			break
		}
		out = append(out, item)
	}
	return out
}

// list reads a member that is a list. It returns nil if the member is missing.
func (o object) list(name string) []node {
	n, ok := o.byName[name]
	if !ok {
		return nil
	}
	return n.items()
}

// texts reads a member that is a list of strings.
func (o object) texts(name string) []string {
	var out []string
	for _, n := range o.list(name) {
		s, _ := n.text()
		out = append(out, s)
	}
	return out
}
