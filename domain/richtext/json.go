package richtext

import (
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns the document as compact ProseMirror JSON. Keys and attributes have a fixed
// order, so that equal documents have equal bytes.
func (d Doc) JSON() []byte {
	b := append(make([]byte, 0, sizeOf(d.content)+32), `{"type":"doc","content":`...)
	b = appendNodes(b, d.content)
	return append(b, '}')
}

// MarshalJSON implements json.Marshaler.
func (d Doc) MarshalJSON() ([]byte, error) { return d.JSON(), nil }

// sizeOf estimates the size of the nodes' JSON in bytes, usually slightly too large.
func sizeOf(nodes []node) int {
	size := 0
	for i := range nodes {
		n := &nodes[i]
		size += len(`{"type":"","content":[]},`) + len(n.kind.name) + len(n.text) + len(n.text)/16 + 64*len(n.attrs()) + sizeOf(n.content)
		if len(n.marks()) > 0 {
			size += len(`,"marks":[]`)
		}
		for _, m := range n.marks() {
			size += len(`{"type":""},`) + len(m.kind.name) + 64*len(m.attrs)
		}
	}
	return size
}

func appendNodes(b []byte, nodes []node) []byte {
	b = append(b, '[')
	for i := range nodes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendNode(b, &nodes[i])
	}
	return append(b, ']')
}

func appendNode(b []byte, n *node) []byte {
	b = appendType(b, n.kind.name)
	b = appendAttrs(b, n.attrs())
	if len(n.content) > 0 {
		b = append(b, `,"content":`...)
		b = appendNodes(b, n.content)
	}
	if len(n.marks()) > 0 {
		b = append(b, `,"marks":[`...)
		for i, m := range n.marks() {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendType(b, m.kind.name)
			b = append(appendAttrs(b, m.attrs), '}')
		}
		b = append(b, ']')
	}
	if n.kind == text {
		b = append(b, `,"text":`...)
		b = appendString(b, n.text)
	}
	return append(b, '}')
}

// appendType begins the object of a node or mark.
func appendType(b []byte, name string) []byte {
	b = append(b, `{"type":"`...)
	b = append(b, name...)
	return append(b, '"')
}

func appendAttrs(b []byte, attrs []attr) []byte {
	if len(attrs) == 0 {
		return b
	}
	b = append(b, `,"attrs":{`...)
	for i, a := range attrs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendString(b, a.name)
		b = append(b, ':')
		b = appendValue(b, a.value)
	}
	return append(b, '}')
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case string:
		return appendString(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case bool:
		return strconv.AppendBool(b, v)
	case []int:
		b = append(b, '[')
		for i, n := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = strconv.AppendInt(b, int64(n), 10)
		}
		return append(b, ']')
	default:
		return append(b, "null"...)
	}
}

func appendString(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // a Doc contains no invalid UTF-8, for which this would fail
	return b
}
