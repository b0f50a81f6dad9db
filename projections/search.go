package projections

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/docketmod/docket/domain/report"
)

// The limits of what is indexed and searched for.
const (
	MaxSearch     = 200 // characters of a search
	maxWordBytes  = 200
	maxRowWords   = 4000
	maxQueryWords = 16
)

// Search uses PostgreSQL's full text search with lower-cased words as lexemes. The same code
// here splits the words of rows and of queries, since PostgreSQL's parser treats addresses,
// numbers and hyphens differently depending on their context.
//
// A target's id is one lexeme that begins with exactMark, which no word contains.
const exactMark = "="

// words splits a text into at most limit lower-cased words of letters, digits and marks. It
// uses normal form C, since some keyboards write é as one character and others as two.
func words(text string, limit int) []string {
	var out []string
	for word := range strings.FieldsFuncSeq(norm.NFC.String(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if len(out) == limit {
			break
		}
		out = append(out, clipWord(strings.ToLower(word)))
	}
	return out
}

func clipWord(word string) string {
	if len(word) <= maxWordBytes {
		return word
	}
	return strings.ToValidUTF8(word[:maxWordBytes], "")
}

// searchTerms returns the lexemes of a report: the words of the title, the description and
// the reporter's name, and the target's id.
func searchTerms(s report.State) []string {
	text := []string{s.Title}
	if s.Description != nil {
		text = append(text, *s.Description)
	}
	if s.ReporterName != nil {
		text = append(text, *s.ReporterName)
	}
	return append(words(strings.Join(text, " "), maxRowWords), exactMark+clipWord(s.Target.ID))
}

// searchQuery returns the tsquery of what somebody typed. It matches all of the words, each
// as a prefix, or the exact target id. It is "" if the search is empty.
func searchQuery(search string) string {
	search = strings.TrimSpace(search)
	if search == "" {
		return ""
	}
	exact := quoteLexeme(exactMark + clipWord(search))
	var all []string
	for _, word := range words(search, maxQueryWords) {
		all = append(all, quoteLexeme(word)+":*")
	}
	if len(all) == 0 {
		return exact
	}
	return "(" + strings.Join(all, " & ") + ") | " + exact
}

// quoteLexeme quotes a lexeme for the tsquery type, which doubles quotes and backslashes.
func quoteLexeme(s string) string { return "'" + doubled.Replace(s) + "'" }

var doubled = strings.NewReplacer(`'`, `''`, `\`, `\\`)
