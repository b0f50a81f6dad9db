// Package priority decides which case comes first. A case is a target with open
// reports; its priority is a sum of named points, so that a moderator can be told
// why it stands where it does.
//
// All weights are here. Waiting adds a point every six hours, the same for every
// case, so the order of two cases never changes while nothing happens to them:
// Rank keeps that order as a number, and no clock has to update it.
package priority

import (
	"math"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Facts are what the points of a case depend on. Reports of muted accounts are no
// part of any of them.
type Facts struct {
	Gravest   report.Reason // the gravest reason among the open reports
	Reporters int           // how many people have an open report
	// Upheld and Rejected are what became of earlier reports by these people:
	// action was taken, or no violation was found.
	Upheld, Rejected int
	// Target counts earlier decisions to act on this target, Author those on
	// other content by its authors.
	Target, Author int
}

// Part is one reason for a priority and what it weighs.
type Part struct {
	Name   string `json:"name"`
	Points int    `json:"points"`
}

// The names of the parts, in the order in which they are told.
const (
	Reason    = "reason"
	Reporters = "reporters"
	Records   = "records"
	Target    = "target"
	Author    = "author"
	Waiting   = "waiting"
)

// severity is what the gravest reason weighs.
var severity = map[report.Reason]int{
	report.Abusive:       40,
	report.RuleViolation: 30,
	report.Spam:          20,
	report.Other:         10,
}

const (
	// maxReporters is what very many reporters weigh. The first counts half of it
	// and each further one half of the one before, so that a crowd cannot outweigh
	// a grave reason.
	maxReporters = 12
	// maxRecords is what the best records of reporters add and the worst take off.
	// habit is how many decisions it takes for a record to count half.
	maxRecords = 8
	habit      = 4
	// maxTarget and maxAuthor are what a long past weighs; each decision counts
	// half of the one before.
	maxTarget = 12
	maxAuthor = 8
	// perPoint is how long a case waits for a point.
	perPoint = 6 * time.Hour
)

// Severity returns what a reason weighs; the gravest reason weighs most.
func Severity(r report.Reason) int { return severity[r] }

// Parts returns what a case weighs before it has waited, without parts of no points.
func Parts(f Facts) []Part {
	parts := []Part{{Reason, severity[f.Gravest]}}
	for _, p := range []Part{
		{Reporters, halves(maxReporters, f.Reporters)},
		{Records, records(f.Upheld, f.Rejected)},
		{Target, halves(maxTarget, f.Target)},
		{Author, halves(maxAuthor, f.Author)},
	} {
		if p.Points != 0 {
			parts = append(parts, p)
		}
	}
	return parts
}

// Waited returns the parts of a case with the points for its waiting time since
// its first open report.
func Waited(parts []Part, since, now time.Time) []Part {
	points := int(max(now.Sub(since), 0) / perPoint)
	if points == 0 {
		return parts
	}
	return append(parts[:len(parts):len(parts)], Part{Waiting, points})
}

// Score is the sum of the parts.
func Score(parts []Part) int {
	sum := 0
	for _, p := range parts {
		sum += p.Points
	}
	return sum
}

// Rank orders cases as their scores do at any one moment, to the microsecond of
// waiting; the highest comes first.
func Rank(parts []Part, since time.Time) int64 {
	return int64(Score(parts))*perPoint.Microseconds() - since.UnixMicro()
}

// halves is a sum of which the first of n counts half of limit, and each further
// one half of the one before.
func halves(limit, n int) int {
	return int(math.Round(float64(limit) * (1 - math.Pow(2, -float64(max(n, 0))))))
}

// records is how far reporters were right before, weighed by how often anybody
// decided about what they filed.
func records(upheld, rejected int) int {
	share := float64(upheld-rejected) / float64(upheld+rejected+habit)
	return int(math.Round(maxRecords * share))
}
