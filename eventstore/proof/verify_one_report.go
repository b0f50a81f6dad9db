package proof

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/docketmod/docket/domain/report"
	"github.com/docketmod/docket/eventstore"
)

// stream verifies the events of one report in order, without storing them.
type stream struct {
	run      *auditRun
	chain    chain
	first    *Finding // the first fault; nothing after it is checked
	unsigned *Finding // the first invalid signature

	version  int
	at       time.Time
	position int64        // of the last event
	gone     map[int]bool // sequences with missing evidence, until an erasure names them
	waiting  bool         // an event has no position yet; those after it must have none either

	erasures []Erasure
	pluginID string
	authors  []string // of the content; known only if there are holds
}

func newStream(run *auditRun, reportID string) *stream {
	return &stream{run: run, chain: newChain(reportID), gone: map[int]bool{}}
}

// follow verifies the next event. A nil position means that it is not sealed yet.
func (s *stream) follow(r *eventstore.Record, position *int64, leaf []byte) {
	if s.first != nil {
		return
	}
	if f := s.chain.follow(r); f != nil {
		s.first = &Finding{ReportID: f.ReportID, Sequence: f.Sequence, Problem: f.Problem}
		return
	}
	here := Finding{ReportID: r.ReportID, Sequence: r.Sequence}
	if position != nil {
		here.Position = *position
	}
	here.Problem = s.order(r)
	if here.Problem == "" {
		here.Problem = s.evidence(r)
	}
	if here.Problem == "" {
		here.Problem = s.place(r, position, leaf)
	}
	if here.Problem == "" {
		here.Problem = s.signature(r, here)
	}
	if here.Problem != "" {
		s.first = &here
	}
}

// order checks that versions and times never decrease.
func (s *stream) order(r *eventstore.Record) (problem string) {
	switch {
	case r.Version < s.version:
		return "its version is lower than that of the event before it"
	case r.OccurredAt.Before(s.at):
		return "its time is before that of the event before it"
	}
	s.version, s.at = r.Version, r.OccurredAt
	return ""
}

// evidence records which evidence is missing, and takes out what an erasure names. It returns the fault of an erasure.
// What is left over at the end of the report is a fault too.
func (s *stream) evidence(r *eventstore.Record) (problem string) {
	if r.EvidenceDigest != nil && r.Evidence == nil {
		s.gone[r.Sequence] = true
	}
	s.authored(r)
	if r.Type != string(report.EvidenceErasedType) {
		return ""
	}
	var erased report.EvidenceErased
	if err := json.Unmarshal(r.Payload, &erased); err != nil {
		return "its payload cannot be read"
	}
	for _, n := range erased.Sequences {
		if n < 1 || n >= r.Sequence {
			return fmt.Sprintf("it erases the evidence of sequence %d, which is not before it", n)
		}
		delete(s.gone, n)
	}
	s.erasures = append(s.erasures, Erasure{ReportID: r.ReportID, At: r.OccurredAt.UTC(), ActorID: r.ActorID, Sequences: erased.Sequences, sequence: r.Sequence})
	return ""
}

// signature checks the event's signature. A missing one is a fault if events must be signed from this position. An
// invalid one does not stop the verification, since later erasures still count.
func (s *stream) signature(r *eventstore.Record, here Finding) (problem string) {
	switch {
	case r.Signature != nil:
		if s.unsigned == nil && !s.run.signers.valid(r.Hash, r.Signature) {
			here.Problem = "its signature is not by a known key"
			s.unsigned = &here
		}
	case s.run.signedFrom > 0 && (here.Position == 0 || here.Position >= s.run.signedFrom):
		return "it is not signed"
	}
	return ""
}

// end returns the report's first fault, if there is one. count is the number of events in the report's row, or nil if
// there is no row.
func (s *stream) end(count *int) *Finding {
	first := cmp.Or(s.unsigned, s.first)
	before := func(sequence int) bool { return first == nil || sequence < first.Sequence }
	if len(s.gone) > 0 {
		if n := slices.Min(slices.Collect(maps.Keys(s.gone))); before(n) {
			first = &Finding{ReportID: s.chain.reportID, Sequence: n, Problem: "its words are gone and no erasure says so"}
			if h := s.run.held(s.chain.reportID, s.pluginID, s.authors, s.run.begun); h != nil {
				first.Problem += "; the legal hold " + h.ID + " keeps them"
			}
		}
	}
	if first != nil {
		return first
	}
	f := Finding{ReportID: s.chain.reportID, Sequence: s.chain.sequence}
	switch {
	case count == nil:
		f.Problem = "the report has events and no row"
	case *count > s.chain.sequence:
		f.Sequence, f.Problem = s.chain.sequence+1, "the event is missing: the report's row counts more"
	case *count < s.chain.sequence:
		f.Sequence, f.Problem = *count+1, "the report's row does not know of the event"
	default:
		return nil
	}
	return &f
}
