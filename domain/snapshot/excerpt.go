package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain/richtext"
)

// Excerpt is the beginning of what the text fields say, on one line and at most
// limit code points: how a list row shows a report (contract 3.1).
func Excerpt(s *Snapshot, limit int) string {
	var words strings.Builder
	length := 0
	for _, f := range s.Fields {
		if length >= limit {
			break
		}
		for word := range strings.FieldsSeq(f.plainText()) {
			if length >= limit {
				break
			}
			if length > 0 {
				words.WriteByte(' ')
				length++
			}
			words.WriteString(word)
			length += utf8.RuneCountInString(word)
		}
	}
	short, _ := richtext.Cut(words.String(), limit)
	return strings.TrimRight(short, " ")
}

// plainText is what a text or rich-text field says, "" for any other.
func (f *Field) plainText() string {
	switch {
	case len(f.Value) == 0:
		return ""
	case f.Kind == KindText && f.Value[0] == '"':
		return richtext.Clean(scalarText(f.Value))
	case f.Kind == KindRichText && f.Value[0] == '{':
		doc, _ := richtext.Sanitize(f.Value)
		return doc.PlainText()
	}
	return ""
}
