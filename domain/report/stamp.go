package report

import "time"

// Stamp places the facts of one decision after the state, in one step of the
// version where they change what a decision rests on, and returns the events
// with the state after them. newID makes event ids; now is cut to microseconds
// and never goes back behind the report's last event.
func Stamp(s State, facts []Fact, actorID *string, now time.Time, newID func() string) ([]Event, State) {
	if len(facts) == 0 {
		return nil, s
	}
	now = now.UTC().Truncate(time.Microsecond)
	if now.Before(s.UpdatedAt) {
		now = s.UpdatedAt
	}
	version := s.Version
	for _, f := range facts {
		if countsAsChange(f) {
			version = s.Version + 1
			break
		}
	}
	events := make([]Event, 0, len(facts))
	for _, f := range facts {
		e := Event{ID: newID(), ReportID: s.ID, Sequence: s.Sequence + 1, Version: version,
			Type: f.EventType(), ActorID: actorID, OccurredAt: now, Fact: f}
		s = Evolve(s, e)
		events = append(events, e)
	}
	return events, s
}

// countsAsChange tells whether a fact moves the version: notes and internal
// events leave it alone, so that they never make a decision stale.
func countsAsChange(f Fact) bool {
	switch f.(type) {
	case *Created, *Assigned, *ActionDone, *Resolved, *Reopened:
		return true
	}
	return false
}
