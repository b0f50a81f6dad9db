package richtext

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"
)

// attrRule defines the allowed values of an attribute. Null is always allowed, because Tiptap
// writes it for defaults.
type attrRule struct {
	name     string
	read     func(raw jsontext.Value) (value any, ok bool)
	required bool // notes without it are refused
}

func anyText(raw jsontext.Value) (any, bool) { return readString(raw) }

// nothing allows only null.
func nothing(jsontext.Value) (any, bool) { return nil, false }

func boolean(raw jsontext.Value) (any, bool) {
	return raw[0] == 't', raw[0] == 't' || raw[0] == 'f'
}

func between(low, high int) func(jsontext.Value) (any, bool) {
	return func(raw jsontext.Value) (any, bool) {
		n, err := strconv.Atoi(string(raw))
		return n, err == nil && low <= n && n <= high
	}
}

func oneOf(values ...string) func(jsontext.Value) (any, bool) {
	return func(raw jsontext.Value) (any, bool) {
		s, ok := readString(raw)
		return s, ok && slices.Contains(values, s)
	}
}

func matching(re *regexp.Regexp) func(jsontext.Value) (any, bool) {
	return func(raw jsontext.Value) (any, bool) {
		s, ok := readString(raw)
		return s, ok && re.MatchString(s)
	}
}

var (
	languageForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9+#._-]{0,39}$`)
	languageName = matching(languageForm)
	relation     = matching(regexp.MustCompile(`^[a-z -]{0,100}$`))
)

// widths parses the column widths, in pixels, that Tiptap stores in table cells.
func widths(raw jsontext.Value) (any, bool) {
	const maxColumns = 100
	if raw[0] != '[' || len(raw) > 10*maxColumns {
		return nil, false
	}
	all := make([]int, 0, min(bytes.Count(raw, []byte(","))+1, maxColumns))
	for part := range bytes.SplitSeq(raw[1:len(raw)-1], []byte(",")) {
		n, err := strconv.Atoi(string(bytes.TrimSpace(part)))
		if err != nil || n < 0 || n > 100_000 || len(all) == maxColumns {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}

func linkURL(raw jsontext.Value) (any, bool) {
	s, ok := readString(raw)
	return s, ok && allowedURL(s, "http", "https", "mailto", "tel")
}

func imageURL(raw jsontext.Value) (any, bool) {
	s, ok := readString(raw)
	return s, ok && allowedURL(s, "http", "https")
}

// allowedURL reports whether s is an absolute URL of one of the schemes. It refuses what browsers
// parse differently from net/url: white space and control characters, which browsers remove, and
// web addresses without a host.
func allowedURL(s string, schemes ...string) bool {
	if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\\' }) {
		return false
	}
	u, err := url.Parse(s)
	if err != nil || !slices.Contains(schemes, u.Scheme) {
		return false
	}
	if u.Scheme == "http" || u.Scheme == "https" {
		return u.Host != ""
	}
	return u.Opaque != ""
}

// readString decodes a JSON string and cleans it with Clean.
func readString(raw jsontext.Value) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	return Clean(unquote(raw)), true
}

// unquote decodes a JSON string that a decoder has accepted. The result may contain invalid UTF-8 if the decoder
// allowed it.
func unquote(raw jsontext.Value) string {
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	s, _ := jsontext.AppendUnquote(nil, raw)
	return string(s)
}

// holdsZero reports whether a JSON string contains U+0000, which JSON must escape.
func holdsZero(raw jsontext.Value) bool {
	return bytes.Contains(raw, []byte(`\u0000`)) && strings.Contains(unquote(raw), "\x00")
}
