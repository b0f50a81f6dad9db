package content

import (
	"strconv"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
)

// KeyKind is the form of a type's ids.
type KeyKind string

// The kinds of contract section 11.
const (
	KeyBigint KeyKind = "bigint"
	KeyUUID   KeyKind = "uuid"
	KeyText   KeyKind = "text"
)

// MaxTextID bounds an id of kind text, in code points.
const MaxTextID = 255

// Valid tells whether the kind is one of the contract's.
func (k KeyKind) Valid() bool { return k == KeyBigint || k == KeyUUID || k == KeyText }

// Parse validates an id from a client before anything reads it (spec 2.5) and
// returns its one canonical form: of a bigint, a positive decimal without
// leading zeros; of a uuid, 36 characters in lower case, given in either case;
// of a text, 1 to MaxTextID code points of valid UTF-8 without U+0000, as given.
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
