package likeness

import (
	"net/url"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/net/idna"
)

// Link is an address in reported content.
type Link struct {
	URL string // as it is written there
	// Host is the address's host as people read it. It is in Punycode if it is suspicious, or if a
	// label has only Cyrillic or Greek letters that look Latin.
	Host string
	// Suspicious is set if a label of the host mixes scripts, by section 5.1 of Unicode Technical
	// Standard 39: no script has all of its letters. Many spoofed hosts do.
	Suspicious bool
	// Key is equal for addresses with differences that rarely matter: http or https, www., case of the
	// host, port 80 or 443, a trailing slash, the order of the query, utm_ parameters, the fragment and
	// credentials.
	Key int64
}

// inAddress matches how an address in text continues: a letter, letters in round brackets, or the square
// brackets of a parameter. Any other bracket ends it, such as those of BBCode and Markdown.
const inAddress = `(?:` + letter + `|\(` + letter + `*\)|(?:\[\w*\])+=)`

const letter = `[^\s\p{Z}<>"()\[\]\x60\x{00ab}\x{00bb}\x{201c}\x{201d}，。、！？；：（）「」『』【】]`

// address finds addresses in text. A host in brackets is an IPv6 address.
var address = regexp.MustCompile(`(?i)\b(?:https?://\[[0-9a-f:.]+\]|(?:https?://|www\.)` + inAddress + `)` + inAddress + `*`)

// maxURL bounds an address, in bytes; a longer one is ignored.
const maxURL = 8192

// hosts maps hosts as browsers do, and accepts any host that a resolver may.
var hosts = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// ParseLink reads an address of the web. It reports false for anything else.
func ParseLink(text string) (Link, bool) {
	text = strings.TrimSpace(text)
	whole := text
	if len(whole) >= 4 && strings.EqualFold(whole[:4], "www.") {
		whole = "http://" + whole
	}
	u, err := url.Parse(whole)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || len(text) > maxURL {
		return Link{}, false
	}
	host := strings.TrimSuffix(u.Hostname(), ".")
	if ascii, err := hosts.ToASCII(host); err == nil {
		host = ascii
	}
	host = strings.ToLower(host)
	if host == "" {
		return Link{}, false
	}
	l := Link{URL: text, Host: host}
	if read, err := hosts.ToUnicode(host); err == nil {
		l.Suspicious = mixesScripts(read)
		if !l.Suspicious && !looksLatin(read) {
			l.Host = read
		}
	}
	l.Key = key("link", strings.TrimPrefix(host, "www.")+port(u)+strings.TrimSuffix((&url.URL{Path: u.Path}).EscapedPath(), "/"), query(u))
	return l, true
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" && p != "80" && p != "443" {
		return ":" + p
	}
	return ""
}

func query(u *url.URL) string {
	q := u.Query()
	for name := range q {
		if strings.HasPrefix(strings.ToLower(name), "utm_") {
			q.Del(name)
		}
	}
	return q.Encode()
}

// mayLink is a quick check whether a text may contain an address; most contain none.
func mayLink(text string) bool {
	return strings.Contains(text, "://") || strings.Contains(strings.ToLower(text), "www.")
}

// linksIn returns the addresses in a text as written.
func linksIn(text string) []string {
	if !mayLink(text) {
		return nil
	}
	found := address.FindAllString(text, -1)
	for i, f := range found {
		found[i] = strings.TrimRight(f, ".,;:!?'*_~’…،؛؟")
	}
	return found
}

// likeLatin has Cyrillic and Greek letters that look like Latin ones, digits and the hyphen.
const likeLatin = "асԁеһіјӏорԛѕԝху" + "αικνορυ" + "0123456789-"

// looksLatin reports whether a label of a host is Cyrillic or Greek and looks Latin throughout.
func looksLatin(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if strings.Trim(label, likeLatin) == "" && strings.IndexFunc(label, func(r rune) bool { return r > unicode.MaxASCII }) >= 0 {
			return true
		}
	}
	return false
}

func mixesScripts(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		var common map[string]bool // the scripts that all letters so far have in common; nil means any
		for _, r := range label {
			if unicode.In(r, unicode.Common, unicode.Inherited) {
				continue
			}
			of := scripts(r)
			if common == nil {
				common = of
				continue
			}
			for name := range common {
				if !of[name] {
					delete(common, name)
				}
			}
			if len(common) == 0 {
				return true
			}
		}
	}
	return false
}

// scripts returns the script of a letter and the writing systems that combine it with others.
func scripts(r rune) map[string]bool {
	all := map[string]bool{}
	if r < unicode.MaxASCII {
		return map[string]bool{"Latin": true}
	}
	for name, table := range unicode.Scripts {
		if unicode.Is(table, r) {
			all[name] = true
			for _, system := range systems[name] {
				all[system] = true
			}
		}
	}
	return all
}

// systems are the writing systems that combine several scripts.
var systems = map[string][]string{
	"Han": {"Hanb", "Jpan", "Kore"}, "Hiragana": {"Jpan"}, "Katakana": {"Jpan"}, "Hangul": {"Kore"}, "Bopomofo": {"Hanb"},
}
