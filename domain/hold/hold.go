// Package hold holds the rules of legal holds: what must not be erased while a court, an authority or the defence of a
// claim needs it. A hold names reports or an author, has an end, and can be lifted earlier only by somebody other than
// the person who set it. Other modules must not import it.
package hold

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/measure"
)

// The limits of a hold.
const (
	MaxReports   = 10_000
	MaxYears     = 10
	MaxBasis     = 1000 // code points
	MaxReference = 200  // code points
	MaxAuthor    = 800  // bytes
)

// Content is what a hold is set with: what it covers, why and until when.
type Content struct {
	Reports   []string        // ids, sorted; nil if it names an author
	Author    *measure.Author // whose content is held, including what is reported later; of any plugin if PluginID is ""
	Basis     string          // the legal reason
	Reference string          // such as a case number
	Until     time.Time
}

// Hold is a stored hold.
type Hold struct {
	Content
	ID string
	// Authors are the keys of the author, one for each of its ids; nil if the hold names reports.
	Authors  []string
	SetBy    string // "" once the account is deleted
	SetAt    time.Time
	LiftedBy string
	LiftedAt *time.Time // when it was lifted before its end
}

// Status is a hold's stage.
type Status string

// The statuses. Only a standing hold prevents erasure.
const (
	Standing Status = "standing"
	Lifted   Status = "lifted"
	Ended    Status = "ended"
)

// Statuses lists the statuses.
var Statuses = []Status{Standing, Lifted, Ended}

// AuthorKey returns the key of an author of content. Without a plugin it means the authors with this id in any plugin.
func AuthorKey(a measure.Author) string { return a.PluginID + ":" + a.ID }

// Parse checks a new hold and returns every fault. It sorts the reports and removes duplicates.
func Parse(c Content, now time.Time) (Content, []domain.Issue) {
	var issues domain.Issues
	switch named := len(c.Reports) > 0; {
	case named && c.Author != nil:
		issues.Add("authorId", "invalid", "Name either reports or an author.")
	case !named && c.Author == nil:
		issues.Add("reports", "required", "Must name 1 to %d reports, unless authorId names an author.", MaxReports)
	case len(c.Reports) > MaxReports:
		issues.Add("reports", "too_many", "Must be at most %d reports.", MaxReports)
	}
	if a := c.Author; a != nil {
		if a.ID == "" || len(a.ID) > MaxAuthor {
			issues.Add("authorId", "invalid", "Must be the id of an account or of an author, of at most %d bytes.", MaxAuthor)
		}
		if len(a.PluginID) > MaxReference || strings.Contains(a.PluginID, ":") {
			issues.Add("pluginId", "invalid", "Must be the id of a plugin.")
		}
	}
	for _, text := range []struct {
		path string
		said *string
		most int
	}{{"basis", &c.Basis, MaxBasis}, {"reference", &c.Reference, MaxReference}} {
		*text.said = strings.TrimSpace(*text.said)
		switch {
		case !domain.Visible(*text.said):
			issues.Add(text.path, "required", "Must not be empty.")
		case utf8.RuneCountInString(*text.said) > text.most:
			issues.Add(text.path, "too_long", "Must have at most %d characters.", text.most)
		}
	}
	switch c.Until = c.Until.UTC().Truncate(time.Microsecond); {
	case !c.Until.After(now):
		issues.Add("until", "in_the_past", "Must be in the future.")
	case c.Until.After(now.AddDate(MaxYears, 0, 0)):
		issues.Add("until", "too_far", "Must be within %d years.", MaxYears)
	}
	c.Reports = slices.Compact(slices.Sorted(slices.Values(c.Reports)))
	return c, issues
}

// EndsAt returns when the hold ends or ended.
func (h Hold) EndsAt() time.Time {
	if h.LiftedAt != nil && h.LiftedAt.Before(h.Until) {
		return *h.LiftedAt
	}
	return h.Until
}

// Status returns the hold's status at a time.
func (h Hold) Status(at time.Time) Status {
	switch {
	case h.LiftedAt != nil:
		return Lifted
	case !at.Before(h.Until):
		return Ended
	}
	return Standing
}

// Covers reports whether the hold names a report, or an author of its content.
func (h Hold) Covers(reportID, pluginID string, authors []string) bool {
	if _, named := slices.BinarySearch(h.Reports, reportID); named {
		return true
	}
	return slices.ContainsFunc(authors, func(id string) bool {
		return slices.Contains(h.Authors, AuthorKey(measure.Author{ID: id})) ||
			slices.Contains(h.Authors, AuthorKey(measure.Author{PluginID: pluginID, ID: id}))
	})
}

// Lift ends a standing hold early. A hold that has ended stays as it is. It returns own_decision for the person
// who set the hold.
func (h Hold) Lift(by string, at time.Time) (Hold, error) {
	if h.Status(at) != Standing {
		return h, nil
	}
	if h.SetBy == by {
		return h, domain.Errorf(domain.CodeOwnDecision, "You set this hold. Somebody else has to lift it.")
	}
	h.LiftedBy, h.LiftedAt = by, &at
	return h, nil
}

// Held returns the error for data that is under a hold until a time.
func Held(what string, until time.Time) error {
	return domain.Errorf(domain.CodeHeld, "%s held until %s by a legal hold. Somebody else than who set the hold can lift it before.", what, until.UTC().Format(time.RFC3339))
}
