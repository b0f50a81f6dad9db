package report

import (
	"time"

	"github.com/docketmod/docket/domain"
	"github.com/docketmod/docket/domain/signal"
)

// SignalledType is the type of Signalled. It is internal: it does not change the report's version.
const SignalledType Type = "signalled"

// Signalled records the signals of one source about the content. It has no actor.
type Signalled struct {
	noWords
	Source  string     `json:"source"`
	Signals []SignalAt `json:"signals"`
}

// SignalAt is a signal and when it arrived, which may be before the filing.
type SignalAt struct {
	signal.Signal
	At time.Time `json:"at"`
}

// EventType implements Fact.
func (*Signalled) EventType() Type { return SignalledType }

// Scored returns the signals with their source.
func (f *Signalled) Scored() []signal.Scored {
	return domain.Map(f.Signals, func(s SignalAt) signal.Scored {
		return signal.Scored{Source: f.Source, Name: s.Name, Score: s.Score, At: s.At}
	})
}

// A report accepts signals at once while it has fewer than promptEvents events. After that, each source must wait a
// tenth of the report's age between two. So a source that sends all the time adds events only with the logarithm of the
// age, and the report still gets the newest signals.
const (
	promptEvents = 100
	waitOfAge    = 10
)

// DecideSignals records those of the target's stored signals (kept) that are new to an open report. later is when to
// call it again for signals that must wait; zero if there are none.
func DecideSignals(s State, kept []signal.Scored, now time.Time) (facts []Fact, later time.Time) {
	if s.Status == Done {
		return nil, later
	}
	for _, part := range signal.BySource(signal.News(s.Signals, kept)) {
		if due := signalsDue(s, part[0].Source); now.Before(due) {
			if later.IsZero() || due.Before(later) {
				later = due
			}
			continue
		}
		f := &Signalled{Source: part[0].Source}
		for _, one := range part {
			f.Signals = append(f.Signals, SignalAt{signal.Signal{Name: one.Name, Score: one.Score}, one.At})
		}
		facts = append(facts, f)
	}
	return facts, later
}

// signalsDue returns when a report accepts the next signals of a source.
func signalsDue(s State, source string) (due time.Time) {
	if s.Sequence < promptEvents {
		return due
	}
	for _, known := range s.Signals {
		if at := known.At.Add(known.At.Sub(s.CreatedAt) / waitOfAge); known.Source == source && due.Before(at) {
			due = at
		}
	}
	return due
}
