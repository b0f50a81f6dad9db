package projections

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/docketmod/docket/domain/report"
)

// Search is PostgreSQL's full text with the lexemes of the `simple`
// configuration: lower-cased words. The words are split here and handed over as
// lexemes, for rows and queries by the same code, since PostgreSQL's own parser
// reads addresses, numbers and hyphens in ways that depend on their neighbours.
//
// A target's id is one lexeme of its own behind exactMark, which no word holds.
const exactMark = "="

// The bounds of what is indexed and asked for.
const (
	maxWordBytes  = 200
	maxRowWords   = 4000
	maxQueryWords = 16
)

// words splits a text into lower-cased words of letters, digits and marks, in
// normal form C: some keyboards write é as one character and others as two.
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

// searchTerms are the lexemes of a report: title, description, the reporter's
// name and the exact target id (contract section 4).
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

// searchQuery is the tsquery of what somebody typed: every word or beginning of
// a word, or the exact target id. It is "" for a search without words.
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

// quoteLexeme writes a lexeme for the tsquery type, where quotes and
// backslashes are doubled.
func quoteLexeme(s string) string { return "'" + doubled.Replace(s) + "'" }

var doubled = strings.NewReplacer(`'`, `''`, `\`, `\\`)
