// Package signal holds classifications of content by machines: named scores, such as how much a text looks like spam. A
// signal decides nothing.
//
// Platforms send signals with a capture or with a token, and providers return them on request. For each target, the
// newest of each source and name is stored, even before a report, and is a fact of each open report. Other modules must
// not import it. Plugins in Go use snapshot.Signal.
package signal

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/docketmod/docket/domain"
)

const (
	// MaxSignals is how many signals of one source are stored for a target, and how many one message can contain.
	MaxSignals = 20
	// KeptFor is how long signals of a target without reports are stored.
	KeptFor = 30 * 24 * time.Hour
)

var validName = regexp.MustCompile(`^[a-z][a-z0-9_.-]{0,63}$`)

// ValidName reports whether s can name a signal: a lowercase letter and up to 63 lowercase letters,
// digits, dots, dashes and underscores.
func ValidName(s string) bool { return validName.MatchString(s) }

// Signal is one classification of content.
type Signal struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"` // from 0 to 1
}

// Scored is a signal with its source and its time of arrival, in UTC and microseconds.
type Scored struct {
	Source string    `json:"source"`
	Name   string    `json:"name"`
	Score  float64   `json:"score"`
	At     time.Time `json:"at"`
}

// Check returns every fault of the signals of one message, with paths such as [0].name.
func Check(all []Signal) (issues domain.Issues) {
	if len(all) > MaxSignals {
		issues.Add("", "too_many", "At most %d signals can be sent at once.", MaxSignals)
		return issues
	}
	seen := map[string]bool{}
	for i, s := range all {
		path := fmt.Sprintf("[%d].name", i)
		switch {
		case !ValidName(s.Name):
			issues.Add(path, "invalid", "A signal is named by a lowercase letter and up to 63 lowercase letters, digits, dots, dashes and underscores.")
		case seen[s.Name]:
			issues.Add(path, "duplicate", "This signal is named twice.")
		}
		seen[s.Name] = true
		if !(s.Score >= 0 && s.Score <= 1) { // also NaN
			issues.Add(fmt.Sprintf("[%d].score", i), "out_of_range", "A score is a number from 0 to 1.")
		}
	}
	return issues
}

// Valid returns those of the signals that have no fault, at most MaxSignals.
func Valid(all []Signal) (valid []Signal) {
	for _, s := range all {
		if next := append(slices.Clip(valid), s); Check(next) == nil {
			valid = next
		}
	}
	return valid
}

// Merge returns the newest signal of each source and name, sorted by both, and per source only the latest MaxSignals.
// If two arrived at the same time, the later argument wins.
func Merge(known []Scored, come ...Scored) []Scored {
	all := slices.Clone(known)
	for _, s := range come {
		i := slices.IndexFunc(all, func(k Scored) bool { return k.Source == s.Source && k.Name == s.Name })
		switch {
		case i < 0:
			all = append(all, s)
		case !s.At.Before(all[i].At):
			all[i] = s
		}
	}
	slices.SortFunc(all, func(a, b Scored) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), b.At.Compare(a.At), cmp.Compare(a.Name, b.Name))
	})
	n, source := 0, ""
	all = slices.DeleteFunc(all, func(s Scored) bool {
		if n++; s.Source != source {
			n, source = 1, s.Source
		}
		return n > MaxSignals
	})
	slices.SortFunc(all, func(a, b Scored) int { return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Name, b.Name)) })
	return all
}

// News returns the signals that are new compared with known: an unknown name, or another score that arrived later. A
// repeated score is not new.
func News(known, come []Scored) (news []Scored) {
	for _, s := range Merge(known, come...) {
		i := slices.IndexFunc(known, func(k Scored) bool { return k.Source == s.Source && k.Name == s.Name })
		if i < 0 || known[i].Score != s.Score {
			news = append(news, s)
		}
	}
	return news
}

// BySource splits signals that are sorted by source.
func BySource(all []Scored) (parts [][]Scored) {
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(s Scored) bool { return s.Source != all[0].Source })
		if n < 0 {
			n = len(all)
		}
		parts, all = append(parts, all[:n]), all[n:]
	}
	return parts
}
