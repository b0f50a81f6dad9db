package richtext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/docketmod/docket/domain"
)

// Parse parses rich text that a person sent. It refuses everything that is not on the allowlist,
// U+0000, invalid UTF-8, duplicate keys, empty documents and documents over MaxNoteBytes. It
// returns the first hundred faults, with paths that begin with path. Without issues, the Doc is
// safe to store.
func Parse(path string, raw []byte) (Doc, []domain.Issue) {
	if !utf8.Valid(raw) {
		return Doc{}, []domain.Issue{{Path: path, Code: "invalid_text", Message: "Must be valid UTF-8."}}
	}
	if len(raw) > maxNoteInput || len(raw) > MaxNoteBytes && compactSize(raw) > MaxNoteBytes {
		return Doc{}, []domain.Issue{{Path: path, Code: "too_long",
			Message: fmt.Sprintf("Must have at most %d bytes as compact JSON.", MaxNoteBytes)}}
	}
	p := newParser(raw, true)
	p.path = path
	err := p.run()
	if err != nil {
		p.blame(err)
	}
	if len(p.issues) > 0 {
		return Doc{}, p.issues
	}
	doc := Doc{content: tidy(p.root, false)}
	if doc.IsEmpty() {
		return Doc{}, []domain.Issue{{Path: path, Code: "required", Message: "Must not be empty."}}
	}
	return doc, nil
}

// FromText returns a document with a paragraph for each line of the text, which is cleaned
// with Clean.
func FromText(s string) Doc {
	var content []node
	for line := range strings.Lines(Clean(s)) {
		p := node{kind: paragraph}
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			p.content = []node{{kind: text, text: line}}
		}
		content = append(content, p)
	}
	return Doc{content: content}
}

// blame records an issue for an error of the decoder. Other errors already have one.
func (p *parser) blame(err error) {
	issue := domain.Issue{Path: p.path, Code: "invalid_json", Message: "Must be valid JSON."}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		issue.Code, issue.Message = "duplicate_key", "The object has a key twice."
		if errors.As(err, &syntax) {
			issue.Path += pointerPath(syntax.JSONPointer)
		}
	case len(p.issues) > 0:
		return
	}
	p.issues = append(p.issues, issue)
}

// compactSize returns the size of a JSON text in bytes without white space and without
// unnecessary escapes, or 0 if it is not JSON.
func compactSize(raw []byte) int {
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw), lenient...)
	var out bytes.Buffer
	encoder := jsontext.NewEncoder(&out, lenient...)
	for {
		token, err := decoder.ReadToken()
		switch {
		case errors.Is(err, io.EOF):
			return len(bytes.TrimSpace(out.Bytes()))
		case err != nil, encoder.WriteToken(token) != nil:
			return 0
		}
	}
}

// pointerPath converts a JSON pointer to the form of domain.Issue.Path.
func pointerPath(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		if token != "" && strings.Trim(token, "0123456789") == "" {
			b.WriteString("[" + token + "]")
		} else {
			b.WriteString("." + token)
		}
	}
	return b.String()
}
