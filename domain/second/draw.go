// Package second holds the rules of second opinions: which decisions are drawn to be decided again without knowledge of
// the first decision, the status of the answers, and how often people agree. It is pure. Other modules must not import
// it.
package second

import (
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/google/uuid"

	"github.com/docketmod/docket/domain"
)

// The bounds of the settings.
const (
	MaxPercent = 100
	MaxGolden  = 5
	// PerGolden is the number of second opinions among which Golden have a known answer, on average.
	PerGolden = 20
)

// Settings say how many decisions are drawn for second opinions. The zero Settings draw nothing.
type Settings struct {
	Percent int       // of the decisions
	Golden  int       // of PerGolden second opinions that somebody gets: with a known answer
	Since   time.Time // when they came in force
}

// Check returns every fault of the settings.
func (s Settings) Check() (issues domain.Issues) {
	for _, field := range []struct {
		path       string
		value, max int
	}{{"percent", s.Percent, MaxPercent}, {"golden", s.Golden, MaxGolden}} {
		if field.value < 0 || field.value > field.max {
			issues.Add(field.path, "out_of_range", "Must be a whole number from 0 to %d.", field.max)
		}
	}
	return issues
}

// SettingsAt returns the settings in force at a time. versions are all settings, the oldest first.
func SettingsAt(versions []Settings, at time.Time) (in Settings) {
	for _, v := range versions {
		if !v.Since.After(at) {
			in = v
		}
	}
	return in
}

// Drawn reports whether a decision is drawn for a second opinion. root is that of the first checkpoint after the
// decision, so that nobody can predict the draw, and eventID is the id of the decision's event, as in the log.
func Drawn(root []byte, eventID string, percent int) bool {
	h := sha256.New()
	h.Write(root)
	h.Write([]byte(eventID))
	first := binary.BigEndian.Uint32(h.Sum(nil))
	return uint64(first)*MaxPercent < uint64(percent)<<32
}

// ID returns the id of the second opinion on a decision, from the id of the decision's event. For a golden one, whose
// answer is known, golden is the id of the reviewer; else it is "". The two kinds of ids look alike.
func ID(decision, golden string) string {
	sum := sha256.Sum256([]byte("docket-second-1\n" + decision + "\n" + golden))
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // RFC 9562, version 8
	return id.String()
}
