package content

import (
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
)

// KeyKind is the type of the key column of a content type.
type KeyKind string

// The kinds of keys.
const (
	KeyBigint KeyKind = "bigint"
	KeyUUID   KeyKind = "uuid"
	KeyText   KeyKind = "text"
)

// MaxTextID is the longest id of kind text, in code points.
const MaxTextID = 255

// Valid reports whether the kind is known.
func (k KeyKind) Valid() bool { return k == KeyBigint || k == KeyUUID || k == KeyText }

// Parse validates an id from a client, before it is used for anything, and returns its one
// canonical form. A bigint is a positive decimal without leading zeros. A uuid has 36
// characters; it is accepted in either case and returned in lower case. A text has 1 to
// MaxTextID code points of valid UTF-8 without U+0000 and is returned as it is.
func (k KeyKind) Parse(value string) (string, bool) {
	switch k {
	case KeyBigint:
		n, err := strconv.ParseInt(value, 10, 64)
		return value, err == nil && n > 0 && strconv.FormatInt(n, 10) == value
	case KeyUUID:
		id, err := uuid.Parse(value)
		return id.String(), err == nil && len(value) == 36
	case KeyText:
		ok := value != "" && len(value) <= MaxTextID*utf8.UTFMax && domain.Storable(value) &&
			utf8.RuneCountInString(value) <= MaxTextID
		return value, ok
	}
	return "", false
}
