package report

import (
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
)

// The limits of filing, per reporter within a sliding FilingWindow.
const (
	FilingsPerHour  = 20  // reports that were filed
	AttemptsPerHour = 120 // filings of any outcome
	FilingWindow    = time.Hour
)

// TooManyFilings returns the error of a filing beyond FilingsPerHour. oldest is when the
// first of the counted reports was filed, or nil if that is not known.
func TooManyFilings(oldest *time.Time, now time.Time) error {
	wait := time.Second
	if oldest != nil {
		wait = oldest.Add(FilingWindow).Sub(now)
	}
	return rateLimited(wait, fmt.Sprintf("You have filed %d reports within an hour.", FilingsPerHour))
}

// Attempts are an account's filings of any outcome within an hour. They are counted by the
// minute.
type Attempts struct {
	Count  int
	Oldest time.Time // the minute of the first of them
}

// Check returns an error if there are more than AttemptsPerHour.
func (a Attempts) Check(now time.Time) error {
	if a.Count <= AttemptsPerHour {
		return nil
	}
	return rateLimited(a.Oldest.Add(FilingWindow+time.Minute).Sub(now), "You have tried to file too many reports within an hour.")
}

func rateLimited(wait time.Duration, message string) error {
	return &domain.Error{Code: domain.CodeRateLimited, Message: message, RetryAfter: max(wait, time.Second)}
}
