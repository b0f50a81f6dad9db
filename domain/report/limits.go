package report

import (
	"fmt"
	"time"
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
)

// The limits of note events: notes that are added, edited, deleted and pinned. They bound what a
// replay reads. MaxPins limits how many notes are pinned at one time.
const (
	NoteEventsPerReport = 1000
	NoteEventsPerMinute = 30 // by one account, within a sliding minute
)

// TooManyNotes returns the error of a note event beyond NoteEventsPerReport. Its retry time is a
// day, since waiting does not help.
func TooManyNotes() error {
	return rateLimited(24*time.Hour, fmt.Sprintf("Notes of this report were added, edited and deleted %d times, which is the most that a report holds.", NoteEventsPerReport))
}

// NotesTooFast returns the error of a note event beyond NoteEventsPerMinute.
func NotesTooFast(wait time.Duration) error {
	return rateLimited(wait, fmt.Sprintf("You have added, edited and deleted notes %d times within a minute.", NoteEventsPerMinute))
}
