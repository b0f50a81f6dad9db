package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/docketmod/docket/domain/richtext"
)

// MaxExcerpt is the longest stored excerpt of a report's content, in code points.
const MaxExcerpt = 200

// excerpt returns the beginning of the text of the fields, on one line and at most limit
// code points.
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

// beginning returns the text of a text or rich-text field, at least as much as an excerpt of
// limit code points needs, and "" for other fields.
func (f *keptField) beginning(limit int) string {
	switch {
	case f.Kind == KindText && f.Value[0] == '"':
		return scalarText(f.Value)
	case f.Kind == KindRichText:
		return f.doc.Beginning(limit + 1) // Cut looks at the next character
	}
	return ""
}
