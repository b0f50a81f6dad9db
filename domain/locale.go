package domain

import "strings"

// Language returns the language of a locale such as de, de-AT or de_AT, without its region or script.
func Language(locale string) string {
	language, _, _ := strings.Cut(strings.ReplaceAll(locale, "_", "-"), "-")
	return language
}
