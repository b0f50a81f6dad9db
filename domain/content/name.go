package content

import (
	"regexp"

	"github.com/docketmod/docket/domain"
)

// MaxIdentifier is how long an identifier of PostgreSQL may be, in bytes; a
// longer one would be cut silently, and so name something else.
const MaxIdentifier = 63

var (
	typeID    = regexp.MustCompile(`^[a-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)
	plainName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	apiPath   = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,63}$`)
)

// MaxID bounds the id of a type, in bytes.
const MaxID = 128

// ValidTypeID tells whether id is dotted, as `forum.post` (spec 2.5).
func ValidTypeID(id string) bool { return len(id) <= MaxID && typeID.MatchString(id) }

// ValidName tells whether s can name a field, a module or a permission.
func ValidName(s string) bool { return plainName.MatchString(s) }

// identifierFault says what is wrong with a table's or column's name, or "".
func identifierFault(s string) string {
	switch {
	case !domain.Storable(s):
		return "is not valid text"
	case len(s) > MaxIdentifier:
		return "is longer than the 63 bytes of a database name"
	}
	return ""
}
