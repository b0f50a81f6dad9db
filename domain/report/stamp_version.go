package report

import (
	"cmp"
	"slices"
	"time"
)

// Stamp turns the facts of one decision into events and returns them with the state after them. The
// version grows by one if any fact counts as a change. newID returns ids for events. Times are
// truncated to microseconds and are never before the report's last event.
func Stamp(s State, facts []Fact, actorID *string, now time.Time, newID func() string) ([]Event, State) {
	if len(facts) == 0 {
		return nil, s
	}
	now = now.UTC().Truncate(time.Microsecond)
	if now.Before(s.UpdatedAt) {
		now = s.UpdatedAt
	}
	version := s.Version
	if slices.ContainsFunc(facts, countsAsChange) {
		version++
	}
	events := make([]Event, 0, len(facts))
	for _, f := range facts {
		id := newID()
		actor := actorID
		switch f := f.(type) {
		case *MeasureImposed:
			id = cmp.Or(f.ID, id)
		case *DecisionHeld:
			id = cmp.Or(f.ID, id)
		case *HeldReleased:
			actor = f.By
		case *Resolved:
			if f.AppealFor != 0 {
				f.AppealableUntil = new(now.Add(f.AppealFor))
			}
		case *Signalled: // by a machine
			actor = nil
		}
		e := Event{ID: id, ReportID: s.ID, Sequence: s.Sequence + 1, Version: version,
			Type: f.EventType(), ActorID: actor, OccurredAt: now, Fact: f}
		s = Evolve(s, e)
		events = append(events, e)
	}
	return events, s
}

// countsAsChange reports whether a fact increments the version. Notes, new appeals, signals and
// others that do not change the report's state do not, so that they do not make an expected version
// stale.
func countsAsChange(f Fact) bool {
	switch f := f.(type) {
	case *Created, *Assigned, *Escalated, *Returned, *ActionRequested, *Resolved, *Reopened, *AppealDecided, *MeasureImposed, *MeasureEnded, *MeasurePending,
		*DecisionHeld, *HeldReleased, *HeldLapsed:
		return true
	case *ActionDone:
		return f.Requested == 0 // otherwise the request counted
	}
	return false
}
