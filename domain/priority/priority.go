// Package priority orders cases. A case is a target with open reports; its priority is a sum of named points, so that
// the panel can explain it.
//
// All weights are here. Waiting adds a point every six hours, the same for every case, so time alone never changes the
// order of two cases: Rank is a number that orders them at any time, and nothing has to update it. Other modules must
// not import it.
package priority

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/report"
)

// Facts are what the points of a case depend on. Reports by muted accounts do not count.
type Facts struct {
	Gravest   report.Reason // the gravest reason among the open reports
	Reporters int           // how many people have an open report
	Trusted   bool          // one of the reporters is a trusted flagger
	// Upheld and Rejected count earlier reports by the reporters: those on which action was taken, and those decided as
	// no violation.
	Upheld, Rejected int
	// Target counts earlier decisions to act on this target, Author those on
	// other content by its authors.
	Target, Author int
	// Rules are the points of the live rules that matched any of the open reports, by key.
	Rules map[string]int
}

// Part is one part of a priority and its points.
type Part struct {
	Name   string `json:"name"`
	Points int    `json:"points"`
	// Rules are the keys of the rules that give the points, in the part of rules.
	Rules []string `json:"rules,omitempty"`
}

// The names of the parts, in the order in which they are listed.
const (
	Reason    = "reason"
	Reporters = "reporters"
	Trusted   = "trusted"
	Records   = "records"
	Target    = "target"
	Author    = "author"
	Rules     = "rules"
	Waiting   = "waiting"
)

// severity has the points of each reason; a case gets those of its gravest reason.
var severity = map[report.Reason]int{
	report.Abusive:       40,
	report.RuleViolation: 30,
	report.Spam:          20,
	report.Other:         10,
}

// The bounds of the parts.
const (
	// maxReporters bounds the points of reporters. The first gives half of it, and each further one half as much as the
	// previous one, so that many reporters cannot outweigh a grave reason.
	maxReporters = 12
	// trusted is how many points reports by trusted flaggers give, whatever their number.
	trusted = 20
	// maxRecords bounds the points that the reporters' records add or subtract. A record of halfRecord decisions gives
	// half of them.
	maxRecords = 8
	halfRecord = 4
	// RecordReporters is how many reporters' records count: those of the first reporters.
	RecordReporters = 50
	// RecordReports is how many decided reports count for a reporter's record: the latest.
	RecordReports = 50
	// maxTarget and maxAuthor bound the points of earlier decisions; each gives half as many as the previous one.
	maxTarget = 12
	maxAuthor = 8
	// MostTarget is how many earlier decisions on the target give all of its points.
	MostTarget = 5
	// MostAuthor is how many decisions on other content give all of the author's points.
	MostAuthor = 4
	// perPoint is the waiting time that adds a point.
	perPoint = 6 * time.Hour
)

// Severity returns the points of a reason; the gravest has the most.
func Severity(r report.Reason) int { return severity[r] }

// Parts returns the parts of a case that have points, without the waiting time.
func Parts(f Facts) []Part {
	return listed(map[string]int{Reason: severity[f.Gravest], Reporters: halves(maxReporters, f.Reporters), Trusted: trustedPoints(f), Records: records(f.Upheld, f.Rejected),
		Target: halves(maxTarget, f.Target), Author: AuthorPoints(f.Author)}, rulesPart(f.Rules))
}

// rulesPart returns the points of the rules that matched. Each rule counts once per case.
func rulesPart(points map[string]int) Part {
	p := Part{Name: Rules}
	for _, key := range slices.Sorted(maps.Keys(points)) {
		if points[key] != 0 {
			p.Points += points[key]
			p.Rules = append(p.Rules, key)
		}
	}
	return p
}

// listed returns the parts that have points, in order. The reason's part is always included.
func listed(points map[string]int, rules Part) []Part {
	parts := []Part{{Name: Reason, Points: points[Reason]}}
	for _, name := range []string{Reporters, Trusted, Records, Target, Author} {
		if points[name] != 0 {
			parts = append(parts, Part{Name: name, Points: points[name]})
		}
	}
	if rules.Points != 0 {
		parts = append(parts, rules)
	}
	return parts
}

// AuthorPoints returns the points of earlier decisions on other content by the authors.
func AuthorPoints(decisions int) int { return halves(maxAuthor, decisions) }

func trustedPoints(f Facts) int {
	if f.Trusted {
		return trusted
	}
	return 0
}

// Grow updates the parts that come from the case's own open reports: Gravest, Reporters and Trusted of f. The points of
// Trusted are never removed.
func Grow(parts []Part, f Facts) []Part {
	points, rules := byName(parts)
	points[Reason], points[Reporters] = severity[f.Gravest], halves(maxReporters, f.Reporters)
	points[Trusted] = max(points[Trusted], trustedPoints(f))
	return listed(points, rules)
}

// Reweigh updates the parts that come from decisions elsewhere: Upheld, Rejected and Author of f.
func Reweigh(parts []Part, f Facts) []Part {
	points, rules := byName(parts)
	points[Records], points[Author] = records(f.Upheld, f.Rejected), AuthorPoints(f.Author)
	return listed(points, rules)
}

func byName(parts []Part) (points map[string]int, rules Part) {
	points = map[string]int{}
	for _, p := range parts {
		if points[p.Name] = p.Points; p.Name == Rules {
			rules = p
		}
	}
	return points, rules
}

// Waited returns the parts of a case plus the points for waiting since its first open report.
func Waited(parts []Part, since, now time.Time) []Part {
	points := int(max(now.Sub(since), 0) / perPoint)
	if points == 0 {
		return parts
	}
	return append(parts[:len(parts):len(parts)], Part{Name: Waiting, Points: points})
}

// Score returns the sum of the parts.
func Score(parts []Part) int {
	sum := 0
	for _, p := range parts {
		sum += p.Points
	}
	return sum
}

// Rank returns a number that orders cases as their scores would, with waiting measured
// to the microsecond; the highest comes first.
func Rank(parts []Part, since time.Time) int64 {
	return int64(Score(parts))*perPoint.Microseconds() - since.UnixMicro()
}

// halves returns a sum of n terms: the first is half of limit, and each further one
// half of the previous one.
func halves(limit, n int) int {
	return int(math.Round(float64(limit) * (1 - math.Pow(2, -float64(max(n, 0))))))
}

// records returns the points of the reporters' records: the share of upheld minus rejected reports, which counts more
// the more reports there are.
func records(upheld, rejected int) int {
	share := float64(upheld-rejected) / float64(upheld+rejected+halfRecord)
	return int(math.Round(maxRecords * share))
}
