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

// maxNoteInput is the most that a note may have with white space: a whole request.
const maxNoteInput = 1 << 20

// ParseNote reads the rich text of a note. Whatever the allowlist does not hold
// is refused, as are U+0000, invalid UTF-8, duplicate keys, an empty document
// and one over MaxNoteBytes. It tells every fault, the first hundred of them,
// with paths that start at `body`; without issues the Doc is safe to store.
func ParseNote(raw []byte) (Doc, []domain.Issue) {
	if !utf8.Valid(raw) {
		return Doc{}, []domain.Issue{{Path: "body", Code: "invalid_text", Message: "Must be valid UTF-8."}}
	}
	if len(raw) > maxNoteInput || len(raw) > MaxNoteBytes && compactSize(raw) > MaxNoteBytes {
		return Doc{}, []domain.Issue{{Path: "body", Code: "too_long",
			Message: fmt.Sprintf("Must have at most %d bytes as compact JSON.", MaxNoteBytes)}}
	}
	p := newParser(raw, true)
	err := p.run()
	if err != nil {
		p.blame(err)
	}
	if len(p.issues) > 0 {
		return Doc{}, p.issues
	}
	doc := Doc{content: tidy(p.root, false)}
	if doc.IsEmpty() {
		return Doc{}, []domain.Issue{{Path: "body", Code: "required", Message: "Must not be empty."}}
	}
	return doc, nil
}

// blame makes an issue of an error of the decoder; other errors came with theirs.
func (p *parser) blame(err error) {
	issue := domain.Issue{Path: "body", Code: "invalid_json", Message: "Must be valid JSON."}
	var syntax *jsontext.SyntacticError
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		issue.Code, issue.Message = "duplicate_key", "A key stands in the object twice."
		if errors.As(err, &syntax) {
			issue.Path += pointerPath(syntax.JSONPointer)
		}
	case len(p.issues) > 0:
		return
	}
	p.issues = append(p.issues, issue)
}

// compactSize is the size of a JSON text in bytes without white space and
// without escapes that can be done without; 0 when it is not JSON.
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

// pointerPath writes a JSON pointer within the document as contract section 1
// writes paths.
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
