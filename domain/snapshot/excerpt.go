package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain/richtext"
)

// excerpt is the beginning of what the text fields say, on one line and at most
// limit code points.
func excerpt(fields []keptField, limit int) string {
	var words strings.Builder
	length := 0
	for i := range fields {
		if length >= limit {
			break
		}
		for word := range strings.FieldsSeq(fields[i].beginning(limit)) {
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

// beginning is what a text or rich-text field says, at least as far as an excerpt
// of limit code points reads it, "" for any other.
func (f *keptField) beginning(limit int) string {
	switch {
	case f.Kind == KindText && f.Value[0] == '"':
		return scalarText(f.Value)
	case f.Kind == KindRichText:
		return f.doc.Beginning(limit + 1) // Cut looks at what follows
	}
	return ""
}
