package richtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// parser parses a document token by token with its own stack, so that no input makes it recurse. A
// strict parser collects issues. A lenient one skips what is not allowed, and its result is what it
// has read when the JSON ends early.
type parser struct {
	strict bool
	path   string // with which the paths of issues begin
	raw    []byte
	valid  bool // raw is UTF-8
	dec    *jsontext.Decoder
	inner  *jsontext.Decoder // reused for attributes and marks
	stack  []frame
	nodes  nodeStack
	marked map[string]*traits // by the JSON of their marks
	spent  budget
	root   []node
	issues []domain.Issue
}

// frame is a node whose JSON object is still open. Its keys can come in any order, so they are
// checked when it closes.
type frame struct {
	index     int    // its index in its parent's content
	next      int    // the index of its next child
	kind      *kind  // nil if it is not on the allowlist
	typeName  string // if it has no kind
	hasType   bool
	inContent bool
	seen      member
	words     string
	attrs     jsontext.Value
	marks     jsontext.Value
	first     int // index in parser.nodes where its content begins
}

// member is a set of the keys that a node has.
type member int

const (
	hasText member = 1 << iota
	hasAttrs
	hasMarks
	hasContent
)

func newParser(raw []byte, strict bool) *parser {
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(!strict), jsontext.AllowInvalidUTF8(!strict)}
	return &parser{
		strict: strict,
		raw:    raw,
		valid:  utf8.Valid(raw),
		dec:    jsontext.NewDecoder(bytes.NewBuffer(raw), lenient...),
		inner:  new(jsontext.Decoder),
	}
}

// run reads the whole document. After an error, root holds what was read.
func (p *parser) run() error {
	if kind := p.dec.PeekKind(); kind != '{' {
		if err := p.dec.SkipValue(); err != nil {
			return err
		}
		p.refuse("", "wrong_type", "Must be text or a rich-text document.")
		return errors.New("the document is not a JSON object")
	}
	err := p.open(0)
	for err == nil && len(p.stack) > 0 {
		p.spent.tokens++
		if err = p.spent.err(); err == nil {
			err = p.step()
		}
	}
	for len(p.stack) > 0 {
		p.finish()
	}
	if err != nil {
		return err
	}
	if _, err := p.dec.ReadToken(); !errors.Is(err, io.EOF) {
		p.refuse("", "trailing_data", "Nothing may follow the document.")
		return errors.New("something follows the document")
	}
	return nil
}

func (p *parser) top() *frame { return &p.stack[len(p.stack)-1] }

func (p *parser) step() error {
	f := p.top()
	if !f.inContent {
		if p.dec.PeekKind() != '}' {
			return p.readMember(f)
		}
		_, err := p.dec.ReadToken()
		if err == nil {
			p.finish()
		}
		return err
	}
	switch p.dec.PeekKind() {
	case ']':
		f.inContent = false
		_, err := p.dec.ReadToken()
		return err
	case '{':
		index := f.next
		f.next++
		if p.strict && len(p.stack) > MaxDepth {
			p.refuseChild(index, "too_deep", fmt.Sprintf("Nodes may nest at most %d deep.", MaxDepth))
			return p.dec.SkipValue()
		}
		if p.spent.hasEnough() {
			return p.dec.SkipValue() // open nodes may still get their type
		}
		return p.open(index)
	default:
		if err := p.dec.SkipValue(); err != nil {
			return err
		}
		p.refuseChild(f.next, "wrong_type", "A node must be a JSON object.")
		f.next++
		return nil
	}
}

func (p *parser) open(index int) error {
	p.stack = append(p.stack, frame{index: index, first: len(p.nodes.open)})
	_, err := p.dec.ReadToken()
	return err
}

func (p *parser) readMember(f *frame) error {
	raw, err := p.dec.ReadValue()
	if err != nil {
		return err
	}
	key := memberName(raw)
	switch key {
	case "type":
		err = p.readType(f)
	case "text":
		f.seen |= hasText
		err = p.readText(f)
	case "attrs":
		f.seen |= hasAttrs
		f.attrs, err = p.readComposite('{', key, "Must be an object.")
	case "marks":
		f.seen |= hasMarks
		f.marks, err = p.readComposite('[', key, "Must be a list.")
	case "content":
		f.seen |= hasContent
		f.next = 0
		p.spent.characters -= count(p.nodes.take(f.first)) // the value of an earlier key with the same name
		if p.dec.PeekKind() != '[' {
			_, err = p.readComposite('[', key, "Must be a list.")
			return err
		}
		f.inContent = true
		_, err = p.dec.ReadToken()
	default:
		p.refuse("."+clip(key), "unknown_field", "A node must not have this key.")
		err = p.dec.SkipValue()
	}
	return err
}

// memberName returns the name of a member. It allocates nothing for the known names.
func memberName(raw jsontext.Value) string {
	switch string(raw) {
	case `"type"`:
		return "type"
	case `"text"`:
		return "text"
	case `"attrs"`:
		return "attrs"
	case `"marks"`:
		return "marks"
	case `"content"`:
		return "content"
	}
	return unquote(raw)
}

func (p *parser) readType(f *frame) error {
	raw, err := p.readString("type")
	if raw == nil || err != nil {
		return err
	}
	f.hasType = true
	f.typeName = ""
	if f.kind = kindOf(kinds, raw[1:len(raw)-1]); f.kind == nil {
		f.typeName, _ = readString(raw)
		f.kind = kindOf(kinds, []byte(f.typeName)) // written with escapes
	}
	return nil
}

func (p *parser) readText(f *frame) error {
	raw, err := p.readString("text")
	if p.valid && raw != nil && bytes.IndexByte(raw, '\\') < 0 {
		f.words = string(raw[1 : len(raw)-1]) // needs no cleaning
		return err
	}
	f.words, _ = readString(raw)
	return err
}

// readString reads a string in its JSON form, or returns nil for a value of another type.
// The result is valid until the next read.
func (p *parser) readString(key string) (jsontext.Value, error) {
	raw, err := p.dec.ReadValue()
	switch {
	case err != nil:
		return nil, err
	case raw[0] != '"':
		p.refuse("."+key, "wrong_type", "Must be a string.")
		return nil, nil
	case p.strict && holdsZero(raw):
		p.refuse("."+key, "invalid_text", "Must not hold the character U+0000.")
	}
	return raw, nil
}

// readComposite reads an object or a list, which is checked when the node closes. It returns
// nil for a value of another type.
func (p *parser) readComposite(want jsontext.Kind, key, message string) (jsontext.Value, error) {
	value, err := p.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	if value.Kind() != want {
		p.refuse("."+key, "wrong_type", message)
		return nil, nil
	}
	// This refers to the input, because the decoder reuses its own value.
	end := p.dec.InputOffset()
	return p.raw[end-int64(len(value)) : end], nil
}
