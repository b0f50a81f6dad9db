// Package likeness measures how much alike the reported contents of two reports are, and finds the links
// that they have in common. A Fingerprint is small, and says nothing of the words that it was made of
// except whether other content has them too. It is not for import.
package likeness

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// maxWords bounds the words of a text that are compared.
const maxWords = 4000

// words splits a text into words in a form in which writing differs least: compatibility forms,
// case, accents, vowel signs, invisible characters and the letters that Arabic and Persian keyboards
// write differently are the same. Digits become those from 0 to 9. Addresses are left out, since they
// are compared as links. In scripts that do not separate words, each letter counts as a word.
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

// tatweel only stretches an Arabic word.
const tatweel = 'ـ'

// unseparated are the scripts that are written without spaces between words.
var unseparated = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// sameLetter returns the letter that a variant of it, as some keyboards write it, counts as.
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

// digit returns the ASCII digit of a decimal digit. Unicode has those of a script in a row.
func digit(r rune) rune {
	for _, of := range unicode.Nd.R16 {
		if rune(of.Lo) <= r && r <= rune(of.Hi) {
			return '0' + (r-rune(of.Lo))%10
		}
	}
	return r
}
