package report

import (
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// The limits of filing, per reporter within a sliding FilingWindow.
const (
	FilingsPerHour  = 20  // reports that were filed
	AttemptsPerHour = 120 // filings of any outcome
	// FlaggerFilingsPerHour is how many reports a trusted flagger may file, and how many attempts they
	// have.
	FlaggerFilingsPerHour = 600
	FilingWindow          = time.Hour
)

// FilingsPerHour returns how many reports an account with this source may file.
func (s Source) FilingsPerHour() int {
	if s == FromTrustedFlagger {
		return FlaggerFilingsPerHour
	}
	return FilingsPerHour
}

// TooManyFilings returns the error of a filing beyond atMost. oldest is when the first of the
// counted reports was filed, or nil if unknown.
func TooManyFilings(atMost int, oldest *time.Time, now time.Time) error {
	wait := time.Second
	if oldest != nil {
		wait = oldest.Add(FilingWindow).Sub(now)
	}
	return rateLimited(wait, fmt.Sprintf("You have filed %d reports within an hour.", atMost))
}

// Attempts counts an account's filings within an hour, successful or not, to the minute.
type Attempts struct {
	Count  int
	Oldest time.Time // the minute of the first of them
	// Suspended are the plugins on whose platforms the account is suspended or terminated.
	Suspended []string
	// Flagger is the name of the organisation for which the account is a trusted flagger; "" if it is
	// none.
	Flagger string
}

// CheckSuspension returns CodeSuspended if the account may not file on the plugin's platform. If the
// request names no plugin, a suspension on any platform counts.
func (a Attempts) CheckSuspension(pluginID string) error {
	if slices.Contains(a.Suspended, pluginID) || pluginID == "" && len(a.Suspended) > 0 {
		return domain.Errorf(domain.CodeSuspended, "You are suspended, so you cannot report anything; you can read and appeal.")
	}
	return nil
}

// Check returns an error beyond AttemptsPerHour, or beyond FlaggerFilingsPerHour for a trusted
// flagger.
func (a Attempts) Check(now time.Time) error {
	atMost := AttemptsPerHour
	if a.Flagger != "" {
		atMost = FlaggerFilingsPerHour
	}
	if a.Count <= atMost {
		return nil
	}
	return rateLimited(a.Oldest.Add(FilingWindow+time.Minute).Sub(now), "You have tried to file too many reports within an hour.")
}

func rateLimited(wait time.Duration, message string) error {
	return &domain.Error{Code: domain.CodeRateLimited, Message: message, RetryAfter: max(wait, time.Second)}
}
