package domain

import (
	"strings"
	"unicode/utf8"
)

// Storable reports whether PostgreSQL can hold the text: valid UTF-8 without U+0000.
func Storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// OrEmpty returns *s, or "" if s is nil.
func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
