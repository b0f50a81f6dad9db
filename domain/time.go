package domain

import (
	"fmt"
	"time"
)

// TimeLayout is how times in UTC are written everywhere: RFC 3339 with microseconds.
const TimeLayout = "2006-01-02T15:04:05.000000Z"

// Time is a time in the format of the API: RFC 3339 in UTC with microseconds.
type Time time.Time

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return []byte(time.Time(t).UTC().Format(`"` + TimeLayout + `"`)), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *Time) UnmarshalJSON(b []byte) error { return (*time.Time)(t).UnmarshalJSON(b) }

// Scan implements sql.Scanner.
func (t *Time) Scan(value any) error {
	at, ok := value.(time.Time)
	if !ok {
		return fmt.Errorf("%v is not a time", value)
	}
	*t = Time(at)
	return nil
}

// TimeOf converts t to the format of the API; nil stays nil.
func TimeOf(t *time.Time) *Time { return (*Time)(t) }
