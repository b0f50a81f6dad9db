package richtext

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// readMarks returns the allowed marks without duplicates. A lenient parser reads equal lists
// without links only once, because documents repeat few lists many times.
func (p *parser) readMarks(list jsontext.Value) *traits {
	if list == nil {
		return nil
	}
	if marked, ok := p.marked[string(list)]; ok {
		return marked
	}
	links := p.spent.links
	marked := newTraits(nil, p.readEachMark(list))
	if !p.strict && p.spent.links == links && len(list) <= maxKeptMarks {
		if p.marked == nil {
			p.marked = map[string]*traits{}
		}
		p.marked[string(list)] = marked
	}
	return marked
}

func (p *parser) readEachMark(list jsontext.Value) []mark {
	var marks []mark
	for i, object := range p.elements(list) {
		below := ""
		if p.strict {
			below = fmt.Sprintf(".marks[%d]", i)
		}
		if object[0] != '{' {
			p.refuse(below, "wrong_type", "A mark must be a JSON object.")
			continue
		}
		if m, ok := p.readMark(object, below); ok && !slices.ContainsFunc(marks, func(o mark) bool { return o.kind == m.kind }) {
			marks = append(marks, m)
		}
	}
	return marks
}

// elements returns the elements of a JSON list of marks that a decoder has accepted.
func (p *parser) elements(list jsontext.Value) []jsontext.Value {
	p.inner.Reset(bytes.NewBuffer(list), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := p.inner.ReadToken(); err != nil {
		return nil
	}
	var all []jsontext.Value
	for p.inner.PeekKind() != ']' {
		if len(all) == maxMarks {
			p.refuse(".marks", "too_long", fmt.Sprintf("May have at most %d marks.", maxMarks))
			break
		}
		value, err := p.inner.ReadValue()
		if err != nil {
			break
		}
		all = append(all, value.Clone())
	}
	return all
}

func (p *parser) readMark(object jsontext.Value, below string) (mark, bool) {
	var m mark
	var name string
	var attrs jsontext.Value
	typed := false
	p.members(object, func(key string, value jsontext.Value) {
		switch key {
		case "type":
			name, typed = readString(value)
		case "attrs":
			if value[0] == '{' {
				attrs = value.Clone()
			} else if value[0] != 'n' {
				p.refuse(below+".attrs", "wrong_type", "Must be an object.")
			}
		default:
			p.refuse(below+"."+clip(key), "unknown_field", "A mark must not have this key.")
		}
	})
	if m.kind = kindOf(markKinds, []byte(name)); m.kind == nil {
		if typed {
			p.refuse(below+".type", "not_allowed", "This kind of mark is not allowed.")
		} else {
			p.refuse(below+".type", "required", "Must be a string.")
		}
		return mark{}, false
	}
	if m.kind == link {
		p.spent.links++
	}
	m.attrs = p.readAttrs(attrs, m.kind.rules, below+".attrs")
	return m, m.kind != link || attrOf[string](m.attrs, "href") != ""
}
