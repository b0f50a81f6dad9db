package paging

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
)

// Kind is the type of an ordering column or of an id.
type Kind int

// The kinds, each with the PostgreSQL type in which its values are compared.
const (
	Time Kind = iota + 1 // timestamptz, to the microsecond, in the years 1 to 9999
	Int                  // bigint
	Text                 // text of at most MaxText bytes
	UUID                 // uuid
)

const infinity = "infinity" // stands for a null time; sorts above every time, here and in PostgreSQL

// Value is a typed value as its canonical text. That text is also its SQL argument, from
// which PostgreSQL reads back exactly the same value.
type Value struct {
	kind Kind
	text string
}

// Text returns the canonical text, which is the value's SQL argument.
func (v Value) Text() string { return v.text }

// Position is the position of a row in a list: its value in the ordering column and its id.
type Position struct {
	Value Value
	ID    Value
}

// At returns the position of a row with a UUID in an ordering by time.
func At(t time.Time, id string) Position { return Position{TimeValue(t), UUIDValue(id)} }

// TimeValue returns a timestamptz, truncated to microseconds as in PostgreSQL.
func TimeValue(t time.Time) Value {
	return Value{Time, t.UTC().Truncate(time.Microsecond).Format(domain.TimeLayout)}
}

// NullTimeValue returns a timestamptz that may be null.
func NullTimeValue(t *time.Time) Value {
	if t == nil {
		return Value{Time, infinity}
	}
	return TimeValue(*t)
}

// IntValue returns a bigint.
func IntValue(n int64) Value { return Value{Int, strconv.FormatInt(n, 10)} }

// TextValue returns a text.
func TextValue(s string) Value { return Value{Text, s} }

// UUIDValue returns a uuid.
func UUIDValue(s string) Value { return Value{UUID, strings.ToLower(s)} }

// parseValue reads the canonical text of a value and accepts no other form of it.
func parseValue(kind Kind, nullable bool, text string) (Value, bool) {
	v := Value{kind, text}
	switch kind {
	case Time:
		if nullable && text == infinity {
			return v, true
		}
		t, err := time.Parse(domain.TimeLayout, text)
		return v, err == nil && t.Year() >= 1 && TimeValue(t) == v
	case Int:
		n, err := strconv.ParseInt(text, 10, 64)
		return v, err == nil && IntValue(n) == v
	case UUID:
		id, err := uuid.Parse(text)
		return v, err == nil && id.String() == text
	case Text:
		return v, len(text) <= MaxText && domain.Storable(text)
	}
	return v, false
}

// SQLType returns the PostgreSQL type in which values of the kind are compared.
func (k Kind) SQLType() string {
	switch k {
	case Time:
		return "timestamptz"
	case Int:
		return "bigint"
	case UUID:
		return "uuid"
	default:
		return "text"
	}
}

// compare orders two values of the same kind as PostgreSQL does, texts by its collation "C".
func (v Value) compare(other Value) int {
	if v.kind == Int && other.kind == Int {
		a, _ := strconv.ParseInt(v.text, 10, 64)
		b, _ := strconv.ParseInt(other.text, 10, 64)
		return cmp.Compare(a, b)
	}
	return strings.Compare(v.text, other.text)
}

func (p Position) compare(other Position) int {
	return cmp.Or(p.Value.compare(other.Value), p.ID.compare(other.ID))
}
