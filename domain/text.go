package domain

import (
	"net/mail"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Storable reports whether PostgreSQL can store the text: valid UTF-8 without U+0000.
func Storable(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// Visible reports whether the text has a visible character: any but spaces, control and format
// characters (U+200B, U+FEFF and so on) and those that are rendered blank.
func Visible(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && r != '\u2800' &&
			!unicode.In(r, unicode.C, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
}

// Unstorable returns the issue of a text at path that is not Storable, or none.
func Unstorable(path, text string) []Issue {
	if Storable(text) {
		return nil
	}
	return []Issue{{Path: path, Code: "invalid_text", Message: "Must be valid UTF-8 without the character U+0000."}}
}

// ValidEmail reports whether s is a bare email address, without a name, brackets or a comment.
func ValidEmail(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s
}

// OrEmpty returns the value that p points to, or the zero value if p is nil.
func OrEmpty[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}

// OrNull returns a pointer to s, or nil if s is empty.
func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Joined returns the values, separated by commas.
func Joined[T ~string](values []T) string {
	return strings.Join(Map(values, func(v T) string { return string(v) }), ", ")
}

var localeTag = regexp.MustCompile(`^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$`)

// ValidLocale reports whether s has the form of a locale, such as `en` or `pt-BR`, and at
// most 64 bytes.
func ValidLocale(s string) bool { return len(s) <= 64 && localeTag.MatchString(s) }
