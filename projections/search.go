package projections

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/domain/snapshot"
)

// The limits of what is indexed and searched for.
const (
	MaxSearch     = 200 // characters of a search
	maxWordBytes  = 200
	maxRowWords   = 12_500 // of the snapshot, and of the others: more than their characters can have
	maxQueryWords = 16
)

// Search uses PostgreSQL's full text search with lower-cased words as lexemes. The same code
// here splits the words of rows and of queries, since PostgreSQL's parser treats addresses,
// numbers and hyphens differently depending on their context.
//
// Some lexemes of a row begin with a sign, and are no words: the target's id, the words that are
// only in the reporter's name, the authors, the locale, and a mark that all of these are there.
// Servers of the previous release store only the id; Mend finds their rows.
const (
	exactMark  = "="
	nameMark   = "~"
	authorMark = "@"
	localeMark = ":"
	wordsMark  = "+3"
)

// maxAuthorBytes bounds the lexeme of an author. PostgreSQL accepts lexemes of up to 2 KB.
const maxAuthorBytes = 1000

func authorTerm(pluginID, id string) string {
	term := authorMark + pluginID + ":" + id
	return strings.ToValidUTF8(term[:min(len(term), maxAuthorBytes)], "")
}

// words splits a text into at most limit lower-cased words of letters, digits and marks, in normal
// form C, since some keyboards write é as one character and others as two.
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

// searchTerms returns the lexemes of a report, sorted: the words of the title, the description, the
// snapshot and the reporter's name, and the lexemes that are no words.
func searchTerms(s report.State, authors []string) []string {
	terms := append(words(s.Title+" "+domain.OrEmpty(s.Description), maxRowWords), words(snapshot.Text(s.Snapshot), maxRowWords)...)
	terms = append(terms, exactMark+clipWord(s.Target.ID), localeMark+clipWord(s.Locale), wordsMark)
	for _, id := range authors {
		terms = append(terms, authorTerm(s.Target.PluginID, id))
	}
	terms = unique(terms)
	others := len(terms)
	for _, word := range words(domain.OrEmpty(s.ReporterName), maxRowWords) {
		if _, found := slices.BinarySearch(terms[:others], word); !found {
			terms = append(terms, word, nameMark+word)
		}
	}
	return unique(terms)
}

// forgetName is the search column without the words that are only in the reporter's name. A row
// without marks gets the terms of $2.
const forgetName = `CASE WHEN NOT search @@ '''` + wordsMark + `'''::tsquery THEN array_to_tsvector($2) ELSE ts_delete(search, ARRAY(
	SELECT unnest(ARRAY[l, substr(l, 2)]) FROM unnest(tsvector_to_array(search)) l WHERE l LIKE '` + nameMark + `%')) END`

// termsBefore returns the lexemes that the previous release stores for a report.
func termsBefore(s report.State) []string {
	text := strings.Join([]string{s.Title, domain.OrEmpty(s.Description), domain.OrEmpty(s.ReporterName)}, " ")
	return append(words(text, maxRowWords), exactMark+clipWord(s.Target.ID))
}

// words returns the tsquery for the search and the author; "" without either.
func (f Filter) words() string {
	q := searchQuery(f.Search)
	if f.Author == nil {
		return q
	}
	by := quoteLexeme(authorTerm(f.Author.PluginID, f.Author.ID))
	if q == "" {
		return by
	}
	return by + " & (" + q + ")"
}

// query is words with the locale, which Filter.where also tests.
func (f Filter) query() string {
	q := f.words()
	if f.Locale == "" {
		return q
	}
	in := quoteLexeme(localeMark + clipWord(f.Locale))
	if q == "" {
		return in
	}
	return in + " & (" + q + ")"
}

// searchQuery returns the tsquery for a person's input. It matches all of the words, each as a
// prefix, or the exact target id. It is "" if the search is empty.
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
