package report

import (
	"time"

	"github.com/docketmod/docket/domain/signal"
)

// SignalledType is the type of Signalled. It is internal: it does not change the version.
const SignalledType Type = "signalled"

// Signalled records signals about the content that one source gave. It has no actor.
type Signalled struct {
	noWords
	Source  string     `json:"source"`
	Signals []SignalAt `json:"signals"`
}

// SignalAt is a signal with the time when it came, which may be before the report was filed.
type SignalAt struct {
	signal.Signal
	At time.Time `json:"at"`
}

// EventType implements Fact.
func (*Signalled) EventType() Type { return SignalledType }

// Scored returns the signals with their source.
func (f *Signalled) Scored() []signal.Scored {
	all := make([]signal.Scored, len(f.Signals))
	for i, s := range f.Signals {
		all[i] = signal.Scored{Source: f.Source, Name: s.Name, Score: s.Score, At: s.At}
	}
	return all
}

// DecideSignals records what is new to an open report of the signals that are kept for its target,
// so that each reaches it once however often they are offered.
func DecideSignals(s State, kept []signal.Scored) (facts []Fact) {
	if s.Status == Done {
		return nil
	}
	for _, part := range signal.BySource(signal.News(s.Signals, kept)) {
		f := &Signalled{Source: part[0].Source}
		for _, one := range part {
			f.Signals = append(f.Signals, SignalAt{signal.Signal{Name: one.Name, Score: one.Score}, one.At})
		}
		facts = append(facts, f)
	}
	return facts
}
