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
		for word := range strings.FieldsSeq(fields[i].plainText()) {
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
func (f *keptField) plainText() string {
	switch {
	case f.Kind == KindText && f.Value[0] == '"':
		return scalarText(f.Value)
	case f.Kind == KindRichText:
		return f.doc.PlainText()
	}
	return ""
}
