package postgres

import (
	"strings"
	"unicode"
)

// maxNameWords bounds the cost of one search for names.
const maxNameWords = 10

// NameQuery returns the tsquery of a search for people. It splits the search like the search column
// splits names. Every word matches as a prefix, and none is an operator.
func NameQuery(search string) string {
	words := strings.FieldsFunc(search, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	for i, word := range words {
		words[i] = "'" + word + "':*"
	}
	return strings.Join(words[:min(len(words), maxNameWords)], " & ")
}
