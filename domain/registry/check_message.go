package registry

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/docketmod/docket/domain"
)

func (r *registration) checkMessages(p *Declaration) {
	fault := r.reporter(p)
	for _, locale := range sortedKeys(p.Messages) {
		at := fault.At("messages." + locale)
		if !domain.ValidLocale(locale) {
			at("", "%q is not a valid locale, such as en", locale)
		}
		for _, key := range sortedKeys(p.Messages[locale]) {
			text, place := p.Messages[locale][key], [2]string{locale, key}
			if other, exists := r.messages[place]; exists && other != text {
				at(key, "another plugin declares a different text for this message")
			}
			r.messages[place] = text
			if err := checkMessage(text); err != nil {
				at(key, "not an ICU message: %v", err)
			}
		}
	}
}

// checkMessage returns why browsers cannot format a message of ICU MessageFormat. They would show it with its braces.
// It takes what formatjs takes, which formats messages in the panel, and does not read skeletons such as `::currency/EUR`.
func checkMessage(text string) error {
	return (&messageReader{text: []rune(text)}).pattern(false, false)
}

// messageReader reads a message from the rune at on.
type messageReader struct {
	text []rune
	at   int
}

var errUnclosed = errors.New("a { has no matching }")

// pattern reads text with arguments, up to the } that ends it if it is nested. counted is set if it is a form of a
// plural, where # is the number.
func (m *messageReader) pattern(nested, counted bool) error {
	for m.at < len(m.text) {
		switch m.text[m.at] {
		case '{':
			if err := m.argument(); err != nil {
				return err
			}
		case '}':
			if nested {
				return nil
			}
			m.at++
		case '\'':
			m.quote(counted)
		default:
			m.at++
		}
	}
	return nil
}

// quote reads an apostrophe, with what it quotes if it stands before a character that has a meaning.
func (m *messageReader) quote(counted bool) {
	m.at++
	if m.take('\'') || !strings.ContainsRune("{}<>", m.next()) && !(counted && m.next() == '#') {
		return
	}
	for m.at++; m.at < len(m.text); m.at++ {
		if m.take('\'') && m.next() != '\'' {
			return
		}
	}
}

// argument reads `{name}`, `{name, type}` or `{name, type, style}`.
func (m *messageReader) argument() error {
	m.at++
	m.space()
	name := m.word()
	m.space()
	switch {
	case m.at == len(m.text):
		return errUnclosed
	case name == "":
		return errors.New("a { is not followed by the name of a value; write '{' for the character itself")
	case m.take('}'):
		return nil
	case !m.take(','):
		return fmt.Errorf("after {%s comes neither } nor a comma", name)
	}
	m.space()
	var err error
	switch kind := m.word(); kind {
	case "number", "date", "time":
		err = m.style(name)
	case "plural", "selectordinal", "select":
		err = m.forms(name, kind != "select")
	default:
		err = fmt.Errorf("{%s} has the type %q, and must have number, date, time, plural, selectordinal or select", name, kind)
	}
	if err == nil && !m.take('}') {
		err = errUnclosed
	}
	return err
}

// style reads how a number or time is written, up to the } that ends the argument.
func (m *messageReader) style(name string) error {
	m.space()
	if !m.take(',') {
		return nil
	}
	from := m.at
	for ; m.at < len(m.text) && m.text[m.at] != '}'; m.at++ {
		if m.text[m.at] != '\'' {
			continue
		}
		end := slices.Index(m.text[m.at+1:], '\'')
		if end < 0 {
			return fmt.Errorf("an apostrophe in the style of {%s} has no second one", name)
		}
		m.at += 1 + end
	}
	if strings.TrimSpace(string(m.text[from:m.at])) == "" {
		return fmt.Errorf("{%s} has an empty style", name)
	}
	return nil
}

// forms reads the forms of a plural or a select, each a selector with a message in braces.
func (m *messageReader) forms(name string, counted bool) error {
	m.space()
	if !m.take(',') {
		return fmt.Errorf("{%s} lacks its forms, such as other {…}", name)
	}
	m.space()
	selector := m.word()
	if counted && selector == "offset" && m.take(':') {
		m.space()
		if _, ok := m.integer(); !ok {
			return fmt.Errorf("the offset of {%s} is not a number", name)
		}
		m.space()
		selector = m.word()
	}
	seen := map[string]bool{}
	for {
		if selector == "" && counted && m.take('=') {
			n, ok := m.integer()
			if !ok {
				return fmt.Errorf("after = of {%s} comes no number", name)
			}
			selector = "=" + n
		}
		if selector == "" {
			break
		}
		if seen[selector] {
			return fmt.Errorf("{%s} has the form %s twice", name, selector)
		}
		seen[selector] = true
		m.space()
		if !m.take('{') {
			return fmt.Errorf("the form %s of {%s} must have its text in braces", selector, name)
		}
		if err := m.pattern(true, counted); err != nil {
			return err
		}
		if !m.take('}') {
			return errUnclosed
		}
		m.space()
		selector = m.word()
	}
	if !seen["other"] {
		return fmt.Errorf("{%s} lacks the form other", name)
	}
	return nil
}

// integer reads a whole number and returns it as it is written.
func (m *messageReader) integer() (string, bool) {
	from := m.at
	if !m.take('+') {
		m.take('-')
	}
	for m.next() >= '0' && m.next() <= '9' {
		m.at++
	}
	written := string(m.text[from:m.at])
	_, err := strconv.ParseInt(written, 10, 54)
	return written, err == nil
}

// word reads a name, a type or a selector; "" if there is none.
func (m *messageReader) word() string {
	from := m.at
	for m.at < len(m.text) && !unicode.In(m.text[m.at], unicode.White_Space, unicode.Pattern_Syntax) {
		m.at++
	}
	return string(m.text[from:m.at])
}

func (m *messageReader) space() {
	for m.at < len(m.text) && unicode.Is(unicode.Pattern_White_Space, m.text[m.at]) {
		m.at++
	}
}

// take reads this character, and reports whether it was there.
func (m *messageReader) take(c rune) bool {
	if m.at == len(m.text) || m.text[m.at] != c {
		return false
	}
	m.at++
	return true
}

// next returns the next character, 0 at the end.
func (m *messageReader) next() rune {
	if m.at == len(m.text) {
		return 0
	}
	return m.text[m.at]
}
