package content

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/docketmod/docket/domain"
)

// MaxIdentifier is the longest identifier in PostgreSQL, in bytes. PostgreSQL truncates longer ones
// silently.
const MaxIdentifier = 63

var (
	typeID    = regexp.MustCompile(`^[a-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)
	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	apiPath   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
)

// MaxID is the longest id of a type, in bytes.
const MaxID = 128

// ValidTypeID reports whether id is a dotted name such as `forum.post`.
func ValidTypeID(id string) bool { return len(id) <= MaxID && typeID.MatchString(id) }

// ValidName reports whether s is a valid name of a field, a module or a permission.
func ValidName(s string) bool { return plainName.MatchString(s) }

// identifierFault returns the fault of a table or column name, or "".
func identifierFault(s string) string {
	switch {
	case !domain.Storable(s):
		return "is not valid text"
	case len(s) > MaxIdentifier:
		return "is longer than the 63 bytes of a database name"
	}
	return ""
}

// Label returns a field's display name: publishedAt becomes "Published at".
func Label(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case i == 0:
			b.WriteRune(unicode.ToUpper(r))
		case r == '_' || r == '-':
			b.WriteByte(' ')
		case unicode.IsUpper(r):
			b.WriteByte(' ')
			b.WriteRune(unicode.ToLower(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
