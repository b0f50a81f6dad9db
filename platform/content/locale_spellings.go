package content

import (
	"slices"
	"strings"

	"github.com/docketmod/docket/domain"
)

// spellings returns the ways in which a table may write a locale, which is case-insensitive: as
// given, as RFC 5646 recommends (zh-Hant-TW), and in lower case. SQL compares them literally, to
// use an index on the locale.
func spellings(locale string) []string {
	if !domain.ValidLocale(locale) {
		return []string{locale}
	}
	lower := strings.ToLower(locale)
	advised, at, before := []byte(lower), 0, ""
	for tag := range strings.FieldsFuncSeq(lower, func(r rune) bool { return r == '-' || r == '_' }) {
		switch {
		case at == 0 || len(before) == 1: // a language, or private
		case len(tag) == 2:
			copy(advised[at:], strings.ToUpper(tag))
		case len(tag) == 4:
			copy(advised[at:], strings.ToUpper(tag[:1]))
		}
		at += len(tag) + 1
		before = tag
	}
	return slices.Compact([]string{locale, string(advised), lower})
}
