// Package measure holds the rules for measures on the author of content: warnings, restrictions, suspensions and
// terminations, the strikes that decisions give, and the ladder that proposes measures. Strikes are never stored as a
// number: they are the sum over standing decisions, so that overturning a decision removes its strikes. Other modules
// must not import it.
package measure

import (
	"fmt"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

// Kind is a kind of measure on an author.
type Kind string

// The kinds of measures, from the mildest. The platform defines what they mean; by Docket's
// definition the author may not do some things for a time (restrict), may only read and appeal for
// a time (suspend), or for good (terminate).
const (
	Warn      Kind = "warn"
	Restrict  Kind = "restrict"
	Suspend   Kind = "suspend"
	Terminate Kind = "terminate"
)

// Kinds lists every kind.
var Kinds = []Kind{Warn, Restrict, Suspend, Terminate}

// Timed reports whether measures of the kind may end at a time that is set when they are imposed.
func (k Kind) Timed() bool { return k == Restrict || k == Suspend }

// Wide reports whether the kind bars an author from the whole platform. It then needs a permission
// for the whole platform.
func (k Kind) Wide() bool { return k == Suspend || k == Terminate }

// Because says why a measure was imposed.
type Because string

// The reasons. A measure is ByLadder if the ladder proposed it.
const (
	ByModerator Because = "moderator"
	ByLadder    Because = "ladder"
)

// End is how a measure ended.
type End string

// The ways in which a measure ends.
const (
	EndedByExpiry    End = "expiry"
	EndedByOverturn  End = "overturn" // of the decision, or of one that it was based on
	EndedByModerator End = "moderator"
)

// Author is an author of content as snapshots name them.
type Author struct {
	PluginID string `json:"pluginId"`
	ID       string `json:"id"`
}

// Request is a measure that a moderator requests.
type Request struct {
	AuthorID string
	Kind     Kind
	Until    *time.Time // nil means without an end
}

// The limits of measures.
const (
	MaxRequests = 10 // in one decision
	MaxDays     = 3650
	Day         = 24 * time.Hour
	MaxDuration = MaxDays * Day
)

// Check returns every fault of the requests of one decision. path is the path of their list.
func Check(path string, requests []Request, now time.Time) (issues domain.Issues) {
	if len(requests) > MaxRequests {
		issues.Add(path, "too_many", "Must name at most %d measures.", MaxRequests)
	}
	type one struct {
		author string
		kind   Kind
	}
	seen := map[one]bool{}
	for i, r := range requests {
		fault := func(field, code, format string, args ...any) {
			issues.Add(fmt.Sprintf("%s[%d].%s", path, i, field), code, format, args...)
		}
		if r.AuthorID == "" {
			fault("authorId", "required", "Must name an author of the content.")
		}
		switch known := slices.Contains(Kinds, r.Kind); {
		case !known:
			fault("kind", "unknown_value", "Must be one of %s.", domain.Joined(Kinds))
		case seen[one{r.AuthorID, r.Kind}]:
			fault("kind", "duplicate", "This measure on the author is named twice.")
		}
		seen[one{r.AuthorID, r.Kind}] = true
		switch {
		case r.Until == nil:
		case !r.Kind.Timed():
			fault("until", "not_allowed", "Only restrict and suspend have an end.")
		case !r.Until.After(now):
			fault("until", "in_the_past", "Must be in the future.")
		case r.Until.After(now.Add(MaxDuration)):
			fault("until", "too_late", "Must be at most ten years away.")
		}
	}
	return issues
}

// Standing is a measure that has not ended.
type Standing struct {
	Kind  Kind
	Until *time.Time // nil means without an end
}

// Latest returns the latest end of the measures of the kind; unending means that one of them has no
// end. Without any measure it returns nil and false.
func Latest(of []Standing, k Kind) (until *time.Time, unending bool) {
	for _, s := range of {
		switch {
		case s.Kind != k:
		case s.Until == nil:
			return nil, true
		case until == nil || s.Until.After(*until):
			until = s.Until
		}
	}
	return until, false
}
