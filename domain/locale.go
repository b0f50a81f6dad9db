package domain

import "regexp"

var localeTag = regexp.MustCompile(`^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$`)

// ValidLocale reports whether s has the form of a locale, such as `en` or `pt-BR`, and at
// most 64 bytes.
func ValidLocale(s string) bool { return len(s) <= 64 && localeTag.MatchString(s) }
