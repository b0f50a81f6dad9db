// Package likeness measures how similar the reported contents of two reports are, and finds their common links. A
// Fingerprint is small, and reveals nothing about its words except whether other content has the same. Other modules
// must not import it.
package likeness

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWords is how many words of a text are compared.
const maxWords = 4000

// words splits a text into normalized words: it ignores compatibility forms, case, accents, vowel
// signs, invisible characters and how Arabic and Persian keyboards write the same letter. Digits
// become ASCII. Addresses are left out, since they are compared as links. In scripts without spaces
// between words, each letter counts as a word.
func words(text string) []string {
	if mayLink(text) {
		text = address.ReplaceAllString(text, " ")
	}
	text = cases.Fold().String(norm.NFKD.String(text))
	var all []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 && len(all) < maxWords {
			all = append(all, word.String())
		}
		word.Reset()
	}
	for _, r := range text {
		if len(all) == maxWords {
			break
		}
		switch {
		case r <= unicode.MaxASCII: // for speed
			if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
				word.WriteByte(byte(r))
			} else {
				end()
			}
		case r == tatweel || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case unicode.In(r, unseparated...) && unicode.IsLetter(r):
			end()
			word.WriteRune(r)
			end()
		case unicode.IsDigit(r):
			word.WriteRune(digit(r))
		case unicode.IsLetter(r) || unicode.Is(unicode.Mc, r):
			word.WriteRune(sameLetter(r))
		default:
			end()
		}
	}
	end()
	return all
}

// tatweel only stretches a word in Arabic script.
const tatweel = 'ـ'

// unseparated are the scripts that are written without spaces between words.
var unseparated = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// sameLetter returns the common form of a letter's keyboard variants.
func sameLetter(r rune) rune {
	switch r {
	case 'ٱ':
		return 'ا'
	case 'ى', 'ی':
		return 'ي'
	case 'ة':
		return 'ه'
	case 'ک':
		return 'ك'
	}
	return r
}

// digit returns the ASCII digit of a decimal digit. In Unicode the ten digits of a script are
// consecutive.
func digit(r rune) rune {
	for _, of := range unicode.Nd.R16 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	return r
}
