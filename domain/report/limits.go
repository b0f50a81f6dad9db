package report

import (
	"fmt"
	"time"

	"github.com/docketmod/docket/domain"
)

// The limits of texts, in Unicode code points after trimming.
const (
	MaxDescription      = 2000
	MinDescriptionOther = 10
	MinText             = 3 // plain notes and reopen reasons
	MaxText             = 2000
	MaxExplanation      = 2000

	MaxReasons = 10_000 // of plain text
	MaxAppeal  = 5000   // texts of appeals and replies to them

	MaxExcerpt = 200 // of a list item
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

// CheckAttempts returns an error if count attempts, this one included, are more than
// AttemptsPerHour. They are counted by the minute; oldest is the minute of the first.
func CheckAttempts(count int, oldest, now time.Time) error {
	if count <= AttemptsPerHour {
		return nil
	}
	return rateLimited(oldest.Add(FilingWindow+time.Minute).Sub(now), "You have tried to file too many reports within an hour.")
}

// The limits of note events: notes that are added, edited and deleted. They bound what a
// replay has to read.
const (
	NoteEventsPerReport = 1000
	NoteEventsPerMinute = 30 // by one account, within a sliding minute
)

// TooManyNotes returns the error of a note event beyond NoteEventsPerReport. Since waiting
// does not help, it asks clients to retry only after a day.
func TooManyNotes() error {
	return rateLimited(24*time.Hour, fmt.Sprintf("Notes of this report were added, edited and deleted %d times, which is the most that a report holds.", NoteEventsPerReport))
}

// NotesTooFast returns the error of a note event beyond NoteEventsPerMinute.
func NotesTooFast(wait time.Duration) error {
	return rateLimited(wait, fmt.Sprintf("You have added, edited and deleted notes %d times within a minute.", NoteEventsPerMinute))
}

func rateLimited(wait time.Duration, message string) error {
	return &domain.Error{Code: domain.CodeRateLimited, Message: message, RetryAfter: max(wait, time.Second)}
}
